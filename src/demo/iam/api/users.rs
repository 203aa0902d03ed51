//! Users and access keys.

use super::{Call, user_xml};
use crate::demo::clock::iso;
use crate::demo::error::AwsError;
use crate::demo::iam::Owner;
use crate::demo::xml::Xml;

type Answer = Result<Xml, AwsError>;

pub(super) fn handle(call: &Call<'_>, action: &str) -> Option<Answer> {
    Some(match action {
        "CreateUser" => create(call),
        "GetUser" => get(call),
        "ListUsers" => list(call),
        "DeleteUser" => delete(call),
        "CreateAccessKey" => create_key(call),
        "ListAccessKeys" => list_keys(call),
        "DeleteAccessKey" => delete_key(call),
        _ => return None,
    })
}

/// The user named, or the caller where none is.
fn user_name(call: &Call<'_>) -> Result<String, AwsError> {
    match (
        call.params.get("UserName").filter(|name| !name.is_empty()),
        call.caller.user_name(),
    ) {
        (Some(name), _) | (None, Some(name)) => Ok(name.to_owned()),
        (None, None) => Err(AwsError::validation(
            "Must specify userName when calling with non-User credentials",
        )),
    }
}

fn create(call: &Call<'_>) -> Answer {
    let name = call.params.require("UserName")?;
    call.may("iam:CreateUser", &call.new_arn("user", name))?;
    let path = call.params.get("Path");
    let user = call.change(|iam, moment| iam.create_user(moment, call.account(), name, path))?;
    Ok(Xml::new().node("User", user_xml(&user)))
}

fn get(call: &Call<'_>) -> Answer {
    let name = user_name(call)?;
    call.may("iam:GetUser", &call.owner_arn(Owner::User(&name)))?;
    call.read(|iam| Ok(Xml::new().node("User", user_xml(iam.user(call.account(), &name)?))))
}

fn list(call: &Call<'_>) -> Answer {
    call.may("iam:ListUsers", &format!("arn:aws:iam::{}:user/", call.account()))?;
    let prefix = call.params.get("PathPrefix").unwrap_or("/");
    let items = call.read(|iam| {
        let users = iam
            .users(call.account())
            .filter(|user| user.path.starts_with(prefix));
        Ok(users.map(|user| (user.name.clone(), user_xml(user))).collect())
    })?;
    call.page("Users", items)
}

fn delete(call: &Call<'_>) -> Answer {
    let name = call.params.require("UserName")?;
    call.may("iam:DeleteUser", &call.owner_arn(Owner::User(name)))?;
    call.change(|iam, moment| iam.delete_user(moment, call.account(), name))?;
    Ok(Xml::new())
}

fn create_key(call: &Call<'_>) -> Answer {
    let name = user_name(call)?;
    call.may("iam:CreateAccessKey", &call.owner_arn(Owner::User(&name)))?;
    let (pair, created) = call.change(|iam, moment| {
        iam.create_access_key(moment, call.account(), &name)
            .map(|pair| (pair, moment.shown))
    })?;
    let key = Xml::new()
        .text("UserName", &name)
        .text("AccessKeyId", &pair.id)
        .text("Status", "Active")
        .text("SecretAccessKey", &pair.secret)
        .text("CreateDate", iso(created));
    Ok(Xml::new().node("AccessKey", key))
}

fn list_keys(call: &Call<'_>) -> Answer {
    let name = user_name(call)?;
    call.may("iam:ListAccessKeys", &call.owner_arn(Owner::User(&name)))?;
    let items = call.read(|iam| {
        iam.user(call.account(), &name)?;
        let key = |(id, created): (&str, i64)| {
            let xml = Xml::new()
                .text("UserName", &name)
                .text("AccessKeyId", id)
                .text("Status", "Active")
                .text("CreateDate", iso(created));
            (id.to_owned(), xml)
        };
        Ok(iam.access_keys(call.account(), &name).map(key).collect())
    })?;
    call.page("AccessKeyMetadata", items)
}

fn delete_key(call: &Call<'_>) -> Answer {
    let name = user_name(call)?;
    let id = call.params.require("AccessKeyId")?;
    call.may("iam:DeleteAccessKey", &call.owner_arn(Owner::User(&name)))?;
    call.change(|iam, _| iam.delete_access_key(call.account(), &name, id))?;
    Ok(Xml::new())
}
