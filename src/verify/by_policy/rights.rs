//! The rungs that must be allowed, as the simulator sees them.

use super::super::climb::Climb;
use super::super::report::RungId;
use super::super::rung::Verdict;
use super::super::tries::{Part, Titles};
use super::books::unread;
use super::grants::{Grants, Said};
use super::judge;
use crate::domain::status::Status;
use crate::registry::Grant;

/// What the simulator said, or the verdict where it was not asked or did not answer.
pub(super) async fn grants(climb: &Climb) -> Result<(&Grant, &Grants), Verdict> {
    let Some(grant) = &climb.grant else {
        return Err(Verdict::skipped(
            "no catalog and no storage integration, so nothing is granted",
        ));
    };
    match climb.books.grants(climb).await {
        Ok(grants) => Ok((grant, grants)),
        Err(problem) => Err(unread(climb, problem)),
    }
}

pub(super) async fn databases(climb: &Climb) -> Verdict {
    match grants(climb).await {
        Ok((grant, grants)) => {
            let said = grants.glue_everywhere("glue:GetDatabases", true);
            let verdict = judge::allowed(climb, grant, "glue:GetDatabases", &said);
            told(verdict, "glue:GetDatabases would be allowed")
        }
        Err(verdict) => verdict,
    }
}

pub(super) async fn tables(climb: &Climb) -> Verdict {
    let (grant, grants) = match grants(climb).await {
        Ok(read) => read,
        Err(verdict) => return verdict,
    };
    // A platform that never lists is not asked whether it could.
    let actions: &[&str] = if climb.platform.needs(RungId::Databases.as_str()) {
        &["glue:GetTables", "glue:GetTable"]
    } else {
        &["glue:GetTable"]
    };
    together(climb, grant, RungId::Tables, actions, |action| {
        grants.glue_everywhere(action, true)
    })
}

pub(super) async fn rest(climb: &Climb) -> Verdict {
    let (grant, grants) = match grants(climb).await {
        Ok(read) => read,
        Err(verdict) => return verdict,
    };
    let verdict = together(
        climb,
        grant,
        RungId::Rest,
        &["glue:GetCatalog", "glue:GetDatabases"],
        |action| grants.glue_everywhere(action, true),
    );
    let answer = format!("{}; the endpoint itself was not asked", verdict.answer);
    told(verdict, answer)
}

pub(super) async fn list(climb: &Climb) -> Verdict {
    match grants(climb).await {
        Ok((grant, grants)) => told(
            judge::allowed(climb, grant, "s3:ListBucket", &grants.list_below()),
            format!("s3:ListBucket would be allowed below {}", grant.s3_path),
        ),
        Err(verdict) => verdict,
    }
}

pub(super) async fn read(climb: &Climb) -> Verdict {
    let (grant, grants) = match grants(climb).await {
        Ok(read) => read,
        Err(verdict) => return verdict,
    };
    let said = grants.object("s3:GetObject", &grants.inside);
    let verdict = judge::allowed(climb, grant, "s3:GetObject", &said);
    let mut verdict = told(
        verdict,
        format!("s3:GetObject would be allowed below {}", grant.s3_path),
    );
    if let (Said::Allowed { .. }, Some(key)) = (&said, &grant.kms_key) {
        verdict.answer = format!(
            "{}; what the policy of the key {key} says, is not judged",
            verdict.answer
        );
    }
    verdict
}

/// The answer of a verdict that passed.
fn told(mut verdict: Verdict, answer: impl Into<String>) -> Verdict {
    if verdict.status == Status::Passed {
        verdict.answer = answer.into();
    }
    verdict
}

/// A rung of several actions: all must be allowed.
fn together(
    climb: &Climb,
    grant: &Grant,
    of: RungId,
    actions: &[&str],
    said: impl Fn(&str) -> Said,
) -> Verdict {
    let parts: Vec<Part> = actions
        .iter()
        .map(|action| Part::judged(of, *action, judge::allowed(climb, grant, action, &said(action))))
        .collect();
    let titles = Titles::of(&parts);
    let verdict = if !titles.failed.is_empty() {
        Verdict::failed_for(format!("Would be refused: {}", titles.failed))
    } else if titles.passed.is_empty() {
        Verdict::skipped(
            parts
                .first()
                .map(|part| part.verdict.answer.clone())
                .unwrap_or_default(),
        )
    } else {
        Verdict::passed(format!("Would be allowed: {}", titles.proven()))
    };
    let resource = parts.first().and_then(|part| part.verdict.resource.clone());
    verdict.made_of(parts).of(
        Some(climb.role.to_string()),
        actions.first().copied().unwrap_or_default(),
        resource.unwrap_or_default(),
    )
}
