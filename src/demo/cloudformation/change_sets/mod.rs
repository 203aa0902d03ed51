//! Change sets: what a stack would become, worked out before anything is done, and done on request.

mod diff;
mod kept;
mod locate;
mod show;

pub use kept::ChangeSet;
pub(super) use show::{describe, list};

use super::model::{Goal, OnFailure, Recipe, Stack};
use super::operations::{self, Plan};
use super::{arn_of_name, authorize, drive, service_role};
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::ids;
use crate::demo::params::Params;
use crate::demo::world::World;
use crate::demo::xml::Xml;
use kept::Status;
use locate::{Found, locate, no_such_stack, not_found};
use std::sync::Arc;

/// Parameters of requests that ask for what is not here: refused, because ignoring them would do something else.
const REFUSED: [&str; 4] = [
    "ImportExistingResources",
    "IncludeNestedStacks",
    "OnStackFailure",
    "DeploymentMode",
];

/// Makes a change set. One that creates makes its stack too, which holds nothing and is in review.
pub(super) fn create(world: &World, caller: &Caller, region: &str, params: &Params) -> Result<Xml, AwsError> {
    let name = params.require("StackName")?;
    let set_name = params.require("ChangeSetName")?.to_owned();
    check_name(&set_name)?;
    operations::refuse_unknown(params)?;
    refuse_unknown(params)?;
    authorize(
        world,
        caller,
        "CreateChangeSet",
        &arn_of_name(caller, region, name),
    )?;
    let creates = match params.get("ChangeSetType").filter(|kind| !kind.is_empty()) {
        None | Some("UPDATE") => false,
        Some("CREATE") => true,
        Some(other) => {
            return Err(AwsError::validation(format!(
                "ChangeSetType {other} is not supported here"
            )));
        }
    };
    let (target, is_there) = target(world, caller, region, name, &set_name, creates)?;
    let plan = operations::plan(world, caller, params, &target, creates)?;
    let role = service_role::passed(world, caller, params)?;
    let moment = world.moment();
    let set = |stack: &Stack, plan: Plan| {
        let changes = diff::changes(stack, &plan);
        let failed = (changes.is_empty() && !diff::beside_resources(stack, &plan)).then(|| {
            "The submitted information didn't contain changes. Submit different information to create a change set."
                .to_owned()
        });
        ChangeSet {
            id: format!(
                "arn:aws:cloudformation:{region}:{}:changeSet/{set_name}/{}",
                caller.account,
                ids::uuid()
            ),
            name: set_name.clone(),
            description: params.get("Description").map(str::to_owned),
            token: params.get("ClientToken").map(str::to_owned),
            creates,
            recipe: plan.recipe,
            role: role.clone(),
            order: plan.order,
            changes,
            failed,
            created: moment.shown,
            ready: moment.real.saturating_add(drive::PACE_MS),
            executed: false,
        }
    };
    let (id, stack_id) = world.change(|state| {
        service_role::worker(&state.iam, moment, caller, &target, role.as_ref())?;
        let found = state.stacks.find(&caller.account, region, &target.name);
        if let Some(stack) = found {
            fits(stack, &set_name, creates)?;
            if let Some(same) = stack.change_sets.iter().find(|set| set.name == set_name) {
                return repeated(same, &plan.recipe, stack);
            }
        }
        let stack_id = match found.map(|stack| stack.id.clone()) {
            Some(id) => id,
            None if is_there => return Err(no_such_stack(&target.name)),
            None => {
                let mut stack = target;
                let id = stack.id.clone();
                stack.turn(
                    moment.shown,
                    "REVIEW_IN_PROGRESS",
                    Some("User Initiated".to_owned()),
                );
                state.stacks.insert(stack);
                id
            }
        };
        let stack = state
            .stacks
            .get_mut(&stack_id)
            .ok_or_else(|| no_such_stack(&stack_id))?;
        let set = set(stack, plan);
        let id = set.id.clone();
        stack.change_sets.push(set);
        Ok((id, stack_id))
    })?;
    Ok(Xml::new().text("Id", id).text("StackId", stack_id))
}

