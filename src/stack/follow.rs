//! Following a stack while CloudFormation works on it: new events and changes of status are told, once each.

use crate::cloud::stacks::{self, StackDescription, Stacks};
use crate::domain::moment::Moment;
use crate::domain::problem::{Kind, Problem};
use crate::report::Reporter;
use crate::stack::cause::{self, Cause};
use crate::stack::state::State;
use crate::stack::{StackEvent, StackState, Update};
use std::collections::HashSet;
use std::time::Duration;

/// Failures in a row to reach CloudFormation after which following ends.
const PATIENCE: u32 = 6;
/// Looks at a stack that still looks as before.
const UNSEEN: u32 = 20;

/// How often CloudFormation is asked.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// The first wait.
    pub first: Duration,
    /// The longest wait.
    pub longest: Duration,
}

impl Pace {
    /// About a second for AWS, which throttles; a fraction of it for a server on this machine.
    pub fn of(loopback: bool) -> Self {
        let (first, longest) = if loopback { (150, 300) } else { (1000, 1000) };
        Self {
            first: Duration::from_millis(first),
            longest: Duration::from_millis(longest),
        }
    }

    /// For what may take hours: up to five seconds, half a second on this machine.
    pub fn patient(loopback: bool) -> Self {
        let longest = if loopback { 500 } else { 5000 };
        Self {
            longest: Duration::from_millis(longest),
            ..Self::of(loopback)
        }
    }

    /// The wait after `now`: half as long again, up to the longest.
    pub fn after(self, now: Duration) -> Duration {
        (now + now / 2).min(self.longest)
    }
}

/// Follows one stack.
pub struct Follower<'a> {
    stacks: &'a Stacks,
    reporter: &'a Reporter<Update>,
    pace: Pace,
    seen: HashSet<String>,
    events: Vec<StackEvent>,
    status: Option<String>,
    said_absent: bool,
    misses: u32,
}

impl<'a> Follower<'a> {
    /// A follower that has seen nothing yet.
    pub fn new(stacks: &'a Stacks, reporter: &'a Reporter<Update>, pace: Pace) -> Self {
        Self {
            stacks,
            reporter,
            pace,
            seen: HashSet::new(),
            events: Vec::new(),
            status: None,
            said_absent: false,
            misses: 0,
        }
    }

    /// Tells something that is no event.
    pub async fn note(&self, line: String) {
        self.reporter.tell(Update::Note(line)).await;
    }

    /// Takes what has happened to a stack so far as known, so that only what comes next is told.
    ///
    /// # Errors
    /// As CloudFormation answers.
    pub async fn skip_past(&mut self, id: &str) -> Result<(), Problem> {
        self.seen
            .extend(self.stacks.events(id).await?.into_iter().map(|event| event.id));
        Ok(())
    }

    /// Asks once and tells what is new. `None`: there is no such stack.
    ///
    /// A failure to reach CloudFormation is forgiven a few times in a row; the caller sees it as `Err` only then.
    ///
    /// # Errors
    /// As CloudFormation answers.
    pub async fn look(&mut self, id: &str) -> Result<Option<StackDescription>, Problem> {
        let found = self.stacks.describe(id).await?;
        let Some(stack) = found else {
            self.status = None;
            if !std::mem::replace(&mut self.said_absent, true) {
                self.reporter.tell(Update::NotThere).await;
            }
            return Ok(None);
        };
        self.said_absent = false;
        // The status first, the events after it: once the status is final, its events are complete.
        let events = match self.stacks.events(&stack.id).await {
            Ok(events) => events,
            // Deleted between the two calls: the next look will see it.
            Err(problem) if problem.kind == Kind::NotFound => Vec::new(),
            Err(problem) => return Err(problem),
        };
        let mut fresh: Vec<StackEvent> = events
            .into_iter()
            .filter(|event| !self.seen.contains(&event.id))
            .filter_map(told_event)
            .collect();
        fresh.reverse();
        for event in fresh {
            self.seen.insert(event.id.clone());
            self.events.push(event.clone());
            self.reporter.tell(Update::Event(event)).await;
        }
        if self.status.as_deref() != Some(stack.status.as_str()) {
            self.status = Some(stack.status.clone());
            self.reporter.tell(Update::Status(stack.status.clone())).await;
        }
        Ok(Some(stack))
    }

