//! Coming back in the browser asks AWS nothing again.

use super::fixtures::*;
use super::states::build::*;
use crossterm::event::KeyCode;
use glueup::browse::Outcome as Browsed;
use glueup::job::Outcome;
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::model::{Browse, Screen};

pub fn runs(story: &Story, slot: Slot) -> usize {
    let all = story.effects.iter();
    all.filter(|e| matches!(e, Effect::Run(ticket, _) if ticket.slot == slot))
        .count()
}

/// The name of the selected table.
pub fn table(story: &Story) -> String {
    let tables = browse(story).tables.value().unwrap();
    tables.selected().unwrap().name.clone()
}

pub fn browse(story: &Story) -> &Browse {
    match &story.model.screen {
        Screen::Browse(browse) => browse,
        other => panic!("not in the browser: {other:?}"),
    }
}

#[test]
fn a_table_that_was_seen_is_shown_at_once() {
    let mut story = browse_schema();
    let before = runs(&story, Slot::Schema);
    story.key(KeyCode::Esc).key(KeyCode::Down).wait(1);
    assert_eq!(
        runs(&story, Slot::Schema),
        before + 1,
        "the next one is asked for"
    );
    story.key(KeyCode::Up).wait(1);
    assert_eq!(runs(&story, Slot::Schema), before + 1);
    assert_eq!(
        browse(&story).schema_of("orders").unwrap().schema.columns.len(),
        4
    );
    // only on request
    story.tab().press("r");
    assert_eq!(runs(&story, Slot::Schema), before + 2);
}

#[test]
fn a_database_that_was_listed_is_shown_at_once_and_its_refresh_asks_for_all_of_it() {
    let mut story = browse_schema();
    let (tables, schemas) = (runs(&story, Slot::Tables), runs(&story, Slot::Schema));
    story.key(KeyCode::Esc).key(KeyCode::Esc).key(KeyCode::Down);
    assert_eq!(runs(&story, Slot::Tables), tables + 1, "weather");
    story.done(Slot::Tables, Ok(Outcome::Browse(Browsed::Tables { total: 0 })));
    story.key(KeyCode::Up).wait(1);
    assert_eq!(
        (runs(&story, Slot::Tables), runs(&story, Slot::Schema)),
        (tables + 1, schemas)
    );
    assert!(browse(&story).tables.value().unwrap().is_complete());
    story.enter().press("r");
    assert_eq!(runs(&story, Slot::Tables), tables + 2);
}

#[test]
fn a_list_that_was_left_half_way_is_asked_for_again() {
    let mut story = browse_databases();
    let before = runs(&story, Slot::Tables);
    story.key(KeyCode::Down).key(KeyCode::Up);
    assert_eq!(runs(&story, Slot::Tables), before + 2);
}

#[test]
fn the_catalog_that_was_left_is_as_it_was_unless_its_record_has_changed() {
    for changed in [false, true] {
        let mut story = browse_schema();
        story.key(KeyCode::Esc).key(KeyCode::Esc).key(KeyCode::Esc);
        assert!(matches!(story.model.screen, Screen::Home));
        let mut records = in_use();
        if changed {
            records.catalogs[0].catalog.s3_path = "s3://acme-lake/elsewhere".parse().unwrap();
        }
        story.records(records);
        let before = runs(&story, Slot::Databases);
        story.enter().wait(1);
        assert_eq!(runs(&story, Slot::Databases), before + usize::from(changed));
        assert_eq!(browse(&story).schema_of("orders").is_some(), !changed);
    }
}
