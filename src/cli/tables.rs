//! Verbs about tables: one named, several, or a list on stdin, with one sign-in.

use crate::browse::{self, Outcome as Browsed};
use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::work::wrong_outcome;
use crate::domain::fqn::Fqn;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::operand;
use crate::domain::schema::Schema;
use crate::domain::text;
use crate::job::{Job, Outcome};
use crate::session::Session;
use serde_json::json;
use std::collections::VecDeque;

/// Reads the schemas of tables, several asked for at once, and hands each to `show` in the order of their names; it answers
/// whether it could show it; `lead` stands before the line of one that could not be read. The exit code is 1 when it could not, when one of several could not be read, or when only
/// Glue's columns could.
///
/// # Errors
/// Of a single table: its problem. Of several, a table's problem stands in its place.
pub async fn each(
    front: &mut Front,
    session: &Session,
    named: Vec<String>,
    as_caller: bool,
    lead: &str,
    mut show: impl FnMut(&mut Front, &Fqn, &Schema) -> Result<bool, Stop>,
) -> Result<u8, Stop> {
    let names = names(named).await?;
    let tables = names
        .iter()
        .map(|name| table(name))
        .collect::<Result<Vec<_>, Stop>>()?;
    let single = tables.len() == 1;
    let mut shown: VecDeque<Fqn> = tables.iter().cloned().collect();
    let jobs = tables
        .into_iter()
        .map(|fqn| Job::Browse(browse::Request::Schema { fqn, as_caller }))
        .collect();
    let (mut code, mut first) = (0, true);
    let told = |front: &mut Front, end: Result<Outcome, Problem>| {
        if !std::mem::replace(&mut first, false) && !front.is_json() {
            front.line("")?;
        }
        let Some(fqn) = shown.pop_front() else {
            return Err(wrong_outcome());
        };
        match end {
            Ok(Outcome::Browse(Browsed::Schema {
                schema,
                metadata_problem,
            })) => {
                if !show(front, &fqn, &schema)? {
                    code = 1;
                }
                if let Some(problem) = &metadata_problem {
                    code = 1;
                    front.problem(problem);
                }
            }
            Ok(_) => return Err(wrong_outcome()),
            Err(problem) if !single && problem.kind != Kind::Interrupted => {
                code = 1;
                let name = fqn.display();
                if front.is_json() {
                    front.json(&json!({ "fqn": name, "error": problem }))?;
                } else {
                    front.line(&format!("{lead}{}  {problem}", text::scrub(&name)))?;
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
