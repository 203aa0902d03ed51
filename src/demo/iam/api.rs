//! IAM's query API.

mod policies;
mod roles;
mod simulate;
mod users;

use super::Store;
use super::model::{Owner, Role, User};
use crate::demo::caller::Caller;
use crate::demo::clock::iso;
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::world::{Moment, World};
use crate::demo::xml::Xml;
use crate::policy::{Context, Document};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::BTreeMap;

/// IAM writes documents as in an address.
const DOCUMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// Answers one operation; the XML is what stands inside `<ActionResult>`.
pub fn handle(world: &World, caller: &Caller, params: &Params) -> Result<Xml, AwsError> {
    let call = Call {
        world,
        caller,
        params,
    };
    let action = params.action();
    users::handle(&call, action)
        .or_else(|| roles::handle(&call, action))
        .or_else(|| policies::handle(&call, action))
        .or_else(|| simulate::handle(&call, action))
        .unwrap_or_else(|| Err(AwsError::unknown_action(action)))
}

/// One call.
struct Call<'a> {
    world: &'a World,
    caller: &'a Caller,
    params: &'a Params,
}

impl Call<'_> {
    fn account(&self) -> &str {
        &self.caller.account
    }

    fn may(&self, action: &str, resource: &str) -> Result<(), AwsError> {
        self.may_with(action, resource, &Context::new())
    }

    fn may_with(&self, action: &str, resource: &str, context: &Context) -> Result<(), AwsError> {
        self.world.authorize(self.caller, action, resource, context)
    }

    fn read<T>(&self, look: impl FnOnce(&Store) -> Result<T, AwsError>) -> Result<T, AwsError> {
        self.world.read(|state| look(&state.iam))
    }

    fn change<T>(
        &self,
        change: impl FnOnce(&mut Store, Moment) -> Result<T, AwsError>,
    ) -> Result<T, AwsError> {
        let moment = self.world.moment();
        self.world.change(|state| change(&mut state.iam, moment))
    }

    /// ARN of a user or role, made up where it does not exist: permission is asked before existence.
    fn owner_arn(&self, owner: Owner<'_>) -> String {
        let account = self.account();
        self.world
            .read(|state| match owner {
                Owner::User(name) => state.iam.user(account, name).map(|user| user.arn.clone()),
                Owner::Role(name) => state.iam.role(account, name).map(|role| role.arn.clone()),
            })
            .unwrap_or_else(|_| format!("arn:aws:iam::{account}:{}/{}", owner.word(), owner.name()))
    }

    /// ARN of a thing that is about to be made.
    fn new_arn(&self, kind: &str, name: &str) -> String {
        let path = self
            .params
            .get("Path")
            .filter(|path| !path.is_empty())
            .unwrap_or("/");
        format!("arn:aws:iam::{}:{kind}{path}{name}", self.account())
    }

    /// The page that `Marker` and `MaxItems` ask for: items in order, each with a name that tells it from the others.
    fn page(&self, list: &str, items: Vec<(String, Xml)>) -> Result<Xml, AwsError> {
        let most = match self.params.number("MaxItems")? {
            None => 100,
            Some(most @ 1..=1000) => usize::try_from(most).unwrap_or(100),
            Some(wrong) => {
                return Err(AwsError::validation(format!(
                    "1 validation error detected: Value '{wrong}' at 'maxItems' failed to satisfy constraint: Member \
                     must have value between 1 and 1000"
                )));
            }
        };
        let after = match self.params.get("Marker").filter(|marker| !marker.is_empty()) {
            None => None,
            Some(marker) => {
                let name = hex::decode(marker)
                    .ok()
                    .and_then(|bytes| String::from_utf8(bytes).ok());
                Some(name.ok_or_else(|| AwsError::validation("Invalid Marker"))?)
            }
        };
        let mut rest: Vec<(String, Xml)> = items
            .into_iter()
            .filter(|(name, _)| after.as_ref().is_none_or(|after| name > after))
            .collect();
        rest.sort_by(|a, b| a.0.cmp(&b.0));
        let truncated = rest.len() > most;
        rest.truncate(most);
        let marker = rest
            .last()
            .filter(|_| truncated)
            .map(|(name, _)| hex::encode(name));
        Ok(Xml::new()
            .list(list, rest.into_iter().map(|(_, xml)| xml))
            .text("IsTruncated", if truncated { "true" } else { "false" })
            .maybe("Marker", marker))
    }
}

fn encoded(document: &str) -> String {
    utf8_percent_encode(document, DOCUMENT).to_string()
}

fn encoded_document(document: &Document) -> String {
    encoded(document.text())
}

fn boundary(arn: Option<&String>) -> Xml {
    match arn {
        None => Xml::new(),
        Some(arn) => Xml::new().node(
            "PermissionsBoundary",
            Xml::new()
                .text("PermissionsBoundaryType", "Policy")
                .text("PermissionsBoundaryArn", arn),
        ),
    }
}

fn user_xml(user: &User) -> Xml {
    Xml::new()
        .text("Path", &user.path)
        .text("UserName", &user.name)
        .text("UserId", &user.id)
        .text("Arn", &user.arn)
        .text("CreateDate", iso(user.created))
        .and(boundary(user.grants.boundary.as_ref()))
}

fn role_xml(store: &Store, moment: Moment, role: &Role) -> Xml {
    Xml::new()
        .text("Path", &role.path)
        .text("RoleName", &role.name)
        .text("RoleId", &role.id)
        .text("Arn", &role.arn)
        .text("CreateDate", iso(role.created))
        .text(
            "AssumeRolePolicyDocument",
            encoded(&store.shown_trust(moment, role)),
        )
        .text("Description", &role.description)
        .text("MaxSessionDuration", role.max_session.to_string())
        .and(boundary(role.grants.boundary.as_ref()))
}

fn tags_xml(tags: &BTreeMap<String, String>) -> Xml {
    Xml::new().list(
        "Tags",
        tags.iter()
            .map(|(key, value)| Xml::new().text("Key", key).text("Value", value)),
    )
}

fn tags(params: &Params) -> Result<BTreeMap<String, String>, AwsError> {
    let tag = |tag: Params| {
        let key = tag.require("Key")?.to_owned();
        Ok((key, tag.get("Value").unwrap_or_default().to_owned()))
    };
    params.structs("Tags").into_iter().map(tag).collect()
}
