//! A trust policy that names a principal which was made seconds ago: IAM refuses it until it has heard of the principal
//! everywhere. So it is tried again for a while, with what the refused try has left out of the way.

use crate::cloud::stacks::StackDescription;
use crate::domain::arn::PrincipalArn;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::{operand, option};
use crate::domain::text::scrub;
use crate::report::Reporter;
use crate::session::Session;
use crate::stack::Update;
use crate::stack::carry::Failure;
use crate::stack::desk::Desk;
use crate::stack::follow::{self, Follower};
use crate::stack::state::State;
use crate::stack::whose::{self, Owner};
use std::time::{Duration, Instant};

/// As long it is tried, counted from the first refusal.
pub const LONGEST: Duration = Duration::from_secs(60);
/// Between two tries.
const PAUSE: Duration = Duration::from_secs(5);

/// The tries of one deployment.
pub struct Again<'a> {
    desk: &'a Desk,
    reporter: &'a Reporter<Update>,
    /// When IAM refused for the first time, and until when it is tried again.
    first: Option<(Instant, Instant)>,
}

impl<'a> Again<'a> {
    /// Nothing has been refused yet.
    pub fn new(desk: &'a Desk, reporter: &'a Reporter<Update>) -> Self {
        Self {
            desk,
            reporter,
            first: None,
        }
    }

    /// After the making of a stack has failed: clears it away and waits, where another try may do.
    ///
    /// It is deleted only where it was made by this very deployment, is ours, and holds nothing. The question before has said
    /// so: [`crate::stack::ask`].
    ///
    /// # Errors
    /// The failure, where it is another one or the stack cannot be cleared away; that the principal does not exist, once it
    /// was tried for long enough; `Interrupted` when the person gives up.
    pub async fn after_create(
        &mut self,
        session: &Session,
        failure: Failure,
        follower: &mut Follower<'_>,
    ) -> Result<(), Problem> {
        let Some(principal) = unknown(&failure.problem) else {
            return Err(failure.problem);
        };
        let Some(stack) = &failure.stack else {
            return Err(failure.problem);
        };
        if !Box::pin(self.cleared(session, stack, follower)).await {
            return Err(failure.problem);
        }
        self.wait(&principal, failure.problem).await
    }

    /// After the update of a stack has failed and was undone: waits, where another try may do. The stack as it rests now.
    ///
    /// # Errors
    /// As [`Again::after_create`].
    pub async fn after_update(&mut self, failure: Failure) -> Result<StackDescription, Problem> {
        let undone = failure
            .stack
            .filter(|stack| State::of(&stack.status) == State::UpdateUndone);
        let (Some(principal), Some(stack)) = (unknown(&failure.problem), undone) else {
            return Err(failure.problem);
        };
        self.wait(&principal, failure.problem).await?;
        Ok(*stack)
    }

    /// Deletes what a refused try has left; false where it is not to be deleted, or could not be.
    async fn cleared(
        &self,
        session: &Session,
        stack: &StackDescription,
        follower: &mut Follower<'_>,
    ) -> bool {
        let desk = self.desk;
        let ours = whose::owner(&stack.tags, &stack.parameters, &desk.site.marks) == Owner::Ours;
        if stack.status != "ROLLBACK_COMPLETE" || !ours {
            return false;
        }
        let events = desk.stacks.events(&stack.id).await;
        if !events.is_ok_and(|events| follow::left_in(&events).is_empty()) {
            return false;
        }
        let deleted = desk.delete(session, &desk.stacks, &stack.id, None).await;
        deleted.is_ok()
            && follower
                .until_begun(&stack.id, follow::left(&stack.status))
                .await
                .is_ok()
            && matches!(follower.until_rest(&stack.id).await, Ok(None))
    }

    async fn wait(&mut self, principal: &str, failure: Problem) -> Result<(), Problem> {
        let (since, end) = match self.first {
            Some(known) => known,
            None => {
                let spreads = self.desk.aws.iam_spreading().await.min(LONGEST);
                let now = Instant::now();
                *self.first.insert((now, now.checked_add(spreads).unwrap_or(now)))
            }
        };
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || self.is_elsewhere(principal) {
            return Err(self.absent(principal, since.elapsed(), &failure));
        }
        self.reporter
            .tell(Update::Note(format!(
                "IAM does not know {principal} yet, which may have been made a moment ago: tried again for {} s",
                left.as_secs().max(1)
            )))
            .await;
        for second in 0..PAUSE.min(left).as_secs().max(1) {
            self.reporter
                .tell(Update::Again {
                    principal: principal.to_owned(),
                    seconds: PAUSE.min(left).as_secs().max(1) - second,
                })
                .await;
            if !self.reporter.sleep(Duration::from_secs(1)).await {
                return Err(Problem::new(
                    Kind::Interrupted,
                    "not deployed",
                    format!(
                        "stopped while it was waited for IAM to know {principal}; nothing of the try is left"
                    ),
                    "deploy again when it is right",
                ));
            }
        }
        Ok(())
    }

    /// No waiting brings a principal into another partition.
    fn is_elsewhere(&self, principal: &str) -> bool {
        let named = principal.parse::<PrincipalArn>();
        named.is_ok_and(|named| named.partition() != self.desk.region.partition())
    }

    fn absent(&self, principal: &str, tried: Duration, failure: &Problem) -> Problem {
        let connection = &self.desk.site.connection;
        let named = |given: &str| given == principal;
        let flag = if connection
            .broker_role_arn
            .as_ref()
            .is_some_and(|arn| named(arn.as_str()))
        {
            "--broker-role"
        } else if connection
            .verifier
            .as_ref()
            .is_some_and(|arn| named(arn.as_str()))
        {
            "--verifier"
        } else {
            "--trust"
        };
        let name = scrub(connection.name.as_str());
        let why = match tried.as_secs() {
            0 => failure.why.clone(),
            seconds => format!("tried for {seconds} s: {}", failure.why),
        };
        Problem::new(
            Kind::CheckFailed,
            format!("the principal {principal} does not exist or is in another partition"),
            why,
            "",
        )
        .with_steps(&format!(
                "correct who may assume the role, and deploy again:\nglueup connection set {}\nglueup deploy connection {}",
                operand(&name, &option(flag, "ARN")),
                operand(&name, "")
            ))
    }
}

/// The principal of a trust policy that IAM does not know, where that is why a stack failed.
fn unknown(failure: &Problem) -> Option<String> {
    const WORDS: &str = "Invalid principal in policy: \"AWS\":\"";
    let (_, rest) = failure.why.split_once(WORDS)?;
    let (principal, _) = rest.split_once('"')?;
    (!principal.is_empty()).then(|| principal.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_principal_is_read_from_the_reason() {
        let failed = |why: &str| Problem::new(Kind::CheckFailed, "x", why, "");
        let why = "ConnectionRole (AWS::IAM::Role) failed first: Resource handler returned message: \"Invalid principal in \
                   policy: \"AWS\":\"arn:aws:iam::012345678901:role/new\" (Service: Iam, Status Code: 400)\"";
        assert_eq!(
            unknown(&failed(why)).as_deref(),
            Some("arn:aws:iam::012345678901:role/new")
        );
        for other in [
            "",
            "Invalid principal in policy: \"AWS\":\"\"",
            "Invalid principal in policy: \"SERVICE\":\"x.amazonaws.com\"",
        ] {
            assert_eq!(unknown(&failed(other)), None, "{other}");
        }
    }
}
