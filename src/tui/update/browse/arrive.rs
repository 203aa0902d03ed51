//! What comes in: pages of lists, schemas, and the time at which the next schema is due.

use crate::browse::{self as room, Request};
use crate::domain::fqn::Fqn;
use crate::domain::problem::{Kind, Problem};
use crate::domain::text::scrub;
use crate::job::{Job, Outcome};
use crate::tui::effect::{Effect, Slot};
use crate::tui::model::{Browse, Listing, Model, Named, Pane, PendingSchema, Place, Remote, SchemaView};
use crate::tui::update::browse::{go, state};
use crate::tui::update::overlay;
use std::time::Duration;

/// The schema is fetched when the pointer has rested this long: a held-down arrow fetches nothing on its way.
const REST: Duration = Duration::from_millis(120);

pub(super) fn list_databases(model: &mut Model) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    browse.databases.load(since);
    let (catalog, as_caller) = (browse.catalog.clone(), browse.as_caller);
    vec![model.slots.run(
        Slot::Databases,
        Job::Browse(Request::Databases { catalog, as_caller }),
    )]
}

pub(super) fn list_tables(model: &mut Model, database: String) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let is_other = browse.open_database.as_deref() != Some(&database);
    if is_other {
        browse.put_list_away();
        browse.tables = Remote::Idle;
        browse.schema = Remote::Idle;
        browse.pending = None;
        browse.wanted = None;
        browse.filter = browse.filter.take().filter(|(pane, _)| *pane == Pane::Databases);
        browse.filtering &= browse.filter.is_some();
    }
    browse.open_database = Some(database.clone());
    let kept = browse.kept.take_list(&database).filter(|_| is_other);
    if let Some((list, at)) = kept {
        browse.tables.ready(list, at);
        browse.apply_filter();
        rest(model);
        return vec![model.slots.cancel(Slot::Schema), model.slots.cancel(Slot::Tables)];
    }
    browse.kept.forget(&database);
    browse.tables.load(since);
    let (catalog, as_caller) = (browse.catalog.clone(), browse.as_caller);
    vec![
        model.slots.cancel(Slot::Schema),
        model.slots.run(
            Slot::Tables,
            Job::Browse(Request::Tables {
                catalog,
                database,
                as_caller,
            }),
        ),
    ]
}

/// Counts the catalog, unless it is being counted; what was counted before stays in sight meanwhile.
pub(super) fn count(model: &mut Model) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    if browse.census.loading_since().is_some() {
        return Vec::new();
    }
    browse.census.load(since);
    let (catalog, as_caller) = (browse.catalog.clone(), browse.as_caller);
    let request = Request::Census {
        catalog,
        which: room::Which::default(),
        rows: false,
        as_caller,
    };
    vec![model.slots.run(Slot::Census, Job::Browse(request))]
}

/// A page, or the Glue half of a schema, has come.
pub fn told(model: &mut Model, update: room::Update) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    match update {
        room::Update::Databases(rows) => {
            stream(&mut browse.databases, rows, since);
            // The filter may be older than the list.
            browse.apply_filter();
            Vec::new()
        }
        room::Update::Tables(rows) => {
            stream(&mut browse.tables, rows, since);
            browse.apply_filter();
            go::settle(model);
            rest(model);
            Vec::new()
        }
        // The panes list the rows of one database: bare names and all tables are asked for by the command line only.
        room::Update::Names(_) | room::Update::TablesOf { .. } | room::Update::NamesOf { .. } => Vec::new(),
        room::Update::Unreadable { database, problem } => {
            model.say(format!("{} cannot be read: {}", scrub(&database), problem.what));
            Vec::new()
        }
        room::Update::Counting(census) => {
            browse.census.part(*census, since);
            overlay::refresh(model);
            Vec::new()
        }
        // Only a file has every table of a catalog in it.
        room::Update::Counted { .. } => Vec::new(),
        room::Update::GlueSchema(schema) => {
            // What is known of the same table is more than that: it stays until the rest has come, too.
            let known = browse.schema.value().map(|view| &view.table);
            if let Some(table) = browse.schema_asked.clone().filter(|table| Some(table) != known) {
                let view = SchemaView {
                    table,
                    schema,
                    metadata_problem: None,
                    file_problem: None,
                    scroll: 0,
                    found: None,
                    hits: Vec::new(),
                };
                browse.schema.part(view, since);
            }
            Vec::new()
        }
    }
}

/// A page is taken in. A refresh shows the old rows until it is complete.
fn stream<T: Named>(remote: &mut Remote<Listing<T>>, rows: Vec<T>, now: Duration) {
    if let Some(listing) = remote.value_mut() {
        return listing.page(rows);
    }
    let mut listing = Listing::default();
    listing.page(rows);
    remote.part(listing, now);
}

