//! The menu of places: names that nobody has listed.

use super::back::browse;
use super::fixtures::Story;
use super::states::build::*;
use crossterm::event::KeyCode;

#[test]
fn a_table_that_was_named_in_whole_is_a_key_away_from_what_resembles_it() {
    let mut story = browse_tables();
    // `orders` and `orders_raw` are listed, and this one is not yet.
    story.press(":").press("sales.order");
    let menu = browse(&story).menu.as_ref().unwrap();
    assert!(menu.list.shown() > 0 && menu.marked_name().is_none());
    let drawn = super::draw::text(&super::draw::buffer(
        &story.model,
        &glueup::tui::theme::Theme::mono(),
        (80, 24),
    ));
    assert!(drawn.contains("sales.order  as typed"), "{drawn}");
    story.key(KeyCode::Up);
    assert!(browse(&story).menu.as_ref().unwrap().marked_name().is_some());
    story.key(KeyCode::Down);
    assert!(browse(&story).menu.as_ref().unwrap().marked_name().is_none());
    story.key(KeyCode::Up).enter();
    let said = &story.model.toast.as_ref().unwrap().line;
    assert!(said.contains("no table order that"), "{said}");
    // Who names one that is listed is offered nothing else.
    story.press(":").press("sales.orders");
    assert_eq!(browse(&story).menu.as_ref().unwrap().named, None);
}

#[test]
fn what_fits_best_is_marked_wherever_the_mark_was() {
    let mut story = browse_tables();
    // One has been at `orders_raw`, and it stands first as long as nothing is typed.
    story.enter().press("j").enter();
    story.press(":");
    let menu = |story: &Story| {
        let menu = browse(story).menu.as_ref().unwrap();
        menu.list.selected().unwrap().label.clone()
    };
    story.press("sales.orders");
    assert_eq!(menu(&story), "sales.orders");
    // Who moves the mark has meant it.
    story.key(KeyCode::Down).press("_");
    assert_eq!(menu(&story), "sales.orders_raw");
}
