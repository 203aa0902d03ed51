//! `glue:GetDatabases` with the connection role.

use super::super::climb::Climb;
use super::super::place::Place;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use crate::domain::amount::counted;
use async_trait::async_trait;

/// See the module.
pub(in crate::verify) struct Databases;

#[async_trait]
impl Probe for Databases {
    fn id(&self) -> RungId {
        RungId::Databases
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Role]
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        let session = climb.role_session();
        let glue = session.glue(&climb.region);
        let mut token = None;
        let verdict = loop {
            let page = match glue.databases_page(token).await {
                Ok(page) => page,
                Err(problem) => break Verdict::refused(&problem),
            };
            // Lake Formation may empty a page and still go on.
            if page.items.is_empty() && page.next.is_some() {
                token = page.next;
                continue;
            }
            if page.items.is_empty() {
                // A second try of this rung finds the cell set; nothing was found then either.
                let _ = climb.databases.set(Vec::new());
                break Verdict::warning(
                    format!("No database is visible in {}", climb.region),
                    "The catalog is empty, it is in another region, or Lake Formation shows this role nothing",
                );
            }
            let number = counted(page.items.len() as u64, "database", "databases");
            let more = if page.next.is_some() { " and more" } else { "" };
            let _ = climb.databases.set(page.items);
            let _ = climb.more_databases.set(page.next);
            break Verdict::passed(format!("{number}{more}"));
        };
        verdict.at(climb, session.caller(), "glue:GetDatabases", Place::Catalog)
    }
}
