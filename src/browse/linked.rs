//! What a resource link leads to: a table of another database, account or region.

use crate::cloud::Aws;
use crate::domain::glue::{ResourceLink, Table};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::text::scrub;

/// The table that a link leads to, and the region that it lies in.
pub(super) struct Target {
    /// The table.
    pub table: Table,
    /// Where its Glue is, and most often its files.
    pub region: Region,
}

/// Reads the target of a link, as the caller of the link: it takes a right in both places.
pub(super) async fn target(aws: &Aws, own: &Region, link: &ResourceLink) -> Result<Target, Problem> {
    let (Some(database), Some(name)) = (link.database.as_deref(), link.table.as_deref()) else {
        return Err(torn("it names no table"));
    };
    let region = match link.region.as_deref().map(str::parse) {
        None => own.clone(),
        Some(Ok(region)) => region,
        Some(Err(invalid)) => {
            let invalid: crate::domain::invalid::Invalid = invalid;
            return Err(torn(&invalid.to_string()));
        }
    };
    let catalog = link.catalog_id.as_deref();
    match aws.glue(&region).table_of(catalog, database, name).await {
        Ok(table) => Ok(Target { table, region }),
        Err(problem) => Err(unread(problem, &region, catalog, &format!("{database}/{name}"))),
    }
}

fn torn(why: &str) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        "The link leads nowhere",
        why,
        "Whoever keeps the link can make it anew",
    )
}

/// What AWS says names the target's account, or nobody's: the target's own name stands before it in any case.
fn unread(problem: Problem, region: &Region, catalog: Option<&str>, path: &str) -> Problem {
    let account = catalog.unwrap_or("…");
    let arn = format!("arn:{}:glue:{region}:{account}:table/{path}", region.partition());
    let arn = scrub(&arn);
    let (why, next) = match problem.kind {
        Kind::NotFound => (
            "there is no such table".to_owned(),
            "Whoever keeps the link can point it to a table that is there, or drop it".to_owned(),
        ),
        _ => (format!("{}. {}", problem.what, problem.why), problem.next),
    };
    let mut detail = *problem.detail;
    if !detail
        .resource
        .as_deref()
        .is_some_and(|named| named.contains(account))
    {
        detail.resource = Some(arn.clone());
    }
    Problem {
        what: "The table that the link leads to cannot be read".to_owned(),
        why: format!("{arn}: {why}"),
        next,
        detail: Box::new(detail),
        ..problem
    }
}
