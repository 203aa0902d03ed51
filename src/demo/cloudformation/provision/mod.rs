//! The resources that can be made. Each is made as AWS makes it: by calls to IAM with the rights of the caller.

mod managed;
mod policy;
mod role;

use super::engine::texts;
use super::model::Item;
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::world::World;
use crate::demo::xml::Xml;
use crate::demo::{iam, ids};
use serde_json::Value;
use std::collections::BTreeMap;

const ROLE: &str = "AWS::IAM::Role";
const POLICY: &str = "AWS::IAM::Policy";
const ROLE_POLICY: &str = "AWS::IAM::RolePolicy";
const MANAGED_POLICY: &str = "AWS::IAM::ManagedPolicy";

/// The properties of each known type, and which of them must be there.
const TYPES: [(&str, &[&str], &[&str]); 4] = [
    (
        ROLE,
        &[
            "AssumeRolePolicyDocument",
            "Description",
            "ManagedPolicyArns",
            "MaxSessionDuration",
            "Path",
            "PermissionsBoundary",
            "Policies",
            "RoleName",
            "Tags",
        ],
        &["AssumeRolePolicyDocument"],
    ),
    (
        POLICY,
        &["PolicyDocument", "PolicyName", "Roles"],
        &["PolicyDocument", "PolicyName"],
    ),
    (
        ROLE_POLICY,
        &["PolicyDocument", "PolicyName", "RoleName"],
        &["PolicyName", "RoleName"],
    ),
    (
        MANAGED_POLICY,
        &[
            "Description",
            "ManagedPolicyName",
            "Path",
            "PolicyDocument",
            "Roles",
        ],
        &["PolicyDocument"],
    ),
];

/// What was made: what `Ref` and `Fn::GetAtt` yield from now on.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// The physical id, where it is not the one that was chosen before.
    pub(super) physical: Option<String>,
    /// The attributes.
    pub(super) attributes: BTreeMap<String, String>,
}

/// Why a resource could not be made, changed or removed.
#[derive(Debug)]
pub(super) struct Failure {
    /// The event's reason.
    pub(super) reason: String,
    /// Whether something was made before it failed, which is then to be removed.
    pub(super) made: bool,
}

/// With what a resource is made.
pub(super) struct Scene<'a> {
    pub(super) world: &'a World,
    pub(super) caller: &'a Caller,
    /// The stack's tags, which its resources get too.
    pub(super) tags: &'a [(String, String)],
    /// Whether the same call may have been carried out before a restart.
    pub(super) again: bool,
}

/// Whether resources of that type can be made here.
pub(super) fn is_known(kind: &str) -> bool {
    TYPES.iter().any(|(known, ..)| *known == kind)
}

/// Refuses properties that the type does not have, and the lack of one that it needs.
pub(super) fn check(kind: &str, logical: &str, properties: &Value) -> Result<(), String> {
    let Some((_, known, needed)) = TYPES.iter().find(|(known, ..)| *known == kind) else {
        return Err(format!("Unrecognized resource type {kind}"));
    };
    let names: Vec<&str> = properties
        .as_object()
        .into_iter()
        .flat_map(|map| map.keys().map(String::as_str))
        .collect();
    if let Some(extra) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!(
            "Properties validation failed for resource {logical} with message: #: extraneous key [{extra}] is not \
             permitted"
        ));
    }
    if let Some(missing) = needed.iter().find(|name| !names.contains(name)) {
        return Err(format!(
            "Properties validation failed for resource {logical} with message: #: required key [{missing}] not found"
        ));
    }
    Ok(())
}

/// Whether going from the old to the new properties makes a new resource in place of the old one.
pub(super) fn replaces(kind: &str, old_kind: &str, old: &Value, new: &Value) -> bool {
    let fixed: &[&str] = match kind {
        ROLE => &["RoleName", "Path"],
        MANAGED_POLICY => &["ManagedPolicyName", "Path", "Description"],
        ROLE_POLICY => &["PolicyName", "RoleName"],
        _ => &[],
    };
    kind != old_kind || fixed.iter().any(|name| old.get(name) != new.get(name))
}

/// The physical id of a new resource: the name that the template gives it, or `STACK-LOGICAL-RANDOM`, cut to what
/// IAM takes.
pub(super) fn name(kind: &str, properties: &Value, stack: &str, logical: &str) -> String {
    let text = |name: &str| properties.get(name).and_then(Value::as_str);
    match kind {
        ROLE => text("RoleName").map_or_else(|| generated(stack, logical, 64), str::to_owned),
        MANAGED_POLICY => {
            text("ManagedPolicyName").map_or_else(|| generated(stack, logical, 128), str::to_owned)
        }
        ROLE_POLICY => {
            format!(
                "{}|{}",
                text("PolicyName").unwrap_or_default(),
                text("RoleName").unwrap_or_default()
            )
        }
        _ => generated(stack, logical, 64),
    }
}

fn generated(stack: &str, logical: &str, longest: usize) -> String {
    let random: String = ids::unique("").chars().take(12).collect();
    let room = longest.saturating_sub(random.len() + 2);
    let logical: String = logical.chars().take(room / 2).collect();
    let stack: String = stack.chars().take(room.saturating_sub(logical.len())).collect();
    format!("{stack}-{logical}-{random}")
}

