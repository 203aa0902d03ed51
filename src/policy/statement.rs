//! One statement of a policy, read leniently: what does not fit is kept as a fault and never allows.

use super::condition::{Condition, Held};
use super::context::Context;
use super::evaluate::Caller;
use super::pattern::{arn_matches, pattern, wild};
use serde_json::Value;

/// What a statement does when it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Allow,
    Deny,
}

/// A list of patterns, or all but a list of patterns.
#[derive(Clone, Debug)]
pub(super) struct Patterns {
    pub(super) negated: bool,
    pub(super) texts: Vec<String>,
}

/// Who is meant.
#[derive(Clone, Debug, Default)]
pub(super) struct Principals {
    pub(super) negated: bool,
    /// `"*"`, or `{"AWS": "*"}`.
    pub(super) everyone: bool,
    /// Account ids and ARNs.
    pub(super) aws: Vec<String>,
    /// Service and identity-provider principals: a service that asks is called by its name, which is no ARN.
    pub(super) others: Vec<String>,
}

/// How a statement meets a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meets {
    No,
    /// As one of an account: the caller's own policies must allow too.
    AsAccount,
    /// By name, or because everyone is meant.
    ByName,
}

/// One statement.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) sid: Option<String>,
    pub(super) effect: Option<Effect>,
    pub(super) actions: Option<Patterns>,
    pub(super) resources: Option<Patterns>,
    pub(super) principals: Option<Principals>,
    pub(super) conditions: Vec<Condition>,
    /// What is wrong in it, in IAM's words.
    pub(super) faults: Vec<String>,
}

impl Statement {
    pub(super) fn read(value: &Value) -> Self {
        let mut faults = Vec::new();
        let Some(fields) = value.as_object() else {
            faults.push("Syntax errors in policy.".to_owned());
            return Self {
                sid: None,
                effect: None,
                actions: None,
                resources: None,
                principals: None,
                conditions: Vec::new(),
                faults,
            };
        };
        for name in fields.keys() {
            if !matches!(
                name.as_str(),
                "Sid"
                    | "Effect"
                    | "Action"
                    | "NotAction"
                    | "Resource"
                    | "NotResource"
                    | "Principal"
                    | "NotPrincipal"
                    | "Condition"
            ) {
                faults.push(format!("Syntax errors in policy. Unknown field {name}."));
            }
        }
        let effect = match fields.get("Effect").and_then(Value::as_str) {
            Some("Allow") => Some(Effect::Allow),
            Some("Deny") => Some(Effect::Deny),
            Some(other) => {
                faults.push(format!("Invalid effect: {other}"));
                None
            }
            None => {
                faults.push("Missing required field Effect".to_owned());
                None
            }
        };
        let mut either = |name: &str, not: &str| match (fields.get(name), fields.get(not)) {
            (Some(_), Some(_)) => {
                faults.push(format!(
                    "Syntax errors in policy. {name} and {not} exclude each other."
                ));
                None
            }
            (Some(value), None) => Some((false, value)),
            (None, Some(value)) => Some((true, value)),
            (None, None) => None,
        };
        let actions = either("Action", "NotAction");
        let resources = either("Resource", "NotResource");
        let principals = either("Principal", "NotPrincipal");
        let mut patterns = |part: Option<(bool, &Value)>| {
            part.map(|(negated, value)| Patterns {
                negated,
                texts: strings(value, &mut faults),
            })
        };
        // Actions are compared without regard to case: made small once.
        let actions = patterns(actions).map(|actions| Patterns {
            texts: actions.texts.iter().map(|text| text.to_lowercase()).collect(),
            ..actions
        });
        let resources = patterns(resources);
        let principals = principals.map(|(negated, value)| read_principals(negated, value, &mut faults));
        let conditions = read_conditions(fields.get("Condition"), &mut faults);
        let sid = fields.get("Sid").and_then(Value::as_str).map(str::to_owned);
        Self {
            sid,
            effect,
            actions,
            resources,
            principals,
            conditions,
            faults,
        }
    }

    pub(super) fn has_action(&self, action: &str) -> bool {
        let action = action.to_lowercase();
        self.actions
            .as_ref()
            .is_some_and(|actions| actions.texts.iter().any(|text| wild(text, &action)) != actions.negated)
    }

    /// A trust policy has no resources: its role is meant.
    pub(super) fn has_resource(&self, resource: &str, variables: bool, context: &Context) -> bool {
        let Some(resources) = &self.resources else {
            return self.principals.is_some();
        };
        let hit = resources.texts.iter().any(|text| {
            text == "*"
                || pattern(text, variables, context).is_some_and(|pattern| arn_matches(&pattern, resource))
        });
        hit != resources.negated
    }

