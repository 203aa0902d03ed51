//! `glueup ls`: the databases of a catalog, or the tables of a database, streamed.

use crate::browse::{self, DatabaseRow, TableRow};
use crate::cli::front::{Consent, Front};
use crate::cli::output::Stop;
use crate::domain::fqn::Fqn;
use crate::domain::kind::{Format, Note, TableKind};
use crate::domain::names::CatalogName;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::operand;
use crate::domain::text;
use crate::job::{Job, Update};
use crate::session::Session;
use clap::Args;
use serde::Serialize;
use serde_json::json;

/// What `ls` takes.
#[derive(Debug, Clone, Args)]
pub struct LsArgs {
    /// CATALOG or CATALOG.DATABASE; backticks around a part that holds a dot
    #[arg(value_name = "CATALOG[.DATABASE]")]
    pub what: Fqn,
    /// Only the names, a line each
    #[arg(long)]
    pub names: bool,
    /// Of a catalog: the tables of all its own databases, each with its database; links are listed where they lead. With
    /// --names the full names, as `schema -` reads them
    #[arg(long)]
    pub tables: bool,
    /// Use your own rights instead of the connection's role
    #[arg(long)]
    pub as_caller: bool,
}

/// Lists, page by page. What is readable is listed, and of the rest it is said why not: then the exit code is 1.
///
/// # Errors
/// As the browse room; when a table is named, which has nothing to list.
pub async fn run(front: &mut Front, session: &Session, args: LsArgs) -> Result<u8, Stop> {
    let (catalog, as_caller) = (args.what.catalog.clone(), args.as_caller);
    let request = match (args.what.database.clone(), &args.what.table) {
        (Some(_), None) if args.tables => {
            return Err(Problem::new(
                Kind::Usage,
                format!("{} is a database", args.what.display()),
                "--tables is for a catalog: it lists the tables of all its databases",
                format!("glueup ls {} lists its tables", operand(&args.what.display(), "")),
            )
            .into());
        }
        (None, _) if args.tables => browse::Request::AllTables {
            catalog,
            only_names: args.names,
            as_caller,
        },
        (None, _) if args.names => browse::Request::DatabaseNames { catalog, as_caller },
        (None, _) => browse::Request::Databases { catalog, as_caller },
        (Some(database), None) if args.names => browse::Request::TableNames {
            catalog,
            database,
            as_caller,
        },
        (Some(database), None) => browse::Request::Tables {
            catalog,
            database,
            as_caller,
        },
        (Some(_), Some(_)) => {
            return Err(Problem::new(
                Kind::Usage,
                format!("{} is a table", args.what.display()),
                "ls lists databases and tables",
                format!(
                    "glueup schema {} shows its columns",
                    operand(&args.what.display(), "")
                ),
            )
            .into());
        }
    };
    if args.tables {
        front.columns(&WIDTHS);
    }
    let mut code = 0;
    let database = args.what.database;
    let told = |front: &mut Front, update: Update| match update {
        Update::Browse(browse::Update::Databases(rows)) => databases(front, &rows),
        Update::Browse(browse::Update::Tables(rows)) => tables(front, database.as_deref(), &rows),
        Update::Browse(browse::Update::TablesOf { database, rows }) => tables_of(front, &database, &rows),
        Update::Browse(browse::Update::NamesOf { database, names }) => {
            names_of(front, &args.what.catalog, &database, names)
        }
        Update::Browse(browse::Update::Names(found)) => names(front, database.as_deref(), &found),
        Update::Browse(browse::Update::Unreadable { database, problem }) => {
            code = 1;
            unreadable(front, &database, &problem, args.names || args.tables)
        }
        _ => Ok(()),
    };
    front
        .run(session, Job::Browse(request), Consent::Asked, told)
        .await?;
    Ok(code)
}

fn databases(front: &mut Front, rows: &[DatabaseRow]) -> Result<(), Stop> {
    if front.is_json() {
        for row in rows {
            front.json(&json!({
                "database": row.name,
                "description": row.description,
                "link": row.link,
                "notes": row.notes,
            }))?;
        }
        return front.flush();
    }
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let link = row.link.as_ref().map(|link| text::scrub(&format!("-> {link}")));
            // That two names look alike is the one oddity that must be seen in a list of names.
            let alike = row.notes.iter().find(|note| note.code == "not-nfc");
            vec![
                shown(&row.name),
                link.or_else(|| row.description.clone()).unwrap_or_default(),
                alike.map_or_else(String::new, |note| note.code.to_owned()),
            ]
        })
        .collect();
    front.rows(&lines)
}

