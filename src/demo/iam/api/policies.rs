//! Policies: inline and attached ones of users and roles, boundaries, and managed policies.

use super::{Call, encoded_document};
use crate::demo::clock::iso;
use crate::demo::error::AwsError;
use crate::demo::iam::{Managed, NewPolicy, Owner, Store};
use crate::demo::xml::Xml;
use crate::policy::Context;

type Answer = Result<Xml, AwsError>;

pub(super) fn handle(call: &Call<'_>, action: &str) -> Option<Answer> {
    Some(match action {
        "PutUserPolicy" | "PutRolePolicy" => put(call, action),
        "GetUserPolicy" | "GetRolePolicy" => get(call, action),
        "ListUserPolicies" | "ListRolePolicies" => list(call, action),
        "DeleteUserPolicy" | "DeleteRolePolicy" => delete(call, action),
        "AttachUserPolicy" | "AttachRolePolicy" => attach(call, action, true),
        "DetachUserPolicy" | "DetachRolePolicy" => attach(call, action, false),
        "ListAttachedUserPolicies" | "ListAttachedRolePolicies" => list_attached(call, action),
        "PutUserPermissionsBoundary" | "PutRolePermissionsBoundary" => put_boundary(call, action),
        "DeleteUserPermissionsBoundary" | "DeleteRolePermissionsBoundary" => delete_boundary(call, action),
        "CreatePolicy" => create_managed(call),
        "GetPolicy" => get_managed(call),
        "ListPolicies" => list_managed(call),
        "DeletePolicy" => delete_managed(call),
        "CreatePolicyVersion" => create_version(call),
        "GetPolicyVersion" => get_version(call),
        "ListPolicyVersions" => list_versions(call),
        "DeletePolicyVersion" => delete_version(call),
        _ => return None,
    })
}

/// The user or role that an operation speaks of, after asking whether the caller may do this with it.
fn owner<'a>(call: &'a Call<'_>, action: &str, context: &Context) -> Result<Owner<'a>, AwsError> {
    let owner = if action.contains("User") {
        Owner::User(call.params.require("UserName")?)
    } else {
        Owner::Role(call.params.require("RoleName")?)
    };
    call.may_with(&format!("iam:{action}"), &call.owner_arn(owner), context)?;
    Ok(owner)
}

fn put(call: &Call<'_>, action: &str) -> Answer {
    let owner = owner(call, action, &Context::new())?;
    let (name, document) = (
        call.params.require("PolicyName")?,
        call.params.require("PolicyDocument")?,
    );
    call.change(|iam, moment| iam.put_policy(moment, call.account(), owner, name, document))?;
    Ok(Xml::new())
}

fn get(call: &Call<'_>, action: &str) -> Answer {
    let owner = owner(call, action, &Context::new())?;
    let name = call.params.require("PolicyName")?;
    let field = if matches!(owner, Owner::User(_)) {
        "UserName"
    } else {
        "RoleName"
    };
    call.read(|iam| {
        let document = iam.inline_policy(call.account(), owner, name)?;
        Ok(Xml::new()
            .text(field, owner.name())
            .text("PolicyName", name)
            .text("PolicyDocument", encoded_document(document)))
    })
}

fn list(call: &Call<'_>, action: &str) -> Answer {
    let owner = owner(call, action, &Context::new())?;
    call.read(|iam| {
        let names = iam.grants(call.account(), owner)?.inline.keys();
        Ok(Xml::new()
            .strings("PolicyNames", names)
            .text("IsTruncated", "false"))
    })
}

fn delete(call: &Call<'_>, action: &str) -> Answer {
    let owner = owner(call, action, &Context::new())?;
    let name = call.params.require("PolicyName")?;
    call.change(|iam, moment| iam.delete_inline_policy(moment, call.account(), owner, name))?;
    Ok(Xml::new())
}

fn attach(call: &Call<'_>, action: &str, attach: bool) -> Answer {
    let arn = call.params.require("PolicyArn")?;
    let owner = owner(call, action, &Context::new().with("iam:PolicyARN", arn))?;
    call.change(|iam, moment| {
        if attach {
            iam.attach(moment, call.account(), owner, arn)
        } else {
            iam.detach(moment, call.account(), owner, arn)
        }
    })?;
    Ok(Xml::new())
}

fn list_attached(call: &Call<'_>, action: &str) -> Answer {
    let owner = owner(call, action, &Context::new())?;
    let items = call.read(|iam| {
        let item = |arn: &String| {
            let name = arn.rsplit('/').next().unwrap_or_default();
            (
                arn.clone(),
                Xml::new().text("PolicyName", name).text("PolicyArn", arn),
            )
        };
        Ok(iam
            .grants(call.account(), owner)?
            .attached
            .iter()
            .map(item)
            .collect())
    })?;
    call.page("AttachedPolicies", items)
}

fn put_boundary(call: &Call<'_>, action: &str) -> Answer {
    let arn = call.params.require("PermissionsBoundary")?;
    let owner = owner(call, action, &Context::new().with("iam:PermissionsBoundary", arn))?;
    call.change(|iam, moment| iam.set_boundary(moment, call.account(), owner, Some(arn)))?;
    Ok(Xml::new())
}

fn delete_boundary(call: &Call<'_>, action: &str) -> Answer {
    let owner = owner(call, action, &Context::new())?;
    call.change(|iam, moment| iam.set_boundary(moment, call.account(), owner, None))?;
    Ok(Xml::new())
}

