//! A table as text, whole, with nothing beside it: for the zoom.

use crate::browse::TableRow;
use crate::domain::amount::count;
use crate::domain::kind::Note;
use crate::domain::problem::Problem;
use crate::domain::schema::{Column, Schema, ToldBy};
use crate::domain::text::{scrub, width};
use crate::tui::model::SchemaView;
use crate::tui::view::joined::spelled;
use crate::tui::view::sides;
use crate::tui::view::words::{column_notes, exact, kind, location, partitions, prose, view_heading};
use std::collections::BTreeMap;

/// The headings of the text.
pub const HEADINGS: [&str; 5] = [
    sides::DIFFERENT,
    "older columns",
    "snapshots",
    "distinct values",
    "properties",
];

/// A table as text, whole, with what is known of its schema: for the zoom.
pub fn lines(table: &TableRow, view: Option<&SchemaView>, problem: Option<&Problem>) -> Vec<String> {
    let format = table.format.as_ref().map(|format| format!(", {format}"));
    let mut lines = vec![
        exact(&table.name),
        format!("{}{}", kind(table, view), format.unwrap_or_default()),
    ];
    lines.extend(
        table
            .link
            .as_ref()
            .map(|link| format!("→ {}", scrub(&link.to_string()))),
    );
    lines.extend(location(table, view).map(str::to_owned));
    if let Some(text) = &table.description {
        lines.extend([String::new(), prose(text), String::new()]);
    }
    let notes = view.map_or(&table.notes, |view| &view.schema.notes);
    let columns_of = view.map_or(&[][..], |view| &view.schema.columns);
    // What a column's own note says stands with the columns.
    let own = |note: &&Note| !columns_of.iter().any(|column| column.has_note(note.code));
    lines.extend(notes.iter().filter(own).map(|note| format!("! {}", note.text)));
    if let Some(problem) = problem {
        lines.push(format!("✗ {}", problem.told()));
    }
    if let Some(view) = view {
        lines.extend(columns(view));
    } else if problem.is_none() {
        lines.push("Its columns have not been read yet.".to_owned());
    }
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    lines
}

/// Snapshots that are listed; `glueup schema --output json` has them all.
const SNAPSHOTS: usize = 50;

fn columns(view: &SchemaView) -> Vec<String> {
    let schema = &view.schema;
    let mut lines = Vec::new();
    if let Some(snapshot) = &schema.snapshot {
        let at = snapshot.at.map(|at| format!(", {} UTC", at.date_and_clock()));
        lines.push(format!("snapshot {}{}", snapshot.id, at.unwrap_or_default()));
    }
    if let Some(statistics) = &schema.statistics {
        let held = statistics.in_words().join(", ");
        lines.push(match statistics.told_by {
            ToldBy::Snapshot => held,
            ToldBy::Parameters => format!("{held} (as Glue's parameters say, whenever that was counted)"),
        });
    }
    if let Some(problem) = &view.metadata_problem {
        lines.push(format!("Only Glue's columns: {}", problem.told()));
    }
    lines.push(String::new());
    let names = names(&schema.columns, 0)
        .max(names(&schema.history, 1))
        .min(NAMES);
    for column in &schema.columns {
        column_lines(column, 0, names, &mut lines);
    }
    for partition in partitions(schema) {
        lines.push(format!("partitioned by {partition}"));
    }
    lines.extend(schema.sort.iter().map(|field| format!("sorted by {field}")));
    lines.extend(
        column_notes(&schema.columns)
            .iter()
            .map(|note| format!("! {note}")),
    );
    for view in &schema.views {
        lines.extend([String::new(), view_heading(view)]);
        lines.extend(view.sql.lines().map(str::to_owned));
    }
    lines.extend(sides::in_glue(schema));
    if !schema.history.is_empty() {
        lines.push(String::new());
        lines.push("older columns".to_owned());
        for column in &schema.history {
            column_lines(column, 1, names, &mut lines);
            lines.extend(column.notes.iter().map(|note| format!("    {}", note.text)));
        }
    }
    lines.extend(snapshots(schema));
    lines.extend(listed("properties", &schema.properties, |value| value.clone()));
    lines
}

fn snapshots(schema: &Schema) -> Vec<String> {
    if schema.snapshots.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), "snapshots".to_owned()];
    lines.extend(schema.snapshots.iter().take(SNAPSHOTS).map(|one| {
        let at = one
            .at
            .map(|at| format!("{} UTC", at.date_and_clock()))
            .unwrap_or_default();
        let refs: Vec<String> = schema
            .refs
            .iter()
            .filter(|name| name.snapshot_id == one.id)
            .map(ToString::to_string)
            .collect();
        let operation = one.operation.as_deref().unwrap_or("-");
        format!("  {at}  {operation:<9}  {}  {}", one.id, refs.join(", "))
            .trim_end()
            .to_owned()
    }));
    let more = schema.snapshots.len().saturating_sub(SNAPSHOTS);
    if more > 0 {
        lines.push(format!("  and {} older", count(more as u64)));
    }
    let distinct = schema.statistics.as_ref().map(|statistics| &statistics.distinct);
    lines.extend(
        distinct
            .into_iter()
            .flat_map(|distinct| listed("distinct values", distinct, |n| count(*n))),
    );
    lines
}

/// A heading, and a name and its value a row.
fn listed<T>(heading: &str, all: &BTreeMap<String, T>, value: impl Fn(&T) -> String) -> Vec<String> {
    if all.is_empty() {
        return Vec::new();
    }
    let names = all.keys().map(|name| width(name)).max().unwrap_or(0).min(NAMES);
    let mut lines = vec![String::new(), heading.to_owned()];
    lines.extend(all.iter().map(|(name, it)| {
        let gap = " ".repeat(names.saturating_sub(width(name)) + 2);
        format!("  {name}{gap}{}", value(it))
    }));
    lines
}

/// The columns that names take, at most, before the types.
pub(super) const NAMES: usize = 40;

pub(super) fn names(columns: &[Column], depth: usize) -> usize {
    let own = |column: &Column| 2 * depth + width(&spelled(&column.name));
    columns
        .iter()
        .map(|column| own(column).max(names(&column.children, depth + 1)))
        .max()
        .unwrap_or(0)
}

pub(super) fn column_lines(column: &Column, depth: usize, names: usize, lines: &mut Vec<String>) {
    let name = format!("{}{}", "  ".repeat(depth), spelled(&column.name));
    let gap = " ".repeat(names.saturating_sub(width(&name)) + 2);
    let mark = match (column.key, column.required) {
        (true, _) => " key",
        (false, true) => " required",
        (false, false) => "",
    };
    let doc = column
        .doc
        .as_ref()
        .map(|doc| format!("  -- {doc}"))
        .unwrap_or_default();
    lines.push(format!("{name}{gap}{}{mark}{doc}", column.type_text));
    for child in &column.children {
        column_lines(child, depth + 1, names, lines);
    }
}
