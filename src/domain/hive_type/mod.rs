//! The type strings that Glue holds for a column, as Hive writes them: `array<struct<id:bigint,tags:map<string,string>>>`.
//!
//! The strings that really occur are wider than Hive's own grammar: field names with `:`, `.`, blanks, quotes and signs,
//! words that no engine knows, Spark's backticks and comments. What can be read in one way only is read; the rest is
//! refused with the offset, and the raw text is kept by the caller. Reading is linear in the length of the text.

mod parse;
mod scan;
#[cfg(test)]
mod tests;
mod tree;
mod words;

use std::fmt;
use std::str::FromStr;

pub use tree::{Tree, is_plain, tree};

/// A type as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HiveType {
    /// A type without parts: `bigint`, `decimal(10,2)`, in lower case.
    Primitive {
        /// As it is written, in lower case and with single blanks.
        text: String,
        /// How Hive spells it, where the text is another word for the same: `bigint` for `long`.
        hive: Option<&'static str>,
    },
    /// `array<…>`.
    Array(Box<HiveType>),
    /// `map<…,…>`: key and value.
    Map(Box<HiveType>, Box<HiveType>),
    /// `struct<…>`; may be empty.
    Struct(Vec<Field>),
    /// `uniontype<…>`: one of its branches.
    Union(Vec<HiveType>),
    /// A word that is no type of Hive's, as it is written: `bigint(20)`.
    Unknown(String),
    /// Nested deeper than [`DEPTH`]: its brackets are balanced, and it is kept as it is written.
    Deep(String),
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, without the backticks around it.
    pub name: String,
    /// Other readers may cut the name elsewhere: it holds a character that also separates.
    pub ambiguous: bool,
    /// The type.
    pub kind: HiveType,
    /// Spark's `COMMENT '…'`.
    pub comment: Option<String>,
    /// Spark's `NOT NULL`.
    pub required: bool,
}

/// Levels that are read into a tree. Nobody reads a deeper one, and a tree that deep is a danger to whoever walks it.
pub const DEPTH: usize = 50;

/// A type that can be read in no way, or in more than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Where, in characters from the start of the text.
    pub offset: usize,
    /// What was expected or found there.
    pub why: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot parse at offset {}: {}", self.offset, self.why)
    }
}

impl std::error::Error for Unreadable {}

impl FromStr for HiveType {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        parse::read(text)
    }
}

impl HiveType {
    /// The word before the bracket, or the whole text of a type without parts.
    pub fn word(&self) -> &str {
        match self {
            Self::Primitive { text, .. } | Self::Unknown(text) | Self::Deep(text) => text,
            Self::Array(_) => "array",
            Self::Map(..) => "map",
            Self::Struct(_) => "struct",
            Self::Union(_) => "uniontype",
        }
    }
}
