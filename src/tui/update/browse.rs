//! The browser: lists stream in, the selection follows the name, the schema follows the pointer where it rests.

use crate::browse::{self as room, Request};
use crate::domain::fqn::Fqn;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::{self, Dialect};
use crate::job::{Job, Outcome};
use crate::setup::CatalogRow;
use crate::tui::effect::{Effect, Slot};
use crate::tui::field::Field;
use crate::tui::keymap::Action;
use crate::tui::model::{Browse, Listing, Model, Named, Pane, PendingSchema, Remote, SchemaView, Screen};
use crate::tui::update::{go_home, overlay};
use crossterm::event::KeyEvent;
use std::time::Duration;

/// The schema is fetched when the pointer has rested this long: a held-down arrow fetches nothing on its way.
const REST: Duration = Duration::from_millis(120);

fn state(model: &mut Model) -> Option<&mut Browse> {
    match &mut model.screen {
        Screen::Browse(browse) => Some(browse),
        _ => None,
    }
}

/// Opens the browser of a catalog.
pub fn open(model: &mut Model, row: CatalogRow) -> Vec<Effect> {
    if !matches!(
        row.stage,
        crate::registry::Stage::Verify | crate::registry::Stage::Ready
    ) {
        model.say("Its stacks are not made yet: Enter goes on with them.");
        return Vec::new();
    }
    model.screen = Screen::Browse(Box::new(Browse::new(row.catalog.name)));
    list_databases(model)
}

fn list_databases(model: &mut Model) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    browse.databases.load(since);
    let catalog = browse.catalog.clone();
    vec![model.slots.run(
        Slot::Databases,
        Job::Browse(Request::Databases {
            catalog,
            as_caller: false,
        }),
    )]
}

fn list_tables(model: &mut Model, database: String) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    if browse.open_database.as_deref() != Some(&database) {
        browse.tables = Remote::Idle;
        browse.schema = Remote::Idle;
        browse.pending = None;
        browse.filter = browse.filter.take().filter(|(pane, _)| *pane == Pane::Databases);
        browse.filtering &= browse.filter.is_some();
    }
    browse.open_database = Some(database.clone());
    browse.tables.load(since);
    let catalog = browse.catalog.clone();
    vec![
        model.slots.cancel(Slot::Schema),
        model.slots.run(
            Slot::Tables,
            Job::Browse(Request::Tables {
                catalog,
                database,
                as_caller: false,
            }),
        ),
    ]
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
            Vec::new()
        }
        room::Update::Tables(rows) => {
            stream(&mut browse.tables, rows, since);
            rest(model);
            Vec::new()
        }
        room::Update::GlueSchema(schema) => {
            if let Some(table) = browse.schema_of.clone() {
                let view = SchemaView {
                    table,
                    schema,
                    metadata_problem: None,
                    scroll: 0,
                };
                browse.schema = Remote::Loading {
                    since,
                    previous: Some(view),
                };
            }
            Vec::new()
        }
    }
}

