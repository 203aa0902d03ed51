//! What is known of a table beside its columns: its snapshots, refs, sort order, statistics and properties.

use crate::domain::amount::{counted, size};
use crate::domain::moment::Moment;
use crate::domain::secrets::{HIDDEN, is_secret, masked};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// `day(ts)`, or the column's own name.
pub(super) fn transformed(transform: &str, source: &str) -> String {
    match transform {
        "identity" => source.to_owned(),
        transform => format!("{transform}({source})"),
    }
}

/// A snapshot; ids are text, since JavaScript would round them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// The snapshot id.
    pub id: String,
    /// When it was committed.
    pub at: Option<Moment>,
    /// What was done: `append`, `replace`, `overwrite`, `delete`.
    pub operation: Option<String>,
    /// The snapshot before it.
    pub parent_id: Option<String>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefKind {
    /// It moves with each commit to it.
    Branch,
    /// It stays.
    Tag,
}

/// A name for a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ref {
    /// The name; `main` is where the table is.
    pub name: String,
    /// A branch or a tag.
    #[serde(rename = "type")]
    pub kind: RefKind,
    /// The snapshot.
    pub snapshot_id: String,
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            RefKind::Branch => write!(f, "branch {}", self.name),
            RefKind::Tag => write!(f, "tag {}", self.name),
        }
    }
}

/// A field of the default sort order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SortField {
    /// The source column.
    pub source: String,
    /// `identity`, `day`, `bucket[16]`.
    pub transform: String,
    /// `asc` or `desc`.
    pub direction: String,
    /// `nulls-first` or `nulls-last`.
    pub null_order: String,
}

impl fmt::Display for SortField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}",
            transformed(&self.transform, &self.source),
            self.direction
        )
    }
}

/// Who says how much a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToldBy {
    /// The summary of Iceberg's current snapshot, which each commit brings up to date.
    Snapshot,
    /// Glue's parameters: as old as whoever wrote them, such as a crawler or `ANALYZE TABLE`.
    Parameters,
}

/// How much a table holds, as far as somebody has written it down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Who says so.
    pub told_by: ToldBy,
    /// Rows. Iceberg's do not count what delete files take away.
    pub rows: Option<u64>,
    /// Bytes of all files.
    pub bytes: Option<u64>,
    /// Data files.
    pub files: Option<u64>,
    /// Delete files.
    pub delete_files: Option<u64>,
    /// Distinct values by column, where a statistics file tells.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub distinct: BTreeMap<String, u64>,
}

impl Statistics {
    /// Of numbers by name, as snapshots and Glue's parameters have them; `None` where none of them is there.
    pub fn of(told_by: ToldBy, number: impl Fn(&[&str]) -> Option<u64>) -> Option<Self> {
        let statistics = Self {
            told_by,
            rows: number(&[
                "total-records",
                "numRows",
                "recordCount",
                "spark.sql.statistics.numRows",
            ]),
            bytes: number(&[
                "total-files-size",
                "totalSize",
                "sizeKey",
                "spark.sql.statistics.totalSize",
            ]),
            files: number(&["total-data-files", "numFiles", "objectCount"]),
            delete_files: number(&["total-delete-files"]),
            distinct: BTreeMap::new(),
        };
        let told = [statistics.rows, statistics.bytes, statistics.files];
        told.iter().any(Option::is_some).then_some(statistics)
    }
}

impl Statistics {
    /// `1,204 rows`, `412 MiB`, `14 files`: what is known of it.
    pub fn in_words(&self) -> Vec<String> {
        let deletes = self.delete_files.filter(|files| *files > 0);
        let parts = [
            self.rows.map(|rows| counted(rows, "row", "rows")),
            self.bytes.map(size),
            self.files.map(|files| counted(files, "file", "files")),
            deletes.map(|files| counted(files, "delete file", "delete files")),
        ];
        parts.into_iter().flatten().collect()
    }
}

/// The properties of a table as they may be shown: without the parts of a schema, which is shown as columns, and without
/// secrets that somebody has left there.
pub fn shown(properties: impl Iterator<Item = (String, String)>) -> BTreeMap<String, String> {
    properties
        .filter(|(key, _)| !key.starts_with("spark.sql.sources.schema"))
        .map(|(key, value)| {
            let value = match is_secret(&key) {
                true => HIDDEN.to_owned(),
                false => masked(&value),
            };
            (key, value)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_in_a_property_is_not_shown_and_a_schema_is_not_repeated() {
        let given = [
            ("write.format.default", "parquet"),
            ("connector.Password", "hunter2"),
            ("fs.s3a.access.key", "AKIA"),
            ("url", "jdbc:x://u:hunter3@h/d"),
            ("spark.sql.sources.schema.part.0", "{}"),
        ];
        let given = given.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let shown: Vec<_> = shown(given.into_iter()).into_iter().collect();
        let wanted = [
            ("connector.Password", "(not shown)"),
            ("fs.s3a.access.key", "(not shown)"),
            ("url", "jdbc:x://u:(not shown)@h/d"),
            ("write.format.default", "parquet"),
        ];
        assert_eq!(
            shown,
            wanted.map(|(key, value)| (key.to_owned(), value.to_owned()))
        );
    }

    #[test]
    fn statistics_are_there_when_somebody_has_counted() {
        let of = |pairs: &[(&str, u64)]| {
            Statistics::of(ToldBy::Parameters, |names| {
                pairs.iter().find(|(key, _)| names.contains(key)).map(|(_, n)| *n)
            })
        };
        assert_eq!(of(&[("total-delete-files", 1)]), None);
        let counted = of(&[("recordCount", 7), ("sizeKey", 9)]).unwrap();
        assert_eq!(
            (counted.rows, counted.bytes, counted.files),
            (Some(7), Some(9), None)
        );
    }
}
