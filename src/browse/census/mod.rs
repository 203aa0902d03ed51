//! The census of a catalog: every table counted by kind, by what is odd about it, and by engine. No file is read: what
//! counts is what Glue says. A database that may not be read is named, and the others are counted all the same.

mod count;
mod which;

pub use count::{Census, PerVerdict, Unread};
pub use which::Which;

use super::request::{Outcome, TableRow, Update};
use super::rows;
use crate::cloud::glue::{Glue, Page};
use crate::cloud::{Aws, is_access_denied};
use crate::domain::glue::{Database, Table};
use crate::domain::problem::Problem;
use crate::registry::Catalog;
use crate::report::Reporter;
use futures_util::stream::FuturesUnordered;
use futures_util::{StreamExt, future::BoxFuture};
use std::collections::VecDeque;

/// Databases that are listed side by side.
const ABREAST: usize = 8;

/// Pages after which it is told how far the census is.
const TOLD: usize = 10;

/// What has come in.
enum Came {
    Databases(Result<Page<Database>, Problem>),
    Tables {
        database: String,
        page: Result<Page<Table>, Problem>,
    },
}

pub(super) async fn take(
    catalog: &Catalog,
    aws: &Aws,
    which: &Which,
    rows: bool,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let glue = aws.glue(&catalog.region);
    let mut census = Census::default();
    let mut waiting: VecDeque<String> = VecDeque::new();
    let mut underway: FuturesUnordered<BoxFuture<'static, Came>> = FuturesUnordered::new();
    underway.push(databases(&glue, None));
    let mut pages = 0_usize;
    while let Some(came) = underway.next().await {
        match came {
            Came::Databases(Ok(page)) => {
                for database in page.items {
                    census.database(&database);
                    // Its tables are counted where they are.
                    if database.is_own() {
                        waiting.push_back(database.name);
                    }
                }
                if page.next.is_some() {
                    underway.push(databases(&glue, page.next));
                }
            }
            // Who may not list the databases may still read those that the record names.
            Came::Databases(Err(denied))
                if census.databases == 0 && is_access_denied(&denied) && !catalog.databases.is_empty() =>
            {
                census.databases = catalog.databases.len() as u64;
                waiting.extend(catalog.databases.iter().cloned());
            }
            Came::Databases(Err(problem)) if census.databases == 0 => return Err(problem),
            Came::Databases(Err(problem)) => census.unread(None, problem),
            Came::Tables { database, page } => match page {
                Ok(page) => {
                    let found = page
                        .items
                        .into_iter()
                        .map(|table| rows::table(table, &catalog.s3_path));
                    let found: Vec<TableRow> = found.filter(|row| which.takes(&database, row)).collect();
                    found.iter().for_each(|row| census.table(&database, row));
                    if page.next.is_some() {
                        underway.push(tables(&glue, database.clone(), page.next));
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
                Err(problem) => census.unread(Some(database), problem),
            },
        }
        while underway.len() < ABREAST {
            let Some(database) = waiting.pop_front() else {
                break;
            };
            underway.push(tables(&glue, database, None));
        }
        pages += 1;
        if pages.is_multiple_of(TOLD) {
            reporter.tell(Update::Counting(Box::new(census.clone()))).await;
        }
    }
    census.complete = census.unreadable.is_empty();
    census.unreadable.sort_by(|a, b| a.database.cmp(&b.database));
    Ok(Outcome::Census(Box::new(census)))
}

fn databases(glue: &Glue, token: Option<String>) -> BoxFuture<'static, Came> {
    let glue = glue.clone();
    Box::pin(async move { Came::Databases(glue.databases_page(token).await) })
}

fn tables(glue: &Glue, database: String, token: Option<String>) -> BoxFuture<'static, Came> {
    let glue = glue.clone();
    Box::pin(async move {
        let page = glue.tables_page(&database, token).await;
        Came::Tables { database, page }
    })
}
