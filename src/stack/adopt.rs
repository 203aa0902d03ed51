//! What a stack's outputs and end mean for the record.

use crate::cloud::stacks::StackDescription;
use crate::domain::arn::RoleArn;
use crate::domain::problem::{Kind, Problem};
use crate::registry::{Connection, Granted, Holder, LeftOver};
use crate::session::Session;
use crate::setup::connection::made;
use crate::stack::Target;
use crate::stack::desk::Desk;

/// Reads a complete stack's outputs into the record, so that nobody has to type them.
///
/// The record is read again first: following a stack takes minutes, in which somebody may have changed it.
///
/// # Errors
/// When an output is missing or odd, or the record cannot be written.
pub fn outputs(session: &Session, desk: &Desk, stack: &StackDescription) -> Result<(), Problem> {
    match &desk.site.target {
        Target::Connection(name) => {
            let stored = session.home.connection(name)?;
            let changed = Connection {
                role_arn: Some(role_arn(stack)?),
                adopted: false,
                region: Some(desk.region.clone()),
                stack_id: Some(stack.id.clone()),
                ..stored.record.clone()
            };
            write(session, &stored, changed)
        }
        Target::Grant(holder) => {
            let now = session.home.grant(holder)?;
            let asked = desk.site.grant.as_ref();
            if asked.is_none_or(|asked| asked.asks_for_the_same(&now)) {
                change(session, holder, |record| record.made(&stack.id))
            } else {
                change(session, holder, |record| record.seen(&stack.id))
            }
        }
    }
}

/// Changes the record of whoever holds a grant.
fn change(session: &Session, holder: &Holder, how: impl Fn(&mut dyn Granted)) -> Result<(), Problem> {
    match holder {
        Holder::Catalog(name) => {
            let stored = session.home.catalog(name)?;
            let mut changed = stored.record.clone();
            how(&mut changed);
            write(session, &stored, changed)
        }
        Holder::Storage(name) => {
            let stored = session.home.storage(name)?;
            let mut changed = stored.record.clone();
            how(&mut changed);
            write(session, &stored, changed)
        }
    }
}

/// Writes a changed record; one that is as it was is left alone.
fn write<T>(session: &Session, stored: &crate::registry::Stored<T>, changed: T) -> Result<(), Problem>
where
    T: crate::registry::Record + PartialEq,
{
    if stored.record == changed {
        return Ok(());
    }
    session.home.update(stored, changed).map(drop)
}

fn role_arn(stack: &StackDescription) -> Result<RoleArn, Problem> {
    let odd = |why: String| {
        Problem::new(
            Kind::CheckFailed,
            format!("{} is complete, but does not tell its role", stack.name),
            why,
            "was it made from another template? Delete it and deploy again",
        )
    };
    let text = stack
        .outputs
        .get("RoleArn")
        .ok_or_else(|| odd("it has no output RoleArn".to_owned()))?;
    text.parse()
        .map_err(|error| odd(format!("its output RoleArn is wrong: {error}")))
}

/// Forgets that the target was deployed, after its stacks were deleted.
///
/// # Errors
/// When the record cannot be written.
pub fn gone(session: &Session, target: &Target) -> Result<(), Problem> {
    match target {
        Target::Connection(name) => {
            let stored = session.home.connection(name)?;
            // A role that was adopted was never the stack's.
            let role_arn = if made(&stored) {
                None
            } else {
                stored.role_arn.clone()
            };
            let changed = Connection {
                role_arn,
                stack_id: None,
                ..stored.record.clone()
            };
            write(session, &stored, changed)
        }
        Target::Grant(holder) => change(session, holder, |record| record.gone()),
    }
}

/// Forgets one stack that a change had left behind.
///
/// # Errors
/// When the record cannot be written.
pub fn left_over_gone(session: &Session, target: &Target, gone: &LeftOver) -> Result<(), Problem> {
    match target {
        Target::Connection(_) => Ok(()),
        Target::Grant(holder) => change(session, holder, |record| record.left_over_gone(gone)),
    }
}
