//! Which policy of the role it is that allows what it should not, or denies what it should allow: IAM's simulator names
//! it, where the caller may ask. Asked only for a rung that failed, and never needed for the verdict.

use super::by_policy;
use super::climb::Climb;
use super::mend;
use super::place::{Asked, gather};
use super::report::RungId;
use super::rung::Verdict;
use crate::cloud::RefusedBy;
use crate::cloud::iam::{Decision, Iam, Question, Simulated};
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
    ask_who_decides(climb, &reader.iam, &mut verdict.asked, denies).await;
    let found = mend::found(climb, &reader.iam, grant, &verdict.asked, denies).await;
    let of_role = verdict.asked.iter().any(|asked| !asked.by.is_empty());
    let mut lines: Vec<String> = found.into_iter().collect();
    if !denies && by_policy::bucket_gives(climb, &verdict.asked).await {
        if lines.is_empty() && of_role {
            lines.extend(verdict.next.take());
        }
        lines.push(mend::of_bucket(&grant.s3_path));
    }
    if !lines.is_empty() {
        verdict.next = Some(lines.join("\n"));
    }
}

/// Fills in the policies that decided where none is known, as far as IAM says.
async fn ask_who_decides(climb: &Climb, iam: &Iam, asked: &mut [Asked], denies: bool) {
    let unknown = || asked.iter().filter(|asked| asked.by.is_empty());
    let (keyed, plain): (Vec<&Asked>, Vec<&Asked>) =
        unknown().partition(|asked| !asked.place.context().is_empty());
    let needs = plain
        .iter()
        .map(|asked| (asked.action, asked.place.telling_arns(climb)));
    let mut questions = gather(needs);
    questions.extend(keyed.iter().map(|asked| Question {
        actions: vec![asked.action],
        resources: asked.place.telling_arns(climb),
        context: asked.place.context(),
    }));
    let wanted = if denies {
        Decision::ExplicitDeny
    } else {
        Decision::Allowed
    };
    // A question's key belongs to its answers.
    let mut decided: Vec<(Vec<(&'static str, String)>, Simulated)> = Vec::new();
    for question in questions {
        let answers = iam.simulate(&climb.role, &question).await.unwrap_or_default();
        let answers = answers.into_iter().filter(|answer| answer.decision == wanted);
        decided.extend(answers.map(|answer| (question.context.clone(), answer)));
    }
    for asked in asked.iter_mut().filter(|asked| asked.by.is_empty()) {
        let (arns, context) = (asked.place.telling_arns(climb), asked.place.context());
        let of_it = decided.iter().filter(|(key, answer)| {
            *key == context
                && answer.action.eq_ignore_ascii_case(asked.action)
                && arns.contains(&answer.resource)
        });
        for source in of_it.flat_map(|(_, answer)| &answer.sources) {
            if !asked.by.contains(source) {
                asked.by.push(source.clone());
            }
        }
    }
}
