//! CreateStack, UpdateStack, DeleteStack: what is checked before anything is begun.

use super::model::{Before, Goal, OnFailure, Recipe, Stack, What, Work};
use super::provision;
use super::{arn_of_name, authorize, drive, no_such_stack, outcome, source};
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::ids;
use crate::demo::params::Params;
use crate::demo::world::World;
use crate::stack::cfn::{Bound, Pseudo, Template, TemplateError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Parameters of requests that ask for what is not here: refused, because ignoring them would do something else.
const REFUSED: [&str; 6] = [
    "RoleARN",
    "StackPolicyBody",
    "StackPolicyURL",
    "StackPolicyDuringUpdateBody",
    "StackPolicyDuringUpdateURL",
    "EnableTerminationProtection",
];

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
    let template = source::read(world, caller, params)?
        .ok_or_else(|| AwsError::validation("Either Template URL or Template Body must be specified."))?;
    let id = format!(
        "arn:aws:cloudformation:{region}:{}:stack/{name}/{}",
        caller.account,
        ids::uuid()
    );
    let recipe = recipe(template, given(params, None)?, params);
    let parsed = checked(&recipe, caller, region, &name, &id)?;
    let stack = Stack {
        id: id.clone(),
        name: name.clone(),
        account: caller.account.clone(),
        region: region.to_owned(),
        recipe,
        on_failure: on_failure(params)?,
        token: params.get("ClientRequestToken").map(str::to_owned),
        status: String::new(),
        reason: None,
        created: world.now(),
        updated: None,
        deleted: None,
        items: Vec::new(),
        outputs: Vec::new(),
        events: Vec::new(),
        work: None,
    };
    let order: Vec<String> = parsed
        .resources
        .iter()
        .map(|resource| resource.id.clone())
        .collect();
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
        let mut stack = stack;
        stack.turn(
            moment.shown,
            "CREATE_IN_PROGRESS",
            Some("User Initiated".to_owned()),
        );
        let mut work = Work::new(
            caller.clone(),
            Goal::Create,
            moment.real.saturating_add(drive::PACE_MS),
        );
        order
            .into_iter()
            .for_each(|logical| work.push(What::Put(logical)));
        stack.work = Some(work);
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
    let template = match source::read(world, caller, params)? {
        Some(template) => template,
        None if params.flag("UsePreviousTemplate") => old.recipe.template.clone(),
        None => {
            return Err(AwsError::validation(
                "Either Template URL or Template Body must be specified.",
            ));
        }
    };
    let mut recipe = recipe(template, given(params, Some(&old.recipe.parameters))?, params);
    if !params.has_list("Tags") {
        recipe.tags.clone_from(&old.recipe.tags);
    }
    let parsed = checked(&recipe, caller, region, &old.name, &old.id)?;
    if recipe.template == old.recipe.template
        && recipe.parameters == old.recipe.parameters
        && recipe.tags == old.recipe.tags
    {
        return Err(AwsError::validation("No updates are to be performed."));
    }
    let bound = parsed.bind(&recipe.parameters, pseudo(caller, region, &old.name, &old.id))?;
    let order: Vec<String> = parsed
        .resources
        .iter()
        .filter(|resource| bound.holds(resource.condition.as_deref()))
        .map(|resource| resource.id.clone())
        .collect();
    let kept: BTreeSet<String> = order.iter().cloned().collect();
    let moment = world.moment();
    world.change(|state| {
        let stack = state.stacks.get_mut(&old.id).ok_or_else(|| no_such_stack(name))?;
        if !matches!(
            stack.status.as_str(),
            "CREATE_COMPLETE" | "UPDATE_COMPLETE" | "UPDATE_ROLLBACK_COMPLETE"
        ) {
            return Err(AwsError::validation(format!(
                "Stack:{} is in {} state and can not be updated.",
                stack.id, stack.status
            )));
        }
        let mut work = Work::new(
            caller.clone(),
            Goal::Update,
            moment.real.saturating_add(drive::PACE_MS),
        );
        work.before = Some(Box::new(Before {
            recipe: stack.recipe.clone(),
            items: stack.items.clone(),
            outputs: stack.outputs.clone(),
        }));
        let (items, dropped) = std::mem::take(&mut stack.items)
            .into_iter()
            .partition(|item| kept.contains(&item.logical));
        stack.items = items;
        work.leftovers = dropped;
        order
            .into_iter()
            .for_each(|logical| work.push(What::Put(logical)));
        stack.recipe = recipe;
        stack.updated = Some(moment.shown);
        stack.turn(
            moment.shown,
            "UPDATE_IN_PROGRESS",
            Some("User Initiated".to_owned()),
        );
        stack.work = Some(work);
        Ok(())
    })?;
    drive::start(world, &old.id);
    Ok(old.id)
}

/// Begins a deletion. A stack that is not there is deleted already: no error, as AWS answers.
pub fn delete(world: &Arc<World>, caller: &Caller, region: &str, params: &Params) -> Result<(), AwsError> {
    let name = params.require("StackName")?;
    refuse_unknown(params)?;
    if params.has_list("RetainResources") {
        return Err(AwsError::validation("RetainResources is not supported here"));
    }
    authorize(world, caller, "DeleteStack", &arn_of_name(caller, region, name))?;
    let moment = world.moment();
    let id = world.change(|state| {
        let Some(id) = state
            .stacks
            .find(&caller.account, region, name)
            .map(|stack| stack.id.clone())
        else {
            return Ok(None);
        };
        let Some(stack) = state.stacks.get_mut(&id).filter(|stack| stack.is_there()) else {
            return Ok(None);
        };
        match &mut stack.work {
            Some(work) if work.goal == Goal::Delete => {}
            Some(work) => work.delete = Some(caller.clone()),
            None => {
                let mut work = Work::new(
                    caller.clone(),
                    Goal::Delete,
                    moment.real.saturating_add(drive::PACE_MS),
                );
                outcome::plan_delete(stack, &mut work, moment.shown);
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

/// What the pseudo parameters stand for in a stack.
pub(super) fn pseudo(caller: &Caller, region: &str, name: &str, id: &str) -> Pseudo {
    Pseudo {
        account_id: caller.account.clone(),
        region: region.to_owned(),
        partition: "aws".to_owned(),
        url_suffix: "amazonaws.com".to_owned(),
        stack_name: name.to_owned(),
        stack_id: id.to_owned(),
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

fn checked(
    recipe: &Recipe,
    caller: &Caller,
    region: &str,
    name: &str,
    id: &str,
) -> Result<Template, AwsError> {
    let template = Template::parse(&recipe.template)?;
    check_types(&template)?;
    let _: Bound<'_> = template.bind(&recipe.parameters, pseudo(caller, region, name, id))?;
    if let Some(needed) = template.capability()
        && !needed.covered_by(recipe.capabilities.iter().map(String::as_str))
    {
        return Err(AwsError::new(
            400,
            "InsufficientCapabilitiesException",
            format!("Requires capabilities : [{needed}]"),
        ));
    }
    Ok(template)
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
        "1 validation error detected: Value '{name}' at 'stackName' failed to satisfy constraint: {constraint}"
    )))
}

fn refuse_unknown(params: &Params) -> Result<(), AwsError> {
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
