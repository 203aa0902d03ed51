//! What to do about a hole, something that the role allows and that nobody asked for, and about what it lacks.

mod found;
mod left;
mod trust;
mod wide;

use super::climb::Climb;
use super::report::RungId;
use super::rung::Verdict;
use crate::cloud::RefusedBy;
use crate::domain::quote::shell;
use crate::domain::status::Status;
use crate::registry::Grant;
use crate::stack::policy;
pub(super) use found::found;
pub(super) use left::GOVERNED;
use trust::show_trust;
pub(super) use trust::{put_trust, trust};
use wide::show as show_policies;
pub(super) use wide::{no_point, of_bucket, read_bucket, too_wide};

/// Something is lacking: the document that would be right, as a command that puts it in place. Where something else than
/// the role's own policies refused, that is of no use, and nothing is said.
pub(super) async fn put_right(climb: &Climb, id: RungId, verdict: &mut Verdict) {
    // What a key refuses has words of its own.
    if verdict.status != Status::Failed || !verdict.denied || verdict.by_key {
        return;
    }
    let unexplained = climb.grant.as_ref().filter(|_| left::is_unexplained(verdict));
    if let Some(grant) = unexplained
        && let Some(causes) = left::causes(climb, grant, verdict).await
    {
        verdict.next = Some(causes);
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
    if let Some(grant) = unexplained
        && let Some(path) = left::path(climb, grant).await
        && let Some(next) = &mut verdict.next
    {
        next.push_str(&format!("\nThe way to S3 from here: {path}"));
    }
}

/// The policy that is right, as a command that puts it in place, behind these words.
pub(super) fn put_grant(climb: &Climb, grant: &Grant, words: &str) -> String {
    match policy::permissions(grant, &climb.connection) {
        Ok(right) => format!(
            "{words}\naws iam put-role-policy --role-name {} --policy-name {} --policy-document {}",
            shell(climb.role.role_name()),
            grant.stack_name,
            shell(&right.document.to_string())
        ),
        Err(_) => format!("{words}\n{}", show_grant(grant)),
    }
}

pub(super) fn show_grant(grant: &Grant) -> String {
    format!("glueup template show {}", grant.holder.command_with("--policy"))
}

/// What the role should carry, where a policy was found to be too wide that may be all that it has: what of a role was not
/// made by glueup is not put back by a stack. Empty otherwise.
fn asked_for(climb: &Climb) -> Vec<String> {
    if !climb.connection.adopted {
        return Vec::new();
    }
    let words = |grant: &Grant| {
        format!(
            "Should the role lack something then, the whole policy that {} does ask for ({} prints it alone):",
            grant.holder,
            show_grant(grant)
        )
    };
    climb
        .grants()
        .map(|grant| put_grant(climb, grant, &words(grant)))
        .collect()
}
