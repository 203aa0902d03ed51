//! `glueup ls`: the databases of a catalog, or the tables of a database, streamed.

use crate::browse::{self, DatabaseRow, TableRow};
use crate::cli::front::{Consent, Front};
use crate::cli::output::Stop;
use crate::domain::fqn::Fqn;
use crate::domain::problem::{Kind, Problem};
use crate::domain::text;
use crate::job::{Job, Update};
use crate::session::Session;
use clap::Args;
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
    /// Use your own rights instead of the connection's role
    #[arg(long)]
    pub as_caller: bool,
}

/// Lists, page by page.
///
/// # Errors
/// As the browse room; when a table is named, which has nothing to list.
pub async fn run(front: &mut Front, session: &Session, args: LsArgs) -> Result<u8, Stop> {
    let (catalog, as_caller) = (args.what.catalog.clone(), args.as_caller);
    let request = match (args.what.database.clone(), &args.what.table) {
        (None, _) => browse::Request::Databases { catalog, as_caller },
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
                format!("glueup schema '{}' shows its columns", args.what.display()),
            )
            .into());
        }
    };
    let database = args.what.database.unwrap_or_default();
    let names = args.names;
    front
        .run(
            session,
            Job::Browse(request),
            Consent::Asked,
            |front, update| match update {
                Update::Browse(browse::Update::Databases(rows)) => databases(front, &rows, names),
                Update::Browse(browse::Update::Tables(rows)) => tables(front, &database, &rows, names),
                _ => Ok(()),
            },
        )
        .await?;
    Ok(0)
}

fn databases(front: &mut Front, rows: &[DatabaseRow], names: bool) -> Result<(), Stop> {
    if front.is_json() {
        for row in rows {
            if names {
                front.json(&json!({ "database": row.name }))?;
            } else {
                front.json(&json!({
                    "database": row.name,
                    "description": row.description,
                    "link": row.link,
                }))?;
            }
        }
        return front.flush();
    }
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let name = text::scrub(&row.name);
            if names {
                return vec![name];
            }
            let link = row.link.as_ref().map(|link| text::scrub(&format!("-> {link}")));
            vec![name, link.or_else(|| row.description.clone()).unwrap_or_default()]
        })
        .collect();
    front.rows(&lines)
}

fn tables(front: &mut Front, database: &str, rows: &[TableRow], names: bool) -> Result<(), Stop> {
    if front.is_json() {
        for row in rows {
            if names {
                front.json(&json!({ "database": database, "table": row.name }))?;
            } else {
                front.json(&json!({
                    "database": database,
                    "table": row.name,
                    "kind": row.kind,
                    "format": row.format,
                    "notes": row.notes,
                }))?;
            }
        }
        return front.flush();
    }
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let name = text::scrub(&row.name);
            if names {
                return vec![name];
            }
            let format = row
                .format
                .as_ref()
                .map_or_else(|| "-".to_owned(), ToString::to_string);
            let notes: Vec<&str> = row.notes.iter().map(|note| note.code).collect();
            vec![name, row.kind.to_string(), format, notes.join(",")]
        })
        .collect();
    front.rows(&lines)
}
