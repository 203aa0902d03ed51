//! Glue of the embedded AWS.

use super::caller::Caller;
use super::error::AwsError;
use super::world::World;
use super::{Request, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The catalogs of all accounts and regions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Store {}

/// Answers one operation of the JSON protocol (`GetTables`).
pub fn handle(
    _world: &Arc<World>,
    _caller: &Caller,
    _region: &str,
    operation: &str,
    _body: &Value,
) -> Result<Value, AwsError> {
    Err(AwsError::unknown_action(operation))
}

/// Answers a request to the Iceberg REST endpoint (`/iceberg/v1/config`). An error is written as JSON by the caller.
pub fn rest(
    _world: &Arc<World>,
    _caller: &Caller,
    _region: &str,
    request: &Request,
) -> Result<Response, AwsError> {
    Err(AwsError::new(
        404,
        "NotFoundException",
        format!("No such path: {}", request.uri().path()),
    ))
}
