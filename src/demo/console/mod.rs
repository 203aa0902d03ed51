//! The console page of the embedded AWS.

use super::world::World;
use super::{Request, Response};
use std::sync::Arc;

/// Path of the console.
pub const PATH: &str = "/_console";

/// Answers an unsigned request to a path that starts with `/_` and is not the admin path.
pub fn handle(_world: &Arc<World>, _request: &Request) -> Response {
    let mut response = Response::default();
    *response.status_mut() = http::StatusCode::NOT_FOUND;
    response
}
