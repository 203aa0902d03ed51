//! What to do about a hole, something that the role allows and that nobody asked for, and about what it lacks.

mod trust;

use super::climb::Climb;
use super::report::RungId;
use super::rung::Verdict;
use crate::cloud::RefusedBy;
use crate::cloud::iam::{Source, SourceKind};
use crate::domain::access::Access;
use crate::domain::quote::shell;
use crate::domain::status::Status;
use crate::registry::Grant;
use crate::stack::policy;
use trust::show_trust;
pub(super) use trust::{put_trust, trust};

/// Something is lacking: the document that would be right, as a command that puts it in place. Where something else than
/// the role's own policies refused, that is of no use, and nothing is said.
pub(super) async fn put_right(climb: &Climb, id: RungId, verdict: &mut Verdict) {
    if verdict.status != Status::Failed || !verdict.denied {
        return;
    }
    let keeper = |show: String| match climb.connection.adopted {
        true => format!(", for whoever keeps the role ({show} prints it alone)"),
        false => String::new(),
    };
    let line = match (id, verdict.by, &climb.grant) {
        (RungId::Role, None | Some((RefusedBy::Trust | RefusedBy::Unsaid, _)), _) => {
            let keeper = keeper(show_trust(climb));
            put_trust(climb, &format!("The trust policy that lets us in{keeper}:")).await
        }
        (
            RungId::Databases | RungId::Tables | RungId::Rest | RungId::List | RungId::Read | RungId::Write,
            None | Some((RefusedBy::Identity | RefusedBy::Unsaid, false)),
            Some(grant),
        ) => {
            let keeper = keeper(show_grant(grant));
            put_grant(climb, grant, &format!("The whole policy that it needs{keeper}:"))
        }
        _ => return,
    };
    verdict.next = Some(match verdict.next.take() {
        Some(next) => format!("{next}\n{line}"),
        None => line,
    });
}

/// The policy that is right, as a command that puts it in place, behind these words.
pub(super) fn put_grant(climb: &Climb, grant: &Grant, words: &str) -> String {
    match policy::permissions(grant, &climb.connection) {
        Ok(right) => format!(
            "{words}\naws iam put-role-policy --role-name {} --policy-name {} --policy-document {}",
            climb.role.role_name(),
            grant.stack_name,
            shell(&right.document.to_string())
        ),
        Err(_) => format!("{words}\n{}", show_grant(grant)),
    }
}

pub(super) fn show_grant(grant: &Grant) -> String {
    format!("glueup template show {} --policy", grant.holder.command())
}

/// Who gives the role a right that was not asked for: another grant on the same connection, a stack that a
/// change left behind, or a policy that is none of ours.
pub(super) fn too_wide(climb: &Climb, grant: &Grant, action: &str) -> String {
    if let Some(other) = climb.others.iter().find(|other| widens(other, grant, action)) {
        let narrow = shell(&format!("{}-narrow", climb.connection.name));
        return format!(
            "The role also serves {}, which asks for {} of {}: a role is as wide as all its grants together. Give {} a \
             connection of its own:\nglueup connection add --name {narrow} --account-id {}\nglueup {} set {} \
             --connection {narrow}",
            other.holder,
            other.access,
            other.s3_path,
            grant.holder,
            climb.connection.account_id,
            grant.holder.verb(),
            shell(grant.holder.name()),
        );
    }
    if let Some(left) = grant.left_over_stacks.first() {
        return format!(
            "The stack {} of an earlier setting still grants it. Deploying again offers to delete it:\n\
             glueup deploy {}",
            left.stack_name,
            grant.holder.command()
        );
    }
    if let Some(lines) = of_others(climb) {
        return lines;
    }
    let role = climb.role.role_name();
    let beside = if climb.connection.adopted {
        format!(", which {} does not ask for", grant.holder)
    } else {
        format!(" beside the stack {}", grant.stack_name)
    };
    let right = asked_for(climb, grant);
    format!(
        "A policy of the role allows {action}{beside}. Find it and take it away:\n\
         aws iam list-role-policies --role-name {role}\n\
         aws iam list-attached-role-policies --role-name {role}{right}"
    )
}

