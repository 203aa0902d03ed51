//! Writing, in forms that cannot write: read-write must be allowed, read-only must be refused, action by action.
//!
//! What is asked for is invented each time, 128 random bits of it: a policy that is too wide lets the question through,
//! and there is nothing that it could hit. What has no such form, deleting objects, is asked of IAM's simulator where the
//! caller may ask it, else said to be unproven.

use super::super::by_policy;
use super::super::climb::{Climb, invented};
use super::super::mend;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use super::super::tries::{Part, Titles};
use super::tables::databases;
use crate::cloud::Tried;
use crate::domain::access::Access;
use crate::domain::problem::Problem;
use crate::domain::status::Status;
use crate::domain::text::scrub;
use crate::registry::Grant;
use async_trait::async_trait;

/// See the module.
pub(in crate::verify) struct Write;

#[async_trait]
impl Probe for Write {
    fn id(&self) -> RungId {
        RungId::Write
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Role]
    }

    fn after(&self) -> &'static [RungId] {
        &[RungId::Databases, RungId::List]
    }

    fn is_s3(&self) -> bool {
        true
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        let Some(grant) = &climb.grant else {
            return Verdict::skipped("no catalog and no storage integration, so nothing is granted");
        };
        let name = match invented() {
            Ok(name) => name,
            Err(problem) => return Verdict::refused(&problem),
        };
        let parts = tries(climb, grant, &name).await;
        verdict(grant, &parts).made_of(parts).of(
            climb.role_session().caller(),
            "s3:PutObject",
            format!("s3://{}/{}", grant.s3_path.bucket(), grant.s3_path.prefix()),
        )
    }
}

async fn tries(climb: &Climb, grant: &Grant, name: &str) -> Vec<Part> {
    let session = climb.role_session();
    let glue = session.glue(&climb.region);
    let path = &grant.s3_path;
    let key = format!("{}{name}", path.prefix());
    let s3 = session.s3(climb.bucket_region());
    let part = |title: &'static str, resource: String, tried: Result<Tried, Problem>| {
        judge(climb, grant, title, tried).of(session.caller(), title, resource)
    };
    let put = Part::of(RungId::Write, "s3:PutObject", async {
        let tried = s3.try_put(path.bucket(), &key).await;
        part("s3:PutObject", format!("s3://{}/{key}", path.bucket()), tried)
    });
    if grant.databases.is_none() {
        let (put, objects) = tokio::join!(put, by_policy::deletes(climb, grant, name));
        return vec![put, objects];
    }
    // A table is asked for in a database that the grant covers: its ARN is the one the policy speaks of.
    let database = databases(climb)
        .into_iter()
        .next()
        .unwrap_or_else(|| name.to_owned());
    let table = format!("{}.{name}", scrub(&database));
    let update = Part::of(RungId::Write, "glue:UpdateTable", async {
        let tried = glue.try_update_table(&database, name).await;
        part("glue:UpdateTable", format!("table {table}"), Ok(tried))
    });
    let delete = Part::of(RungId::Write, "glue:DeleteTable", async {
        let tried = glue.try_delete_table(&database, name).await;
        part("glue:DeleteTable", format!("table {table}"), Ok(tried))
    });
    // These two would make or hit something in a database that exists, so theirs is invented: outside of a grant that
    // names its databases, where a refusal proves little.
    let elsewhere = |mut verdict: Verdict| {
        if !grant.named_databases().is_empty() && (verdict.status == Status::Passed || verdict.denied) {
            let said = "refused for an invented database; not proven for the named ones";
            verdict = Verdict::skipped(said);
        }
        verdict
    };
    let create = Part::of(RungId::Write, "glue:CreateTable", async {
        let tried = glue.try_create_table(name, name).await;
        elsewhere(part(
            "glue:CreateTable",
            format!("table {name}.{name}"),
            Ok(tried),
        ))
    });
    let drop = Part::of(RungId::Write, "glue:DeleteDatabase", async {
        let tried = glue.try_delete_database(name).await;
        elsewhere(part("glue:DeleteDatabase", format!("database {name}"), Ok(tried)))
    });
    let objects = by_policy::deletes(climb, grant, name);
    let (put, create, update, delete, drop, objects) =
        tokio::join!(put, create, update, delete, drop, objects);
    let [create, drop] = by_policy::in_named(climb, grant, [create, drop]).await;
    vec![put, create, update, delete, drop, objects]
}

fn judge(climb: &Climb, grant: &Grant, action: &'static str, tried: Result<Tried, Problem>) -> Verdict {
    let tried = match tried {
        Ok(tried) => tried,
        // The probe left something behind: that is worth a failure of its own.
        Err(problem) => return Verdict::refused(&problem),
    };
    match (grant.access, &tried) {
        (Access::ReadOnly, _) => Verdict::of_forbidden(
            &tried,
            &format!("Allowed, though the {} is read-only", grant.holder.noun()),
            mend::too_wide(climb, grant, action),
            "Refused, as asked",
        ),
        (Access::ReadWrite, Tried::Allowed) => Verdict::passed("Allowed"),
        (Access::ReadWrite, Tried::Refused(problem)) => Verdict::refused(problem),
        (Access::ReadWrite, Tried::Unclear(problem)) => Verdict::unproven(problem),
    }
}

fn verdict(grant: &Grant, parts: &[Part]) -> Verdict {
    let (access, what) = (grant.access, grant.holder.noun());
    let titles = Titles::of(parts);
    if !titles.failed.is_empty() {
        return Verdict::failed_for(match access {
            Access::ReadOnly => format!(
                "The {what} is read-only, but the role may do more: {}",
                titles.failed
            ),
            Access::ReadWrite => format!("The {what} is read-write, but refused is: {}", titles.failed),
        });
    }
    if titles.passed.is_empty() {
        return Verdict::warning(
            "Not proven: no try came to an answer",
            "Verify again; the single tries say what came in between",
        );
    }
    Verdict::passed(match access {
        Access::ReadOnly => format!("Refused, as asked: {}", titles.proven()),
        Access::ReadWrite => format!("Allowed: {}", titles.proven()),
    })
}
