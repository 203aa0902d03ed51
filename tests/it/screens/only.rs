//! The tables of one kind alone.

use super::back::{browse, table};
use super::draw::{buffer, text};
use super::fixtures::*;
use super::states::build::*;
use glueup::tui::msg::Msg;
use glueup::tui::theme::Theme;

fn drawn(story: &Story) -> String {
    text(&buffer(&story.model, &Theme::mono(), (120, 40)))
}

#[test]
fn a_key_goes_from_kind_to_kind_to_what_is_odd_and_back_to_all() {
    let mut story = browse_tables();
    story.msg(Msg::Resize(120, 40)).enter();
    let all = browse(&story).tables.value().unwrap().len();
    let parts = browse(&story).tables.value().unwrap().parts();
    assert!(parts.len() > 2, "{parts:?}");
    for part in parts {
        story.press("t");
        let list = browse(&story).tables.value().unwrap();
        assert_eq!(list.only(), Some(part));
        assert!(list.shown() > 0 && list.shown() < all, "{part:?}");
        let wanted = format!("{} of {all}  only {}", list.shown(), part.in_words());
        assert!(drawn(&story).contains(&wanted), "{wanted}\n{}", drawn(&story));
    }
    story.press("t");
    assert_eq!(browse(&story).tables.value().unwrap().shown(), all);
    // Esc drops it before it leaves the pane, and a table that is gone to is never hidden by it.
    story.press("t");
    story.key(crossterm::event::KeyCode::Esc);
    assert_eq!(
        (
            browse(&story).only,
            browse(&story).tables.value().unwrap().shown()
        ),
        (None, all)
    );
    story.press("t").press(":").press("broken").enter();
    assert_eq!((table(&story).as_str(), browse(&story).only), ("broken", None));
}
