//! `glueup preflight`: whether the signed-in caller can deploy here, before anything is launched.

use crate::cli::args::Owner;
use crate::cli::doctor;
use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::work::wrong_outcome;
use crate::domain::arn::RoleArn;
use crate::domain::finding::Check;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::operand;
use crate::job::{Job, Outcome};
use crate::registry::not_found;
use crate::session::Session;
use crate::stack::{self, Target};
use clap::{Args, ValueEnum};
use serde_json::json;

/// The longest id of a check.
const COLUMNS: usize = 18;

/// What `preflight` takes.
#[derive(Debug, Clone, Args)]
pub struct PreflightArgs {
    /// The catalog, storage integration or connection that is to be deployed
    #[arg(value_name = "[connection|catalog|storage] NAME", num_args = 1..=2, required = true)]
    pub name: Vec<String>,
    /// The service role that CloudFormation will work with
    #[arg(long, value_name = "ARN")]
    pub role_arn: Option<RoleArn>,
}

/// Makes all checks. One that failed is no error: it is the answer, and exit code 1.
///
/// # Errors
/// Not found; nothing to deploy; no sign-in.
pub async fn run(front: &mut Front, session: &Session, args: PreflightArgs) -> Result<u8, Stop> {
    let request = stack::Request::Preflight {
        target: target(session, &args.name)?,
        role_arn: args.role_arn.map(|arn| arn.to_string()),
    };
    let Outcome::Stack(stack::Outcome::Preflight(checks)) =
        front.run_quiet(session, Job::Stack(request)).await?
    else {
        return Err(wrong_outcome());
    };
    if front.is_json() {
        front.json(&json!({ "name": args.name.last(), "checks": checks }))?;
    } else {
        for check in &checks {
            doctor::show(front, check, COLUMNS)?;
        }
    }
    Ok(u8::from(Check::any_failed(&checks)))
}

/// What has that name. Two records of different sorts may have the same: then the sort is to be said.
fn target(session: &Session, words: &[String]) -> Result<Target, Stop> {
    let (owner, name) = match words {
        [name] => (None, name),
        [owner, name] => (
            Some(Owner::from_str(owner, true).map_err(|_| no_owner(owner))?),
            name,
        ),
        _ => return Err(wrong_outcome()),
    };
    if let Some(owner) = owner {
        return owner.target(name);
    }
    let home = &session.home;
    let mut found: Vec<(&str, Target)> = Vec::new();
    let grants = home.grants()?;
    for grant in grants.iter().filter(|grant| grant.holder.name() == name) {
        found.push((grant.holder.verb(), Target::Grant(grant.holder.clone())));
    }
    let connections = home.connections()?;
    if let Some(connection) = connections.named(name) {
        found.push(("connection", Target::Connection(connection.name.clone())));
    }
    match found.as_slice() {
        [(_, only)] => Ok(only.clone()),
        [] => {
            let names = grants.iter().map(|grant| grant.holder.name());
            let all: Vec<&str> = names
                .chain(connections.records.iter().map(|c| c.name.as_str()))
                .collect();
            Err(not_found(
                "catalog, storage integration or connection",
                name,
                &all,
                "See glueup catalog list, glueup storage list, glueup connection list".to_owned(),
            )
            .into())
        }
        several => {
            let sorts: Vec<&str> = several.iter().map(|(sort, _)| *sort).collect();
            Err(Problem::new(
                Kind::Usage,
                format!("Several records are called {name}: {}", sorts.join(", ")),
                "which of them is to be deployed was not said",
                format!(
                    "Say it: glueup preflight {} {}",
                    sorts.first().copied().unwrap_or("catalog"),
                    operand(name, "")
                ),
            )
            .into())
        }
    }
}

fn no_owner(given: &str) -> Stop {
    Problem::new(
        Kind::Usage,
        format!("{given} is no sort of record"),
        "before the name stands connection, catalog or storage, or nothing",
        "A name with blanks is put into quotes",
    )
    .into()
}
