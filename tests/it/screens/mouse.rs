//! The mouse, once somebody has asked for it.

use super::back::{browse, table};
use super::draw::buffer;
use super::fixtures::*;
use super::states::build::*;
use glueup::browse::Update as BrowseUpdate;
use glueup::job::{Event, Update};
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::model::{Pane, Screen};
use glueup::tui::msg::{Mouse, Msg};
use glueup::tui::theme::Theme;

/// The cell in which a word begins that stands alone.
fn cell_of(story: &Story, word: &str) -> (u16, u16) {
    let drawn = buffer(&story.model, &Theme::mono(), story.model.size);
    let area = drawn.area;
    for y in 0..area.height {
        let row: Vec<&str> = (0..area.width).map(|x| drawn[(x, y)].symbol()).collect();
        for x in 0..row.len() {
            let found = row[x..].concat();
            let alone = found
                .strip_prefix(word)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
            if alone {
                return (u16::try_from(x).unwrap(), y);
            }
        }
    }
    panic!("no {word}")
}

fn click(story: &mut Story, word: &str) {
    let (x, y) = cell_of(story, word);
    story.msg(Msg::Mouse(Mouse::Click, x, y));
}

#[test]
fn it_is_the_terminals_until_a_key_asks_for_it_and_again_after() {
    let mut story = browse_tables();
    story.press("M");
    assert_eq!(story.effects.last(), Some(&Effect::Mouse(true)));
    assert!(
        story
            .model
            .toast
            .as_ref()
            .unwrap()
            .line
            .contains("The mouse works here now")
    );
    story.press("M");
    assert_eq!(story.effects.last(), Some(&Effect::Mouse(false)));
}

#[test]
fn a_click_chooses_the_row_beneath_it_at_every_size() {
    for size in [(40, 15), (80, 24), (120, 40)] {
        let mut story = browse_tables();
        story.enter().msg(Msg::Resize(size.0, size.1));
        for name in ["staff", "orders_raw", "broken", "orders"] {
            click(&mut story, name);
            assert_eq!(table(&story), name, "{size:?}");
            assert_eq!(browse(&story).pane, Pane::Tables);
        }
        story.press("/").press("r");
        click(&mut story, "orders_raw");
        assert_eq!(
            (table(&story).as_str(), browse(&story).filtering),
            ("orders_raw", false),
            "{size:?}"
        );
    }
    // In the other panes, too: a database is followed, and the schema takes the keys.
    let mut story = browse_tables();
    story.msg(Msg::Resize(120, 40));
    click(&mut story, "weather");
    assert_eq!(browse(&story).pane, Pane::Databases);
    assert_eq!(
        browse(&story).databases.value().unwrap().selected().unwrap().name,
        "weather"
    );
    let mut story = browse_schema();
    story.msg(Msg::Resize(120, 40));
    click(&mut story, "address");
    assert_eq!(browse(&story).pane, Pane::Schema);
}

#[test]
fn in_a_list_that_goes_on_the_row_beneath_the_click_is_meant() {
    let mut story = browse_databases();
    let rows = (0..500)
        .map(|n| super::fixtures::table(&format!("t_{n:03}"), |_| {}))
        .collect();
    story.event(
        Slot::Tables,
        Event::Update(Update::Browse(BrowseUpdate::Tables(rows))),
    );
    story.enter().msg(Msg::Resize(120, 40));
    story.msg(Msg::Mouse(Mouse::Wheel(20), 50, 20));
    assert_eq!(table(&story), "t_060");
    for name in ["t_055", "t_070", "t_062"] {
        click(&mut story, name);
        assert_eq!(table(&story), name);
    }
    story.msg(Msg::Mouse(Mouse::Wheel(-1), 50, 20));
    assert_eq!(table(&story), "t_059");
    // Beneath the rows, on the rule and on the head there is nothing to choose.
    for (x, y) in [(0, 0), (50, 2), (24, 20), (50, 39), (119, 39), (500, 500)] {
        story.msg(Msg::Mouse(Mouse::Click, x, y));
        assert_eq!(table(&story), "t_059", "{x},{y}");
    }
}

#[test]
fn a_click_in_a_list_over_the_browser_takes_the_entry() {
    let mut story = browse_tables();
    story.press("Y");
    click(&mut story, "ARN");
    assert!(browse(&story).menu.is_none());
    assert!(
        matches!(story.effects.last(), Some(Effect::Copy(text)) if text.starts_with("arn:aws:glue:")),
        "{:?}",
        story.effects.last()
    );
}

#[test]
fn what_lies_over_the_screen_keeps_the_mouse_from_it() {
    let mut story = browse_tables();
    story.enter();
    let (before, cell) = (table(&story), cell_of(&story, "staff"));
    story.press("?");
    story.msg(Msg::Mouse(Mouse::Click, cell.0, cell.1));
    let top = story.model.overlay.as_ref().unwrap().scroll;
    story.msg(Msg::Mouse(Mouse::Wheel(1), cell.0, cell.1));
    assert_eq!(table(&story), before);
    assert_eq!(story.model.overlay.as_ref().unwrap().scroll, top + 3);
    // In a form the wheel does not go from field to field.
    let mut story = Story::with(empty());
    story.press("n");
    let field = |story: &Story| match &story.model.screen {
        Screen::Wizard(wizard) => wizard.details.focus,
        other => panic!("{other:?}"),
    };
    let before = field(&story);
    story.msg(Msg::Mouse(Mouse::Wheel(1), 10, 10));
    assert_eq!(field(&story), before);
}
