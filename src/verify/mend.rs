//! What to do about a hole: something that the role allows and that nobody asked for.

use super::climb::Climb;
use crate::domain::access::Access;
use crate::domain::quote::shell;
use crate::registry::Catalog;
use crate::setup::trust;
use serde_json::{Map, Value, json};

/// A trust policy that asks for the external id, as a command that puts it in place.
pub(super) fn trust(climb: &Climb) -> String {
    let connection = &climb.connection;
    let trusted = trust::of(connection.broker_role_arn.as_ref(), &connection.trust);
    let mut condition = Map::new();
    condition.insert(
        "StringEquals".to_owned(),
        json!({"sts:ExternalId": connection.external_id.as_str()}),
    );
    if !trusted.patterns.is_empty() {
        condition.insert(
            "ArnLike".to_owned(),
            json!({"aws:PrincipalArn": trusted.patterns}),
        );
    }
    let principals = match trusted.principals.as_slice() {
        // Nobody is on record: whoever asked, which is who was let in.
        [] => json!(climb.first().caller()),
        [only] => json!(only),
        several => json!(several),
    };
    let policy = json!({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow",
        "Principal": {"AWS": principals},
        "Action": "sts:AssumeRole",
        "Condition": Value::Object(condition),
    }]});
    format!(
        "Ask for the external ID in every statement of the role's trust policy:\n\
         aws iam update-assume-role-policy --role-name {} --policy-document {}",
        climb.role.role_name(),
        shell(&policy.to_string())
    )
}

/// Who gives the role a right that the catalog does not ask for: another catalog on the same connection, a stack that a
/// change left behind, or a policy that is none of ours.
pub(super) fn too_wide(climb: &Climb, catalog: &Catalog, action: &str) -> String {
    if let Some(other) = climb.others.iter().find(|other| widens(other, catalog, action)) {
        return format!(
            "The role also serves {}, which asks for {} of {}: a role is as wide as all its grants together. Give {} a \
             connection of its own:\nglueup connection add --name {} --account-id {}\nglueup catalog set {} --connection {}",
            other.name,
            other.access,
            other.s3_path,
            catalog.name,
            shell(&format!("{}-narrow", climb.connection.name)),
            climb.connection.account_id,
            shell(catalog.name.as_str()),
            shell(&format!("{}-narrow", climb.connection.name)),
        );
    }
    if let Some(left) = catalog.left_over_stacks.first() {
        return format!(
            "The stack {} of an earlier setting still grants it. Deploying again offers to delete it:\n\
             glueup deploy catalog {}",
            left.stack_name,
            shell(catalog.name.as_str())
        );
    }
    let role = climb.role.role_name();
    format!(
        "A policy of the role allows {action} beside the stack {}. Find it and take it away:\n\
         aws iam list-role-policies --role-name {role}\n\
         aws iam list-attached-role-policies --role-name {role}",
        catalog.stack_name
    )
}

/// Whether another grant may explain it: what it asks for is more than this catalog's.
fn widens(other: &Catalog, catalog: &Catalog, action: &str) -> bool {
    let writes = !["s3:ListBucket", "s3:GetObject", "glue:GetTable"].contains(&action);
    if writes && other.access == Access::ReadOnly {
        return false;
    }
    match action.split_once(':') {
        Some(("s3", _)) => {
            let (theirs, ours) = (&other.s3_path, &catalog.s3_path);
            theirs.bucket() == ours.bucket()
                && (theirs.prefix().starts_with(ours.prefix()) || ours.prefix().starts_with(theirs.prefix()))
        }
        _ => other.region == catalog.region,
    }
}
