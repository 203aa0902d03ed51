//! Watching for a stack that is made elsewhere, in the browser or by another team, for as long as that takes.

use crate::cloud::stacks::StackDescription;
use crate::domain::problem::Problem;
use crate::domain::text::capital;
use crate::report::Reporter;
use crate::session::Session;
use crate::stack::desk::Desk;
use crate::stack::follow::{self, Follower, Seen};
use crate::stack::site::Site;
use crate::stack::state::{self, State};
use crate::stack::whose::{self, Owner};
use crate::stack::{Outcome, Target, Update, adopt, boundary, earlier, outdated, refusal};

/// Waits until the target's stack is complete and reads its outputs into the record.
///
/// That there is no such stack yet is no failure: a security team may take hours.
///
/// # Errors
/// When the stack fails, is stuck, or grants something else than the record asks for.
pub async fn run(
    session: &Session,
    target: &Target,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let site = Site::of(session, target)?;
    site.check_not_adopted()?;
    let desk = Desk::at(session, site, reporter).await?;
    let pace = desk.patient_pace();
    let mut follower = Follower::new(&desk.stacks, reporter, pace);
    let mut wait = pace.first;
    let mut said = None;
    loop {
        let seen = follower.forgiving(desk.site.stack_name()).await?;
        let here = matches!(seen, Seen::Stack(Some(_)));
        if let Seen::Stack(Some(stack)) = seen
            && let Some(done) = judge(&desk, &follower, *stack, &mut said)
                .await
                .map_err(|problem| boundary::explained(&desk.site, problem))?
        {
            if let Owner::Earlier { record } = whose::owner(&done.tags, &done.parameters, &desk.site.marks) {
                reporter
                    .tell(Update::Note(earlier::used(&desk.site, &record)))
                    .await;
            }
            adopt::outputs(session, &desk, &done, reporter).await?;
            return Ok(Outcome::Deployed(follow::told(&done)));
        }
        if !reporter.sleep(wait).await {
            return Err(follow::given_up(desk.site.stack_name()));
        }
        // While something happens every step is of interest; while nothing does, AWS is not to be bothered.
        wait = if here { pace.first } else { pace.after(wait) };
    }
}

/// The stack when it is what was waited for; `None` while it is on its way.
async fn judge(
    desk: &Desk,
    follower: &Follower<'_>,
    stack: StackDescription,
    said: &mut Option<String>,
) -> Result<Option<StackDescription>, Problem> {
    let state = State::of(&stack.status);
    // In review a change set waits for somebody to execute it: the stack has no parameters yet.
    if matches!(state, State::Deleting | State::Gone | State::Review) {
        return Ok(None);
    }
    let owner = whose::owner(&stack.tags, &stack.parameters, &desk.site.marks);
    // Made for what the record asked for before: whoever brings it up to date, that is what is waited for.
    let outdated = outdated::told(&stack.parameters, &desk.site)
        .filter(|_| owner == Owner::Ours && outdated::is_expected(&desk.site));
    let rests_or_moves = !matches!(state, State::CreateUndone | State::Stuck);
    if let Some(line) = outdated.clone().filter(|_| rests_or_moves) {
        if said.as_ref() != Some(&line) {
            follower
                .note(format!(
                    "{}: deploying from here brings it to that",
                    capital(&line)
                ))
                .await;
            *said = Some(line);
        }
        return Ok(None);
    }
    // At first sight and not only at the end: nobody should wait for a stack that will not fit. One of ours that has failed
    // says so before that.
    let differences = whose::differences(&stack.parameters, &desk.site.marks, desk.site.identity());
    if !differences.is_empty() && outdated.is_none() && (rests_or_moves || owner != Owner::Ours) {
        return Err(match &owner {
            Owner::Earlier { record } => earlier::found(&desk.site, record, &differences),
            _ => refusal::not_ours(&stack.name, &owner, &differences),
        });
    }
    match state {
        State::Complete | State::UpdateUndone => Ok(Some(stack)),
        State::Working | State::Undoing | State::Unknown => Ok(None),
        State::CreateUndone | State::Stuck | State::Deleting | State::Gone | State::Review => {
            let cause = follower.cause(&stack.id).await;
            let mut problem = follow::failed(&stack.name, &stack.status, cause.as_ref());
            if let Some((_, way)) = state::dead_end(&stack.status, &desk.site.target) {
                problem.next = format!("{}; {way}", problem.next);
            }
            Err(problem)
        }
    }
}
