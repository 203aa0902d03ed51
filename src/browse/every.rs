//! All tables of a catalog, in the order of its databases though several of them are read side by side.

use super::request::{Outcome, Update};
use super::rows;
use super::scope::Scope;
use crate::cloud::glue::Glue;
use crate::cloud::{Aws, is_access_denied};
use crate::domain::problem::Problem;
use crate::domain::s3_path::S3Path;
use crate::report::Reporter;
use std::collections::VecDeque;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Databases that are read side by side; how many requests that makes is up to the pace at which AWS takes them.
const ABREAST: usize = 16;
/// Pages of a database that are read before it is its turn, so that one of a million tables does not fill the memory.
const AHEAD: usize = 16;

type Pages = mpsc::Receiver<Result<Update, Problem>>;

/// A database whose turn comes, and its pages as they come.
struct Turn {
    database: String,
    pages: Pages,
}

pub(super) async fn tables(
    scope: &Scope,
    aws: &Aws,
    only_names: bool,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let glue = aws.glue(&scope.region);
    // What is under way ends with this.
    let mut work = JoinSet::new();
    let (send, mut databases) = mpsc::channel(ABREAST);
    work.spawn(find(glue.clone(), scope.databases.clone(), send));
    let mut turns: VecDeque<Turn> = VecDeque::new();
    let (mut total, mut broken) = (0, None);
    loop {
        while turns.len() < ABREAST {
            let next = match turns.is_empty() {
                true => databases.recv().await,
                false => databases.try_recv().ok(),
            };
            let database = match next {
                Some(Ok(database)) => database,
                Some(Err(problem)) => {
                    broken = Some(problem);
                    break;
                }
                None => break,
            };
            let (send, pages) = mpsc::channel(AHEAD);
            let granted = scope.granted.clone();
            work.spawn(read(glue.clone(), database.clone(), granted, only_names, send));
            turns.push_back(Turn { database, pages });
        }
        let Some(turn) = turns.front_mut() else {
            return broken.map_or(Ok(Outcome::Tables { total }), Err);
        };
        match turn.pages.recv().await {
            Some(Ok(page)) => {
                total += page.len();
                reporter.tell(page).await;
            }
            Some(Err(problem)) => {
                let database = turn.database.clone();
                let problem = Box::new(problem);
                reporter.tell(Update::Unreadable { database, problem }).await;
            }
            None => drop(turns.pop_front()),
        }
        while work.try_join_next().is_some() {}
    }
}

/// Finds the databases that have tables of their own; those of a link are listed where they are. Who may not list the
/// databases may still read those that the record names.
async fn find(glue: Glue, recorded: Vec<String>, found: mpsc::Sender<Result<String, Problem>>) {
    let mut token = None;
    loop {
        let first = token.is_none();
        let (names, next) = match glue.databases_page(token).await {
            Ok(page) => {
                let own = page.items.into_iter().filter(|database| database.is_own());
                (own.map(|database| database.name).collect(), page.next)
            }
            Err(denied) if first && is_access_denied(&denied) && !recorded.is_empty() => {
                (recorded.clone(), None)
            }
            Err(problem) => {
                // Nobody waits for it any more where this fails, here and below.
                let _ = found.send(Err(problem)).await;
                return;
            }
        };
        for name in names {
            if found.send(Ok(name)).await.is_err() {
                return;
            }
        }
        token = next;
        if token.is_none() {
            return;
        }
    }
}

/// Reads one database to its end.
async fn read(
    glue: Glue,
    database: String,
    granted: Option<S3Path>,
    only_names: bool,
    pages: mpsc::Sender<Result<Update, Problem>>,
) {
    let mut token = None;
    loop {
        let answer = if only_names {
            glue.table_names_page(&database, token).await.map(|page| {
                let database = database.clone();
                let names = page.items;
                (Update::NamesOf { database, names }, page.next)
            })
        } else {
            glue.tables_page(&database, token).await.map(|page| {
                let found = page.items.into_iter();
                let rows = found.map(|table| rows::table(table, granted.as_ref())).collect();
                let database = database.clone();
                (Update::TablesOf { database, rows }, page.next)
            })
        };
        let (page, next) = match answer {
            Ok((page, next)) => (Ok(page), next),
            Err(problem) => (Err(problem), None),
        };
        token = next;
        if pages.send(page).await.is_err() || token.is_none() {
            return;
        }
    }
}
