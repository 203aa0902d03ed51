//! `glueup census`: a catalog counted, and its tables as a list that a program can read.

mod export;

use crate::browse::{self, Census, Which};
use crate::cli::front::{Consent, Front};
use crate::cli::output::Stop;
use crate::cli::work::wrong_outcome;
use crate::domain::amount::count;
use crate::domain::kind::TableKind;
use crate::domain::lens::Verdict;
use crate::domain::names::CatalogName;
use crate::domain::text;
use crate::job::{Job, Outcome, Update};
use crate::session::Session;
use clap::Args;
use export::Export;
use std::path::PathBuf;

/// What `census` takes.
#[derive(Debug, Clone, Args)]
pub struct CensusArgs {
    /// The catalog
    #[arg(value_name = "CATALOG")]
    pub catalog: CatalogName,
    /// Count only tables of this kind; may be given more than once
    #[arg(long, value_name = "KIND", value_parser = Which::kind)]
    pub kind: Vec<TableKind>,
    /// Count only tables with this note
    #[arg(long, value_name = "CODE", value_parser = Which::note)]
    pub note: Vec<String>,
    /// Count only what this engine does not read as it is, or of which it says this: trino=no
    #[arg(long, value_name = "ENGINE[=VERDICT]", value_parser = Which::engine)]
    pub engine: Vec<(String, Option<Verdict>)>,
    /// Write it to this file: every table with .csv, all of it with .json, a page to read with .md
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
    /// Use your own rights instead of the connection's role
    #[arg(long)]
    pub as_caller: bool,
}

/// Counts. The exit code is 1 when not all of it could be read.
///
/// # Errors
/// As the browse room; a file that cannot be written, or whose name says no form.
pub async fn run(front: &mut Front, session: &Session, args: CensusArgs) -> Result<u8, Stop> {
    let mut export = args.to.map(Export::new).transpose()?;
    let request = browse::Request::Census {
        catalog: args.catalog.clone(),
        which: Which {
            kinds: args.kind,
            notes: args.note,
            engines: args.engine,
        },
        rows: export.is_some(),
        as_caller: args.as_caller,
    };
    let told = |front: &mut Front, update: Update| {
        match update {
            Update::Browse(browse::Update::Counted { database, rows }) => {
                if let Some(export) = &mut export {
                    export.rows(&database, &rows);
                }
            }
            Update::Browse(browse::Update::Counting(census)) => {
                let so_far = format!("counting: {} tables so far", count(census.tables));
                front.progress(&so_far);
            }
            _ => {}
        }
        Ok(())
    };
    let outcome = front
        .run(session, Job::Browse(request), Consent::Asked, told)
        .await?;
    let Outcome::Browse(browse::Outcome::Census(census)) = outcome else {
        return Err(wrong_outcome());
    };
    if let Some(export) = export {
        let path = export.finish(&args.catalog, &census)?;
        front.note(&format!("written to {}", path.display()));
    }
    if front.is_json() {
        front.json(&census)?;
    } else {
        show(front, &census)?;
    }
    for unread in &census.unreadable {
        front.problem(&unread.problem);
    }
    Ok(u8::from(!census.complete))
}

fn show(front: &mut Front, census: &Census) -> Result<(), Stop> {
    let besides = [
        (
            census.links,
            "links, whose tables count where they lie: those of another account not here",
        ),
        (census.federated, "of other systems, not counted"),
    ];
    let besides: Vec<String> = besides
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{} {what}", count(*number)))
        .collect();
    let besides = if besides.is_empty() {
        String::new()
    } else {
        format!("  ({})", besides.join("; "))
    };
    front.line(&format!("databases  {}{besides}", count(census.databases)))?;
    front.line(&format!("tables     {}", count(census.tables)))?;
    let mut section = |title: &str, rows: Vec<Vec<String>>| {
        if rows.is_empty() {
            return Ok(());
        }
        front.line("")?;
        front.line(title)?;
        front.rows(&rows)
    };
    let counted = |counts: Vec<(&str, u64)>| counts.into_iter().map(counted).collect();
    section("by kind", counted(census.kinds()))?;
    section("by note", counted(census.notes()))?;
    let aligned = |word: String| format!("{word:>NUMBER$}");
    let row = |name: &str, cells: [String; 3]| {
        std::iter::once(format!("  {name}"))
            .chain(cells.map(aligned))
            .collect()
    };
    let mut engines: Vec<Vec<String>> = vec![row("engine", ["yes", "setting", "no"].map(str::to_owned))];
    engines.extend(
        census
            .engines()
            .map(|(engine, per)| row(&engine.id, per.numbers().map(count))),
    );
    if census.tables > 0 {
        section("by engine, as far as Glue alone tells", engines)?;
    }
    let prefixes = census.cover.prefixes().into_iter();
    let prefixes = prefixes.map(|one| {
        vec![
            format!("  {}", text::scrub(&one.prefix)),
            aligned(count(one.locations)),
        ]
    });
    section(
        "where the files lie: prefixes that cover them",
        prefixes.collect(),
    )?;
    for unread in &census.unreadable {
        let what = unread
            .database
            .as_deref()
            .map_or("the list of databases".to_owned(), text::scrub);
        front.line(&format!("not read: {what}"))?;
    }
    Ok(())
}

/// Room for a number, so that the numbers of a section stand under one another.
const NUMBER: usize = 11;

fn counted((word, number): (&str, u64)) -> Vec<String> {
    vec![format!("  {word}"), format!("{:>NUMBER$}", count(number))]
}
