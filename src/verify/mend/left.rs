//! What S3 refused without a word on why: what of it the role's own policies do not explain.

use super::super::by_policy::{self, OfBucket};
use super::super::climb::Climb;
use super::super::place::{Asked, Place};
use super::super::rung::Verdict;
use super::show_policies;
use crate::cloud::{RefusedBy, remedy_for_denial};
use crate::domain::problem::Detail;
use crate::registry::Grant;

/// What Lake Formation does to who reads S3 by itself.
pub(in crate::verify) const GOVERNED: &str = "Lake Formation, which hands out the files to engines that ask it for credentials \
    (Athena, EMR, Glue ETL), and not to those that read S3 themselves: for these the location needs hybrid access mode";

/// Whether S3 refused without saying who did.
pub(super) fn is_unexplained(verdict: &Verdict) -> bool {
    let of_s3 = |asked: &Asked| asked.action.starts_with("s3:");
    verdict.denied
        && matches!(verdict.by, None | Some((RefusedBy::Unsaid, _)))
        && !verdict.asked.is_empty()
        && verdict.asked.iter().all(of_s3)
}

/// What can have refused what the role's own policies allow: to put such a policy in place again would change nothing.
/// `None` where they do not allow it, or where that is not known.
pub(super) async fn causes(climb: &Climb, grant: &Grant, verdict: &Verdict) -> Option<String> {
    let of_bucket = by_policy::beside_own(climb, grant, &verdict.asked).await?;
    let asked = verdict.asked.first()?;
    let point = grant.s3_path.point();
    // Through an access point both policies count, its own and the bucket's.
    let of = match point {
        Some(point) => format!("of the access point {}, or of its bucket", point.arn.name()),
        None => format!("of the bucket {}", grant.s3_path.bucket()),
    };
    if of_bucket == OfBucket::Refuses {
        let detail = Detail {
            caller: verdict.caller.clone(),
            resource: Some(asked.place.told(climb)),
            ..Detail::default()
        };
        return Some(remedy_for_denial(
            RefusedBy::Resource,
            true,
            asked.action,
            &detail,
            "",
        ));
    }
    let and_the_bucket = match of_bucket {
        OfBucket::Lets if point.is_some() => {
            ", and those of the access point and its bucket do not refuse it"
        }
        OfBucket::Lets => ", and the bucket's does not refuse it",
        _ => "",
    };
    let mut causes = Vec::new();
    let show = format!("\n{}", show_policies(&grant.s3_path));
    match of_bucket {
        OfBucket::Unseen(why) => {
            causes.push(format!("the policy {of}, not shown here ({why}):{show}"));
        }
        OfBucket::Hangs(keys) => {
            causes.push(format!("the policy {of}, where it hangs on {keys}:{show}"));
        }
        OfBucket::Lets | OfBucket::Refuses => {}
    }
    if matches!(asked.place, Place::Object(..)) {
        causes.push(match &grant.kms_key {
            Some(key) => format!("the policy of the KMS key {key}"),
            None => "the policy of the KMS key that encrypts the object, if one does".to_owned(),
        });
    }
    if let Some(point) = point {
        causes.push(format!(
            "the access point itself, where it takes requests from one VPC only (NetworkOrigin):\n\
             aws s3control get-access-point --account-id {} --name {}",
            point.arn.account(),
            point.arn.name()
        ));
    }
    causes.push(match path(climb, grant).await {
        Some(path) => format!("the policy of a VPC endpoint that leaves the bucket out: {path}"),
        None => "the policy of a VPC endpoint on the way, where it leaves the bucket out".to_owned(),
    });
    causes.push("a policy of the AWS organization (SCP or RCP)".to_owned());
    if grant.databases.is_some() {
        causes.push(match is_registered(climb, &asked.place) {
            true => format!("the registration of its table with {GOVERNED}"),
            false => format!("a registration of the location with {GOVERNED}"),
        });
    }
    let mut lines = vec![format!(
        "One of, since the role's own policies allow {} there{and_the_bucket}:",
        asked.action
    )];
    lines.extend(
        causes
            .iter()
            .enumerate()
            .map(|(at, cause)| format!("{}. {cause}", at + 1)),
    );
    Some(lines.join("\n"))
}

/// The way to the bucket from here, in words.
pub(super) async fn path(climb: &Climb, grant: &Grant) -> Option<String> {
    let session = climb.role_session();
    let path = session.path_to_s3(grant.s3_path.bucket(), climb.bucket_region());
    Box::pin(path).await
}

/// Whether it is the metadata of a table that Lake Formation governs.
fn is_registered(climb: &Climb, place: &Place) -> bool {
    let Place::Object(bucket, key) = place else {
        return false;
    };
    let location = format!("s3://{bucket}/{key}");
    let tables = climb.tables.get().map(Vec::as_slice).unwrap_or_default();
    tables.iter().any(|found| {
        found.table.registered_with_lake_formation == Some(true)
            && found.table.metadata_location() == Some(&location)
    })
}
