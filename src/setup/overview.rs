//! Everything on record, for the home screen and the lists: read from disk only, so that the first frame waits for nobody.

use crate::domain::problem::Problem;
use crate::registry::{self, Grant, Subject};
use crate::session::Session;
use crate::setup::{CatalogRow, ConnectionRow, Outcome, Overview, StorageRow, rules};

/// Reads all records. One that cannot be read is told beside the others, it hides none of them.
///
/// # Errors
/// When the home itself or the organization's record cannot be read.
pub async fn run(session: &Session) -> Result<Outcome, Problem> {
    let home = &session.home;
    let (organization, platform) = rules::organization(session)?;
    let connections = home.connections()?;
    let catalogs = home.catalogs()?;
    let storages = home.storages()?;
    let role = match session.signed_in() {
        // Who has signed in without being asked by name yet is not asked now: that would be a call.
        Some(aws) => aws.caller().map(|arn| (organization.role_of(&arn), arn)),
        None => None,
    };
    let connection_rows = connections
        .records
        .iter()
        .map(|stored| ConnectionRow {
            connection: stored.record.clone(),
            catalogs: catalogs
                .records
                .iter()
                .filter(|c| c.connection == stored.name)
                .map(|c| c.name.clone())
                .collect(),
            storages: storages
                .records
                .iter()
                .filter(|s| s.connection == stored.name)
                .map(|s| s.name.clone())
                .collect(),
            verdict: home.verdict(&Subject::Connection(stored.name.clone())),
        })
        .collect();
    let catalog_rows = catalogs
        .records
        .iter()
        .map(|stored| {
            let serving = connections.named(stored.connection.as_str()).map(|s| &s.record);
            let verdict = home.verdict(&Subject::Catalog(stored.name.clone()));
            CatalogRow {
                stage: registry::stage(&Grant::from(&stored.record), serving, verdict.as_ref()),
                verdict,
                catalog: stored.record.clone(),
            }
        })
        .collect();
    let storage_rows = storages
        .records
        .iter()
        .map(|stored| {
            let serving = connections.named(stored.connection.as_str()).map(|s| &s.record);
            let verdict = home.verdict(&Subject::Storage(stored.name.clone()));
            StorageRow {
                stage: registry::stage(&Grant::from(&stored.record), serving, verdict.as_ref()),
                verdict,
                storage: stored.record.clone(),
            }
        })
        .collect();
    Ok(Outcome::Overview(Box::new(Overview {
        organization,
        platform: platform.clone(),
        role,
        connections: connection_rows,
        catalogs: catalog_rows,
        storages: storage_rows,
        broken: connections
            .broken
            .into_iter()
            .chain(catalogs.broken)
            .chain(storages.broken)
            .collect(),
        drafts: home.drafts(),
        bookmarks: home.bookmarks(),
    })))
}
