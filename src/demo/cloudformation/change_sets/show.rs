//! The operations on change sets that only look.

use super::super::describe::page;
use super::super::model::Stack;
use super::kept::{Action, Change, ChangeSet, Replacement};
use super::locate::{locate, no_such_stack, not_found};
use crate::demo::caller::Caller;
use crate::demo::clock;
use crate::demo::cloudformation::{arn_of_name, authorize};
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::world::World;
use crate::demo::xml::Xml;

pub(in super::super) fn describe(
    world: &World,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<Xml, AwsError> {
    let (stack_id, set) = locate(world, caller, region, params, "DescribeChangeSet")?.into_existing()?;
    let real = world.moment().real;
    world.read(|state| {
        let stack = state.stacks.find(&caller.account, region, &stack_id);
        let found =
            stack.and_then(|stack| Some((stack, stack.change_sets.iter().find(|own| own.id == set)?)));
        let Some((stack, set)) = found else {
            return Err(not_found(&set));
        };
        let parameters = set
            .recipe
            .parameters
            .iter()
            .map(|(key, value)| Xml::new().text("ParameterKey", key).text("ParameterValue", value));
        let tags = set
            .recipe
            .tags
            .iter()
            .map(|(key, value)| Xml::new().text("Key", key).text("Value", value));
        // What is not worked out yet is not shown.
        let changes = if real < set.ready {
            Vec::new()
        } else {
            set.changes.iter().map(change).collect()
        };
        Ok(head(stack, set, real)
            .list("Parameters", parameters)
            .strings("NotificationARNs", [""; 0])
            .strings("Capabilities", &set.recipe.capabilities)
            .list("Tags", tags)
            .text("IncludeNestedStacks", "false")
            .and(page("Changes", changes, params)?))
    })
}

pub(in super::super) fn list(
    world: &World,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<Xml, AwsError> {
    let name = params.require("StackName")?;
    authorize(
        world,
        caller,
        "ListChangeSets",
        &arn_of_name(caller, region, name),
    )?;
    let real = world.moment().real;
    let all: Option<Vec<Xml>> = world.read(|state| {
        let stack = state.stacks.find(&caller.account, region, name)?;
        Some(
            stack
                .change_sets
                .iter()
                .map(|set| head(stack, set, real))
                .collect(),
        )
    });
    page("Summaries", all.ok_or_else(|| no_such_stack(name))?, params)
}

fn head(stack: &Stack, set: &ChangeSet, real: i64) -> Xml {
    let status = set.status(real);
    let failed = (status == super::Status::Failed)
        .then_some(set.failed.as_ref())
        .flatten();
    Xml::new()
        .text("ChangeSetName", &set.name)
        .text("ChangeSetId", &set.id)
        .text("StackId", &stack.id)
        .text("StackName", &stack.name)
        .maybe("Description", set.description.as_ref())
        .text("CreationTime", clock::iso_millis(set.created))
        .text("ExecutionStatus", set.execution(stack, real))
        .text("Status", status.as_str())
        .maybe("StatusReason", failed)
}

fn change(change: &Change) -> Xml {
    let scope = (!change.properties.is_empty()).then_some("Properties");
    let properties = change.properties.iter().map(|(name, replacement)| {
        Xml::new()
            .text("Attribute", "Properties")
            .text("Name", name)
            .text("RequiresRecreation", replacement.recreation())
    });
    let open = change.replacement == Some(Replacement::Conditional);
    let details = properties.map(|target| {
        Xml::new()
            .node("Target", target)
            .text("Evaluation", if open { "Dynamic" } else { "Static" })
            .text("ChangeSource", "DirectModification")
    });
    let resource = Xml::new()
        .text("Action", change.action.as_str())
        .text("LogicalResourceId", &change.logical)
        .maybe("PhysicalResourceId", change.physical.as_ref())
        .text("ResourceType", &change.kind)
        .maybe("Replacement", change.replacement.map(Replacement::as_str))
        .maybe(
            "PolicyAction",
            (change.action == Action::Remove).then_some("Delete"),
        )
        .strings("Scope", scope)
        .list("Details", details);
    Xml::new()
        .text("Type", "Resource")
        .node("ResourceChange", resource)
}
