//! What a Hudi table keeps of itself below `.hoodie`: its properties, and on its timeline the newest write that was completed.
//! Format: <https://hudi.apache.org/docs/timeline> and <https://hudi.apache.org/tech-specs-1point0/#timeline>.

use super::object::{self, Part};
use crate::cloud::Aws;
use crate::cloud::s3::S3;
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::s3_path::S3Location;
use crate::domain::schema::{Snapshot, shown};
use crate::domain::text::scrub;
use std::collections::BTreeMap;

const PROPERTIES: Part = Part {
    noun: "hoodie.properties",
    said_by: "Glue",
    if_gone: "See whether the table was moved or dropped: Glue still points there",
};
/// Instants of a timeline that are listed: Hudi itself archives all but the newest few dozen.
const LISTED: usize = 10_000;
/// Actions that write data; the others tidy up.
const WRITES: [&str; 3] = ["commit", "deltacommit", "replacecommit"];

/// What a table keeps of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The newest write that was completed.
    pub version: Option<Snapshot>,
    /// The table's properties, in clean text.
    pub properties: BTreeMap<String, String>,
}

/// Reads the properties of the table at `location`, and lists its timeline: two requests.
///
/// # Errors
/// `NotFound` for a place that is no Hudi table; whatever else S3 answers.
pub async fn timeline(aws: &Aws, region: &Region, location: &str) -> Result<Timeline, Problem> {
    let root = location.trim().trim_end_matches('/');
    let bytes = object::read(
        aws,
        region,
        &format!("{root}/.hoodie/hoodie.properties"),
        None,
        PROPERTIES,
    )
    .await?;
    let properties = properties(&String::from_utf8_lossy(&bytes));
    let place = S3Location::new(root);
    let Some(bucket) = place.bucket() else {
        return Ok(Timeline::default());
    };
    let folder = format!("{}/.hoodie/{}", place.key(), below(&properties));
    let folder = folder.trim_start_matches('/');
    let ask = |s3: S3| async move { s3.list(bucket, folder, LISTED).await };
    let (_, listed) = aws.s3(region).of_bucket(bucket, ask).await;
    let names = listed?.objects;
    let names = names.iter().filter_map(|object| object.key.strip_prefix(folder));
    // Hudi's own default is the zone of whoever writes, which nobody tells.
    let utc = properties
        .get("hoodie.table.timeline.timezone")
        .is_some_and(|zone| zone.eq_ignore_ascii_case("utc"));
    let version = newest(names, utc);
    let clean = properties.iter().map(|(key, value)| (scrub(key), scrub(value)));
    Ok(Timeline {
        version,
        properties: shown(clean),
    })
}

/// The folder of the timeline below `.hoodie/`: empty, or ending in a slash. From layout 2 on it has one of its own.
fn below(properties: &BTreeMap<String, String>) -> String {
    let number = |key: &str| {
        properties
            .get(key)
            .and_then(|value| value.trim().parse::<u32>().ok())
    };
    let own = number("hoodie.timeline.layout.version").is_some_and(|layout| layout >= 2);
    if !own {
        return String::new();
    }
    let path = properties
        .get("hoodie.timeline.path")
        .map(|path| path.trim_matches('/'));
    match path.filter(|path| !path.is_empty()) {
        Some(path) => format!("{path}/"),
        None => "timeline/".to_owned(),
    }
}

/// The newest completed write among the names of a timeline: `20261130082323894.commit`, since layout 2
/// `20261130082323894_20261130082325577.commit`, with the moment of its completion.
fn newest<'a>(names: impl Iterator<Item = &'a str>, utc: bool) -> Option<Snapshot> {
    let written = names.filter_map(|name| {
        let (instant, action) = name.split_once('.')?;
        let (begun, ended) = instant.split_once('_').unwrap_or((instant, instant));
        let is_instant = |text: &str| text.len() >= 14 && text.bytes().all(|byte| byte.is_ascii_digit());
        (WRITES.contains(&action) && is_instant(begun) && is_instant(ended)).then_some((ended, begun, action))
    });
    let (ended, begun, action) = written.max()?;
    Some(Snapshot {
        id: begun.to_owned(),
        at: moment(ended).filter(|_| utc),
        operation: Some(action.to_owned()),
        parent_id: None,
    })
}

/// `yyyyMMddHHmmss`, with or without milliseconds.
fn moment(instant: &str) -> Option<Moment> {
    let part = |from: usize, to: usize| instant.get(from..to);
    let text = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4)?,
        part(4, 6)?,
        part(6, 8)?,
        part(8, 10)?,
        part(10, 12)?,
        part(12, 14)?
    );
    text.parse().ok()
}

/// A Java properties file, as Hudi writes one: a key and its value a line.
fn properties(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.starts_with(['#', '!']));
    lines
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.trim().to_owned(), unescaped(value.trim())))
        .collect()
}

/// Without the backslashes that Java puts before some signs.
fn unescaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut signs = value.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => out.extend(signs.next()),
            sign => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let pairs = pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        pairs.collect()
    }

    #[test]
    fn the_timeline_has_its_own_folder_since_layout_two() {
        assert_eq!(below(&of(&[])), "");
        assert_eq!(below(&of(&[("hoodie.timeline.layout.version", "1")])), "");
        let two = ("hoodie.timeline.layout.version", "2");
        assert_eq!(below(&of(&[two])), "timeline/");
        assert_eq!(below(&of(&[two, ("hoodie.timeline.path", "/t/")])), "t/");
    }

    #[test]
    fn the_newest_write_is_the_one_that_ended_last() {
        let names = [
            "20261130082323894_20261130082329577.commit",
            "20261130082325924_20261130082327918.deltacommit",
            "20261130082399999.commit.requested",
            "20261130082399999.inflight",
            "20261130082399999_20261130082399999.clean",
            "hoodie.properties",
            "history/x.parquet",
        ];
        let version = newest(names.into_iter(), true).unwrap();
        assert_eq!(
            (version.id.as_str(), version.operation.as_deref()),
            ("20261130082323894", Some("commit"))
        );
        assert_eq!(version.at.unwrap().to_string(), "2026-11-30T08:23:29Z");
        assert_eq!(newest(names.into_iter(), false).unwrap().at, None);
        let old = newest(
            ["20180101000000.commit", "x.commit", "1.commit"].into_iter(),
            true,
        )
        .unwrap();
        assert_eq!((old.id.as_str(), old.at.is_some()), ("20180101000000", true));
        assert_eq!(
            newest(["20269999999999.commit"].into_iter(), true).unwrap().at,
            None
        );
        assert_eq!(newest([].into_iter(), true), None);
    }

    #[test]
    fn properties_are_those_of_java() {
        let read = properties("#Mon Nov 30\n!x=y\nhoodie.table.name=a=b\n  k = s3\\://b/x\nnothing\n");
        assert_eq!(read, of(&[("hoodie.table.name", "a=b"), ("k", "s3://b/x")]));
    }
}