/// A listing or a schema has ended.
pub fn ended(model: &mut Model, slot: Slot, result: Result<Outcome, Problem>) -> Vec<Effect> {
    let at = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    match (slot, result) {
        (Slot::Databases, Ok(_)) => {
            finish(&mut browse.databases, at);
            match browse.bound_for.take() {
                Some(place) => go::go(model, place),
                None => follow(model),
            }
        }
        (Slot::Tables, Ok(_)) => {
            finish(&mut browse.tables, at);
            go::settle(model);
            rest(model);
            Vec::new()
        }
        (
            _,
            Ok(Outcome::Browse(room::Outcome::Schema {
                schema,
                metadata_problem,
                file_problem,
            })),
        ) => {
            if let Some(table) = browse.schema_asked.clone() {
                let before = browse.schema.value();
                let before = before.map(|v| (v.scroll, v.found.clone(), v.hits.clone()));
                let (scroll, found, hits) = before.unwrap_or_default();
                let view = SchemaView {
                    table,
                    schema,
                    metadata_problem,
                    file_problem,
                    scroll,
                    found,
                    hits,
                };
                if let Some(database) = &browse.open_database {
                    browse.kept.put_schema(database, &view, at);
                }
                browse.schema.ready(view, at);
            }
            Vec::new()
        }
        (_, Ok(Outcome::Browse(room::Outcome::Census(census)))) => {
            browse.census.ready(*census, at);
            Vec::new()
        }
        (_, Ok(_)) => Vec::new(),
        (_, Err(problem)) if problem.kind == Kind::Interrupted => Vec::new(),
        (Slot::Databases, Err(problem)) => {
            browse.databases.fail(problem);
            // Who may not list them may still read the one that was asked for.
            match browse.bound_for.take() {
                Some(place) => go::go(model, place),
                None => Vec::new(),
            }
        }
        (Slot::Tables, Err(problem)) => {
            browse.tables.fail(problem);
            Vec::new()
        }
        (Slot::Census, Err(problem)) => {
            browse.census.fail(problem);
            Vec::new()
        }
        (_, Err(problem)) => {
            browse.schema.fail(problem);
            Vec::new()
        }
    }
}

fn finish<T: Named>(remote: &mut Remote<Listing<T>>, at: Duration) {
    // A listing that ends without a single page is really empty.
    let mut listing = remote.take().unwrap_or_default();
    listing.finish();
    remote.ready(listing, at);
}

/// The tables of the database under the pointer.
pub(super) fn follow(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let name = browse
        .databases
        .value()
        .and_then(Listing::selected)
        .map(|row| row.name.clone());
    match name {
        Some(name) if browse.open_database.as_ref() != Some(&name) => list_tables(model, name),
        _ => Vec::new(),
    }
}

/// The name of the table under the pointer.
pub fn table_under_pointer(browse: &Browse) -> Option<String> {
    browse
        .tables
        .value()
        .and_then(Listing::selected)
        .map(|row| row.name.clone())
}

/// The pointer has come to a row: its schema is due when it rests there.
pub(super) fn rest(model: &mut Model) {
    let due = model.now.since_start + REST;
    let Some(browse) = state(model) else { return };
    let table = table_under_pointer(browse);
    let shown = browse.schema.value().map(|view| view.table.clone());
    browse.pending = match table {
        Some(table) if Some(&table) == shown.as_ref() => None,
        Some(table) if browse.pending.as_ref().is_some_and(|p| p.table == table) => browse.pending.take(),
        Some(table) => Some(PendingSchema { table, due }),
        None => None,
    };
}

/// Time has passed: a filter goes on through a long list, and the pointer may have rested long enough.
pub fn tick(model: &mut Model) -> Vec<Effect> {
    let now = model.now.since_start;
    if state(model).is_some_and(Browse::sift) {
        rest(model);
    }
    // Its clock runs.
    if state(model).is_some_and(|browse| browse.census.loading_since().is_some()) {
        overlay::refresh(model);
    }
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    if browse.pending.as_ref().is_none_or(|p| p.due > now) {
        return Vec::new();
    }
    let Some(pending) = browse.pending.take() else {
        return Vec::new();
    };
    fetch(model, pending.table, Fetch::Unseen)
}

/// How a table's schema is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fetch {
    /// Unless it has been seen.
    Unseen,
    /// Also when it has.
    Anew,
    /// Unless it has been seen together with one of its data files.
    WithFile,
}

/// Asks for a table's schema.
pub(super) fn fetch(model: &mut Model, table: String, how: Fetch) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let Some(database) = browse.open_database.clone() else {
        return Vec::new();
    };
    // Another table's columns must not stand under this one's name while it loads.
    if browse.schema.value().is_some_and(|view| view.table != table) {
        browse.schema.take();
    }
    browse.schema_asked = Some(table.clone());
    browse.trail.come(Place {
        database: database.clone(),
        table: Some(table.clone()),
    });
    let kept = browse
        .kept
        .schema(&database, &table)
        .filter(|(view, _)| match how {
            Fetch::Unseen => true,
            Fetch::Anew => false,
            Fetch::WithFile => view.schema.file.is_some(),
        });
    if let Some((view, at)) = kept {
        browse.schema.ready(view, at);
        overlay::refresh(model);
        return vec![model.slots.cancel(Slot::Schema)];
    }
    browse.schema.load(since);
    let (fqn, as_caller) = (
        Fqn::table(browse.catalog.clone(), database, table),
        browse.as_caller,
    );
    let request = Request::Schema {
        fqn,
        file: how == Fetch::WithFile,
        as_caller,
    };
    vec![model.slots.run(Slot::Schema, Job::Browse(request))]
}
