//! The format of a table's files, told from its SerDe, its input format and its parameters.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::domain::glue::Table;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Apache Parquet.
    Parquet,
    /// Apache ORC.
    Orc,
    /// Apache Avro.
    Avro,
    /// Comma- or otherwise separated values.
    Csv,
    /// JSON lines.
    Json,
    /// Amazon Ion.
    Ion,
    /// XML, as crawlers find it.
    Xml,
    /// Lines taken apart by a regular expression or grok pattern.
    Regex,
    /// Hadoop sequence files.
    SequenceFile,
    /// Hive's RC files.
    RcFile,
    /// A manifest that lists the real files.
    Symlink,
}

impl Format {
    /// The stable word: `parquet`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Orc => "orc",
            Self::Avro => "avro",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ion => "ion",
            Self::Xml => "xml",
            Self::Regex => "regex",
            Self::SequenceFile => "sequence-file",
            Self::RcFile => "rc-file",
            Self::Symlink => "symlink",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Parts of class names and classifications, and what they mean; the first that is found counts.
const WORDS: [(&str, Format); 17] = [
    ("parquet", Format::Parquet),
    ("orc", Format::Orc),
    ("avro", Format::Avro),
    ("json", Format::Json),
    ("opencsv", Format::Csv),
    ("csv", Format::Csv),
    ("tsv", Format::Csv),
    ("lazysimple", Format::Csv),
    ("multidelimit", Format::Csv),
    ("ionhive", Format::Ion),
    ("xml", Format::Xml),
    ("regex", Format::Regex),
    ("grok", Format::Regex),
    ("sequencefile", Format::SequenceFile),
    ("columnar", Format::RcFile),
    ("rcfile", Format::RcFile),
    ("lazybinary", Format::SequenceFile),
];

pub(super) fn of(table: &Table) -> Option<Format> {
    let storage = table.storage.as_ref();
    let input = storage.and_then(|s| s.input_format.as_deref());
    if input.is_some_and(|input| input.ends_with("SymlinkTextInputFormat")) {
        return Some(Format::Symlink);
    }
    let serde = storage.and_then(|s| s.serde_library.as_deref());
    let classification = table.parameter("classification").or_else(|| {
        storage
            .and_then(|s| s.parameters.get("classification"))
            .map(String::as_str)
    });
    let provider = table.parameter("spark.sql.sources.provider");
    let iceberg_default = table.parameter("write.format.default");
    [
        serde.map(class),
        input.map(class),
        classification,
        provider,
        iceberg_default,
    ]
    .into_iter()
    .flatten()
    .find_map(word)
}

/// The class without its package: `org.apache.hadoop.hive.ql.io.orc.OrcSerde` → `OrcSerde`.
fn class(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn word(text: &str) -> Option<Format> {
    let text = text.to_ascii_lowercase();
    if text == "ion" {
        return Some(Format::Ion);
    }
    WORDS
        .iter()
        .find(|(word, _)| text.contains(word))
        .map(|(_, format)| *format)
}