/// A table's line of JSON. It is written as it is: of a value in between there would be one for each of a million tables.
#[derive(Serialize)]
struct TableLine<'a> {
    database: Option<&'a str>,
    table: &'a str,
    kind: TableKind,
    format: Option<Format>,
    notes: &'a [Note],
}

impl<'a> TableLine<'a> {
    fn of(database: Option<&'a str>, row: &'a TableRow) -> Self {
        Self {
            database,
            table: &row.name,
            kind: row.kind,
            format: row.format,
            notes: &row.notes,
        }
    }
}

fn tables(front: &mut Front, database: Option<&str>, rows: &[TableRow]) -> Result<(), Stop> {
    if front.is_json() {
        for row in rows {
            front.json(&TableLine::of(database, row))?;
        }
        return front.flush();
    }
    let lines: Vec<Vec<String>> = rows.iter().map(cells_of).collect();
    front.rows(&lines)
}

/// The tables of one of several databases: each line names it too.
fn tables_of(front: &mut Front, database: &str, rows: &[TableRow]) -> Result<(), Stop> {
    if front.is_json() {
        return tables(front, Some(database), rows);
    }
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let mut cells = vec![shown(database)];
            cells.extend(cells_of(row));
            cells
        })
        .collect();
    front.rows(&lines)
}

fn cells_of(row: &TableRow) -> Vec<String> {
    let format = row
        .format
        .as_ref()
        .map_or_else(|| "-".to_owned(), ToString::to_string);
    let notes: Vec<&str> = row.notes.iter().map(|note| note.code).collect();
    vec![shown(&row.name), row.kind.to_string(), format, notes.join(",")]
}

/// Names of one of several databases: whole ones, which any other verb takes.
fn names_of(
    front: &mut Front,
    catalog: &CatalogName,
    database: &str,
    found: Vec<String>,
) -> Result<(), Stop> {
    if front.is_json() {
        return names(front, Some(database), &found);
    }
    for name in found {
        let fqn = Fqn::table(catalog.clone(), database, name);
        front.line(&text::scrub(&fqn.display()))?;
    }
    front.flush()
}

/// The names of a database's tables; without a database, of the databases themselves.
fn names(front: &mut Front, database: Option<&str>, names: &[String]) -> Result<(), Stop> {
    for name in names {
        match (front.is_json(), database) {
            (true, Some(database)) => front.json(&json!({ "database": database, "table": name }))?,
            (true, None) => front.json(&json!({ "database": name }))?,
            (false, _) => front.line(&text::scrub(name))?,
        }
    }
    front.flush()
}

/// A name among columns: a blank at its beginning or end is seen by the backticks around it, which FQNs have there, too.
fn shown(name: &str) -> String {
    let clean = text::scrub(name);
    match clean.trim() == clean {
        true => clean,
        false => format!("`{}`", clean.replace('`', "``")),
    }
}

/// The columns of the tables of all databases, before any of them is known: the first ones are to stand as the later ones do.
const WIDTHS: [usize; 4] = [16, 32, 18, 8];

/// A database that may not be read, in its place; where every line is a table, on stderr.
fn unreadable(front: &mut Front, database: &str, problem: &Problem, apart: bool) -> Result<(), Stop> {
    if front.is_json() {
        front.json(&json!({ "database": database, "error": problem }))?;
        return front.flush();
    }
    let (name, why) = (shown(database), problem.to_string());
    if apart {
        front.note(&format!("{name}: {why}"));
        return Ok(());
    }
    front.rows(&[vec![name, why]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_table_is_what_a_json_value_of_it_would_be() {
        let odd = [
            "plain",
            "",
            "a\"b\\c/d",
            "a\u{0}b\u{1b}[2J\n\t\u{8}\u{c}\r\u{1f}\u{7f}",
            "日本語 é\u{301} 🦀",
            "\u{2028}\u{202e}\u{9b}\u{e0041}\u{ffff}</script>",
        ];
        let mut row = TableRow {
            name: String::new(),
            description: Some("not in the line".to_owned()),
            kind: TableKind::Hive,
            format: None,
            notes: Vec::new(),
            link: None,
            location: None,
        };
        for name in odd {
            for (kind, format) in [
                (TableKind::PrestoView, None),
                (TableKind::Iceberg, Some(Format::Parquet)),
            ] {
                row.name = name.to_owned();
                (row.kind, row.format) = (kind, format);
                row.notes.push(Note::new("odd-name", name));
                for database in [None, Some(name)] {
                    let value = json!({
                        "database": database,
                        "table": row.name,
                        "kind": row.kind,
                        "format": row.format,
                        "notes": row.notes,
                    });
                    let line = serde_json::to_string(&TableLine::of(database, &row)).unwrap();
                    assert_eq!(line, value.to_string());
                }
            }
        }
    }
}
