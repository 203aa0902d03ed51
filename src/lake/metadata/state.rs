//! What a metadata file says of its table beside the columns: snapshots, refs, sort order, statistics.

use super::{Manifests, Names, int, sources, word};
use crate::domain::moment::Moment;
use crate::domain::schema::{Ref, RefKind, Snapshot, SortField, Statistics, ToldBy};
use crate::domain::text::scrub;
use serde_json::Value;

fn list<'a>(json: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    json.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// The id of the current snapshot: it may be null, absent, or −1 where a table has none.
fn current_id(json: &Value) -> Option<i64> {
    int(json, "current-snapshot-id").filter(|id| *id != -1)
}

fn current_value(json: &Value) -> Option<&Value> {
    let id = current_id(json)?;
    list(json, "snapshots").find(|snapshot| int(snapshot, "snapshot-id") == Some(id))
}

/// The current snapshot. One that is not in the list has but its id.
pub(super) fn current(json: &Value) -> Option<Snapshot> {
    let id = current_id(json)?;
    let found = current_value(json).and_then(snapshot);
    Some(found.unwrap_or_else(|| Snapshot {
        id: id.to_string(),
        ..Snapshot::default()
    }))
}

/// The manifests of the current snapshot.
pub(super) fn manifests(json: &Value) -> Manifests {
    let Some(snapshot) = current_value(json) else {
        return Manifests::None;
    };
    match snapshot.get("manifest-list").and_then(Value::as_str) {
        Some(list) => Manifests::List(list.to_owned()),
        None => {
            let all = list(snapshot, "manifests").filter_map(Value::as_str);
            Manifests::Inline(all.map(str::to_owned).collect())
        }
    }
}

fn snapshot(json: &Value) -> Option<Snapshot> {
    let operation = json.pointer("/summary/operation").and_then(Value::as_str);
    Some(Snapshot {
        id: int(json, "snapshot-id")?.to_string(),
        at: int(json, "timestamp-ms").and_then(Moment::from_unix_millis),
        operation: operation.map(scrub),
        parent_id: int(json, "parent-snapshot-id").map(|id| id.to_string()),
    })
}

/// All snapshots, the newest first: the list has no order of its own, and version 1 knows no sequence numbers.
pub(super) fn snapshots(json: &Value) -> Vec<Snapshot> {
    let mut all: Vec<&Value> = list(json, "snapshots").collect();
    all.sort_by_key(|json| std::cmp::Reverse((int(json, "sequence-number"), int(json, "timestamp-ms"))));
    all.into_iter().filter_map(snapshot).collect()
}

/// Branches and tags: `main` first, then by name.
pub(super) fn refs(json: &Value) -> Vec<Ref> {
    let named = json.get("refs").and_then(Value::as_object);
    let mut refs: Vec<Ref> = named
        .into_iter()
        .flatten()
        .filter_map(|(name, json)| {
            Some(Ref {
                name: scrub(name),
                kind: match json.get("type").and_then(Value::as_str) {
                    Some("tag") => RefKind::Tag,
                    _ => RefKind::Branch,
                },
                snapshot_id: int(json, "snapshot-id")?.to_string(),
            })
        })
        .collect();
    refs.sort_by(|a, b| (a.name != "main", &a.name).cmp(&(b.name != "main", &b.name)));
    refs
}

pub(super) fn sort(json: &Value, names: &Names) -> Vec<SortField> {
    let wanted = int(json, "default-sort-order-id");
    let order = list(json, "sort-orders").find(|order| wanted.is_some() && int(order, "order-id") == wanted);
    let fields = order.into_iter().flat_map(|order| list(order, "fields"));
    fields
        .map(|field| SortField {
            source: sources(field, names),
            transform: word(field, "transform"),
            direction: word(field, "direction"),
            null_order: word(field, "null-order"),
        })
        .collect()
}

/// A number; the summary of a snapshot has its own as text.
fn number(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_u64(),
    }
}

/// How much the current snapshot holds, and how many distinct values a statistics file counts in a column.
pub(super) fn statistics(json: &Value, names: &Names) -> Option<Statistics> {
    let summary = current_value(json)?.get("summary");
    let of = |keys: &[&str]| keys.iter().find_map(|key| number(summary?.get(key)?));
    let mut statistics = Statistics::of(ToldBy::Snapshot, of)?;
    let id = current_id(json);
    for blob in list(json, "statistics")
        .filter(|file| int(file, "snapshot-id") == id)
        .flat_map(|file| list(file, "blob-metadata"))
    {
        let mut fields = list(blob, "fields").filter_map(Value::as_i64);
        let (Some(field), None) = (fields.next(), fields.next()) else {
            continue;
        };
        let distinct = blob.pointer("/properties/ndv").and_then(number);
        if let (Some(name), Some(distinct)) = (names.get(&field), distinct) {
            statistics.distinct.insert(name.clone(), distinct);
        }
    }
    Some(statistics)
}