/// The policy named, after asking whether the caller may do this with it.
fn managed<'a>(call: &'a Call<'_>, action: &str) -> Result<&'a str, AwsError> {
    let arn = call.params.require("PolicyArn")?;
    call.may(&format!("iam:{action}"), arn)?;
    let account = arn.split(':').nth(4).unwrap_or_default();
    if account != call.account() && account != "aws" {
        return Err(AwsError::denied(format!(
            "User: {} is not authorized to perform: iam:{action} on resource: policy {arn} because no \
             resource-based policy allows the iam:{action} action",
            call.caller.arn
        )));
    }
    Ok(arn)
}

fn managed_xml(iam: &Store, policy: &Managed) -> Xml {
    Xml::new()
        .text("PolicyName", &policy.name)
        .text("PolicyId", &policy.id)
        .text("Arn", &policy.arn)
        .text("Path", &policy.path)
        .text("DefaultVersionId", format!("v{}", policy.default))
        .text("AttachmentCount", iam.attachments(&policy.arn).to_string())
        .text("IsAttachable", "true")
        .text("Description", &policy.description)
        .text("CreateDate", iso(policy.created))
        .text("UpdateDate", iso(policy.updated))
}

fn create_managed(call: &Call<'_>) -> Answer {
    let new = NewPolicy {
        name: call.params.require("PolicyName")?,
        path: call.params.get("Path"),
        description: call.params.get("Description"),
        document: call.params.require("PolicyDocument")?,
    };
    call.may("iam:CreatePolicy", &call.new_arn("policy", new.name))?;
    call.change(|iam, moment| {
        let policy = iam.create_policy(moment, call.account(), new)?;
        Ok(Xml::new().node("Policy", managed_xml(iam, &policy)))
    })
}

fn get_managed(call: &Call<'_>) -> Answer {
    let arn = managed(call, "GetPolicy")?;
    call.read(|iam| Ok(Xml::new().node("Policy", managed_xml(iam, iam.managed(arn)?))))
}

fn list_managed(call: &Call<'_>) -> Answer {
    call.may(
        "iam:ListPolicies",
        &format!("arn:aws:iam::{}:policy/", call.account()),
    )?;
    let scope = call.params.get("Scope").unwrap_or("All");
    let only_attached = call.params.flag("OnlyAttached");
    let items = call.read(|iam| {
        let own = iam.managed_policies(call.account()).filter(|_| scope != "AWS");
        let aws = Store::aws_policies().filter(|_| scope != "Local");
        let aws = aws.map(|policy| -> &Managed { policy });
        let policies = own
            .chain(aws)
            .filter(|policy| !only_attached || iam.attachments(&policy.arn) > 0);
        Ok(policies
            .map(|policy| (policy.arn.clone(), managed_xml(iam, policy)))
            .collect())
    })?;
    call.page("Policies", items)
}

fn delete_managed(call: &Call<'_>) -> Answer {
    let arn = managed(call, "DeletePolicy")?;
    call.change(|iam, moment| iam.delete_managed_policy(moment, arn))?;
    Ok(Xml::new())
}

fn version_xml(policy: &Managed, number: u32) -> Xml {
    Xml::new()
        .text("VersionId", format!("v{number}"))
        .text(
            "IsDefaultVersion",
            if number == policy.default { "true" } else { "false" },
        )
        .text("CreateDate", iso(policy.updated))
}

fn version(call: &Call<'_>) -> Result<u32, AwsError> {
    let id = call.params.require("VersionId")?;
    id.strip_prefix('v').and_then(|number| number.parse().ok()).ok_or_else(|| {
        AwsError::validation(format!(
            "1 validation error detected: Value '{id}' at 'versionId' failed to satisfy constraint: Member must \
             satisfy regular expression pattern: v[1-9][0-9]*(\\.[A-Za-z0-9-]*)?"
        ))
    })
}

fn create_version(call: &Call<'_>) -> Answer {
    let arn = managed(call, "CreatePolicyVersion")?;
    let document = call.params.require("PolicyDocument")?;
    let set_default = call.params.flag("SetAsDefault");
    call.change(|iam, moment| {
        let number = iam.create_policy_version(moment, arn, document, set_default)?;
        Ok(Xml::new().node("PolicyVersion", version_xml(iam.managed(arn)?, number)))
    })
}

fn get_version(call: &Call<'_>) -> Answer {
    let arn = managed(call, "GetPolicyVersion")?;
    let number = version(call)?;
    call.read(|iam| {
        let policy = iam.managed(arn)?;
        let document = policy.versions.get(&number).ok_or_else(|| {
            AwsError::no_such_entity(format!(
                "Policy {arn} version v{number} does not exist or is not attachable."
            ))
        })?;
        let xml = version_xml(policy, number).text("Document", encoded_document(document));
        Ok(Xml::new().node("PolicyVersion", xml))
    })
}

fn list_versions(call: &Call<'_>) -> Answer {
    let arn = managed(call, "ListPolicyVersions")?;
    let items = call.read(|iam| {
        let policy = iam.managed(arn)?;
        let item = |number: &u32| (format!("{number:010}"), version_xml(policy, *number));
        Ok(policy.versions.keys().map(item).collect())
    })?;
    call.page("Versions", items)
}

fn delete_version(call: &Call<'_>) -> Answer {
    let arn = managed(call, "DeletePolicyVersion")?;
    let number = version(call)?;
    call.change(|iam, moment| iam.delete_policy_version(moment, arn, number))?;
    Ok(Xml::new())
}
