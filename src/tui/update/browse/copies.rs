//! In which forms what is selected can be copied.

use crate::domain::ddl::{self, Form};
use crate::domain::fqn::Fqn;
use crate::domain::quote::{self, Dialect};
use crate::domain::region::Region;
use crate::domain::schema::{Column, Schema};
use crate::domain::text::scrub;
use crate::setup::CatalogRow;
use crate::tui::model::{Browse, Choice, Entry, Listing, Menu, MenuOf, Model, Pane, Place, Screen};
use crate::tui::update::browse::table_under_pointer;

/// The dialects in which names are offered. Athena's data definition and Hive write as Spark does, but for reserved words, and
/// Pinot's names have no parts.
const DIALECTS: [Dialect; 7] = [
    Dialect::Spark,
    Dialect::Trino,
    Dialect::Athena,
    Dialect::AthenaDdl,
    Dialect::DuckDb,
    Dialect::Snowflake,
    Dialect::ClickHouse,
];

/// What is selected: a database, or a table in it.
pub(super) fn selected(browse: &Browse) -> Option<Place> {
    if browse.pane == Pane::Databases {
        let row = browse.databases.value().and_then(Listing::selected)?;
        return Some(Place {
            database: row.name.clone(),
            table: None,
        });
    }
    Some(Place {
        database: browse.open_database.clone()?,
        table: table_under_pointer(browse),
    })
}

/// The catalog that is browsed, as the records have it.
fn row(model: &Model) -> Option<&CatalogRow> {
    let Screen::Browse(browse) = &model.screen else {
        return None;
    };
    let rows = &model.records()?.catalogs;
    rows.iter().find(|row| row.catalog.name == browse.catalog)
}

/// The region and the account of the Glue that is browsed.
pub(super) fn home_of(model: &Model) -> Option<(Region, String)> {
    let Some(row) = row(model) else {
        // Before there is a record it is the caller's own.
        let who = model.identity.value()?;
        return Some((who.region.clone()?, who.account.to_string()));
    };
    let rows = &model.records()?.connections;
    let found = rows
        .iter()
        .find(|held| held.connection.name == row.catalog.connection)?;
    Some((
        row.catalog.region.clone(),
        found.connection.account_id.to_string(),
    ))
}

/// The name, quoted for a dialect. Athena knows no catalog of glueup's.
pub(super) fn quoted(browse: &Browse, place: &Place, dialect: Dialect) -> Option<String> {
    let catalog = browse.catalog.to_string();
    let catalog = (!matches!(dialect, Dialect::Athena | Dialect::AthenaDdl)).then_some(catalog.as_str());
    let parts = [catalog, Some(place.database.as_str()), place.table.as_deref()];
    let parts: Result<Vec<String>, _> = parts
        .into_iter()
        .flatten()
        .map(|part| quote::quote(part, dialect).map(|quoted| quoted.quoted))
        .collect();
    Some(parts.ok()?.join("."))
}

fn entry(label: impl Into<String>, text: String) -> Entry {
    let detail = text.lines().next().map(scrub).unwrap_or_default();
    Entry {
        label: label.into(),
        detail,
        choice: Choice::Copy(text),
    }
}

/// The menu of all forms; `None` where nothing is selected.
pub(super) fn menu(model: &Model) -> Option<Menu> {
    let Screen::Browse(browse) = &model.screen else {
        return None;
    };
    let place = selected(browse)?;
    let mut entries = vec![entry(
        "name",
        place.table.clone().unwrap_or_else(|| place.database.clone()),
    )];
    entries.extend(DIALECTS.into_iter().filter_map(|dialect| {
        let name = quoted(browse, &place, dialect)?;
        Some(entry(format!("name for {}", dialect.label()), name))
    }));
    if let Some((region, account)) = home_of(model) {
        let thing = match &place.table {
            Some(table) => format!("table/{}/{table}", place.database),
            None => format!("database/{}", place.database),
        };
        let partition = region.partition().id();
        entries.push(entry(
            "ARN",
            format!("arn:{partition}:glue:{region}:{account}:{thing}"),
        ));
    }
    let Some(table) = &place.table else {
        return Some(Menu::new(MenuOf::Copies, entries));
    };
    let view = browse.schema_of(table);
    let listed = browse.tables.value().and_then(Listing::selected);
    let location = view
        .and_then(|view| view.schema.location.clone())
        .or_else(|| listed.and_then(|row| row.location.clone()));
    entries.extend(location.map(|location| entry("location", location)));
    if let Some(view) = view {
        let fqn = Fqn::table(browse.catalog.clone(), place.database.clone(), table.clone());
        entries.extend(forms(&fqn, &view.schema));
    }
    Some(Menu::new(MenuOf::Copies, entries))
}

/// The schema, written: those forms in which this table can be.
fn forms(fqn: &Fqn, schema: &Schema) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Form::ALL
        .into_iter()
        .filter_map(|form| {
            let text = ddl::write(fqn, schema, form).ok()?;
            // The first row of a statement may be a comment, which is what is to be known before it is pasted.
            let mut entry = entry(form.label(), text);
            if form == Form::Arrow {
                entry.detail = "as Arrow's implementations hand it to one another".to_owned();
            }
            Some(entry)
        })
        .collect();
    if let Ok(json) = serde_json::to_string_pretty(schema) {
        entries.push(Entry {
            detail: "as glueup schema --output json".to_owned(),
            ..entry("schema (JSON)", json)
        });
    }
    entries.extend(
        schema
            .views
            .iter()
            .map(|view| entry(format!("SQL ({})", view.dialect), view.sql.clone())),
    );
    let names: Vec<String> = schema
        .columns
        .iter()
        .filter_map(|column| quote::quote(&column.name, Dialect::Spark).ok())
        .map(|quoted| quoted.quoted)
        .collect();
    if !names.is_empty() {
        entries.push(entry("column names", names.join(", ")));
    }
    entries
}

/// The menu of a table's columns, nested ones by their dotted path.
pub(super) fn columns(schema: &Schema) -> Menu {
    let mut entries = Vec::new();
    walk(&schema.columns, "", &mut entries);
    Menu::new(MenuOf::Columns, entries)
}

fn walk(columns: &[Column], above: &str, entries: &mut Vec<Entry>) {
    for column in columns {
        let path = match above {
            "" => column.name.clone(),
            above => format!("{above}.{}", column.name),
        };
        let doc = column
            .doc
            .as_ref()
            .map(|doc| format!("  {doc}"))
            .unwrap_or_default();
        entries.push(Entry {
            label: path.clone(),
            detail: format!("{}{doc}", column.short_type()),
            choice: Choice::Column(path.clone()),
        });
        walk(&column.children, &path, entries);
    }
}
