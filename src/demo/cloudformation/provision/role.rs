//! `AWS::IAM::Role`.

use super::{Failure, Item, Made, Scene, document, dropped, physical, text, texts, wrap};
use crate::demo::error::AwsError;
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn make(scene: &Scene<'_>, new: &Item) -> Result<Made, Failure> {
    let name = physical(new);
    let properties = &new.properties;
    let trust = document(properties.get("AssumeRolePolicyDocument"));
    let duration = duration(properties);
    let tags = tags(scene, properties);
    let mut pairs = vec![
        ("RoleName", name),
        ("AssumeRolePolicyDocument", trust.as_str()),
        ("Path", path(properties)),
    ];
    pairs.extend(text(properties, "Description").map(|text| ("Description", text)));
    pairs.extend(text(properties, "PermissionsBoundary").map(|arn| ("PermissionsBoundary", arn)));
    pairs.extend(duration.as_deref().map(|seconds| ("MaxSessionDuration", seconds)));
    pairs.extend(tags.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let answer = match scene.iam("CreateRole", &pairs) {
        Err(error) if error.code == "EntityAlreadyExists" && scene.again => {
            scene.iam("GetRole", &[("RoleName", name)])
        }
        other => other,
    };
    let answer = answer.map_err(|error| wrap(new, &error, false))?;
    let nothing = Value::Null;
    attach(scene, name, &nothing, properties).map_err(|error| wrap(new, &error, true))?;
    let arn = scene.account_arn(&format!("role{}{name}", path(properties)));
    let id = element(answer.as_str(), "RoleId").unwrap_or_default().to_owned();
    Ok(Made {
        physical: None,
        attributes: BTreeMap::from([("Arn".to_owned(), arn), ("RoleId".to_owned(), id)]),
    })
}

pub(super) fn change(scene: &Scene<'_>, old: &Item, new: &Item) -> Result<Made, Failure> {
    let name = physical(new);
    let apply = || -> Result<(), AwsError> {
        let trust = document(new.properties.get("AssumeRolePolicyDocument"));
        if old.unsure || trust != document(old.properties.get("AssumeRolePolicyDocument")) {
            scene.iam(
                "UpdateAssumeRolePolicy",
                &[("RoleName", name), ("PolicyDocument", &trust)],
            )?;
        }
        let (seconds, description) = (duration(&new.properties), text(&new.properties, "Description"));
        if old.unsure
            || seconds != duration(&old.properties)
            || description != text(&old.properties, "Description")
        {
            let seconds = seconds.unwrap_or_else(|| "3600".to_owned());
            let description = description.unwrap_or_default();
            scene.iam(
                "UpdateRole",
                &[
                    ("RoleName", name),
                    ("MaxSessionDuration", &seconds),
                    ("Description", description),
                ],
            )?;
        }
        let boundary = text(&new.properties, "PermissionsBoundary");
        if old.unsure || boundary != text(&old.properties, "PermissionsBoundary") {
            match boundary {
                Some(arn) => {
                    scene.iam(
                        "PutRolePermissionsBoundary",
                        &[("RoleName", name), ("PermissionsBoundary", arn)],
                    )?;
                }
                None => scene.iam_remove("DeleteRolePermissionsBoundary", &[("RoleName", name)])?,
            }
        }
        retag(scene, name, old, new)?;
        attach(scene, name, &old.properties, &new.properties)
    };
    apply().map_err(|error| wrap(new, &error, true))?;
    Ok(Made {
        physical: None,
        attributes: old.attributes.clone(),
    })
}

pub(super) fn remove(scene: &Scene<'_>, old: &Item) -> Result<Made, Failure> {
    let name = physical(old);
    let apply = || -> Result<(), AwsError> {
        attach(scene, name, &old.properties, &Value::Null)?;
        scene.iam_remove("DeleteRole", &[("RoleName", name)])
    };
    apply().map_err(|error| wrap(old, &error, true))?;
    Ok(Made::default())
}

/// Brings the role's own policies, inline and managed, from the old properties to the new ones.
fn attach(scene: &Scene<'_>, role: &str, old: &Value, new: &Value) -> Result<(), AwsError> {
    let (old_inline, new_inline) = (inline(old), inline(new));
    for (name, document) in &new_inline {
        scene.iam(
            "PutRolePolicy",
            &[
                ("RoleName", role),
                ("PolicyName", name),
                ("PolicyDocument", document),
            ],
        )?;
    }
    for name in old_inline.keys().filter(|name| !new_inline.contains_key(*name)) {
        scene.iam_remove("DeleteRolePolicy", &[("RoleName", role), ("PolicyName", name)])?;
    }
    let (old_managed, new_managed) = (texts(old, "ManagedPolicyArns"), texts(new, "ManagedPolicyArns"));
    for arn in &new_managed {
        scene.iam("AttachRolePolicy", &[("RoleName", role), ("PolicyArn", arn)])?;
    }
    for arn in dropped(&old_managed, &new_managed) {
        scene.iam_remove("DetachRolePolicy", &[("RoleName", role), ("PolicyArn", &arn)])?;
    }
    Ok(())
}

fn retag(scene: &Scene<'_>, role: &str, old: &Item, new: &Item) -> Result<(), AwsError> {
    let keys = |item: &Item| {
        let tags = item
            .properties
            .get("Tags")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        tags.iter()
            .filter_map(|tag| text(tag, "Key").map(str::to_owned))
            .collect::<Vec<_>>()
    };
    if !old.unsure && old.properties.get("Tags") == new.properties.get("Tags") {
        return Ok(());
    }
    let tags = tags(scene, &new.properties);
    if !tags.is_empty() {
        let mut pairs = vec![("RoleName", role)];
        pairs.extend(tags.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        scene.iam("TagRole", &pairs)?;
    }
    let gone = dropped(&keys(old), &keys(new));
    if !gone.is_empty() {
        let names: Vec<String> = (1..=gone.len()).map(|n| format!("TagKeys.member.{n}")).collect();
        let mut pairs = vec![("RoleName", role)];
        pairs.extend(
            names
                .iter()
                .map(String::as_str)
                .zip(gone.iter().map(String::as_str)),
        );
        scene.iam("UntagRole", &pairs)?;
    }
    Ok(())
}

fn inline(properties: &Value) -> BTreeMap<String, String> {
    properties
        .get("Policies")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|policy| {
            Some((
                text(policy, "PolicyName")?.to_owned(),
                document(policy.get("PolicyDocument")),
            ))
        })
        .collect()
}

/// The stack's tags and the resource's own, which win, as the query protocol writes them.
fn tags(scene: &Scene<'_>, properties: &Value) -> Vec<(String, String)> {
    let mut tags: BTreeMap<String, String> = scene.tags.iter().cloned().collect();
    for tag in properties
        .get("Tags")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        if let (Some(key), Some(value)) = (text(tag, "Key"), text(tag, "Value")) {
            tags.insert(key.to_owned(), value.to_owned());
        }
    }
    (1..)
        .zip(tags)
        .flat_map(|(n, (key, value))| {
            [
                (format!("Tags.member.{n}.Key"), key),
                (format!("Tags.member.{n}.Value"), value),
            ]
        })
        .collect()
}

fn path(properties: &Value) -> &str {
    text(properties, "Path").unwrap_or("/")
}

fn duration(properties: &Value) -> Option<String> {
    match properties.get("MaxSessionDuration")? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The text of the first element of that name.
pub(super) fn element<'x>(xml: &'x str, name: &str) -> Option<&'x str> {
    let (_, rest) = xml.split_once(&format!("<{name}>"))?;
    rest.split_once("</").map(|(text, _)| text)
}
