//! Change sets of our own: made or taken up again, executed after the yes, and removed after a no.
//!
//! The name holds a hash of the template, so that a run that was killed between making one and executing it is followed
//! by one that finds it.

use crate::cloud::stacks::NewStack;
use crate::cloud::stacks::change_sets::{ChangeSet, Sort, lacks_change_sets};
use crate::cloud::{is_access_denied, is_not_found};
use crate::domain::problem::{Kind, Problem};
use crate::report::Reporter;
use crate::session::Session;
use crate::setup::random;
use crate::stack::Update;
use crate::stack::change::{self, Change};
use crate::stack::desk::Desk;
use crate::stack::follow::{self, Follower};
use crate::stack::state::State;
use sha2::{Digest, Sha256};

/// What the names of all our change sets begin with.
const OURS: &str = "glueup-";
/// Looks at a change set that was just made and is not seen yet.
const UNSEEN: u32 = 20;

/// What CloudFormation makes of what we ask for.
#[derive(Debug)]
pub enum Planned {
    /// It can be done.
    Ready(Ready),
    /// The stack is that already.
    Same,
    /// This endpoint knows no change sets: its refusal.
    Unknown(Problem),
}

/// A change set that waits to be executed.
#[derive(Debug)]
pub struct Ready {
    /// Its id, an ARN.
    pub id: String,
    /// The id of its stack.
    pub stack_id: String,
    /// What it does.
    pub changes: Vec<Change>,
    sort: Sort,
}

/// Lets CloudFormation work out what the site's stack would become. `there`: the stack exists, and is ours.
///
/// A change set is a write, though it makes nothing of what the template says: it stands in the ledger.
///
/// # Errors
/// As CloudFormation answers; `CheckFailed` for what it cannot work out; `Interrupted` when the person gives up.
pub async fn plan(
    session: &Session,
    desk: &Desk,
    sort: Sort,
    there: bool,
    new: NewStack,
    reporter: &Reporter<Update>,
) -> Result<Planned, Problem> {
    let front = front_of(desk, new.role_arn.as_deref());
    let earlier = if there {
        Box::pin(earlier(session, desk, &front, reporter)).await?
    } else {
        None
    };
    let set = match earlier {
        Some(set) => set,
        None => {
            let random = hex::encode(random::bytes()?);
            let name: String = front.chars().chain(random.chars().take(8)).collect();
            let made = desk
                .ledgered(
                    session,
                    "cloudformation:CreateChangeSet",
                    desk.site.stack_name(),
                    desk.stacks.create_change_set(&name, sort, new),
                )
                .await;
            match made {
                Ok((id, stack_id)) => Box::pin(worked_out(desk, &id, &stack_id, reporter)).await?,
                Err(problem) if lacks_change_sets(&problem) => return Ok(Planned::Unknown(problem)),
                Err(problem) => return Err(problem),
            }
        }
    };
    let reason = set.reason.clone().unwrap_or_default();
    let ready = Ready {
        id: set.id,
        stack_id: set.stack_id,
        changes: change::told(set.changes),
        sort,
    };
    if set.status == "CREATE_COMPLETE" && set.execution == "AVAILABLE" {
        return Ok(Planned::Ready(ready));
    }
    discard(session, desk, &ready, reporter).await;
    if reason.contains("didn't contain changes") || reason.contains("No updates are to be performed") {
        return Ok(Planned::Same);
    }
    Err(Problem::new(
        Kind::CheckFailed,
        format!("CloudFormation cannot change {} like this", desk.site.stack),
        if reason.is_empty() {
            format!("its change set is {} and {}", set.status, set.execution)
        } else {
            reason
        },
        "mend what the reason says, then deploy again; nothing has been changed",
    ))
}

/// Executes a change set.
///
/// # Errors
/// As CloudFormation answers; `CheckFailed` when somebody has deployed meanwhile.
pub async fn execute(session: &Session, desk: &Desk, ready: &Ready) -> Result<(), Problem> {
    let work = desk
        .stacks
        .execute_change_set(desk.site.stack_name(), &ready.id, Some(desk.token()?));
    let done = desk
        .ledgered(session, "cloudformation:ExecuteChangeSet", &ready.id, work)
        .await;
    match done {
        Err(problem) if is_not_found(&problem) => Err(Problem::new(
            Kind::CheckFailed,
            format!("the change set of {} is there no more", desk.site.stack),
            "CloudFormation drops it once the stack is changed in another way: somebody deploys at the same time",
            "deploy again: what is left to change is worked out anew",
        )
        .with_detail(*problem.detail)),
        done => done,
    }
}

