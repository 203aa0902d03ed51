//! ContinueUpdateRollback: the undoing of an update that has failed is tried again, once whatever kept it is mended.
//! RollbackStack: an update that has failed and was kept as it was then is taken back.

use super::model::{Goal, Stack, What, Work};
use super::{arn_of_name, authorize, drive, no_such_stack, operations, outcome, service_role};
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::world::World;
use crate::stack::cfn::Template;
use std::sync::Arc;

/// Begins it. Resources that are to be skipped are taken for what they should be, whatever they are.
pub(super) fn proceed(
    world: &Arc<World>,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<(), AwsError> {
    let name = params.require("StackName")?;
    operations::refuse_unknown(params)?;
    authorize(
        world,
        caller,
        "ContinueUpdateRollback",
        &arn_of_name(caller, region, name),
    )?;
    let skip = params.list("ResourcesToSkip");
    let role = service_role::passed(world, caller, params)?;
    let moment = world.moment();
    let id = world.change(|state| {
        let found = state.stacks.find(&caller.account, region, name);
        let found = found.ok_or_else(|| no_such_stack(name))?;
        let worker = service_role::worker(&state.iam, moment, caller, found, role.as_ref())?;
        let id = found.id.clone();
        let stack = state.stacks.get_mut(&id).ok_or_else(|| no_such_stack(name))?;
        if stack.status != "UPDATE_ROLLBACK_FAILED" || stack.work.is_some() {
            return Err(AwsError::validation(format!(
                "Stack [{name}] is in {} state and can not continue the rollback of an update.",
                stack.status
            )));
        }
        check_skipped(stack, &skip)?;
        let order = Template::parse(&stack.recipe.template)?
            .resources
            .iter()
            .map(|resource| resource.id.clone())
            .collect::<Vec<_>>();
        let due = moment.real.saturating_add(drive::PACE_MS);
        stack.role = role.or(stack.role.take());
        let mut work = Work::new(worker, Goal::UndoUpdate, due);
        work.leftovers = std::mem::take(&mut stack.not_undone);
        stack.turn(
            moment.shown,
            "UPDATE_ROLLBACK_IN_PROGRESS",
            Some("User Initiated".to_owned()),
        );
        for logical in order {
            if !skip.contains(&logical) {
                work.push(What::Put(logical));
            } else if let Some(item) = stack.item(&logical).cloned() {
                stack.tell(
                    moment.shown,
                    &item,
                    "UPDATE_COMPLETE",
                    Some("Resource skipped".to_owned()),
                );
                if let Some(own) = stack.item_mut(&logical) {
                    own.unsure = false;
                }
            }
        }
        stack.work = Some(work);
        Ok(id)
    })?;
    drive::start(world, &id);
    Ok(())
}

/// Takes back an update that has failed; the stack's id. A creation that has failed is not taken back here: what AWS makes
/// of that, its reference tells in two ways.
pub(super) fn back(
    world: &Arc<World>,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<String, AwsError> {
    let name = params.require("StackName")?;
    operations::refuse_unknown(params)?;
    if params.flag("RetainExceptOnCreate") {
        return Err(AwsError::validation("RetainExceptOnCreate is not supported here"));
    }
    authorize(world, caller, "RollbackStack", &arn_of_name(caller, region, name))?;
    let role = service_role::passed(world, caller, params)?;
    let moment = world.moment();
    let id = world.change(|state| {
        let found = state.stacks.find(&caller.account, region, name);
        let found = found.ok_or_else(|| no_such_stack(name))?;
        let worker = service_role::worker(&state.iam, moment, caller, found, role.as_ref())?;
        let id = found.id.clone();
        let stack = state.stacks.get_mut(&id).ok_or_else(|| no_such_stack(name))?;
        if stack.status == "CREATE_FAILED" {
            return Err(AwsError::validation(
                "RollbackStack of a stack in CREATE_FAILED state is not supported here",
            ));
        }
        let Some(before) = stack.halted.take().filter(|_| stack.status == "UPDATE_FAILED") else {
            return Err(AwsError::validation(format!(
                "Stack [{name}] is in {} state and can not be rolled back.",
                stack.status
            )));
        };
        let due = moment.real.saturating_add(drive::PACE_MS);
        stack.role = role.or(stack.role.take());
        let mut work = Work::new(worker, Goal::UndoUpdate, due);
        work.before = Some(before);
        work.leftovers = std::mem::take(&mut stack.not_undone);
        outcome::undo_update(stack, &mut work, "User Initiated".to_owned(), moment.shown);
        stack.work = Some(work);
        Ok(id)
    })?;
    drive::start(world, &id);
    Ok(id)
}

/// Only what has failed to be put back can be skipped.
fn check_skipped(stack: &Stack, skip: &[String]) -> Result<(), AwsError> {
    let failed = |logical: &String| {
        stack
            .item(logical)
            .is_some_and(|item| item.status == "UPDATE_FAILED")
    };
    match skip.iter().find(|logical| !failed(logical)) {
        Some(other) => Err(AwsError::validation(format!(
            "The following resources to skip do not have UPDATE_FAILED state: [{other}]"
        ))),
        None => Ok(()),
    }
}
