//! Which change set a request is about.

use crate::demo::caller::Caller;
use crate::demo::cloudformation::{arn_of_name, authorize};
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::world::{State, World};

/// What a request names.
pub(super) enum Found {
    /// A change set, by the ids of its stack and its own.
    Set(String, String),
    /// No change set of that name.
    Nothing(String),
}

impl Found {
    pub(super) fn into_existing(self) -> Result<(String, String), AwsError> {
        match self {
            Self::Set(stack, set) => Ok((stack, set)),
            Self::Nothing(name) => Err(not_found(&name)),
        }
    }
}

/// Finds the change set of a request, by its ARN or by its name and its stack, and asks the gate for `action`.
pub(super) fn locate(
    world: &World,
    caller: &Caller,
    region: &str,
    params: &Params,
    action: &str,
) -> Result<Found, AwsError> {
    let wanted = params.require("ChangeSetName")?;
    let stack_name = params.get("StackName").filter(|name| !name.is_empty());
    if stack_name.is_none() && !wanted.starts_with("arn:") {
        return Err(AwsError::validation(
            "StackName must be specified if ChangeSetName is not specified as an ARN.",
        ));
    }
    let find = |state: &State| {
        state
            .stacks
            .of(&caller.account, region)
            .filter(|stack| stack.is_there())
            .filter(|stack| stack_name.is_none_or(|name| stack.name == name || stack.id == name))
            .map(|stack| {
                let set = stack
                    .change_sets
                    .iter()
                    .find(|set| set.name == wanted || set.id == wanted);
                (stack.id.clone(), set.map(|set| set.id.clone()))
            })
            .max_by_key(|(_, set)| set.is_some())
    };
    let found = world.read(find);
    let resource = match (&found, stack_name) {
        (_, Some(name)) => arn_of_name(caller, region, name),
        (Some((stack, Some(_))), None) => stack.clone(),
        _ => arn_of_name(caller, region, "*"),
    };
    authorize(world, caller, action, &resource)?;
    match (found, stack_name) {
        (Some((stack, Some(set))), _) => Ok(Found::Set(stack, set)),
        (None, Some(name)) => Err(no_such_stack(name)),
        _ => Ok(Found::Nothing(wanted.to_owned())),
    }
}

pub(super) fn no_such_stack(name: &str) -> AwsError {
    AwsError::validation(format!("Stack [{name}] does not exist"))
}

pub(super) fn not_found(name: &str) -> AwsError {
    AwsError::new(
        404,
        "ChangeSetNotFound",
        format!("ChangeSet [{name}] does not exist"),
    )
}
