//! From what the simulator says to a verdict.

use super::super::climb::{Climb, INVENTED};
use super::super::rung::Verdict;
use super::super::{culprit, mend};
use super::grants::Said;
use crate::cloud::iam::Source;
use crate::registry::Grant;

/// What must be allowed.
pub(super) fn allowed(climb: &Climb, grant: &Grant, action: &str, said: &Said) -> Verdict {
    let verdict = match said {
        Said::Allowed { .. } => Verdict::passed("Would be allowed"),
        Said::Refused { on, why, by } => {
            let next = named(climb, grant, action, by, true).unwrap_or_else(|| {
                let allow = format!("Allow {action} on {} in a policy of {}", meant(on), climb.role);
                mend::put_grant(climb, grant, &format!("{allow}. The whole policy that it needs:"))
            });
            Verdict::failed(format!("{action} would be refused on {on}: {why}"), next)
        }
        Said::Open { keys } => open(action, keys),
        Said::Nothing { on } => nothing(action, on),
    };
    verdict
        .of(Some(climb.role.to_string()), action, said.on())
        .by_policy()
}

/// What must be refused, and what to say where it is.
pub(super) fn refused(
    climb: &Climb,
    grant: &Grant,
    action: &str,
    said: &Said,
    hole: &str,
    well: &str,
) -> Verdict {
    let verdict = match said {
        Said::Allowed { by, .. } => {
            let next = named(climb, grant, action, by, false);
            Verdict::failed(
                format!("{hole}{}", words(by)),
                next.unwrap_or_else(|| mend::too_wide(climb, grant, action)),
            )
        }
        Said::Refused { .. } => Verdict::passed(well),
        Said::Open { keys } => open(action, keys),
        Said::Nothing { on } => nothing(action, on),
    };
    verdict
        .of(Some(climb.role.to_string()), action, said.on())
        .by_policy()
}

/// The policies that decided, and the commands that take them away.
fn named(climb: &Climb, grant: &Grant, action: &str, by: &[Source], denies: bool) -> Option<String> {
    let mut found = Vec::new();
    culprit::add(climb, &mut found, by.iter().cloned());
    mend::found(climb, grant, &found, action, denies)
}

fn words(by: &[Source]) -> String {
    let mut names: Vec<&str> = by.iter().map(|source| source.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        String::new()
    } else {
        format!(", by the policy {}", names.join(", "))
    }
}

/// The resource that is meant: where something invented stood for all that are like it, all of them.
fn meant(on: &str) -> String {
    match on.split_once(INVENTED) {
        Some((front, _)) => format!("{front}*"),
        None => on.to_owned(),
    }
}

fn open(action: &str, keys: &str) -> Verdict {
    Verdict::skipped(format!(
        "not proven: {action} hangs on {keys}, which only a request itself has"
    ))
}

fn nothing(action: &str, on: &str) -> Verdict {
    Verdict::skipped(format!("not proven: IAM gave no answer for {action} on {on}"))
}
