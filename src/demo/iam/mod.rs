//! IAM of the embedded AWS: who there is, and what they may do.

pub mod principals;

use super::caller::{Caller, Kind};
use super::error::AwsError;
use super::params::Params;
use super::world::{Key, World};
use super::xml::Xml;
use crate::policy::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Users, roles, policies and access keys of all accounts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Store {
    keys: BTreeMap<String, AccessKey>,
}

/// A user's access key.
#[derive(Clone, Serialize, Deserialize)]
struct AccessKey {
    secret: String,
    account: String,
    user: String,
}

impl std::fmt::Debug for AccessKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AccessKey")
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// The access key of this id.
    pub fn key(&self, key_id: &str) -> Option<Key> {
        let key = self.keys.get(key_id)?;
        let caller = Caller {
            arn: format!("arn:aws:iam::{}:user/{}", key.account, key.user),
            account: key.account.clone(),
            key_id: key_id.to_owned(),
            user_id: "AIDA".to_owned(),
            kind: Kind::User {
                name: key.user.clone(),
            },
        };
        Some(Key {
            secret: key.secret.clone(),
            token: None,
            expires: None,
            caller,
        })
    }

    /// Whether a caller may do this, by what was in force at `seen` (milliseconds by the machine's clock).
    pub fn authorize(
        &self,
        _seen: i64,
        caller: &Caller,
        action: &str,
        resource: &str,
        _context: &Context,
    ) -> Result<(), AwsError> {
        if caller.user_name() == Some("admin") {
            return Ok(());
        }
        Err(AwsError::denied(format!(
            "User: {} is not authorized to perform: {action} on resource: {resource} because no identity-based \
             policy allows the {action} action",
            caller.arn
        )))
    }
}

/// Answers one operation.
pub fn handle(_world: &World, _caller: &Caller, params: &Params) -> Result<Xml, AwsError> {
    Err(AwsError::unknown_action(params.action()))
}
