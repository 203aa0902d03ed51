//! The schema of a table as it is shown and as `glueup schema --output json` prints it.

mod state;

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

use super::{
    declared::View,
    kind::{Format, Note, TableKind},
    sides::{DataFile, Difference},
};
pub use state::{Ref, RefKind, Snapshot, SortField, Statistics, ToldBy, shown};

/// Where a schema was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The table's Iceberg metadata: the truth.
    Iceberg,
    /// The columns in Glue.
    Glue,
    /// The log of a Delta table.
    DeltaLog,
}

/// A whole schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Schema {
    /// The table's name, quoted where needed.
    pub fqn: String,
    /// What the table is.
    pub kind: TableKind,
    /// The format of its files, as far as Glue tells; `None` for kinds without files.
    pub format: Option<Format>,
    /// Where the columns come from.
    pub source: Source,
    /// The location as stored.
    pub location: Option<String>,
    /// Iceberg's format version.
    pub format_version: Option<u32>,
    /// Iceberg's current snapshot.
    pub snapshot: Option<Snapshot>,
    /// The current columns.
    pub columns: Vec<Column>,
    /// The partition fields of the default spec, or Hive's partition columns as identities.
    pub partition: Vec<PartitionField>,
    /// The fields of the default sort order.
    pub sort: Vec<SortField>,
    /// Columns of older schemas, as the metadata or Glue still has them.
    pub history: Vec<Column>,
    /// How much the table holds, as far as somebody has written it down.
    pub statistics: Option<Statistics>,
    /// Iceberg's snapshots, the newest first.
    pub snapshots: Vec<Snapshot>,
    /// Iceberg's branches and tags.
    pub refs: Vec<Ref>,
    /// The properties of an Iceberg table, else Glue's parameters.
    pub properties: BTreeMap<String, String>,
    /// Where Glue's columns are not those of the metadata.
    pub differences: Vec<Difference>,
    /// One of its data files, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Box<DataFile>>,
    /// A view's text, in each dialect that it has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<View>,
    /// What is odd about the table.
    pub notes: Vec<Note>,
}

/// A column or a nested field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The name; `element`, `key` and `value` inside lists and maps.
    pub name: String,
    /// The type: `long`, `struct`, `list`; Glue's own text where that is the source.
    #[serde(rename = "type")]
    pub type_text: String,
    /// Iceberg's field id.
    pub id: Option<i32>,
    /// Whether it is never null.
    pub required: bool,
    /// Whether it is a partition column of a Hive table or an identifier field of an Iceberg one.
    pub key: bool,
    /// The comment.
    pub doc: Option<String>,
    /// The fields of a struct, the element of a list, key and value of a map.
    pub children: Vec<Column>,
    /// What is odd about the column.
    pub notes: Vec<Note>,
}

impl Schema {
    /// A schema of which nothing is known yet but its kind.
    pub fn bare(kind: TableKind, source: Source) -> Self {
        Self {
            fqn: String::new(),
            kind,
            format: None,
            source,
            location: None,
            format_version: None,
            snapshot: None,
            columns: Vec::new(),
            partition: Vec::new(),
            sort: Vec::new(),
            history: Vec::new(),
            statistics: None,
            snapshots: Vec::new(),
            refs: Vec::new(),
            properties: BTreeMap::new(),
            differences: Vec::new(),
            file: None,
            views: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Branches and tags beside the one branch that every table has.
    pub fn named_refs(&self) -> impl Iterator<Item = &Ref> {
        self.refs.iter().filter(|one| one.name != "main")
    }
}

impl Column {
    /// The type in a word where its parts stand beneath it: the whole text would say them twice.
    pub fn short_type(&self) -> &str {
        if !self.children.is_empty() {
            return self.type_text.split(['<', '(']).next().unwrap_or_default().trim();
        }
        match self.type_text.as_str() {
            "struct" | "struct<>" => "struct (0 fields)",
            text => text,
        }
    }

    /// Whether a note of this code is on it or on one of its parts.
    pub fn has_note(&self, code: &str) -> bool {
        self.notes.iter().any(|note| note.code == code)
            || self.children.iter().any(|child| child.has_note(code))
    }
}

/// A partition field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartitionField {
    /// The source column.
    pub source: String,
    /// `identity`, `day`, `bucket[16]`.
    pub transform: String,
    /// The field's own name.
    pub name: String,
}

impl fmt::Display for PartitionField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&state::transformed(&self.transform, &self.source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_the_fields_of_the_contract() {
        let column = Column {
            name: "id".into(),
            type_text: "long".into(),
            ..Column::default()
        };
        let json = serde_json::to_value(&column).unwrap();
        let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            [
                "name", "type", "id", "required", "key", "doc", "children", "notes"
            ]
        );
    }
}
