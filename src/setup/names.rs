//! Stack names that are taken. Names of records, and stack names in use, are refused by the registry itself, which
//! looks under its lock; what it does not know are the stacks that a change has left behind.

use crate::domain::names::CatalogName;
use crate::domain::problem::{Kind, Problem};
use crate::domain::stack_name::StackName;
use crate::session::Session;

/// Refuses a stack name that another record uses or has left behind. `of`: the catalog whose own stack it may be.
///
/// # Errors
/// `Usage` when it is taken, naming the record.
pub fn free_stack(session: &Session, stack: &StackName, of: Option<&CatalogName>) -> Result<(), Problem> {
    let connection = session
        .home
        .connections()?
        .records
        .iter()
        .find(|c| c.stack_name == *stack)
        .map(|c| format!("connection {}", c.name));
    let catalog = session
        .home
        .catalogs()?
        .records
        .iter()
        .find(|c| {
            let left = c.left_over_stacks.iter().any(|left| left.stack_name == *stack);
            Some(&c.name) != of && (c.stack_name == *stack || left)
        })
        .map(|c| format!("catalog {}", c.name));
    match connection.or(catalog) {
        None => Ok(()),
        Some(owner) => Err(Problem::new(
            Kind::Usage,
            format!("the stack name {stack} is taken"),
            format!("the {owner} uses it"),
            "choose another name: the stack's name is made from it",
        )),
    }
}
