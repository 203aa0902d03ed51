//! Every state at every small size: whatever the window, drawing must not panic.

use super::draw::buffer;
use super::states;
use glueup::tui::theme::Theme;

#[test]
fn no_size_panics() {
    for (name, story) in states::all() {
        for columns in (0..=48).chain([79, 80, 99, 100, 160, 200]) {
            for rows in (0..=26).chain([40]) {
                let drawn = std::panic::catch_unwind(|| buffer(&story.model, &Theme::colour(), (columns, rows)));
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
            let bad = cell.symbol().chars().find(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(c));
            assert_eq!(bad, None, "{name}: {:?}", cell.symbol());
        }
    }
}

#[test]
fn ascii_glyphs_need_no_unicode() {
    let theme = Theme::colour().ascii();
    let drawn = buffer(&states::story("home in use").model, &theme, (80, 24));
    let odd: Vec<char> = super::draw::text(&drawn).chars().filter(|c| !c.is_ascii() && !"日本·→×⏎—".contains(*c)).collect();
    assert!(odd.is_empty(), "{odd:?}");
}
