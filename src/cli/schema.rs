//! `glueup schema`: the columns of one table or of many, with one sign-in.

use crate::cli::front::Front;
use crate::cli::output::{Stop, align};
use crate::cli::tables::{self, Beside};
use crate::domain::amount::{counted, size};
use crate::domain::ddl::{self, Form};
use crate::domain::fqn::Fqn;
use crate::domain::kind::TableKind;
use crate::domain::problem::{Kind, Problem};
use crate::domain::schema::{Column, Schema, Source};
use crate::domain::sides::DataFile;
use crate::domain::text;
use crate::session::Session;
use clap::Args;
use serde_json::{Map, Value, json};

/// What `schema` takes.
#[derive(Debug, Clone, Args)]
pub struct SchemaArgs {
    /// CATALOG.DATABASE.TABLE, one or more; - reads them from stdin, a line each, and skips lines that begin with #
    #[arg(value_name = "FQN|-", required = true)]
    pub tables: Vec<String>,
    /// Print the statement that makes such a table in an engine, or Arrow's JSON: spark, trino, athena, arrow
    ///
    /// Arrow's JSON of one table is one document. Of several, or of those on stdin, it is a document a line, with the table's
    /// name in it as "fqn"; what cannot be read or written is told on stderr.
    #[arg(long = "as", value_name = "FORM")]
    pub form: Option<Form>,
    /// Read the footer of one of its data files, too, and tell where its columns are not the table's
    #[arg(long, conflicts_with = "form")]
    pub file: bool,
    /// Use your own rights instead of the connection's role
    #[arg(long)]
    pub as_caller: bool,
}

/// Shows the schemas in the order of their names.
///
/// # Errors
/// As [`tables::each`].
pub async fn run(front: &mut Front, session: &Session, args: SchemaArgs) -> Result<u8, Stop> {
    let form = args.form;
    let is_list = tables::is_list(&args.tables);
    let one = move |front: &mut Front, fqn: &Fqn, schema: &Schema| match form {
        Some(form) => written(front, fqn, schema, form, is_list),
        None => one(front, fqn, schema).map(|()| true),
    };
    let beside = match form {
        None => Beside::Lines(""),
        // Among statements a table that could not be read is a comment. JSON has none.
        Some(Form::Ddl(_)) => Beside::Lines("-- "),
        Some(Form::Arrow) => Beside::Nothing,
    };
    let how = tables::How {
        file: args.file,
        as_caller: args.as_caller,
        beside,
    };
    tables::each(front, session, args.tables, how, one).await
}

/// A schema for somebody else; that a table cannot be written for them is an answer, too, and the next one comes.
fn written(front: &mut Front, fqn: &Fqn, schema: &Schema, form: Form, is_list: bool) -> Result<bool, Stop> {
    let text = match ddl::write(fqn, schema, form) {
        Ok(text) => text,
        Err(invalid) => {
            let problem = Problem::new(
                Kind::CheckFailed,
                format!("{} cannot be written for {form}", text::scrub(&schema.fqn)),
                invalid.why,
                "glueup schema shows what is known of it",
            );
            if front.is_json() {
                front.json(&json!({"fqn": schema.fqn, "as": form, "error": problem}))?;
            } else if form != Form::Arrow {
                front.line(&format!("-- {}: {}", problem.what, problem.why))?;
            }
            front.problem(&problem);
            return Ok(false);
        }
    };
    if front.is_json() {
        front.json(&json!({"fqn": schema.fqn, "as": form, "text": text}))?;
        return Ok(true);
    }
    if let (Form::Arrow, true, Ok(Value::Object(document))) = (form, is_list, serde_json::from_str(&text)) {
        // Which table's it is stands first.
        let mut named = Map::from_iter([("fqn".to_owned(), json!(schema.fqn))]);
        named.extend(document);
        front.json(&named)?;
        return Ok(true);
    }
    for line in text.lines() {
        front.line(line)?;
    }
    Ok(true)
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
        Source::DeltaLog => "the table's Delta log",
    };
    // A link has its target's columns, and no version of its own.
    let version = schema
        .format_version
        .filter(|_| schema.kind != TableKind::ResourceLink)
        .map(|v| format!(" v{v}"))
        .unwrap_or_default();
    let snapshot = schema.snapshot.as_ref().map(|snapshot| match snapshot.at {
        Some(at) => format!("{} of {at}", snapshot.id),
        None => snapshot.id.clone(),
    });
    front.fields(&[
        ("table", Some(text::scrub(&schema.fqn))),
        ("kind", Some(format!("{}{version}", schema.kind))),
        ("location", schema.location.clone()),
        ("snapshot", snapshot),
        (
            "holds",
            schema.statistics.as_ref().map(|it| it.in_words().join(", ")),
        ),
        (
            "partition",
            list(schema.partition.iter().map(ToString::to_string)),
        ),
        ("sorted by", list(schema.sort.iter().map(ToString::to_string))),
        ("refs", list(schema.named_refs().map(ToString::to_string))),
        (
            "columns",
            Some(format!("{}, from {source}", schema.columns.len())),
        ),
    ])?;
    let mut rows = Vec::new();
    columns(&schema.columns, 1, &mut rows);
    if !schema.history.is_empty() {
        rows.push(vec!["columns of older schemas".to_owned()]);
        columns(&schema.history, 1, &mut rows);
    }
    for line in align(&rows, &mut Vec::new()) {
        front.line(&line)?;
    }
    if let Some(file) = &schema.file {
        in_file(front, file)?;
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

/// One of its data files, and where it is not as the table says.
fn in_file(front: &mut Front, file: &DataFile) -> Result<(), Stop> {
    let held = format!("{}, {}", counted(file.rows, "row", "rows"), size(file.bytes));
    front.fields(&[
        ("data file", Some(file.location.clone())),
        ("file holds", Some(held)),
        ("written by", file.written_by.clone()),
        ("differs", file.differences.is_empty().then(|| "no".to_owned())),
    ])?;
    let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let rows: Vec<Vec<String>> = file
        .differences
        .iter()
        .map(|one| {
            vec![
                format!("differs  {}", one.column),
                side(&one.table),
                side(&one.file),
                one.why.to_string(),
            ]
        })
        .collect();
    for line in align(&rows, &mut Vec::new()) {
        front.line(&line)?;
    }
    for note in &file.notes {
        front.line(&format!("note  {}: {}", note.code, note.text))?;
    }
    Ok(())
}

/// A list in a line; nothing for an empty one.
fn list(all: impl Iterator<Item = String>) -> Option<String> {
    let all: Vec<String> = all.collect();
    (!all.is_empty()).then(|| all.join(", "))
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
