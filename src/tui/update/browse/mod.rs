//! The browser: lists stream in, the selection follows the name, the schema follows the pointer where it rests.

mod arrive;
mod bookmarks;
mod copies;
mod go;
mod menu;
mod mouse;
mod only;

use crate::domain::names::CatalogName;
use crate::domain::quote::Dialect;
use crate::registry::{Grant, Stage};
use crate::setup::CatalogRow;
use crate::tui::effect::{Effect, Slot};
use crate::tui::field::Field;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{Browse, Model, Pane, Remote, Screen};
use crate::tui::update::{draft, go_home, overlay};
use crate::tui::view::schema_end;
use arrive::{Fetch, fetch, follow, list_databases, list_tables, rest};
use crossterm::event::KeyEvent;

pub use arrive::{ended, table_under_pointer, tick, told};
pub use bookmarks::marked;
pub use copies::connected;
pub use mouse::{clicked, pointed};

fn state(model: &mut Model) -> Option<&mut Browse> {
    match &mut model.screen {
        Screen::Browse(browse) => Some(browse),
        _ => None,
    }
}

/// Opens the browser of a catalog.
pub fn open(model: &mut Model, row: CatalogRow) -> Vec<Effect> {
    // One that is not up to date grants what it did.
    let grants = row.stage == Stage::Deploy && Grant::from(&row.catalog).is_outdated();
    if !grants && !matches!(row.stage, Stage::Verify | Stage::Ready) {
        let open = model.keymap.word(Context::Home, Action::Open);
        model.say(format!("Its stacks are not made yet: {open} goes on with them."));
        return Vec::new();
    }
    // Back in the catalog that was left last: what was listed is still there, unless the record has changed.
    if let Some((_, browse)) = model.left.take().filter(|(record, _)| *record == row.catalog) {
        model.screen = Screen::Browse(browse);
        let effects = follow(model);
        rest(model);
        return effects;
    }
    model.screen = Screen::Browse(Box::new(Browse::new(row.catalog.name)));
    list_databases(model)
}

/// Opens the browser with the caller's own rights: of a catalog on record whatever its stage, else of the caller's own Glue.
pub fn open_as_caller(model: &mut Model, catalog: CatalogName) -> Vec<Effect> {
    model.screen = Screen::Browse(Box::new(Browse::with_own_rights(catalog)));
    list_databases(model)
}

/// What the browser asks for, and nobody waits for elsewhere.
const SLOTS: [Slot; 4] = [Slot::Databases, Slot::Tables, Slot::Schema, Slot::Census];

/// Takes the browser off the screen, to be come back to, and ends what it asked for.
pub fn put_down(model: &mut Model) -> Option<(Box<Browse>, Vec<Effect>)> {
    let Screen::Browse(browse) = &mut model.screen else {
        return None;
    };
    browse.put_down();
    let Screen::Browse(browse) = std::mem::replace(&mut model.screen, Screen::Home) else {
        return None;
    };
    let running = SLOTS.into_iter().filter(|slot| model.slots.is_running(*slot));
    let running: Vec<Slot> = running.collect();
    let cancelled = running.into_iter().map(|slot| model.slots.cancel(slot));
    Some((browse, cancelled.collect()))
}

/// Back to where a prefix was chosen to be connected, if the wizard was begun there. What was typed is kept as a draft.
pub fn back(model: &mut Model) -> Option<Vec<Effect>> {
    let Screen::Wizard(wizard) = &mut model.screen else {
        return None;
    };
    let browse = wizard.from.take()?;
    let mut effects = draft::put_down(model);
    let listed = matches!(browse.databases, Remote::Ready { .. });
    model.screen = Screen::Browse(browse);
    effects.extend(if listed {
        follow(model)
    } else {
        list_databases(model)
    });
    rest(model);
    effects.extend(menu::prefixes(model));
    Some(effects)
}

/// Where a key is looked up.
pub fn contexts(browse: &Browse) -> Vec<Context> {
    if browse.menu.is_some() {
        vec![Context::Menu]
    } else if browse.filtering {
        vec![Context::Filter]
    } else {
        vec![Context::Browse, Context::Global]
    }
}

/// A key for the filter.
pub fn typed(model: &mut Model, event: KeyEvent) {
    let Some(browse) = state(model) else { return };
    if browse.menu.is_some() {
        return menu::typed(model, event);
    }
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
    if browse.menu.is_some() {
        return menu::paste(model, text);
    }
    let (_, field) = browse.filter.as_mut().filter(|_| browse.filtering)?;
    let told = field.paste(text);
    browse.apply_filter();
    rest(model);
    told
}

