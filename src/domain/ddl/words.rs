//! A type in the words of an engine's data definition, and what is lost where the engine has none.

use super::Engine;
use crate::domain::column_type::{Field, Type, hive};
use crate::domain::quote::quote;

/// Writes types for one engine.
pub(super) struct Writer {
    engine: Engine,
    /// What the engine has no type for: a sentence each.
    pub lost: Vec<String>,
}

impl Writer {
    pub fn new(engine: Engine) -> Self {
        Self {
            engine,
            lost: Vec::new(),
        }
    }

    /// A name as the engine's data definition writes it.
    pub fn name(&self, name: &str) -> String {
        // A column may have any name; one that no dialect writes is quoted as the others are.
        quote(name, self.engine.dialect()).map_or_else(|_| name.to_owned(), |quoted| quoted.quoted)
    }

    /// The type; `path` names the column in sentences.
    pub fn kind(&mut self, kind: &Type, path: &str) -> String {
        let trino = self.engine == Engine::Trino;
        let word = |trino_word: &str, other: &str| (if trino { trino_word } else { other }).to_owned();
        match kind {
            Type::Boolean => word("BOOLEAN", "BOOLEAN"),
            Type::Int(8) => word("TINYINT", "TINYINT"),
            Type::Int(16) => word("SMALLINT", "SMALLINT"),
            Type::Int(64) => word("BIGINT", "BIGINT"),
            Type::Int(_) => word("INTEGER", "INT"),
            Type::Float(32) => word("REAL", "FLOAT"),
            Type::Float(_) => word("DOUBLE", "DOUBLE"),
            Type::Decimal(digits, scale) => format!("DECIMAL({digits}, {scale})"),
            Type::Date => word("DATE", "DATE"),
            Type::Time if trino => "TIME(6)".to_owned(),
            Type::Time => self.instead(path, "time", "STRING"),
            Type::Timestamp { zoned, nanos } => self.timestamp(*zoned, *nanos, path),
            Type::Text => word("VARCHAR", "STRING"),
            Type::Varchar(length) => format!("VARCHAR({length})"),
            Type::Char(length) => format!("CHAR({length})"),
            Type::Binary => word("VARBINARY", "BINARY"),
            Type::Fixed(length) => {
                let (known, word) = (format!("fixed[{length}]"), word("VARBINARY", "BINARY"));
                self.instead(path, &known, &word)
            }
            Type::Uuid if trino => "UUID".to_owned(),
            Type::Uuid => self.instead(path, "uuid", "STRING"),
            Type::Variant if self.engine == Engine::Spark => "VARIANT".to_owned(),
            Type::Null if self.engine == Engine::Spark => "VOID".to_owned(),
            Type::Struct(fields) => self.fields(fields, path),
            Type::List(element) => {
                let inner = self.kind(&element.kind, &format!("{path}.{}", element.name));
                if trino {
                    format!("ARRAY({inner})")
                } else {
                    format!("ARRAY<{inner}>")
                }
            }
            Type::Map(key, value) => {
                let [key, value] =
                    [key, value].map(|part| self.kind(&part.kind, &format!("{path}.{}", part.name)));
                if trino {
                    format!("MAP({key}, {value})")
                } else {
                    format!("MAP<{key}, {value}>")
                }
            }
            Type::Variant | Type::Null | Type::Other(_) => {
                let text = hive(kind);
                let engine = self.engine.label();
                self.lost.push(format!(
                    "{path}: {engine} has no type for {text}; it stands here as it was written"
                ));
                text
            }
        }
    }

    fn timestamp(&mut self, zoned: bool, nanos: bool, path: &str) -> String {
        match (self.engine, zoned, nanos) {
            (Engine::Trino, true, false) => "TIMESTAMP(6) WITH TIME ZONE".to_owned(),
            (Engine::Trino, false, false) => "TIMESTAMP(6)".to_owned(),
            (Engine::Trino, true, true) => "TIMESTAMP(9) WITH TIME ZONE".to_owned(),
            (Engine::Trino, false, true) => "TIMESTAMP(9)".to_owned(),
            (Engine::Spark, zoned, nanos) => {
                let word = if zoned { "TIMESTAMP" } else { "TIMESTAMP_NTZ" };
                match nanos {
                    true => self.instead(path, "nanoseconds", word),
                    false => word.to_owned(),
                }
            }
            (Engine::Athena, false, false) => "TIMESTAMP".to_owned(),
            (Engine::Athena, true, _) => self.instead(path, "timestamptz", "TIMESTAMP"),
            (Engine::Athena, false, true) => self.instead(path, "nanoseconds", "TIMESTAMP"),
        }
    }

    fn fields(&mut self, fields: &[Field], path: &str) -> String {
        let trino = self.engine == Engine::Trino;
        let fields: Vec<String> = fields
            .iter()
            .map(|field| {
                let kind = self.kind(&field.kind, &format!("{path}.{}", field.name));
                let name = self.name(&field.name);
                match (trino, field.required && self.engine == Engine::Spark) {
                    (true, _) => format!("{name} {kind}"),
                    (false, true) => format!("{name}: {kind} NOT NULL"),
                    (false, false) => format!("{name}: {kind}"),
                }
            })
            .collect();
        let fields = fields.join(", ");
        if trino {
            format!("ROW({fields})")
        } else {
            format!("STRUCT<{fields}>")
        }
    }

    /// Says that a type is lost, and gives the word in its place.
    fn instead(&mut self, path: &str, known: &str, word: &str) -> String {
        let engine = self.engine.label();
        self.lost.push(format!(
            "{path}: {engine} has no {known}, {word} stands in its place"
        ));
        word.to_owned()
    }
}
