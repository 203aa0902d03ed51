//! CreateStack, UpdateStack: what is checked before anything is begun.

use super::model::{Before, Goal, OnFailure, Recipe, Stack, What, Work};
use super::provision;
use super::{arn_of_name, authorize, drive, no_such_stack, service_role, source};
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::world::{Moment, World};
use crate::stack::cfn::{Bound, Pseudo, Template, TemplateError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Parameters of requests that ask for what is not here: refused, because ignoring them would do something else.
const REFUSED: [&str; 5] = [
    "StackPolicyBody",
    "StackPolicyURL",
    "StackPolicyDuringUpdateBody",
    "StackPolicyDuringUpdateURL",
    "EnableTerminationProtection",
];

/// What a stack is to become: checked, and ready to be done.
pub(super) struct Plan {
    /// What it will be made from.
    pub(super) recipe: Recipe,
    /// The resources that will be there, each after what it needs.
    pub(super) order: Vec<String>,
}

/// Begins a stack; its id.
pub fn create(
    world: &Arc<World>,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<String, AwsError> {
    let name = params.require("StackName")?.to_owned();
    check_name(&name)?;
    refuse_unknown(params)?;
    authorize(world, caller, "CreateStack", &arn_of_name(caller, region, &name))?;
    let mut stack = Stack::new(caller, region, &name, world.now());
    let plan = plan(world, caller, params, &stack, true)?;
    stack.on_failure = on_failure(params)?;
    stack.token = params.get("ClientRequestToken").map(str::to_owned);
    let role = service_role::passed(world, caller, params)?;
    let moment = world.moment();
    let id = world.change(|state| {
        if let Some(there) = state.stacks.find(&caller.account, region, &name) {
            // The same request again, sent because its answer was lost, is the same stack.
            if stack.token.is_some() && there.token == stack.token {
                return Ok(there.id.clone());
            }
            return Err(AwsError::new(
                400,
                "AlreadyExistsException",
                format!("Stack [{name}] already exists"),
            ));
        }
        let worker = service_role::worker(&state.iam, moment, caller, &stack, role.as_ref())?;
        stack.role = role;
        begin_create(&mut stack, plan, &worker, moment);
        let id = stack.id.clone();
        state.stacks.insert(stack);
        Ok(id)
    })?;
    drive::start(world, &id);
    Ok(id)
}

/// Begins an update; the stack's id.
pub fn update(
    world: &Arc<World>,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<String, AwsError> {
    let name = params.require("StackName")?;
    refuse_unknown(params)?;
    authorize(world, caller, "UpdateStack", &arn_of_name(caller, region, name))?;
    let old = super::find(world, &caller.account, region, name, Clone::clone)?;
    if !old.is_there() {
        return Err(no_such_stack(name));
    }
    let plan = plan(world, caller, params, &old, false)?;
    if plan.recipe.template == old.recipe.template
        && plan.recipe.parameters == old.recipe.parameters
        && plan.recipe.tags == old.recipe.tags
    {
        return Err(AwsError::validation("No updates are to be performed."));
    }
    let role = service_role::passed(world, caller, params)?;
    let moment = world.moment();
    world.change(|state| {
        let worker = service_role::worker(&state.iam, moment, caller, &old, role.as_ref())?;
        let stack = state.stacks.get_mut(&old.id).ok_or_else(|| no_such_stack(name))?;
        check_updatable(stack)?;
        // They were worked out for the stack as it was.
        stack.change_sets.clear();
        stack.role = role.or(stack.role.take());
        begin_update(stack, plan, &worker, params.flag("DisableRollback"), moment);
        Ok(())
    })?;
    drive::start(world, &old.id);
    Ok(old.id)
}

/// Reads and checks what a stack is to become; a `fresh` one has nothing to be kept of before.
pub(super) fn plan(
    world: &World,
    caller: &Caller,
    params: &Params,
    stack: &Stack,
    fresh: bool,
) -> Result<Plan, AwsError> {
    let old = (!fresh).then_some(&stack.recipe);
    let template = match (source::read(world, caller, params)?, old) {
        (Some(template), _) => template,
        (None, Some(old)) if params.flag("UsePreviousTemplate") => old.template.clone(),
        (None, _) => {
            return Err(AwsError::validation(
                "Either Template URL or Template Body must be specified.",
            ));
        }
    };
    let mut recipe = recipe(template, given(params, old.map(|old| &old.parameters))?, params);
    if let Some(old) = old
        && !params.has_list("Tags")
    {
        recipe.tags.clone_from(&old.tags);
    }
    let template = Template::parse(&recipe.template)?;
    check_types(&template)?;
    let bound: Bound<'_> = template.bind(&recipe.parameters, pseudo(stack))?;
    if let Some(needed) = template.capability()
        && !needed.covered_by(recipe.capabilities.iter().map(String::as_str))
    {
        return Err(AwsError::new(
            400,
            "InsufficientCapabilitiesException",
            format!("Requires capabilities : [{needed}]"),
        ));
    }
    let order = template
        .resources
        .iter()
        .filter(|resource| bound.holds(resource.condition.as_deref()))
        .map(|resource| resource.id.clone())
        .collect();
    Ok(Plan { recipe, order })
}

/// Turns a stack in which nothing is yet to being made.
pub(super) fn begin_create(stack: &mut Stack, plan: Plan, caller: &Caller, moment: Moment) {
    let mut work = Work::new(
        caller.clone(),
        Goal::Create,
        moment.real.saturating_add(drive::PACE_MS),
    );
    for logical in plan.order {
        work.push(What::Put(logical));
    }
    stack.recipe = plan.recipe;
    stack.turn(
        moment.shown,
        "CREATE_IN_PROGRESS",
        Some("User Initiated".to_owned()),
    );
    stack.work = Some(work);
}

/// Turns a stack to being updated; one that `keeps` stays as it is where that fails.
pub(super) fn begin_update(stack: &mut Stack, plan: Plan, caller: &Caller, keeps: bool, moment: Moment) {
    let mut work = Work::new(
        caller.clone(),
        Goal::Update,
        moment.real.saturating_add(drive::PACE_MS),
    );
    work.keeps = keeps;
    work.before = Some(Box::new(Before {
        recipe: stack.recipe.clone(),
        items: stack.items.clone(),
        outputs: stack.outputs.clone(),
    }));
    let (items, dropped) = std::mem::take(&mut stack.items)
        .into_iter()
        .partition(|item| plan.order.contains(&item.logical));
    stack.items = items;
    work.leftovers = dropped;
    for logical in plan.order {
        work.push(What::Put(logical));
    }
    stack.recipe = plan.recipe;
    stack.updated = Some(moment.shown);
    stack.turn(
        moment.shown,
        "UPDATE_IN_PROGRESS",
        Some("User Initiated".to_owned()),
    );
    stack.work = Some(work);
}

/// Refuses to update a stack that is not at rest, or in which nothing is.
pub(super) fn check_updatable(stack: &Stack) -> Result<(), AwsError> {
    if matches!(
        stack.status.as_str(),
        "CREATE_COMPLETE" | "UPDATE_COMPLETE" | "UPDATE_ROLLBACK_COMPLETE"
    ) {
        return Ok(());
    }
    // AWS goes on from there; here it is led back first.
    if stack.status == "UPDATE_FAILED" {
        return Err(AwsError::validation(
            "The update of a stack in UPDATE_FAILED state is not supported here: roll it back",
        ));
    }
    Err(AwsError::validation(format!(
        "Stack:{} is in {} state and can not be updated.",
        stack.id, stack.status
    )))
}

/// What the pseudo parameters stand for in a stack.
pub(super) fn pseudo(stack: &Stack) -> Pseudo {
    Pseudo {
        account_id: stack.account.clone(),
        region: stack.region.clone(),
        partition: "aws".to_owned(),
        url_suffix: "amazonaws.com".to_owned(),
        stack_name: stack.name.clone(),
        stack_id: stack.id.clone(),
    }
}

/// Refuses types that are not known here, and properties that a known type does not have.
pub fn check_types(template: &Template) -> Result<(), AwsError> {
    let unknown: BTreeSet<&str> = template
        .resources
        .iter()
        .map(|resource| resource.kind.as_str())
        .filter(|kind| !provision::is_known(kind))
        .collect();
    if !unknown.is_empty() {
        let unknown: Vec<&str> = unknown.into_iter().collect();
        return Err(TemplateError::unsound(&format!(
            "Unrecognized resource types: [{}]",
            unknown.join(", ")
        ))
        .into());
    }
    if template.outputs.iter().any(|output| output.export.is_some()) {
        return Err(AwsError::validation("Exports are not supported here"));
    }
    Ok(())
}

fn recipe(template: String, parameters: BTreeMap<String, String>, params: &Params) -> Recipe {
    Recipe {
        template,
        parameters,
        tags: params
            .structs("Tags")
            .iter()
            .map(|tag| {
                (
                    tag.get("Key").unwrap_or_default().to_owned(),
                    tag.get("Value").unwrap_or_default().to_owned(),
                )
            })
            .collect(),
        capabilities: params.list("Capabilities"),
    }
}

/// The parameters of a request. `UsePreviousValue` takes the one of the stack as it is.
fn given(
    params: &Params,
    old: Option<&BTreeMap<String, String>>,
) -> Result<BTreeMap<String, String>, AwsError> {
    let mut given = BTreeMap::new();
    for parameter in params.structs("Parameters") {
        let key = parameter.require("ParameterKey")?.to_owned();
        let value = if parameter.flag("UsePreviousValue") {
            let Some(old) = old else {
                return Err(AwsError::validation(format!(
                    "Invalid input for parameter key {key}. Cannot specify usePreviousValue as true for a parameter key \
                     not in the previous template"
                )));
            };
            old.get(&key).cloned()
        } else {
            Some(parameter.get("ParameterValue").unwrap_or_default().to_owned())
        };
        if let Some(value) = value {
            given.insert(key, value);
        }
    }
    Ok(given)
}

fn on_failure(params: &Params) -> Result<OnFailure, AwsError> {
    match (params.get("OnFailure"), params.flag("DisableRollback")) {
        (Some(_), _) if params.get("DisableRollback").is_some() => Err(AwsError::validation(
            "You can specify either DisableRollback or OnFailure, but not both.",
        )),
        (None, true) | (Some("DO_NOTHING"), _) => Ok(OnFailure::Nothing),
        (None, false) | (Some("ROLLBACK"), _) => Ok(OnFailure::Rollback),
        (Some("DELETE"), _) => Ok(OnFailure::Delete),
        (Some(other), _) => Err(AwsError::validation(format!(
            "1 validation error detected: Value '{other}' at 'onFailure' failed to satisfy constraint: Member must \
             satisfy enum value set: [ROLLBACK, DELETE, DO_NOTHING]"
        ))),
    }
}

pub(super) fn check_name(name: &str) -> Result<(), AwsError> {
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
        "1 validation error detected: Value '{name}' at 'stackName' failed to satisfy constraint: {constraint}"
    )))
}

pub(super) fn refuse_unknown(params: &Params) -> Result<(), AwsError> {
    match REFUSED.iter().find(|name| {
        params
            .get(name)
            .is_some_and(|value| !matches!(value, "" | "false"))
    }) {
        Some(name) => Err(AwsError::validation(format!("{name} is not supported here"))),
        None if !params.list("NotificationARNs").is_empty() => {
            Err(AwsError::validation("NotificationARNs is not supported here"))
        }
        None => Ok(()),
    }
}
