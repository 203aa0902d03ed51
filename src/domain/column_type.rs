//! A column's type, whoever's words it was written in: Iceberg's, Hive's or Spark's.

use crate::domain::hive_type::HiveType;
use crate::domain::kind::TableKind;
use crate::domain::schema::{Column, Schema, Source};

/// Whose words the types are in: where two of them use one word for two things, this decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Iceberg's: `timestamp` has no zone, `timestamptz` has one.
    Iceberg,
    /// Hive's: `timestamp` has no zone.
    Hive,
    /// Spark's: `timestamp` is an instant, `timestamp_ntz` is not.
    Spark,
}

impl Words {
    /// Those that a schema's columns are in.
    pub fn of(schema: &Schema) -> Self {
        match (schema.source, schema.kind) {
            (Source::Iceberg, _) => Self::Iceberg,
            (Source::DeltaLog, _) => Self::Spark,
            (Source::Glue, TableKind::Delta | TableKind::SparkSource | TableKind::SparkView) => Self::Spark,
            (Source::Glue, _) => Self::Hive,
        }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// True or false.
    Boolean,
    /// A signed integer of so many bits.
    Int(u8),
    /// A floating point number of so many bits.
    Float(u8),
    /// Digits, and how many of them after the point.
    Decimal(u32, u32),
    /// A day.
    Date,
    /// A time of day, in microseconds.
    Time,
    /// A point in time.
    Timestamp {
        /// An instant, not a time on somebody's clock.
        zoned: bool,
        /// In nanoseconds instead of microseconds.
        nanos: bool,
    },
    /// Text.
    Text,
    /// Text of at most so many characters.
    Varchar(u32),
    /// Text of so many characters.
    Char(u32),
    /// Bytes.
    Binary,
    /// So many bytes.
    Fixed(u32),
    /// A UUID.
    Uuid,
    /// A semi-structured value.
    Variant,
    /// Nothing but nulls.
    Null,
    /// Fields.
    Struct(Vec<Field>),
    /// Elements.
    List(Box<Field>),
    /// Keys and values.
    Map(Box<Field>, Box<Field>),
    /// What none of the engines here has a word for, as it was written.
    Other(String),
}

/// A named part of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Iceberg's field id.
    pub id: Option<i32>,
    /// Never null.
    pub required: bool,
    /// The comment.
    pub doc: Option<String>,
    /// The type.
    pub kind: Type,
}

impl Field {
    /// A column as a field.
    pub fn of(column: &Column, words: Words) -> Self {
        Self {
            name: column.name.clone(),
            id: column.id,
            required: column.required,
            doc: column.doc.clone(),
            kind: Type::of(column, words),
        }
    }
}

impl Type {
    /// The type of a column.
    pub fn of(column: &Column, words: Words) -> Self {
        let word = column.short_type().trim().to_ascii_lowercase();
        let part = |at: usize| {
            column
                .children
                .get(at)
                .map(|child| Box::new(Field::of(child, words)))
        };
        match word.as_str() {
            "struct" | "struct (0 fields)" => Self::Struct(
                column
                    .children
                    .iter()
                    .map(|child| Field::of(child, words))
                    .collect(),
            ),
            "list" | "array" => part(0).map_or_else(|| Self::Other(column.type_text.clone()), Self::List),
            "map" => match (part(0), part(1)) {
                (Some(key), Some(value)) => Self::Map(key, value),
                _ => Self::Other(column.type_text.clone()),
            },
            _ => leaf(&column.type_text, words).unwrap_or_else(|| Self::Other(column.type_text.clone())),
        }
    }
}

fn leaf(text: &str, words: Words) -> Option<Type> {
    // Hive's reader knows the other words for the same, and where blanks may stand.
    let text = match text.parse() {
        Ok(HiveType::Primitive { text, .. }) if words != Words::Iceberg => text,
        _ => text.trim().to_ascii_lowercase(),
    };
    let (word, numbers) = match text.split_once(['(', '[']) {
        Some((word, rest)) => (word.trim(), rest.trim_end_matches([')', ']'])),
        None => (text.as_str(), ""),
    };
    let numbers: Vec<u32> = numbers
        .split(',')
        .filter_map(|number| number.trim().parse().ok())
        .collect();
    let first = numbers.first().copied();
    let stamp = |zoned| Type::Timestamp { zoned, nanos: false };
    Some(match (word, first) {
        ("boolean" | "bool", None) => Type::Boolean,
        ("tinyint" | "byte", None) => Type::Int(8),
        ("smallint" | "short", None) => Type::Int(16),
        ("int" | "integer", None) => Type::Int(32),
        ("bigint" | "long", None) => Type::Int(64),
        ("float" | "real", None) => Type::Float(32),
        ("double" | "double precision", None) => Type::Float(64),
        // Hive's own, where nothing is said.
        ("decimal" | "numeric" | "dec", None) => Type::Decimal(10, 0),
        ("decimal" | "numeric" | "dec", Some(digits)) => {
            Type::Decimal(digits, numbers.get(1).copied().unwrap_or(0))
        }
        ("date", None) => Type::Date,
        ("time", None) => Type::Time,
        ("timestamp", None) => stamp(words == Words::Spark),
        ("timestamp_ntz", None) => stamp(false),
        ("timestamptz" | "timestamp_ltz" | "timestamp with local time zone", None) => stamp(true),
        ("timestamp_ns", None) => Type::Timestamp {
            zoned: false,
            nanos: true,
        },
        ("timestamptz_ns", None) => Type::Timestamp {
            zoned: true,
            nanos: true,
        },
        ("string", None) => Type::Text,
        ("varchar", Some(length)) => Type::Varchar(length),
        ("char", Some(length)) => Type::Char(length),
        ("binary", None) => Type::Binary,
        ("fixed", Some(length)) => Type::Fixed(length),
        ("uuid", None) => Type::Uuid,
        ("variant", None) => Type::Variant,
        ("void" | "null", None) => Type::Null,
        ("unknown", None) if words == Words::Iceberg => Type::Null,
        _ => return None,
    })
}

/// The type in Hive's words, as Iceberg's libraries leave it in Glue's columns.
pub fn hive(kind: &Type) -> String {
    match kind {
        Type::Boolean => "boolean".to_owned(),
        Type::Int(8) => "tinyint".to_owned(),
        Type::Int(16) => "smallint".to_owned(),
        Type::Int(64) => "bigint".to_owned(),
        Type::Int(_) => "int".to_owned(),
        Type::Float(64) => "double".to_owned(),
        Type::Float(_) => "float".to_owned(),
        Type::Decimal(digits, scale) => format!("decimal({digits},{scale})"),
        Type::Date => "date".to_owned(),
        Type::Timestamp { .. } => "timestamp".to_owned(),
        Type::Time | Type::Text | Type::Uuid => "string".to_owned(),
        Type::Varchar(length) => format!("varchar({length})"),
        Type::Char(length) => format!("char({length})"),
        Type::Binary | Type::Fixed(_) => "binary".to_owned(),
        Type::Variant => "variant".to_owned(),
        Type::Null => "void".to_owned(),
        Type::Struct(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| format!("{}:{}", field.name, hive(&field.kind)))
                .collect();
            format!("struct<{}>", fields.join(","))
        }
        Type::List(element) => format!("array<{}>", hive(&element.kind)),
        Type::Map(key, value) => format!("map<{},{}>", hive(&key.kind), hive(&value.kind)),
        Type::Other(text) => text.clone(),
    }
}