    /// Waits until a stack that was told to do something shows it: for a moment it may look as before, and that is at rest.
    ///
    /// # Errors
    /// When the person gives up. What CloudFormation answers, whoever follows it will see.
    pub async fn until_begun(
        &self,
        id: &str,
        begun: impl Fn(&StackDescription) -> bool,
    ) -> Result<(), Problem> {
        for _ in 0..UNSEEN {
            match self.stacks.describe(id).await {
                Ok(Some(stack)) if !begun(&stack) => {}
                _ => return Ok(()),
            }
            if !self.reporter.sleep(self.pace.first).await {
                return Err(given_up(id));
            }
        }
        Ok(())
    }

    /// Asks again and again until the stack rests. `None`: it is gone.
    ///
    /// # Errors
    /// When CloudFormation cannot be reached for long, or the person gives up ([`Kind::Interrupted`]; the stack goes on).
    pub async fn until_rest(&mut self, id: &str) -> Result<Option<StackDescription>, Problem> {
        let mut wait = self.pace.first;
        loop {
            match self.forgiving(id).await? {
                Seen::Unreachable => {}
                Seen::Stack(None) => return Ok(None),
                Seen::Stack(Some(stack)) => match State::of(&stack.status) {
                    State::Gone => return Ok(None),
                    state if state.moves() => {}
                    _ => return Ok(Some(*stack)),
                },
            }
            if !self.reporter.sleep(wait).await {
                return Err(given_up(id));
            }
            wait = self.pace.after(wait);
        }
    }

    /// [`Follower::look`], with a few failures to reach CloudFormation in a row forgiven.
    ///
    /// # Errors
    /// As CloudFormation answers, once patience has ended.
    pub async fn forgiving(&mut self, id: &str) -> Result<Seen, Problem> {
        match self.look(id).await {
            Ok(found) => {
                self.misses = 0;
                Ok(Seen::Stack(found.map(Box::new)))
            }
            Err(problem) if problem.kind == Kind::Unreachable && self.misses < PATIENCE => {
                self.misses += 1;
                Ok(Seen::Unreachable)
            }
            Err(problem) => Err(problem),
        }
    }

    /// Why the stack failed, by the events that have been seen; asks for all of them when they do not tell.
    pub async fn cause(&self, id: &str) -> Option<Cause> {
        if let Some(cause) = cause::root_cause(&self.events) {
            return Some(cause);
        }
        // The status is the news; that its reason cannot be read as well must not hide it.
        let events = self.stacks.events(id).await.ok()?;
        cause::root_cause(&events.into_iter().filter_map(told_event).collect::<Vec<_>>())
    }
}

/// Whether a stack that is told to do something has begun: its status is not `was` any more.
pub fn left(was: &str) -> impl Fn(&StackDescription) -> bool {
    move |stack| stack.status != was
}

/// What one forgiving look saw.
#[derive(Debug)]
pub enum Seen {
    /// The stack, if there is one.
    Stack(Option<Box<StackDescription>>),
    /// CloudFormation could not be reached this time.
    Unreachable,
}

/// The person stopped following; what CloudFormation was told to do, it still does.
pub fn given_up(stack: &str) -> Problem {
    Problem::new(
        Kind::Interrupted,
        format!("stopped watching {stack}"),
        "what CloudFormation has begun goes on without us",
        "watch it again, or look at it in the CloudFormation console",
    )
}

