//! From what the simulator says to a verdict.

use super::super::climb::{Climb, INVENTED};
use super::super::mend;
use super::super::rung::Verdict;
use super::grants::Said;
use crate::registry::Grant;

/// What must be allowed.
pub(super) fn allowed(climb: &Climb, grant: &Grant, action: &str, said: &Said) -> Verdict {
    let verdict = match said {
        Said::Allowed { .. } => Verdict::passed("Would be allowed"),
        Said::Refused { on, why } => {
            let mut next = format!("Allow {action} on {} in a policy of {}", meant(on), climb.role);
            if climb.connection.adopted {
                next = format!(
                    "{next}\nThe whole policy that the role needs for it, for whoever keeps the role:\n{}",
                    mend::show_grant(grant)
                );
            }
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
            let by = if by.is_empty() {
                String::new()
            } else {
                format!(", by the policy {by}")
            };
            Verdict::failed(format!("{hole}{by}"), mend::too_wide(climb, grant, action))
        }
        Said::Refused { .. } => Verdict::passed(well),
        Said::Open { keys } => open(action, keys),
        Said::Nothing { on } => nothing(action, on),
    };
    verdict
        .of(Some(climb.role.to_string()), action, said.on())
        .by_policy()
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
