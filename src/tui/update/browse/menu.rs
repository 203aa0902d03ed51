//! Keys of a menu over the browser.

use crate::browse::Census;
use crate::domain::amount::counted;
use crate::domain::text::scrub;
use crate::tui::clipboard;
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::model::{Choice, Entry, Menu, MenuOf, Model, Pane, Remote};
use crate::tui::update::browse::{arrive, bookmarks, copies, go, state};
use crate::tui::update::wizard;
use crate::tui::view::schema_place;
use crossterm::event::KeyEvent;
use std::collections::BTreeSet;

/// Opens one; `None` says that there is nothing to choose from.
pub(super) fn open(model: &mut Model, menu: Option<Menu>, none: &str) {
    match (state(model), menu) {
        (Some(browse), Some(menu)) if !menu.list.is_empty() => browse.menu = Some(Box::new(menu)),
        _ => model.say(none),
    }
}

/// The forms in which what is selected can be copied.
pub(super) fn copies(model: &mut Model) {
    let menu = copies::menu(model);
    open(model, menu, "Nothing is selected that could be copied.");
    if state(model).is_some_and(|browse| browse.schema.loading_since().is_some()) {
        model.say("The schema is still being read: CREATE TABLE and the like are offered when it has come.");
    }
}

/// The columns of the table that is shown.
pub(super) fn columns(model: &mut Model) {
    let menu = state(model)
        .and_then(|browse| browse.schema.value())
        .map(|view| copies::columns(&view.schema));
    open(model, menu, "There are no columns to look through.");
}

/// The places that are known.
pub(super) fn places(model: &mut Model) {
    // Also while nothing has been listed: a whole name leads there.
    let catalog = state(model).map(|browse| browse.catalog.to_string());
    let marked = bookmarks::places(model, &catalog.unwrap_or_default());
    if let Some(browse) = state(model) {
        browse.menu = Some(Box::new(go::menu(browse, marked)));
    }
}

/// The prefixes that cover the tables: one of them is connected. They come of the census, which is taken first.
pub(super) fn prefixes(model: &mut Model) -> Vec<Effect> {
    // What was counted before is whole; what is being counted for the first time is not.
    let first = |census: &Remote<Census>| census.loading_since().is_some() && census.as_of().is_none();
    if state(model).is_some_and(|browse| first(&browse.census) && browse.census.value().is_some()) {
        model.say("The census is still counting: where the files lie is known at its end.");
        return Vec::new();
    }
    let census = state(model).and_then(|browse| browse.census.value().cloned());
    let Some(census) = census.filter(|census| !census.cover.prefixes().is_empty()) else {
        let effects = arrive::count(model);
        model.say("Counting first: the census tells where the files lie. Then press it again.");
        return effects;
    };
    let prefixes = census.cover.prefixes().into_iter();
    let entries = prefixes.map(|covered| {
        let many = counted(covered.locations, "location of a table", "locations of tables");
        let detail = match copies::connected(model, &covered.prefix) {
            by if by.is_empty() => many,
            by => format!("{many}; connected: {}", scrub(&by.join(", "))),
        };
        Entry {
            label: scrub(&covered.prefix),
            detail,
            choice: Choice::Connect(covered.prefix),
        }
    });
    let entries = entries.collect();
    let menu = Menu::new(MenuOf::Prefixes, entries);
    open(model, Some(menu), "");
    Vec::new()
}

/// A key for what narrows the list.
pub(super) fn typed(model: &mut Model, event: KeyEvent) {
    if let Some(menu) = state(model).and_then(|browse| browse.menu.as_mut()) {
        menu.field.key(event);
        menu.narrow();
    }
    name(model);
}

/// Offers the table that was named in whole, where no entry is called so: what merely resembles it may be another one.
fn name(model: &mut Model) {
    let Some(browse) = state(model) else { return };
    let Some(menu) = browse.menu.as_ref().filter(|menu| menu.of == MenuOf::Places) else {
        return;
    };
    let text = menu.field.text().to_owned();
    let named = go::typed(browse, &text).filter(|place| place.table.is_some());
    if let Some(menu) = &mut browse.menu {
        menu.named = named.filter(|_| !menu.list.has_typed());
        menu.at_named = false;
    }
}

/// A paste into it.
pub(super) fn paste(model: &mut Model, text: &str) -> Option<String> {
    let menu = state(model)?.menu.as_mut()?;
    let told = menu.field.paste(text);
    menu.narrow();
    name(model);
    told
}

