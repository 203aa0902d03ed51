//! Reading `assets/lens.yaml`, and when a rule of it holds.

use super::{Facts, Verdict};
use regex::Regex;
use serde::{Deserialize, Deserializer};
use std::sync::LazyLock;

pub(super) const FILE: &str = include_str!("../../../assets/lens.yaml");

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    pub engines: Vec<Engine>,
    pub rules: Vec<Rule>,
}

/// An engine, in the way that it reads a Glue catalog.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// The id: `spark`.
    pub id: String,
    /// The name for people: `Spark`.
    pub name: String,
    /// By which way it comes to the tables.
    pub reads: String,
}

/// A rule: when all its conditions hold, its verdict counts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rule {
    /// Whose rule it is, by their ids.
    pub engines: Vec<String>,
    /// The table is of one of these kinds.
    #[serde(default)]
    pub kind: Vec<String>,
    /// Its files are of one of these formats.
    #[serde(default)]
    pub format: Vec<String>,
    /// It has one of these notes.
    #[serde(default)]
    pub note: Vec<String>,
    /// A part of its name does not match.
    #[serde(default, deserialize_with = "pattern")]
    pub name_unlike: Option<Regex>,
    /// A part of its name matches.
    #[serde(default, deserialize_with = "pattern")]
    pub name_like: Option<Regex>,
    /// Which part of its name the two above are about.
    #[serde(default)]
    pub part: Option<Part>,
    /// Iceberg's format version is at least this.
    #[serde(default)]
    pub version_from: Option<u32>,
    /// A column has one of these types.
    #[serde(default, rename = "type")]
    pub types: Vec<String>,
    /// How much a column of such a type keeps the engine from.
    #[serde(default)]
    pub spoils: Spoils,
    verdict: Word,
    /// Why, in half a sentence.
    pub why: String,
    /// What to set.
    #[serde(default)]
    pub setting: Option<String>,
    /// Where the rule comes from.
    pub source: String,
}

/// A part of a table's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Its database.
    Database,
    /// Its own name.
    Table,
}

/// What a column of a type that an engine does not read keeps it from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spoils {
    /// The whole table.
    #[default]
    Table,
    /// That column alone.
    Column,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    No,
    WithSetting,
    Hint,
}

fn pattern<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Regex>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| Regex::new(&text))
        .transpose()
        .map_err(serde::de::Error::custom)
}

// The file is part of the binary; a test reads it strictly.
static DATA: LazyLock<Data> = LazyLock::new(|| serde_saphyr::from_str(FILE).unwrap_or_default());

impl Engine {
    /// All engines, in the order in which they are shown.
    pub fn all() -> &'static [Self] {
        &DATA.engines
    }
}

pub(super) fn rules() -> &'static [Rule] {
    &DATA.rules
}

impl Rule {
    pub(super) fn is_for(&self, engine: &Engine) -> bool {
        self.engines.contains(&engine.id)
    }

    pub(super) fn verdict(&self) -> Verdict {
        match self.verdict {
            Word::No => Verdict::No,
            Word::WithSetting => Verdict::WithSetting,
            Word::Hint => Verdict::Yes,
        }
    }

    /// Whether it is but worth knowing.
    pub(super) fn is_hint(&self) -> bool {
        self.verdict == Word::Hint
    }

    /// Whether all conditions hold but those on columns, which are tried column by column.
    pub(super) fn holds(&self, facts: &Facts<'_>) -> bool {
        let any = |words: &[String], is: &dyn Fn(&str) -> bool| {
            words.is_empty() || words.iter().any(|word| is(word))
        };
        let named = |is: &dyn Fn(&str) -> bool| match self.part {
            None => is(facts.database) || is(facts.table),
            Some(Part::Database) => is(facts.database),
            Some(Part::Table) => is(facts.table),
        };
        any(&self.kind, &|kind| kind == facts.kind.as_str())
            && any(&self.format, &|format| {
                facts.format.is_some_and(|f| f.as_str() == format)
            })
            && any(&self.note, &|code| {
                facts.notes.iter().any(|note| note.code == code)
            })
            && self
                .name_unlike
                .as_ref()
                .is_none_or(|like| named(&|name| !like.is_match(name)))
            && self
                .name_like
                .as_ref()
                .is_none_or(|like| named(&|name| like.is_match(name)))
            && self
                .version_from
                .is_none_or(|least| facts.format_version.is_some_and(|v| v >= least))
    }

    /// Whether a column's type is one of those that the rule is about: its word, whatever is in brackets after it. A word
    /// that ends in a bracket is about those only that have something in brackets.
    pub(super) fn names(&self, type_text: &str) -> bool {
        let word = type_text.split(['(', '[', '<']).next().unwrap_or_default().trim();
        let named =
            |named: &String| named == word || (named.ends_with('(') && type_text.starts_with(named.as_str()));
        self.types.iter().any(named)
    }
}
