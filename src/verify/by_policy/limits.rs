//! The rungs that show how far the role reaches, as the simulator sees them.

use super::super::asks::{self, Ask, WRITES};
use super::super::climb::Climb;
use super::super::mend;
use super::super::place::Place;
use super::super::report::RungId;
use super::super::rung::Verdict;
use super::super::tries::{Basics, Part};
use super::grants::{Grants, inside};
use super::said::Said;
use super::{judge, rights};
use crate::domain::access::Access;
use crate::domain::quote::operand;
use crate::domain::status::Status;
use crate::registry::Grant;

pub(super) async fn write(climb: &Climb) -> Verdict {
    let (grant, grants) = match rights::grants(climb).await {
        Ok(read) => read,
        Err(verdict) => return verdict,
    };
    let wanted = grant.access == Access::ReadWrite;
    let glue = grant.databases.is_some();
    let parts: Vec<Part> = WRITES
        .into_iter()
        .filter(|action| glue || !action.starts_with("glue:"))
        .map(|action| {
            let (place, said) = if action.starts_with("glue:") {
                grants.everywhere(climb, action, wanted)
            } else {
                let place = inside(grant, &grants.name);
                let said = grants.said(climb, action, &place);
                (place, said)
            };
            Part::judged(RungId::Write, action, writes(climb, grant, action, &place, &said))
        })
        .collect();
    let place = inside(grant, &grants.name);
    let mut verdict = Basics::of(&parts).writes(grant);
    if glue && verdict.answer.starts_with("Would be ") {
        verdict.answer.push_str(&grants.of_how_many());
    }
    reserved(verdict, grant, &parts).made_of(parts).at(
        climb,
        Some(climb.role.to_string()),
        "s3:PutObject",
        place,
    )
}

/// A rung of which something is not proven, for want of the bucket's policy, is not green for what else is in it.
pub(in crate::verify) fn reserved(verdict: Verdict, grant: &Grant, parts: &[Part]) -> Verdict {
    let unshown = |part: &Part| part.verdict.answer.contains(judge::UNSHOWN);
    if verdict.status != Status::Passed || !parts.iter().any(unshown) {
        return verdict;
    }
    Verdict::warning(
        format!("{}: {}", verdict.answer, judge::unseen(grant)),
        match no_bucket(grant) {
            Some(command) => format!("Put the bucket behind the access point on record:\n{command}"),
            None => mend::read_bucket(&grant.s3_path),
        },
    )
}

/// The command that says which bucket is behind the access point, where nobody did.
fn no_bucket(grant: &Grant) -> Option<String> {
    let path = &grant.s3_path;
    (path.point().is_some() && path.own_bucket().is_none()).then(|| {
        let flag = operand(grant.holder.name(), "--access-point-bucket BUCKET");
        format!("glueup {} set {flag}", grant.holder.verb())
    })
}

/// One action that writes, against what was asked for.
pub(super) fn writes(
    climb: &Climb,
    grant: &Grant,
    action: &'static str,
    place: &Place,
    said: &Said,
) -> Verdict {
    match grant.access {
        Access::ReadWrite => judge::allowed(climb, action, place, said),
        Access::ReadOnly => {
            let hole = format!(
                "Would be allowed, though the {} is read-only",
                grant.holder.noun()
            );
            judge::refused(
                climb,
                grant,
                action,
                place,
                said,
                (&hole, "Would be refused, as asked"),
            )
        }
    }
}

pub(super) async fn neighbour(climb: &Climb) -> Verdict {
    let (grant, grants) = match rights::grants(climb).await {
        Ok(read) => read,
        Err(verdict) => return verdict,
    };
    let asks = asks::neighbours(climb, grant, &grants.name);
    let mut parts = asks::given(climb, grant, &grants.name);
    parts.extend(asks.iter().map(|ask| neighbours(climb, grant, grants, ask)));
    let root = Place::Keys(grant.s3_path.bucket().to_owned(), String::new());
    let verdict = reserved(Basics::of(&parts).neighbours(), grant, &parts);
    verdict
        .made_of(parts)
        .at(climb, Some(climb.role.to_string()), "s3:ListBucket", root)
}

/// One thing that must be refused.
pub(super) fn neighbours(climb: &Climb, grant: &Grant, grants: &Grants, ask: &Ask) -> Part {
    let said = grants.said(climb, ask.action, &ask.place);
    let words = (
        "Would be allowed, though it was not asked for",
        "Would be refused, as it should be",
    );
    let verdict = judge::refused(climb, grant, ask.action, &ask.place, &said, words);
    Part::judged(RungId::Neighbour, ask.title, verdict)
}
