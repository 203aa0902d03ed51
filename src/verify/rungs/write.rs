//! Writing, in forms that cannot write: read-write must be allowed, read-only must be refused, action by action.
//!
//! What is asked for is invented each time, 128 random bits of it: a policy that is too wide lets the question through,
//! and there is nothing that it could hit. What has no such form, deleting objects, is asked of IAM's simulator where the
//! caller may ask it, else said to be unproven.

use super::super::by_policy;
use super::super::climb::{Climb, invented};
use super::super::mend;
use super::super::place::Place;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use super::super::tries::{Basics, Part};
use super::tables::databases;
use crate::cloud::Tried;
use crate::domain::access::Access;
use crate::domain::problem::Problem;
use crate::domain::status::Status;
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
    let part = |action: &'static str, place: Place, tried: Result<Tried, Problem>| {
        judge(climb, grant, action, &place, tried).at(climb, session.caller(), action, place)
    };
    let put = Part::of(RungId::Write, "s3:PutObject", async {
        let tried = s3.try_put(path.bucket(), &key).await;
        let place = Place::Object(path.bucket().to_owned(), key.clone());
        part("s3:PutObject", place, tried)
    });
    if grant.databases.is_none() {
        let tried = vec![put.await];
        return by_policy::untried_writes(climb, grant, tried).await;
    }
    // A table is asked for in a database that the grant covers: its ARN is the one the policy speaks of.
    let database = databases(climb)
        .into_iter()
        .next()
        .unwrap_or_else(|| name.to_owned());
    let table = Place::Table(database.clone(), name.to_owned());
    let update = Part::of(RungId::Write, "glue:UpdateTable", async {
        let tried = glue.try_update_table(&database, name).await;
        part("glue:UpdateTable", table.clone(), Ok(tried))
    });
    let delete = Part::of(RungId::Write, "glue:DeleteTable", async {
        let tried = glue.try_delete_table(&database, name).await;
        part("glue:DeleteTable", table.clone(), Ok(tried))
    });
    let create = Part::of(RungId::Write, "glue:CreateTable", async {
        let tried = glue.try_create_table(name, name).await;
        let place = Place::Table(name.to_owned(), name.to_owned());
        elsewhere(grant, part("glue:CreateTable", place, Ok(tried)))
    });
    let drop = Part::of(RungId::Write, "glue:DeleteDatabase", async {
        let tried = glue.try_delete_database(name).await;
        let place = Place::Database(name.to_owned());
        elsewhere(grant, part("glue:DeleteDatabase", place, Ok(tried)))
    });
    let (put, create, update, delete, drop) = tokio::join!(put, create, update, delete, drop);
    let tried = vec![put, create, update, delete, drop];
    by_policy::untried_writes(climb, grant, tried).await
}

/// Two would make or hit something in a database that exists, so theirs is invented: outside of a grant that names its
/// databases, where what is as it should be proves little of those.
fn elsewhere(grant: &Grant, verdict: Verdict) -> Verdict {
    if grant.named_databases().is_empty() || !(verdict.status == Status::Passed || verdict.denied) {
        return verdict;
    }
    let was = match verdict.denied || grant.access == Access::ReadOnly {
        true => "refused",
        false => "allowed",
    };
    Verdict::skipped(format!(
        "{was} for an invented database; not proven for the named ones"
    ))
}

fn judge(
    climb: &Climb,
    grant: &Grant,
    action: &'static str,
    place: &Place,
    tried: Result<Tried, Problem>,
) -> Verdict {
    let tried = match tried {
        Ok(tried) => tried,
        // The probe left something behind: that is worth a failure of its own.
        Err(problem) => return Verdict::refused(&problem),
    };
    match (grant.access, &tried) {
        (Access::ReadOnly, _) => Verdict::of_forbidden(
            &tried,
            &format!("Allowed, though the {} is read-only", grant.holder.noun()),
            mend::too_wide(climb, grant, action, place),
            "Refused, as asked",
        ),
        (Access::ReadWrite, Tried::Allowed) => Verdict::passed("Allowed"),
        (Access::ReadWrite, Tried::Refused(problem)) => Verdict::refused(problem),
        (Access::ReadWrite, Tried::Unclear(problem)) => Verdict::unproven(problem),
    }
}

fn verdict(grant: &Grant, parts: &[Part]) -> Verdict {
    // What has no form that could be tried may not be known for want of the bucket's policy.
    let verdict = by_policy::reserved(Basics::of(parts).writes(grant), grant, parts);
    if verdict.status != Status::Skipped {
        return verdict;
    }
    Verdict::warning(
        "Not proven: no try came to an answer",
        "Verify again; the single tries say what came in between",
    )
}
