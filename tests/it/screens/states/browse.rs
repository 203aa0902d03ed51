//! The browser in each of its states.

use super::State;
use super::build::*;
use crate::screens::fixtures::*;
use crossterm::event::KeyCode;
use glueup::browse::{Outcome as Browsed, Update as BrowseUpdate};
use glueup::domain::kind::TableKind;
use glueup::domain::schema::{Schema, Source};
use glueup::job::{Event, Outcome, Update};
use glueup::tui::effect::Slot;

pub const STATES: &[State] = &[
    ("browse loading", || {
        let mut story = browse_started();
        story.wait(2);
        story
    }),
    ("browse denied", || {
        let mut story = browse_started();
        story.done(Slot::Databases, Err(denied()));
        story
    }),
    ("browse without databases", || {
        let mut story = browse_started();
        story.done(
            Slot::Databases,
            Ok(Outcome::Browse(Browsed::Databases { total: 0 })),
        );
        story
    }),
    ("browse tables", browse_tables),
    ("browse an empty database", || {
        let mut story = browse_databases();
        story.done(Slot::Tables, Ok(Outcome::Browse(Browsed::Tables { total: 0 })));
        story
    }),
    ("browse a schema", browse_schema),
    ("browse a whole table", || {
        let mut story = browse_schema();
        story.press("z");
        story
    }),
    ("browse a table and its data file", || {
        let mut story = browse_a_schema_of(with_file());
        story.press("f");
        story
    }),
    ("browse a table whose data file is being read", || {
        let mut story = browse_schema();
        story.press("f");
        story
    }),
    ("browse a table without a data file", || {
        let mut story = browse_schema();
        story.press("f");
        let outcome = Browsed::Schema {
            schema: Box::new(schema(Source::Iceberg)),
            metadata_problem: None,
            file_problem: Some(Box::new(denied())),
        };
        story.done(Slot::Schema, Ok(Outcome::Browse(outcome)));
        story
    }),
    ("browse the forms to copy in", || {
        let mut story = browse_schema();
        story.press("Y");
        story
    }),
    ("browse the columns to look for", || {
        let mut story = browse_schema();
        story.press("/").press("la");
        story
    }),
    ("browse a column that was found", || {
        let mut story = browse_schema();
        story.press("/").press("lat").enter();
        story
    }),
    ("browse the places to go to", || {
        let mut story = browse_schema();
        story.press(":").press("or");
        story
    }),
    ("browse the prefixes to connect", || {
        let mut story = browse_schema();
        story.press("c");
        let census = Box::new(census());
        story.done(Slot::Census, Ok(Outcome::Browse(Browsed::Census(census))));
        story.press("a");
        story
    }),
    ("browse with own rights", || {
        let mut story = Story::with(empty());
        story.press("B").wait(2);
        story
    }),
    ("browse the lens", || {
        let mut story = browse_schema();
        story.press("e");
        story
    }),
    ("browse the lens of an odd table", || {
        let mut story = browse_a_schema_of(odd_schema());
        story.press("e");
        story
    }),
    ("browse the census", || {
        let mut story = browse_schema();
        story.press("c");
        let census = Box::new(census());
        story.done(Slot::Census, Ok(Outcome::Browse(Browsed::Census(census))));
        story
    }),
    ("browse the census while it counts", || {
        let mut story = browse_schema();
        story.press("c");
        let update = Update::Browse(BrowseUpdate::Counting(Box::new(census())));
        story.event(Slot::Census, Event::Update(update));
        story.wait(3);
        story
    }),
    ("browse a table whose schema has not come", || {
        let mut story = browse_tables();
        story.enter().key(KeyCode::Down).press("z");
        story
    }),
    ("browse an odd schema", || browse_a_schema_of(odd_schema())),
    ("browse a schema that cannot be read", || {
        let mut story = browse_tables();
        story.enter().wait(1);
        let outcome = Browsed::Schema {
            schema: Box::new(schema(Source::Glue)),
            metadata_problem: Some(Box::new(denied())),
            file_problem: None,
        };
        story.done(Slot::Schema, Ok(Outcome::Browse(outcome)));
        story.tab();
        story
    }),
    ("browse a schema that failed", || {
        let mut story = browse_tables();
        story.enter().wait(1);
        story.done(Slot::Schema, Err(denied()));
        story
    }),
    ("browse filtered", || {
        let mut story = browse_tables();
        story.enter().press("/ord");
        story
    }),
    ("browse stale", || {
        let mut story = browse_tables();
        story.enter().press("r").done(Slot::Tables, Err(denied()));
        story
    }),
    ("browse while pages stream in", || {
        let mut story = browse_databases();
        let rows = (0..300)
            .map(|n| table(&format!("orders_{n:03}"), iceberg))
            .collect();
        let update = Update::Browse(BrowseUpdate::Tables(rows));
        story.event(Slot::Tables, Event::Update(update)).wait(2);
        story
    }),
    ("browse a schema on its way", || {
        let mut story = browse_tables();
        story.enter().wait(1).wait(3);
        story
    }),
    ("browse one kind alone", || {
        let mut story = browse_tables();
        story.enter().press("t");
        story
    }),
    ("browse a name given in whole", || {
        let mut story = browse_tables();
        story.press(":").press("sales.ord").key(KeyCode::Up);
        story
    }),
    ("browse a link whose target is denied", || {
        let mut story = browse_tables();
        story.enter().press("G").wait(1);
        let outcome = Browsed::Schema {
            schema: Box::new(Schema::bare(TableKind::ResourceLink, Source::Glue)),
            metadata_problem: Some(Box::new(denied())),
            file_problem: None,
        };
        story.done(Slot::Schema, Ok(Outcome::Browse(outcome)));
        story
    }),
    ("browse nothing matches", || {
        let mut story = browse_tables();
        story.enter().press("/zzz");
        story
    }),
];
