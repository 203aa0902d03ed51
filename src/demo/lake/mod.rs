//! The lake that a new demo finds: real files made by real engines, and Glue entries of every kind that is met in the
//! wild, the broken and the hostile ones included.
//!
//! - `assets/demo/objects.tar`, `engines.json`: what PyIceberg and Spark wrote; `make.py` beside them makes them again.
//! - `assets/demo/lake/*.json`: what is declared by hand, a file a database; [`declared`] reads their short forms.

mod archive;
mod declared;
#[cfg(test)]
mod tests;

use super::error::AwsError;
use super::glue::{Catalog, Database, Table};
use super::world::World;
use super::{CUSTOMER_ACCOUNT, REGION};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The bucket of the lake. What the story grants is [`PREFIX`] in it.
pub const BUCKET: &str = "acme-lake";
/// The prefix that the story grants.
pub const PREFIX: &str = "warehouse";
/// A bucket of another account, in which one table lies.
pub const PARTNER_BUCKET: &str = "acme-partner";
/// The account that owns [`PARTNER_BUCKET`].
pub const PARTNER_ACCOUNT: &str = "111122223333";
/// The database of the generated tables.
pub const GENERATED: &str = "generated";
/// From so many generated tables on there are as many again, in small databases beside the large one.
const MANY: u64 = 10_000;
/// So many small ones.
const SMALL: u64 = 1_000;

/// When everything in the lake was made, seconds since 1970: 2026-10-20.
const MADE: i64 = 1_792_454_400;
const OBJECTS: &[u8] = include_bytes!("../../../assets/demo/objects.tar");

/// Puts the lake into a world; `tables` more tables are made up when they are looked at, and where they are many, as many again
/// in a thousand small databases.
pub fn seed(world: &World, tables: u64) -> Result<(), AwsError> {
    world
        .s3
        .seed_bucket(BUCKET, REGION, CUSTOMER_ACCOUNT, MADE * 1000);
    world
        .s3
        .seed_bucket(PARTNER_BUCKET, REGION, PARTNER_ACCOUNT, MADE * 1000);
    for file in archive::files(OBJECTS) {
        if let Some((bucket, key)) = file.name.split_once('/') {
            world
                .s3
                .seed(bucket, key, bytes::Bytes::from_static(file.bytes), MADE * 1000);
        }
    }
    let catalog = catalog(tables).map_err(|why| AwsError::internal(format!("the demo's lake: {why}")))?;
    world.change(|state| {
        let key = super::glue::key(CUSTOMER_ACCOUNT, REGION);
        state.glue.seed(BTreeMap::from([(key, catalog)]));
        Ok(())
    })
}

/// What lies in the buckets, for tests of those who read it: name and bytes.
#[cfg(test)]
pub(crate) fn files() -> impl Iterator<Item = (String, &'static [u8])> {
    archive::files(OBJECTS).map(|file| (file.name, file.bytes))
}

fn catalog(tables: u64) -> Result<Catalog, String> {
    let mut databases = declared::databases(MADE)?;
    let model = databases
        .get("weather")
        .and_then(|database| database.tables.get("stations"));
    let model = Arc::new(
        model
            .map(|table: &Table| table.object.clone())
            .unwrap_or_default(),
    );
    if tables > 0 {
        databases.insert(GENERATED.to_owned(), made_up(GENERATED, tables, &model));
    }
    if tables >= MANY {
        for number in 0..SMALL {
            let name = format!("{GENERATED}_{number:03}");
            databases.insert(name.clone(), made_up(&name, tables / SMALL, &model));
        }
    }
    Ok(Catalog {
        databases,
        ..Catalog::default()
    })
}

/// A database of `tables` tables that are made up when they are looked at.
fn made_up(name: &str, tables: u64, model: &Arc<super::glue::Object>) -> Database {
    let location = format!("s3://{BUCKET}/{PREFIX}/{name}");
    let object = json!({
        "Name": name, "Description": format!("{tables} tables that were made up"),
        "LocationUri": location, "CreateTime": MADE as f64, "CatalogId": CUSTOMER_ACCOUNT,
    });
    let generated = super::glue::Generated::new(tables, name, &location, MADE as f64, model.clone());
    Database {
        object: object.as_object().cloned().unwrap_or_default(),
        tables: BTreeMap::new(),
        generated: Some(Arc::new(generated)),
    }
}
