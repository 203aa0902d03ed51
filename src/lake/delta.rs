//! The log of a Delta table: its newest commit, and the newest schema that its commits or their checkpoint declare.
//! Format: <https://github.com/delta-io/delta/blob/master/PROTOCOL.md>.

use super::tail::Failure;
use super::{checkpoint, object};
use crate::cloud::Aws;
use crate::cloud::s3::{Object, S3};
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
    /// The columns, where they were sought.
    pub columns: Option<Vec<Column>>,
    /// The partition columns.
    pub partition: Vec<PartitionField>,
    /// The table's configuration, in clean text.
    pub properties: BTreeMap<String, String>,
    /// A data file that the commits that were read have added.
    pub added: Option<Added>,
    /// Why what was sought beside the newest version could not be read.
    pub problem: Option<Problem>,
}

/// A data file that a commit added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// Where it is, raw.
    pub location: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// What is looked for in a log beside its newest version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sought {
    /// The commit that declares the schema.
    pub schema: bool,
    /// A commit that adds a data file.
    pub file: bool,
}

impl Sought {
    fn is_found(self, log: &Log) -> bool {
        (!self.schema || log.columns.is_some()) && (!self.file || log.added.is_some())
    }
}

/// Reads the log of the table at `location`: the newest commit, and those before it until what is sought has been found.
///
/// # Errors
/// Whatever S3 answers; a place without a log; a newest commit that is not JSON. What goes wrong behind the newest commit is
/// told in the log.
pub async fn log(aws: &Aws, region: &Region, location: &str, sought: Sought) -> Result<Log, Problem> {
    let place = S3Location::new(location);
    let location = &scrub(location);
    let Some(bucket) = place.bucket() else {
        return Err(object::not_in_s3("Delta log", location));
    };
    let root = format!("s3://{bucket}/{}", place.key().trim_matches('/'));
    let folder = &format!("{}/_delta_log/", place.key().trim_end_matches('/'));
    let folder = folder.trim_start_matches('/');
    let ask = |s3: S3| async move { s3.list(bucket, folder, LISTED).await };
    let (s3, listed) = aws.s3(region).of_bucket(bucket, ask).await;
    let objects = listed?.objects;
    let named = |of: fn(&str) -> Option<u64>| {
        let named = objects.iter().filter_map(move |object| {
            let version = of(object.key.strip_prefix(folder)?)?;
            Some((version, object.clone()))
        });
        named.collect::<Vec<_>>()
    };
    let (mut commits, checkpoints) = (named(version), named(checkpoint::version));
    commits.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    if commits.is_empty() {
        return Err(Problem::new(
            Kind::NotFound,
            "The table has no Delta log",
            format!("Below {location}/_delta_log/ there is no commit that could be read"),
            "See whether the table was moved or dropped: Glue still points there",
        ));
    }
    let more = sought != Sought::default();
    let wanted = if more { COMMITS } else { 1 };
    let newest = commits.first().map(|(version, _)| *version);
    let mut reads = stream::iter(commits.into_iter().take(wanted))
        .map(|(version, object)| {
            let s3 = s3.clone();
            async move { (version, s3.get(bucket, &object.key).await) }
        })
        // One after the other first: most often the newest commits tell all.
        .buffered(if more { ABREAST } else { 1 });
    let mut log = Log::default();
    while let Some((version, bytes)) = reads.next().await {
        let read = bytes.and_then(|bytes| actions(&bytes, location, version));
        let commit = match read {
            Ok(commit) => commit,
            Err(problem) if Some(version) == newest => return Err(problem),
            Err(problem) => {
                log.problem = Some(problem);
                return Ok(log);
            }
        };
        if Some(version) == newest {
            log.version = Some(snapshot(&commit, version));
        }
        if log.added.is_none() {
            log.added = commit.iter().find_map(|action| added(action, &root));
        }
        let metadata = commit.iter().find_map(|action| action.get("metaData"));
        if let Some(metadata) = metadata.filter(|_| log.columns.is_none())
            && let Err(why) = declared(&mut log, metadata)
        {
            log.problem = Some(unreadable(location, version, &why));
            return Ok(log);
        }
        if sought.is_found(&log) {
            break;
        }
    }
    drop(reads);
    if sought.schema && log.columns.is_none() {
        let part = |why: String, version| unreadable(location, version, &format!("its checkpoint: {why}"));
        let before = declared_before(&s3, bucket, checkpoints, part).await;
        let read = before.and_then(|found| match found {
            Some((version, metadata)) => {
                declared(&mut log, &metadata).map_err(|why| unreadable(location, version, &why))
            }
            None => Ok(()),
        });
        log.problem = read.err();
    }
    Ok(log)
}

/// What the newest checkpoint declares, whichever of its parts does so.
async fn declared_before(
    s3: &S3,
    bucket: &str,
    checkpoints: Vec<(u64, Object)>,
    unreadable: impl Fn(String, u64) -> Problem,
) -> Result<Option<(u64, Value)>, Problem> {
    let newest = checkpoints.iter().map(|(version, _)| *version).max();
    for (version, object) in checkpoints
        .into_iter()
        .filter(|(version, _)| Some(*version) == newest)
    {
        let declared = match object.key.ends_with(".json") {
            true => {
                let bytes = s3.get(bucket, &object.key).await?;
                let actions = actions(&bytes, &object.key, version)?;
                actions.iter().find_map(|action| action.get("metaData")).cloned()
            }
            false => match checkpoint::declaration(s3, bucket, &object.key, object.size).await {
                Ok(declared) => declared,
                Err(Failure::Cloud(problem)) => return Err(problem),
                Err(Failure::File(why) | Failure::Other(why)) => return Err(unreadable(why, version)),
            },
        };
        if let Some(declared) = declared {
            return Ok(Some((version, declared)));
        }
    }
    Ok(None)
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

/// The file that an `add` action names: below the table's `root`, percent-encoded, or by a whole address.
fn added(action: &Value, root: &str) -> Option<Added> {
    let add = action.get("add")?;
    let path = percent_encoding::percent_decode_str(add.get("path")?.as_str()?);
    let path = path.decode_utf8().ok()?;
    let location = match path.contains("://") {
        true => path.into_owned(),
        false => format!("{}/{path}", root.trim_end_matches('/')),
    };
    Some(Added {
        location,
        bytes: add.get("size").and_then(Value::as_u64).unwrap_or(0),
    })
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
