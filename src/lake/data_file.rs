//! One data file of a table: found where the table's own metadata, its log or a listing says, and read as far as its footer.

use super::delta::Added;
use super::metadata::Manifests;
use super::object::{self, Part};
use super::tail::{self, Failure};
use super::{footer, manifest};
use crate::cloud::Aws;
use crate::cloud::s3::{Object, S3};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Location;
use crate::domain::sides::DataFile;
use crate::domain::text::scrub;
use crate::guard::guarded;
use manifest::Entry;

/// Where a data file is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// In the current snapshot of an Iceberg table.
    Snapshot(Manifests),
    /// Among what the commits of a Delta table added.
    Commit(Option<Added>),
    /// Below a location, as Glue has it.
    Below(String),
    /// Nowhere, for this reason.
    None(&'static str),
}

/// Objects that are listed in search of a data file.
const LISTED: usize = 1_000;

const DATA: Part = Part {
    noun: "data file",
    said_by: "The table",
    if_gone: "It was removed behind the table's back: every engine fails where it needs that file",
};

/// Reads the footer of one data file, the newest where that is known.
///
/// # Errors
/// `NotFound` where there is no data file; a file that is not Parquet or is encrypted; whatever S3 answers.
pub async fn data_file(aws: &Aws, region: &Region, wanted: Wanted) -> Result<DataFile, Problem> {
    let entry = match wanted {
        Wanted::Snapshot(Manifests::None) => return Err(none("It has no current snapshot")),
        Wanted::Snapshot(Manifests::Inline(all)) if all.is_empty() => {
            return Err(none("Its current snapshot names no manifests"));
        }
        Wanted::Snapshot(manifests) => manifest::newest(aws, region, &manifests)
            .await?
            .ok_or_else(|| none("Its current snapshot has no data file"))?,
        Wanted::Commit(Some(added)) => Entry {
            location: added.location,
            bytes: added.bytes,
            format: "PARQUET".to_owned(),
        },
        Wanted::Commit(None) => return Err(none("The newest commits of its log add no file")),
        Wanted::Below(location) => below(aws, region, &location).await?,
        Wanted::None(why) => {
            return Err(Problem::new(
                Kind::CheckFailed,
                "No data file is compared",
                why,
                "Go by its columns",
            ));
        }
    };
    if !matches!(entry.format.as_str(), "PARQUET" | "") {
        return Err(unread(&entry.location, &format!("it is {}", entry.format), WHOLE));
    }
    let ask = |range| object::read(aws, region, &entry.location, Some(range), DATA);
    let read = match tail::read(entry.bytes, ask).await {
        Ok((_, bytes)) => guarded(|| footer::read(&bytes)).and_then(|read| read),
        Err(Failure::Cloud(problem)) => return Err(problem),
        Err(Failure::Other(why)) => return Err(unread(&entry.location, &why, WHOLE)),
        Err(Failure::File(why)) => Err(why),
    };
    let file = read.map_err(|why| unread(&entry.location, &why, BROKEN))?;
    Ok(DataFile {
        location: scrub(&entry.location),
        bytes: entry.bytes,
        ..file
    })
}

/// A data file below a location: the last of those listed, since dates in paths grow.
async fn below(aws: &Aws, region: &Region, location: &str) -> Result<Entry, Problem> {
    let place = S3Location::new(location);
    let shown = scrub(location);
    let Some(bucket) = place.bucket() else {
        return Err(object::not_in_s3("data file", &shown));
    };
    let folder = match place.key().trim_matches('/') {
        "" => String::new(),
        key => format!("{key}/"),
    };
    let folder = folder.as_str();
    let ask = |s3: S3| async move { s3.list(bucket, folder, LISTED).await };
    let (s3, listing) = aws.s3(region).of_bucket(bucket, ask).await;
    let mut objects = listing?.objects.into_iter().rev();
    let mut last = objects.find(|object| is_data(object, folder));
    if last.is_none() && !place.key().is_empty() {
        // The location of a table may be its one file.
        let beside = s3.list(bucket, place.key(), 1).await?.objects;
        last = beside
            .into_iter()
            .find(|object| object.key == place.key() && object.size > 0);
    }
    let last = last.ok_or_else(|| {
        none(&format!(
            "Below {shown} there is none: it holds no data, or its partitions lie elsewhere"
        ))
    })?;
    Ok(Entry {
        location: format!("s3://{bucket}/{}", last.key),
        bytes: last.size,
        format: String::new(),
    })
}

/// Engines leave out what begins with a dot or a low line, in whatever folder.
fn is_data(object: &Object, folder: &str) -> bool {
    let path = object.key.strip_prefix(folder).unwrap_or(&object.key);
    let hidden = |part: &str| part.starts_with(['.', '_']);
    object.size > 0 && !path.is_empty() && !path.ends_with('/') && !path.split('/').any(hidden)
}

fn none(why: &str) -> Problem {
    Problem::new(
        Kind::NotFound,
        "There is no data file to compare",
        why,
        "Write to the table first, or go by its columns",
    )
}

/// What to do about a file that is whole, and nothing that can be read here.
const WHOLE: &str =
    "Only the footers of Parquet files can be read here; an engine that reads the table can tell more";
/// What to do about one that is not what it says it is.
const BROKEN: &str = "See whether the file is whole: an engine that needs it fails there too";

fn unread(location: &str, why: &str, next: &str) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        "The data file's columns cannot be read",
        format!("{}: {}", scrub(location), scrub(why)),
        next,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_engines_leave_out_is_no_data_file() {
        let object = |key: &str, size| Object {
            key: key.into(),
            size,
        };
        assert!(is_data(&object("t/day=1/part-0.parquet", 9), "t/"));
        // What is above the table may be called anything.
        assert!(is_data(&object("_t/a", 9), "_t/"));
        for (key, size) in [
            ("t/_SUCCESS", 9),
            ("t/.hoodie/x.commit", 9),
            ("t/_delta_log/0.json", 9),
            ("t/day=1/.x.crc", 9),
            ("t/day=1/", 0),
            ("t/folder/", 9),
            ("t/empty", 0),
        ] {
            assert!(!is_data(&object(key, size), "t/"), "{key}");
        }
    }
}
