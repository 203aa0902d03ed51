//! What a stack's outputs and end mean for the record.

use crate::cloud::stacks::StackDescription;
use crate::domain::arn::RoleArn;
use crate::domain::problem::{Kind, Problem};
use crate::registry::{Connection, Grant, Granted, Holder, LeftOver};
use crate::report::Reporter;
use crate::session::Session;
use crate::setup::connection::made;
use crate::stack::desk::Desk;
use crate::stack::{Target, Update};
use std::cell::Cell;

/// Reads a complete stack's outputs into the record, so that nobody has to type them.
///
/// The record is read again first: following a stack takes minutes, in which somebody may have changed it.
///
/// # Errors
/// When an output is missing or odd, or the record cannot be written.
pub async fn outputs(
    session: &Session,
    desk: &Desk,
    stack: &StackDescription,
    reporter: &Reporter<Update>,
) -> Result<(), Problem> {
    let holder = match &desk.site.target {
        Target::Connection(name) => {
            let stored = session.home.connection(name)?;
            let changed = Connection {
                role_arn: Some(role_arn(stack)?),
                adopted: false,
                region: Some(desk.region.clone()),
                stack_id: Some(stack.id.clone()),
                ..stored.record.clone()
            };
            return write(session, &stored, changed);
        }
        Target::Grant(holder) => holder,
    };
    let now = session.home.grant(holder)?;
    if let Some(asked) = &desk.site.grant
        && asked.place() != now.place()
    {
        // Another access level or region is asked for by now, and with it another stack: this one is left behind.
        change(session, holder, |grant| {
            if !grant.left_over_stacks.contains(&asked.place()) {
                grant.left_over_stacks.push(asked.place());
            }
        })?;
        let line = format!(
            "the record was changed meanwhile, and asks for {}: {} is noted as left over; glueup deploy {} makes the other",
            now.stack_name,
            stack.name,
            holder.command()
        );
        reporter.tell(Update::Note(line)).await;
        return Ok(());
    }
    let asked = desk.site.grant.as_ref();
    let deployed = asked.is_none_or(|asked| asked.asks_for_the_same(&now));
    change(session, holder, |grant| {
        grant.stack_id = Some(stack.id.clone());
        grant.deployed = deployed;
    })
}

/// Changes what the record of whoever holds a grant says of its stacks.
fn change(session: &Session, holder: &Holder, how: impl Fn(&mut Grant)) -> Result<(), Problem> {
    match holder {
        Holder::Catalog(name) => {
            let stored = session.home.catalog(name)?;
            let mut changed = stored.record.clone();
            changed.take_stack(&changed_by(&how, Grant::from(&stored.record)));
            write(session, &stored, changed)
        }
        Holder::Storage(name) => {
            let stored = session.home.storage(name)?;
            let mut changed = stored.record.clone();
            changed.take_stack(&changed_by(&how, Grant::from(&stored.record)));
            write(session, &stored, changed)
        }
    }
}

fn changed_by(how: impl Fn(&mut Grant), mut grant: Grant) -> Grant {
    how(&mut grant);
    grant
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
    own_gone(session, target)?;
    match target {
        Target::Connection(_) => Ok(()),
        Target::Grant(holder) => change(session, holder, |grant| grant.left_over_stacks.clear()),
    }
}

/// Forgets the target's own stack, and no other that a change had left behind.
///
/// # Errors
/// When the record cannot be written.
pub fn own_gone(session: &Session, target: &Target) -> Result<(), Problem> {
    forget(session, target, None).map(drop)
}

/// The same, where the record still goes by the stack of that id; else false, and nothing is done.
///
/// # Errors
/// When the record cannot be written.
pub fn lost(session: &Session, target: &Target, id: &str) -> Result<bool, Problem> {
    forget(session, target, Some(id))
}

/// Forgets the target's own stack: any, or only the one of that id.
fn forget(session: &Session, target: &Target, only: Option<&str>) -> Result<bool, Problem> {
    let meant = |on_record: Option<&str>| only.is_none() || on_record == only;
    match target {
        Target::Connection(name) => {
            let stored = session.home.connection(name)?;
            if !meant(stored.stack_id.as_deref()) {
                return Ok(false);
            }
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
            write(session, &stored, changed)?;
            Ok(true)
        }
        Target::Grant(holder) => {
            let forgotten = Cell::new(false);
            change(session, holder, |grant| {
                if meant(grant.stack_id.as_deref()) {
                    grant.stack_id = None;
                    grant.deployed = false;
                    forgotten.set(true);
                }
            })?;
            Ok(forgotten.get())
        }
    }
}

/// The stack of whoever holds a grant does not grant any more what is asked for.
///
/// # Errors
/// When the record cannot be written.
pub fn outdated(session: &Session, holder: &Holder) -> Result<(), Problem> {
    change(session, holder, |grant| grant.deployed = false)
}

/// Forgets one stack that a change had left behind.
///
/// # Errors
/// When the record cannot be written.
pub fn left_over_gone(session: &Session, target: &Target, gone: &LeftOver) -> Result<(), Problem> {
    match target {
        Target::Connection(_) => Ok(()),
        Target::Grant(holder) => change(session, holder, |grant| {
            grant.left_over_stacks.retain(|left| left != gone);
        }),
    }
}
