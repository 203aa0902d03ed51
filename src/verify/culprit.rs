//! Which policy of the role it is that allows what it should not, or denies what it should allow: IAM's simulator names
//! it, where the caller may ask. Asked only for a rung that failed, and never needed for the verdict.

use super::climb::Climb;
use super::mend;
use super::report::{Basis, Rung, RungId};
use super::rung::Verdict;
use crate::cloud::RefusedBy;
use crate::cloud::iam::{Decision, Question, Source};
use crate::domain::status::Status;
use crate::registry::Grant;

/// Puts the policy's name, and the command that takes it away, into the next step.
pub(super) async fn name(climb: &Climb, id: RungId, verdict: &mut Verdict) {
    let Some(grant) = climb.grant.as_ref() else { return };
    if id < RungId::Databases || verdict.status != Status::Failed || verdict.basis == Basis::Policy {
        return;
    }
    let denies = matches!(verdict.by, Some((RefusedBy::Identity, true)));
    if !denies && !verdict.open {
        return;
    }
    let questions = questions(climb, grant, verdict);
    let mut actions: Vec<&str> = questions
        .iter()
        .flat_map(|question| question.actions.iter().copied())
        .collect();
    actions.dedup();
    let mut found: Vec<Source> = Vec::new();
    for question in questions {
        let iam = climb.aws.iam(climb.role.partition());
        let Ok(answers) = iam.simulate(&climb.role, &question).await else {
            return;
        };
        let wanted = if denies {
            Decision::ExplicitDeny
        } else {
            Decision::Allowed
        };
        let decided = answers.into_iter().filter(|answer| answer.decision == wanted);
        add(climb, &mut found, decided.flat_map(|answer| answer.sources));
    }
    if let Some(next) = mend::found(climb, grant, &found, &actions.join(", "), denies) {
        verdict.next = Some(next);
    }
}

/// Adds policies of the role that are not among them yet.
pub(super) fn add(climb: &Climb, found: &mut Vec<Source>, more: impl IntoIterator<Item = Source>) {
    // IAM has been seen to write an inline policy's name behind that of its role.
    let behind = format!("role_{}_", climb.role.role_name());
    for mut source in more {
        if let Some(own) = source.name.strip_prefix(&behind) {
            source.name = own.to_owned();
        }
        if !found.contains(&source) {
            found.push(source);
        }
    }
}

/// What failed, as questions for the simulator: one for each try.
fn questions(climb: &Climb, grant: &Grant, verdict: &Verdict) -> Vec<Question> {
    let failed: Vec<&Rung> = verdict
        .parts
        .iter()
        .filter(|part| part.status == Status::Failed)
        .collect();
    if failed.is_empty() {
        let (action, resource) = (verdict.action.as_deref(), verdict.resource.as_deref());
        return question(climb, grant, action, resource).into_iter().collect();
    }
    failed
        .into_iter()
        .filter_map(|part| question(climb, grant, part.action.as_deref(), part.resource.as_deref()))
        .collect()
}

fn question(climb: &Climb, grant: &Grant, action: Option<&str>, resource: Option<&str>) -> Option<Question> {
    let partition = climb.role.partition();
    let bucket = grant.s3_path.bucket();
    let mut context = Vec::new();
    let action = ACTIONS.into_iter().find(|known| Some(*known) == action)?;
    let arn = match resource {
        Some(arn) if arn.starts_with("arn:") && action != "s3:ListBucket" => arn.to_owned(),
        Some(path) if action == "s3:ListBucket" => {
            let prefix = path
                .strip_prefix("s3://")
                .and_then(|path| path.split_once('/'))
                .map_or_else(|| grant.s3_path.prefix().to_owned(), |(_, key)| key.to_owned());
            context.push(("s3:prefix", prefix));
            format!("arn:{partition}:s3:::{bucket}")
        }
        Some(path) if action.starts_with("s3:") => {
            format!("arn:{partition}:s3:::{}", path.strip_prefix("s3://")?)
        }
        // A name that nothing has stands for all: what is denied or allowed here was asked for an invented one too.
        _ => {
            let front = format!("arn:{partition}:glue:{}:{}", climb.region, climb.role.account());
            let database = grant
                .named_databases()
                .first()
                .map_or("glueup_probe", String::as_str);
            match action {
                "glue:DeleteDatabase" => format!("{front}:database/{database}"),
                "glue:GetDatabases" | "glue:GetCatalog" => format!("{front}:catalog"),
                _ => format!("{front}:table/{database}/glueup_probe"),
            }
        }
    };
    Some(Question {
        actions: vec![action],
        resources: vec![arn],
        context,
    })
}

/// What the rungs ask for.
const ACTIONS: [&str; 12] = [
    "glue:GetCatalog",
    "glue:GetDatabases",
    "glue:GetTables",
    "glue:GetTable",
    "glue:CreateTable",
    "glue:UpdateTable",
    "glue:DeleteTable",
    "glue:DeleteDatabase",
    "s3:ListBucket",
    "s3:GetObject",
    "s3:PutObject",
    "s3:DeleteObject",
];
