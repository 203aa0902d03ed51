//! `SimulatePrincipalPolicy` and `SimulateCustomPolicy`: many actions on many resources, each answered for itself.

use super::Call;
use crate::demo::error::AwsError;
use crate::demo::iam::simulate::{Given, Simulated, Simulation};
use crate::demo::iam::{Owner, Store};
use crate::demo::xml::Xml;
use crate::policy::{Context, Document, Kind};
use serde_json::Value;

type Answer = Result<Xml, AwsError>;

/// `SourcePolicyType`: the manual lists others, IAM answers this for each policy.
const SORT: &str = "IAM Policy";

pub(super) fn handle(call: &Call<'_>, action: &str) -> Option<Answer> {
    Some(match action {
        "SimulatePrincipalPolicy" => principal(call),
        "SimulateCustomPolicy" => custom(call),
        _ => return None,
    })
}

fn principal(call: &Call<'_>) -> Answer {
    let arn = call.params.require("PolicySourceArn")?;
    let (account, owner) = owner(arn)?;
    call.may("iam:SimulatePrincipalPolicy", arn)?;
    let found = |iam: &Store| {
        if account != call.account() {
            return Err(AwsError::no_such_entity(format!(
                "The {} with name {} cannot be found.",
                owner.word(),
                owner.name()
            )));
        }
        iam.simulated_policies(account, owner)
    };
    let (mut identity, boundary) = call.read(found)?;
    identity.extend(given(call, "PolicyInputList", "PolicyInputList")?);
    simulate(call, identity, boundary, arn)
}

fn custom(call: &Call<'_>) -> Answer {
    call.may("iam:SimulateCustomPolicy", "*")?;
    if !call.params.has_list("PolicyInputList") {
        call.params.require("PolicyInputList")?;
    }
    let identity = given(call, "PolicyInputList", "PolicyInputList")?;
    simulate(call, identity, None, "")
}

fn simulate(call: &Call<'_>, identity: Vec<Given>, boundary: Option<Vec<Given>>, source: &str) -> Answer {
    let params = call.params;
    let actions = params.list("ActionNames");
    if actions.is_empty() {
        params.require("ActionNames")?;
    }
    if let Some(wrong) = actions.iter().find(|action| !action.contains(':')) {
        return Err(invalid(format!("Invalid Action name: {wrong}")));
    }
    let mut resources = params.list("ResourceArns");
    let named = !resources.is_empty() && resources != ["*"];
    if resources.is_empty() {
        resources.push("*".to_owned());
    }
    let own = given(
        call,
        "PermissionsBoundaryPolicyInputList",
        "PermissionsBoundaryPolicyInputList",
    )?;
    let simulation = Simulation {
        identity,
        boundary: if own.is_empty() { boundary } else { Some(own) },
        resource: resource_policy(call, source)?,
        context: context(call)?,
    };
    let mut results = Vec::new();
    for action in &actions {
        for resource in &resources {
            let simulated = simulation.ask(action, resource);
            let at = format!("{:08}", results.len());
            results.push((at, result(action, resource, named, &simulated)));
        }
    }
    call.page("EvaluationResults", results)
}

/// The user or role of an ARN. A session is none: its role is what has policies.
fn owner(arn: &str) -> Result<(&str, Owner<'_>), AwsError> {
    let unclear = || {
        invalid(format!(
            "Invalid Entity Arn: {arn} does not clearly define entity type and name."
        ))
    };
    let parts: Vec<&str> = arn.splitn(6, ':').collect();
    let ["arn", _, "iam", "", account, path] = parts.as_slice() else {
        return Err(unclear());
    };
    let name = path.rsplit('/').next().filter(|name| !name.is_empty());
    match (path.split('/').next(), name) {
        (Some("role"), Some(name)) if path.contains('/') => Ok((account, Owner::Role(name))),
        (Some("user"), Some(name)) if path.contains('/') => Ok((account, Owner::User(name))),
        _ => Err(unclear()),
    }
}

/// Policies given along with the request.
fn given(call: &Call<'_>, list: &str, id: &str) -> Result<Vec<Given>, AwsError> {
    let texts = call.params.list(list).into_iter().enumerate();
    texts
        .map(|(at, text)| {
            let document = Document::parse(&text, Kind::Identity).map_err(|why| invalid(why.to_string()))?;
            Ok(Given {
                id: format!("{id}.{}", at + 1),
                document,
            })
        })
        .collect()
}

/// A policy of the resource counts only for a user: AWS asks for one, where the source of the policies is none.
fn resource_policy(call: &Call<'_>, source: &str) -> Result<Option<(Given, String, String)>, AwsError> {
    let Some(text) = call.params.get("ResourcePolicy").filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let value: Value = serde_json::from_str(text).map_err(|_| invalid("Syntax errors in policy."))?;
    let caller = call.params.get("CallerArn").unwrap_or(source);
    let account = match owner(caller) {
        Ok((account, Owner::User(_))) => account.to_owned(),
        _ => {
            return Err(invalid(
                "CallerArn must be the ARN of an IAM user where a ResourcePolicy is given",
            ));
        }
    };
    let given = Given {
        id: "ResourcePolicy".to_owned(),
        document: Document::read(&value),
    };
    Ok(Some((given, caller.to_owned(), account)))
}

fn context(call: &Call<'_>) -> Result<Context, AwsError> {
    let mut context = Context::new();
    for entry in call.params.structs("ContextEntries") {
        context = context.with_all(entry.require("ContextKeyName")?, entry.list("ContextKeyValues"));
    }
    Ok(context)
}

/// Where resources are named, what a decision lacks stands with the resource and not with the action.
fn result(action: &str, resource: &str, named: bool, simulated: &Simulated<'_>) -> Xml {
    let matched = Xml::new().list(
        "MatchedStatements",
        simulated.matched.iter().map(|given| {
            Xml::new()
                .text("SourcePolicyId", &given.id)
                .text("SourcePolicyType", SORT)
        }),
    );
    let boundary = match simulated.boundary_allows {
        None => Xml::new(),
        Some(allows) => Xml::new().node(
            "PermissionsBoundaryDecisionDetail",
            Xml::new().text(
                "AllowedByPermissionsBoundary",
                if allows { "true" } else { "false" },
            ),
        ),
    };
    let missing = Xml::new().strings("MissingContextValues", &simulated.missing);
    let front = Xml::new()
        .text("EvalActionName", action)
        .text("EvalResourceName", resource)
        .text("EvalDecision", simulated.decision)
        .and(matched.clone());
    if !named {
        return front.and(missing).and(boundary);
    }
    let specific = Xml::new()
        .text("EvalResourceName", resource)
        .text("EvalResourceDecision", simulated.decision)
        .and(matched)
        .and(missing)
        .and(boundary.clone());
    front
        .strings("MissingContextValues", std::iter::empty::<&str>())
        .list("ResourceSpecificResults", [specific])
        .and(boundary)
}

fn invalid(message: impl Into<String>) -> AwsError {
    AwsError::new(400, "InvalidInput", message)
}