    /// Identity policies have no principal and are asked without a caller.
    pub(super) fn meets(&self, caller: Option<&Caller<'_>>) -> Meets {
        match (&self.principals, caller) {
            (None, None) => Meets::ByName,
            (None, Some(_)) | (Some(_), None) => Meets::No,
            (Some(principals), Some(caller)) => principals.meets(caller),
        }
    }

    /// Whether all conditions hold. The names of the operators that are not known are added to `unknown`; an Allow
    /// does not match then, and a Deny does.
    pub(super) fn conditions_hold(
        &self,
        variables: bool,
        context: &Context,
        unknown: &mut Vec<String>,
    ) -> bool {
        let mut hold = true;
        for condition in &self.conditions {
            match condition.held(variables, context) {
                Held::Yes => {}
                Held::No => hold = false,
                Held::Unknown => {
                    unknown.push(condition.operator.clone());
                    hold &= self.effect == Some(Effect::Deny);
                }
            }
        }
        hold
    }
}

impl Principals {
    fn meets(&self, caller: &Caller<'_>) -> Meets {
        let found = if self.everyone {
            Meets::ByName
        } else {
            self.aws
                .iter()
                .map(|named| names(named, caller))
                .chain(self.others.iter().map(|named| names_service(named, caller)))
                .max()
                .unwrap_or(Meets::No)
        };
        match (self.negated, found) {
            (false, found) => found,
            (true, Meets::No) => Meets::ByName,
            (true, _) => Meets::No,
        }
    }
}

/// An account id and the account's root mean everybody in it; a role means its sessions.
fn names(named: &str, caller: &Caller<'_>) -> Meets {
    if named == caller.arn || named == caller.principal_arn {
        return Meets::ByName;
    }
    let root = named
        .strip_suffix(":root")
        .and_then(|front| front.rsplit(':').next());
    if named == caller.account || root == Some(caller.account) {
        Meets::AsAccount
    } else {
        Meets::No
    }
}

/// `cloudformation.amazonaws.com` means just that service.
fn names_service(named: &str, caller: &Caller<'_>) -> Meets {
    if named == caller.arn && !caller.arn.starts_with("arn:") {
        Meets::ByName
    } else {
        Meets::No
    }
}

fn read_principals(negated: bool, value: &Value, faults: &mut Vec<String>) -> Principals {
    let mut principals = Principals {
        negated,
        ..Principals::default()
    };
    match value {
        Value::String(text) if text == "*" => principals.everyone = true,
        Value::Object(kinds) => {
            for (kind, value) in kinds {
                let texts = strings(value, faults);
                match kind.as_str() {
                    "AWS" => {
                        principals.everyone |= texts.iter().any(|text| text == "*");
                        principals
                            .aws
                            .extend(texts.into_iter().filter(|text| text != "*"));
                    }
                    "Service" | "Federated" | "CanonicalUser" => principals.others.extend(texts),
                    other => faults.push(format!("Unknown principal type: {other}")),
                }
            }
        }
        other => faults.push(format!("Invalid principal in policy: {other}")),
    }
    principals
}

fn read_conditions(value: Option<&Value>, faults: &mut Vec<String>) -> Vec<Condition> {
    let Some(value) = value else { return Vec::new() };
    let mut conditions = Vec::new();
    let Some(operators) = value.as_object() else {
        faults.push("Syntax errors in policy. Condition must be an object.".to_owned());
        // What cannot be read must not be taken as satisfied.
        conditions.push(Condition::new("(unreadable)", "", Vec::new()));
        return conditions;
    };
    for (operator, keys) in operators {
        let Some(keys) = keys.as_object() else {
            faults.push(format!(
                "Syntax errors in policy. {operator} must hold keys and values."
            ));
            conditions.push(Condition::new("(unreadable)", "", Vec::new()));
            continue;
        };
        for (key, value) in keys {
            conditions.push(Condition::new(operator, key, strings(value, faults)));
        }
    }
    conditions
}

/// A string, a number or a boolean, or a list of them.
fn strings(value: &Value, faults: &mut Vec<String>) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Bool(_) | Value::Number(_) => vec![value.to_string()],
        Value::Array(values) => {
            let mut texts = Vec::with_capacity(values.len());
            for value in values {
                match value {
                    Value::String(text) => texts.push(text.clone()),
                    Value::Bool(_) | Value::Number(_) => texts.push(value.to_string()),
                    _ => faults.push("Syntax errors in policy.".to_owned()),
                }
            }
            texts
        }
        Value::Null | Value::Object(_) => {
            faults.push("Syntax errors in policy.".to_owned());
            Vec::new()
        }
    }
}
