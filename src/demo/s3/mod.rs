//! S3 of the embedded AWS: the protocol and the signatures are `s3s`'s, the rest is our own.
//!
//! - `store`: the index of buckets and objects; `body`: their bytes; `journal`: what survives a kill.
//! - `objects`, `listing`, `multipart`, `buckets`: the operations; `conditions`, `checksums`: their parts.
//! - `gate`: who may do it, asked before the operation and before its body is read.
//! - `backend`: joins the operations to the trait of `s3s`.

mod backend;
mod body;
mod buckets;
mod checksums;
mod conditions;
mod errors;
mod gate;
mod hosts;
mod journal;
mod listing;
mod multipart;
mod objects;
pub mod points;
mod store;
#[cfg(test)]
mod tests;
mod through;

pub use store::Store;

use super::{caller::Caller, clock, world::World};
use crate::policy::Context;
use bytes::Bytes;
use s3s::config::{S3Config, StaticConfigProvider};
use s3s::dto::Timestamp;
use s3s::service::{S3Service, S3ServiceBuilder};
use std::sync::Arc;

/// The service that answers every request signed for `s3`, and unsigned ones.
pub fn service(world: Arc<World>) -> S3Service {
    let mut builder = S3ServiceBuilder::new(backend::Backend::new(Arc::clone(&world)));
    builder.set_auth(gate::Secrets::new(Arc::clone(&world)));
    builder.set_access(gate::Gate::new(world));
    builder.set_host(hosts::Hosts);
    let mut config = S3Config::default();
    // `s3s` would judge the request's time by the machine's clock; the gate judges it by the server's.
    config.presigned_url_max_skew_time_secs = u32::MAX;
    builder.set_config(Arc::new(StaticConfigProvider::new(Arc::new(config))));
    builder.build()
}

/// The whole of one object, read by another service with the rights of the caller, as CloudFormation reads a template.
/// `None` where there is none, or none that the caller may read, or one of more than `limit` bytes.
pub fn read_for(world: &World, caller: &Caller, bucket: &str, key: &str, limit: usize) -> Option<Bytes> {
    gate::authorize(world, caller, "s3:GetObject", bucket, key, &Context::new()).ok()?;
    let body = world.s3.lock().object(bucket, key).ok()?.body.clone();
    if usize::try_from(body.len()).is_ok_and(|len| len <= limit) {
        body.whole().ok()
    } else {
        None
    }
}

/// A time as S3's answers hold it.
fn clock_time(millis: i64) -> Timestamp {
    clock::from_millis(millis).into()
}
