//! What a ladder that is climbed by use cannot try, asked of the policies all the same where the caller may read them.

use super::super::climb::Climb;
use super::super::mend;
use super::super::report::RungId;
use super::super::rung::Verdict;
use super::super::tries::Part;
use super::grants::{Said, said};
use super::{grants, limits, trust};
use crate::cloud::iam::Question;
use crate::domain::access::Access;
use crate::domain::problem::Problem;
use crate::domain::status::Status;
use crate::registry::Grant;
use std::time::Instant;

const DELETE: &str = "s3:DeleteObject";

/// Deleting objects: no form of it could not delete one, so that IAM's simulator is asked, in one call.
pub(in crate::verify) async fn deletes(climb: &Climb, grant: &Grant, name: &str) -> Part {
    Part::of(RungId::Write, DELETE, async {
        let path = &grant.s3_path;
        let partition = climb.region.partition().id();
        let object = format!("arn:{partition}:s3:::{}/{}{name}", path.bucket(), path.prefix());
        let question = Question {
            actions: vec![DELETE],
            resources: vec![object.clone()],
            context: Vec::new(),
        };
        let answer = match climb.books.reader(climb).await {
            Ok(reader) => Box::pin(reader.iam.simulate(&climb.role, &question)).await,
            Err(problem) => Err(problem.clone()),
        };
        match answer {
            Ok(results) => limits::writes(climb, grant, DELETE, &said(&results, DELETE, &[object])),
            Err(problem) => Verdict::skipped(format!(
                "not proven: there is no form of it that could not delete an object, and its policies were not shown ({})",
                problem.what
            )),
        }
    })
    .await
}

/// Making tables in the databases that a grant names, and deleting these, has no form that could not do it either: what
/// was tried of something invented, and proved nothing of them, is asked of the simulator, both in one call.
pub(in crate::verify) async fn in_named(climb: &Climb, grant: &Grant, tried: [Part; 2]) -> [Part; 2] {
    const ACTIONS: [&str; 2] = ["glue:CreateTable", "glue:DeleteDatabase"];
    let open = |part: &Part| part.verdict.status == Status::Skipped;
    if grant.named_databases().is_empty() || !tried.iter().all(open) {
        return tried;
    }
    let Ok(reader) = climb.books.reader(climb).await else {
        return tried;
    };
    let Ok(grants) = Box::pin(grants::of_glue(climb, reader, grant, &ACTIONS)).await else {
        return tried;
    };
    tried.map(|part| {
        let said = match ACTIONS.iter().find(|action| **action == part.title) {
            Some(action) => grants.glue_everywhere(action, grant.access == Access::ReadWrite),
            None => return part,
        };
        let verdict = limits::writes(climb, grant, &part.title, &said);
        if verdict.status == Status::Skipped {
            return part;
        }
        Part { verdict, ..part }
    })
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

/// Whether the role may do of Glue all that the platform's engines call, in one call; `None` where nobody shows it.
/// What the rungs themselves try is a part of that: partitions and versions of tables, say, they do not need.
pub(in crate::verify) async fn needed(climb: &Climb, grant: &Grant) -> Option<Part> {
    let platform = climb.platform;
    let actions: Vec<&'static str> = platform
        .permissions
        .of(grant.access)
        .filter(|action| action.starts_with("glue:"))
        .collect();
    if actions.is_empty() {
        return None;
    }
    let reader = climb.books.reader(climb).await.ok()?;
    let begun = Instant::now();
    let answer = Box::pin(grants::of_glue(climb, reader, grant, &actions))
        .await
        .ok()?;
    let refused: Vec<&str> = actions
        .iter()
        .copied()
        .filter(|action| matches!(answer.glue_everywhere(action, true), Said::Refused { .. }))
        .collect();
    let verdict = if refused.is_empty() {
        Verdict::passed(format!("{} actions of Glue would be allowed", actions.len()))
    } else {
        let words = format!("{}: its engines call these too. The whole policy:", platform.name);
        Verdict::warning(
            format!("would be refused: {}", refused.join(", ")),
            mend::put_grant(climb, grant, &words),
        )
    };
    let title = "what its engines call besides";
    let mut part = Part::judged(RungId::Tables, title, verdict.by_policy());
    part.ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    Some(part)
}

fn unseen(problem: &Problem) -> Verdict {
    Verdict::skipped(format!(
        "not proven: whom else the trust policy names was not shown ({})",
        problem.what
    ))
}
