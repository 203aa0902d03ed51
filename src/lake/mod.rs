//! Iceberg: what a table's metadata file says.

pub mod metadata;
mod schema;

pub use metadata::Metadata;

use crate::cloud::{Aws, has_code};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Location;

/// Reads the metadata file at `location`: one S3 read, two more where the bucket is in another region.
///
/// # Errors
/// A location that is not S3, whatever S3 answers, a file that is not Iceberg metadata.
pub async fn load(aws: &Aws, region: &Region, location: &str) -> Result<Metadata, Problem> {
    let place = S3Location::new(location);
    let (Some(bucket), false) = (place.bucket(), place.key().is_empty()) else {
        return Err(Problem::new(
            Kind::CheckFailed,
            "The Iceberg metadata cannot be read",
            format!("Its location {location} is not an object in S3"),
            "Only metadata in S3 can be read here",
        ));
    };
    let s3 = aws.s3(region);
    let bytes = match s3.get(bucket, place.key()).await {
        Err(problem) if has_code(&problem, "PermanentRedirect") => match s3.bucket_region(bucket).await? {
            Some(own) => aws.s3(&own).get(bucket, place.key()).await?,
            None => return Err(problem),
        },
        other => other?,
    };
    metadata::read(&bytes, location)
}
