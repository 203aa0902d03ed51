//! The menus of the browser: copying in any form, looking for a column, going anywhere.

use super::back::{browse, runs, table};
use super::fixtures::*;
use super::states::build::*;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use glueup::browse::{Outcome as Browsed, Request, Update as BrowseUpdate};
use glueup::job::{Event, Job, Outcome, Update};
use glueup::registry::Bookmark;
use glueup::setup;
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::model::{Pane, Screen};
use glueup::tui::msg::Msg;

fn copied(story: &Story) -> Option<&str> {
    match story.effects.last()? {
        Effect::Copy(text) => Some(text),
        _ => None,
    }
}

/// Copies in the form whose name is narrowed to by these letters.
fn copy_as(letters: &str) -> String {
    let mut story = browse_schema();
    story.press("Y").press(letters).enter();
    assert!(browse(&story).menu.is_none());
    copied(&story).unwrap_or_else(|| panic!("{letters}")).to_owned()
}

#[test]
fn a_table_is_copied_in_any_form() {
    assert_eq!(copy_as("name for spark"), "`Lake House`.sales.orders");
    assert_eq!(copy_as("name for trino"), "\"Lake House\".sales.orders");
    // Athena has no catalog of that name.
    assert_eq!(copy_as("for athena ddl"), "sales.orders");
    assert_eq!(
        copy_as("arn"),
        "arn:aws:glue:us-west-2:012345678901:table/sales/orders"
    );
    assert_eq!(copy_as("location"), "s3://acme-lake/warehouse/sales.db/orders");
    assert!(copy_as("create table for trino").contains("WITH (\n  format = 'PARQUET'"));
    assert!(copy_as("arrow").starts_with("{\n  \"fields\""));
    assert!(copy_as("schema (json)").contains("\"snapshots\""));
    assert_eq!(copy_as("column names"), "id, ts, address, tags");
}

#[test]
fn a_database_has_names_and_no_columns() {
    let mut story = browse_databases();
    story.press("Y");
    let menu = browse(&story).menu.as_ref().unwrap();
    let labels: Vec<_> = (0..menu.list.len())
        .map(|at| menu.list.row(at).unwrap().label.clone())
        .collect();
    assert!(
        labels.contains(&"ARN".to_owned()) && !labels.iter().any(|label| label.contains("CREATE")),
        "{labels:?}"
    );
    story.press("arn").enter();
    assert_eq!(
        copied(&story),
        Some("arn:aws:glue:us-west-2:012345678901:database/sales")
    );
}

#[test]
fn a_column_that_was_looked_for_is_copied_and_another_table_has_none() {
    let mut story = browse_schema();
    story.press("/").press("geo.lat").enter();
    assert_eq!(browse(&story).pane, Pane::Schema);
    story.press("y");
    assert_eq!(copied(&story), Some("address.geo.lat"));
    story.key(KeyCode::Esc).press("y");
    assert_eq!(copied(&story), Some("`Lake House`.sales.orders"));
    // What is typed and fits nowhere stays to be mended.
    story.tab().press("/").press("no such column").enter();
    assert_eq!(
        browse(&story).menu.as_ref().unwrap().field.text(),
        "no such column"
    );
    story.key(KeyCode::Esc);
    assert!(browse(&story).menu.is_none());
}

#[test]
fn one_goes_to_a_listed_table_without_asking_and_to_any_other_by_its_name() {
    let mut story = browse_schema();
    let before = runs(&story, Slot::Tables);
    story.press(":").press("orders_raw").enter();
    assert_eq!(
        (table(&story).as_str(), runs(&story, Slot::Tables)),
        ("orders_raw", before)
    );
    story.press(":").press("weather.stations").enter();
    assert_eq!(runs(&story, Slot::Tables), before + 1);
    assert_eq!(browse(&story).open_database.as_deref(), Some("weather"));
    let rows = ["readings", "stations"]
        .map(|name| super::fixtures::table(name, iceberg))
        .into();
    story.event(
        Slot::Tables,
        Event::Update(Update::Browse(BrowseUpdate::Tables(rows))),
    );
    assert_eq!(table(&story), "stations");
    story.done(Slot::Tables, Ok(Outcome::Browse(Browsed::Tables { total: 2 })));
    // Glue has all names in lower case, whoever types them.
    story
        .press(":")
        .press("Weather.READINGS x")
        .key(KeyCode::Backspace)
        .key(KeyCode::Backspace)
        .enter();
    assert_eq!(table(&story), "readings");
    story.press(":").press("weather.none").enter();
    assert!(
        story
            .model
            .log
            .back()
            .unwrap()
            .1
            .contains("weather has no table none")
    );
}

