//! Listings, page by page. Only the absence of a token ends one: a page may be empty and have a successor.

use super::request::{Outcome, Update};
use super::rows;
use super::scope::Scope;
use crate::cloud::glue::{Glue, Page};
use crate::cloud::{Aws, is_access_denied};
use crate::domain::glue::Database;
use crate::domain::problem::Problem;
use crate::report::Reporter;
use futures_util::future::join;
use futures_util::{StreamExt, stream};

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
    let mut total = 0;
    let mut page = glue.tables_page(database, None).await?;
    loop {
        total += page.items.len();
        let tell = async {
            if page.items.is_empty() {
                return;
            }
            let found = page.items.into_iter();
            let rows = found
                .map(|table| rows::table(table, scope.granted.as_ref()))
                .collect();
            reporter.tell(Update::Tables(rows)).await;
        };
        let Some(token) = page.next else {
            tell.await;
            return Ok(Outcome::Tables { total });
        };
        // The next page is on its way while this one is looked at.
        let (next, ()) = join(glue.tables_page(database, Some(token)), tell).await;
        page = next?;
    }
}

pub(super) async fn table_names(
    scope: &Scope,
    aws: &Aws,
    database: &str,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let glue = aws.glue(&scope.region);
    let mut total = 0;
    let mut page = glue.table_names_page(database, None).await?;
    loop {
        total += page.items.len();
        let tell = async {
            if !page.items.is_empty() {
                reporter.tell(Update::Names(page.items)).await;
            }
        };
        let Some(token) = page.next else {
            tell.await;
            return Ok(Outcome::Tables { total });
        };
        let (next, ()) = join(glue.table_names_page(database, Some(token)), tell).await;
        page = next?;
    }
}
