//! What a Glue table really is, told from the Glue object alone, and what is odd about it.

mod format;
mod notes;
mod rules;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Serialize, Serializer};

use super::glue::{Database, Table};
pub use format::Format;
pub use notes::{CODES, placeholder};

/// The kinds of table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TableKind {
    /// An Iceberg table.
    Iceberg,
    /// A Hive table.
    Hive,
    /// A Delta table.
    Delta,
    /// A Hudi table.
    Hudi,
    /// A Spark data source table whose schema is in its parameters.
    SparkSource,
    /// A view of Trino or Athena.
    PrestoView,
    /// A view of Hive.
    HiveView,
    /// A view of Spark.
    SparkView,
    /// A materialized view of Trino or Glue.
    MaterializedView,
    /// A Glue view with several dialects.
    MultiDialectView,
    /// A link to a table of another database, account or region.
    ResourceLink,
    /// A table that stands for one of another system.
    Federated,
    /// A governed table of Lake Formation.
    Governed,
    /// Nothing that can be told.
    Unknown,
}

impl TableKind {
    /// All kinds, in the order in which a list of kinds shows them.
    pub const ALL: [Self; 14] = [
        Self::Iceberg,
        Self::Hive,
        Self::Delta,
        Self::Hudi,
        Self::SparkSource,
        Self::PrestoView,
        Self::HiveView,
        Self::SparkView,
        Self::MaterializedView,
        Self::MultiDialectView,
        Self::ResourceLink,
        Self::Federated,
        Self::Governed,
        Self::Unknown,
    ];

    /// The stable word for it: `presto-view`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Iceberg => "iceberg",
            Self::Hive => "hive",
            Self::Delta => "delta",
            Self::Hudi => "hudi",
            Self::SparkSource => "spark-source",
            Self::PrestoView => "presto-view",
            Self::HiveView => "hive-view",
            Self::SparkView => "spark-view",
            Self::MaterializedView => "materialized-view",
            Self::MultiDialectView => "multi-dialect-view",
            Self::ResourceLink => "resource-link",
            Self::Federated => "federated",
            Self::Governed => "governed",
            Self::Unknown => "unknown",
        }
    }

    /// The short word for a list: `Iceberg`, `view`, `link`.
    pub fn label(self) -> &'static str {
        match self {
            Self::Iceberg => "Iceberg",
            Self::Hive => "Hive",
            Self::Delta => "Delta",
            Self::Hudi => "Hudi",
            Self::SparkSource => "Spark",
            Self::MaterializedView => "mat. view",
            Self::ResourceLink => "link",
            Self::Federated => "federated",
            Self::Governed => "governed",
            Self::Unknown => "unknown",
            _ => "view",
        }
    }

    /// Whether it is a view of any sort.
    pub fn is_view(self) -> bool {
        matches!(
            self,
            Self::PrestoView
                | Self::HiveView
                | Self::SparkView
                | Self::MaterializedView
                | Self::MultiDialectView
        )
    }

    /// Whether tables of this kind have files of their own.
    pub fn has_files(self) -> bool {
        !self.is_view() && !matches!(self, Self::ResourceLink | Self::Federated)
    }

    /// The kind of a word that [`TableKind::as_str`] gave.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for TableKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Something odd about a table, a database or a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Note {
    /// A stable kebab-case word: `never-committed`.
    pub code: &'static str,
    /// One sentence for people.
    pub text: String,
}

impl Note {
    /// A note; its text is scrubbed, since it may quote names from outside.
    pub fn new(code: &'static str, text: impl AsRef<str>) -> Self {
        Self {
            code,
            text: super::text::scrub(text.as_ref()),
        }
    }
}

/// What a table was recognised as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Classified {
    /// The kind.
    pub kind: TableKind,
    /// The format of its files, as far as Glue tells; `None` for kinds without files.
    pub format: Option<Format>,
    /// What is odd about it.
    pub notes: Vec<Note>,
}

/// Recognises a table by the Glue object alone; no file is read.
pub fn classify(table: &Table) -> Classified {
    let kind = rules::kind(table);
    let format = if kind.has_files() { format::of(table) } else { None };
    Classified {
        kind,
        format,
        notes: notes::of(table, kind),
    }
}

/// What is odd about a database.
pub fn database_notes(database: &Database) -> Vec<Note> {
    notes::of_database(database)
}
