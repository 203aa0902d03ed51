//! Catalogs, databases, tables. A table is kept as the JSON object that was given: what is not understood stays.

use super::generated::Generated;
use super::kept::Kept;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

/// A JSON object.
pub type Object = Map<String, Value>;

/// The catalogs of all accounts and regions, by `ACCOUNT/REGION`.
pub type Catalogs = BTreeMap<String, Catalog>;

/// All of Glue. Only what differs from the seed is written to disk.
#[derive(Clone, Debug, Default)]
pub struct Store {
    pub(super) catalogs: Catalogs,
    pub(super) seeds: Catalogs,
    /// What an earlier run had changed, until the seed is there to apply it to.
    pub(super) before: Kept,
}

impl Serialize for Store {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Kept::between(&self.seeds, &self.catalogs).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Store {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self {
            before: Kept::deserialize(deserializer)?,
            ..Self::default()
        })
    }
}

impl Store {
    /// Puts the lake in place, and what an earlier run changed over it.
    pub fn seed(&mut self, seeds: Catalogs) {
        self.catalogs = seeds.clone();
        self.seeds = seeds;
        std::mem::take(&mut self.before).apply(&mut self.catalogs);
    }

    /// The catalog of an account in a region, if anything is in it.
    pub fn catalog(&self, account: &str, region: &str) -> Option<&Catalog> {
        self.catalogs.get(&key(account, region))
    }

    /// The same, to be changed.
    pub fn catalog_mut(&mut self, account: &str, region: &str) -> &mut Catalog {
        self.catalogs.entry(key(account, region)).or_default()
    }
}

/// Name of a catalog in [`Catalogs`].
pub fn key(account: &str, region: &str) -> String {
    format!("{account}/{region}")
}

/// The databases of one account in one region.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    /// Databases by name.
    pub databases: BTreeMap<String, Database>,
    /// Policy that lets other accounts in.
    pub policy: Option<Value>,
    /// The `DataCatalogEncryptionSettings`, where they were put.
    pub encryption: Option<Value>,
}

/// A database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Database {
    /// What Glue answers to GetDatabase.
    pub object: Object,
    /// Tables by name.
    pub tables: BTreeMap<String, Table>,
    /// Tables that exist only while they are looked at.
    pub generated: Option<Arc<Generated>>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What Glue answers to GetTable, but for the version.
    pub object: Object,
    /// Number of the current version.
    #[serde(default)]
    pub version: u64,
    /// Versions that were replaced and kept.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub archived: BTreeMap<u64, Object>,
    /// Partitions, by their values as a JSON list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub partitions: BTreeMap<String, Object>,
}

impl Table {
    /// The current version, as GetTable answers it.
    pub fn shown(&self) -> Object {
        with_version(&self.object, self.version)
    }
}

/// A table's object with its version.
pub fn with_version(object: &Object, version: u64) -> Object {
    let mut shown = object.clone();
    shown.insert("VersionId".to_owned(), Value::String(version.to_string()));
    shown
}

impl Database {
    /// The names of the tables that come after `after`, in order.
    pub fn names_after<'a>(&'a self, after: Option<&'a str>) -> Box<dyn Iterator<Item = Cow<'a, str>> + 'a> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let own = self
            .tables
            .range::<str, _>((from, Bound::Unbounded))
            .map(|(name, _)| Cow::Borrowed(name.as_str()));
        let Some(generated) = &self.generated else {
            return Box::new(own);
        };
        let mut own = own.peekable();
        // A generated table that was changed has become one of the database's own.
        let made = generated
            .names_after(after)
            .filter(|name| !self.tables.contains_key(name));
        let mut made = made.peekable();
        Box::new(std::iter::from_fn(move || match (own.peek(), made.peek()) {
            (Some(mine), Some(theirs)) if mine.as_ref() > theirs.as_str() => made.next().map(Cow::Owned),
            (None, _) => made.next().map(Cow::Owned),
            _ => own.next(),
        }))
    }

    /// Some fields of the table of this name: of `Name` and `TableType` only.
    pub fn brief(&self, name: &str, fields: &[&str]) -> Option<Object> {
        let mut brief = match self.tables.get(name) {
            Some(table) => super::databases::only(&table.object, fields),
            None => self.generated.as_ref()?.brief(name)?,
        };
        brief.retain(|field, _| fields.contains(&field.as_str()));
        Some(brief)
    }

    /// The table of this name, as GetTable answers it.
    pub fn table(&self, name: &str) -> Option<Object> {
        self.found(name)?.made()
    }

    /// The same, not made up yet if it is a generated one.
    pub fn found(&self, name: &str) -> Option<Found> {
        match self.tables.get(name) {
            Some(table) => Some(Found::Whole(table.shown())),
            None => Some(Found::Generated(self.generated.clone()?, name.to_owned())),
        }
    }
}

/// A table that was looked up.
pub enum Found {
    /// As GetTable answers it.
    Whole(Object),
    /// One of the generated tables, by its name.
    Generated(Arc<Generated>, String),
}

impl Found {
    /// The table as GetTable answers it, if there is one of this name.
    pub fn made(self) -> Option<Object> {
        match self {
            Self::Whole(object) => Some(object),
            Self::Generated(generated, name) => generated.table(&name),
        }
    }
}
