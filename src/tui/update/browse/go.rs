//! Going anywhere in the catalog: by a menu of places, back and forward, and out to the AWS console.

use crate::domain::fqn::{self, Fqn};
use crate::domain::names::CatalogName;
use crate::domain::text::scrub;
use crate::tui::effect::Effect;
use crate::tui::model::{Browse, Choice, Entry, Listing, Menu, MenuOf, Model, Named, Pane, Place};
use crate::tui::update::browse::arrive::{list_tables, rest};
use crate::tui::update::browse::{copies, state};
use crate::tui::update::overlay;

/// Tables that the menu of places offers, beside the databases.
const TABLES: usize = 200_000;

/// All places that are known: those with a bookmark, where one has been, the databases, and the tables that have been listed.
pub(super) fn menu(browse: &Browse, marked: Vec<Place>) -> Menu {
    let of = |place: Place, detail: &str| Entry {
        label: label(&place),
        detail: detail.to_owned(),
        choice: Choice::Go(place),
    };
    let recent = browse
        .trail
        .recent()
        .into_iter()
        .filter(|place| !marked.contains(place));
    let recent: Vec<Place> = recent.cloned().collect();
    let mut entries: Vec<Entry> = marked.into_iter().map(|place| of(place, "bookmark")).collect();
    entries.extend(recent.into_iter().map(|place| of(place, "looked at before")));
    let seen = entries.len();
    let databases = browse.databases.value().into_iter().flat_map(rows);
    entries.extend(databases.map(|row| {
        let database = row.name.clone();
        of(
            Place {
                database,
                table: None,
            },
            "database",
        )
    }));
    let open = browse.open_database.as_ref().zip(browse.tables.value());
    let lists = open.into_iter().chain(browse.kept.lists());
    let tables = lists.flat_map(|(database, list)| {
        rows(list).map(move |row| {
            let place = Place {
                database: database.clone(),
                table: Some(row.name.clone()),
            };
            (place, row.kind.label())
        })
    });
    for (place, kind) in tables.take(TABLES) {
        let known = entries
            .iter()
            .take(seen)
            .any(|entry| entry.choice == Choice::Go(place.clone()));
        if !known {
            entries.push(of(place, kind));
        }
    }
    Menu::new(MenuOf::Places, entries)
}

fn rows<T: Named>(list: &Listing<T>) -> impl Iterator<Item = &T> {
    (0..list.len()).filter_map(|at| list.any_row(at))
}

/// `sales.orders`, with backticks where they are needed to read it back.
fn label(place: &Place) -> String {
    let fqn = match &place.table {
        Some(table) => format!("{}.{}", part(&place.database), part(table)),
        None => part(&place.database),
    };
    scrub(&fqn)
}

fn part(name: &str) -> String {
    if name.contains(['.', '`']) || name.trim() != name {
        format!("`{}`", name.replace('`', "``"))
    } else {
        name.to_owned()
    }
}

/// What was typed into the menu of places, where no entry fits: `database` or `database.table`, quoted or as it stands in a list.
pub(super) fn typed(browse: &Browse, text: &str) -> Option<Place> {
    quoted(browse, text).or_else(|| raw(browse, text))
}

/// A name that no quotes hold together, dots and all: what follows a database that is there is a table.
fn raw(browse: &Browse, text: &str) -> Option<Place> {
    let catalog = format!("{}.", browse.catalog);
    let text = text.trim();
    let text = text.strip_prefix(&catalog).unwrap_or(text);
    let databases = browse.databases.value().into_iter().flat_map(rows);
    let named = databases.filter_map(|row| {
        let table = text.strip_prefix(row.name.as_str())?.strip_prefix('.')?;
        Some((row.name.as_str(), table))
    });
    let (database, table) = named.max_by_key(|(database, _)| database.len())?;
    placed(browse, &[database, table])
}

