//! A lenient reader of Iceberg's table metadata, format versions 1 to 3 and whatever comes after.
//!
//! What a version does not have, or has in a form not known here, is left out; only what is not table metadata at
//! all is refused. Format: <https://iceberg.apache.org/spec/#table-metadata-fields>.

use super::schema::{columns, walk};
use crate::domain::kind::Note;
use crate::domain::moment::Moment;
use crate::domain::problem::{Kind, Problem};
use crate::domain::schema::{Column, PartitionField, Snapshot};
use crate::domain::text::scrub;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// The largest metadata file that is unpacked.
const LARGEST: u64 = 512 << 20;

/// What a metadata file says about its table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// The format version.
    pub format_version: Option<u32>,
    /// The table's location, in clean text.
    pub location: Option<String>,
    /// The current schema.
    pub columns: Vec<Column>,
    /// The default partition spec.
    pub partition: Vec<PartitionField>,
    /// Columns of older schemas that the current one has no more, or under another name; the youngest first.
    pub history: Vec<Column>,
    /// The current snapshot; `None` for a table without data.
    pub snapshot: Option<Snapshot>,
    /// The table's properties, in clean text.
    pub properties: BTreeMap<String, String>,
}

/// Reads a metadata file, packed with gzip or not. `location` is named in the Problem.
///
/// # Errors
/// A broken archive, text that is not JSON, JSON that is not table metadata.
pub fn read(bytes: &[u8], location: &str) -> Result<Metadata, Problem> {
    let refuse = |why: String| {
        Problem::new(
            Kind::CheckFailed,
            "The Iceberg metadata cannot be read",
            format!("{location} {why}"),
            "See whether the file is whole; an engine that writes the table can write it anew",
        )
    };
    let unpacked = unpack(bytes).map_err(refuse)?;
    let json: Value = serde_json::from_slice(unpacked.as_deref().unwrap_or(bytes))
        .map_err(|why| refuse(format!("is not JSON ({why})")))?;
    if !json.is_object() {
        return Err(refuse("is JSON, but not an object".to_owned()));
    }
    if json.get("schemas").or_else(|| json.get("schema")).is_none() {
        return Err(refuse(
            "has no schema: it is not Iceberg table metadata".to_owned(),
        ));
    }
    Ok(of(&json))
}

fn unpack(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(None);
    }
    let mut out = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes)
        .take(LARGEST + 1)
        .read_to_end(&mut out)
        .map_err(|why| format!("is a broken gzip archive ({why})"))?;
    if out.len() as u64 > LARGEST {
        return Err(format!("unpacks to more than {} MiB", LARGEST >> 20));
    }
    Ok(Some(out))
}

fn of(json: &Value) -> Metadata {
    let (current, older) = schemas(json);
    let columns = current.map(columns_of).unwrap_or_default();
    Metadata {
        format_version: int(json, "format-version").and_then(|version| u32::try_from(version).ok()),
        location: json.get("location").and_then(Value::as_str).map(scrub),
        partition: partition(json, &columns),
        history: history(&columns, &older),
        snapshot: snapshot(json),
        properties: properties(json),
        columns,
    }
}

fn int(json: &Value, key: &str) -> Option<i64> {
    json.get(key).and_then(Value::as_i64)
}

/// The current schema, and the older ones with the youngest first.
fn schemas(json: &Value) -> (Option<&Value>, Vec<&Value>) {
    let Some(all) = json
        .get("schemas")
        .and_then(Value::as_array)
        .filter(|all| !all.is_empty())
    else {
        // Version 1 may have but the one.
        return (json.get("schema"), Vec::new());
    };
    let wanted = int(json, "current-schema-id");
    let current = all
        .iter()
        .find(|schema| wanted.is_some() && int(schema, "schema-id") == wanted)
        .or_else(|| json.get("schema"))
        .or_else(|| all.last());
    let own_id = current.and_then(|schema| int(schema, "schema-id"));
    let mut older: Vec<&Value> = all
        .iter()
        .filter(|schema| int(schema, "schema-id") != own_id || own_id.is_none())
        .collect();
    older.sort_by_key(|schema| std::cmp::Reverse(int(schema, "schema-id").unwrap_or(-1)));
    (current, older)
}

fn columns_of(schema: &Value) -> Vec<Column> {
    let keys: BTreeSet<i64> = schema
        .get("identifier-field-ids")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_i64)
        .collect();
    columns(schema.get("fields"), &keys)
}

fn history(current: &[Column], older: &[&Value]) -> Vec<Column> {
    let mut names: BTreeMap<i32, String> = BTreeMap::new();
    walk(current, &mut |_, column| {
        if let Some(id) = column.id {
            names.insert(id, column.name.clone());
        }
    });
    let mut seen = BTreeSet::new();
    let mut history = Vec::new();
    for schema in older {
        for mut column in columns_of(schema) {
            let now = column.id.and_then(|id| names.get(&id));
            if now == Some(&column.name) || !seen.insert((column.id, column.name.clone())) {
                continue;
            }
            column.notes.push(match now {
                Some(now) => Note::new("renamed-column", format!("Now called {now}")),
                None => Note::new("dropped-column", "The current schema has it no more"),
            });
            history.push(column);
        }
    }
    history
}

fn partition(json: &Value, columns: &[Column]) -> Vec<PartitionField> {
    let mut sources: BTreeMap<i64, String> = BTreeMap::new();
    walk(columns, &mut |path, column| {
        if let Some(id) = column.id {
            sources.insert(i64::from(id), path.to_owned());
        }
    });
    let wanted = int(json, "default-spec-id");
    let specs = json.get("partition-specs").and_then(Value::as_array);
    let spec = specs.and_then(|specs| specs.iter().find(|spec| int(spec, "spec-id") == wanted));
    let fields = match spec {
        Some(spec) => spec.get("fields"),
        None => json.get("partition-spec"),
    };
    let source_name = |id: i64| sources.get(&id).cloned().unwrap_or_else(|| format!("field {id}"));
    fields
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|field| {
            // Version 3 knows transforms of several columns.
            let ids: Vec<i64> = match field.get("source-ids").and_then(Value::as_array) {
                Some(ids) => ids.iter().filter_map(Value::as_i64).collect(),
                None => int(field, "source-id").into_iter().collect(),
            };
            let text = |key: &str| {
                field
                    .get(key)
                    .and_then(Value::as_str)
                    .map_or_else(|| "?".to_owned(), scrub)
            };
            PartitionField {
                source: ids.into_iter().map(source_name).collect::<Vec<_>>().join(", "),
                transform: text("transform"),
                name: text("name"),
            }
        })
        .collect()
}

/// The current snapshot. Its id may be null, absent, or −1 where a table has none.
fn snapshot(json: &Value) -> Option<Snapshot> {
    let id = int(json, "current-snapshot-id").filter(|id| *id != -1)?;
    let at = json
        .get("snapshots")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .find(|snapshot| int(snapshot, "snapshot-id") == Some(id))
        .and_then(|snapshot| int(snapshot, "timestamp-ms"))
        .and_then(Moment::from_unix_millis);
    Some(Snapshot {
        id: id.to_string(),
        at,
    })
}

fn properties(json: &Value) -> BTreeMap<String, String> {
    let properties = json.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((scrub(key), scrub(value.as_str()?))))
        .collect()
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