/// Does what a change set says, and drops the others of its stack, which are about a stack that is no more.
pub(super) fn execute(
    world: &Arc<World>,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<Xml, AwsError> {
    operations::refuse_unknown(params)?;
    let found = locate(world, caller, region, params, "ExecuteChangeSet")?;
    let (stack_id, set) = found.into_existing()?;
    let on_failure = if params.flag("DisableRollback") {
        OnFailure::Nothing
    } else {
        OnFailure::Rollback
    };
    let moment = world.moment();
    world.change(|state| {
        let found = state.stacks.find(&caller.account, region, &stack_id);
        let found = found.ok_or_else(|| no_such_stack(&stack_id))?;
        let Some(set) = found.change_sets.iter().find(|own| own.id == set).cloned() else {
            return Err(not_found(&set));
        };
        let worker = service_role::worker(&state.iam, moment, caller, found, set.role.as_ref())?;
        let stack = state
            .stacks
            .get_mut(&stack_id)
            .ok_or_else(|| no_such_stack(&stack_id))?;
        if set.status(moment.real) != Status::Complete {
            return Err(wrong_status(&set, "status", set.status(moment.real).as_str()));
        }
        if set.executed {
            let execution = set.execution(stack, moment.real);
            return Err(wrong_status(&set, "execution status", execution));
        }
        if !set.creates {
            operations::check_updatable(stack)?;
        }
        let plan = Plan {
            recipe: set.recipe.clone(),
            order: set.order.clone(),
        };
        stack.role = set.role.clone().or(stack.role.take());
        stack.change_sets.retain(|own| own.id == set.id);
        if let Some(own) = stack.change_sets.first_mut() {
            own.executed = true;
        }
        if set.creates {
            stack.on_failure = on_failure;
            operations::begin_create(stack, plan, &worker, moment);
        } else {
            let keeps = on_failure == OnFailure::Nothing;
            operations::begin_update(stack, plan, &worker, keeps, moment);
        }
        Ok(())
    })?;
    drive::start(world, &stack_id);
    Ok(Xml::new())
}

/// Deletes a change set. One that is not there is deleted already; the stack of one that creates stays in review.
pub(super) fn delete(world: &World, caller: &Caller, region: &str, params: &Params) -> Result<Xml, AwsError> {
    let found = locate(world, caller, region, params, "DeleteChangeSet")?;
    let Found::Set(stack_id, set) = found else {
        return Ok(Xml::new());
    };
    world.change(|state| {
        let Some(stack) = state.stacks.get_mut(&stack_id) else {
            return Ok(());
        };
        let busy = stack.work.is_some();
        if let Some(own) = stack.change_sets.iter().find(|own| own.id == set)
            && own.executed
            && busy
        {
            return Err(AwsError::new(
                400,
                "InvalidChangeSetStatus",
                format!("ChangeSet [{}] is being executed and cannot be deleted", own.id),
            ));
        }
        stack.change_sets.retain(|own| own.id != set);
        Ok(())
    })?;
    Ok(Xml::new())
}

/// The stack of a request for a change set, and whether it is there already.
fn target(
    world: &World,
    caller: &Caller,
    region: &str,
    name: &str,
    set: &str,
    creates: bool,
) -> Result<(Stack, bool), AwsError> {
    let there = world.read(|state| {
        let found = state.stacks.find(&caller.account, region, name);
        found.filter(|stack| stack.is_there()).cloned()
    });
    match there {
        Some(stack) => {
            fits(&stack, set, creates)?;
            Ok((stack, true))
        }
        None if creates => {
            operations::check_name(name)?;
            Ok((Stack::new(caller, region, name, world.now()), false))
        }
        None => Err(no_such_stack(name)),
    }
}

/// Refuses to create a stack that is there, and to update one that cannot be.
fn fits(stack: &Stack, set: &str, creates: bool) -> Result<(), AwsError> {
    if !creates {
        return operations::check_updatable(stack);
    }
    if stack.status == "REVIEW_IN_PROGRESS" {
        return Ok(());
    }
    Err(AwsError::validation(format!(
        "Stack [{}] already exists and cannot be created again with the changeSet [{set}].",
        stack.name
    )))
}

/// A name that is taken: the same request again is the same change set, another one is refused.
fn repeated(same: &ChangeSet, wanted: &Recipe, stack: &Stack) -> Result<(String, String), AwsError> {
    let differs = [
        ("Template", same.recipe.template != wanted.template),
        ("Parameters", same.recipe.parameters != wanted.parameters),
        ("Tags", same.recipe.tags != wanted.tags),
    ];
    match differs.iter().find(|(_, differs)| *differs) {
        None => Ok((same.id.clone(), stack.id.clone())),
        Some((attribute, _)) => Err(AwsError::new(
            400,
            "AlreadyExistsException",
            format!(
                "ChangeSet {} cannot be created due to a mismatch with existing attribute {attribute}",
                same.name
            ),
        )),
    }
}

fn check_name(name: &str) -> Result<(), AwsError> {
    let constraint = if name.len() > 128 {
        "Member must have length less than or equal to 128"
    } else if name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    {
        return Ok(());
    } else {
        "Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"
    };
    Err(AwsError::validation(format!(
        "1 validation error detected: Value '{name}' at 'changeSetName' failed to satisfy constraint: {constraint}"
    )))
}

fn refuse_unknown(params: &Params) -> Result<(), AwsError> {
    let asked = REFUSED.iter().find(|name| {
        params
            .get(name)
            .is_some_and(|value| !matches!(value, "" | "false"))
    });
    match asked {
        Some(name) => Err(AwsError::validation(format!("{name} is not supported here"))),
        None if params.has_list("ResourcesToImport") => {
            Err(AwsError::validation("ResourcesToImport is not supported here"))
        }
        None => Ok(()),
    }
}

fn wrong_status(set: &ChangeSet, which: &str, status: &str) -> AwsError {
    AwsError::new(
        400,
        "InvalidChangeSetStatus",
        format!(
            "ChangeSet [{}] cannot be executed in its current {which} of [{status}]",
            set.id
        ),
    )
}

/// How far the execution of a change set is, by the work on its stack.
fn course_of(stack: &Stack) -> &'static str {
    let undoing = |goal: Goal| {
        matches!(
            goal,
            Goal::UndoCreate | Goal::UndoCreateWhole | Goal::UndoUpdate | Goal::CleanUndone | Goal::Delete
        )
    };
    match &stack.work {
        Some(work) if !undoing(work.goal) => "EXECUTE_IN_PROGRESS",
        None if matches!(stack.status.as_str(), "CREATE_COMPLETE" | "UPDATE_COMPLETE") => "EXECUTE_COMPLETE",
        _ => "EXECUTE_FAILED",
    }
}
