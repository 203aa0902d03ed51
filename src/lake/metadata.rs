//! A lenient reader of Iceberg's table metadata, format versions 1 to 3 and whatever comes after.
//!
//! What a version does not have, or has in a form not known here, is left out; only what is not table metadata at
//! all is refused. Format: <https://iceberg.apache.org/spec/#table-metadata-fields>.

mod state;

use super::schema::{columns, walk};
use crate::domain::kind::Note;
use crate::domain::problem::{Kind, Problem};
use crate::domain::schema::{Column, PartitionField, Ref, Snapshot, SortField, Statistics, shown};
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
    /// The default sort order.
    pub sort: Vec<SortField>,
    /// The current snapshot; `None` for a table without data.
    pub snapshot: Option<Snapshot>,
    /// All snapshots, the newest first.
    pub snapshots: Vec<Snapshot>,
    /// Branches and tags, `main` first.
    pub refs: Vec<Ref>,
    /// How much the current snapshot holds.
    pub statistics: Option<Statistics>,
    /// The table's properties, in clean text.
    pub properties: BTreeMap<String, String>,
    /// Where the current snapshot's manifests are.
    pub manifests: Manifests,
    /// What is odd about the file itself.
    pub notes: Vec<Note>,
}

/// Where the manifests of a snapshot are, raw: they are asked for by these names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Manifests {
    /// There is no snapshot.
    #[default]
    None,
    /// In a file of their own.
    List(String),
    /// In the metadata itself, as version 1 may have it.
    Inline(Vec<String>),
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
    let names = names(&columns);
    Metadata {
        format_version: int(json, "format-version").and_then(|version| u32::try_from(version).ok()),
        location: json.get("location").and_then(Value::as_str).map(scrub),
        partition: partition(json, &names),
        sort: state::sort(json, &names),
        history: history(&columns, &older),
        snapshot: state::current(json),
        snapshots: state::snapshots(json),
        refs: state::refs(json),
        statistics: state::statistics(json, &names),
        properties: properties(json),
        manifests: state::manifests(json),
        notes: odd(json),
        columns,
    }
}

/// The newest version of the format that is known.
const NEWEST: i64 = 3;

/// What engines refuse, and what is read here as well as it can be.
fn odd(json: &Value) -> Vec<Note> {
    let mut notes = Vec::new();
    let version = json.get("format-version");
    if !version
        .and_then(Value::as_i64)
        .is_some_and(|is| (1..=NEWEST).contains(&is))
    {
        let is = version.map_or("none".to_owned(), |is| scrub(&is.to_string()));
        let text = format!("its format version is {is}: versions 1 to {NEWEST} are known here");
        notes.push(Note::new("unknown-format-version", text));
    }
    let all = json.get("schemas").and_then(Value::as_array);
    if all.is_some_and(|all| !all.is_empty()) && named(json).is_none() && json.get("schema").is_none() {
        let says = match json.get("current-schema-id") {
            Some(id) => format!(
                "its current-schema-id {} names none of its schemas",
                scrub(&id.to_string())
            ),
            None => "it does not say which of its schemas is the current one".to_owned(),
        };
        let text = format!("{says}: the last one is shown, and engines may refuse the table");
        notes.push(Note::new("unknown-current-schema", text));
    }
    let current = json
        .get("current-snapshot-id")
        .filter(|id| !id.is_null() && id.as_i64() != Some(-1));
    if let Some(id) = current.filter(|_| state::current(json).is_none()) {
        let id = scrub(&id.to_string());
        let text = format!(
            "its current-snapshot-id {id} names none of its snapshots: engines refuse the table, or find no rows"
        );
        notes.push(Note::new("unknown-current-snapshot", text));
    }
    notes
}

/// The schema that is said to be the current one.
fn named(json: &Value) -> Option<&Value> {
    let wanted = int(json, "current-schema-id")?;
    let mut all = json.get("schemas")?.as_array()?.iter();
    all.find(|schema| int(schema, "schema-id") == Some(wanted))
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
    let current = named(json).or_else(|| json.get("schema")).or_else(|| all.last());
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

/// Dotted names by field id.
type Names = BTreeMap<i64, String>;

fn names(columns: &[Column]) -> Names {
    let mut names = Names::new();
    walk(columns, &mut |path, column| {
        if let Some(id) = column.id {
            names.insert(i64::from(id), path.to_owned());
        }
    });
    names
}

/// The source columns of a partition or sort field.
fn sources(field: &Value, names: &Names) -> String {
    // Version 3 knows transforms of several columns.
    let ids: Vec<i64> = match field.get("source-ids").and_then(Value::as_array) {
        Some(ids) => ids.iter().filter_map(Value::as_i64).collect(),
        None => int(field, "source-id").into_iter().collect(),
    };
    let name = |id: i64| names.get(&id).cloned().unwrap_or_else(|| format!("field {id}"));
    ids.into_iter().map(name).collect::<Vec<_>>().join(", ")
}

/// A word of a field, in clean text.
fn word(field: &Value, key: &str) -> String {
    let word = field.get(key).and_then(Value::as_str);
    word.map_or_else(|| "?".to_owned(), scrub)
}

fn partition(json: &Value, names: &Names) -> Vec<PartitionField> {
    let wanted = int(json, "default-spec-id");
    let specs = json.get("partition-specs").and_then(Value::as_array);
    let spec = specs.and_then(|specs| specs.iter().find(|spec| int(spec, "spec-id") == wanted));
    let fields = match spec {
        Some(spec) => spec.get("fields"),
        None => json.get("partition-spec"),
    };
    let fields = fields.and_then(Value::as_array).into_iter().flatten();
    fields
        .map(|field| PartitionField {
            source: sources(field, names),
            transform: word(field, "transform"),
            name: word(field, "name"),
        })
        .collect()
}

fn properties(json: &Value) -> BTreeMap<String, String> {
    let properties = json.get("properties").and_then(Value::as_object);
    let properties = properties
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((scrub(key), scrub(value.as_str()?))));
    shown(properties)
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
