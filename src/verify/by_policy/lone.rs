//! What a ladder that is climbed by use cannot try, asked of the policies all the same where the caller may read them.

use super::super::asks;
use super::super::climb::Climb;
use super::super::mend;
use super::super::place::Asked;
use super::super::report::RungId;
use super::super::rung::Verdict;
use super::super::tries::Part;
use super::grants::{Grants, inside};
use super::said::Said;
use super::{limits, trust};
use crate::domain::access::Access;
use crate::domain::problem::Problem;
use crate::domain::status::Status;
use crate::registry::Grant;
use std::time::Instant;

/// What a ladder that is climbed by use asks of the simulator, once for all its rungs.
async fn grants(climb: &Climb) -> Result<&Grants, &Problem> {
    Box::pin(climb.books.grants(climb)).await
}

/// Whether the bucket's policy gives the role one of these rights, as far as it is shown.
pub(in crate::verify) async fn bucket_gives(climb: &Climb, asked: &[Asked]) -> bool {
    let gives = |grants: &Grants, asked: &Asked| grants.bucket.gives(climb, asked.action, &asked.place);
    match grants(climb).await {
        Ok(grants) => asked.iter().any(|asked| gives(grants, asked)),
        Err(_) => false,
    }
}

/// Writing that has no form which could not write: deleting objects, and where databases are named making tables in them
/// and deleting them. What was tried of something invented proves nothing of these.
pub(in crate::verify) async fn untried_writes(climb: &Climb, grant: &Grant, tried: Vec<Part>) -> Vec<Part> {
    const DELETE: &str = "s3:DeleteObject";
    let grants = grants(climb).await;
    let mut parts: Vec<Part> = tried
        .into_iter()
        .map(|part| match (&grants, part.verdict.status) {
            (Ok(grants), Status::Skipped) if !grant.named_databases().is_empty() => {
                in_named(climb, grant, grants, part)
            }
            _ => part,
        })
        .collect();
    let verdict = match grants {
        Ok(grants) => {
            let place = inside(grant, &grants.name);
            let said = grants.said(climb, DELETE, &place);
            limits::writes(climb, grant, DELETE, &place, &said)
        }
        Err(problem) => Verdict::skipped(format!(
            "not proven: there is no form of it that could not delete an object, and its policies were not shown ({})",
            problem.what
        )),
    };
    parts.push(Part::judged(RungId::Write, DELETE, verdict));
    parts
}

fn in_named(climb: &Climb, grant: &Grant, grants: &Grants, part: Part) -> Part {
    let Some(action) = ["glue:CreateTable", "glue:DeleteDatabase"]
        .into_iter()
        .find(|action| *action == part.title)
    else {
        return part;
    };
    let (place, said) = grants.everywhere(climb, action, grant.access == Access::ReadWrite);
    let mut verdict = limits::writes(climb, grant, action, &place, &said);
    if verdict.status == Status::Skipped {
        return part;
    }
    if verdict.status == Status::Passed {
        verdict.answer.push_str(&grants.of_how_many());
    }
    Part { verdict, ..part }
}

/// What lies beside the grant and has no form that could be tried on an account in use: other buckets, other services.
pub(in crate::verify) async fn untried_neighbours(climb: &Climb, grant: &Grant) -> Vec<Part> {
    match grants(climb).await {
        Ok(grants) => asks::neighbours(climb, grant, &grants.name)
            .iter()
            .filter(|ask| !ask.tried)
            .map(|ask| limits::neighbours(climb, grant, grants, ask))
            .collect(),
        Err(problem) => {
            let title = "what only policies show (other buckets, regions and services)";
            let why = format!("not proven: its policies were not shown ({})", problem.what);
            vec![Part::skipped(RungId::Neighbour, title, why)]
        }
    }
}

/// A verifier got in: whether the broker does too, who is the one that counts, its trust policy says.
pub(in crate::verify) async fn beside_a_verifier(climb: &Climb, verdict: Verdict) -> Verdict {
    if climb.connection.verifier.is_none() || climb.broker.is_none() {
        return verdict;
    }
    let part = Part::of(RungId::Role, "the broker role", async {
        match climb.books.trust(climb).await {
            Ok(_) => trust::role(climb).await.by_policy(),
            Err(problem) => unseen(problem),
        }
    })
    .await;
    let verdict = match part.verdict.status {
        Status::Failed => Verdict::failed_for(format!("The verifier gets in. {}", part.verdict.answer)),
        Status::Skipped => Verdict {
            answer: format!("{}; not proven: the broker role gets in too", verdict.answer),
            ..verdict
        },
        Status::Passed | Status::Warning => verdict,
    };
    verdict.made_of(vec![part])
}

/// Whom the trust policy lets in beside those who are meant: to try that, one would have to be one of them.
pub(in crate::verify) async fn trusted_besides(climb: &Climb) -> Part {
    Part::of(RungId::ExternalId, "anybody else", async {
        match climb.books.trust(climb).await {
            Ok(document) => trust::anybody(climb, document).await,
            Err(problem) => unseen(problem),
        }
    })
    .await
}

/// Whether the role may do of Glue all that the platform's engines call; `None` where nobody shows it. What the rungs
/// themselves try is a part of that: partitions and versions of tables, say, they do not need.
pub(in crate::verify) async fn needed(climb: &Climb, grant: &Grant) -> Option<Part> {
    let begun = Instant::now();
    let grants = grants(climb).await.ok()?;
    let mut part = needed_of(climb, grant, grants)?;
    part.ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    Some(part)
}

/// The same, of what the simulator has said already.
pub(super) fn needed_of(climb: &Climb, grant: &Grant, grants: &Grants) -> Option<Part> {
    let platform = climb.platform;
    let actions: Vec<&'static str> = platform
        .permissions
        .of(grant.access)
        .filter(|action| action.starts_with("glue:"))
        .collect();
    if actions.is_empty() {
        return None;
    }
    let (mut refused, mut open) = (Vec::new(), Vec::new());
    for action in &actions {
        match grants.everywhere(climb, action, true).1 {
            Said::Refused { .. } => refused.push(*action),
            Said::Open { .. } | Said::Nothing { .. } | Said::Unshown { .. } => open.push(*action),
            Said::Allowed { .. } => {}
        }
    }
    let verdict = if !refused.is_empty() {
        let words = format!("{}: its engines call these too. The whole policy:", platform.name);
        Verdict::warning(
            format!("would be refused: {}", refused.join(", ")),
            mend::put_grant(climb, grant, &words),
        )
    } else if !open.is_empty() {
        Verdict::skipped(format!(
            "not proven: it hangs on what only a request itself has, of {}",
            open.join(", ")
        ))
    } else {
        Verdict::passed(format!(
            "{} actions of Glue would be allowed{}",
            actions.len(),
            grants.of_how_many()
        ))
    };
    let title = "what its engines call besides";
    Some(Part::judged(RungId::Tables, title, verdict.by_policy()))
}

/// What the policies lack for the platform's engines turns a rung that holds into one with a word of caution.
pub(in crate::verify) fn with_needed(mut verdict: Verdict, needed: Option<Part>) -> Verdict {
    let Some(part) = needed else { return verdict };
    if verdict.status == Status::Passed && part.verdict.status == Status::Warning {
        verdict.status = Status::Warning;
        verdict.answer = format!("{}; {} {}", verdict.answer, part.title, part.verdict.answer);
        verdict.next = part.verdict.next.clone();
    }
    verdict.and(part)
}

fn unseen(problem: &Problem) -> Verdict {
    Verdict::skipped(format!(
        "not proven: whom else the trust policy names was not shown ({})",
        problem.what
    ))
}
