//! Iceberg's schema JSON as a tree of columns. Types that nobody knows yet stay visible as they were written.

use crate::domain::kind::Note;
use crate::domain::schema::Column;
use crate::domain::text::{cut, scrub};
use serde_json::Value;
use std::collections::BTreeSet;

/// As much of an unknown type's text as is shown.
const UNKNOWN_COLS: usize = 120;

/// The columns of a struct's `fields`. `keys` are the identifier field ids.
pub(super) fn columns(fields: Option<&Value>, keys: &BTreeSet<i64>) -> Vec<Column> {
    let fields = fields.and_then(Value::as_array);
    fields
        .into_iter()
        .flatten()
        .map(|field| column(field, keys))
        .collect()
}

fn column(field: &Value, keys: &BTreeSet<i64>) -> Column {
    let id = field.get("id").and_then(Value::as_i64);
    let name = field.get("name").and_then(Value::as_str).unwrap_or("?");
    let mut column = Column {
        name: scrub(name),
        id: narrow(id),
        required: field.get("required").and_then(Value::as_bool).unwrap_or(false),
        key: id.is_some_and(|id| keys.contains(&id)),
        doc: field.get("doc").and_then(Value::as_str).map(scrub),
        ..Column::default()
    };
    set_type(&mut column, field.get("type"), keys);
    column
}

fn inner(name: &str, holder: &Value, keys: &BTreeSet<i64>) -> Column {
    let part = |suffix: &str| holder.get(format!("{name}{suffix}"));
    let mut column = Column {
        name: name.to_owned(),
        id: narrow(part("-id").and_then(Value::as_i64)),
        // A map's key is never null, and has no flag of its own.
        required: name == "key" || part("-required").and_then(Value::as_bool).unwrap_or(false),
        ..Column::default()
    };
    set_type(&mut column, holder.get(name), keys);
    column
}

fn narrow(id: Option<i64>) -> Option<i32> {
    id.and_then(|id| i32::try_from(id).ok())
}

fn set_type(column: &mut Column, given: Option<&Value>, keys: &BTreeSet<i64>) {
    match given {
        Some(Value::String(word)) => {
            column.type_text = scrub(word.trim());
            if !is_primitive(word) {
                column.notes.push(unknown(&column.type_text));
            }
            if matches!(word.trim(), "timestamptz" | "timestamptz_ns") {
                column.notes.push(zoned(&column.name, word.trim()));
            }
        }
        Some(nested @ Value::Object(_)) => match nested.get("type").and_then(Value::as_str) {
            Some("struct") => {
                column.type_text = "struct".to_owned();
                column.children = columns(nested.get("fields"), keys);
            }
            Some("list") => {
                column.type_text = "list".to_owned();
                column.children = vec![inner("element", nested, keys)];
            }
            Some("map") => {
                column.type_text = "map".to_owned();
                column.children = vec![inner("key", nested, keys), inner("value", nested, keys)];
            }
            _ => raw(column, nested),
        },
        Some(other) => raw(column, other),
        None => {
            column.type_text = "?".to_owned();
            column
                .notes
                .push(Note::new("unknown-type", "The metadata gives it no type"));
        }
    }
}

fn raw(column: &mut Column, given: &Value) {
    column.type_text = cut(&scrub(&given.to_string()), UNKNOWN_COLS);
    column.notes.push(unknown(&column.type_text));
}

fn unknown(type_text: &str) -> Note {
    Note::new(
        "unknown-type",
        format!(
            "glueup does not know the Iceberg type {}",
            cut(type_text, UNKNOWN_COLS)
        ),
    )
}

fn zoned(name: &str, word: &str) -> Note {
    let unit = if word.ends_with("_ns") { "ns" } else { "µs" };
    Note::new(
        "time-zone",
        format!("timestamptz ({unit}): in Athena, CTAS to Hive needs CAST({name} AS timestamp)"),
    )
}

/// A decimal has up to 38 digits, no more of them behind the point.
fn is_decimal(word: &str) -> bool {
    let held = numbers(word, ('(', ')'));
    held.is_some_and(|held| matches!(held.as_slice(), [digits @ 1..=38, scale] if scale <= digits))
}

/// The numbers between the brackets with which a type's word ends.
fn numbers(word: &str, (open, close): (char, char)) -> Option<Vec<u32>> {
    let (_, held) = word.strip_suffix(close)?.split_once(open)?;
    held.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// The primitive types of table format versions 1 to 3.
fn is_primitive(word: &str) -> bool {
    let word = word.trim();
    let base = word.split(['(', '[']).next().unwrap_or(word).trim();
    match base {
        "decimal" => is_decimal(word),
        "fixed" => {
            numbers(word, ('[', ']')).is_some_and(|held| matches!(held.as_slice(), [length] if *length > 0))
        }
        "geometry" | "geography" => true,
        _ => {
            base == word
                && matches!(
                    word,
                    "boolean"
                        | "int"
                        | "long"
                        | "float"
                        | "double"
                        | "date"
                        | "time"
                        | "timestamp"
                        | "timestamptz"
                        | "timestamp_ns"
                        | "timestamptz_ns"
                        | "string"
                        | "uuid"
                        | "binary"
                        | "unknown"
                        | "variant"
                )
        }
    }
}

/// Calls `visit` with each column and its dotted path.
pub(super) fn walk<'a>(columns: &'a [Column], visit: &mut impl FnMut(&str, &'a Column)) {
    fn step<'a>(path: &str, columns: &'a [Column], visit: &mut impl FnMut(&str, &'a Column)) {
        for column in columns {
            let path = if path.is_empty() {
                column.name.clone()
            } else {
                format!("{path}.{}", column.name)
            };
            visit(&path, column);
            step(&path, &column.children, visit);
        }
    }
    step("", columns, visit);
}
