//! STS of the embedded AWS.

use super::caller::Caller;
use super::error::AwsError;
use super::params::Params;
use super::world::{Key, World};
use super::xml::Xml;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The sessions that were given out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sessions(BTreeMap<String, Session>);

/// One session.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Session {}

impl Sessions {
    /// The key of a session.
    pub fn key(&self, _key_id: &str) -> Option<Key> {
        None
    }
}

/// Answers one operation.
pub fn handle(_world: &World, caller: &Caller, params: &Params) -> Result<Xml, AwsError> {
    match params.action() {
        "GetCallerIdentity" => Ok(Xml::new()
            .text("Arn", &caller.arn)
            .text("UserId", &caller.user_id)
            .text("Account", &caller.account)),
        other => Err(AwsError::unknown_action(other)),
    }
}
