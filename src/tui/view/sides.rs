//! The sides of a table as text: where Glue, the metadata and one of its data files do not agree.

use crate::domain::amount::{counted, size};
use crate::domain::problem::Problem;
use crate::domain::schema::{Schema, Source};
use crate::domain::sides::DataFile;
use crate::domain::text::width;
use crate::tui::model::SchemaView;
use crate::tui::view::joined::spelled;
use crate::tui::view::whole::{NAMES, column_lines, names};
use crate::tui::view::words::exact;

/// The heading of the columns that Glue has otherwise.
pub const DIFFERENT: &str = "Glue's columns are not the metadata's";
/// The heading of the columns that the file has otherwise.
const FILE_DIFFERENT: &str = "the file's columns are not the table's";
/// The heading of the file's columns.
const IN_FILE: &str = "columns of the file";

/// The headings of the text.
pub const HEADINGS: [&str; 3] = [DIFFERENT, FILE_DIFFERENT, IN_FILE];

/// All sides of a table.
pub fn lines(
    table: &str,
    view: Option<&SchemaView>,
    problem: Option<&Problem>,
    loading: bool,
) -> Vec<String> {
    let mut lines = vec![exact(table)];
    let failed = |problem: &Problem| format!("✗ {}", problem.told());
    lines.extend(problem.map(failed));
    let schema = view.map(|view| &view.schema);
    if let Some(view) = view {
        lines.extend(view.metadata_problem.as_deref().map(failed));
        lines.extend(view.file_problem.as_deref().map(failed));
    }
    match schema.and_then(|schema| schema.file.as_deref()) {
        Some(file) => lines.extend(facts(file)),
        None if loading => lines.push("Reading the footer of one of its data files …".to_owned()),
        None => {}
    }
    if let Some(schema) = schema {
        lines.extend(in_glue(schema));
        lines.extend(
            schema
                .file
                .as_deref()
                .into_iter()
                .flat_map(|file| in_file(schema, file)),
        );
    }
    lines
}

fn facts(file: &DataFile) -> Vec<String> {
    let groups = counted(file.row_groups, "row group", "row groups");
    let held = [
        Some(format!("{} in {groups}", counted(file.rows, "row", "rows"))),
        Some(size(file.bytes)),
        file.compression.clone(),
    ];
    let mut lines = vec![
        file.location.clone(),
        held.into_iter().flatten().collect::<Vec<_>>().join(", "),
    ];
    lines.extend(file.written_by.as_ref().map(|by| format!("written by {by}")));
    lines.extend(file.notes.iter().map(|note| format!("! {}", note.text)));
    lines
}

fn in_file(schema: &Schema, file: &DataFile) -> Vec<String> {
    let mut lines = vec![String::new()];
    if file.differences.is_empty() {
        lines.push(
            match schema.source {
                Source::Iceberg => "The file's columns are those of the table's metadata.",
                Source::Glue => "The file's columns are those in Glue.",
                Source::DeltaLog => "The file's columns are those of the table's log.",
            }
            .to_owned(),
        );
    } else {
        let rows = file.differences.iter().map(|one| {
            [
                spelled(&one.column),
                side(&one.table),
                side(&one.file),
                one.why.to_string(),
            ]
        });
        lines.push(FILE_DIFFERENT.to_owned());
        lines.extend(table(
            ["column", "in the table", "in the file", "what engines do"],
            rows,
        ));
    }
    lines.extend([String::new(), IN_FILE.to_owned()]);
    let names = names(&file.columns, 1).min(NAMES);
    for column in &file.columns {
        column_lines(column, 1, names, &mut lines);
    }
    lines
}

/// Where Glue's columns are not those of the metadata, a row each: the column, Glue's type, the metadata's.
pub fn in_glue(schema: &Schema) -> Vec<String> {
    if schema.differences.is_empty() {
        return Vec::new();
    }
    let rows = schema
        .differences
        .iter()
        .map(|one| [spelled(&one.column), side(&one.glue), side(&one.metadata)]);
    let mut lines = vec![String::new(), DIFFERENT.to_owned()];
    lines.extend(table(["column", "in Glue", "in the metadata"], rows));
    lines
}

fn side(text: &Option<String>) -> String {
    text.clone().unwrap_or_else(|| "-".to_owned())
}

/// Rows under their heads, each column as wide as its widest.
fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Vec<String> {
    let mut all = vec![heads.map(str::to_owned)];
    all.extend(rows);
    let mut widths = [0; N];
    for row in &all {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = (*widest).max(width(cell).min(NAMES));
        }
    }
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths);
        let cells =
            cells.map(|(cell, to)| format!("{cell}{}", " ".repeat(to.saturating_sub(width(cell)) + 2)));
        format!("  {}", cells.collect::<String>()).trim_end().to_owned()
    };
    all.iter().map(line).collect()
}