/// The stacks on the role that grant something else than their records ask for: left behind by a change, or not yet
/// brought up to date.
fn of_others(climb: &Climb) -> Option<String> {
    let lines: Vec<String> = climb
        .others
        .iter()
        .filter_map(|other| {
            let command = other.holder.command();
            if let Some(left) = other.left_over_stacks.first() {
                return Some(format!(
                    "The stack {} of an earlier setting of {} is still on the role. Deploying that again offers to \
                     delete it:\nglueup deploy {command}",
                    left.stack_name, other.holder
                ));
            }
            other.is_outdated().then(|| {
                format!(
                    "The stack {} of {} is on the role, and grants what was asked for before. Deploy it again:\n\
                     glueup deploy {command}",
                    other.stack_name, other.holder
                )
            })
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A policy that was found to be too wide may be all that a role has which glueup did not make: what it should have.
fn asked_for(climb: &Climb, grant: &Grant) -> String {
    if climb.connection.adopted {
        let words = format!(
            "Should the role lack something then, the whole policy that {} does ask for ({} prints it alone):",
            grant.holder,
            show_grant(grant)
        );
        format!("\n{}", put_grant(climb, grant, &words))
    } else {
        String::new()
    }
}

/// What to do about policies that were found to allow or deny what they should not, by their names; `None` where they
/// belong to something that is on record, which is told otherwise.
pub(super) fn found(
    climb: &Climb,
    grant: &Grant,
    found: &[Source],
    action: &str,
    denies: bool,
) -> Option<String> {
    let ours = |name: &str| {
        let left = grant
            .left_over_stacks
            .iter()
            .any(|left| left.stack_name.as_str() == name);
        let of_other = |other: &Grant| {
            let mut left = other.left_over_stacks.iter();
            other.stack_name.as_str() == name || left.any(|left| left.stack_name.as_str() == name)
        };
        left || climb.others.iter().any(of_other)
    };
    if found.is_empty() || found.iter().any(|source| ours(&source.name)) {
        return None;
    }
    let role = climb.role.role_name();
    let names: Vec<&str> = found.iter().map(|source| source.name.as_str()).collect();
    let policy = match names.as_slice() {
        [one] => format!("The role's policy {one}"),
        several => format!("One of the role's policies {}", several.join(", ")),
    };
    let own = found
        .iter()
        .any(|source| source.name == grant.stack_name.as_str());
    let mut lines = vec![if denies {
        format!("{policy} denies {action}. Take it away:")
    } else {
        format!(
            "{policy} allows {action}, and {} does not ask for that. Take it away:",
            grant.holder
        )
    }];
    for source in found
        .iter()
        .filter(|source| source.name != grant.stack_name.as_str())
    {
        let name = shell(&source.name);
        lines.push(match source.kind {
            SourceKind::Inline => {
                format!("aws iam delete-role-policy --role-name {role} --policy-name {name}")
            }
            SourceKind::AwsManaged => format!(
                "aws iam detach-role-policy --role-name {role} --policy-arn arn:{}:iam::aws:policy/{}",
                climb.role.partition(),
                source.name
            ),
            SourceKind::Managed => format!(
                "aws iam detach-role-policy --role-name {role} --policy-arn arn:{}:iam::{}:policy/{}",
                climb.role.partition(),
                climb.role.account(),
                source.name
            ),
            SourceKind::Other => format!("aws iam list-attached-role-policies --role-name {role}"),
        });
    }
    if own {
        lines.push(put_grant(
            climb,
            grant,
            "Its own policy was changed; as its stack made it:",
        ));
    } else {
        lines.extend(asked_for(climb, grant).lines().skip(1).map(str::to_owned));
    }
    Some(lines.join("\n"))
}

/// Whether another grant may explain it: what it asks for is more than this one's.
fn widens(other: &Grant, grant: &Grant, action: &str) -> bool {
    let writes = !["s3:ListBucket", "s3:GetObject", "glue:GetTable"].contains(&action);
    if writes && other.access == Access::ReadOnly {
        return false;
    }
    match action.split_once(':') {
        Some(("s3", _)) => {
            let (theirs, ours) = (&other.s3_path, &grant.s3_path);
            theirs.bucket() == ours.bucket()
                && (theirs.prefix().starts_with(ours.prefix()) || ours.prefix().starts_with(theirs.prefix()))
        }
        _ => other.databases.is_some() && other.region == grant.region,
    }
}
