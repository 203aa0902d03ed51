//! CloudFormation of the embedded AWS.
//!
//! A stack is really applied: the template is parsed and evaluated by [`crate::stack::cfn`], and each resource is made
//! with the rights of the caller, or of the service role that it passes, by the IAM of the embedded AWS. Work goes on in steps of a quarter of a second, so
//! that a person sees the events come; each step is kept on disk, so that a killed server goes on where it was.
//!
//! What is not here is refused by name: notifications, imports and exports.

mod change_sets;
mod deletion;
mod describe;
mod drive;
mod engine;
mod model;
mod operations;
mod outcome;
mod provision;
mod service_role;
mod source;
#[cfg(test)]
mod tests;
mod undo;

pub(super) use deletion::delete;
pub use drive::resume;
pub use model::Store;
pub(super) use model::{Event, Stack};
pub(super) use operations::{check_types, create};
pub(super) use source::read as read_template;

use super::caller::Caller;
use super::error::AwsError;
use super::params::Params;
use super::world::World;
use super::xml::Xml;
use crate::policy::Context;
use crate::stack::cfn::TemplateError;
use std::sync::Arc;

/// Answers one operation; the XML is what stands inside `<ActionResult>`.
pub fn handle(world: &Arc<World>, caller: &Caller, region: &str, params: &Params) -> Result<Xml, AwsError> {
    match params.action() {
        "CreateStack" => create(world, caller, region, params).map(|id| Xml::new().text("StackId", id)),
        "UpdateStack" => {
            operations::update(world, caller, region, params).map(|id| Xml::new().text("StackId", id))
        }
        "DeleteStack" => delete(world, caller, region, params).map(|()| Xml::new()),
        "ContinueUpdateRollback" => undo::proceed(world, caller, region, params).map(|()| Xml::new()),
        "RollbackStack" => undo::back(world, caller, region, params).map(|id| Xml::new().text("StackId", id)),
        "CreateChangeSet" => change_sets::create(world, caller, region, params),
        "DescribeChangeSet" => change_sets::describe(world, caller, region, params),
        "ExecuteChangeSet" => change_sets::execute(world, caller, region, params),
        "DeleteChangeSet" => change_sets::delete(world, caller, region, params),
        "ListChangeSets" => change_sets::list(world, caller, region, params),
        "DescribeStacks" => describe::stacks(world, caller, region, params),
        "DescribeStackEvents" => describe::events(world, caller, region, params),
        "DescribeStackResources" => describe::resources(world, caller, region, params),
        "DescribeStackResource" => describe::resource(world, caller, region, params),
        "ListStacks" => describe::list(world, caller, region, params),
        "GetTemplate" => describe::template(world, caller, region, params),
        "GetTemplateSummary" => describe::summary(world, caller, region, params),
        "ValidateTemplate" => describe::validate(world, caller, region, params),
        other => Err(AwsError::unknown_action(other)),
    }
}

/// Asks the gate whether the caller may do `action` on the stack (or `*`).
fn authorize(world: &World, caller: &Caller, action: &str, resource: &str) -> Result<(), AwsError> {
    world.authorize(
        caller,
        &format!("cloudformation:{action}"),
        resource,
        &Context::new(),
    )
}

/// The ARN of a stack by name, whichever of them it is.
fn arn_of_name(caller: &Caller, region: &str, name: &str) -> String {
    if name.starts_with("arn:") {
        return name.to_owned();
    }
    format!(
        "arn:aws:cloudformation:{region}:{}:stack/{name}/*",
        caller.account
    )
}

/// A stack that the caller's account has in the region: by id in any state, by name while it is not deleted.
pub(super) fn find<T>(
    world: &World,
    account: &str,
    region: &str,
    name_or_id: &str,
    look: impl FnOnce(&Stack) -> T,
) -> Result<T, AwsError> {
    world
        .read(|state| state.stacks.find(account, region, name_or_id).map(look))
        .ok_or_else(|| no_such_stack(name_or_id))
}

fn no_such_stack(name_or_id: &str) -> AwsError {
    AwsError::validation(format!("Stack with id {name_or_id} does not exist"))
}

impl From<TemplateError> for AwsError {
    fn from(error: TemplateError) -> Self {
        Self::validation(error.message())
    }
}
