//! `AWS::IAM::Policy`, an inline policy on one or more roles, and `AWS::IAM::RolePolicy`, on one.

use super::{Failure, Item, Made, Scene, document, dropped, physical, text, texts, wrap};
use crate::demo::error::AwsError;
use std::collections::BTreeMap;

pub(super) fn make(scene: &Scene<'_>, new: &Item) -> Result<Made, Failure> {
    let roles = texts(&new.properties, "Roles");
    if roles.is_empty() {
        let error = AwsError::validation("At least one of [Groups,Roles,Users] must be non-empty.");
        return Err(wrap(new, &error, false));
    }
    for (before, role) in roles.iter().enumerate() {
        put(scene, new, role).map_err(|error| wrap(new, &error, before > 0))?;
    }
    Ok(id(new))
}

pub(super) fn change(scene: &Scene<'_>, old: &Item, new: &Item) -> Result<Made, Failure> {
    let (old_roles, new_roles) = (texts(&old.properties, "Roles"), texts(&new.properties, "Roles"));
    let renamed = text(&old.properties, "PolicyName") != text(&new.properties, "PolicyName");
    let apply = || -> Result<(), AwsError> {
        for role in &new_roles {
            put(scene, new, role)?;
        }
        let gone = if renamed {
            old_roles.clone()
        } else {
            dropped(&old_roles, &new_roles)
        };
        for role in &gone {
            delete(scene, old, role)?;
        }
        Ok(())
    };
    apply().map_err(|error| wrap(new, &error, true))?;
    Ok(id(new))
}

pub(super) fn remove(scene: &Scene<'_>, old: &Item) -> Result<Made, Failure> {
    for role in texts(&old.properties, "Roles") {
        delete(scene, old, &role).map_err(|error| wrap(old, &error, true))?;
    }
    Ok(Made::default())
}

pub(super) fn make_one(scene: &Scene<'_>, new: &Item) -> Result<Made, Failure> {
    let role = text(&new.properties, "RoleName").unwrap_or_default();
    put(scene, new, role).map_err(|error| wrap(new, &error, false))?;
    Ok(Made::default())
}

pub(super) fn remove_one(scene: &Scene<'_>, old: &Item) -> Result<Made, Failure> {
    let role = text(&old.properties, "RoleName").unwrap_or_default();
    delete(scene, old, role).map_err(|error| wrap(old, &error, true))?;
    Ok(Made::default())
}

fn put(scene: &Scene<'_>, item: &Item, role: &str) -> Result<(), AwsError> {
    let name = text(&item.properties, "PolicyName").unwrap_or_default();
    let document = document(item.properties.get("PolicyDocument"));
    scene
        .iam(
            "PutRolePolicy",
            &[
                ("RoleName", role),
                ("PolicyName", name),
                ("PolicyDocument", &document),
            ],
        )
        .map(drop)
}

fn delete(scene: &Scene<'_>, item: &Item, role: &str) -> Result<(), AwsError> {
    let name = text(&item.properties, "PolicyName").unwrap_or_default();
    scene.iam_remove("DeleteRolePolicy", &[("RoleName", role), ("PolicyName", name)])
}

fn id(item: &Item) -> Made {
    Made {
        physical: None,
        attributes: BTreeMap::from([("Id".to_owned(), physical(item).to_owned())]),
    }
}
