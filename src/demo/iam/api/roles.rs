//! Roles.

use super::{Call, role_xml, tags, tags_xml};
use crate::demo::error::AwsError;
use crate::demo::iam::{NewRole, Owner, RoleChange};
use crate::demo::xml::Xml;
use crate::policy::Context;

type Answer = Result<Xml, AwsError>;

pub(super) fn handle(call: &Call<'_>, action: &str) -> Option<Answer> {
    Some(match action {
        "CreateRole" => create(call),
        "GetRole" => get(call),
        "ListRoles" => list(call),
        "UpdateRole" => update(call),
        "UpdateAssumeRolePolicy" => update_trust(call),
        "DeleteRole" => delete(call),
        "TagRole" => tag(call),
        "UntagRole" => untag(call),
        "ListRoleTags" => list_tags(call),
        _ => return None,
    })
}

/// The role named, after asking whether the caller may do this with it.
fn role<'a>(call: &'a Call<'_>, action: &str) -> Result<&'a str, AwsError> {
    let name = call.params.require("RoleName")?;
    call.may(&format!("iam:{action}"), &call.owner_arn(Owner::Role(name)))?;
    Ok(name)
}

fn create(call: &Call<'_>) -> Answer {
    let params = call.params;
    let boundary = params.get("PermissionsBoundary").filter(|arn| !arn.is_empty());
    let new = NewRole {
        name: params.require("RoleName")?,
        path: params.get("Path"),
        trust: params.require("AssumeRolePolicyDocument")?,
        description: params.get("Description"),
        max_session: params.number("MaxSessionDuration")?,
        boundary,
        tags: tags(params)?,
    };
    let context = Context::new().maybe("iam:PermissionsBoundary", boundary);
    call.may_with("iam:CreateRole", &call.new_arn("role", new.name), &context)?;
    if !new.tags.is_empty() {
        call.may("iam:TagRole", &call.new_arn("role", new.name))?;
    }
    call.change(|iam, moment| {
        let role = iam.create_role(moment, call.account(), new)?;
        Ok(Xml::new().node("Role", role_xml(iam, moment, &role).and(tags_xml(&role.tags))))
    })
}

fn get(call: &Call<'_>) -> Answer {
    let name = role(call, "GetRole")?;
    let moment = call.world.moment();
    call.read(|iam| {
        let role = iam.role(call.account(), name)?;
        Ok(Xml::new().node("Role", role_xml(iam, moment, role).and(tags_xml(&role.tags))))
    })
}

fn list(call: &Call<'_>) -> Answer {
    call.may("iam:ListRoles", &format!("arn:aws:iam::{}:role/", call.account()))?;
    let prefix = call.params.get("PathPrefix").unwrap_or("/");
    let moment = call.world.moment();
    let items = call.read(|iam| {
        let roles = iam
            .roles(call.account())
            .filter(|role| role.path.starts_with(prefix));
        Ok(roles
            .map(|role| (role.name.clone(), role_xml(iam, moment, role)))
            .collect())
    })?;
    call.page("Roles", items)
}

fn update(call: &Call<'_>) -> Answer {
    let name = role(call, "UpdateRole")?;
    let change = RoleChange {
        description: call.params.get("Description"),
        max_session: call.params.number("MaxSessionDuration")?,
    };
    call.change(|iam, moment| iam.update_role(moment, call.account(), name, change))?;
    Ok(Xml::new())
}

fn update_trust(call: &Call<'_>) -> Answer {
    let name = role(call, "UpdateAssumeRolePolicy")?;
    let trust = call.params.require("PolicyDocument")?;
    call.change(|iam, moment| iam.update_trust(moment, call.account(), name, trust))?;
    Ok(Xml::new())
}

fn delete(call: &Call<'_>) -> Answer {
    let name = role(call, "DeleteRole")?;
    call.change(|iam, moment| iam.delete_role(moment, call.account(), name))?;
    Ok(Xml::new())
}

fn tag(call: &Call<'_>) -> Answer {
    let name = role(call, "TagRole")?;
    let new = tags(call.params)?;
    call.change(|iam, moment| {
        let mut tags = iam.role(call.account(), name)?.tags.clone();
        tags.extend(new);
        iam.set_role_tags(moment, call.account(), name, tags)
    })?;
    Ok(Xml::new())
}

fn untag(call: &Call<'_>) -> Answer {
    let name = role(call, "UntagRole")?;
    let gone = call.params.list("TagKeys");
    call.change(|iam, moment| {
        let mut tags = iam.role(call.account(), name)?.tags.clone();
        tags.retain(|key, _| !gone.contains(key));
        iam.set_role_tags(moment, call.account(), name, tags)
    })?;
    Ok(Xml::new())
}

fn list_tags(call: &Call<'_>) -> Answer {
    let name = role(call, "ListRoleTags")?;
    call.read(|iam| Ok(tags_xml(&iam.role(call.account(), name)?.tags).text("IsTruncated", "false")))
}
