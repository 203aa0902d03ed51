//! The smallest set of prefixes that covers some locations without becoming a whole bucket.

use crate::domain::s3_path::S3Location;
use std::collections::BTreeMap;

/// Prefixes (`s3://bucket/path/`) that cover all of the locations, as few as can be said without asking for a whole
/// bucket where its locations begin with different folders. What is not on S3 is left out.
pub(super) fn prefixes<'a>(locations: impl IntoIterator<Item = &'a S3Location>) -> Vec<String> {
    let mut folders: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for location in locations {
        let Some(bucket) = location.bucket() else { continue };
        let key = location.key();
        let first = key.split('/').next().unwrap_or_default();
        folders.entry((bucket, first)).or_default().push(key);
    }
    folders
        .into_iter()
        .map(|((bucket, _), keys)| {
            let common = common(&keys);
            if common.is_empty() {
                format!("s3://{bucket}")
            } else {
                format!("s3://{bucket}/{common}/")
            }
        })
        .collect()
}

/// The folders that all of the keys begin with, without the slash at the end.
fn common(keys: &[&str]) -> String {
    let mut keys = keys.iter().map(|key| key.trim_end_matches('/'));
    let Some(first) = keys.next() else {
        return String::new();
    };
    let mut common: Vec<&str> = first.split('/').collect();
    for key in keys {
        let same = common
            .iter()
            .zip(key.split('/'))
            .take_while(|(a, b)| *a == b)
            .count();
        common.truncate(same);
    }
    common.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(locations: &[&str]) -> Vec<String> {
        let locations: Vec<S3Location> = locations.iter().map(|raw| S3Location::new(raw)).collect();
        prefixes(&locations)
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
