//! What is odd about a table or database, as far as the Glue object tells.

use std::collections::{BTreeMap, BTreeSet};

use super::{Note, TableKind};
use crate::domain::{
    amount,
    glue::{Column, Database, Table},
    hive_type,
    s3_path::S3Location,
    schema,
};
use unicode_normalization::is_nfc;

pub(super) fn of(table: &Table, kind: TableKind) -> Vec<Note> {
    let mut notes = Vec::new();
    name(&table.name, &mut notes);
    table_type(table, kind, &mut notes);
    if kind == TableKind::Hudi {
        hudi(table, &mut notes);
    }
    if kind.has_files() {
        storage(table, kind, &mut notes);
        columns(table, kind, &mut notes);
    }
    // What Glue says of an Iceberg table's types is an echo of its metadata.
    if kind != TableKind::Iceberg {
        types(table, &mut notes);
    }
    if kind == TableKind::MultiDialectView {
        dialects(table, &mut notes);
    }
    if let Some(link) = &table.target {
        notes.push(Note::new("links-to", format!("link → {link}")));
    }
    if table
        .parameter("projection.enabled")
        .is_some_and(|v| v.eq_ignore_ascii_case("true"))
    {
        let text = "partition projection: Glue lists no partitions, though there may be data";
        notes.push(Note::new("partition-projection", text));
    }
    notes
}

/// The codes of all notes that a row of a listing can have, by the alphabet: what `glueup census --note` takes.
pub const CODES: [&str; 23] = [
    "ambiguous-name",
    "deep-type",
    "dropped-columns",
    "duplicate-column",
    "hudi-read-optimized",
    "hudi-real-time",
    "links-to",
    "never-committed",
    "no-athena-dialect",
    "no-location",
    "no-storage-descriptor",
    "no-table-type",
    "no-type",
    "nonstandard-type",
    "not-nfc",
    "not-s3",
    "outside-grant",
    "partition-projection",
    "placeholder-schema",
    "union-type",
    "unknown-table-type",
    "unknown-type",
    "unparsed-type",
];

/// A name that looks like another one and is none: what its letters are composed of differs.
fn name(name: &str, notes: &mut Vec<Note>) {
    if !is_nfc(name) {
        let text = "its name is written with combining marks: one that looks the same may be another";
        notes.push(Note::new("not-nfc", text));
    }
}

/// Hudi registers a merge-on-read table twice, or three times: what its base files hold, and with what its logs add. Which it
/// is says the input format and a parameter of the SerDe; the endings are the rule, not the proof, and a copy-on-write
/// table may have one: <https://github.com/apache/hudi/blob/master/hudi-sync/hudi-hive-sync/src/main/java/org/apache/hudi/hive/HiveSyncTool.java>.
fn hudi(table: &Table, notes: &mut Vec<Note>) {
    let storage = table.storage.as_ref();
    let input = storage.and_then(|storage| storage.input_format.as_deref());
    let input = input.unwrap_or_default().trim();
    let optimized = storage.and_then(|storage| storage.serde_parameters.get("hoodie.query.as.ro.table"));
    let optimized = optimized.map(|word| word.trim().eq_ignore_ascii_case("true"));
    let (ro, rt) = (table.name.strip_suffix("_ro"), table.name.strip_suffix("_rt"));
    let real_time = input.ends_with("RealtimeInputFormat") || (input.is_empty() && rt.is_some());
    if real_time {
        let text = match rt {
            Some(base) => {
                format!("Hudi's real-time side of {base}: with what its logs hold; {base}_ro is without")
            }
            None => "Hudi's real-time side of a merge-on-read table: with what its logs hold".to_owned(),
        };
        notes.push(Note::new("hudi-real-time", text));
    } else if optimized.unwrap_or(ro.is_some()) {
        let text = match ro {
            Some(base) => {
                format!(
                    "Hudi's read-optimized side of {base}: without what only its logs hold; {base}_rt has it"
                )
            }
            None => "Hudi's read-optimized side of a merge-on-read table: without what only its logs hold"
                .to_owned(),
        };
        notes.push(Note::new("hudi-read-optimized", text));
    }
}

fn table_type(table: &Table, kind: TableKind, notes: &mut Vec<Note>) {
    match table.table_type.as_deref().map(str::trim) {
        None | Some("") if kind != TableKind::ResourceLink => {
            notes.push(Note::new("no-table-type", "Glue has no TableType for it"));
        }
        Some(other) if kind == TableKind::Unknown => {
            notes.push(Note::new(
                "unknown-table-type",
                format!("glueup does not know the TableType {other}"),
            ));
        }
        _ => {}
    }
}

/// Athena reads a Glue view by its own text alone.
fn dialects(table: &Table, notes: &mut Vec<Note>) {
    let all: Vec<String> = table
        .representations
        .iter()
        .map(|one| one.dialect.as_deref().unwrap_or_default().trim().to_uppercase())
        .collect();
    if !all.is_empty() && !all.iter().any(|dialect| dialect == "ATHENA") {
        let named: Vec<&str> = all
            .iter()
            .map(String::as_str)
            .filter(|one| !one.is_empty())
            .collect();
        let has = match named.as_slice() {
            [] => "no text of it says in whose SQL it is".to_owned(),
            named => format!("it has its text for {}", named.join(", ")),
        };
        notes.push(Note::new(
            "no-athena-dialect",
            format!("{has}, and none for Athena"),
        ));
    }
}

