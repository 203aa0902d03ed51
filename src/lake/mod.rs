//! What a table says of itself in the lake: the metadata file of an Iceberg table, the log of a Delta table, the timeline of a
//! Hudi table, the footer of a data file.

mod checkpoint;
mod data_file;
mod delta;
mod footer;
mod hudi;
mod manifest;
pub mod metadata;
mod object;
mod schema;
mod tail;

pub use data_file::{Wanted, data_file};
pub use delta::{Added, Log, Sought, log as delta_log};
pub use hudi::{Timeline, timeline as hudi_timeline};
pub use metadata::{Manifests, Metadata};

use crate::cloud::Aws;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::text::scrub;
use object::Part;

/// The metadata file.
const METADATA: Part = Part {
    noun: "metadata file",
    said_by: "Glue",
    if_gone: "Whoever writes the table has removed it, or moved the files: point the table at its newest metadata file, or drop it",
};

/// Reads the metadata file at `location`: one S3 read, two more where the bucket is in another region, and a listing
/// where S3 does not say whether the file is missing or refused.
///
/// # Errors
/// A location that is not S3, `NotFound` for a file that is gone, whatever else S3 answers; a file that is not Iceberg
/// metadata.
pub async fn load(aws: &Aws, region: &Region, location: &str) -> Result<Metadata, Unread> {
    let bytes = object::read(aws, region, location, None, METADATA)
        .await
        .map_err(Unread::NotHad)?;
    metadata::read(&bytes, &scrub(location)).map_err(Unread::Broken)
}

/// Why what a table says of itself was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// It could not be had: it is not there, was refused, or lies where nothing can be read here.
    NotHad(Problem),
    /// It is there, and is not what it should be: engines cannot read it either.
    Broken(Problem),
}

impl From<Unread> for Problem {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::NotHad(problem) | Unread::Broken(problem) => problem,
        }
    }
}
