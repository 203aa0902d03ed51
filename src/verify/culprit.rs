//! Which policy of the role it is that allows what it should not, or denies what it should allow: IAM's simulator names
//! it, where the caller may ask. Asked only for a rung that failed, and never needed for the verdict.

use super::climb::Climb;
use super::mend;
use super::place::Asked;
use super::report::RungId;
use super::rung::Verdict;
use crate::cloud::RefusedBy;
use crate::cloud::iam::{Decision, Iam, Question, Source};
use crate::domain::status::Status;

/// Puts the policy's name, and the command that takes what is at fault out of it, into the next step.
pub(super) async fn name(climb: &Climb, id: RungId, verdict: &mut Verdict) {
    let Some(grant) = climb.grant.as_ref() else { return };
    if id < RungId::Databases || verdict.status != Status::Failed || verdict.asked.is_empty() {
        return;
    }
    let denies = matches!(verdict.by, Some((RefusedBy::Identity, true)));
    if !denies && !verdict.open {
        return;
    }
    let Ok(reader) = climb.books.reader(climb).await else {
        return;
    };
    for asked in verdict.asked.iter_mut().filter(|asked| asked.by.is_empty()) {
        asked.by = deciding(climb, &reader.iam, asked, denies).await;
    }
    if let Some(next) = mend::found(climb, &reader.iam, grant, &verdict.asked, denies).await {
        verdict.next = Some(next);
    }
}

/// The policies that decided; none where IAM does not say.
async fn deciding(climb: &Climb, iam: &Iam, asked: &Asked, denies: bool) -> Vec<Source> {
    let question: Question = asked.question(climb);
    let Ok(answers) = iam.simulate(&climb.role, &question).await else {
        return Vec::new();
    };
    let wanted = if denies {
        Decision::ExplicitDeny
    } else {
        Decision::Allowed
    };
    let mut by: Vec<Source> = Vec::new();
    let decided = answers.into_iter().filter(|answer| answer.decision == wanted);
    for source in decided.flat_map(|answer| answer.sources) {
        if !by.contains(&source) {
            by.push(source);
        }
    }
    by
}
