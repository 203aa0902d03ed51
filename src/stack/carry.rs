//! From the yes to the end of a stack: what was agreed to is carried out, and what was not leaves nothing.

use crate::cloud::stacks::StackDescription;
use crate::domain::problem::{Kind, Problem};
use crate::report::{Answer, Ask, Reporter};
use crate::session::Session;
use crate::stack::Update;
use crate::stack::change::Change;
use crate::stack::change_set::{self, Ready};
use crate::stack::desk::Desk;
use crate::stack::follow::{self, Follower};
use crate::stack::state::State;

/// After a no before anything was written.
pub const UNTOUCHED: &str = "nothing has been changed";
/// After a no to a change set.
const REMOVED: &str = "its change set is removed again, and nothing of it has been done";

/// A stack that was brought to its end, and what was done to its resources.
pub struct Done {
    /// The stack.
    pub stack: StackDescription,
    /// What was done.
    pub changes: Vec<Change>,
}

/// Why a stack did not come to a good end, and how it rests then, where it was seen to rest.
pub struct Failure {
    /// Why.
    pub problem: Problem,
    /// The stack that this very deployment worked on.
    pub stack: Option<Box<StackDescription>>,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self { problem, stack: None }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        failure.problem
    }
}

/// Asks about a change set; after a no it is removed.
///
/// # Errors
/// `Interrupted` after a no.
pub async fn agree(
    session: &Session,
    desk: &Desk,
    ready: &Ready,
    question: Ask,
    reporter: &Reporter<Update>,
) -> Result<(), Problem> {
    let agreed = consent(reporter, question, REMOVED).await;
    if agreed.is_err() {
        change_set::discard(session, desk, ready, reporter).await;
    }
    agreed
}

/// Executes a change set and follows its stack to the end. `was`: the stack before, where there was one.
///
/// # Errors
/// As [`change_set::execute`] and [`finish`].
pub async fn carry_out(
    session: &Session,
    desk: &Desk,
    ready: Ready,
    was: Option<&StackDescription>,
    follower: &mut Follower<'_>,
) -> Result<Done, Failure> {
    change_set::execute(session, desk, &ready).await?;
    let id = &ready.stack_id;
    let begun = |stack: &StackDescription| match was {
        None => State::of(&stack.status) != State::Review,
        Some(was) => stack.status != was.status || stack.updated != was.updated,
    };
    follower.until_begun(id, begun).await?;
    let stack = finish(follower, desk.site.stack_name(), id).await?;
    Ok(Done {
        stack,
        changes: ready.changes,
    })
}

/// Follows a stack to its end; anything but complete is a failure.
///
/// # Errors
/// As the stack fails, with the cause first; as [`Follower::until_rest`].
pub async fn finish(follower: &mut Follower<'_>, name: &str, id: &str) -> Result<StackDescription, Failure> {
    match follower.until_rest(id).await? {
        Some(stack) if State::of(&stack.status) == State::Complete => Ok(stack),
        Some(stack) => {
            let cause = follower.cause(&stack.id).await;
            Err(Failure {
                problem: follow::failed(name, &stack.status, cause.as_ref()),
                stack: Some(Box::new(stack)),
            })
        }
        None => {
            let cause = follower.cause(id).await;
            Err(follow::failed(name, "deleted meanwhile", cause.as_ref()).into())
        }
    }
}

/// Puts a question. A no ends the work, and `then` says what that leaves.
///
/// # Errors
/// `Interrupted` after a no.
pub async fn consent(reporter: &Reporter<Update>, ask: Ask, then: &str) -> Result<(), Problem> {
    match reporter.ask(ask).await {
        Answer::Yes => Ok(()),
        Answer::No => Err(Problem::new(
            Kind::Interrupted,
            "not deployed",
            format!("the question was not answered with yes; {then}"),
            "deploy again when it is right",
        )),
    }
}
