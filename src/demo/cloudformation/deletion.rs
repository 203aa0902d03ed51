//! DeleteStack: what is checked before anything is begun.

use super::model::{Goal, Stack, Work};
use super::{arn_of_name, authorize, drive, operations, outcome, service_role};
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::world::World;
use std::sync::Arc;

/// Begins a deletion. A stack that is not there is deleted already: no error, as AWS answers.
pub fn delete(world: &Arc<World>, caller: &Caller, region: &str, params: &Params) -> Result<(), AwsError> {
    let name = params.require("StackName")?;
    operations::refuse_unknown(params)?;
    let keep = params.list("RetainResources");
    authorize(world, caller, "DeleteStack", &arn_of_name(caller, region, name))?;
    let role = service_role::passed(world, caller, params)?;
    let moment = world.moment();
    let id = world.change(|state| {
        let found = state.stacks.find(&caller.account, region, name);
        let Some(found) = found.filter(|stack| stack.is_there()) else {
            return Ok(None);
        };
        let worker = service_role::worker(&state.iam, moment, caller, found, role.as_ref())?;
        let id = found.id.clone();
        let Some(stack) = state.stacks.get_mut(&id) else {
            return Ok(None);
        };
        if !keep.is_empty() {
            check_retained(stack, &keep)?;
        }
        stack.role = role.or(stack.role.take());
        match &mut stack.work {
            Some(work) if work.goal == Goal::Delete => {}
            Some(work) => work.delete = Some(worker),
            None => {
                let mut work = Work::new(worker, Goal::Delete, moment.real.saturating_add(drive::PACE_MS));
                outcome::plan_delete(stack, &mut work, &keep, moment.shown);
                stack.work = Some(work);
            }
        }
        Ok(Some(id))
    })?;
    if let Some(id) = id {
        drive::start(world, &id);
    }
    Ok(())
}

/// Resources can be kept only of a stack whose deletion has failed, and only its own.
fn check_retained(stack: &Stack, keep: &[String]) -> Result<(), AwsError> {
    if stack.status != "DELETE_FAILED" {
        return Err(AwsError::validation(format!(
            "Invalid operation on stack [{}]. You can only specify RetainResources for a stack in DELETE_FAILED state",
            stack.id
        )));
    }
    match keep.iter().find(|logical| stack.item(logical).is_none()) {
        Some(unknown) => Err(AwsError::validation(format!(
            "The specified resources to retain [{unknown}] do not belong to stack [{}]",
            stack.name
        ))),
        None => Ok(()),
    }
}
