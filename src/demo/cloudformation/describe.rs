//! The operations that only look.

use super::model::{Event, Item, Stack};
use super::{arn_of_name, authorize, find, operations, source};
use crate::demo::caller::Caller;
use crate::demo::clock;
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::world::World;
use crate::demo::xml::Xml;
use crate::stack::cfn::{Parameter, Template};

/// How many stacks, events or summaries a page holds.
const PAGE: usize = 100;

pub(super) fn stacks(world: &World, caller: &Caller, region: &str, params: &Params) -> Result<Xml, AwsError> {
    let name = params.get("StackName").filter(|name| !name.is_empty());
    let resource = name.map_or_else(
        || arn_of_name(caller, region, "*"),
        |name| arn_of_name(caller, region, name),
    );
    authorize(world, caller, "DescribeStacks", &resource)?;
    if let Some(name) = name {
        let stack = find(world, &caller.account, region, name, stack)?;
        return Ok(Xml::new().list("Stacks", [stack]));
    }
    let all: Vec<Xml> = world.read(|state| {
        state
            .stacks
            .of(&caller.account, region)
            .filter(|stack| stack.is_there())
            .map(stack)
            .collect()
    });
    page("Stacks", all, params)
}

pub(super) fn list(world: &World, caller: &Caller, region: &str, params: &Params) -> Result<Xml, AwsError> {
    authorize(world, caller, "ListStacks", "*")?;
    let wanted = params.list("StackStatusFilter");
    let all: Vec<Xml> = world.read(|state| {
        state
            .stacks
            .of(&caller.account, region)
            .filter(|stack| wanted.is_empty() || wanted.contains(&stack.status))
            .map(|stack| {
                let description = Template::parse(&stack.recipe.template)
                    .ok()
                    .and_then(|t| t.description);
                times(
                    Xml::new()
                        .text("StackId", &stack.id)
                        .text("StackName", &stack.name),
                    stack,
                )
                .maybe("TemplateDescription", description)
                .text("StackStatus", &stack.status)
                .maybe("StackStatusReason", stack.reason.as_ref())
                .node("DriftInformation", not_checked())
            })
            .collect()
    });
    page("StackSummaries", all, params)
}

pub(super) fn events(world: &World, caller: &Caller, region: &str, params: &Params) -> Result<Xml, AwsError> {
    let name = params.require("StackName")?;
    authorize(
        world,
        caller,
        "DescribeStackEvents",
        &arn_of_name(caller, region, name),
    )?;
    let all = find(world, &caller.account, region, name, |stack| {
        stack
            .events
            .iter()
            .rev()
            .map(|event| self::event(stack, event))
            .collect::<Vec<_>>()
    })?;
    page("StackEvents", all, params)
}

