//! `glueup preflight`: whether the signed-in caller can deploy here, before anything is launched.

use crate::cli::doctor;
use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::work::wrong_outcome;
use crate::domain::arn::RoleArn;
use crate::domain::finding::Check;
use crate::domain::problem::{Kind, Problem};
use crate::job::{Job, Outcome};
use crate::registry::Holder;
use crate::session::Session;
use crate::stack::{self, Target};
use clap::Args;
use serde_json::json;

/// The longest id of a check.
const COLUMNS: usize = 14;

/// What `preflight` takes.
#[derive(Debug, Clone, Args)]
pub struct PreflightArgs {
    /// The catalog, storage integration or connection that is to be deployed
    #[arg(value_name = "NAME")]
    pub name: String,
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
        front.json(&json!({ "name": args.name, "checks": checks }))?;
    } else {
        for check in &checks {
            doctor::show(front, check, COLUMNS)?;
        }
    }
    Ok(u8::from(Check::any_failed(&checks)))
}

/// What has that name: a catalog before a storage integration, and that before a connection.
fn target(session: &Session, name: &str) -> Result<Target, Problem> {
    let missing = |problem: &Problem| problem.kind == Kind::NotFound;
    let catalog = name.parse()?;
    let not_there = match session.home.catalog(&catalog) {
        Ok(_) => return Ok(Target::Grant(Holder::Catalog(catalog))),
        Err(problem) if missing(&problem) => problem,
        Err(problem) => return Err(problem),
    };
    let storage = name.parse()?;
    match session.home.storage(&storage) {
        Ok(_) => return Ok(Target::Grant(Holder::Storage(storage))),
        Err(problem) if missing(&problem) => {}
        Err(problem) => return Err(problem),
    }
    let connection = name.parse()?;
    match session.home.connection(&connection) {
        Ok(_) => Ok(Target::Connection(connection)),
        Err(problem) if missing(&problem) => Err(not_there),
        Err(problem) => Err(problem),
    }
}
