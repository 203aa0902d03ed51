//! The lens: whether an engine can read a table, and why not. The rules are data, `assets/lens.yaml`.

mod rules;
#[cfg(test)]
mod tests;

use serde::Serialize;
use std::fmt;

use super::fqn::Fqn;
use super::kind::{Format, Note, TableKind};
use super::schema::{Column, Schema};
pub use rules::{Engine, Rule};
use rules::{Spoils, rules};

/// Whether an engine reads a table or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does.
    Yes,
    /// It does, once something is set.
    WithSetting,
    /// It does not.
    No,
}

impl Verdict {
    /// All of them, the best first.
    pub const ALL: [Self; 3] = [Self::Yes, Self::WithSetting, Self::No];

    /// The stable word: `with-setting`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::WithSetting => "with-setting",
            Self::No => "no",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What is known of a table. Before its metadata has been read there is neither a version nor a column, and a rule on
/// them does not apply.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// What it is.
    pub kind: TableKind,
    /// The format of its files.
    pub format: Option<Format>,
    /// What is odd about it.
    pub notes: &'a [Note],
    /// Its database.
    pub database: &'a str,
    /// Its name.
    pub table: &'a str,
    /// Iceberg's format version.
    pub format_version: Option<u32>,
    /// Its columns.
    pub columns: &'a [Column],
}

impl<'a> Facts<'a> {
    /// What a table's schema tells.
    pub fn of(fqn: &'a Fqn, schema: &'a Schema) -> Self {
        Self {
            kind: schema.kind,
            format: schema.format,
            notes: &schema.notes,
            database: fqn.database.as_deref().unwrap_or_default(),
            table: fqn.table.as_deref().unwrap_or_default(),
            format_version: schema.format_version,
            columns: &schema.columns,
        }
    }
}

/// What one engine makes of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// Its id: `spark`.
    pub engine: &'static str,
    /// Its name: `Spark`.
    pub name: &'static str,
    /// Whether it reads the table.
    pub verdict: Verdict,
    /// Why not; for a yes by which way it reads.
    pub why: String,
    /// What to set; empty unless the verdict is `with-setting`.
    pub settings: Vec<&'static str>,
    /// Columns with a word of their own; of a table that is not read, those that are at fault.
    pub columns: Vec<ColumnJudgement>,
    /// What else is worth knowing, where the table is read.
    pub hints: Vec<&'static str>,
}

/// What an engine makes of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnJudgement {
    /// The column, with the path to it: `address.street`.
    pub column: String,
    /// Whether the engine reads it.
    pub verdict: Verdict,
    /// Why not, or what is worth knowing.
    pub why: &'static str,
}

impl Judgement {
    /// What is to be said beneath the verdict: settings, what is worth knowing, and the columns at fault.
    pub fn beneath(&self) -> Vec<String> {
        let settings = self.settings.iter().map(|setting| format!("set: {setting}"));
        let hints = self.hints.iter().map(|hint| format!("note: {hint}"));
        settings.chain(hints).chain(self.of_columns()).collect()
    }

    /// The columns in lines, those of which the same is said in one.
    fn of_columns(&self) -> Vec<String> {
        let mut lines: Vec<(Verdict, &str, Vec<&str>)> = Vec::new();
        for ColumnJudgement { column, verdict, why } in &self.columns {
            match lines.iter_mut().find(|(v, w, _)| (v, *w) == (verdict, *why)) {
                Some((.., columns)) => columns.push(column),
                None => lines.push((*verdict, why, vec![column])),
            }
        }
        let line = |(verdict, why, columns): (Verdict, &str, Vec<&str>)| {
            let noun = if columns.len() == 1 { "column" } else { "columns" };
            let columns = columns.join(", ");
            match verdict {
                Verdict::Yes => format!("note on {noun} {columns}: {why}"),
                // The reason stands in the verdict.
                _ if self.why.contains(why) => format!("{noun} {columns}"),
                _ => format!("{noun} {columns}: {why}"),
            }
        };
        lines.into_iter().map(line).collect()
    }
}

/// What every engine makes of a table, in the order of the engines.
pub fn judge(facts: &Facts<'_>) -> Vec<Judgement> {
    let mut tallies: Vec<Tally> = Engine::all().iter().map(Tally::new).collect();
    for rule in rules().iter().filter(|rule| rule.holds(facts)) {
        let mut columns = Vec::new();
        of_columns(rule, facts.columns, "", &mut columns);
        // A rule about columns of which there is none says nothing.
        if !rule.types.is_empty() && columns.is_empty() {
            continue;
        }
        tallies
            .iter_mut()
            .filter(|tally| rule.is_for(tally.engine))
            .for_each(|tally| tally.take(rule, &columns));
    }
    tallies.into_iter().map(Tally::judgement).collect()
}

/// What the rules say of one engine.
struct Tally {
    engine: &'static Engine,
    found: Vec<&'static Rule>,
    columns: Vec<ColumnJudgement>,
    hints: Vec<&'static str>,
}

impl Tally {
    fn new(engine: &'static Engine) -> Self {
        Self {
            engine,
            found: Vec::new(),
            columns: Vec::new(),
            hints: Vec::new(),
        }
    }

    fn take(&mut self, rule: &'static Rule, columns: &[ColumnJudgement]) {
        self.columns.extend_from_slice(columns);
        match rule.is_hint() {
            true if rule.types.is_empty() => self.hints.push(&rule.why),
            // Said of the columns.
            true => {}
            false if rule.spoils == Spoils::Column => {}
            false => self.found.push(rule),
        }
    }

    fn judgement(mut self) -> Judgement {
        let verdict = self
            .found
            .iter()
            .map(|rule| rule.verdict())
            .max()
            .unwrap_or(Verdict::Yes);
        // What would be worth knowing of a table that is read is nothing to who cannot read it.
        if verdict == Verdict::No {
            self.columns.retain(|column| column.verdict == Verdict::No);
            self.hints.clear();
        }
        let worst = || self.found.iter().filter(|rule| rule.verdict() == verdict);
        let mut reasons: Vec<&str> = Vec::new();
        for rule in worst() {
            if !reasons.contains(&rule.why.as_str()) {
                reasons.push(&rule.why);
            }
        }
        Judgement {
            engine: &self.engine.id,
            name: &self.engine.name,
            verdict,
            why: match verdict {
                Verdict::Yes => self.engine.reads.clone(),
                _ => reasons.join("; "),
            },
            settings: worst().filter_map(|rule| rule.setting.as_deref()).collect(),
            columns: self.columns,
            hints: self.hints,
        }
    }
}

fn of_columns(rule: &'static Rule, columns: &[Column], path: &str, found: &mut Vec<ColumnJudgement>) {
    for column in columns {
        let path = if path.is_empty() {
            column.name.clone()
        } else {
            format!("{path}.{}", column.name)
        };
        if rule.names(&column.type_text) {
            found.push(ColumnJudgement {
                column: path.clone(),
                verdict: rule.verdict(),
                why: &rule.why,
            });
        }
        of_columns(rule, &column.children, &path, found);
    }
}
