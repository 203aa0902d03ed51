//! `s3:ListBucket` below the granted prefix. What is asked ends in `/`: without it, siblings that share the first
//! letters would be listed too, and the grant rightly refuses that.

use super::super::climb::Climb;
use super::super::mend;
use super::super::place::Place;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use crate::cloud::s3::S3;
use crate::cloud::{NO_POINT, has_code};
use crate::domain::amount::counted;
use async_trait::async_trait;

/// As many keys are asked for: enough to find one that can be read.
const KEYS: usize = 50;

/// See the module.
pub(in crate::verify) struct List;

#[async_trait]
impl Probe for List {
    fn id(&self) -> RungId {
        RungId::List
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Role]
    }

    fn is_s3(&self) -> bool {
        true
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        let Some(grant) = &climb.grant else {
            return Verdict::skipped("no catalog and no storage integration, so no prefix");
        };
        let path = &grant.s3_path;
        let session = climb.role_session();
        let s3 = session.s3(climb.bucket_region());
        let ask = |s3: S3| async move { s3.list(path.bucket(), path.prefix(), KEYS).await };
        let (s3, answer) = s3.of_bucket(path.bucket(), ask).await;
        if s3.region() != climb.bucket_region() {
            // A second try of this rung finds the cell set, with the same region.
            let _ = climb.bucket_region.set(s3.region().clone());
        }
        let verdict = match answer {
            // By its alias it is asked for as a bucket is.
            Err(problem)
                if has_code(&problem, NO_POINT)
                    || (path.point().is_some() && has_code(&problem, "NoSuchBucket")) =>
            {
                Verdict::failed(
                    format!(
                        "There is no such access point: {} ({})",
                        path.object_arn(climb.role.partition(), ""),
                        problem.detail.code.as_deref().unwrap_or(NO_POINT)
                    ),
                    mend::no_point(path, &grant.holder),
                )
            }
            Err(problem) => Verdict::refused(&problem),
            Ok(listing) => {
                let number = listing.objects.len() as u64;
                let text = match (number, listing.truncated) {
                    (0, _) => "Allowed; there is no object yet".to_owned(),
                    (number, true) => format!("{number} objects and more"),
                    (number, false) => counted(number, "object", "objects"),
                };
                let _ = climb
                    .objects
                    .set(listing.objects.into_iter().map(|o| (o.key, o.size)).collect());
                match climb.bucket_region.get() {
                    // A storage integration has no region of its own to differ from.
                    Some(own) if *own != climb.region && grant.databases.is_some() => Verdict::warning(
                        format!("{text}; the bucket is in {own}, the catalog in {}", climb.region),
                        "Engines must be told the bucket's region, and traffic between regions costs",
                    ),
                    _ => Verdict::passed(text),
                }
            }
        };
        let place = Place::Keys(path.bucket().to_owned(), path.prefix().to_owned());
        verdict.at(climb, session.caller(), "s3:ListBucket", place)
    }
}
