//! Listings, page by page. Only the absence of a token ends one: a page may be empty and have a successor.

use super::request::{Outcome, TableRow, Update};
use super::rows;
use super::scope::Scope;
use crate::cloud::glue::{Glue, Page, Step, Walk};
use crate::cloud::{Aws, is_access_denied};
use crate::domain::glue::Database;
use crate::domain::problem::Problem;
use crate::report::Reporter;
use futures_util::{StreamExt, stream};
use std::collections::{HashMap, VecDeque};

/// Databases that are asked for by name at once.
const ABREAST: usize = 8;

pub(super) async fn databases(
    scope: &Scope,
    aws: &Aws,
    only_names: bool,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let glue = aws.glue(&scope.region);
    let (mut total, mut token) = (0, None);
    loop {
        let first = token.is_none();
        let answer = if only_names {
            glue.database_names_page(token)
                .await
                .map(|page| told(page, Update::Names))
        } else {
            let rows =
                |found: Vec<Database>| Update::Databases(found.into_iter().map(rows::database).collect());
            glue.databases_page(token).await.map(|page| told(page, rows))
        };
        let page = match answer {
            Err(denied) if first && is_access_denied(&denied) && !scope.databases.is_empty() => {
                return by_name(&glue, &scope.databases, only_names, denied, reporter).await;
            }
            answer => answer?,
        };
        total += page.count;
        if let Some(update) = page.update {
            reporter.tell(update).await;
        }
        token = page.next;
        if token.is_none() {
            return Ok(Outcome::Databases { total });
        }
    }
}

/// A page as it is told.
struct Told {
    count: usize,
    update: Option<Update>,
    next: Option<String>,
}

fn told<T>(page: Page<T>, update: impl FnOnce(Vec<T>) -> Update) -> Told {
    Told {
        count: page.items.len(),
        next: page.next,
        update: (!page.items.is_empty()).then(|| update(page.items)),
    }
}

/// Each database by its name: what may be read is told, and of the rest why not. When none may be read, the refusal of
/// the whole list is the answer.
async fn by_name(
    glue: &Glue,
    names: &[String],
    only_names: bool,
    denied: Problem,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let asked = stream::iter(names.to_vec()).map(|name| {
        let glue = glue.clone();
        async move {
            let answer = glue.database(&name).await;
            (name, answer)
        }
    });
    let answers: Vec<_> = asked.buffered(ABREAST).collect().await;
    let total = answers.iter().filter(|(_, answer)| answer.is_ok()).count();
    if total == 0 {
        return Err(denied);
    }
    for (name, answer) in answers {
        let update = match answer {
            Ok(found) if only_names => Update::Names(vec![found.name]),
            Ok(found) => Update::Databases(vec![rows::database(found)]),
            Err(problem) => Update::Unreadable {
                database: name,
                problem: Box::new(problem),
            },
        };
        reporter.tell(update).await;
    }
    Ok(Outcome::Databases { total })
}

pub(super) async fn tables(
    scope: &Scope,
    aws: &Aws,
    database: &str,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let glue = aws.glue(&scope.region);
    let (mut total, mut token) = (0, None);
    loop {
        let page = glue.tables_page(database, token).await?;
        total += page.items.len();
        if !page.items.is_empty() {
            let rows = page
                .items
                .into_iter()
                .map(|table| rows::table(table, scope.granted.as_ref()))
                .collect();
            reporter.tell(Update::Tables(rows)).await;
        }
        token = page.next;
        if token.is_none() {
            return Ok(Outcome::Tables { total });
        }
    }
}

/// The tables of all databases, several asked for at a time and told in the order of the databases. What may not be read is told
/// in its place.
pub(super) async fn all_tables(
    scope: &Scope,
    aws: &Aws,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let mut walk = Walk::new(aws.glue(&scope.region));
    walk.through(None);
    let mut queue = Queue::default();
    let mut total = 0;
    while let Some(step) = walk.next().await {
        match step {
            Step::Databases(Ok(databases)) => {
                for database in databases.into_iter().filter(Database::is_own) {
                    queue.order.push_back(database.name.clone());
                    walk.enter(database.name, None);
                }
            }
            Step::Databases(Err(denied))
                if queue.order.is_empty() && is_access_denied(&denied) && !scope.databases.is_empty() =>
            {
                for name in &scope.databases {
                    queue.order.push_back(name.clone());
                    walk.enter(name.clone(), None);
                }
            }
            Step::Databases(Err(problem)) => return Err(problem),
            Step::Tables {
                database,
                tables: Ok(tables),
                last,
            } => {
                total += tables.len();
                let rows: Vec<TableRow> = tables
                    .into_iter()
                    .map(|table| rows::table(table, scope.granted.as_ref()))
                    .collect();
                let update = Update::TablesOf {
                    database: database.clone(),
                    rows,
                };
                queue.take(database, update, last);
            }
            Step::Tables {
                database,
                tables: Err(problem),
                ..
            } => {
                let update = Update::Unreadable {
                    database: database.clone(),
                    problem: Box::new(problem),
                };
                queue.take(database, update, true);
            }
        }
        for update in queue.ready() {
            reporter.tell(update).await;
        }
    }
    Ok(Outcome::Tables { total })
}

/// What has come of databases whose turn it is not yet.
#[derive(Default)]
struct Queue {
    order: VecDeque<String>,
    held: HashMap<String, (Vec<Update>, bool)>,
}

impl Queue {
    fn take(&mut self, database: String, update: Update, last: bool) {
        let (updates, ended) = self.held.entry(database).or_default();
        updates.push(update);
        *ended = last;
    }

    /// What can be told now: of the first database what there is of it, and of those after it as long as they are whole.
    fn ready(&mut self) -> Vec<Update> {
        let mut ready = Vec::new();
        while let Some((updates, ended)) = self.order.front().and_then(|first| self.held.get_mut(first)) {
            ready.append(updates);
            if !*ended {
                break;
            }
            if let Some(first) = self.order.pop_front() {
                self.held.remove(&first);
            }
        }
        ready
    }
}

pub(super) async fn table_names(
    scope: &Scope,
    aws: &Aws,
    database: &str,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let glue = aws.glue(&scope.region);
    let (mut total, mut token) = (0, None);
    loop {
        let page = glue.table_names_page(database, token).await?;
        total += page.items.len();
        if !page.items.is_empty() {
            reporter.tell(Update::Names(page.items)).await;
        }
        token = page.next;
        if token.is_none() {
            return Ok(Outcome::Tables { total });
        }
    }
}
