//! IAM of the embedded AWS: who there is, and what they may do.
//!
//! [`Store`] is the state, with a method for each change; the query API ([`handle`]) and CloudFormation both call
//! them. What a change does is seen after the delay that the knobs set (`Versioned`).

mod api;
mod grants;
mod managed;
pub mod mfa;
mod model;
pub mod principals;
mod roles;
mod rules;
mod simulate;
mod users;
mod versioned;

#[cfg(test)]
mod tests;

pub use api::handle;
pub use managed::NewPolicy;
pub use model::{Grants, Managed, Owner, Role, User};
pub use roles::{NewRole, RoleChange};

use super::caller::{Caller, Kind};
use super::error::AwsError;
use super::world::{Key, Moment};
use crate::policy::{self, Context, Document, Policies};
use model::{AccessKey, Account};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Users, roles, policies and access keys of all accounts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Store {
    accounts: BTreeMap<String, Account>,
    keys: BTreeMap<String, AccessKey>,
    /// The newest code that each device has shown, by serial number: none counts twice.
    codes_used: BTreeMap<String, i64>,
}

impl Store {
    /// The access key of this id.
    pub fn key(&self, key_id: &str) -> Option<Key> {
        let key = self.keys.get(key_id)?;
        let user = self.user(&key.account, &key.user).ok()?;
        let caller = Caller {
            arn: user.arn.clone(),
            account: key.account.clone(),
            key_id: key_id.to_owned(),
            user_id: user.id.clone(),
            kind: Kind::User {
                name: user.name.clone(),
            },
            mfa: false,
        };
        Some(Key {
            secret: key.secret.clone(),
            token: None,
            expires: None,
            caller,
        })
    }

    /// Whether a caller may do this, by what is seen at this moment.
    pub fn authorize(
        &self,
        moment: Moment,
        caller: &Caller,
        action: &str,
        resource: &str,
        context: &Context,
    ) -> Result<(), AwsError> {
        self.authorize_with(moment, caller, action, resource, context, false)
    }

    /// The same; `named_by_resource` says that a policy of the resource names the caller in its own account, so that
    /// no policy of the caller's need allow it.
    pub(super) fn authorize_with(
        &self,
        moment: Moment,
        caller: &Caller,
        action: &str,
        resource: &str,
        context: &Context,
        named_by_resource: bool,
    ) -> Result<(), AwsError> {
        if caller.kind == Kind::Root {
            return Ok(());
        }
        let nothing = Document::read(&Value::Null);
        let policies = Policies {
            named_by_resource,
            ..self.policies(moment, caller, &nothing)
        };
        let context = caller.context().and(context);
        policy::authorize(&policies, action, resource, &context).map_err(|denial| {
            for operator in &denial.evaluation.unknown_operators {
                tracing::warn!(
                    operator,
                    caller = caller.arn,
                    "a policy has a condition operator that is not known"
                );
            }
            AwsError::denied(denial.sentence(&caller.arn, action, resource))
        })
    }

    /// All that binds a caller. `nothing` stands for a boundary that does not exist: nothing is allowed by it.
    fn policies<'a>(&'a self, moment: Moment, caller: &'a Caller, nothing: &'a Document) -> Policies<'a> {
        let (grants, session) = match &caller.kind {
            Kind::Root => (None, None),
            Kind::User { name } => {
                let user = self.seen_user(moment, &caller.account, name);
                (
                    user.filter(|user| user.id == caller.entity_id())
                        .map(|user| &user.grants),
                    None,
                )
            }
            Kind::Session {
                role_name,
                session_policies,
                ..
            } => {
                let role = self.seen_role(moment, &caller.account, role_name);
                let grants = role
                    .filter(|role| role.id == caller.entity_id())
                    .map(|role| &role.grants);
                (
                    grants,
                    (!session_policies.is_empty()).then(|| session_policies.iter().collect()),
                )
            }
        };
        let Some(grants) = grants else {
            return Policies {
                session,
                ..Policies::default()
            };
        };
        let managed = |arn: &String| self.seen_document(moment, arn);
        let attached = grants.attached.iter().filter_map(managed);
        Policies {
            identity: grants.inline.values().chain(attached).collect(),
            boundary: grants
                .boundary
                .as_ref()
                .map(|arn| managed(arn).unwrap_or(nothing)),
            session,
            named_by_resource: false,
        }
    }

    /// The unique id of the user or role with this ARN, as seen.
    fn entity_id(&self, moment: Moment, account: &str, arn: &str) -> Option<String> {
        let account = self.accounts.get(account)?;
        let roles = account
            .roles
            .values()
            .filter_map(|role| role.seen(moment))
            .map(|role| (&role.arn, &role.id));
        let users = account
            .users
            .values()
            .filter_map(|user| user.seen(moment))
            .map(|user| (&user.arn, &user.id));
        roles
            .chain(users)
            .find(|(found, _)| *found == arn)
            .map(|(_, id)| id.clone())
    }

    /// Whether a user or role with this unique id exists.
    fn has_id(&self, id: &str) -> bool {
        self.accounts.values().any(|account| {
            account
                .roles
                .values()
                .filter_map(|role| role.latest())
                .any(|role| role.id == id)
                || account
                    .users
                    .values()
                    .filter_map(|user| user.latest())
                    .any(|user| user.id == id)
        })
    }

    fn account(&mut self, account: &str) -> &mut Account {
        self.accounts.entry(account.to_owned()).or_default()
    }
}
