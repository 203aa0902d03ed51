//! What a table says of itself in the lake: the metadata file of an Iceberg table, the log of a Delta table.

mod delta;
pub mod metadata;
mod schema;

pub use delta::{Log, log as delta_log};
pub use metadata::Metadata;

use crate::cloud::s3::S3;
use crate::cloud::{Aws, is_access_denied, is_not_found};
use crate::domain::problem::{Detail, Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Location;
use crate::domain::text::scrub;

/// Reads the metadata file at `location`: one S3 read, two more where the bucket is in another region, and a listing
/// where S3 does not say whether the file is missing or refused.
///
/// # Errors
/// A location that is not S3, `NotFound` for a file that is gone, whatever else S3 answers, a file that is not Iceberg
/// metadata.
pub async fn load(aws: &Aws, region: &Region, location: &str) -> Result<Metadata, Problem> {
    let place = S3Location::new(location);
    // What is read is what Glue says; what is said of it is clean.
    let location = &scrub(location);
    let (Some(bucket), false) = (place.bucket(), place.key().is_empty()) else {
        return Err(Problem::new(
            Kind::CheckFailed,
            "The Iceberg metadata cannot be read",
            format!("Its location {location} is not an object in S3"),
            "Only metadata in S3 can be read here",
        ));
    };
    let key = place.key();
    let ask = |s3: S3| async move { s3.get(bucket, key).await };
    let (s3, answer) = aws.s3(region).of_bucket(bucket, ask).await;
    match answer {
        Ok(bytes) => metadata::read(&bytes, location),
        Err(problem) if is_not_found(&problem) => Err(missing(location, &problem)),
        Err(problem) if is_access_denied(&problem) => Err(denied(&s3, bucket, key, location, problem).await),
        Err(problem) => Err(problem),
    }
}

/// S3 answers a read of a missing file with a denial wherever the caller may not list the whole bucket, as a role that is
/// granted one prefix never may. Whether the file is there its own listing tells, which the grant allows below the prefix.
async fn denied(s3: &S3, bucket: &str, key: &str, location: &str, problem: Problem) -> Problem {
    match s3.is_listed(bucket, key).await {
        Ok(false) => missing(location, &problem),
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

fn missing(location: &str, problem: &Problem) -> Problem {
    Problem::new(
        Kind::NotFound,
        "The table's metadata file is missing",
        format!("Glue points to {location}, and there is no such object"),
        "Whoever writes the table has removed it, or moved the files: point the table at its newest metadata file, or drop it",
    )
    .with_detail(Detail {
        resource: Some(location.to_owned()),
        ..(*problem.detail).clone()
    })
}