/// A page is taken in. A refresh shows the old rows until it is complete.
fn stream<T: Named>(remote: &mut Remote<Listing<T>>, rows: Vec<T>, since: Duration) {
    let mut listing = remote.take().unwrap_or_default();
    listing.page(rows);
    *remote = Remote::Loading {
        since,
        previous: Some(listing),
    };
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
            follow(model)
        }
        (Slot::Tables, Ok(_)) => {
            finish(&mut browse.tables, at);
            rest(model);
            Vec::new()
        }
        (
            _,
            Ok(Outcome::Browse(room::Outcome::Schema {
                schema,
                metadata_problem,
            })),
        ) => {
            if let Some(table) = browse.schema_of.clone() {
                let scroll = browse.schema.value().map(|v| v.scroll).unwrap_or_default();
                browse.schema.ready(
                    SchemaView {
                        table,
                        schema,
                        metadata_problem,
                        scroll,
                    },
                    at,
                );
            }
            Vec::new()
        }
        (_, Ok(_)) => Vec::new(),
        (_, Err(problem)) if problem.kind == Kind::Interrupted => Vec::new(),
        (Slot::Databases, Err(problem)) => {
            browse.databases.fail(problem);
            Vec::new()
        }
        (Slot::Tables, Err(problem)) => {
            browse.tables.fail(problem);
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
fn follow(model: &mut Model) -> Vec<Effect> {
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
fn rest(model: &mut Model) {
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

/// Time has passed: the pointer has rested long enough.
pub fn tick(model: &mut Model) -> Vec<Effect> {
    let now = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    if browse.pending.as_ref().is_none_or(|p| p.due > now) {
        return Vec::new();
    }
    let Some(pending) = browse.pending.take() else {
        return Vec::new();
    };
    fetch(model, pending.table)
}

fn fetch(model: &mut Model, table: String) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let Some(database) = browse.open_database.clone() else {
        return Vec::new();
    };
    // Another table's columns must not stand under this one's name while it loads.
    browse.schema = match browse.schema.take() {
        Some(view) if view.table == table => Remote::Loading {
            since,
            previous: Some(view),
        },
        _ => Remote::Loading {
            since,
            previous: None,
        },
    };
    browse.schema_of = Some(table.clone());
    let fqn = Fqn::table(browse.catalog.clone(), database, table);
    vec![model.slots.run(
        Slot::Schema,
        Job::Browse(Request::Schema {
            fqn,
            as_caller: false,
        }),
    )]
}

/// A key for the filter.
pub fn typed(model: &mut Model, event: KeyEvent) {
    let Some(browse) = state(model) else { return };
    if browse.filtering
        && let Some((_, field)) = &mut browse.filter
    {
        field.key(event);
        browse.apply_filter();
    }
    rest(model);
}

/// A paste into the filter.
pub fn paste(model: &mut Model, text: &str) -> Option<String> {
    let browse = state(model)?;
    let (_, field) = browse.filter.as_mut().filter(|_| browse.filtering)?;
    let told = field.paste(text);
    browse.apply_filter();
    rest(model);
    told
}

/// A key of the browser.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Down => step(model, 1),
        Action::Up => step(model, -1),
        Action::PageDown => page(model, 1),
        Action::PageUp => page(model, -1),
        Action::Top => step(model, isize::MIN),
        Action::Bottom => step(model, isize::MAX),
        Action::Open => go_in(model),
        Action::Back => go_out(model),
        Action::NextPane => turn(model, 1),
        Action::PreviousPane => turn(model, -1),
        Action::Find => find(model),
        Action::Accept => {
            if let Some(browse) = state(model) {
                browse.filtering = false;
            }
            follow(model)
        }
        Action::Clear => clear(model),
        Action::Refresh => refresh(model),
        Action::Copy => copy(model),
        Action::Zoom => {
            overlay::browse(model);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

fn page(model: &mut Model, by: isize) -> Vec<Effect> {
    let rows = isize::try_from(model.size.1.saturating_sub(6).max(1)).unwrap_or(1);
    step(model, by.saturating_mul(rows))
}

fn step(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    match browse.pane {
        Pane::Databases => {
            if let Some(list) = browse.databases.value_mut() {
                list.move_by(by);
            }
            follow(model)
        }
        Pane::Tables => {
            if let Some(list) = browse.tables.value_mut() {
                list.move_by(by);
            }
            rest(model);
            Vec::new()
        }
        Pane::Schema => {
            if let Some(view) = browse.schema.value_mut() {
                view.scroll = view.scroll.saturating_add_signed(by).min(10_000);
            }
            Vec::new()
        }
    }
}

fn turn(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let panes = [Pane::Databases, Pane::Tables, Pane::Schema];
    let at = panes
        .iter()
        .position(|pane| *pane == browse.pane)
        .unwrap_or_default();
    let to = (at + panes.len()).saturating_add_signed(by) % panes.len();
    browse.pane = panes.get(to).copied().unwrap_or(Pane::Tables);
    Vec::new()
}

fn go_in(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    match browse.pane {
        Pane::Databases => {
            browse.pane = Pane::Tables;
            let mut effects = follow(model);
            if effects.is_empty() {
                rest(model);
            }
            effects.extend(tick(model));
            effects
        }
        Pane::Tables => {
            browse.pane = Pane::Schema;
            Vec::new()
        }
        Pane::Schema => {
            overlay::browse(model);
            Vec::new()
        }
    }
}

fn go_out(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    match browse.pane {
        Pane::Schema => browse.pane = Pane::Tables,
        Pane::Tables => browse.pane = Pane::Databases,
        Pane::Databases if browse.filter.is_some() => return clear(model),
        Pane::Databases => return go_home(model),
    }
    Vec::new()
}

fn find(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    if browse.pane == Pane::Schema {
        browse.pane = Pane::Tables;
    }
    let pane = browse.pane;
    if browse.filter.as_ref().is_none_or(|(p, _)| *p != pane) {
        browse.filter = Some((pane, Field::default()));
        browse.apply_filter();
    }
    browse.filtering = true;
    Vec::new()
}

fn clear(model: &mut Model) -> Vec<Effect> {
    if let Some(browse) = state(model) {
        browse.filter = None;
        browse.filtering = false;
        browse.apply_filter();
    }
    rest(model);
    Vec::new()
}

fn refresh(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    match (browse.pane, browse.open_database.clone()) {
        (Pane::Tables, Some(database)) => list_tables(model, database),
        (Pane::Schema, _) => match table_under_pointer(browse) {
            Some(table) => fetch(model, table),
            None => Vec::new(),
        },
        _ => list_databases(model),
    }
}

fn copy(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let database = match browse.pane {
        Pane::Databases => browse
            .databases
            .value()
            .and_then(Listing::selected)
            .map(|row| row.name.clone()),
        _ => browse.open_database.clone(),
    };
    let table = (browse.pane != Pane::Databases)
        .then(|| table_under_pointer(browse))
        .flatten();
    let parts = [Some(browse.catalog.to_string()), database, table];
    let quoted: Result<Vec<String>, _> = parts
        .into_iter()
        .flatten()
        .map(|p| quote::quote(&p, Dialect::Spark).map(|q| q.quoted))
        .collect();
    match quoted {
        Ok(parts) => vec![Effect::Copy(parts.join("."))],
        Err(invalid) => {
            model.say(invalid.to_string());
            Vec::new()
        }
    }
}
