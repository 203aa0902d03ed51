//! `glueup stack`: what else can be done with a stack; and how a stack's events are written.

use crate::cli::args::TargetArgs;
use crate::cli::front::{Consent, Front};
use crate::cli::output::Stop;
use crate::cli::work::wrong_outcome;
use crate::job::{Job, Outcome, Update};
use crate::session::Session;
use crate::stack::{self, StackEvent};
use clap::{Args, Subcommand};
use serde_json::json;

/// What can be done with a stack besides deploying it.
#[derive(Debug, Clone, Subcommand)]
pub enum StackVerb {
    /// Delete the stack, and with it what it made in AWS
    Delete(DeleteArgs),
    /// Look for the stack in every region of the account: somebody may have launched it in another one
    Find(FindArgs),
}

/// What `stack find` takes.
#[derive(Debug, Clone, Args)]
pub struct FindArgs {
    /// Whose stack.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Do not ask: let the record go by the stack that is found, if it is ours and as the record asks
    #[arg(long, short)]
    pub yes: bool,
}

/// What `stack delete` takes.
#[derive(Debug, Clone, Args)]
pub struct DeleteArgs {
    /// Whose stack.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
    /// With --yes: delete the stack of an earlier record of that name too, which may be a colleague's
    #[arg(long)]
    pub take_over: bool,
    /// With --yes: where something in it cannot be deleted, let that stay in AWS and delete the stack all the same
    #[arg(long)]
    pub retain: bool,
}

/// Deletes the stack, with its events as they come.
///
/// # Errors
/// As the stack room; without a terminal and without `--yes` it is refused.
pub async fn run(front: &mut Front, session: &Session, verb: StackVerb) -> Result<u8, Stop> {
    let args = match verb {
        StackVerb::Delete(args) => args,
        StackVerb::Find(args) => return find(front, session, &args).await,
    };
    let target = args.target.target()?;
    let consent = front.consent(args.yes)?;
    let job = Job::Stack(stack::Request::Delete {
        target,
        take_over: args.take_over || !args.yes,
        retain: args.retain || !args.yes,
    });
    let Outcome::Stack(stack::Outcome::Deleted(name)) = front.run(session, job, consent, told).await? else {
        return Err(wrong_outcome());
    };
    if front.is_json() {
        front.json(&json!({ "deleted": { "stack_name": name } }))?;
    } else {
        front.line(&format!("{name}  DELETE_COMPLETE"))?;
    }
    Ok(0)
}

/// Looks for the stack in all regions. Where nobody can be asked, it only looks.
async fn find(front: &mut Front, session: &Session, args: &FindArgs) -> Result<u8, Stop> {
    let take = args.yes || front.environment.can_ask();
    let consent = if args.yes { Consent::Given } else { Consent::Asked };
    let job = Job::Stack(stack::Request::Find {
        target: args.target.target()?,
        take,
    });
    let Outcome::Stack(stack::Outcome::Found(search)) = front.run(session, job, consent, told).await? else {
        return Err(wrong_outcome());
    };
    if front.is_json() {
        let found: Vec<_> = search
            .sightings
            .iter()
            .map(|s| json!({ "region": s.region, "status": s.status, "whose": s.whose, "next": s.next }))
            .collect();
        let unread: Vec<_> = search
            .unread
            .iter()
            .map(|(region, why)| json!({ "region": region, "why": why }))
            .collect();
        front.json(&json!({
            "stack_name": search.stack,
            "account_id": search.account,
            "found": found,
            "looked": search.looked,
            "unread": unread,
            "taken": search.taken,
        }))?;
    } else {
        for line in search.lines() {
            front.line(&line)?;
        }
    }
    Ok(if search.sightings.is_empty() { 3 } else { 0 })
}

/// Writes what is told while a stack changes: its events on stdout, the rest on stderr for whoever looks on.
///
/// # Errors
/// When stdout cannot be written.
pub fn told(front: &mut Front, update: Update) -> Result<(), Stop> {
    match update {
        Update::Stack(stack::Update::LookingIn {
            account,
            region,
            stack,
        }) => {
            front.progress(&format!("{stack} in account {}, {region}", account.grouped()));
        }
        Update::Stack(stack::Update::Note(note)) => front.note(&note),
        Update::Stack(stack::Update::Status(status)) => front.progress(&status),
        Update::Stack(stack::Update::Again { seconds, .. }) => {
            front.progress(&format!("next try in {seconds} s"))
        }
        Update::Stack(stack::Update::Event(event)) => line(front, &event)?,
        Update::Stack(stack::Update::NotThere | stack::Update::Sight(_))
        | Update::Verify(_)
        | Update::Browse(_) => {}
    }
    Ok(())
}

fn line(front: &mut Front, event: &StackEvent) -> Result<(), Stop> {
    if front.is_json() {
        front.json(&json!({ "event": {
            "at": event.at,
            "logical_id": event.logical_id,
            "type": event.resource_type,
            "status": event.status,
            "reason": event.reason,
        } }))?;
        return front.flush();
    }
    front.rows(&[vec![
        event.at.to_string(),
        event.status.clone(),
        event.logical_id.clone(),
        event.resource_type.clone(),
        event.reason.clone().unwrap_or_default(),
    ]])
}
