//! The ways out of a stack of ours that is stuck: each is offered, none is taken unasked.

use crate::cloud::stacks::StackDescription;
use crate::domain::problem::{Kind, Problem};
use crate::report::{Answer, Reporter};
use crate::session::Session;
use crate::stack::change::{self, Change};
use crate::stack::desk::Desk;
use crate::stack::follow::{self, Follower};
use crate::stack::state::{self, State};
use crate::stack::whose::Owner;
use crate::stack::{Target, Update, ask, attached};

/// Where a way out has led.
pub enum Out {
    /// The stack is gone, and it was agreed to make it again like this.
    Gone(Vec<Change>),
    /// The version before the failed update is live again.
    Undone(Box<StackDescription>),
}

/// Leads a stack of ours out, after a question.
///
/// # Errors
/// `CheckFailed` for a status without a way that could be offered, after a no, and when the way fails too; each says what
/// else there is.
pub async fn take(
    session: &Session,
    desk: &Desk,
    found: &StackDescription,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<Out, Problem> {
    match found.status.as_str() {
        "ROLLBACK_COMPLETE" | "CREATE_FAILED" | "ROLLBACK_FAILED" | "DELETE_FAILED" => {
            Box::pin(clear(session, desk, found, role_arn, reporter, follower)).await
        }
        "UPDATE_FAILED" | "UPDATE_ROLLBACK_FAILED" => {
            Box::pin(undo(session, desk, found, role_arn, reporter, follower)).await
        }
        _ => Err(stuck(desk, found, &Owner::Ours)),
    }
}

/// Why a stack cannot be deployed, and what its owner can do.
pub fn stuck(desk: &Desk, found: &StackDescription, owner: &Owner) -> Problem {
    let what = format!("{} cannot be deployed while it is {}", found.name, found.status);
    let target = &desk.site.target;
    let (why, own) = state::dead_end(&found.status, target).unwrap_or_else(|| {
        (
            "glueup does not know this status".to_owned(),
            "look at the stack in the CloudFormation console".to_owned(),
        )
    });
    match owner {
        Owner::Ours => Problem::new(Kind::CheckFailed, what, why, own),
        Owner::Earlier { .. } => Problem::new(
            Kind::CheckFailed,
            what,
            format!("{why}; it was {}", owner.whose()),
            format!(
                "if nobody needs it: {} deletes it, after a question that says whose it may be",
                target.delete_command()
            ),
        ),
        Owner::Another { .. } | Owner::Unmarked => Problem::new(
            Kind::CheckFailed,
            what,
            format!("{why}; the stack was {}", owner.whose()),
            "give the record another name, or let its owner mend or delete the stack",
        ),
    }
}

/// Deletes what is left, so that it can be made again.
async fn clear(
    session: &Session,
    desk: &Desk,
    found: &StackDescription,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<Out, Problem> {
    let left = follow::left_in(&desk.stacks.events(&found.id).await?);
    if matches!(desk.site.target, Target::Connection(_)) && !left.is_empty() {
        attached::refuse(session, desk, found, reporter).await?;
    }
    let cause = follower.cause(&found.id).await;
    let agreed = change::of_new(&desk.site)?;
    let question = ask::clear(&desk.site, &found.status, cause.as_ref(), &left, &agreed);
    if reporter.ask(question).await == Answer::No {
        return Err(with_way(
            desk,
            &found.status,
            follow::failed(&found.name, &found.status, cause.as_ref()),
        ));
    }
    follower.skip_past(&found.id).await?;
    desk.delete(session, &desk.stacks, &found.id, role_arn).await?;
    follower
        .until_begun(&found.id, follow::left(&found.status))
        .await?;
    match follower.until_rest(&found.id).await? {
        None => Ok(Out::Gone(agreed)),
        Some(rest) => {
            let cause = follower.cause(&rest.id).await;
            Err(with_way(
                desk,
                &rest.status,
                follow::failed(&rest.name, &rest.status, cause.as_ref()),
            ))
        }
    }
}

/// Takes back an update that has failed, or tries that once more.
async fn undo(
    session: &Session,
    desk: &Desk,
    found: &StackDescription,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<Out, Problem> {
    let cause = follower.cause(&found.id).await;
    let again = found.status == "UPDATE_ROLLBACK_FAILED";
    if reporter.ask(ask::undo(&desk.site, again, cause.as_ref())).await == Answer::No {
        return Err(with_way(
            desk,
            &found.status,
            follow::failed(&found.name, &found.status, cause.as_ref()),
        ));
    }
    follower.skip_past(&found.id).await?;
    let (role, token) = (role_arn.map(ToOwned::to_owned), Some(desk.token()?));
    if again {
        let work = desk.stacks.continue_rollback(&found.id, role, token);
        desk.ledgered(session, "cloudformation:ContinueUpdateRollback", &found.id, work)
            .await?;
    } else {
        let work = desk.stacks.roll_back(&found.id, role, token);
        desk.ledgered(session, "cloudformation:RollbackStack", &found.id, work)
            .await?;
    }
    follower
        .until_begun(&found.id, follow::left(&found.status))
        .await?;
    match follower.until_rest(&found.id).await? {
        Some(rest) if State::of(&rest.status) == State::UpdateUndone => Ok(Out::Undone(Box::new(rest))),
        Some(rest) => {
            let cause = follower.cause(&rest.id).await;
            let mut failure = with_way(
                desk,
                &rest.status,
                follow::failed(&rest.name, &rest.status, cause.as_ref()),
            );
            if let Some(cause) = cause.filter(|_| rest.status == "UPDATE_ROLLBACK_FAILED") {
                // Taken for what it should be, whatever it is: nothing that is offered by a single key.
                failure.next = format!(
                    "{}; what can never be put back is left out by aws cloudformation continue-update-rollback \
                     --stack-name {} --region {} --resources-to-skip {}",
                    failure.next, rest.name, desk.region, cause.logical_id
                );
            }
            Err(failure)
        }
        None => Err(follow::failed(&found.name, "deleted meanwhile", None)),
    }
}

/// A failure, with the way out behind what mends its cause.
fn with_way(desk: &Desk, status: &str, failure: Problem) -> Problem {
    match state::dead_end(status, &desk.site.target) {
        Some((_, way)) => Problem {
            next: format!("{}; {way}", failure.next),
            ..failure
        },
        None => failure,
    }
}
