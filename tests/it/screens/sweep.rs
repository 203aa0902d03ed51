//! Every state at every small size: whatever the window, drawing must not panic.

use super::draw::buffer;
use super::states;
use glueup::tui::theme::Theme;
use ratatui::style::{Color, Modifier};

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
            let bad = cell.symbol().chars().find(|c| crate::hostile::steers(*c));
            assert_eq!(bad, None, "{name}: {:?}", cell.symbol());
        }
    }
}

/// A colour of our own would be wrong on one ground or the other: the palette's first sixteen are the user's, the ground
/// is the terminal's, and yellow, which many palettes make too pale for a white ground, colours no letters.
#[test]
fn colours_are_the_terminals_own() {
    use ratatui::style::Color;
    let ours = [Color::Reset, Color::Cyan, Color::Green, Color::Yellow, Color::Red];
    for (name, story) in states::all() {
        for theme in [Theme::colour(), Theme::mono(), Theme::colour().ascii()] {
            for size in super::draw::SIZES {
                let drawn = buffer(&story.model, &theme, size);
                for cell in drawn.content() {
                    assert_eq!(
                        cell.bg,
                        Color::Reset,
                        "{name}: a ground of our own under {:?}",
                        cell.symbol()
                    );
                    assert!(
                        ours.contains(&cell.fg),
                        "{name}: {:?} is {:?}",
                        cell.symbol(),
                        cell.fg
                    );
                    let letter = cell.symbol().chars().any(char::is_alphabetic);
                    assert!(
                        cell.fg != Color::Yellow || !letter,
                        "{name}: {:?} is yellow: unreadable on a white ground",
                        cell.symbol()
                    );
                }
            }
        }
        let mono = buffer(&story.model, &Theme::mono(), (120, 40));
        let colourless = mono.content().iter().all(|cell| cell.fg == Color::Reset);
        assert!(colourless, "{name}: a colour without colours");
    }
}

/// What a dialog wants done stays in sight in the smallest window, and so do its buttons.
#[test]
fn the_smallest_dialog_can_be_answered() {
    let drawn = super::draw::text(&buffer(
        &states::story("deploy asks").model,
        &Theme::colour(),
        (40, 12),
    ));
    for part in [
        "Create the stack",
        "[ ] I acknowledge",
        "Create stack ",
        " no",
        "pgdn",
    ] {
        assert!(drawn.contains(part), "{part} is not in\n{drawn}");
    }
}

/// The field that has the keys is in sight in the smallest window, whatever is said about the others.
#[test]
fn the_field_with_the_keys_is_in_sight() {
    let mut story = states::story("details with errors");
    for label in ["Name", "Region", "S3 path", "Access"] {
        story.tab();
        let drawn = super::draw::text(&buffer(&story.model, &Theme::colour(), (40, 12)));
        assert!(
            drawn.contains(&format!("▸ {label}")),
            "{label} is not in\n{drawn}"
        );
    }
}

#[test]
fn ground_and_text_are_the_terminals_own_on_light_and_dark() {
    // The four colours that every palette defines to be read on its own ground; never black, white, grey or a shade.
    let ours = [Color::Reset, Color::Cyan, Color::Green, Color::Yellow, Color::Red];
    for (name, story) in states::all() {
        for (theme, colours) in [(Theme::colour(), &ours[..]), (Theme::mono(), &ours[..1])] {
            for cell in buffer(&story.model, &theme, (120, 40)).content() {
                assert_eq!(cell.bg, Color::Reset, "{name}: {:?}", cell.symbol());
                assert!(
                    colours.contains(&cell.fg),
                    "{name}: {:?} in {:?}",
                    cell.symbol(),
                    cell.fg
                );
                assert!(
                    !cell
                        .modifier
                        .intersects(Modifier::HIDDEN | Modifier::SLOW_BLINK | Modifier::RAPID_BLINK)
                );
            }
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
