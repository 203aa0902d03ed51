//! An object of a table, read from where something else says that it is.

use crate::cloud::s3::S3;
use crate::cloud::{Aws, has_code, is_access_denied, is_not_found};
use crate::domain::problem::{Detail, Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Location;
use crate::domain::text::scrub;
use bytes::Bytes;
use std::ops::RangeInclusive;

/// What an object is to its table, and what to say of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// `metadata file`.
    pub noun: &'static str,
    /// Who says where it is: `Glue`.
    pub said_by: &'static str,
    /// What to do when it is gone.
    pub if_gone: &'static str,
}

/// Reads an object, or a range of it: one S3 read, two more where the bucket is in another region, and a listing where S3 does
/// not say whether the object is missing or refused.
pub(super) async fn read(
    aws: &Aws,
    region: &Region,
    location: &str,
    range: Option<RangeInclusive<u64>>,
    part: Part,
) -> Result<Bytes, Problem> {
    let place = S3Location::new(location);
    // What is read is what is said; what is told of it is clean.
    let location = &scrub(location);
    let Some(bucket) = place.bucket() else {
        return Err(not_in_s3(part.noun, location));
    };
    if place.key().is_empty() {
        return Err(not_read(
            part.noun,
            &format!("Its location {location} names a bucket and no file in it"),
        ));
    }
    let key = place.key();
    let range = &range;
    let ask = |s3: S3| async move {
        match range {
            Some(range) => s3.get_range(bucket, key, range.clone()).await,
            None => s3.get(bucket, key).await,
        }
    };
    let (s3, answer) = aws.s3(region).of_bucket(bucket, ask).await;
    match answer {
        Err(problem) if is_not_found(&problem) => Err(missing(location, part, &problem)),
        Err(problem) if is_access_denied(&problem) => {
            Err(denied(&s3, bucket, key, location, part, problem).await)
        }
        answer => answer,
    }
}

/// S3 answers a read of a missing file with a denial wherever the caller may not list the whole bucket, as a role that is
/// granted one prefix never may. Whether the file is there its own listing tells, which the grant allows below the prefix.
async fn denied(s3: &S3, bucket: &str, key: &str, location: &str, part: Part, problem: Problem) -> Problem {
    match s3.is_listed(bucket, key).await {
        Ok(false) => missing(location, part, &problem),
        // It is there: what was refused is the reading of it.
        Ok(true) => problem,
        // Who may not list either is told both: a denial that names only the listing hides that the file may be gone.
        Err(_) if problem.detail.action.as_deref() == Some("s3:ListBucket") => Problem {
            why: format!(
                "{location} is missing, or this role may not read it: without the right to list, S3 answers both alike. {}",
                problem.why
            ),
            ..problem
        },
        Err(_) => problem,
    }
}

/// What a table has elsewhere than in S3.
pub(super) fn not_in_s3(noun: &str, location: &str) -> Problem {
    not_read(noun, &format!("Its location {location} is not in S3"))
}

fn not_read(noun: &str, why: &str) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        format!("The table's {noun} cannot be read"),
        why,
        "Only files in S3 can be read here",
    )
}

fn missing(location: &str, part: Part, problem: &Problem) -> Problem {
    let (what, if_gone) = match has_code(problem, "NoSuchBucket") {
        true => (
            "bucket",
            "See whether the bucket was renamed or deleted: nothing of the table is there",
        ),
        false => ("object", part.if_gone),
    };
    Problem::new(
        Kind::NotFound,
        format!("The table's {} is missing", part.noun),
        format!(
            "{} points to {location}, and there is no such {what}",
            part.said_by
        ),
        if_gone,
    )
    .with_detail(Detail {
        resource: Some(location.to_owned()),
        ..(*problem.detail).clone()
    })
}
