//! Why a target has no stack that could be made, and what to do instead.

use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::operand;
use crate::domain::stack_name::StackName;
use crate::registry::{Connection, Grant};
use crate::stack::Target;
use crate::stack::by_hand;
use crate::stack::cfn::TemplateError;
use crate::stack::whose::{Difference, Owner};

/// Refuses a role that was there before: it is used as it is and never changed.
///
/// # Errors
/// `CheckFailed`, with where whoever keeps the role finds the policy that it needs.
pub fn not_adopted(connection: &Connection, target: &Target) -> Result<(), Problem> {
    let Some(role) = connection.role_arn.as_ref().filter(|_| connection.adopted) else {
        return Ok(());
    };
    let (what, why, shown) = match target {
        Target::Connection(name) => (
            format!("no stack belongs to connection {name}"),
            format!("it uses {role} as it is; glueup never changes it"),
            format!("connection {}", operand(name.as_str(), "--policy")),
        ),
        Target::Grant(holder) => (
            format!("no stack belongs to {} {holder}", holder.noun()),
            format!(
                "its connection {} uses {role} as it is; glueup never changes it",
                connection.name
            ),
            holder.command_with("--policy"),
        ),
    };
    Err(Problem::new(
        Kind::CheckFailed,
        what,
        why,
        format!("show whoever keeps the role the policy that it needs: glueup template show {shown}"),
    ))
}

/// A grant whose connection has no role yet.
pub fn waits(grant: &Grant, serving: &Connection) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        format!(
            "{} {} waits for its connection",
            grant.holder.noun(),
            grant.holder
        ),
        format!(
            "the role of connection {} is not known yet: its stack is not deployed",
            serving.name
        ),
        format!(
            "deploy the connection first: glueup deploy connection {}",
            operand(serving.name.as_str(), "")
        ),
    )
}

/// A value that the template does not take: better said before than by CloudFormation.
pub fn refused(stack: &StackName, error: &TemplateError) -> Problem {
    Problem::new(
        Kind::Usage,
        format!("the stack {stack} cannot be made like this"),
        error.message(),
        "change the record, then try again",
    )
}

/// The stack of that name grants something else.
pub fn not_ours(stack: &str, owner: &Owner, differences: &[Difference]) -> Problem {
    let list: Vec<String> = differences.iter().map(ToString::to_string).collect();
    Problem::new(
        Kind::CheckFailed,
        format!("the stack {stack} is not the one that this record asks for"),
        format!(
            "it was {}{} {}",
            owner.whose(),
            if *owner == Owner::Ours { ", but" } else { ":" },
            list.join("; ")
        ),
        match owner {
            Owner::Ours if differences.iter().any(by_hand::is_key) => {
                "deploy from here: it asks whether to keep the key that was given by hand, and shows what else changes"
            }
            Owner::Ours => "deploy from here: it shows what changes, and asks for your yes",
            _ => {
                "give the record another name, or delete that stack if nobody needs it; glueup never changes it"
            }
        },
    )
}