/// Makes a resource under the physical id that was chosen for it.
pub(super) fn make(scene: &Scene<'_>, new: &Item) -> Result<Made, Failure> {
    match new.kind.as_str() {
        ROLE => role::make(scene, new),
        POLICY => policy::make(scene, new),
        ROLE_POLICY => policy::make_one(scene, new),
        MANAGED_POLICY => managed::make(scene, new),
        other => Err(unknown(other)),
    }
}

/// Changes a resource in place.
pub(super) fn change(scene: &Scene<'_>, old: &Item, new: &Item) -> Result<Made, Failure> {
    match new.kind.as_str() {
        ROLE => role::change(scene, old, new),
        POLICY => policy::change(scene, old, new),
        ROLE_POLICY => policy::make_one(scene, new),
        MANAGED_POLICY => managed::change(scene, old, new),
        other => Err(unknown(other)),
    }
}

/// Removes a resource. One that is gone already is removed.
pub(super) fn remove(scene: &Scene<'_>, old: &Item) -> Result<Made, Failure> {
    match old.kind.as_str() {
        ROLE => role::remove(scene, old),
        POLICY => policy::remove(scene, old),
        ROLE_POLICY => policy::remove_one(scene, old),
        MANAGED_POLICY => managed::remove(scene, old),
        other => Err(unknown(other)),
    }
}

fn unknown(kind: &str) -> Failure {
    Failure {
        reason: format!("Unrecognized resource type {kind}"),
        made: false,
    }
}

impl Scene<'_> {
    /// Calls IAM as the caller would.
    fn iam(&self, action: &str, pairs: &[(&str, &str)]) -> Result<Xml, AwsError> {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("Action", action)
            .append_pair("Version", "2010-05-08");
        for (name, value) in pairs {
            form.append_pair(name, value);
        }
        iam::handle(self.world, self.caller, &Params::parse(form.finish().as_bytes()))
    }

    /// As [`Self::iam`], where it is right too that there is nothing to remove.
    fn iam_remove(&self, action: &str, pairs: &[(&str, &str)]) -> Result<(), AwsError> {
        match self.iam(action, pairs) {
            Err(error) if error.code == "NoSuchEntity" => Ok(()),
            other => other.map(drop),
        }
    }

    fn account_arn(&self, rest: &str) -> String {
        format!("arn:aws:iam::{}:{rest}", self.caller.account)
    }
}

/// The reason of an event, as CloudFormation wraps what IAM answered.
fn wrap(item: &Item, error: &AwsError, made: bool) -> Failure {
    let token = ids::uuid();
    let reason = if error.code == "EntityAlreadyExists" {
        format!(
            "Resource handler returned message: \"Resource of type '{}' with identifier '{}' already exists.\" \
             (RequestToken: {token}, HandlerErrorCode: AlreadyExists)",
            item.kind,
            item.physical.as_deref().unwrap_or_default()
        )
    } else {
        let code = match error.code.as_str() {
            "AccessDenied" => "AccessDenied",
            "NoSuchEntity" => "NotFound",
            "LimitExceeded" => "ServiceLimitExceeded",
            "MalformedPolicyDocument" | "ValidationError" | "InvalidInput" | "DeleteConflict" => {
                "InvalidRequest"
            }
            _ => "GeneralServiceException",
        };
        format!(
            "Resource handler returned message: \"{} (Service: Iam, Status Code: {}, Request ID: {})\" (RequestToken: \
             {token}, HandlerErrorCode: {code})",
            error.message,
            error.status,
            ids::uuid()
        )
    };
    Failure { reason, made }
}

/// A policy as IAM takes it: JSON text.
fn document(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

fn text<'v>(properties: &'v Value, name: &str) -> Option<&'v str> {
    properties.get(name).and_then(Value::as_str)
}

fn physical(item: &Item) -> &str {
    item.physical.as_deref().unwrap_or_default()
}

/// Names that `old` has and `new` has not.
fn dropped(old: &[String], new: &[String]) -> Vec<String> {
    old.iter().filter(|name| !new.contains(name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_generated_name_fits_whatever_the_stack_is_called() {
        let stack = format!("glueup-connection-{}", "x".repeat(110));
        for kind in [ROLE, POLICY] {
            let name = name(kind, &json!({}), &stack, "ConnectionRole");
            assert!(name.len() <= 64, "{name}");
            assert!(
                name.starts_with("glueup-connection-") && name.contains("-ConnectionRole-"),
                "{name}"
            );
        }
        assert_eq!(name(ROLE, &json!({"RoleName": "mine"}), "s", "R"), "mine");
        assert_ne!(name(ROLE, &json!({}), "s", "R"), name(ROLE, &json!({}), "s", "R"));
    }

    #[test]
    fn a_property_that_a_type_does_not_have_is_refused() {
        assert_eq!(
            check(
                POLICY,
                "P",
                &json!({"PolicyName": "p", "PolicyDocument": {}, "Roles": ["r"]})
            ),
            Ok(())
        );
        let error = check(
            POLICY,
            "P",
            &json!({"PolicyName": "p", "PolicyDocument": {}, "Users": ["u"]}),
        );
        assert!(error.unwrap_err().contains("extraneous key [Users]"));
        assert!(
            check(ROLE, "R", &json!({}))
                .unwrap_err()
                .contains("required key [AssumeRolePolicyDocument]")
        );
    }
}
