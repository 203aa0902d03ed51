//! What to do about a hole: something that the role allows and that nobody asked for.

use super::climb::Climb;
use super::report::RungId;
use super::rung::Verdict;
use crate::domain::access::Access;
use crate::domain::quote::shell;
use crate::domain::status::Status;
use crate::registry::Grant;
use crate::setup::trust;
use crate::stack::policy;

/// A trust policy that asks for the external id, as a command that puts it in place.
pub(super) fn trust(climb: &Climb) -> String {
    put_trust(
        climb,
        "Ask for the external ID in every statement of the role's trust policy:",
    )
}

/// The trust policy that is right, as a command that puts it in place, behind these words.
pub(super) fn put_trust(climb: &Climb, ask: &str) -> String {
    let mut connection = climb.connection.clone();
    if connection.broker_role_arn.is_none() && connection.trust.is_empty() {
        // Nobody is on record: whoever asked, which is who was let in.
        let caller = climb.first().caller();
        connection
            .trust
            .extend(caller.and_then(|arn| trust::caller(&arn)));
    }
    match policy::trust(&connection) {
        Ok(right) => format!(
            "{ask}\naws iam update-assume-role-policy --role-name {} --policy-document {}",
            climb.role.role_name(),
            shell(&right.document.to_string())
        ),
        Err(_) => format!("{ask}\n{}", show_trust(climb)),
    }
}

/// A role that glueup did not make and does not change lacks something: where whoever keeps it finds the policy that
/// would be right.
pub(super) fn for_the_keeper(climb: &Climb, id: RungId, verdict: &mut Verdict) {
    if !climb.connection.adopted || verdict.status != Status::Failed || !verdict.denied {
        return;
    }
    let (what, command) = match (id, &climb.grant) {
        (RungId::Role, _) => ("The trust policy that lets us in", show_trust(climb)),
        (
            RungId::Databases | RungId::Tables | RungId::Rest | RungId::List | RungId::Read | RungId::Write,
            Some(grant),
        ) => ("The whole policy that the role needs for it", show_grant(grant)),
        _ => return,
    };
    let line = format!("{what}, for whoever keeps the role:\n{command}");
    verdict.next = Some(match verdict.next.take() {
        Some(next) => format!("{next}\n{line}"),
        None => line,
    });
}

fn show_trust(climb: &Climb) -> String {
    format!(
        "glueup template show connection {} --policy",
        shell(climb.connection.name.as_str())
    )
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
    let role = climb.role.role_name();
    let (beside, right) = if climb.connection.adopted {
        (
            format!(", which {} does not ask for", grant.holder),
            format!("\nThe whole policy that it does ask for:\n{}", show_grant(grant)),
        )
    } else {
        (format!(" beside the stack {}", grant.stack_name), String::new())
    };
    format!(
        "A policy of the role allows {action}{beside}. Find it and take it away:\n\
         aws iam list-role-policies --role-name {role}\n\
         aws iam list-attached-role-policies --role-name {role}{right}"
    )
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
