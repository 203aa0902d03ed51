//! The text of a view, and the columns that it declares.
//!
//! Trino and Athena pack theirs into a comment as base64 of JSON (Trino's `ViewReaderUtil`); Spark and Hive leave it as it
//! is; a Glue view has one text a dialect.

use crate::domain::glue::{Representation, Table};
use crate::domain::kind::TableKind;
use crate::domain::schema::Column;
use crate::domain::text::scrub;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::Value;

/// A view's text in one dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose SQL it is: `trino`, `spark`, `hive`; of a Glue view what Glue says: `athena`.
    pub dialect: String,
    /// The SQL, in clean text.
    pub sql: String,
    /// The catalog in which its bare names are looked up.
    pub catalog: Option<String>,
    /// The database in which they are.
    pub database: Option<String>,
    /// The columns that the text itself declares; empty where it declares none.
    #[serde(skip)]
    pub columns: Vec<Column>,
}

/// The texts of a view; none for what is no view.
///
/// # Errors
/// A text that is not packed as its engine packs it: why, in half a sentence.
pub fn views(table: &Table, kind: TableKind) -> Result<Vec<View>, String> {
    let original = table
        .view_original_text
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty());
    let dialects: Vec<View> = table.representations.iter().filter_map(of_dialect).collect();
    if !dialects.is_empty() {
        return Ok(dialects);
    }
    let Some(text) = original.filter(|_| kind.is_view()) else {
        return match kind {
            TableKind::PrestoView => Err("it has none, and Trino keeps the whole view there".to_owned()),
            _ => Ok(Vec::new()),
        };
    };
    if let Some(packed) = packed(text) {
        return presto(packed).map(|view| vec![view]);
    }
    Ok(vec![match kind {
        TableKind::SparkView => spark(table, text),
        TableKind::HiveView => plain("hive", table.view_expanded_text.as_deref().unwrap_or(text)),
        TableKind::PrestoView => return Err("its text is not packed as Trino packs it".to_owned()),
        _ => plain("sql", text),
    }])
}

fn of_dialect(one: &Representation) -> Option<View> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let sql = given(&one.original_text).or_else(|| given(&one.expanded_text))?;
    let dialect = one.dialect.as_deref().unwrap_or("sql").to_lowercase();
    Some(plain(&dialect, &sql))
}

fn plain(dialect: &str, sql: &str) -> View {
    View {
        dialect: dialect.to_owned(),
        sql: scrub_sql(sql),
        ..View::default()
    }
}

/// What stands between `/* Presto View: ` and ` */`, or its like for a materialized view.
fn packed(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("/*")?.strip_suffix("*/")?.trim();
    let packed = ["Presto View:", "Presto Materialized View:"]
        .iter()
        .find_map(|head| inside.strip_prefix(head))?;
    Some(packed.trim())
}

fn presto(packed: &str) -> Result<View, String> {
    let bytes = STANDARD
        .decode(packed)
        .map_err(|why| format!("its text is not base64 ({why})"))?;
    let json: Value =
        serde_json::from_slice(&bytes).map_err(|why| format!("its text is not JSON ({why})"))?;
    let word = |key: &str| json.get(key).and_then(Value::as_str);
    let sql = word("originalSql").ok_or("its text holds no SQL")?;
    let columns = json
        .get("columns")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    Ok(View {
        dialect: "trino".to_owned(),
        sql: scrub_sql(sql),
        catalog: word("catalog").map(scrub),
        database: word("schema").map(scrub),
        columns: columns
            .map(|column| {
                let word = |key: &str| {
                    column
                        .get(key)
                        .and_then(Value::as_str)
                        .map_or_else(|| "?".to_owned(), scrub)
                };
                Column {
                    name: word("name"),
                    type_text: word("type"),
                    doc: column.get("comment").and_then(Value::as_str).map(scrub),
                    ..Column::default()
                }
            })
            .collect(),
    })
}

fn spark(table: &Table, sql: &str) -> View {
    let part = |n: usize| {
        table
            .parameter(&format!("view.catalogAndNamespace.part.{n}"))
            .map(scrub)
    };
    let parts = table
        .parameter("view.catalogAndNamespace.numParts")
        .and_then(|n| n.trim().parse::<usize>().ok());
    let namespace: Vec<String> = (1..parts.unwrap_or(0).min(16)).filter_map(part).collect();
    View {
        catalog: part(0),
        database: Some(namespace.join(".")).filter(|name| !name.is_empty()),
        ..plain("spark", sql)
    }
}

/// Clean text with its line breaks: a query is read in lines.
fn scrub_sql(sql: &str) -> String {
    let lines: Vec<String> = sql
        .lines()
        .map(|line| scrub(&line.replace('\t', "    ")))
        .collect();
    lines.join("\n")
}
