//! Every state at every small size: whatever the window, drawing must not panic.

use super::draw::buffer;
use super::states;
use glueup::tui::theme::Theme;

#[test]
fn no_size_panics() {
    for (name, story) in states::all() {
        for columns in [
            0, 1, 2, 5, 20, 39, 40, 41, 43, 47, 59, 60, 79, 80, 81, 99, 100, 160, 200,
        ] {
            for rows in [0, 1, 2, 5, 11, 12, 13, 14, 15, 17, 18, 24, 40] {
                let drawn =
                    std::panic::catch_unwind(|| buffer(&story.model, &Theme::colour(), (columns, rows)));
                assert!(drawn.is_ok(), "{name} at {columns}×{rows}");
            }
        }
    }
}

#[test]
fn nothing_is_drawn_that_a_terminal_would_obey() {
    for (name, story) in states::all() {
        let drawn = buffer(&story.model, &Theme::colour(), (120, 40));
        for cell in drawn.content() {
            let bad = cell
                .symbol()
                .chars()
                .find(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(c));
            assert_eq!(bad, None, "{name}: {:?}", cell.symbol());
        }
    }
}

#[test]
fn ascii_glyphs_need_no_unicode() {
    let theme = Theme::colour().ascii();
    let drawn = buffer(&states::story("home in use").model, &theme, (80, 24));
    let text = super::draw::text(&drawn);
    assert!(text.is_ascii(), "{text}");
}
