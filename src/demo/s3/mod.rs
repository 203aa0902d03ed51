//! S3 of the embedded AWS.

use super::world::World;
use s3s::service::{S3Service, S3ServiceBuilder};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The buckets of all accounts.
#[derive(Debug, Default)]
pub struct Store {}

impl Store {
    /// Opens the objects that are kept under `dir` (`…/objects`), or an empty store in memory.
    pub fn open(_dir: Option<&Path>) -> io::Result<Self> {
        Ok(Self::default())
    }
}

struct Backend;

#[async_trait::async_trait]
impl s3s::S3 for Backend {}

/// The service that answers every request signed for `s3`, and unsigned ones.
pub fn service(_world: Arc<World>) -> S3Service {
    S3ServiceBuilder::new(Backend).build()
}