/// A key of the browser.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if state(model).is_some_and(|browse| browse.menu.is_some()) {
        return menu::act(model, action);
    }
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
        Action::NextHit => next_hit(model, 1),
        Action::PreviousHit => next_hit(model, -1),
        Action::Accept => {
            if let Some(browse) = state(model) {
                browse.filtering = false;
            }
            // A step to where the pointer is: it stays on that row when the filter goes.
            let mut effects = step(model, 0);
            effects.extend(follow(model));
            effects
        }
        Action::Clear => clear(model),
        Action::Refresh => refresh(model),
        Action::DataFile => data_file(model),
        Action::Kind => only::next(model),
        Action::Lens => {
            overlay::lens(model);
            Vec::new()
        }
        Action::Census => {
            let effects = arrive::count(model);
            overlay::census(model);
            effects
        }
        Action::Copy => copy(model),
        Action::CopyAs => {
            menu::copies(model);
            Vec::new()
        }
        Action::Jump => {
            menu::places(model);
            Vec::new()
        }
        Action::NewCatalog => menu::prefixes(model),
        Action::Bookmark => bookmarks::turn(model),
        Action::Older => go::step(model, -1),
        Action::Newer => go::step(model, 1),
        Action::OpenBrowser => go::console(model),
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
            scroll(model, by);
            Vec::new()
        }
    }
}

/// Goes to the next of what was found: in the schema a column, in a list a row that passes the filter.
fn next_hit(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let pane = browse.pane;
    if pane != Pane::Schema && browse.filter.as_ref().is_some_and(|(of, _)| *of == pane) {
        return step(model, by);
    }
    if pane != Pane::Schema || !menu::next_hit(model, by) {
        let find = model.keymap.word(Context::Browse, Action::Find);
        model.say(format!("Nothing has been looked for here: {find} begins."));
    }
    Vec::new()
}

fn scroll(model: &mut Model, by: isize) {
    let end = schema_end(model);
    if let Some(view) = state(model).and_then(|browse| browse.schema.value_mut()) {
        view.scroll = view.scroll.saturating_add_signed(by).min(end);
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
        Pane::Tables => match go::target(model) {
            Some(place) => go::go(model, place),
            None => {
                if let Some(browse) = state(model) {
                    browse.pane = Pane::Schema;
                }
                Vec::new()
            }
        },
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
    let pane = browse.pane;
    match pane {
        Pane::Schema => browse.pane = Pane::Tables,
        _ if browse.filter.as_ref().is_some_and(|(p, _)| *p == pane) => return clear(model),
        Pane::Tables if browse.only.is_some() => return only::all(model),
        Pane::Tables => browse.pane = Pane::Databases,
        Pane::Databases => return go_home(model),
    }
    Vec::new()
}

fn find(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let pane = browse.pane;
    if pane == Pane::Schema {
        menu::columns(model);
        return Vec::new();
    }
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
            Some(table) => fetch(model, table, Fetch::Anew),
            None => Vec::new(),
        },
        _ => list_databases(model),
    }
}

/// Puts one of its data files beside the table under the pointer, and shows all sides.
fn data_file(model: &mut Model) -> Vec<Effect> {
    let table = state(model).filter(|browse| browse.pane != Pane::Databases);
    let Some(table) = table.and_then(|browse| table_under_pointer(browse)) else {
        model.say("A data file is a table's: choose one first.");
        return Vec::new();
    };
    if let Some(browse) = state(model) {
        browse.pending = None;
    }
    let effects = fetch(model, table, Fetch::WithFile);
    overlay::data_file(model);
    effects
}

fn copy(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    // The column that was looked for, where that is what one looks at.
    let view = browse.schema.value().filter(|_| browse.pane == Pane::Schema);
    let found = view.and_then(|view| Some((view.found.as_ref()?, &view.schema.columns)));
    if let Some((path, columns)) = found
        && let Some(effect) = copies::column(columns, path)
    {
        return vec![effect];
    }
    let Some(place) =
        copies::selected(browse).filter(|place| browse.pane == Pane::Databases || place.table.is_some())
    else {
        model.say("Nothing is selected that could be copied.");
        return Vec::new();
    };
    match copies::quoted(browse, &place, Dialect::Spark) {
        Some(name) => vec![Effect::Copy(name)],
        None => {
            model.say("Its name cannot be written as Spark writes names.");
            Vec::new()
        }
    }
}