#[test]
fn a_database_that_nobody_has_listed_is_asked_for_all_the_same() {
    let mut story = browse_schema();
    let before = runs(&story, Slot::Tables);
    story.press(":").press("nowhere.none").enter();
    assert_eq!(runs(&story, Slot::Tables), before + 1);
    assert_eq!(browse(&story).open_database.as_deref(), Some("nowhere"));
    let said = &story.model.log.back().unwrap().1;
    assert!(
        said.contains("nowhere is not among the databases listed"),
        "{said}"
    );
    // Nor may everybody list them.
    let mut story = browse_started();
    story.press(":").press("\"my db\".`t.1`").enter();
    story.done(Slot::Databases, Err(denied()));
    assert_eq!(browse(&story).open_database.as_deref(), Some("my db"));
    let rows = [super::fixtures::table("t.1", iceberg)].into();
    story.event(
        Slot::Tables,
        Event::Update(Update::Browse(BrowseUpdate::Tables(rows))),
    );
    assert_eq!(table(&story), "t.1");
}

#[test]
fn of_a_part_that_no_query_names_the_column_that_holds_it_is_copied() {
    let mut story = browse_schema();
    story.press("/").press("tags.element").enter().press("y");
    match story.effects.last() {
        Some(Effect::CopyInstead(text, why)) => {
            assert_eq!(text, "tags");
            assert!(why.starts_with("tags.element is a part of a list"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_way_back_from_connecting_a_prefix_leads_to_the_list_of_them() {
    let mut story = browse_schema();
    story.press("c");
    story.done(
        Slot::Census,
        Ok(Outcome::Browse(Browsed::Census(Box::new(census())))),
    );
    let body = &story.model.overlay.as_ref().unwrap().body;
    assert!(body.contains("warehouse/  connected: Lake House"), "{body}");
    story.press("a").press("acme").enter();
    assert!(matches!(story.model.screen, Screen::Wizard(_)));
    let before = runs(&story, Slot::Tables);
    story.key(KeyCode::Esc);
    let menu = browse(&story).menu.as_ref().unwrap();
    let first = menu.list.row(0).unwrap();
    assert!(first.detail.contains("; connected: Lake House"), "{first:?}");
    assert_eq!(runs(&story, Slot::Tables), before, "nothing is listed again");
    // Nobody has typed a word: nothing is left half-filled, to be opened at the next start.
    let kept = |effect: &Effect| matches!(effect, Effect::Run(_, job) if matches!(**job, Job::Setup(setup::Request::SaveDraft(_))));
    assert!(!story.effects.iter().any(kept), "{:?}", story.effects);
    story.key(KeyCode::Esc);
    assert_eq!(table(&story), "orders");
}

#[test]
fn what_is_too_long_for_the_clipboard_leads_to_a_file() {
    let mut story = browse_schema();
    if let Screen::Browse(browse) = &mut story.model.screen {
        let columns = &mut browse.schema.value_mut().unwrap().schema.columns;
        columns[0].doc = Some("x".repeat(80_000));
    }
    story.press("Y").press("create table for spark").enter();
    assert_eq!(copied(&story), None);
    let said = &story.model.log.back().unwrap().1;
    assert!(
        said.ends_with("glueup schema '`Lake House`.sales.orders' --as spark > FILE")
            || said.ends_with("glueup schema 'Lake House.sales.orders' --as spark > FILE"),
        "{said}"
    );
    assert!(said.contains("and terminals take 74,994"), "{said}");
}

#[test]
fn whoever_chooses_at_once_chooses_among_all_of_a_long_list() {
    let mut story = browse_schema();
    if let Screen::Browse(browse) = &mut story.model.screen {
        let columns = &mut browse.schema.value_mut().unwrap().schema.columns;
        *columns = (0..9_500)
            .map(|n| column(&format!("c{n}"), "int", false, vec![]))
            .collect();
    }
    // The list is looked through bit by bit, and no time has passed for the last of it.
    story.press("/").press("c9499").enter();
    let view = browse(&story).schema.value().unwrap();
    assert_eq!(view.found.as_deref(), Some("c9499"));
}

#[test]
fn one_goes_where_one_wants_before_anything_is_listed() {
    let mut story = browse_started();
    story.press(":").press("weather.stations").enter();
    assert!(
        story
            .model
            .log
            .back()
            .unwrap()
            .1
            .contains("as soon as the databases are listed")
    );
    let rows = ["sales", "weather"].map(database).into();
    story.event(
        Slot::Databases,
        Event::Update(Update::Browse(BrowseUpdate::Databases(rows))),
    );
    story.done(
        Slot::Databases,
        Ok(Outcome::Browse(Browsed::Databases { total: 2 })),
    );
    assert_eq!(browse(&story).open_database.as_deref(), Some("weather"));
    let rows = ["readings", "stations"]
        .map(|name| super::fixtures::table(name, iceberg))
        .into();
    story.event(
        Slot::Tables,
        Event::Update(Update::Browse(BrowseUpdate::Tables(rows))),
    );
    assert_eq!(table(&story), "stations");
}

#[test]
fn a_bookmark_stands_first_among_the_places_until_it_is_taken_away() {
    let mut story = browse_schema();
    story.key(KeyCode::Esc).key(KeyCode::Down).press("m");
    let mark = Bookmark {
        catalog: "Lake House".parse().unwrap(),
        database: "sales".into(),
        table: Some("orders_raw".into()),
    };
    let Some(Effect::Run(_, job)) = story.effects.last() else {
        panic!("{:?}", story.effects.last())
    };
    assert_eq!(**job, Job::Setup(setup::Request::TurnBookmark(mark.clone())));
    let kept = |marks: Vec<Bookmark>| Ok(Outcome::Setup(setup::Outcome::Bookmarks(marks)));
    story.done(Slot::Bookmarks, kept(vec![mark]));
    assert_eq!(
        story.model.log.back().unwrap().1,
        "Bookmark set on sales.orders_raw."
    );
    story.press(":");
    let first = |story: &Story| {
        let entry = browse(story).menu.as_ref().unwrap().list.row(0).unwrap();
        (entry.label.clone(), entry.detail.clone())
    };
    assert_eq!(first(&story), ("sales.orders_raw".into(), "bookmark".into()));
    story.key(KeyCode::Esc).press("m");
    story.done(Slot::Bookmarks, kept(vec![]));
    assert_eq!(
        story.model.log.back().unwrap().1,
        "No bookmark on sales.orders_raw any more."
    );
    story.press(":");
    assert_eq!(first(&story).1, "looked at before");
}

#[test]
fn the_way_back_leads_through_the_databases() {
    let mut story = browse_schema();
    story.key(KeyCode::Esc).key(KeyCode::Down).wait(1);
    assert_eq!(table(&story), "orders_raw");
    story.press("[");
    assert_eq!(table(&story), "orders");
    story.press("[");
    assert!(story.model.log.back().unwrap().1.contains("no table before"));
    story.msg(Msg::Key(KeyEvent::new(KeyCode::Right, KeyModifiers::ALT)));
    assert_eq!(table(&story), "orders_raw");
}

#[test]
fn where_no_browser_can_be_opened_the_link_stands_alone() {
    let mut story = browse_schema();
    story.model.surroundings.demo = false;
    story.model.surroundings.no_browser = Some("over SSH".into());
    story.press("o");
    let overlay = story.model.overlay.as_ref().unwrap();
    assert!(
        overlay
            .body
            .starts_with("https://us-west-2.console.aws.amazon.com/glue/home"),
        "{overlay:?}"
    );
    assert_eq!(overlay.copy.as_deref(), Some(overlay.body.as_str()));
}

#[test]
fn what_is_not_listed_yet_is_gone_to_when_it_is_and_nothing_is_copied_meanwhile() {
    let mut story = browse_databases();
    story.press(":").press("sales.far").enter();
    assert_eq!(
        story.model.log.back().unwrap().1,
        "Going to far as soon as it is listed."
    );
    story.press("y");
    assert_eq!(
        story.model.log.back().unwrap().1,
        "Nothing is selected that could be copied."
    );
    story.press(":").press("orders").enter();
    let said = &story.model.log.back().unwrap().1;
    assert!(
        said.contains("A table has a whole name, database.table"),
        "{said}"
    );
}

#[test]
fn the_console_is_that_of_the_partition() {
    let mut story = browse_schema();
    story.press("o");
    assert!(story.model.log.back().unwrap().1.contains("demo's console"));
    story.model.surroundings.demo = false;
    story.press("o");
    let Some(Effect::OpenBrowser(url)) = story.effects.last() else {
        panic!("{:?}", story.effects.last())
    };
    assert_eq!(
        url,
        "https://us-west-2.console.aws.amazon.com/glue/home?region=us-west-2#/v2/data-catalog/tables/view/orders?database=sales&catalogId=012345678901"
    );
}

#[test]
fn with_ones_own_rights_one_looks_before_anything_is_on_record_and_connects_what_was_found() {
    let mut story = Story::with(empty());
    story.press("B");
    assert_eq!(browse(&story).catalog.as_str(), "AwsDataCatalog");
    let asked: Vec<_> = story
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Run(_, job) => match job.as_ref() {
                Job::Browse(Request::Databases { catalog, as_caller }) => {
                    Some((catalog.to_string(), *as_caller))
                }
                _ => None,
            },
            _ => None,
        })
        .collect();
    assert_eq!(asked, [("AwsDataCatalog".to_owned(), true)]);
    // The census comes first, since it tells where the files lie.
    story.press("a");
    assert!(story.model.log.back().unwrap().1.contains("Counting first"));
    story.done(
        Slot::Census,
        Ok(Outcome::Browse(Browsed::Census(Box::new(census())))),
    );
    story.press("c").press("a").press("acme").enter();
    let Screen::Wizard(wizard) = &story.model.screen else {
        panic!("{:?}", story.model.screen)
    };
    assert_eq!(wizard.details.s3_path.text(), "s3://acme-lake/warehouse/");
    assert_eq!(wizard.details.region.text(), "us-west-2");
}
