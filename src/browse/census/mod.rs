//! The census of a catalog: every table counted by kind, by what is odd about it, and by engine. No file is read: what
//! counts is what Glue says. A database that may not be read is named, and the others are counted all the same.

mod count;
mod which;

pub use count::{Census, PerVerdict, Unread};
pub use which::Which;

use super::request::{Outcome, TableRow, Update};
use super::rows;
use super::scope::Scope;
use crate::cloud::glue::{Step, Walk};
use crate::cloud::{Aws, is_access_denied};
use crate::domain::glue::Table;
use crate::domain::problem::Problem;
use crate::domain::s3_path::S3Location;
use crate::report::Reporter;

/// Answers after which it is told how far the census is.
const TOLD: usize = 10;

pub(super) async fn take(
    scope: &Scope,
    aws: &Aws,
    which: &Which,
    rows: bool,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let mut walk = Walk::new(aws.glue(&scope.region));
    walk.through(None);
    let mut census = Census::default();
    let mut answers = 0_usize;
    while let Some(step) = walk.next().await {
        match step {
            Step::Databases(Ok(databases)) => {
                for database in databases {
                    census.database(&database);
                    // Its tables are counted where they are.
                    if database.is_own() {
                        walk.enter(database.name, None);
                    }
                }
            }
            // Who may not list the databases may still read those that the record names.
            Step::Databases(Err(denied))
                if census.databases == 0 && is_access_denied(&denied) && !scope.databases.is_empty() =>
            {
                census.databases = scope.databases.len() as u64;
                scope
                    .databases
                    .iter()
                    .for_each(|name| walk.enter(name.clone(), None));
            }
            Step::Databases(Err(problem)) if census.databases == 0 => return Err(problem),
            Step::Databases(Err(problem)) => census.unread(None, problem),
            Step::Tables {
                database,
                tables: Ok(tables),
            } => {
                let mut found: Vec<TableRow> = Vec::new();
                for table in tables {
                    // As they are stored: a clean text may name another place.
                    let files = files(&table);
                    let row = rows::table(table, scope.granted.as_ref());
                    if which.takes(&database, &row) {
                        census.table(&database, &row);
                        census.files(if row.kind.has_files() { &files } else { &[] });
                        found.push(row);
                    }
                }
                if rows && !found.is_empty() {
                    reporter
                        .tell(Update::Counted {
                            database,
                            rows: found,
                        })
                        .await;
                }
            }
            Step::Tables {
                database,
                tables: Err(problem),
            } => census.unread(Some(database), problem),
        }
        answers += 1;
        if answers.is_multiple_of(TOLD) {
            reporter.tell(Update::Counting(Box::new(census.clone()))).await;
        }
    }
    census.complete = census.unreadable.is_empty();
    census.unreadable.sort_by(|a, b| a.database.cmp(&b.database));
    Ok(Outcome::Census(Box::new(census)))
}

/// Where a table's files lie. The metadata counts only where it lies elsewhere than the table.
fn files(table: &Table) -> Vec<S3Location> {
    let table_at = table.location().map(S3Location::new);
    // What names no file asks for nothing.
    let metadata = table.metadata_location().map(S3Location::new);
    let metadata = metadata.filter(|place| !place.key().is_empty());
    let beside = |place: &S3Location| {
        let within =
            |table: &S3Location| table.bucket() == place.bucket() && place.key().starts_with(table.key());
        !table_at.as_ref().is_some_and(within)
    };
    let metadata = metadata.filter(beside);
    table_at.into_iter().chain(metadata).collect()
}
