//! The smallest set of prefixes that covers some locations without becoming a whole bucket.

use super::S3Location;
use serde::Serialize;
use std::collections::BTreeMap;

/// A prefix, and how many of the locations lie below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// `s3://bucket/path/`; `s3://bucket` where nothing less covers them.
    pub prefix: String,
    /// So many of the locations.
    pub locations: u64,
}

/// Locations, as they come: for each bucket and first folder the folders that all of them have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    folders: BTreeMap<(String, String), (Vec<String>, u64)>,
}

impl Cover {
    /// Takes a location in. What is not on S3 is left out.
    pub fn add(&mut self, location: &S3Location) {
        let Some(bucket) = location.bucket() else { return };
        let key = location.key().trim_end_matches('/');
        let mut parts = key.split('/');
        let first = parts.clone().next().unwrap_or_default();
        let (common, number) = self
            .folders
            .entry((bucket.to_owned(), first.to_owned()))
            .or_insert_with(|| (parts.clone().map(str::to_owned).collect(), 0));
        let same = common
            .iter()
            .take_while(|folder| parts.next() == Some(folder.as_str()))
            .count();
        common.truncate(same);
        *number += 1;
    }

    /// Prefixes that cover all of the locations, as few as can be said without asking for a whole bucket where its locations
    /// begin with different folders; by their names.
    pub fn prefixes(&self) -> Vec<Covered> {
        let all = self.folders.iter();
        all.map(|((bucket, _), (common, number))| {
            let common = common.join("/");
            Covered {
                prefix: match common.as_str() {
                    "" => format!("s3://{bucket}"),
                    common => format!("s3://{bucket}/{common}/"),
                },
                locations: *number,
            }
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(locations: &[&str]) -> Vec<String> {
        let mut cover = Cover::default();
        locations.iter().for_each(|raw| cover.add(&S3Location::new(raw)));
        let prefixes = cover.prefixes();
        assert!(prefixes.iter().map(|one| one.locations).sum::<u64>() <= locations.len() as u64);
        prefixes.into_iter().map(|one| one.prefix).collect()
    }

    #[test]
    fn one_prefix_for_what_shares_a_folder() {
        assert_eq!(
            of(&["s3://lake/old/a", "s3a://lake/old/b/", "s3://lake/old/b/c"]),
            ["s3://lake/old/"]
        );
        assert_eq!(of(&["s3://lake/old/a/"]), ["s3://lake/old/a/"]);
    }

    #[test]
    fn a_whole_bucket_is_not_asked_for_because_of_two_folders() {
        assert_eq!(
            of(&["s3://lake/old/a", "s3://lake/new/b", "s3://other/x"]),
            ["s3://lake/new/b/", "s3://lake/old/a/", "s3://other/x/"]
        );
        // Letters in common are no folder in common.
        assert_eq!(
            of(&["s3://lake/ab/x", "s3://lake/ac/x"]),
            ["s3://lake/ab/x/", "s3://lake/ac/x/"]
        );
    }

    #[test]
    fn a_table_at_the_root_needs_the_bucket_and_others_need_nothing() {
        assert_eq!(of(&["s3://lake", "hdfs://name/x"]), ["s3://lake"]);
    }
}
