//! The door that engines without a Glue client use: Glue's Iceberg REST endpoint, its configuration and namespaces.

use super::super::climb::Climb;
use super::super::place::Place;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use crate::cloud::{has_code, is_not_found};
use crate::domain::amount::counted;
use async_trait::async_trait;

/// See the module.
pub(in crate::verify) struct Rest;

#[async_trait]
impl Probe for Rest {
    fn id(&self) -> RungId {
        RungId::Rest
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Role]
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        let session = climb.role_session();
        let rest = session.rest(&climb.region);
        let uri = rest.uri();
        let account = climb.role.account();
        let prefix = match rest.config(&account).await {
            Ok(prefix) => prefix,
            // Only an endpoint that is not AWS's lacks the door.
            Err(problem)
                if session.endpoint("GLUE").is_some()
                    && (is_not_found(&problem) || has_code(&problem, "UnknownOperationException")) =>
            {
                return Verdict::skipped(format!("not tried: there is no Iceberg REST endpoint at {uri}"));
            }
            Err(problem) => {
                return Verdict::refused(&problem)
                    .of(session.caller(), "glue:GetCatalog", format!("{uri}/v1/config"))
                    .at(climb, session.caller(), "glue:GetCatalog", Place::Catalog);
            }
        };
        let verdict = match rest.namespaces(&prefix).await {
            Ok(found) if found.is_empty() => Verdict::warning(
                "The endpoint answers, and shows no namespace",
                "The catalog is empty, it is in another region, or Lake Formation shows this role nothing",
            ),
            Ok(found) => Verdict::passed(format!(
                "The endpoint answers, with {} on its first page",
                counted(found.len() as u64, "namespace", "namespaces")
            )),
            Err(problem) => Verdict::refused(&problem),
        };
        verdict
            .of(
                session.caller(),
                "glue:GetDatabases",
                format!("{uri}/v1/{prefix}"),
            )
            .at(climb, session.caller(), "glue:GetDatabases", Place::Catalog)
    }
}
