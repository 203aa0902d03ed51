//! What would change: the stack as it is beside what it is to be.

use super::super::engine::existing;
use super::super::model::{Item, Stack};
use super::super::operations::{self, Plan};
use super::super::provision;
use super::kept::{Action, Change, Replacement};
use crate::stack::cfn::{Bound, Physical, Resource, Resources, Template};
use serde_json::Value;
use std::collections::BTreeSet;

/// What AWS shows for a value that only the execution yields.
const AFTER: &str = "{{changeSet:KNOWN_AFTER_APPLY}}";
/// The attributes that a template may ask a resource for before it exists.
const ATTRIBUTES: [&str; 3] = ["Arn", "RoleId", "PolicyArn"];

/// What a plan does to the resources of a stack, in the order of the work.
pub(super) fn changes(stack: &Stack, plan: &Plan) -> Vec<Change> {
    let Ok(template) = Template::parse(&plan.recipe.template) else {
        return Vec::new();
    };
    let Ok(bound) = template.bind(&plan.recipe.parameters, operations::pseudo(stack)) else {
        return Vec::new();
    };
    let mut there = existing(stack);
    let mut list = Vec::new();
    for resource in plan.order.iter().filter_map(|id| template.resource(id)) {
        let old = stack
            .item(&resource.id)
            .filter(|item| item.physical.is_some() && !item.status.starts_with("DELETE"));
        let change = match old {
            None => Some(added(resource)),
            Some(old) => modified(old, resource, &bound, &there),
        };
        let moves = change
            .as_ref()
            .is_some_and(|change| change.replacement != Some(Replacement::False));
        if moves {
            there.insert(resource.id.clone(), after(old));
        }
        list.extend(change);
    }
    list.extend(
        stack
            .items
            .iter()
            .filter(|item| item.physical.is_some() && !plan.order.contains(&item.logical))
            .map(removed),
    );
    list
}

/// Whether a plan changes what is no resource: an output, or the stack's tags.
pub(super) fn beside_resources(stack: &Stack, plan: &Plan) -> bool {
    if stack.recipe.tags != plan.recipe.tags && !stack.recipe.template.is_empty() {
        return true;
    }
    let outputs = |text: &str| Template::parse(text).ok().map(|template| template.outputs);
    outputs(&stack.recipe.template) != outputs(&plan.recipe.template)
}

/// A resource of which nothing is known before it is made anew.
fn after(old: Option<&Item>) -> Physical {
    let own = old.into_iter().flat_map(|item| item.attributes.keys());
    let names = own.map(String::as_str).chain(ATTRIBUTES);
    Physical {
        reference: AFTER.to_owned(),
        attributes: names.map(|name| (name.to_owned(), AFTER.to_owned())).collect(),
    }
}

fn added(resource: &Resource) -> Change {
    Change {
        action: Action::Add,
        logical: resource.id.clone(),
        physical: None,
        kind: resource.kind.clone(),
        replacement: None,
        properties: Vec::new(),
    }
}

fn removed(item: &Item) -> Change {
    Change {
        action: Action::Remove,
        logical: item.logical.clone(),
        physical: item.physical.clone(),
        kind: item.kind.clone(),
        replacement: None,
        properties: Vec::new(),
    }
}

fn modified(old: &Item, resource: &Resource, bound: &Bound<'_>, there: &Resources) -> Option<Change> {
    let new = bound
        .evaluate(&resource.properties, there)
        .ok()
        .flatten()
        .unwrap_or_default();
    let kind = (old.kind.as_str(), resource.kind.as_str());
    let properties: Vec<(String, Replacement)> = names(&old.properties, &new)
        .into_iter()
        .filter(|name| old.properties.get(name) != new.get(name))
        .map(|name| {
            let replacement = alone(kind, &old.properties, &new, &name);
            (name, replacement)
        })
        .collect();
    if properties.is_empty() && !old.unsure && kind.0 == kind.1 {
        return None;
    }
    let any = |wanted: Replacement| properties.iter().any(|(_, is)| *is == wanted);
    let replacement = if kind.0 != kind.1 || any(Replacement::True) {
        Replacement::True
    } else if any(Replacement::Conditional) {
        Replacement::Conditional
    } else {
        Replacement::False
    };
    Some(Change {
        action: Action::Modify,
        logical: old.logical.clone(),
        physical: old.physical.clone(),
        kind: resource.kind.clone(),
        replacement: Some(replacement),
        properties,
    })
}

/// Whether the new value of that one property makes another resource.
fn alone(kind: (&str, &str), old: &Value, new: &Value, name: &str) -> Replacement {
    let mut only = old.clone();
    let value = new.get(name);
    if let Some(map) = only.as_object_mut() {
        match value {
            Some(value) => map.insert(name.to_owned(), value.clone()),
            None => map.remove(name),
        };
    }
    let open = value.is_some_and(|value| value.to_string().contains(AFTER));
    match provision::replaces(kind.1, kind.1, old, &only) {
        true if open => Replacement::Conditional,
        true => Replacement::True,
        false => Replacement::False,
    }
}

fn names(old: &Value, new: &Value) -> BTreeSet<String> {
    [old, new]
        .into_iter()
        .filter_map(Value::as_object)
        .flat_map(|map| map.keys().cloned())
        .collect()
}
