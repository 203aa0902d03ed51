//! `AWS::IAM::ManagedPolicy`. Its physical id is its ARN.

use super::role::element;
use super::{Failure, Item, Made, Scene, document, dropped, physical, text, texts, wrap};
use crate::demo::error::AwsError;
use std::collections::BTreeMap;

pub(super) fn make(scene: &Scene<'_>, new: &Item) -> Result<Made, Failure> {
    let name = physical(new);
    let path = text(&new.properties, "Path").unwrap_or("/");
    let document = document(new.properties.get("PolicyDocument"));
    let mut pairs = vec![
        ("PolicyName", name),
        ("Path", path),
        ("PolicyDocument", document.as_str()),
    ];
    pairs.extend(text(&new.properties, "Description").map(|text| ("Description", text)));
    match scene.iam("CreatePolicy", &pairs) {
        Err(error) if error.code == "EntityAlreadyExists" && scene.again => {}
        other => drop(other.map_err(|error| wrap(new, &error, false))?),
    }
    let arn = scene.account_arn(&format!("policy{path}{name}"));
    attach(scene, &arn, &[], &texts(&new.properties, "Roles")).map_err(|error| wrap(new, &error, true))?;
    Ok(made(arn))
}

pub(super) fn change(scene: &Scene<'_>, old: &Item, new: &Item) -> Result<Made, Failure> {
    let arn = physical(old);
    let apply = || -> Result<(), AwsError> {
        let now = document(new.properties.get("PolicyDocument"));
        if old.unsure || now != document(old.properties.get("PolicyDocument")) {
            let about = scene.iam("GetPolicy", &[("PolicyArn", arn)])?;
            let version = element(about.as_str(), "DefaultVersionId")
                .unwrap_or_default()
                .to_owned();
            scene.iam(
                "CreatePolicyVersion",
                &[
                    ("PolicyArn", arn),
                    ("PolicyDocument", &now),
                    ("SetAsDefault", "true"),
                ],
            )?;
            // IAM keeps five versions at most: the one that is no longer used makes room for the next.
            scene.iam_remove(
                "DeletePolicyVersion",
                &[("PolicyArn", arn), ("VersionId", &version)],
            )?;
        }
        attach(
            scene,
            arn,
            &texts(&old.properties, "Roles"),
            &texts(&new.properties, "Roles"),
        )
    };
    apply().map_err(|error| wrap(new, &error, true))?;
    Ok(made(arn.to_owned()))
}

pub(super) fn remove(scene: &Scene<'_>, old: &Item) -> Result<Made, Failure> {
    let path = text(&old.properties, "Path").unwrap_or("/");
    // A policy whose creation failed half way is still known by its name.
    let arn = match physical(old) {
        arn if arn.starts_with("arn:") => arn.to_owned(),
        name => scene.account_arn(&format!("policy{path}{name}")),
    };
    let apply = || -> Result<(), AwsError> {
        attach(scene, &arn, &texts(&old.properties, "Roles"), &[])?;
        scene.iam_remove("DeletePolicy", &[("PolicyArn", &arn)])
    };
    apply().map_err(|error| wrap(old, &error, true))?;
    Ok(Made::default())
}

fn attach(scene: &Scene<'_>, arn: &str, old: &[String], new: &[String]) -> Result<(), AwsError> {
    for role in new {
        scene.iam("AttachRolePolicy", &[("RoleName", role), ("PolicyArn", arn)])?;
    }
    for role in dropped(old, new) {
        scene.iam_remove("DetachRolePolicy", &[("RoleName", &role), ("PolicyArn", arn)])?;
    }
    Ok(())
}

fn made(arn: String) -> Made {
    Made {
        attributes: BTreeMap::from([("PolicyArn".to_owned(), arn.clone())]),
        physical: Some(arn),
    }
}