/// Removes a change set that will not be executed, and the stack that it would have made when nothing else is in it.
///
/// That this fails is told and no more: what is left makes nothing, and the next deploy takes it up.
pub async fn discard(session: &Session, desk: &Desk, ready: &Ready, reporter: &Reporter<Update>) {
    if let Err(problem) = Box::pin(try_discard(session, desk, ready, reporter)).await {
        reporter
            .tell(Update::Note(format!(
                "the change set stays, and makes nothing by itself: {problem}"
            )))
            .await;
    }
}

async fn try_discard(
    session: &Session,
    desk: &Desk,
    ready: &Ready,
    reporter: &Reporter<Update>,
) -> Result<(), Problem> {
    remove(session, desk, &ready.id).await?;
    if ready.sort == Sort::Update {
        return Ok(());
    }
    let Some(stack) = desk.stacks.describe(&ready.stack_id).await? else {
        return Ok(());
    };
    let empty = State::of(&stack.status) == State::Review;
    if empty && desk.stacks.change_sets(desk.site.stack_name()).await?.is_empty() {
        desk.delete(session, &desk.stacks, &stack.id, None).await?;
        Follower::new(&desk.stacks, reporter, desk.pace())
            .until_rest(&stack.id)
            .await?;
    }
    Ok(())
}

async fn remove(session: &Session, desk: &Desk, id: &str) -> Result<(), Problem> {
    desk.ledgered(
        session,
        "cloudformation:DeleteChangeSet",
        id,
        desk.stacks.delete_change_set(desk.site.stack_name(), id),
    )
    .await
}

/// The change set that an earlier run of ours left, if it still says the same; the others of ours are removed.
async fn earlier(
    session: &Session,
    desk: &Desk,
    front: &str,
    reporter: &Reporter<Update>,
) -> Result<Option<ChangeSet>, Problem> {
    let stack = desk.site.stack_name();
    let all = match desk.stacks.change_sets(stack).await {
        Ok(all) => all,
        // Who may not list makes a new one beside it; to execute one drops the others.
        Err(problem) if is_access_denied(&problem) || lacks_change_sets(&problem) => return Ok(None),
        Err(problem) => return Err(problem),
    };
    let mut kept = None;
    let waiting = all.into_iter().filter(|set| {
        set.name.starts_with(OURS) && !set.execution.starts_with("EXECUTE") && !is_pending(&set.status)
    });
    for set in waiting {
        if kept.is_none()
            && set.name.starts_with(front)
            && let Some(whole) = desk.stacks.change_set(stack, &set.id).await?
            && says_the_same(&whole, desk)
        {
            reporter
                .tell(Update::Note(format!(
                    "the change set {} of an earlier run is taken up",
                    whole.name
                )))
                .await;
            kept = Some(whole);
        } else if let Err(problem) = remove(session, desk, &set.id).await {
            reporter
                .tell(Update::Note(format!("an old change set stays: {problem}")))
                .await;
        }
    }
    Ok(kept)
}

fn says_the_same(set: &ChangeSet, desk: &Desk) -> bool {
    let tags = desk.site.tags();
    set.status == "CREATE_COMPLETE"
        && set.execution == "AVAILABLE"
        && set.parameters == desk.site.marks.parameters
        && tags.iter().all(|(key, value)| set.tags.get(key) == Some(value))
}

fn is_pending(status: &str) -> bool {
    status.ends_with("_PENDING") || status.ends_with("_IN_PROGRESS")
}

/// Waits until a change set is worked out.
async fn worked_out(
    desk: &Desk,
    id: &str,
    stack_id: &str,
    reporter: &Reporter<Update>,
) -> Result<ChangeSet, Problem> {
    let pace = desk.pace();
    let (mut wait, mut unseen) = (pace.first, 0);
    loop {
        match desk.stacks.change_set(desk.site.stack_name(), id).await? {
            Some(set) if !is_pending(&set.status) => {
                // Some leave it out of the answer.
                let stack_id = if set.stack_id.is_empty() {
                    stack_id.to_owned()
                } else {
                    set.stack_id.clone()
                };
                return Ok(ChangeSet { stack_id, ..set });
            }
            Some(_) => {}
            None if unseen < UNSEEN => unseen += 1,
            None => {
                return Err(Problem::new(
                    Kind::CheckFailed,
                    format!("the change set of {} is not to be seen", desk.site.stack),
                    "CloudFormation took it and does not show it",
                    "deploy again; nothing has been changed",
                ));
            }
        }
        if !reporter.sleep(wait).await {
            return Err(follow::given_up(desk.site.stack_name()));
        }
        wait = pace.after(wait);
    }
}

/// What the names of the change sets begin with that do what this run would do: made from the same template, to be
/// carried out by the same service role.
fn front_of(desk: &Desk, role_arn: Option<&str>) -> String {
    let mut hash = Sha256::new();
    hash.update(desk.site.kind.text());
    hash.update([0]);
    hash.update(role_arn.unwrap_or_default());
    let hash: String = hex::encode(hash.finalize()).chars().take(12).collect();
    format!("{OURS}{hash}-")
}
