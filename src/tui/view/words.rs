//! Texts that more than one view needs.

use crate::domain::text::scrub;
use crate::setup::ConnectionRow;
use crate::tui::model::SchemaView;
use crate::tui::theme::Theme;
use crate::verify::Status;
use ratatui::style::Style;

/// What is known about a connection, a line each.
pub fn connection(row: &ConnectionRow) -> Vec<String> {
    let connection = &row.connection;
    let mut lines = vec![
        format!("account      {}", connection.account_id.grouped()),
        match &connection.role_arn {
            Some(arn) => format!("role         {arn}"),
            None => format!("role         not made yet: stack {}", connection.stack_name),
        },
        format!("external ID  {}", connection.external_id),
    ];
    match &connection.broker_role_arn {
        Some(broker) => lines.push(format!("trusts       {broker}")),
        None => lines.extend(connection.trust.iter().map(|arn| format!("trusts       {arn}"))),
    }
    match row.catalogs.as_slice() {
        [] => lines.push("catalogs     none".to_owned()),
        bound => lines.extend(bound.iter().map(|name| format!("catalog      {name}"))),
    }
    lines
}

/// A schema as text, whole: for the zoom.
pub fn schema(view: &SchemaView) -> Vec<String> {
    let schema = &view.schema;
    let mut lines = vec![scrub(&view.table)];
    lines.extend(schema.location.clone());
    if let Some(problem) = &view.metadata_problem {
        lines.push(format!(
            "Only Glue's columns: {} {} {}",
            problem.what, problem.why, problem.next
        ));
    }
    lines.extend(schema.notes.iter().map(|note| format!("! {}", note.text)));
    lines.push(String::new());
    for column in &schema.columns {
        column_lines(column, 0, &mut lines);
    }
    for field in &schema.partition {
        lines.push(format!("partitioned by {}({})", field.transform, field.source));
    }
    if !schema.history.is_empty() {
        lines.push(String::new());
        lines.push("dropped columns".to_owned());
        for column in &schema.history {
            column_lines(column, 1, &mut lines);
        }
    }
    lines
}

fn column_lines(column: &crate::domain::schema::Column, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let required = if column.required { " required" } else { "" };
    let doc = column
        .doc
        .as_ref()
        .map(|doc| format!("  -- {doc}"))
        .unwrap_or_default();
    lines.push(format!(
        "{indent}{} {}{required}{doc}",
        column.name, column.type_text
    ));
    for child in &column.children {
        column_lines(child, depth + 1, lines);
    }
}

/// A verdict's glyph.
pub fn glyph(status: Status, theme: &Theme) -> &'static str {
    match status {
        Status::Passed => theme.glyphs.passed,
        Status::Warning => theme.glyphs.warning,
        Status::Failed => theme.glyphs.failed,
        Status::Skipped => theme.glyphs.skipped,
    }
}

/// A verdict's style.
pub fn style(status: Status, theme: &Theme) -> Style {
    match status {
        Status::Passed => theme.good,
        Status::Warning => theme.warn,
        Status::Failed => theme.bad,
        Status::Skipped => theme.dim,
    }
}
