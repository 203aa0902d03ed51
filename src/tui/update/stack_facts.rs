//! What the records say of the two stacks of the Deploy step.

use crate::domain::account::AccountId;
use crate::domain::region::Region;
use crate::tui::model::{Half, Model};
use crate::tui::update::deploy::{half, records};

/// The account and region that the stacks belong in, as far as they are known.
pub fn stack_place(model: &Model) -> Option<(AccountId, Region)> {
    let (grant, connection) = records(model)?;
    let region = match (half(&grant, connection), &connection.region) {
        (Half::Connection, Some(own)) => own.clone(),
        _ => grant.region,
    };
    Some((connection.account_id.clone(), region))
}

/// The names of the two stacks, as far as they are known: the connection's, and the one that grants access.
pub fn stack_names(model: &Model) -> (Option<String>, Option<String>) {
    match records(model) {
        Some((grant, connection)) => (
            Some(connection.stack_name.to_string()),
            Some(grant.stack_name.to_string()),
        ),
        None => (None, None),
    }
}

/// Whether the stack that grants access is there and was made for something else than its record asks for now.
pub fn is_outdated(model: &Model) -> bool {
    records(model).is_some_and(|(grant, _)| grant.is_outdated())
}

/// The stacks that an earlier setting left behind: they grant until they are deleted.
pub fn left_over(model: &Model) -> Vec<String> {
    let left = records(model).map(|(grant, _)| grant.left_over_stacks);
    left.into_iter()
        .flatten()
        .map(|left| left.stack_name.to_string())
        .collect()
}

/// The permissions boundary that the connection's role is to get, where one is on record.
pub fn boundary(model: &Model) -> Option<String> {
    let (_, connection) = records(model)?;
    connection.permissions_boundary.as_ref().map(ToString::to_string)
}
