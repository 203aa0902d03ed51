//! CloudFormation of the embedded AWS.

use super::caller::Caller;
use super::error::AwsError;
use super::params::Params;
use super::world::World;
use super::xml::Xml;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The stacks of all accounts and regions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Store {}

/// Answers one operation; the XML is what stands inside `<ActionResult>`.
pub fn handle(
    _world: &Arc<World>,
    _caller: &Caller,
    _region: &str,
    params: &Params,
) -> Result<Xml, AwsError> {
    Err(AwsError::unknown_action(params.action()))
}

/// Takes up again what a stopped server left in the middle.
pub fn resume(_world: &Arc<World>) {}
