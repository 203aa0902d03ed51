//! A table's schema as text for somebody else: the statement that makes such a table in Spark, Trino or Athena, and
//! Arrow's JSON. What the other side has no word for is said in a comment, never left out silently.

mod arrow;
mod sql;
#[cfg(test)]
mod tests;
mod truth;
mod words;

use std::{fmt, str::FromStr};

use super::column_type::{Field, Words};
use super::fqn::Fqn;
use super::invalid::Invalid;
use super::quote::Dialect;
use super::schema::Schema;
use super::text::scrub;
use super::{kind::TableKind, word::serde_as_text};

/// An engine whose data definition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Spark SQL.
    Spark,
    /// Trino.
    Trino,
    /// Athena.
    Athena,
}

impl Engine {
    fn dialect(self) -> Dialect {
        match self {
            Self::Spark => Dialect::Spark,
            Self::Trino => Dialect::Trino,
            Self::Athena => Dialect::AthenaDdl,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Spark => "Spark",
            Self::Trino => "Trino",
            Self::Athena => "Athena",
        }
    }
}

/// How a schema is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// The statement of an engine.
    Ddl(Engine),
    /// Arrow's JSON.
    Arrow,
}

impl Form {
    /// All forms, in the order in which they are offered.
    pub const ALL: [Self; 4] = [
        Self::Ddl(Engine::Spark),
        Self::Ddl(Engine::Trino),
        Self::Ddl(Engine::Athena),
        Self::Arrow,
    ];

    /// The word of the command line: `spark`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ddl(Engine::Spark) => "spark",
            Self::Ddl(Engine::Trino) => "trino",
            Self::Ddl(Engine::Athena) => "athena",
            Self::Arrow => "arrow",
        }
    }

    /// The name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Ddl(Engine::Spark) => "CREATE TABLE for Spark",
            Self::Ddl(Engine::Trino) => "CREATE TABLE for Trino",
            Self::Ddl(Engine::Athena) => "CREATE TABLE for Athena",
            Self::Arrow => "Arrow schema (JSON)",
        }
    }
}

serde_as_text!(Form);

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Form {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let word = given.trim().to_ascii_lowercase();
        let found = Self::ALL.into_iter().find(|form| form.as_str() == word);
        found.ok_or_else(|| {
            let all: Vec<_> = Self::ALL.iter().map(|form| form.as_str()).collect();
            Invalid::new("form", given, "is not one that glueup writes", all.join(", "))
        })
    }
}

/// Writes a schema.
///
/// # Errors
/// For what is no table of its own (a link, a view in another engine's SQL), for columns that are not known, and for names
/// and texts that are only known by the signs that stand for them: the statement would make another table.
pub fn write(fqn: &Fqn, schema: &Schema, form: Form) -> Result<String, Invalid> {
    let refused = |why: &str| Invalid::new("table", &schema.fqn, why, "a table whose columns are known");
    if let Some(why) = truth::untrue(schema, form) {
        return Err(refused(&why));
    }
    let engine = match form {
        Form::Ddl(engine) => engine,
        Form::Arrow if schema.columns.is_empty() => return Err(refused("has no columns that are known")),
        Form::Arrow => {
            let (json, lost) = arrow::schema(&fields(schema));
            let mut text = serde_json::to_string_pretty(&json).unwrap_or_default();
            // JSON has no comments.
            if let Some(lost) = (!lost.is_empty()).then(|| serde_json::json!(lost)) {
                text = text.replacen('{', &format!("{{\n  \"lost\": {lost},"), 1);
            }
            return Ok(text);
        }
    };
    let parts = [fqn.database.as_deref(), fqn.table.as_deref()];
    if parts.into_iter().flatten().any(|part| scrub(part) != part) {
        return Err(refused(
            "has a sign in its name that steers a terminal: no statement carries it safely",
        ));
    }
    match schema.kind {
        TableKind::ResourceLink => Err(refused("is a link: ask for the table that it leads to")),
        TableKind::Federated => Err(refused("stands for a table of another system")),
        kind if kind.is_view() => {
            sql::view(fqn, schema, engine).ok_or_else(|| refused(&truth::of_view(schema, engine)))
        }
        TableKind::Delta | TableKind::Hudi => sql::by_log(fqn, schema, engine).ok_or_else(|| {
            refused(&format!(
                "is made in another way in {}, which is not written here",
                engine.label()
            ))
        }),
        _ if schema.columns.is_empty() => Err(refused("has no columns that are known")),
        _ => Ok(sql::table(fqn, schema, engine, &fields(schema))),
    }
}

fn fields(schema: &Schema) -> Vec<Field> {
    let words = Words::of(schema);
    schema
        .columns
        .iter()
        .map(|column| Field::of(column, words))
        .collect()
}
