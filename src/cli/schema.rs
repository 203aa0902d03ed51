//! `glueup schema`: the columns of one table or of many, with one sign-in.

use crate::browse::{self, Outcome as Browsed};
use crate::cli::front::Front;
use crate::cli::output::{Stop, align};
use crate::cli::work::wrong_outcome;
use crate::domain::fqn::Fqn;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::operand;
use crate::domain::schema::{Column, Schema, Source};
use crate::domain::text;
use crate::job::{Job, Outcome};
use crate::session::Session;
use clap::Args;
use serde_json::json;
use std::collections::VecDeque;

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

/// Shows the schemas in the order of their names, several asked for at once.
///
/// # Errors
/// Of a single table: its problem. Of several, a table's problem stands in its place, and the exit code is 1.
pub async fn run(front: &mut Front, session: &Session, args: SchemaArgs) -> Result<u8, Stop> {
    let names = names(args.tables).await?;
    let tables = names
        .iter()
        .map(|name| table(name))
        .collect::<Result<Vec<_>, Stop>>()?;
    let single = tables.len() == 1;
    let mut shown: VecDeque<String> = tables.iter().map(Fqn::display).collect();
    let as_caller = args.as_caller;
    let jobs = tables
        .into_iter()
        .map(|fqn| Job::Browse(browse::Request::Schema { fqn, as_caller }))
        .collect();
    let (mut code, mut first) = (0, true);
    let told = |front: &mut Front, end: Result<Outcome, Problem>| {
        if !std::mem::replace(&mut first, false) && !front.is_json() {
            front.line("")?;
        }
        let name = shown.pop_front().unwrap_or_default();
        match end {
            Ok(outcome) => code = code.max(u8::from(!one(front, outcome)?)),
            Err(problem) if !single && problem.kind != Kind::Interrupted => {
                code = 1;
                if front.is_json() {
                    front.json(&json!({ "fqn": name, "error": problem }))?;
                } else {
                    front.line(&format!("{}  {problem}", text::scrub(&name)))?;
                }
            }
            Err(problem) => return Err(problem.into()),
        }
        front.flush()
    };
    front.run_abreast(session, jobs, told).await?;
    Ok(code)
}

/// The names, with `-` replaced by the lines of stdin.
async fn names(given: Vec<String>) -> Result<Vec<String>, Stop> {
    let mut names = Vec::with_capacity(given.len());
    for name in given {
        if name != "-" {
            names.push(name);
            continue;
        }
        let read = tokio::task::spawn_blocking(|| std::io::read_to_string(std::io::stdin())).await;
        let text = read
            .map_err(|e| e.to_string())
            .and_then(|text| text.map_err(|e| e.to_string()));
        let text = text.map_err(|why| {
            Problem::new(
                Kind::Usage,
                "the names cannot be read from stdin",
                why,
                "give one name a line, as UTF-8",
            )
        })?;
        names.extend(
            text.lines()
                .filter(|line| !line.trim().is_empty())
                .map(str::to_owned),
        );
    }
    Ok(names)
}

fn table(name: &str) -> Result<Fqn, Stop> {
    let fqn: Fqn = name.parse()?;
    if fqn.table.is_some() {
        return Ok(fqn);
    }
    Err(Problem::new(
        Kind::Usage,
        format!("{} is not a table", fqn.display()),
        "a table's name has three parts: CATALOG.DATABASE.TABLE",
        format!("glueup ls {} shows what is in it", operand(&fqn.display(), "")),
    )
    .into())
}

/// Shows one schema; false when the table's own metadata could not be read and only Glue's columns are shown.
fn one(front: &mut Front, outcome: Outcome) -> Result<bool, Stop> {
    let Outcome::Browse(Browsed::Schema {
        schema,
        metadata_problem,
    }) = outcome
    else {
        return Err(wrong_outcome());
    };
    if front.is_json() {
        front.json(&schema)?;
    } else {
        show(front, &schema)?;
    }
    if let Some(problem) = &metadata_problem {
        front.problem(problem);
    }
    Ok(metadata_problem.is_none())
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
            column.type_text.clone(),
            marks.join("  "),
        ]);
        columns(&column.children, depth + 1, rows);
    }
}
