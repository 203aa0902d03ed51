//! The rungs that show how far the role reaches, as the simulator sees them.

use super::super::climb::Climb;
use super::super::report::RungId;
use super::super::rung::Verdict;
use super::super::tries::{Part, Titles};
use super::grants::{Grants, Said};
use super::{judge, rights};
use crate::domain::access::Access;
use crate::registry::Grant;

const WRITES: [&str; 6] = [
    "s3:PutObject",
    "glue:CreateTable",
    "glue:UpdateTable",
    "glue:DeleteTable",
    "glue:DeleteDatabase",
    "s3:DeleteObject",
];

pub(super) async fn write(climb: &Climb) -> Verdict {
    let (grant, grants) = match rights::grants(climb).await {
        Ok(read) => read,
        Err(verdict) => return verdict,
    };
    let (wanted, what) = (grant.access == Access::ReadWrite, grant.holder.noun());
    let glue = grant.databases.is_some();
    let parts: Vec<Part> = WRITES
        .iter()
        .filter(|action| glue || !action.starts_with("glue:"))
        .map(|action| {
            let said = if action.starts_with("glue:") {
                grants.glue_everywhere(action, wanted)
            } else {
                grants.object(action, &grants.inside)
            };
            Part::judged(RungId::Write, *action, writes(climb, grant, action, &said))
        })
        .collect();
    let titles = Titles::of(&parts);
    let verdict = if !titles.failed.is_empty() {
        Verdict::failed_for(if wanted {
            format!(
                "The {what} is read-write, but refused would be: {}",
                titles.failed
            )
        } else {
            format!(
                "The {what} is read-only, but the role may do more: {}",
                titles.failed
            )
        })
    } else if titles.passed.is_empty() {
        unsaid(&parts)
    } else if wanted {
        Verdict::passed(format!("Would be allowed: {}", titles.proven()))
    } else {
        Verdict::passed(format!("Would be refused, as asked: {}", titles.proven()))
    };
    verdict
        .made_of(parts)
        .of(Some(climb.role.to_string()), "s3:PutObject", &grants.inside)
}

/// One action that writes, against what was asked for.
pub(super) fn writes(climb: &Climb, grant: &Grant, action: &str, said: &Said) -> Verdict {
    match grant.access {
        Access::ReadWrite => judge::allowed(climb, grant, action, said),
        Access::ReadOnly => judge::refused(
            climb,
            grant,
            action,
            said,
            &format!(
                "Would be allowed, though the {} is read-only",
                grant.holder.noun()
            ),
            "Would be refused, as asked",
        ),
    }
}

pub(super) async fn neighbour(climb: &Climb) -> Verdict {
    let (grant, grants) = match rights::grants(climb).await {
        Ok(read) => read,
        Err(verdict) => return verdict,
    };
    let parts = neighbours(climb, grant, grants);
    let titles = Titles::of(&parts);
    let verdict = if !titles.failed.is_empty() {
        Verdict::failed_for(format!(
            "The role reaches beyond what was asked: {}",
            titles.failed
        ))
    } else if titles.passed.is_empty() {
        unsaid(&parts)
    } else {
        Verdict::passed(format!("Would be refused, as it should be: {}", titles.proven()))
    };
    verdict
        .made_of(parts)
        .of(Some(climb.role.to_string()), "s3:ListBucket", &grants.bucket)
}

fn neighbours(climb: &Climb, grant: &Grant, grants: &Grants) -> Vec<Part> {
    let part = |title: &'static str, action: &str, said: Said| {
        let verdict = judge::refused(
            climb,
            grant,
            action,
            &said,
            "Would be allowed, though it was not asked for",
            "Would be refused, as it should be",
        );
        Part::judged(RungId::Neighbour, title, verdict)
    };
    let path = &grant.s3_path;
    let whole = climb
        .grants()
        .find(|grant| grant.s3_path.bucket() == path.bucket() && grant.s3_path.whole_bucket());
    let mut parts = match whole {
        Some(whole) => {
            let why = format!(
                "there is no neighbour in the bucket: {} was asked for whole by {}",
                path.bucket(),
                whole.holder
            );
            vec![Part::skipped(RungId::Neighbour, "outside the prefix", why)]
        }
        None => vec![
            part("list the bucket's root", "s3:ListBucket", grants.list_root()),
            part("list beside the prefix", "s3:ListBucket", grants.list_bare()),
        ],
    };
    let objects = [
        ("read beside the prefix", "s3:GetObject", &grants.beside),
        ("write beside the prefix", "s3:PutObject", &grants.beside),
        ("read an object elsewhere", "s3:GetObject", &grants.elsewhere),
        ("write an object elsewhere", "s3:PutObject", &grants.elsewhere),
    ];
    for (title, action, object) in objects {
        if let Some(object) = object {
            parts.push(part(title, action, grants.object(action, object)));
        }
    }
    for (title, action) in [
        ("read another bucket", "s3:GetObject"),
        ("write another bucket", "s3:PutObject"),
    ] {
        parts.push(part(title, action, grants.object(action, &grants.other_bucket)));
    }
    if let Some(other) = &grants.other_database {
        parts.push(part(
            if climb.grants().any(|grant| grant.databases.is_some()) {
                "another database"
            } else {
                "a Glue database"
            },
            "glue:GetTable",
            grants.glue("glue:GetTable", other),
        ));
    }
    parts
}

fn unsaid(parts: &[Part]) -> Verdict {
    Verdict::skipped(
        parts
            .first()
            .map(|part| part.verdict.answer.clone())
            .unwrap_or_default(),
    )
}
