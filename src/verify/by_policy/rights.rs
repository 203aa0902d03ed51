//! The rungs that must be allowed, as the simulator sees them.

use super::super::climb::Climb;
use super::super::key;
use super::super::place::Place;
use super::super::report::RungId;
use super::super::rung::Verdict;
use super::super::tries::{Basics, Part};
use super::books::unread;
use super::grants::{Grants, inside, key_of_files};
use super::said::{Refuser, Said};
use super::{judge, lone};
use crate::cloud::iam::Obstacle;
use crate::domain::status::Status;
use crate::registry::Grant;
use crate::stack::encryption::Thing;

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
    const ACTION: &str = "glue:GetDatabases";
    match grants(climb).await {
        Ok((grant, grants)) => {
            let (place, said) = grants.everywhere(climb, ACTION, true);
            let verdict = judge::allowed(climb, ACTION, &place, &said);
            let verdict = told(
                verdict,
                format!("{ACTION} would be allowed{}", grants.of_how_many()),
            );
            with_catalog_key(climb, grant, grants, verdict)
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
    let actions: &[&'static str] = if climb.platform.needs(RungId::Databases.as_str()) {
        &["glue:GetTables", "glue:GetTable"]
    } else {
        &["glue:GetTable"]
    };
    let mut verdict = together(climb, grants, RungId::Tables, actions);
    if verdict.status == Status::Passed {
        verdict.answer.push_str(&grants.of_how_many());
    }
    lone::with_needed(verdict, lone::needed_of(climb, grant, grants))
}

pub(super) async fn rest(climb: &Climb) -> Verdict {
    let grants = match grants(climb).await {
        Ok((_, grants)) => grants,
        Err(verdict) => return verdict,
    };
    let actions = ["glue:GetCatalog", "glue:GetDatabases"];
    let verdict = together(climb, grants, RungId::Rest, &actions);
    let answer = format!("{}; the endpoint itself was not asked", verdict.answer);
    told(verdict, answer)
}

pub(super) async fn list(climb: &Climb) -> Verdict {
    match grants(climb).await {
        Ok((grant, grants)) => {
            let path = &grant.s3_path;
            let below = Place::Keys(path.bucket().to_owned(), path.prefix().to_owned());
            let said = grants.said(climb, "s3:ListBucket", &below);
            told(
                judge::allowed(climb, "s3:ListBucket", &below, &said),
                format!("s3:ListBucket would be allowed below {path}"),
            )
        }
        Err(verdict) => verdict,
    }
}

pub(super) async fn read(climb: &Climb) -> Verdict {
    let (grant, grants) = match grants(climb).await {
        Ok(read) => read,
        Err(verdict) => return verdict,
    };
    let place = inside(grant, &grants.name);
    let said = grants.said(climb, "s3:GetObject", &place);
    let verdict = judge::allowed(climb, "s3:GetObject", &place, &said);
    let verdict = told(
        verdict,
        format!("s3:GetObject would be allowed below {}", grant.s3_path),
    );
    match key_of_files(climb, grant) {
        Some(key) if verdict.status == Status::Passed || matches!(said, Said::Unshown { .. }) => {
            with_key(climb, grants, &key, verdict)
        }
        _ => verdict,
    }
}

/// Whether the role may use the key of the Data Catalog, too. What is not on record, no stack of ours can have granted.
fn with_catalog_key(climb: &Climb, grant: &Grant, grants: &Grants, verdict: Verdict) -> Verdict {
    let Some(place @ Place::Key(arn, _)) = &grants.catalog_key else {
        return verdict;
    };
    if verdict.status != Status::Passed {
        return verdict;
    }
    let mut verdict = with_key(climb, grants, place, verdict);
    let lacks = matches!(verdict.status, Status::Warning | Status::Failed);
    if let Ok(found) = arn.parse()
        && lacks
        && grant.catalog_kms_key.as_ref() != Some(&found)
    {
        verdict.next = Some(key::put_on_record(climb, grant, Thing::Catalog, &found));
    }
    verdict
}

/// Whether the role may use a key, too. What the key's own policy says is not looked at.
fn with_key(climb: &Climb, grants: &Grants, place: &Place, verdict: Verdict) -> Verdict {
    const ACTION: &str = "kms:Decrypt";
    let said = grants.said(climb, ACTION, place);
    let key = place.text(climb);
    let answer = &verdict.answer;
    match &said {
        Said::Allowed { .. } => Verdict {
            answer: format!("{answer}, and {ACTION} with the key {key}, as far as the key's own policy says the same"),
            ..verdict
        },
        Said::Open { keys } => Verdict {
            answer: format!("{answer}; not proven: {ACTION} with the key {key} hangs on {keys}, and on the key's own policy"),
            ..verdict
        },
        Said::Nothing { .. } | Said::Unshown { .. } => Verdict {
            answer: format!("{answer}; not proven: {ACTION} with the key {key}"),
            ..verdict
        },
        Said::Refused {
            why: Refuser::Principal(Obstacle::Lacking),
            ..
        } => Verdict::warning(
            format!("{answer}; no policy of the role allows {ACTION} with the key {key}: its own policy would have to name the role"),
            judge::allowed(climb, ACTION, place, &said).next.unwrap_or_default(),
        )
        .of(verdict.caller, ACTION, key),
        Said::Refused { .. } => judge::allowed(climb, ACTION, place, &said),
    }
}

/// The answer of a verdict that passed without a reserve.
fn told(mut verdict: Verdict, answer: impl Into<String>) -> Verdict {
    if verdict.status == Status::Passed {
        let reserve = verdict.answer.split_once(", as far as ");
        let reserve = reserve.map_or_else(String::new, |(_, rest)| format!(", as far as {rest}"));
        verdict.answer = format!("{}{reserve}", answer.into());
    }
    verdict
}

/// A rung of several actions: all must be allowed.
fn together(climb: &Climb, grants: &Grants, of: RungId, actions: &[&'static str]) -> Verdict {
    let parts: Vec<Part> = actions
        .iter()
        .map(|action| {
            let (place, said) = grants.everywhere(climb, action, true);
            Part::judged(of, *action, judge::allowed(climb, action, &place, &said))
        })
        .collect();
    let resource = parts.first().and_then(|part| part.verdict.resource.clone());
    Basics::of(&parts).allowed("Would be refused").made_of(parts).of(
        Some(climb.role.to_string()),
        actions.first().copied().unwrap_or_default(),
        resource.unwrap_or_default(),
    )
}
