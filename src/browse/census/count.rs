//! The counts.

use crate::browse::TableRow;
use crate::domain::glue::Database;
use crate::domain::kind::TableKind;
use crate::domain::lens::{self, Engine, Verdict};
use crate::domain::problem::Problem;
use crate::domain::s3_path::{Cover, S3Location};
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A catalog, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Census {
    /// Databases, those among them that are links or stand for another system.
    pub databases: u64,
    /// Databases that are links to others; their tables are counted where they are.
    pub links: u64,
    /// Databases that stand for one of another system; their tables are not counted.
    pub federated: u64,
    /// Tables.
    pub tables: u64,
    /// Tables by kind.
    pub by_kind: BTreeMap<TableKind, u64>,
    /// Tables by what is odd about them; a table with two notes counts at both.
    pub by_note: BTreeMap<&'static str, u64>,
    /// Tables by what an engine makes of them, as far as Glue alone tells.
    pub by_engine: BTreeMap<&'static str, PerVerdict>,
    /// The fewest prefixes that cover the tables' files, without a whole bucket for the sake of two folders: what a grant has to
    /// give so that all of them are read.
    #[serde(rename = "prefixes", serialize_with = "covered")]
    pub cover: Cover,
    /// Whether all of it could be read.
    pub complete: bool,
    /// What could not be read, and why.
    pub unreadable: Vec<Unread>,
}

/// So many tables of each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PerVerdict {
    /// The engine reads them.
    pub yes: u64,
    /// It does once something is set.
    pub with_setting: u64,
    /// It does not.
    pub no: u64,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// The database, by its stored name; `None`: the list of databases has broken off.
    pub database: Option<String>,
    /// Why.
    #[serde(rename = "error")]
    pub problem: Box<Problem>,
}

fn covered<S: Serializer>(cover: &Cover, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(cover.prefixes())
}

impl Census {
    /// Tables by kind, the most first.
    pub fn kinds(&self) -> Vec<(&'static str, u64)> {
        most_first(self.by_kind.iter().map(|(kind, number)| (kind.as_str(), *number)))
    }

    /// Tables by what is odd about them, the most first.
    pub fn notes(&self) -> Vec<(&'static str, u64)> {
        most_first(self.by_note.iter().map(|(code, number)| (*code, *number)))
    }

    /// What every engine makes of the tables, in the order of the engines.
    pub fn engines(&self) -> impl Iterator<Item = (&'static Engine, PerVerdict)> {
        let of = |engine: &Engine| {
            self.by_engine
                .get(engine.id.as_str())
                .copied()
                .unwrap_or_default()
        };
        Engine::all().iter().map(move |engine| (engine, of(engine)))
    }

    pub(super) fn database(&mut self, database: &Database) {
        self.databases += 1;
        self.links += u64::from(database.target.is_some());
        self.federated += u64::from(database.target.is_none() && database.federated.is_some());
    }

    pub(super) fn table(&mut self, database: &str, row: &TableRow) {
        self.tables += 1;
        *self.by_kind.entry(row.kind).or_default() += 1;
        for note in &row.notes {
            *self.by_note.entry(note.code).or_default() += 1;
        }
        for judged in lens::judge(&row.facts(database)) {
            self.by_engine
                .entry(judged.engine)
                .or_default()
                .count(judged.verdict);
        }
    }

    /// Where a table's files lie: its location, and an Iceberg table's metadata.
    pub(super) fn files(&mut self, locations: &[S3Location]) {
        locations.iter().for_each(|location| self.cover.add(location));
    }

    pub(super) fn unread(&mut self, database: Option<String>, problem: Problem) {
        self.unreadable.push(Unread {
            database,
            problem: Box::new(problem),
        });
    }
}

fn most_first(counts: impl Iterator<Item = (&'static str, u64)>) -> Vec<(&'static str, u64)> {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(word, number)| (Reverse(*number), *word));
    counts
}

impl PerVerdict {
    /// Yes, with a setting, no: in the order in which they are shown.
    pub fn numbers(self) -> [u64; 3] {
        [self.yes, self.with_setting, self.no]
    }

    fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Yes => self.yes += 1,
            Verdict::WithSetting => self.with_setting += 1,
            Verdict::No => self.no += 1,
        }
    }
}
