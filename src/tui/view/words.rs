//! Texts that more than one view needs.

use crate::browse::TableRow;
use crate::domain::declared::View;
use crate::domain::kind::TableKind;
use crate::domain::s3_path::S3Path;
use crate::domain::schema::{Column, PartitionField, Schema, Source};
use crate::domain::text::scrub;
use crate::registry::GrantKind;
use crate::setup::ConnectionRow;
use crate::setup::grant::stack_name;
use crate::stack::grant;
use crate::tui::model::{Details, Model, SchemaView};
use crate::tui::theme::Theme;
use crate::tui::view::joined::spelled;
use crate::verify::Status;
use ratatui::style::Style;

/// The columns of a connection's labels.
pub const CONNECTION_LABELS: usize = 13;

/// What is known about a connection: a label and its value each.
pub fn connection(row: &ConnectionRow) -> Vec<(&'static str, String)> {
    let connection = &row.connection;
    let mut lines = vec![
        ("account", connection.account_id.grouped()),
        match &connection.role_arn {
            Some(arn) => ("role", arn.to_string()),
            None => ("role", format!("not made yet: stack {}", connection.stack_name)),
        },
        ("external ID", connection.external_id.to_string()),
    ];
    if connection.adopted {
        lines.push((
            "adopted",
            "the role was there before: verified here, never deployed".into(),
        ));
    }
    match &connection.broker_role_arn {
        Some(broker) => lines.push(("trusts", broker.to_string())),
        None => lines.extend(connection.trust.iter().map(|arn| ("trusts", arn.to_string()))),
    }
    if let Some(verifier) = &connection.verifier {
        lines.push(("verifier", verifier.to_string()));
    }
    match row.catalogs.as_slice() {
        [] => lines.push(("catalogs", "none".to_owned())),
        bound => lines.extend(bound.iter().map(|name| ("catalog", scrub(name.as_str())))),
    }
    lines.extend(row.storages.iter().map(|name| ("storage", scrub(name.as_str()))));
    lines
}

/// What Details as filled in will grant: a heading and its sentence each; nothing while name or path are not right.
pub fn grant(model: &Model, details: &Details) -> Vec<(&'static str, String)> {
    let (Ok(holder), Ok(path)) = (details.holder(), details.s3_path.parse::<S3Path>()) else {
        return Vec::new();
    };
    let stack = model
        .records()
        .map(|r| stack_name(&r.platform.stack_prefix, &holder, details.access).to_string());
    let glue = details.kind == GrantKind::Catalog;
    grant::in_words(&grant::Wanted {
        access: details.access,
        s3_path: &path,
        databases: glue.then_some(&[]),
        account: model.identity.value().map(|who| &who.account),
        kms_key: details.kms_key().map(AsRef::as_ref),
        catalog_kms_key: details.catalog_kms_key().map(AsRef::as_ref),
        stack_name: stack.as_deref(),
    })
}

/// A name for the zoom: safe to draw, and nothing of it left out.
pub fn exact(name: &str) -> String {
    spelled(&scrub(name))
}

/// What a table is: `Iceberg v2`, `view`.
pub fn kind(table: &TableRow, view: Option<&SchemaView>) -> String {
    let Some(view) = view else {
        return table.kind.label().to_owned();
    };
    match view.schema.format_version {
        Some(version) if view.schema.kind != TableKind::ResourceLink => {
            format!("{} v{version}", view.schema.kind.label())
        }
        _ => view.schema.kind.label().to_owned(),
    }
}

/// Where a table lies; what its schema says of that counts more than what the listing did.
pub fn location<'a>(table: &'a TableRow, view: Option<&'a SchemaView>) -> Option<&'a str> {
    view.and_then(|view| view.schema.location.as_deref())
        .or(table.location.as_deref())
}

/// A description with its line breaks, which the clean text shows as signs.
pub fn prose(text: &str) -> String {
    text.replace("␍␊", "\n").replace(['␊', '␍'], "\n")
}

/// By what a table is partitioned: `day(ts)`, or the column's own name. Not Hive's columns, which are marked already.
pub fn partitions(schema: &Schema) -> Vec<String> {
    let hive = schema.source != Source::Iceberg;
    let is_key = |name: &str| hive && schema.columns.iter().any(|c| c.key && c.name == name);
    let shown = |field: &PartitionField| match field.transform.as_str() {
        "identity" if is_key(&field.source) => None,
        _ => Some(field.to_string()),
    };
    schema.partition.iter().filter_map(shown).collect()
}

/// What is odd about the columns, each with its name.
pub fn column_notes(columns: &[Column]) -> Vec<String> {
    columns
        .iter()
        .flat_map(|column| {
            let own = column.notes.iter().map(|note| {
                if note.text.contains(&column.name) {
                    note.text.clone()
                } else {
                    format!("{}: {}", spelled(&column.name), note.text)
                }
            });
            own.chain(column_notes(&column.children)).collect::<Vec<_>>()
        })
        .collect()
}

/// Whose SQL a view's text is, and where its bare names are looked up.
pub fn view_heading(view: &View) -> String {
    let place: Vec<&str> = [&view.catalog, &view.database]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    match place.as_slice() {
        [] => format!("SQL ({})", view.dialect),
        place => format!("SQL ({}), names in {}", view.dialect, place.join(".")),
    }
}

/// What comes after a ladder that did not fail, and what cannot be had: a line each, the limits marked with `!`.
pub fn after_verify(model: &Model, details: &Details, verdict: Status) -> Vec<String> {
    // A platform's words are about its catalogs.
    let says = verdict != Status::Failed && details.kind == GrantKind::Catalog;
    let Some(records) = model.records().filter(|_| says) else {
        return Vec::new();
    };
    let platform = &records.platform;
    let mut lines: Vec<String> = platform
        .next_steps
        .iter()
        .map(|next| format!("Next: {next}"))
        .collect();
    let limits: Vec<String> = platform
        .limitations_at(details.access)
        .map(|limit| format!("! {}", limit.text))
        .collect();
    if !limits.is_empty() {
        lines.push("Known limitations:".to_owned());
        lines.extend(limits);
    }
    lines
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
