//! Beside the grant: what was not asked for must be refused. The root of the bucket, keys that share the prefix's first
//! letters, an object known to lie elsewhere, a database that was not named.

use super::super::asks::{self, Ask};
use super::super::by_policy;
use super::super::climb::{Climb, invented};
use super::super::mend;
use super::super::place::Place;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use super::super::tries::{Basics, Part};
use crate::cloud::{Tried, is_elsewhere};
use crate::domain::problem::Problem;
use crate::domain::s3_path::S3Location;
use crate::registry::Grant;
use async_trait::async_trait;
use futures_util::future::join_all;

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
        let asks = asks::neighbours(climb, grant, &name);
        let tries = asks
            .iter()
            .filter(|ask| ask.tried)
            .map(|ask| one(climb, grant, ask));
        let (tried, object) = tokio::join!(join_all(tries), known_object(climb, grant));
        let mut parts = asks::given(climb, grant, &name);
        parts.extend(tried);
        parts.extend(object);
        parts.extend(by_policy::untried_neighbours(climb, grant).await);
        let root = Place::Keys(grant.s3_path.bucket().to_owned(), String::new());
        Basics::of(&parts).neighbours().made_of(parts).at(
            climb,
            climb.role_session().caller(),
            "s3:ListBucket",
            root,
        )
    }
}

/// Tries something that must be refused. Each has a form that neither writes nor reads anything that is there: what it asks
/// for is invented, or a listing of one key.
async fn one(climb: &Climb, grant: &Grant, ask: &Ask) -> Part {
    let session = climb.role_session();
    let s3 = session.s3(climb.bucket_region());
    Part::of(OF, ask.title, async {
        let tried = match (&ask.place, ask.action) {
            (Place::Keys(bucket, prefix), _) => Ok(Tried::of(s3.list(bucket, prefix, 1).await)),
            (Place::Object(bucket, key), "s3:PutObject") => s3.try_put(bucket, key).await,
            (Place::Object(bucket, key), _) => Ok(s3.try_get(bucket, key).await),
            (Place::Table(database, name), _) => {
                Ok(Tried::of(session.glue(&climb.region).table(database, name).await))
            }
            (Place::Catalog | Place::Database(_) | Place::Key(..) | Place::Arn(_), _) => {
                return Verdict::skipped("not proven: it has no form that could be tried");
            }
        };
        judge(climb, grant, ask.action, &ask.place, tried).at(
            climb,
            session.caller(),
            ask.action,
            ask.place.clone(),
        )
    })
    .await
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
    let place = Place::Object(bucket.to_owned(), key.to_owned());
    let part = Part::of(OF, title, async {
        let answer = s3.get_range(bucket, key, 0..=0).await;
        let verdict = match Tried::of(answer) {
            Tried::Unclear(problem) if is_elsewhere(&problem) => Verdict::skipped(format!(
                "not proven: the bucket of {} is in another region",
                place.text(climb)
            )),
            tried => judge(climb, grant, "s3:GetObject", &place, Ok(tried)),
        };
        verdict.at(climb, session.caller(), "s3:GetObject", place.clone())
    });
    Some(part.await)
}

fn judge(
    climb: &Climb,
    grant: &Grant,
    action: &'static str,
    place: &Place,
    tried: Result<Tried, Problem>,
) -> Verdict {
    match tried {
        Err(problem) => Verdict::refused(&problem),
        Ok(tried) => Verdict::of_forbidden(
            &tried,
            "Allowed, though it was not asked for",
            mend::too_wide(climb, grant, action, place),
            "Refused, as it should be",
        ),
    }
}
