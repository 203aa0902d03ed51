//! Stack names that are taken. Names of records, and stack names in use, are refused by the registry itself, which
//! looks under its lock; what it does not know are the stacks that a change has left behind.

use crate::domain::problem::{Kind, Problem};
use crate::domain::stack_name::StackName;
use crate::registry::Holder;
use crate::session::Session;

/// Refuses a stack name that another record uses or has left behind. `of`: whose own stack it may be.
///
/// # Errors
/// `Usage` when it is taken, naming the record.
pub fn free_stack(session: &Session, stack: &StackName, of: Option<&Holder>) -> Result<(), Problem> {
    let connection = session
        .home
        .connections()?
        .records
        .iter()
        .find(|c| c.stack_name == *stack)
        .map(|c| format!("connection {}", c.name));
    let other = session
        .home
        .grants()?
        .iter()
        .find(|grant| {
            let left = grant
                .left_over_stacks
                .iter()
                .any(|left| left.stack_name == *stack);
            Some(&grant.holder) != of && (grant.stack_name == *stack || left)
        })
        .map(|grant| format!("{} {}", grant.holder.noun(), grant.holder));
    match connection.or(other) {
        None => Ok(()),
        Some(owner) => Err(Problem::new(
            Kind::Usage,
            format!("the stack name {stack} is taken"),
            format!("the {owner} uses it"),
            "choose another name: the stack's name is made from it",
        )),
    }
}