/// A key that is not text.
pub(super) fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let page = isize::try_from(model.size.1.saturating_sub(6).max(1)).unwrap_or(1);
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let Some(menu) = &mut browse.menu else {
        return Vec::new();
    };
    match action {
        Action::Down => menu.move_by(1),
        Action::Up => menu.move_by(-1),
        Action::PageDown => menu.move_by(page),
        Action::PageUp => menu.move_by(page.saturating_neg()),
        Action::Close => browse.menu = None,
        Action::Accept => return accept(model),
        _ => {}
    }
    Vec::new()
}

/// A click on the entry of this place: it is chosen.
pub(super) fn clicked(model: &mut Model, place: usize) -> Vec<Effect> {
    if let Some(menu) = state(model).and_then(|browse| browse.menu.as_mut()) {
        menu.at_named = false;
        let here = menu.list.place();
        menu.list.move_by(place.wrapping_sub(here).cast_signed());
    }
    accept(model)
}

fn accept(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let Some(mut menu) = browse.menu.take() else {
        return Vec::new();
    };
    menu.settle();
    let typed = menu.field.text().to_owned();
    let marked = menu.list.selected().cloned();
    let named = menu.marked_name().cloned().map(Choice::Go);
    let choice = named.or_else(|| marked.as_ref().map(|entry| entry.choice.clone()));
    let choice = choice.or_else(|| {
        // A place may be one that nobody has listed yet.
        let place = (menu.of == MenuOf::Places).then(|| go::typed(browse, &typed))?;
        place.map(Choice::Go)
    });
    match choice {
        Some(Choice::Copy(text)) => {
            let command = marked.and_then(|entry| copies::command(model, &entry.label));
            if let (Some(why), Some(command)) = (clipboard::too_long(&text), command) {
                model.say(format!("{why} This writes it to a file: {command}"));
                return Vec::new();
            }
            vec![Effect::Copy(text)]
        }
        Some(Choice::Go(place)) => go::go(model, place),
        Some(Choice::Connect(prefix)) => {
            let region = copies::home_of(model).map(|(region, _)| region);
            wizard::start_at(model, region, &prefix)
        }
        Some(Choice::Column(path)) => {
            let hits = columns_shown(&menu);
            show(model, path, Some(hits));
            Vec::new()
        }
        None => {
            let is_place = menu.of == MenuOf::Places && !typed.is_empty();
            // What was typed is not lost to a slip.
            browse.menu = Some(menu);
            if is_place {
                model.say("That is no place. A whole name is database.table, with `backticks` around a part that holds a dot.");
            }
            Vec::new()
        }
    }
}

/// The paths of the columns that fit, in the order of the schema, not in that of how well they do.
fn columns_shown(menu: &Menu) -> Vec<String> {
    fn path(entry: &Entry) -> Option<&String> {
        match &entry.choice {
            Choice::Column(path) => Some(path),
            _ => None,
        }
    }
    let fitting = (0..menu.list.shown()).filter_map(|at| path(menu.list.row(at)?));
    let fitting: BTreeSet<&String> = fitting.collect();
    let all = (0..menu.list.len()).filter_map(|at| path(menu.list.any_row(at)?));
    all.filter(|path| fitting.contains(path)).cloned().collect()
}

/// Goes on to the next column that was found, or back to the one before, around the ends.
pub(super) fn next_hit(model: &mut Model, by: isize) -> bool {
    let view = state(model).and_then(|browse| browse.schema.value());
    let next = view.and_then(|view| {
        let at = view
            .hits
            .iter()
            .position(|path| Some(path) == view.found.as_ref())?;
        let to = (at + view.hits.len()).saturating_add_signed(by) % view.hits.len();
        view.hits.get(to).cloned()
    });
    let is = next.is_some();
    if let Some(path) = next {
        show(model, path, None);
    }
    is
}

/// Scrolls the schema to a column, and marks it; `hits` are the columns among which it was chosen.
fn show(model: &mut Model, path: String, hits: Option<Vec<String>>) {
    if let Some(browse) = state(model) {
        browse.pane = Pane::Schema;
        if let Some(view) = browse.schema.value_mut() {
            view.found = Some(path);
            if let Some(hits) = hits {
                view.hits = hits;
            }
        }
    }
    let place = schema_place(model);
    if let (Some(view), Some(place)) = (state(model).and_then(|browse| browse.schema.value_mut()), place) {
        view.scroll = place;
    }
}
