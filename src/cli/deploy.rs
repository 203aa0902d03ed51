//! `glueup deploy`: a stack, created or updated from here.

use crate::cli::args::TargetArgs;
use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::stack::told;
use crate::cli::work::wrong_outcome;
use crate::domain::arn::RoleArn;
use crate::job::{Job, Outcome};
use crate::session::Session;
use crate::stack;
use clap::Args;
use serde_json::json;

/// What `deploy` takes.
#[derive(Debug, Clone, Args)]
pub struct DeployArgs {
    /// Whose stack.
    #[command(flatten)]
    pub target: TargetArgs,
    /// A service role for CloudFormation to work with
    #[arg(long, value_name = "ARN")]
    pub role_arn: Option<RoleArn>,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
    /// With --yes: take over the stack of an earlier record of that name too, which may be a colleague's
    #[arg(long)]
    pub take_over: bool,
}

/// Deploys, shows the events as they come, and at the end the stack.
///
/// # Errors
/// As the stack room; without a terminal and without `--yes` it is refused.
pub async fn run(front: &mut Front, session: &Session, args: DeployArgs) -> Result<u8, Stop> {
    let target = args.target.target()?;
    let consent = front.consent(args.yes)?;
    let role_arn = args.role_arn.map(|arn| arn.to_string());
    let job = Job::Stack(stack::Request::Deploy {
        target,
        role_arn,
        take_over: args.take_over || !args.yes,
    });
    let Outcome::Stack(stack::Outcome::Deployed(state)) = front.run(session, job, consent, told).await?
    else {
        return Err(wrong_outcome());
    };
    if front.is_json() {
        let (name, id) = (&state.name, &state.id);
        let (status, outputs) = (&state.status, &state.outputs);
        let changes: Vec<_> = state.changes.iter().map(changed).collect();
        front.json(&json!({ "stack": {
            "name": name, "id": id, "status": status, "outputs": outputs, "changes": changes,
        } }))?;
        return Ok(0);
    }
    front.line(&format!("{}  {}", state.name, state.status))?;
    for change in &state.changes {
        front.line(&format!("  {change}"))?;
    }
    for (name, value) in &state.outputs {
        front.line(&format!("  {name} = {value}"))?;
    }
    Ok(0)
}

fn changed(change: &stack::Change) -> serde_json::Value {
    let (logical_id, kind) = (&change.logical_id, &change.resource_type);
    json!({ "action": change.act.word(), "logical_id": logical_id, "type": kind })
}