/// The failure of a stack as a problem: the cause first, and what mends it.
pub fn failed(stack: &str, status: &str, cause: Option<&Cause>) -> Problem {
    match cause {
        Some(cause) => Problem::new(
            Kind::CheckFailed,
            format!("{stack}: {status}"),
            format!(
                "{} ({}) failed first: {}",
                cause.logical_id, cause.resource_type, cause.reason
            ),
            &cause.mend,
        ),
        None => Problem::new(
            Kind::CheckFailed,
            format!("{stack}: {status}"),
            "CloudFormation gives no reason in its events",
            "look at the stack's events in the CloudFormation console",
        ),
    }
}

/// A description as it is told.
pub fn told(stack: &StackDescription) -> StackState {
    StackState {
        name: stack.name.clone(),
        id: stack.id.clone(),
        status: stack.status.clone(),
        outputs: stack.outputs.clone(),
        changes: Vec::new(),
    }
}

/// An event as it is told. CloudFormation gives every event a time; one without is none.
fn told_event(event: stacks::StackEvent) -> Option<StackEvent> {
    Some(StackEvent {
        id: event.id,
        at: event.at?,
        logical_id: event.logical_id,
        resource_type: event.resource_type,
        status: event.status,
        reason: event.reason,
    })
}

/// When a stack was last changed; now, if CloudFormation does not say.
pub fn changed(stack: &StackDescription) -> Moment {
    stack.last_change().unwrap_or_else(now)
}

/// The present.
pub fn now() -> Moment {
    Moment::from(time::OffsetDateTime::now_utc())
}

/// The resources that are still there, by events with the newest first: the last word on each is not that it is gone,
/// nor that it was never made.
pub fn left_in(events: &[stacks::StackEvent]) -> Vec<String> {
    let mut decided = HashSet::new();
    let mut left = Vec::new();
    for event in events
        .iter()
        .filter(|e| e.resource_type != "AWS::CloudFormation::Stack")
    {
        if !decided.insert(event.logical_id.as_str()) {
            continue;
        }
        // A create that failed leaves nothing, unless the resource had got its name in AWS before.
        let gone = event.status == "DELETE_COMPLETE"
            || (event.status == "CREATE_FAILED" && event.physical_id.as_deref().unwrap_or("").is_empty());
        if !gone {
            left.push(format!("{} ({})", event.logical_id, event.status));
        }
    }
    left
}

/// The resources whose deletion has failed, by events with the newest first.
pub fn stuck_in(events: &[stacks::StackEvent]) -> Vec<String> {
    let mut decided = HashSet::new();
    let resources = events
        .iter()
        .filter(|e| e.resource_type != "AWS::CloudFormation::Stack");
    resources
        .filter(|event| decided.insert(event.logical_id.as_str()) && event.status == "DELETE_FAILED")
        .map(|event| event.logical_id.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(logical: &str, status: &str, physical: Option<&str>) -> stacks::StackEvent {
        stacks::StackEvent {
            id: String::new(),
            at: None,
            logical_id: logical.to_owned(),
            physical_id: physical.map(ToOwned::to_owned),
            resource_type: "AWS::IAM::Role".to_owned(),
            status: status.to_owned(),
            reason: None,
        }
    }

    #[test]
    fn only_what_was_made_and_not_deleted_is_left() {
        let events = [
            event("Gone", "DELETE_COMPLETE", Some("role-1")),
            event("Kept", "DELETE_FAILED", Some("role-2")),
            event("Never", "CREATE_FAILED", None),
            event("Gone", "CREATE_COMPLETE", Some("role-1")),
            event("Kept", "CREATE_COMPLETE", Some("role-2")),
        ];
        assert_eq!(left_in(&events), ["Kept (DELETE_FAILED)"]);
        assert_eq!(stuck_in(&events), ["Kept"]);
    }

    #[test]
    fn the_wait_grows_up_to_its_bound() {
        let pace = Pace::patient(false);
        let mut wait = pace.first;
        for _ in 0..10 {
            wait = pace.after(wait);
        }
        assert_eq!(wait, Duration::from_secs(5));
        assert_eq!(
            Pace::of(false).after(Duration::from_secs(1)),
            Duration::from_secs(1)
        );
    }
}
