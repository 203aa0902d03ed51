//! What of the catalogs goes to disk: the differences from the seed, so that a newer program brings a newer lake and
//! keeps what its user changed.

use super::store::{Catalog, Catalogs, Database, Object, Table};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The differences, by `ACCOUNT/REGION`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kept(BTreeMap<String, KeptCatalog>);

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct KeptCatalog {
    /// Changed and new databases; null for a deleted one.
    databases: BTreeMap<String, Option<KeptDatabase>>,
    policy: Option<Value>,
    encryption: Option<Value>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct KeptDatabase {
    /// The database itself, where it is new or was changed.
    object: Option<Object>,
    /// Changed and new tables; null for a deleted one.
    tables: BTreeMap<String, Option<Table>>,
}

impl Kept {
    /// What `now` has that `seed` has not, and the other way round.
    pub fn between(seed: &Catalogs, now: &Catalogs) -> Self {
        let empty = Catalog::default();
        let mut kept = BTreeMap::new();
        for (key, catalog) in now {
            let before = seed.get(key).unwrap_or(&empty);
            let databases = differences(&before.databases, &catalog.databases, KeptDatabase::between);
            let beside = catalog.policy != before.policy || catalog.encryption != before.encryption;
            if !databases.is_empty() || beside {
                kept.insert(
                    key.clone(),
                    KeptCatalog {
                        databases,
                        policy: catalog.policy.clone(),
                        encryption: catalog.encryption.clone(),
                    },
                );
            }
        }
        Self(kept)
    }

    /// Makes the changes.
    pub fn apply(self, catalogs: &mut Catalogs) {
        for (key, kept) in self.0 {
            let catalog = catalogs.entry(key).or_default();
            catalog.policy = kept.policy;
            catalog.encryption = kept.encryption;
            for (name, database) in kept.databases {
                match database {
                    None => drop(catalog.databases.remove(&name)),
                    Some(kept) => kept.apply(catalog.databases.entry(name).or_default()),
                }
            }
        }
    }
}

impl KeptDatabase {
    fn between(before: Option<&Database>, now: &Database) -> Option<Self> {
        let empty = BTreeMap::new();
        let tables = differences(
            before.map_or(&empty, |database| &database.tables),
            &now.tables,
            |before, table| Some(table).filter(|table| before != Some(table)).cloned(),
        );
        let object =
            Some(&now.object).filter(|object| before.map(|database| &database.object) != Some(object));
        (object.is_some() || !tables.is_empty()).then(|| Self {
            object: object.cloned(),
            tables,
        })
    }

    fn apply(self, database: &mut Database) {
        if let Some(object) = self.object {
            database.object = object;
        }
        for (name, table) in self.tables {
            match table {
                None => drop(database.tables.remove(&name)),
                Some(table) => drop(database.tables.insert(name, table)),
            }
        }
    }
}

fn differences<T, K>(
    before: &BTreeMap<String, T>,
    now: &BTreeMap<String, T>,
    between: impl Fn(Option<&T>, &T) -> Option<K>,
) -> BTreeMap<String, Option<K>> {
    let gone = before
        .keys()
        .filter(|name| !now.contains_key(*name))
        .map(|name| (name.clone(), None));
    let changed = now
        .iter()
        .filter_map(|(name, value)| Some((name.clone(), Some(between(before.get(name), value)?))));
    gone.chain(changed).collect()
}