fn storage(table: &Table, kind: TableKind, notes: &mut Vec<Note>) {
    if table.storage.is_none() {
        notes.push(Note::new(
            "no-storage-descriptor",
            "no storage descriptor: 0 columns and no location in Glue",
        ));
    } else {
        match table.location().map(S3Location::new) {
            None => notes.push(Note::new("no-location", "its storage descriptor has no location")),
            Some(location) => {
                if let Some(scheme) = location.foreign_scheme() {
                    let scheme = if scheme.is_empty() {
                        "no scheme".to_owned()
                    } else {
                        format!("{scheme}:")
                    };
                    notes.push(Note::new(
                        "not-s3",
                        format!("its location is not S3 ({scheme}): cannot verify"),
                    ));
                }
            }
        }
    }
    if kind == TableKind::Iceberg && table.metadata_location().is_none() {
        let text = "registered but never committed: it has no metadata_location";
        notes.push(Note::new("never-committed", text));
    }
}

fn columns(table: &Table, kind: TableKind, notes: &mut Vec<Note>) {
    let columns = table.columns();
    let dropped = columns.iter().filter(|column| column.dropped()).count();
    if dropped > 0 {
        let text = format!(
            "Glue shows {}, the current Iceberg schema has {}",
            amount::counted(columns.len() as u64, "column", "columns"),
            columns.len() - dropped
        );
        notes.push(Note::new("dropped-columns", text));
    }
    if matches!(kind, TableKind::Delta | TableKind::SparkSource) && placeholder(columns) {
        let name = if kind == TableKind::Delta {
            "Delta"
        } else {
            "Spark data source"
        };
        let text = format!("{name}; its schema in Glue is a placeholder");
        notes.push(Note::new("placeholder-schema", text));
    }
    let mut seen = BTreeSet::new();
    let current = columns
        .iter()
        .filter(|column| !column.dropped())
        .chain(&table.partition_keys);
    let twice: BTreeSet<_> = current
        .map(|column| column.name.to_lowercase())
        .filter(|name| !seen.insert(name.clone()))
        .collect();
    if !twice.is_empty() {
        let names = twice.into_iter().collect::<Vec<_>>().join(", ");
        let text =
            format!("more than one column is called {names} (case does not count for Hive-like engines)");
        notes.push(Note::new("duplicate-column", text));
    }
}

/// What is odd about the types of columns: a note a code, which names the first column and counts the others.
fn types(table: &Table, notes: &mut Vec<Note>) {
    let mut found: BTreeMap<&'static str, (String, u64)> = BTreeMap::new();
    for column in table.columns().iter().chain(&table.partition_keys) {
        let odd = match column.type_text.as_deref() {
            Some(text) if hive_type::is_plain(text) => continue,
            Some(text) => {
                let tree = hive_type::tree(&column.name, text);
                let mut odd = tree.notes;
                tree.children.iter().for_each(|child| gather(child, &mut odd));
                odd
            }
            None => hive_type::Tree::untyped(&column.name).notes,
        };
        // Of one column each code counts once.
        let mut codes = BTreeSet::new();
        for note in odd {
            if !codes.insert(note.code) {
                continue;
            }
            let text = match note.code {
                "unparsed-type" => format!("type of column {}: {}", column.name, note.text),
                _ => note.text,
            };
            found.entry(note.code).or_insert((text, 0)).1 += 1;
        }
    }
    notes.extend(found.into_iter().map(|(code, (text, columns))| match columns {
        1 => Note::new(code, text),
        many => {
            let more = amount::counted(many - 1, "column", "columns");
            Note::new(code, format!("{text}; and on {more} more"))
        }
    }));
}

fn gather(column: &schema::Column, odd: &mut Vec<Note>) {
    odd.extend(column.notes.iter().cloned());
    column.children.iter().for_each(|child| gather(child, odd));
}

/// Whether these columns are what Spark writes to Glue for a table whose schema Hive cannot express.
pub fn placeholder(columns: &[Column]) -> bool {
    matches!(columns, [only] if only.name == "col" && only.type_text.as_deref() == Some("array<string>"))
}

pub(super) fn of_database(database: &Database) -> Vec<Note> {
    let mut notes = Vec::new();
    name(&database.name, &mut notes);
    if let Some(federated) = &database.federated {
        let what = federated.identifier.as_deref().unwrap_or("something");
        let by = federated
            .connection_type
            .as_deref()
            .or(federated.connection_name.as_deref());
        let by = by.map(|by| format!(" ({by})")).unwrap_or_default();
        notes.push(Note::new(
            "federated",
            format!("stands for {what} of another system{by}"),
        ));
    }
    if let Some(link) = &database.target {
        notes.push(Note::new("links-to", format!("link → {link}")));
    } else if database.federated.is_none()
        && database
            .location_uri
            .as_deref()
            .is_none_or(|l| l.trim().is_empty())
    {
        notes.push(Note::new(
            "no-default-location",
            "no default location: a new table must name its own",
        ));
    }
    notes
}
