//! Hop 2: the connection role can be assumed with the external id.
//!
//! AWS answers four causes with one denial. They are told apart by the denial's wording, where it names a policy, by what
//! the connection's stack says, and by the trust policy itself, where IAM shows it to us; what stays open is said.

use super::super::by_policy::{self, Cause};
use super::super::climb::{Climb, SESSION_NAME};
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use crate::cloud::stacks::StackDescription;
use crate::cloud::{Hop, RefusedBy, is_access_denied, parse_denial};
use crate::domain::arn::RoleArn;
use crate::domain::problem::Problem;
use crate::registry::Connection;
use async_trait::async_trait;

/// See the module.
pub(in crate::verify) struct Role;

#[async_trait]
impl Probe for Role {
    fn id(&self) -> RungId {
        RungId::Role
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Identity, RungId::Broker]
    }

    fn is_trust(&self) -> bool {
        true
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        let hop = Hop {
            role_arn: climb.role.clone(),
            external_id: Some(climb.connection.external_id.clone()),
            session_name: SESSION_NAME.to_owned(),
            region: climb.region.clone(),
        };
        let caller = climb.first().caller();
        let verdict = match climb.first().assume(&hop).await {
            Ok(session) => {
                let answer = match session.caller() {
                    Some(arn) => format!("Became {arn}"),
                    None => "Assumed".to_owned(),
                };
                // A second try of this rung finds the cell set; its session is as good.
                let _ = climb.role_session.set(session);
                by_policy::beside_a_verifier(climb, Verdict::passed(answer)).await
            }
            Err(problem) if is_access_denied(&problem) => {
                let stack = climb.own_stack().await;
                let mut verdict = denied(&problem, caller.as_deref(), &climb.role, &climb.connection, stack);
                if is_open(&verdict) {
                    let who = caller.as_deref().unwrap_or(CALLER);
                    narrow(&mut verdict, by_policy::cause(climb).await, who, &climb.role);
                }
                verdict
            }
            Err(problem) => Verdict::refused(&problem),
        };
        verdict.of(caller, "sts:AssumeRole", climb.role.as_str())
    }
}

/// Who asks, where their ARN is not known.
const CALLER: &str = "the caller";

/// Whether it is still open why the role refused us.
fn is_open(verdict: &Verdict) -> bool {
    verdict.denied && matches!(verdict.by, Some((RefusedBy::Trust | RefusedBy::Unsaid, _)))
}

/// What the role's trust policy says leaves one cause, where IAM shows it to us.
fn narrow(verdict: &mut Verdict, cause: Cause, who: &str, role: &RoleArn) {
    verdict.next = Some(match cause {
        Cause::Unread => return,
        // No waiting mends that.
        Cause::Absent(why) => {
            verdict.denied = false;
            why
        }
        Cause::Shut(why) => why,
        Cause::Open if matches!(verdict.by, Some((RefusedBy::Trust, _))) => {
            verdict.by = Some((RefusedBy::Identity, false));
            "The trust policy that IAM shows lets us in: AWS STS may not know of a change yet. Verify again in a minute"
                .to_owned()
        }
        Cause::Open => {
            verdict.by = Some((RefusedBy::Identity, false));
            format!(
                "The trust policy lets us in, so no policy of {who} allows sts:AssumeRole on {role}: allow it there"
            )
        }
    });
}

/// The causes in order of likelihood, without those that are ruled out.
fn denied(
    problem: &Problem,
    caller: Option<&str>,
    role: &RoleArn,
    connection: &Connection,
    stack: Option<&StackDescription>,
) -> Verdict {
    let who = caller.unwrap_or(CALLER);
    let by = parse_denial(&problem.why).by;
    let trust = format!("the trust policy of {role} does not name {who}, or denies it");
    let id = format!(
        "the role asks for another external ID than {}",
        connection.external_id
    );
    let own = format!("no policy of {who} allows sts:AssumeRole on {role}");
    let absent = format!("{role} does not exist, or its path or upper and lower case differ");

    let mut verdict = Verdict::refused(problem);
    // What the records themselves contradict will not mend itself by waiting.
    let settled = |mut verdict: Verdict, next: String| {
        verdict.next = Some(next);
        verdict.denied = false;
        verdict
    };
    if role.account() != connection.account_id {
        return settled(
            verdict,
            format!(
                "The role is in account {}, the connection's account is {}: give the role's ARN of the right account",
                role.account().grouped(),
                connection.account_id.grouped()
            ),
        );
    }
    let stack_id = stack.and_then(|stack| stack.parameters.get("ExternalId"));
    if let Some(theirs) = stack_id
        && theirs != connection.external_id.as_str()
    {
        return settled(
            verdict,
            format!(
                "The stack {} was made with the external ID {theirs}, the record has {}: deploy the stack again",
                connection.stack_name, connection.external_id
            ),
        );
    }
    let role_is_there =
        stack.is_some_and(|stack| stack.outputs.get("RoleArn").is_some_and(|a| a == role.as_str()));
    let mut open: Vec<String> = match by {
        RefusedBy::Identity => vec![own],
        RefusedBy::Trust => vec![trust, id],
        RefusedBy::Unsaid => vec![trust, id, own, absent],
        // The denial itself says it all.
        _ => return verdict,
    };
    let mut ruled_out = Vec::new();
    if stack_id.is_some() {
        open.retain(|cause| !cause.starts_with("the role asks for another external ID"));
        ruled_out.push("another external ID (the stack has the same)");
    }
    if role_is_there {
        open.retain(|cause| !cause.contains("does not exist"));
        ruled_out.push("a missing role (its stack has it)");
    }
    verdict.next = Some(advice(&open, &ruled_out, role));
    verdict
}

fn advice(open: &[String], ruled_out: &[&str], role: &RoleArn) -> String {
    let mut lines = match open {
        [only] => vec![format!("The cause: {only}")],
        several => {
            let mut lines = vec!["One of:".to_owned()];
            lines.extend(
                several
                    .iter()
                    .enumerate()
                    .map(|(at, cause)| format!("{}. {cause}", at + 1)),
            );
            lines
        }
    };
    if !ruled_out.is_empty() {
        lines.push(format!("Ruled out: {}", ruled_out.join("; ")));
    }
    lines.push("Look at the trust policy:".to_owned());
    lines.push(format!(
        "aws iam get-role --role-name {} --query Role.AssumeRolePolicyDocument",
        role.role_name()
    ));
    lines.join("\n")
}

#[cfg(test)]
#[path = "role_tests.rs"]
mod tests;
