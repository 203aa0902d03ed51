//! The log of a Delta table, as far as it is JSON: its newest commit, and the newest schema that it declares.
//! Format: <https://github.com/delta-io/delta/blob/master/PROTOCOL.md>.

use crate::cloud::Aws;
use crate::cloud::s3::S3;
use crate::domain::declared::spark_schema;
use crate::domain::moment::Moment;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Location;
use crate::domain::schema::{Column, PartitionField, Snapshot, shown};
use crate::domain::text::scrub;
use futures_util::stream::{self, StreamExt};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Commits that are read in search of a schema. Between two checkpoints there are ten unless somebody has set more.
const COMMITS: usize = 20;
/// Of them so many at a time.
const ABREAST: usize = 5;
/// Objects of the log that are listed.
const LISTED: usize = 10_000;

/// What a log says about its table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The newest version: its number, when it was committed, by what.
    pub version: Option<Snapshot>,
    /// The columns; `None`: the commits that were read declare none, the checkpoint before them does.
    pub columns: Option<Vec<Column>>,
    /// The partition columns.
    pub partition: Vec<PartitionField>,
    /// The table's configuration, in clean text.
    pub properties: BTreeMap<String, String>,
}

/// Reads the log of the table at `location`. The newest commit only, unless the `schema` is wanted: then also those before it,
/// until one declares it.
///
/// # Errors
/// Whatever S3 answers; a place without a log; a commit that is not JSON.
pub async fn log(aws: &Aws, region: &Region, location: &str, schema: bool) -> Result<Log, Problem> {
    let place = S3Location::new(location);
    let location = &scrub(location);
    let Some(bucket) = place.bucket() else {
        return Err(Problem::new(
            Kind::CheckFailed,
            "The table's Delta log cannot be read",
            format!("Its location {location} is not in S3"),
            "Only logs in S3 can be read here",
        ));
    };
    let folder = &format!("{}/_delta_log/", place.key().trim_end_matches('/'));
    let folder = folder.trim_start_matches('/');
    let ask = |s3: S3| async move { s3.list(bucket, folder, LISTED).await };
    let (s3, listed) = aws.s3(region).of_bucket(bucket, ask).await;
    let mut commits: Vec<(u64, String)> = listed?
        .objects
        .into_iter()
        .filter_map(|object| Some((version(object.key.strip_prefix(folder)?)?, object.key)))
        .collect();
    commits.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    if commits.is_empty() {
        return Err(Problem::new(
            Kind::NotFound,
            "The table has no Delta log",
            format!("Below {location}/_delta_log/ there is no commit that could be read"),
            "See whether the table was moved or dropped: Glue still points there",
        ));
    }
    let wanted = if schema { COMMITS } else { 1 };
    let newest = commits.first().map(|(version, _)| *version);
    let mut reads = stream::iter(commits.into_iter().take(wanted))
        .map(|(version, key)| {
            let s3 = s3.clone();
            async move { (version, s3.get(bucket, &key).await) }
        })
        // One after the other first: most often the newest commits tell all.
        .buffered(if schema { ABREAST } else { 1 });
    let mut log = Log::default();
    while let Some((version, bytes)) = reads.next().await {
        let commit = actions(&bytes?, location, version)?;
        if Some(version) == newest {
            log.version = Some(snapshot(&commit, version));
        }
        if let Some(metadata) = commit.iter().find_map(|action| action.get("metaData")) {
            declared(&mut log, metadata).map_err(|why| unreadable(location, version, &why))?;
            break;
        }
    }
    Ok(log)
}

/// The version that a file's name says, if it is a commit: `00000000000000000007.json`.
fn version(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(".json").filter(|digits| digits.len() == 20)?;
    digits.parse().ok()
}

fn unreadable(location: &str, version: u64, why: &str) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        "The table's Delta log cannot be read",
        format!("Version {version} of {location}: {why}"),
        "See whether the file is whole; an engine that writes the table can tell",
    )
}

/// The actions of a commit, a JSON object a line.
fn actions(bytes: &[u8], location: &str, version: u64) -> Result<Vec<Value>, Problem> {
    let lines = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty());
    lines
        .map(|line| {
            serde_json::from_slice(line)
                .map_err(|why| unreadable(location, version, &format!("it is not JSON ({why})")))
        })
        .collect()
}

fn snapshot(commit: &[Value], version: u64) -> Snapshot {
    let info = commit.iter().find_map(|action| action.get("commitInfo"));
    let at = info
        .and_then(|info| info.get("timestamp"))
        .and_then(Value::as_i64);
    let operation = info
        .and_then(|info| info.get("operation"))
        .and_then(Value::as_str);
    Snapshot {
        id: version.to_string(),
        at: at.and_then(Moment::from_unix_millis),
        operation: operation.map(scrub),
        parent_id: version.checked_sub(1).map(|before| before.to_string()),
    }
}

fn declared(log: &mut Log, metadata: &Value) -> Result<(), String> {
    let words = metadata.get("partitionColumns").and_then(Value::as_array);
    let keys: BTreeSet<String> = words
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let text = metadata
        .get("schemaString")
        .and_then(Value::as_str)
        .unwrap_or_default();
    log.columns = Some(spark_schema(text, &keys)?);
    log.partition = keys
        .iter()
        .map(|key| PartitionField {
            source: scrub(key),
            transform: "identity".to_owned(),
            name: scrub(key),
        })
        .collect();
    let set = metadata.get("configuration").and_then(Value::as_object);
    let set = set
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((scrub(key), scrub(value.as_str()?))));
    log.properties = shown(set);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commits_have_a_version() {
        assert_eq!(version("00000000000000000012.json"), Some(12));
        for other in [
            "00000000000000000010.checkpoint.parquet",
            "_last_checkpoint",
            "00000000000000000012.crc",
            "12.json",
            ".00000000000000000012.json.crc",
            "0000000000000000x012.json",
        ] {
            assert_eq!(version(other), None, "{other}");
        }
    }

    #[test]
    fn a_commit_tells_when_by_what_and_which_columns() {
        let text = br#"{"commitInfo":{"timestamp":1700000000000,"operation":"WRITE"}}
{"metaData":{"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"long\",\"nullable\":false},{\"name\":\"day\",\"type\":\"date\"}]}","partitionColumns":["day"],"configuration":{"delta.appendOnly":"true"}}}
"#;
        let commit = actions(text, "s3://b/t", 3).unwrap();
        let snapshot = snapshot(&commit, 3);
        assert_eq!(
            (snapshot.id.as_str(), snapshot.parent_id.as_deref()),
            ("3", Some("2"))
        );
        assert_eq!(snapshot.operation.as_deref(), Some("WRITE"));
        let mut log = Log::default();
        declared(&mut log, &commit[1]["metaData"]).unwrap();
        let columns = log.columns.unwrap();
        assert!(columns[0].required && columns[1].key && !columns[0].key);
        assert_eq!(log.properties["delta.appendOnly"], "true");
        assert_eq!(log.partition[0].source, "day");
    }

    #[test]
    fn a_torn_commit_says_which_version_it_is() {
        let problem = actions(b"{\"commitInfo\":", "s3://b/t", 7).unwrap_err();
        assert!(
            problem.why.starts_with("Version 7 of s3://b/t: it is not JSON"),
            "{problem:?}"
        );
        let why = declared(&mut Log::default(), &serde_json::json!({"schemaString": "{}"})).unwrap_err();
        assert!(why.contains("no struct"), "{why}");
    }
}