fn quoted(browse: &Browse, text: &str) -> Option<Place> {
    let mut parts = fqn::parts(text).ok()?;
    // The catalog's own name may stand before it, as a name copied elsewhere has it.
    let named = |part: &String| {
        part.parse::<CatalogName>()
            .is_ok_and(|name| name == browse.catalog)
    };
    if parts.len() > 1 && parts.first().is_some_and(named) {
        parts.remove(0);
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    placed(browse, &parts)
}

/// A place by its parts, where the rules of names let them be any.
fn placed(browse: &Browse, parts: &[&str]) -> Option<Place> {
    let whole = std::iter::once(browse.catalog.as_str()).chain(parts.iter().copied());
    let fqn: Fqn = whole.map(part).collect::<Vec<_>>().join(".").parse().ok()?;
    Some(Place {
        database: fqn.database?,
        table: fqn.table,
    })
}

/// Where the link under the pointer leads, if that is in the Glue that is browsed.
pub(super) fn target(model: &mut Model) -> Option<Place> {
    let browse = state(model)?;
    let link = browse.tables.value()?.selected()?.link.clone()?;
    let place = Place {
        database: link.database?,
        table: Some(link.table?),
    };
    let (region, account) = copies::home_of(model)?;
    let is_here = link.catalog_id.is_none_or(|id| id == account)
        && link.region.is_none_or(|named| named == region.to_string());
    // However soon it was left: the way back leads to the link.
    let browse = state(model)?;
    if let Some(from) = copies::selected(browse).filter(|_| is_here) {
        browse.trail.come(from);
    }
    is_here.then_some(place)
}

/// Goes to a place; where a list of tables is still to come, the table is selected when it has.
pub(super) fn go(model: &mut Model, place: Place) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    browse.filter = None;
    browse.only = None;
    browse.filtering = false;
    browse.apply_filter();
    // As the catalog has its name, not as it was typed: Glue folds case.
    let stored = browse.databases.value_mut().and_then(|list| {
        let found = list.select(&place.database);
        list.selected().filter(|_| found).map(|row| row.name.clone())
    });
    let known = stored.is_some();
    let place = Place {
        database: stored.unwrap_or(place.database),
        ..place
    };
    if !known && browse.databases.loading_since().is_some() {
        let database = scrub(&place.database);
        browse.bound_for = Some(place);
        model.say(format!(
            "Going to {database} as soon as the databases are listed."
        ));
        return Vec::new();
    }
    browse.pane = Pane::Tables;
    let database = scrub(&place.database);
    let effects = match browse.open_database.as_ref() != Some(&place.database) {
        true => list_tables(model, place.database),
        false => Vec::new(),
    };
    if let Some(browse) = state(model) {
        browse.wanted = place.table;
    }
    settle(model);
    let wanted = state(model).and_then(|browse| browse.wanted.as_deref().map(scrub));
    match wanted {
        // Who may not list the databases, or not this one, may still read it.
        Some(_) if !known => model.say(format!("{database} is not among the databases listed: it is asked for all the same.")),
        None if !known => model.say(format!(
            "{database} is not among the databases listed: it is asked for all the same. A table has a whole name, database.table."
        )),
        Some(wanted) => model.say(format!("Going to {wanted} as soon as it is listed.")),
        None => {}
    }
    rest(model);
    effects
}

/// Selects the table that is wanted, once it is there.
pub(super) fn settle(model: &mut Model) {
    let Some(browse) = state(model) else { return };
    let Some(wanted) = browse.wanted.take() else {
        return;
    };
    let Some(list) = browse.tables.value_mut() else {
        browse.wanted = Some(wanted);
        return;
    };
    if list.select(&wanted) {
        return;
    }
    if !list.is_complete() {
        browse.wanted = Some(wanted);
        return;
    }
    let database = browse.open_database.as_deref().map(scrub).unwrap_or_default();
    model.say(format!(
        "{database} has no table {} that the role may see.",
        scrub(&wanted)
    ));
}

/// One step back or forward on the way through the catalog.
pub(super) fn step(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    match browse.trail.step(by) {
        Some(place) => go(model, place),
        None if by < 0 => {
            model.say("There is no table before this one.");
            Vec::new()
        }
        None => {
            model.say("There is no table after this one.");
            Vec::new()
        }
    }
}

/// Opens what is selected in the AWS console, in the region and the partition that it is in.
pub(super) fn console(model: &mut Model) -> Vec<Effect> {
    let place = state(model).and_then(|browse| copies::selected(browse));
    let (Some(place), Some((region, account))) = (place, copies::home_of(model)) else {
        return Vec::new();
    };
    if model.surroundings.demo {
        model.say("The demo's console has stacks, and no tables.");
        return Vec::new();
    }
    let Some(host) = region.partition().console_host(&region) else {
        model.say(format!(
            "{} has no console that is public.",
            region.partition().id()
        ));
        return Vec::new();
    };
    let word = |text: &str| encoded(text);
    let path = match &place.table {
        Some(table) => format!(
            "#/v2/data-catalog/tables/view/{}?database={}&catalogId={account}",
            word(table),
            word(&place.database)
        ),
        None => format!(
            "#/v2/data-catalog/databases/view/{}{}",
            word(&place.database),
            account.replacen('&', "?", 1)
        ),
    };
    let url = format!("https://{host}/glue/home?region={region}{path}");
    if model.surroundings.no_browser.is_some() {
        // It is opened elsewhere: the link stands alone, so that it can be taken along.
        overlay::show(model, "link", url.clone(), Some(url));
        return Vec::new();
    }
    vec![Effect::OpenBrowser(url)]
}

/// Percent-encoded, as a part of the console's own address behind `#`.
fn encoded(text: &str) -> String {
    use std::fmt::Write;
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}