pub(super) fn resources(
    world: &World,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<Xml, AwsError> {
    let name = params.require("StackName")?;
    authorize(
        world,
        caller,
        "DescribeStackResources",
        &arn_of_name(caller, region, name),
    )?;
    let logical = params.get("LogicalResourceId");
    find(world, &caller.account, region, name, |stack| {
        let items = stack
            .items
            .iter()
            .filter(|item| logical.is_none_or(|logical| item.logical == logical));
        Xml::new().list(
            "StackResources",
            items.map(|item| self::item(stack, item, "Timestamp")),
        )
    })
}

pub(super) fn resource(
    world: &World,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<Xml, AwsError> {
    let name = params.require("StackName")?;
    let logical = params.require("LogicalResourceId")?;
    authorize(
        world,
        caller,
        "DescribeStackResource",
        &arn_of_name(caller, region, name),
    )?;
    let found = find(world, &caller.account, region, name, |stack| {
        stack
            .item(logical)
            .map(|item| self::item(stack, item, "LastUpdatedTimestamp"))
    })?;
    let found = found
        .ok_or_else(|| AwsError::validation(format!("Resource {logical} does not exist for stack {name}")))?;
    Ok(Xml::new().node("StackResourceDetail", found))
}

pub(super) fn template(
    world: &World,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<Xml, AwsError> {
    let name = params.require("StackName")?;
    authorize(world, caller, "GetTemplate", &arn_of_name(caller, region, name))?;
    let text = find(world, &caller.account, region, name, |stack| {
        stack.recipe.template.clone()
    })?;
    Ok(Xml::new()
        .text("TemplateBody", text)
        .strings("StagesAvailable", ["Original", "Processed"]))
}

pub(super) fn validate(world: &World, caller: &Caller, _: &str, params: &Params) -> Result<Xml, AwsError> {
    authorize(world, caller, "ValidateTemplate", "*")?;
    let template = asked(world, caller, params)?;
    let parameters = template.parameters.iter().map(parameter);
    Ok(needs(Xml::new().list("Parameters", parameters), &template)
        .maybe("Description", template.description.as_ref()))
}

pub(super) fn summary(
    world: &World,
    caller: &Caller,
    region: &str,
    params: &Params,
) -> Result<Xml, AwsError> {
    let name = params.get("StackName").filter(|name| !name.is_empty());
    let resource = name.map_or_else(|| "*".to_owned(), |name| arn_of_name(caller, region, name));
    authorize(world, caller, "GetTemplateSummary", &resource)?;
    let template = match name {
        Some(name) => {
            let text = find(world, &caller.account, region, name, |stack| {
                stack.recipe.template.clone()
            })?;
            Template::parse(&text)?
        }
        None => asked(world, caller, params)?,
    };
    let parameters = template.parameters.iter().map(|declared| {
        let allowed = Xml::new().strings("AllowedValues", &declared.allowed_values);
        parameter(declared)
            .text("ParameterType", declared.kind.as_str())
            .node("ParameterConstraints", allowed)
    });
    Ok(needs(Xml::new().list("Parameters", parameters), &template)
        .maybe("Description", template.description.as_ref())
        .strings(
            "ResourceTypes",
            template.resources.iter().map(|resource| &resource.kind),
        )
        .text("Version", "2010-09-09"))
}

fn asked(world: &World, caller: &Caller, params: &Params) -> Result<Template, AwsError> {
    let text = source::read(world, caller, params)?
        .ok_or_else(|| AwsError::validation("Either Template URL or Template Body must be specified."))?;
    let template = Template::parse(&text)?;
    operations::check_types(&template)?;
    Ok(template)
}

fn parameter(declared: &Parameter) -> Xml {
    Xml::new()
        .text("ParameterKey", &declared.name)
        .maybe("DefaultValue", declared.default.as_ref())
        .text("NoEcho", declared.no_echo.to_string())
        .maybe("Description", declared.description.as_ref())
}

fn needs(xml: Xml, template: &Template) -> Xml {
    let Some(capability) = template.capability() else {
        return xml;
    };
    let reason = format!(
        "The following resource(s) require capabilities: [{}]",
        template.iam_types().join(", ")
    );
    xml.strings("Capabilities", [capability.as_str()])
        .text("CapabilitiesReason", reason)
}

fn stack(stack: &Stack) -> Xml {
    let template = Template::parse(&stack.recipe.template).ok();
    let parameters = template
        .iter()
        .flat_map(|template| &template.parameters)
        .filter_map(|declared| {
            let value = stack
                .recipe
                .parameters
                .get(&declared.name)
                .or(declared.default.as_ref())?;
            let shown = if declared.no_echo { "****" } else { value };
            Some(
                Xml::new()
                    .text("ParameterKey", &declared.name)
                    .text("ParameterValue", shown),
            )
        });
    let outputs = stack.outputs.iter().map(|(key, value, description)| {
        Xml::new()
            .text("OutputKey", key)
            .text("OutputValue", value)
            .maybe("Description", description.as_ref())
    });
    let tags = stack
        .recipe
        .tags
        .iter()
        .map(|(key, value)| Xml::new().text("Key", key).text("Value", value));
    let disabled = stack.on_failure == super::model::OnFailure::Nothing;
    times(
        Xml::new()
            .text("StackId", &stack.id)
            .text("StackName", &stack.name)
            .maybe("ChangeSetId", stack.change_sets.last().map(|set| &set.id)),
        stack,
    )
    .maybe(
        "Description",
        template
            .as_ref()
            .and_then(|template| template.description.as_ref()),
    )
    .list("Parameters", parameters)
    .text("StackStatus", &stack.status)
    .maybe("StackStatusReason", stack.reason.as_ref())
    .maybe("RoleARN", stack.role.as_ref())
    .text("DisableRollback", disabled.to_string())
    .strings("NotificationARNs", [""; 0])
    .strings("Capabilities", &stack.recipe.capabilities)
    .list("Outputs", outputs)
    .list("Tags", tags)
    .text("EnableTerminationProtection", "false")
    .node("DriftInformation", not_checked())
}

fn times(xml: Xml, stack: &Stack) -> Xml {
    xml.text("CreationTime", clock::iso_millis(stack.created))
        .maybe("LastUpdatedTime", stack.updated.map(clock::iso_millis))
        .maybe("DeletionTime", stack.deleted.map(clock::iso_millis))
}

fn event(stack: &Stack, event: &Event) -> Xml {
    Xml::new()
        .text("StackId", &stack.id)
        .text("EventId", &event.id)
        .text("StackName", &stack.name)
        .text("LogicalResourceId", &event.logical)
        .text("PhysicalResourceId", &event.physical)
        .text("ResourceType", &event.kind)
        .text("Timestamp", clock::iso_millis(event.at))
        .text("ResourceStatus", &event.status)
        .maybe("ResourceStatusReason", event.reason.as_ref())
        .maybe("ResourceProperties", event.properties.as_ref())
}

fn item(stack: &Stack, item: &Item, time: &str) -> Xml {
    Xml::new()
        .text("StackName", &stack.name)
        .text("StackId", &stack.id)
        .text("LogicalResourceId", &item.logical)
        .maybe("PhysicalResourceId", item.physical.as_ref())
        .text("ResourceType", &item.kind)
        .text(time, clock::iso_millis(item.at))
        .text("ResourceStatus", &item.status)
        .maybe("ResourceStatusReason", item.reason.as_ref())
        .node(
            "DriftInformation",
            Xml::new().text("StackResourceDriftStatus", "NOT_CHECKED"),
        )
}

fn not_checked() -> Xml {
    Xml::new().text("StackDriftStatus", "NOT_CHECKED")
}

/// A page of a list; the token is the number of the first one of the next page.
pub(super) fn page(name: &str, all: Vec<Xml>, params: &Params) -> Result<Xml, AwsError> {
    let from: usize = match params.get("NextToken").filter(|token| !token.is_empty()) {
        Some(token) => token
            .parse()
            .map_err(|_| AwsError::validation("NextToken is not valid"))?,
        None => 0,
    };
    let until = from.saturating_add(PAGE);
    let next = (all.len() > until).then(|| until.to_string());
    Ok(Xml::new()
        .list(name, all.into_iter().skip(from).take(PAGE))
        .maybe("NextToken", next))
}
