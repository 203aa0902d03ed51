//! Glue of the embedded AWS.
//!
//! - `store`: catalogs, databases, tables and their versions; `kept`: what of it goes to disk; `generated`: tables that
//!   are made up when they are looked at.
//! - `access`: the policy gate with the rule of ancestors; `encryption`: the key of the metadata; `input`: reading and validating requests; `paging`.
//! - `databases`, `tables`, `partitions`, `versions`, `other`: the operations. `rest`: the Iceberg REST endpoint over the same store.

mod access;
mod databases;
mod encryption;
mod errors;
mod generated;
mod input;
mod kept;
mod other;
mod paging;
mod partitions;
mod rest;
mod store;
mod tables;
#[cfg(test)]
mod tests;
mod versions;

pub use generated::Generated;
pub use rest::rest;
pub use store::{Catalog, Database, Object, Store, Table, key};

use super::caller::Caller;
use super::error::AwsError;
use super::world::World;
use access::Ask;
use serde_json::Value;
use std::sync::Arc;

/// Answers one operation of the JSON protocol (`GetTables`). Glue answers HTTP 400 to every fault of the caller,
/// refusals included: clients tell errors apart by code.
pub fn handle(
    world: &Arc<World>,
    caller: &Caller,
    region: &str,
    operation: &str,
    body: &Value,
) -> Result<Value, AwsError> {
    let ask = Ask::new(world, caller, region, operation, body)?;
    let answer = answer(&ask, operation, body)?;
    // What was not found is not decrypted.
    encryption::may_decrypt(&ask, operation)?;
    Ok(answer)
}

fn answer(ask: &Ask<'_>, operation: &str, body: &Value) -> Result<Value, AwsError> {
    match operation {
        "CreateDatabase" => databases::create(ask, body),
        "GetDatabase" => databases::get(ask, body),
        "GetDatabases" => databases::list(ask, body),
        "UpdateDatabase" => databases::update(ask, body),
        "DeleteDatabase" => databases::delete(ask, body),
        "CreateTable" => tables::create(ask, body),
        "GetTable" => tables::get(ask, body),
        "GetTables" => tables::list(ask, body),
        "UpdateTable" => tables::update(ask, body),
        "DeleteTable" => tables::delete(ask, body),
        "BatchDeleteTable" => tables::delete_many(ask, body),
        "GetTableVersion" => versions::get(ask, body),
        "GetTableVersions" => versions::list(ask, body),
        "DeleteTableVersion" => versions::delete(ask, body),
        _ => match partitions::handle(ask, operation, body) {
            Some(answer) => answer,
            None => other::handle(ask, operation, body),
        },
    }
}
