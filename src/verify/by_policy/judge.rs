//! From what the simulator says to a verdict.

use super::super::climb::{Climb, INVENTED};
use super::super::mend;
use super::super::place::{Asked, Place};
use super::super::rung::Verdict;
use super::said::{Refuser, Said};
use crate::cloud::iam::{Obstacle, Source};
use crate::cloud::{RefusedBy, remedy_for_denial};
use crate::domain::problem::Detail;
use crate::domain::status::Status;
use crate::registry::Grant;

/// What must be allowed.
pub(super) fn allowed(climb: &Climb, action: &'static str, place: &Place, said: &Said) -> Verdict {
    let verdict = match said {
        Said::Allowed { keys, .. } if keys.is_empty() => Verdict::passed("Would be allowed"),
        Said::Allowed { keys, .. } => Verdict::passed(format!(
            "Would be allowed, as far as {keys} of a request does not keep it out"
        )),
        Said::Refused { on, why, .. } => lacking(climb, action, on, *why),
        Said::Open { keys } => open(action, keys),
        Said::Nothing { on } => nothing(action, on),
        Said::Unshown { own, why } => return unshown(climb, allowed(climb, action, place, own), why),
    };
    settled(climb, verdict, action, place, said)
}

/// The words for a bucket's policy that might say otherwise.
pub(super) const UNSHOWN: &str = "as far as the role's own policies go; ";

/// What nobody showed: through an access point both policies count.
pub(super) fn unseen(grant: &Grant) -> &'static str {
    match grant.s3_path.point() {
        None => "the bucket's policy was not shown",
        Some(_) => "the policy of the access point, or of its bucket, was not shown",
    }
}

/// What the role's own policies say well proves nothing where the bucket's policy was not shown.
fn unshown(climb: &Climb, verdict: Verdict, why: &str) -> Verdict {
    if verdict.status != Status::Passed {
        return verdict;
    }
    let answer = verdict.answer.replacen("Would", "would", 1);
    let unseen = climb.grant.as_ref().map_or("", unseen);
    Verdict {
        status: Status::Skipped,
        answer: format!("not proven: {answer}, {UNSHOWN}{unseen} ({why})"),
        ..verdict
    }
}

/// What must be refused, and what to say where it is.
pub(super) fn refused(
    climb: &Climb,
    grant: &Grant,
    action: &'static str,
    place: &Place,
    said: &Said,
    (hole, well): (&str, &str),
) -> Verdict {
    let verdict = match said {
        Said::Allowed { bucket: true, .. } => Verdict::hole(
            match place.is_through_point(climb) {
                false => format!("{hole}, by the policy of the bucket"),
                true => format!("{hole}, by the policies of the access point and its bucket"),
            },
            mend::of_bucket(&grant.s3_path),
        ),
        Said::Allowed { by, .. } => Verdict::hole(
            format!("{hole}{}", words(by)),
            mend::too_wide(climb, grant, action, place),
        ),
        Said::Refused { .. } => Verdict::passed(well),
        Said::Open { keys } => open(action, keys),
        Said::Nothing { on } => nothing(action, on),
        Said::Unshown { own, why } => {
            return unshown(
                climb,
                refused(climb, grant, action, place, own, (hole, well)),
                why,
            );
        }
    };
    settled(climb, verdict, action, place, said)
}

/// The verdict, with what was asked and the policies that decided.
fn settled(climb: &Climb, verdict: Verdict, action: &'static str, place: &Place, said: &Said) -> Verdict {
    let role = Some(climb.role.to_string());
    let mut verdict = verdict
        .of(role.clone(), action, said.on())
        .at(climb, role, action, place.clone())
        .by_policy();
    if let (Said::Allowed { by, .. } | Said::Refused { by, .. }, Some(asked)) =
        (said, verdict.asked.first_mut())
    {
        *asked = Asked {
            by: by.clone(),
            ..asked.clone()
        };
    }
    verdict
}

/// What is refused, and what to do about it: whoever refuses is told in the words of a denial.
fn lacking(climb: &Climb, action: &'static str, on: &str, why: Refuser) -> Verdict {
    if why == Refuser::NoAccessPoint {
        let next = climb
            .grant
            .as_ref()
            .map(|grant| mend::no_point(&grant.s3_path, &grant.holder));
        return Verdict::failed(
            format!("{action} would find nothing at {on}: there is no such access point (NoSuchAccessPoint)"),
            next.unwrap_or_default(),
        );
    }
    let (words, by, explicit) = match why {
        Refuser::Principal(Obstacle::Denied) => ("a policy denies it", RefusedBy::Identity, true),
        Refuser::Principal(Obstacle::Organization) => (
            "a policy of the AWS organization does not allow it",
            RefusedBy::Scp,
            false,
        ),
        Refuser::Principal(Obstacle::Boundary) => (
            "the role's permissions boundary does not allow it",
            RefusedBy::Boundary,
            false,
        ),
        Refuser::Bucket => ("the bucket's policy denies it", RefusedBy::Resource, true),
        Refuser::AccessPoint => ("the access point's policy denies it", RefusedBy::Resource, true),
        Refuser::NoAccessPoint => ("there is no such access point", RefusedBy::Resource, false),
        Refuser::Principal(Obstacle::Lacking) => {
            ("no policy of the role allows it", RefusedBy::Identity, false)
        }
    };
    let detail = Detail {
        caller: Some(climb.role.to_string()),
        resource: Some(meant(on)),
        ..Detail::default()
    };
    let next = remedy_for_denial(by, explicit, action, &detail, "");
    Verdict {
        denied: true,
        by: Some((by, explicit)),
        ..Verdict::failed(format!("{action} would be refused on {on}: {words}"), next)
    }
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
