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
    /// Columns with a word of their own.
    pub columns: Vec<ColumnJudgement>,
    /// What else is worth knowing.
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

/// What every engine makes of a table, in the order of the engines.
pub fn judge(facts: &Facts<'_>) -> Vec<Judgement> {
    Engine::all()
        .iter()
        .map(|engine| of_engine(engine, facts))
        .collect()
}

fn of_engine(engine: &'static Engine, facts: &Facts<'_>) -> Judgement {
    let mut found: Vec<(Verdict, &'static str)> = Vec::new();
    let mut judgement = Judgement {
        engine: &engine.id,
        name: &engine.name,
        verdict: Verdict::Yes,
        why: String::new(),
        settings: Vec::new(),
        columns: Vec::new(),
        hints: Vec::new(),
    };
    let mut settings = Vec::new();
    for rule in rules()
        .iter()
        .filter(|rule| rule.is_for(engine) && rule.holds(facts))
    {
        let (verdict, why) = (rule.verdict(), rule.why.as_str());
        if rule.types.is_empty() {
            if rule.is_hint() {
                judgement.hints.push(why);
            }
        } else {
            let before = judgement.columns.len();
            of_columns(rule, facts.columns, "", &mut judgement.columns);
            if judgement.columns.len() == before || rule.spoils == Spoils::Column {
                continue;
            }
        }
        if !rule.is_hint() {
            found.push((verdict, why));
            settings.extend(rule.setting.as_deref().map(|setting| (verdict, setting)));
        }
    }
    judgement.verdict = found
        .iter()
        .map(|(verdict, _)| *verdict)
        .max()
        .unwrap_or(Verdict::Yes);
    let mut reasons: Vec<&str> = Vec::new();
    for (_, why) in found.iter().filter(|(verdict, _)| *verdict == judgement.verdict) {
        if !reasons.contains(why) {
            reasons.push(why);
        }
    }
    judgement.why = match judgement.verdict {
        Verdict::Yes => engine.reads.clone(),
        _ => reasons.join("; "),
    };
    let counts = |(verdict, _): &(Verdict, &str)| *verdict == judgement.verdict;
    judgement.settings = settings
        .into_iter()
        .filter(counts)
        .map(|(_, setting)| setting)
        .collect();
    judgement
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
