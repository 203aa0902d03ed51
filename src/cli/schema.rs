//! `glueup schema`: the columns of one table or of many, with one sign-in.

use crate::cli::front::Front;
use crate::cli::output::{Stop, align};
use crate::cli::tables;
use crate::domain::fqn::Fqn;
use crate::domain::schema::{Column, Schema, Source};
use crate::domain::text;
use crate::session::Session;
use clap::Args;

/// What `schema` takes.
#[derive(Debug, Clone, Args)]
pub struct SchemaArgs {
    /// CATALOG.DATABASE.TABLE, one or more; - reads them from stdin, a line each
    #[arg(value_name = "FQN|-", required = true)]
    pub tables: Vec<String>,
    /// Use your own rights instead of the connection's role
    #[arg(long)]
    pub as_caller: bool,
}

/// Shows the schemas in the order of their names.
///
/// # Errors
/// As [`tables::each`].
pub async fn run(front: &mut Front, session: &Session, args: SchemaArgs) -> Result<u8, Stop> {
    tables::each(front, session, args.tables, args.as_caller, one).await
}

fn one(front: &mut Front, _: &Fqn, schema: &Schema) -> Result<(), Stop> {
    if front.is_json() {
        return front.json(schema);
    }
    show(front, schema)
}

fn show(front: &mut Front, schema: &Schema) -> Result<(), Stop> {
    let source = match schema.source {
        Source::Iceberg => "the table's Iceberg metadata",
        Source::Glue => "Glue's columns",
    };
    let version = schema
        .format_version
        .map(|v| format!(" v{v}"))
        .unwrap_or_default();
    let snapshot = schema.snapshot.as_ref().map(|snapshot| match snapshot.at {
        Some(at) => format!("{} of {at}", snapshot.id),
        None => snapshot.id.clone(),
    });
    let partition: Vec<String> = schema
        .partition
        .iter()
        .map(|field| match field.transform.as_str() {
            "identity" => field.source.clone(),
            transform => format!("{transform}({})", field.source),
        })
        .collect();
    front.fields(&[
        ("table", Some(text::scrub(&schema.fqn))),
        ("kind", Some(format!("{}{version}", schema.kind))),
        ("location", schema.location.clone()),
        ("snapshot", snapshot),
        ("partition", (!partition.is_empty()).then(|| partition.join(", "))),
        (
            "columns",
            Some(format!("{}, from {source}", schema.columns.len())),
        ),
    ])?;
    let mut rows = Vec::new();
    columns(&schema.columns, 1, &mut rows);
    if !schema.history.is_empty() {
        rows.push(vec!["older columns that Glue still lists".to_owned()]);
        columns(&schema.history, 1, &mut rows);
    }
    for line in align(&rows, &mut Vec::new()) {
        front.line(&line)?;
    }
    for view in &schema.views {
        front.line(&format!("sql   {}", view.dialect))?;
        for line in view.sql.lines() {
            front.line(&format!("  {line}"))?;
        }
    }
    for note in &schema.notes {
        front.line(&format!("note  {}: {}", note.code, note.text))?;
    }
    Ok(())
}

/// A row a column, nested ones indented below theirs.
fn columns(columns_: &[Column], depth: usize, rows: &mut Vec<Vec<String>>) {
    for column in columns_ {
        let mut marks = Vec::new();
        if column.required {
            marks.push("required".to_owned());
        }
        if column.key {
            marks.push("key".to_owned());
        }
        marks.extend(column.notes.iter().map(|note| note.code.to_owned()));
        marks.extend(column.doc.iter().map(|doc| format!("-- {doc}")));
        rows.push(vec![
            format!("{}{}", "  ".repeat(depth), column.name),
            column.short_type().to_owned(),
            marks.join("  "),
        ]);
        columns(&column.children, depth + 1, rows);
    }
}
