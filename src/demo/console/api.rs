//! The paths that the console's script asks. Each acts as whom the page says is signed in, and each answers JSON:
//! what was asked for, or `{"error": {"code", "message"}}` in AWS's words.

use super::answer;
use crate::demo::caller::{Caller, Kind};
use crate::demo::clock;
use crate::demo::cloudformation::{self, Event, Stack};
use crate::demo::error::AwsError;
use crate::demo::iam::principals;
use crate::demo::params::Params;
use crate::demo::world::World;
use crate::demo::{OUTSIDER_ACCOUNT, REGION, Request, Response};
use crate::policy::Context;
use crate::stack::cfn::Template;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) fn handle(world: &Arc<World>, request: &Request, name: &str) -> Response {
    let outcome = match (request.method(), name) {
        (&Method::GET, "session") => Ok(session(world)),
        (&Method::POST, _) => serde_json::from_slice::<Value>(request.body())
            .map_err(|why| AwsError::validation(format!("The request is no JSON: {why}")))
            .and_then(|body| post(world, name, &body)),
        _ => {
            return answer(
                StatusCode::METHOD_NOT_ALLOWED,
                &error("MethodNotAllowed", "POST, or GET session"),
            );
        }
    };
    match outcome {
        Ok(value) => answer(StatusCode::OK, &value),
        Err(why) => {
            let status = StatusCode::from_u16(why.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            answer(status, &error(&why.code, &why.message))
        }
    }
}

fn post(world: &Arc<World>, name: &str, body: &Value) -> Result<Value, AwsError> {
    let caller = signed_in(world, text(body, "as"))?;
    let region = Some(text(body, "region"))
        .filter(|region| !region.is_empty())
        .unwrap_or(REGION);
    match name {
        "template" => template(world, &caller, body),
        "create" => cloudformation::create(world, &caller, region, &create_params(body))
            .map(|id| json!({"stack_id": id})),
        "delete" => {
            let params = params(&[("StackName".to_owned(), text(body, "stack").to_owned())]);
            cloudformation::delete(world, &caller, region, &params).map(|()| json!({}))
        }
        "stacks" => stacks(world, &caller, region),
        "stack" => stack(world, &caller, region, text(body, "stack")),
        other => Err(AwsError::new(404, "NotFound", format!("No such path: {other}"))),
    }
}

/// Whom the page offers to be signed in as.
fn session(world: &World) -> Value {
    let principals: Vec<Value> = ["admin", "stranger", "outsider"]
        .iter()
        .filter_map(|id| Some((id, signed_in(world, id).ok()?)))
        .map(|(id, caller)| json!({"id": id, "account": caller.account, "arn": caller.arn}))
        .collect();
    json!({"region": REGION, "principals": principals})
}

/// `admin` of the customer's account, `stranger` who may do everything in another account, and `outsider` who may do
/// nothing there.
fn signed_in(world: &World, id: &str) -> Result<Caller, AwsError> {
    let key = match id {
        "admin" => principals::admin(),
        "outsider" => principals::outsider(),
        "stranger" => {
            return Ok(Caller {
                arn: format!("arn:aws:iam::{OUTSIDER_ACCOUNT}:root"),
                account: OUTSIDER_ACCOUNT.to_owned(),
                key_id: String::new(),
                user_id: OUTSIDER_ACCOUNT.to_owned(),
                kind: Kind::Root,
                mfa: false,
            });
        }
        other => return Err(AwsError::denied(format!("Nobody is known as {other}"))),
    };
    world
        .key(&key.id)
        .map(|key| key.caller)
        .ok_or_else(|| AwsError::denied(format!("The key of {id} was deleted")))
}

/// The template with what the page has to show of it.
fn template(world: &World, caller: &Caller, body: &Value) -> Result<Value, AwsError> {
    let mut pairs = Vec::new();
    source(body, &mut pairs);
    let text = cloudformation::read_template(world, caller, &params(&pairs))?
        .ok_or_else(|| AwsError::validation("Either Template URL or Template Body must be specified."))?;
    let template = Template::parse(&text)?;
    cloudformation::check_types(&template)?;
    let parameters: Vec<Value> = template
        .parameters
        .iter()
        .map(|parameter| {
            json!({
                "name": parameter.name,
                "label": template.label(&parameter.name),
                "type": parameter.kind.as_str(),
                "default": parameter.default,
                "no_echo": parameter.no_echo,
                "description": parameter.description,
                "allowed_values": parameter.allowed_values,
            })
        })
        .collect();
    Ok(json!({
        "text": text,
        "description": template.description,
        "parameters": parameters,
        "capability": template.capability().map(|capability| capability.as_str()),
        "iam_types": template.iam_types(),
    }))
}

fn stacks(world: &World, caller: &Caller, region: &str) -> Result<Value, AwsError> {
    world.authorize(caller, "cloudformation:ListStacks", "*", &Context::new())?;
    let stacks: Vec<Value> = world.read(|state| {
        state.stacks.of(&caller.account, region).map(|stack| {
            json!({"id": stack.id, "name": stack.name, "status": stack.status, "created": clock::iso(stack.created)})
        }).collect()
    });
    Ok(json!({"stacks": stacks}))
}

fn stack(world: &World, caller: &Caller, region: &str, id: &str) -> Result<Value, AwsError> {
    world.authorize(caller, "cloudformation:DescribeStacks", id, &Context::new())?;
    cloudformation::find(world, &caller.account, region, id, |stack: &Stack| {
        let outputs: Vec<Value> = stack
            .outputs
            .iter()
            .map(|(key, value, description)| json!({"key": key, "value": value, "description": description}))
            .collect();
        let events: Vec<Value> = stack.events.iter().rev().map(event).collect();
        json!({
            "id": stack.id, "name": stack.name, "status": stack.status, "reason": stack.reason,
            "busy": stack.work.is_some(), "deleted": stack.deleted.is_some(),
            "outputs": outputs, "events": events,
        })
    })
}

fn event(event: &Event) -> Value {
    json!({
        "id": event.id, "at": clock::iso(event.at), "logical": event.logical, "type": event.kind,
        "status": event.status, "reason": event.reason,
    })
}

/// CreateStack's parameters, from what the page sent.
fn create_params(body: &Value) -> Params {
    let mut pairs = vec![("StackName".to_owned(), text(body, "stack_name").to_owned())];
    source(body, &mut pairs);
    for (n, (name, value)) in (1..).zip(
        body.get("parameters")
            .and_then(Value::as_object)
            .into_iter()
            .flatten(),
    ) {
        pairs.push((format!("Parameters.member.{n}.ParameterKey"), name.clone()));
        let value = value.as_str().unwrap_or_default().to_owned();
        pairs.push((format!("Parameters.member.{n}.ParameterValue"), value));
    }
    for (n, capability) in (1..).zip(
        body.get("capabilities")
            .and_then(Value::as_array)
            .into_iter()
            .flatten(),
    ) {
        pairs.push((
            format!("Capabilities.member.{n}"),
            capability.as_str().unwrap_or_default().to_owned(),
        ));
    }
    params(&pairs)
}

fn source(body: &Value, pairs: &mut Vec<(String, String)>) {
    for (field, name) in [("template_url", "TemplateURL"), ("template_body", "TemplateBody")] {
        let given = text(body, field);
        if !given.is_empty() {
            pairs.push((name.to_owned(), given.to_owned()));
        }
    }
}

fn params(pairs: &[(String, String)]) -> Params {
    let form = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    Params::parse(form.as_bytes())
}

fn text<'v>(body: &'v Value, field: &str) -> &'v str {
    body.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn error(code: &str, message: &str) -> Value {
    json!({"error": {"code": code, "message": message}})
}
