//! A role's trust policy, put right without taking from others what is theirs.

use super::super::by_policy::{self, Who};
use super::super::climb::Climb;
use crate::domain::amount::counted;
use crate::domain::quote::{operand, shell};
use crate::setup::trust;
use crate::stack::policy;
use serde_json::Value;

/// A trust policy that asks for the external id, as a command that puts it in place.
pub(in crate::verify) async fn trust(climb: &Climb) -> String {
    put_trust(
        climb,
        "Ask for the external ID in every statement of the role's trust policy:",
    )
    .await
}

/// The trust policy that is right, as a command that puts it in place, behind these words. What others have in it stays;
/// where it cannot be read and the role is not ours, the statement to add is all that is said.
pub(in crate::verify) async fn put_trust(climb: &Climb, ask: &str) -> String {
    let mut connection = climb.connection.clone();
    let mut asking = None;
    if connection.broker_role_arn.is_none() && connection.trust.is_empty() {
        // Nobody is on record: whoever asked, which is who was let in.
        asking = climb.first().caller().and_then(|arn| trust::caller(&arn));
        connection.trust.extend(asking.clone());
    }
    let Ok(right) = policy::trust(&connection) else {
        return format!("{ask}\n{}", show_trust(climb));
    };
    let mut lines = vec![ask.to_owned()];
    let document = match climb.books.trust(climb).await {
        Ok(found) => {
            let who = asking.as_ref().map(Who::principal);
            let mended = by_policy::mended(climb, found, &right.document, who.as_ref());
            lines.extend(mended.changed);
            if mended.kept > 0 {
                let kept = counted(
                    mended.kept as u64,
                    "statement of others stays as it is",
                    "statements of others stay as they are",
                );
                lines.push(format!("It replaces the whole trust policy; {kept}:"));
            }
            mended.document
        }
        Err(_) if climb.connection.adopted => {
            lines.push(format!(
                "The trust policy could not be read here, and others may have statements in it: this is ours to have \
                 among them ({} prints it alone)",
                show_trust(climb)
            ));
            let statements = right.document.get("Statement").and_then(Value::as_array);
            lines.extend(statements.into_iter().flatten().map(Value::to_string));
            return lines.join("\n");
        }
        Err(_) => {
            lines.push("It replaces the whole trust policy, which could not be read here:".to_owned());
            right.document
        }
    };
    lines.push(format!(
        "aws iam update-assume-role-policy --role-name {} --policy-document {}",
        shell(climb.role.role_name()),
        shell(&document.to_string())
    ));
    lines.join("\n")
}

pub(super) fn show_trust(climb: &Climb) -> String {
    format!(
        "glueup template show connection {}",
        operand(climb.connection.name.as_str(), "--policy")
    )
}
