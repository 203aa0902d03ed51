//! `glue:GetTables`, or `glue:GetTable` for a platform that never lists.

use super::super::by_policy;
use super::super::climb::{Climb, Found};
use super::super::key;
use super::super::place::Place;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use crate::cloud::is_not_found;
use crate::domain::amount::counted;
use crate::domain::text::scrub;
use async_trait::async_trait;
use futures_util::{StreamExt, stream};

/// As many databases are asked; more would cost calls and prove nothing new.
const DATABASES: usize = 8;
/// A table that nobody has.
const INVENTED: &str = "glueup_probe_no_such_table";

/// See the module.
pub(in crate::verify) struct Tables;

#[async_trait]
impl Probe for Tables {
    fn id(&self) -> RungId {
        RungId::Tables
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Role, RungId::Databases]
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        let (verdict, needed) = tokio::join!(
            async {
                if climb.platform.needs(RungId::Databases.as_str()) {
                    listed(climb).await
                } else {
                    named(climb).await
                }
            },
            async {
                match &climb.grant {
                    Some(grant) => Box::pin(by_policy::needed(climb, grant)).await,
                    None => None,
                }
            }
        );
        by_policy::with_needed(verdict, needed)
    }
}

/// The databases to ask: those that are granted by name, else those that were found and are no links.
pub(super) fn databases(climb: &Climb) -> Vec<String> {
    let granted = climb
        .grant
        .as_ref()
        .map(|grant| grant.named_databases().to_vec())
        .unwrap_or_default();
    if !granted.is_empty() {
        return granted;
    }
    let found = climb.databases.get().map(Vec::as_slice).unwrap_or_default();
    found
        .iter()
        .filter(|d| d.is_own())
        .map(|d| d.name.clone())
        .collect()
}

async fn listed(climb: &Climb) -> Verdict {
    let session = climb.role_session();
    let glue = session.glue(&climb.region);
    let databases = databases(climb);
    if databases.is_empty() {
        return Verdict::skipped("not tried: there is no database to list");
    }
    let total = databases.len() as u64;
    let (now, later) = databases.split_at(databases.len().min(DATABASES));
    let pages = stream::iter(now.iter().cloned().map(|database| {
        let glue = &glue;
        async move {
            let page = glue.tables_page(&database, None).await;
            (database, page)
        }
    }))
    .buffered(DATABASES)
    .collect::<Vec<_>>()
    .await;
    let mut found = Vec::new();
    let mut unlisted: Vec<(String, Option<String>)> = Vec::new();
    let asked = now.len() as u64;
    for (database, page) in pages {
        match page {
            Ok(page) => {
                if page.next.is_some() {
                    unlisted.push((database.clone(), page.next));
                }
                found.extend(page.items.into_iter().map(|table| Found {
                    database: database.clone(),
                    table,
                }));
            }
            Err(problem) => {
                let words = format!("database {}", scrub(&database));
                let place = Place::Table(database, INVENTED.to_owned());
                return Verdict::refused(&problem)
                    .of(session.caller(), "glue:GetTables", words)
                    .at(climb, session.caller(), "glue:GetTables", place);
            }
        }
    }
    let pages = !unlisted.is_empty();
    unlisted.extend(later.iter().map(|database| (database.clone(), None)));
    // There may be more databases than the first page that was read.
    let complete = unlisted.is_empty() && climb.further_databases().is_none();
    let tables = counted(found.len() as u64, "table", "tables");
    let place = place(asked, total, climb.further_databases().is_some());
    let verdict = if found.is_empty() {
        Verdict::warning(
            format!("No table is visible in {place}"),
            "The databases are empty, or Lake Formation shows this role nothing",
        )
    } else if complete {
        Verdict::passed(format!("{tables} in {place}"))
    } else {
        // This rung proves that it may ask; `locations` is the one that counts.
        let more = if pages { " and more" } else { "" };
        Verdict::passed(format!(
            "{tables}{more} in {place}; {} counts all",
            RungId::Locations.title()
        ))
    };
    if complete {
        // A second try of this rung finds the cell set, with the same number.
        let _ = climb.table_count.set(found.len() as u64);
    }
    let _ = climb.tables.set(found);
    let _ = climb.unlisted.set(unlisted);
    verdict.of(
        session.caller(),
        "glue:GetTables",
        format!("the Glue catalog in {}", climb.region),
    )
}

/// The databases that were asked, and of how many they are the first.
fn place(asked: u64, total: u64, further: bool) -> String {
    match (asked < total, further) {
        (false, false) => counted(asked, "database", "databases"),
        (_, true) => format!("the first {asked} of more than {total} databases"),
        (true, false) => format!("the first {asked} of {total} databases"),
    }
}

/// Asks for a table that cannot exist: not found means allowed.
async fn named(climb: &Climb) -> Verdict {
    let session = climb.role_session();
    let database = databases(climb)
        .into_iter()
        .next()
        .unwrap_or_else(|| "default".to_owned());
    let verdict = match session.glue(&climb.region).table(&database, INVENTED).await {
        Ok(_) => Verdict::passed("glue:GetTable answers"),
        Err(problem) if is_not_found(&problem) => {
            Verdict::passed("glue:GetTable is allowed (asked for a table that does not exist)")
        }
        Err(problem) => Verdict::refused(&problem),
    };
    let place = Place::Table(database, INVENTED.to_owned());
    let verdict = verdict.at(climb, session.caller(), "glue:GetTable", place);
    Box::pin(key::beside(climb, verdict)).await
}
