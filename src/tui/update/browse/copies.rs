//! In which forms what is selected can be copied.

use crate::domain::ddl::{self, Form};
use crate::domain::fqn::Fqn;
use crate::domain::quote::{self, Dialect, operand};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Location;
use crate::domain::schema::{Column, Schema};
use crate::domain::text::scrub;
use crate::setup::CatalogRow;
use crate::tui::effect::Effect;
use crate::tui::model::{Browse, Choice, Entry, Listing, Menu, MenuOf, Model, Pane, Place, Screen};
use crate::tui::update::{browse::table_under_pointer, command};

/// The label of the schema in glueup's own JSON.
const AS_JSON: &str = "schema (JSON)";

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

/// The catalogs on record that cover a prefix of the Glue that is browsed, by their names.
pub fn connected(model: &Model, prefix: &str) -> Vec<String> {
    let place = S3Location::new(prefix);
    let Some((region, _)) = home_of(model) else {
        return Vec::new();
    };
    let rows = model.records().map(|records| records.catalogs.as_slice());
    let rows = rows.unwrap_or_default().iter();
    rows.filter(|row| row.catalog.region == region && row.catalog.s3_path.contains(&place))
        .map(|row| row.catalog.name.to_string())
        .collect()
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
            ..entry(AS_JSON, json)
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

/// The command that writes to a file what the entry of this label copies, where there is one.
pub(super) fn command(model: &Model, label: &str) -> Option<String> {
    let Screen::Browse(browse) = &model.screen else {
        return None;
    };
    let place = selected(browse)?;
    let flags = match Form::ALL.into_iter().find(|form| form.label() == label) {
        Some(form) => format!("--as {form}"),
        None => (label == AS_JSON).then(|| "--output json".to_owned())?,
    };
    let own = if browse.as_caller { " --as-caller" } else { "" };
    let fqn = Fqn::table(browse.catalog.clone(), place.database, place.table?);
    let line = format!(
        "glueup schema {} > FILE",
        operand(&fqn.display(), &format!("{flags}{own}"))
    );
    Some(command::reaching(model, &line))
}

/// The menu of a table's columns, nested ones by their dotted path.
pub(super) fn columns(schema: &Schema) -> Menu {
    let mut entries = Vec::new();
    walk(&schema.columns, "", &mut entries);
    Menu::new(MenuOf::Columns, entries)
}

/// The column of a dotted path, as Spark writes it. No query names the parts of a list, a map or a union by such a path: then
/// it is the column that holds them, and that is said.
pub(super) fn column(columns: &[Column], path: &str) -> Option<Effect> {
    let way = way_to(columns, path)?;
    let fields = way.iter().take_while(|column| has_fields(column)).count();
    let named = way.get(..=fields).unwrap_or(&way);
    let parts: Result<Vec<String>, _> = named
        .iter()
        .map(|column| quote::quote(&column.name, Dialect::Spark).map(|quoted| quoted.quoted))
        .collect();
    let text = parts.ok()?.join(".");
    let Some(holds) = named.last().filter(|_| named.len() < way.len()) else {
        return Some(Effect::Copy(text));
    };
    let why = format!(
        "{} is a part of a {}, which no query names by such a path; this is the column that holds it. ",
        scrub(path),
        holds.short_type().to_lowercase()
    );
    Some(Effect::CopyInstead(text, why))
}

/// The columns on the way to a dotted path, the column itself last. A name may hold dots of its own.
fn way_to<'a>(columns: &'a [Column], path: &str) -> Option<Vec<&'a Column>> {
    columns.iter().find_map(|column| {
        let rest = path.strip_prefix(column.name.as_str())?;
        if rest.is_empty() {
            return Some(vec![column]);
        }
        let mut way = way_to(&column.children, rest.strip_prefix('.')?)?;
        way.insert(0, column);
        Some(way)
    })
}

/// Whether what is beneath it has names that a query may use.
fn has_fields(column: &Column) -> bool {
    let word = column.short_type();
    ["struct", "row"]
        .iter()
        .any(|of_fields| word.eq_ignore_ascii_case(of_fields))
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
