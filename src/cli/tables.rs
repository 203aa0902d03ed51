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

/// What stands on stdout beside the tables, where it is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// A blank line between two, and a line for one that could not be read, with this before it.
    Lines(&'static str),
    /// Nothing: a program reads it, and what could not be read is told on stderr.
    Nothing,
}

/// Whether the names are those of a list, however long it is: then the answer has the form of a list, too.
pub fn is_list(named: &[String]) -> bool {
    named.len() > 1 || named.iter().any(|name| name == STDIN)
}

/// What stands for the names on standard input.
const STDIN: &str = "-";

/// How tables are read.
#[derive(Debug, Clone, Copy)]
pub struct How {
    /// With one of their data files.
    pub file: bool,
    /// With the caller's own rights.
    pub as_caller: bool,
    /// What stands beside them.
    pub beside: Beside,
}

/// Reads the schemas of tables, several asked for at once, and hands each to `show` in the order of their names; it answers
/// whether it could show it. The exit code is 1 when it could not, when one of several could not be read, or when only
/// Glue's columns could.
///
/// # Errors
/// Of a single table: its problem. Of several, a table's problem stands in its place.
pub async fn each(
    front: &mut Front,
    session: &Session,
    named: Vec<String>,
    how: How,
    mut show: impl FnMut(&mut Front, &Fqn, &Schema) -> Result<bool, Stop>,
) -> Result<u8, Stop> {
    let tables = names(named).await?;
    let single = tables.len() == 1;
    let mut shown: VecDeque<Fqn> = tables.iter().cloned().collect();
    let jobs = tables
        .into_iter()
        .map(|fqn| {
            Job::Browse(browse::Request::Schema {
                fqn,
                file: how.file,
                as_caller: how.as_caller,
            })
        })
        .collect();
    let (mut code, mut first) = (0, true);
    let told = |front: &mut Front, end: Result<Outcome, Problem>| {
        if !std::mem::replace(&mut first, false) && !front.is_json() && how.beside != Beside::Nothing {
            front.line("")?;
        }
        let Some(fqn) = shown.pop_front() else {
            return Err(wrong_outcome());
        };
        match end {
            Ok(Outcome::Browse(Browsed::Schema {
                schema,
                metadata_problem,
                file_problem,
            })) => {
                // As the catalog has its name, not as it was typed.
                let fqn = schema.fqn.parse().unwrap_or(fqn);
                if !show(front, &fqn, &schema)? {
                    code = 1;
                }
                for problem in [&metadata_problem, &file_problem].into_iter().flatten() {
                    code = 1;
                    match single {
                        true => front.problem(problem),
                        false => front.problem_of(&schema.fqn, problem),
                    }
                }
            }
            Ok(_) => return Err(wrong_outcome()),
            Err(problem) if !single && problem.kind != Kind::Interrupted => {
                code = 1;
                let name = fqn.display();
                if front.is_json() {
                    front.json(&json!({ "fqn": name, "error": problem }))?;
                    return front.flush();
                }
                match how.beside {
                    Beside::Lines(lead) => front.line(&format!("{lead}{}  {problem}", text::scrub(&name)))?,
                    Beside::Nothing => front.problem_of(&name, &problem),
                }
            }
            Err(problem) => return Err(problem.into()),
        }
        front.flush()
    };
    front.run_abreast(session, jobs, told).await?;
    Ok(code)
}

/// The tables, with `-` replaced by those on the lines of stdin. There, blank lines and those that begin with `#` are skipped.
async fn names(given: Vec<String>) -> Result<Vec<Fqn>, Stop> {
    let mut tables = Vec::with_capacity(given.len());
    for name in given {
        if name != STDIN {
            tables.push(table(&name)?);
            continue;
        }
        let read = tokio::task::spawn_blocking(|| std::io::read_to_string(std::io::stdin())).await;
        let text = read
            .map_err(|e| e.to_string())
            .and_then(|text| text.map_err(|e| e.to_string()));
        let text = text.map_err(|why| no_names("the names cannot be read from standard input", why))?;
        let before = tables.len();
        // A mark of the byte order is how some editors begin a file.
        let text = text.trim_start_matches('\u{feff}');
        for (number, line) in (1..).zip(text.lines()) {
            if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
                tables.push(table(line).map_err(|problem| of_line(number, problem))?);
            }
        }
        if tables.len() == before {
            return Err(no_names("no names on standard input", "- reads them there").into());
        }
    }
    Ok(tables)
}

fn no_names(what: &str, why: impl AsRef<str>) -> Problem {
    Problem::new(
        Kind::Usage,
        what,
        why,
        "give one CATALOG.DATABASE.TABLE a line, as UTF-8: glueup ls CATALOG --tables --names prints them so",
    )
}

/// The problem of a line, by its number: in a long list nobody finds it otherwise.
fn of_line(number: usize, problem: Problem) -> Problem {
    Problem {
        what: format!("line {number} of standard input: {}", problem.what),
        ..problem
    }
}

fn table(name: &str) -> Result<Fqn, Problem> {
    let fqn: Fqn = name.parse()?;
    if fqn.table.is_some() {
        return Ok(fqn);
    }
    Err(Problem::new(
        Kind::Usage,
        format!("{} is not a table", fqn.display()),
        "a table's name has three parts: CATALOG.DATABASE.TABLE",
        format!("glueup ls {} shows what is in it", operand(&fqn.display(), "")),
    ))
}
