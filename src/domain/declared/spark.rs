//! Spark's schema of a data source table. Hive's columns cannot express it, so Spark writes it to the parameters as JSON,
//! cut into parts of some thousand characters, and leaves a placeholder in the columns.
//!
//! Source: `HiveExternalCatalog` of Apache Spark, `spark.sql.sources.schema*`.

use crate::domain::glue::Parameters;
use crate::domain::kind::Note;
use crate::domain::schema::Column;
use crate::domain::text::{cut, scrub};
use serde_json::Value;
use std::collections::BTreeSet;

/// As many parts as are put together: Glue holds no larger table.
const PARTS: usize = 10_000;

/// As much of an unknown type's text as is shown.
const UNKNOWN_COLS: usize = 120;

/// The columns in the parameters, partition columns marked as keys; `None` where Spark left none.
///
/// # Errors
/// Parts that are missing, text that is not JSON, JSON that is no schema: in half a sentence.
pub fn columns(parameters: &Parameters) -> Option<Result<Vec<Column>, String>> {
    let text = match parameters.get("spark.sql.sources.schema") {
        Some(whole) => whole.clone(),
        None => match parts(
            parameters,
            "spark.sql.sources.schema.numParts",
            "spark.sql.sources.schema.part.",
        )? {
            Ok(parts) => parts.concat(),
            Err(why) => return Some(Err(why)),
        },
    };
    let keys = match parts(
        parameters,
        "spark.sql.sources.schema.numPartCols",
        "spark.sql.sources.schema.partCol.",
    ) {
        Some(Ok(keys)) => keys.into_iter().collect(),
        // Which columns partition it is worth less than the columns.
        Some(Err(_)) | None => BTreeSet::new(),
    };
    Some(read(&text, &keys))
}

/// What `prefix0`, `prefix1`, … hold, as many as the number says.
fn parts(parameters: &Parameters, number: &str, prefix: &str) -> Option<Result<Vec<String>, String>> {
    let number = parameters.get(number)?;
    let Ok(count) = number.trim().parse::<usize>() else {
        return Some(Err(format!("{} is no number of parts", scrub(number))));
    };
    if count > PARTS {
        return Some(Err(format!("{count} parts are more than can be")));
    }
    let parts = (0..count).map(|n| {
        let part = parameters.get(&format!("{prefix}{n}"));
        part.cloned()
            .ok_or_else(|| format!("part {n} of {count} is missing"))
    });
    Some(parts.collect())
}

/// A schema as Spark writes it in JSON, its partition columns marked as keys.
///
/// # Errors
/// Text that is not JSON, JSON that is no schema: in half a sentence.
pub fn read(text: &str, keys: &BTreeSet<String>) -> Result<Vec<Column>, String> {
    let json: Value = serde_json::from_str(text).map_err(|why| format!("it is not JSON ({why})"))?;
    if json.get("type").and_then(Value::as_str) != Some("struct") {
        return Err("it is JSON, but no struct".to_owned());
    }
    let mut columns = fields(&json);
    for column in &mut columns {
        column.key = keys.contains(&column.name);
    }
    Ok(columns)
}

fn fields(holder: &Value) -> Vec<Column> {
    let fields = holder.get("fields").and_then(Value::as_array);
    fields.into_iter().flatten().map(field).collect()
}

fn field(field: &Value) -> Column {
    let doc = field.pointer("/metadata/comment").and_then(Value::as_str);
    let mut column = Column {
        name: field
            .get("name")
            .and_then(Value::as_str)
            .map_or_else(|| "?".to_owned(), scrub),
        required: field.get("nullable").and_then(Value::as_bool) == Some(false),
        doc: doc.map(scrub).filter(|doc| !doc.is_empty()),
        ..Column::default()
    };
    set_type(&mut column, field.get("type"));
    column
}

fn part(name: &str, given: Option<&Value>, may_be_null: Option<&Value>) -> Column {
    let mut column = Column {
        name: name.to_owned(),
        required: may_be_null.and_then(Value::as_bool) == Some(false),
        ..Column::default()
    };
    set_type(&mut column, given);
    column
}

fn set_type(column: &mut Column, given: Option<&Value>) {
    let Some(given) = given else {
        column.type_text = "?".to_owned();
        column
            .notes
            .push(Note::new("no-type", "Spark's schema gives it no type"));
        return;
    };
    if let Some(word) = given.as_str() {
        column.type_text = scrub(word);
        return;
    }
    match given.get("type").and_then(Value::as_str) {
        Some("struct") => {
            column.type_text = "struct".to_owned();
            column.children = fields(given);
        }
        Some("array") => {
            column.type_text = "array".to_owned();
            column.children = vec![part(
                "element",
                given.get("elementType"),
                given.get("containsNull"),
            )];
        }
        Some("map") => {
            column.type_text = "map".to_owned();
            let key = Column {
                // A map's key is never null, and has no flag of its own.
                required: true,
                ..part("key", given.get("keyType"), None)
            };
            column.children = vec![
                key,
                part("value", given.get("valueType"), given.get("valueContainsNull")),
            ];
        }
        // A type of a program's own: what Spark stores for it is what other readers see.
        Some("udt") => set_type(column, given.get("sqlType")),
        _ => {
            column.type_text = cut(&scrub(&given.to_string()), UNKNOWN_COLS);
            let says = format!("unknown type {} on column {}", column.type_text, column.name);
            column.notes.push(Note::new("unknown-type", says));
        }
    }
}
