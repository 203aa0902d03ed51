//! Beside the grant: what was not asked for must be refused. The root of the bucket, keys that share the prefix's first
//! letters, an object known to lie elsewhere, a database that was not named.

use super::super::climb::{Climb, invented};
use super::super::mend;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use super::super::tries::{Part, Titles};
use crate::cloud::Tried;
use crate::domain::problem::Problem;
use crate::domain::s3_path::S3Location;
use crate::domain::text::scrub;
use crate::registry::Grant;
use async_trait::async_trait;

const OF: RungId = RungId::Neighbour;

/// See the module.
pub(in crate::verify) struct Neighbour;

#[async_trait]
impl Probe for Neighbour {
    fn id(&self) -> RungId {
        OF
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Role]
    }

    fn after(&self) -> &'static [RungId] {
        &[RungId::Tables, RungId::List]
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
        let (bucket, object, database) = tokio::join!(
            in_bucket(climb, grant, &name),
            known_object(climb, grant),
            other_database(climb, grant, &name),
        );
        let mut parts = bucket;
        parts.extend([object, database].into_iter().flatten());
        verdict(&parts).made_of(parts).of(
            climb.role_session().caller(),
            "s3:ListBucket",
            format!("s3://{}/", grant.s3_path.bucket()),
        )
    }
}

/// The rest of the bucket: nothing, where the grant is all of it.
async fn in_bucket(climb: &Climb, grant: &Grant, name: &str) -> Vec<Part> {
    let path = &grant.s3_path;
    if let Some(whole) = climb
        .grants()
        .find(|grant| grant.s3_path.bucket() == path.bucket() && grant.s3_path.whole_bucket())
    {
        let why = format!(
            "there is no neighbour in the bucket: {} was asked for whole by {}",
            path.bucket(),
            whole.holder
        );
        return vec![Part::skipped(OF, "outside the prefix", why)];
    }
    let session = climb.role_session();
    let s3 = session.s3(climb.bucket_region());
    let bucket = path.bucket();
    // Without its slash the prefix also covers every neighbour whose name begins with the same letters.
    let bare = path.prefix().trim_end_matches('/').to_owned();
    let key = format!("{bare}_{name}");
    let list = |title: &'static str, prefix: String| {
        let s3 = &s3;
        Part::of(OF, title, async move {
            let tried = Tried::of(s3.list(bucket, &prefix, 1).await);
            judge(climb, grant, "s3:ListBucket", Ok(tried)).of(
                session.caller(),
                "s3:ListBucket",
                format!("s3://{bucket}/{prefix}"),
            )
        })
    };
    let put = Part::of(OF, "write beside the prefix", async {
        let tried = s3.try_put(bucket, &key).await;
        judge(climb, grant, "s3:PutObject", tried).of(
            session.caller(),
            "s3:PutObject",
            format!("s3://{bucket}/{key}"),
        )
    });
    let (root, sibling, put) = tokio::join!(
        list("list the bucket's root", String::new()),
        list("list beside the prefix", bare.clone()),
        put
    );
    vec![root, sibling, put]
}

/// An object that a table names and that no grant of the role covers.
async fn known_object(climb: &Climb, grant: &Grant) -> Option<Part> {
    let title = "read an object elsewhere";
    let tables = climb.tables.get().map(Vec::as_slice).unwrap_or_default();
    let outside = tables
        .iter()
        .filter_map(|found| Some(S3Location::new(found.table.metadata_location()?)))
        .find(|location| {
            location.bucket().is_some() && !climb.grants().any(|grant| grant.s3_path.contains(location))
        });
    let Some((bucket, key)) = outside
        .as_ref()
        .and_then(|location| Some((location.bucket()?, location.key())))
    else {
        return Some(Part::skipped(
            OF,
            title,
            "not proven: no object outside the grant is known by name",
        ));
    };
    let session = climb.role_session();
    let s3 = session.s3(climb.bucket_region());
    let resource = format!("s3://{}/{}", scrub(bucket), scrub(key));
    let part = Part::of(OF, title, async {
        let answer = s3.get_range(bucket, key, 0..=0).await;
        let verdict = match Tried::of(answer) {
            Tried::Unclear(problem) if crate::cloud::has_code(&problem, "PermanentRedirect") => {
                Verdict::skipped(format!(
                    "not proven: the bucket of {resource} is in another region"
                ))
            }
            tried => judge(climb, grant, "s3:GetObject", Ok(tried)),
        };
        verdict.of(session.caller(), "s3:GetObject", resource.clone())
    });
    Some(part.await)
}

/// A database that was not named, where some were; any at all, where nothing of Glue was asked for.
async fn other_database(climb: &Climb, grant: &Grant, name: &str) -> Option<Part> {
    if climb.grants().any(Grant::all_databases) {
        return None;
    }
    let title = if climb.grants().any(|grant| grant.databases.is_some()) {
        "another database"
    } else {
        "a Glue database"
    };
    let session = climb.role_session();
    let part = Part::of(OF, title, async {
        let tried = Tried::of(session.glue(&climb.region).table(name, name).await);
        judge(climb, grant, "glue:GetTable", Ok(tried)).of(
            session.caller(),
            "glue:GetTable",
            format!("table {name}.{name}"),
        )
    });
    Some(part.await)
}

fn judge(climb: &Climb, grant: &Grant, action: &str, tried: Result<Tried, Problem>) -> Verdict {
    match tried {
        Err(problem) => Verdict::refused(&problem),
        Ok(tried) => Verdict::of_forbidden(
            &tried,
            "Allowed, though it was not asked for",
            mend::too_wide(climb, grant, action),
            "Refused, as it should be",
        ),
    }
}

fn verdict(parts: &[Part]) -> Verdict {
    let titles = Titles::of(parts);
    if !titles.failed.is_empty() {
        return Verdict::failed_for(format!(
            "The role reaches beyond what was asked: {}",
            titles.failed
        ));
    }
    if titles.passed.is_empty() {
        // The single reason is the answer: a grant of the whole bucket has no neighbour.
        let why = parts.first().map(|part| part.verdict.answer.clone());
        return Verdict::skipped(why.unwrap_or_default());
    }
    Verdict::passed(format!("Refused, as it should be: {}", titles.proven()))
}
