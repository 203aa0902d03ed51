//! A schema as Arrow's JSON, the form in which Arrow's own implementations hand schemas to one another.
//! Format: <https://arrow.apache.org/docs/format/Integration.html#json-test-data-format>.

use crate::domain::column_type::{Field, Type};
use serde_json::{Value, json};

/// Under this key Parquet's field id, which is Iceberg's, stands in the metadata of an Arrow field.
const FIELD_ID: &str = "PARQUET:field_id";

/// The schema, and what Arrow has no type for: a sentence each.
pub(super) fn schema(fields: &[Field]) -> (Value, Vec<String>) {
    let mut lost = Vec::new();
    let fields: Vec<Value> = fields
        .iter()
        .map(|field| of(field, &field.name, &mut lost))
        .collect();
    (json!({ "fields": fields }), lost)
}

fn of(field: &Field, path: &str, lost: &mut Vec<String>) -> Value {
    let mut child = |field: &Field| of(field, &format!("{path}.{}", field.name), lost);
    let children: Vec<Value> = match &field.kind {
        Type::Struct(fields) => fields.iter().map(child).collect(),
        Type::List(element) => vec![child(element)],
        // Arrow's map is a list of entries, none of them null.
        Type::Map(key, value) => {
            let entry = vec![child(key), child(value)];
            vec![json!({"name": "entries", "nullable": false, "type": {"name": "struct"}, "children": entry})]
        }
        _ => Vec::new(),
    };
    let kind = kind(&field.kind).unwrap_or_else(|| {
        let Type::Other(text) = &field.kind else {
            return json!({"name": "binary"});
        };
        lost.push(match text.trim() {
            "" | "?" => format!("{path}: its type is not known, binary stands in its place"),
            text => format!("{path}: Arrow has no type for {text}, binary stands in its place"),
        });
        json!({"name": "binary"})
    });
    let mut json = json!({
        "name": field.name, "nullable": !field.required, "type": kind, "children": children,
    });
    let metadata: Vec<Value> = [
        field.id.map(|id| (FIELD_ID, id.to_string())),
        field.doc.as_ref().map(|doc| ("comment", doc.clone())),
    ]
    .into_iter()
    .flatten()
    .map(|(key, value)| json!({"key": key, "value": value}))
    .collect();
    if !metadata.is_empty()
        && let Some(json) = json.as_object_mut()
    {
        json.insert("metadata".to_owned(), Value::Array(metadata));
    }
    json
}

fn kind(kind: &Type) -> Option<Value> {
    Some(match kind {
        Type::Boolean => json!({"name": "bool"}),
        Type::Int(bits) => json!({"name": "int", "bitWidth": bits, "isSigned": true}),
        Type::Float(32) => json!({"name": "floatingpoint", "precision": "SINGLE"}),
        Type::Float(_) => json!({"name": "floatingpoint", "precision": "DOUBLE"}),
        Type::Decimal(digits, scale) => {
            json!({"name": "decimal", "precision": digits, "scale": scale, "bitWidth": 128})
        }
        Type::Date => json!({"name": "date", "unit": "DAY"}),
        Type::Time => json!({"name": "time", "unit": "MICROSECOND", "bitWidth": 64}),
        Type::Timestamp { zoned, nanos } => {
            let unit = if *nanos { "NANOSECOND" } else { "MICROSECOND" };
            match zoned {
                true => json!({"name": "timestamp", "unit": unit, "timezone": "UTC"}),
                false => json!({"name": "timestamp", "unit": unit}),
            }
        }
        Type::Text | Type::Varchar(_) | Type::Char(_) => json!({"name": "utf8"}),
        Type::Binary => json!({"name": "binary"}),
        Type::Fixed(length) => json!({"name": "fixedsizebinary", "byteWidth": length}),
        Type::Uuid => json!({"name": "fixedsizebinary", "byteWidth": 16}),
        Type::Null => json!({"name": "null"}),
        Type::Struct(_) => json!({"name": "struct"}),
        Type::List(_) => json!({"name": "list"}),
        Type::Map(..) => json!({"name": "map", "keysSorted": false}),
        Type::Variant => return None,
        Type::Other(_) => return None,
    })
}
