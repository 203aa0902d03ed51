//! What is asked for of a connection's role, be it by a catalog or by a storage integration.

use serde::{Deserialize, Serialize};
use std::fmt;

use super::{Catalog, LeftOver, Storage, Subject};
use crate::domain::{
    access::Access,
    arn::KmsKeyArn,
    invalid::Invalid,
    names::{CatalogName, ConnectionName, StorageName},
    quote::operand,
    region::Region,
    s3_path::S3Path,
    stack_name::StackName,
};

/// What can ask for a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GrantKind {
    /// A catalog.
    #[default]
    Catalog,
    /// A storage integration.
    Storage,
}

impl GrantKind {
    /// What it is, as the command line calls it: `catalog` or `storage`.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::Storage => "storage",
        }
    }

    /// What it is, in a sentence: `catalog` or `storage integration`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::Storage => "storage integration",
        }
    }

    /// Who asks, by its name.
    ///
    /// # Errors
    /// When the name is none.
    pub fn named(self, name: &str) -> Result<Holder, Invalid> {
        Ok(match self {
            Self::Catalog => Holder::Catalog(name.parse()?),
            Self::Storage => Holder::Storage(name.parse()?),
        })
    }
}

/// Who asks for a grant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holder {
    /// A catalog.
    Catalog(CatalogName),
    /// A storage integration.
    Storage(StorageName),
}

impl Holder {
    /// The name of the record.
    pub fn name(&self) -> &str {
        match self {
            Self::Catalog(name) => name.as_str(),
            Self::Storage(name) => name.as_str(),
        }
    }

    /// What it is.
    pub fn kind(&self) -> GrantKind {
        match self {
            Self::Catalog(_) => GrantKind::Catalog,
            Self::Storage(_) => GrantKind::Storage,
        }
    }

    /// What it is, as the command line calls it: `catalog` or `storage`.
    pub fn verb(&self) -> &'static str {
        self.kind().verb()
    }

    /// What it is, in a sentence: `catalog` or `storage integration`.
    pub fn noun(&self) -> &'static str {
        self.kind().noun()
    }

    /// The words that stand for it on the command line: `catalog 'Lake House'`.
    pub fn command(&self) -> String {
        self.command_with("")
    }

    /// The same, with flags of the verb that they are for.
    pub fn command_with(&self, flags: &str) -> String {
        format!("{} {}", self.verb(), operand(self.name(), flags))
    }

    /// The command line that deletes its stack.
    pub fn delete_command(&self) -> String {
        format!("glueup stack delete {}", self.command())
    }

    /// The command line that verifies it.
    pub fn verify_command(&self) -> String {
        let verb = match self {
            Self::Catalog(_) => "verify",
            Self::Storage(_) => "storage verify",
        };
        format!("glueup {verb} {}", operand(self.name(), ""))
    }

    /// What the verdicts on it are noted under.
    pub fn subject(&self) -> Subject {
        match self {
            Self::Catalog(name) => Subject::Catalog(name.clone()),
            Self::Storage(name) => Subject::Storage(name.clone()),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a catalog or a storage integration asks for, and the stack that grants it. The role of a connection carries the
/// grants of all that are bound to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Who asks.
    pub holder: Holder,
    /// 8 hex digits that tag its stacks.
    pub id: String,
    /// The region of the stack; a catalog's is that of the Glue catalog.
    pub region: Region,
    /// The Glue databases that are granted, empty for all; `None`: nothing of Glue.
    pub databases: Option<Vec<String>>,
    /// The bucket and prefix.
    pub s3_path: S3Path,
    /// How far it goes.
    pub access: Access,
    /// The connection whose role gets it.
    pub connection: ConnectionName,
    /// The key of an encrypted bucket.
    pub kms_key: Option<KmsKeyArn>,
    /// The key of an encrypted Data Catalog; none where nothing of Glue is asked for.
    pub catalog_kms_key: Option<KmsKeyArn>,
    /// The stack that grants it.
    pub stack_name: StackName,
    /// The id of the stack, once it was seen.
    pub stack_id: Option<String>,
    /// Whether the stack has been made.
    pub deployed: bool,
    /// Stacks that a change left behind: they grant until they are deleted.
    pub left_over_stacks: Vec<LeftOver>,
}

impl Grant {
    /// The databases that are named; empty where all are granted, or none.
    pub fn named_databases(&self) -> &[String] {
        self.databases.as_deref().unwrap_or_default()
    }

    /// True when Glue's metadata are granted for all databases.
    pub fn all_databases(&self) -> bool {
        self.databases.as_ref().is_some_and(Vec::is_empty)
    }

    /// Its own stack, as one that can be left behind.
    pub fn place(&self) -> LeftOver {
        LeftOver {
            stack_name: self.stack_name.clone(),
            region: self.region.clone(),
        }
    }

    /// True when the records say that its stack, or one that was left over, has been made.
    pub fn is_made(&self) -> bool {
        self.deployed || self.stack_id.is_some() || !self.left_over_stacks.is_empty()
    }

    /// True when one stack serves both: the same objects, databases and keys, for the same connection.
    pub fn asks_for_the_same(&self, other: &Self) -> bool {
        self.connection == other.connection
            && self.s3_path == other.s3_path
            && self.databases == other.databases
            && self.kms_key == other.kms_key
            && self.catalog_kms_key == other.catalog_kms_key
    }

    /// True when its own stack was seen, and was made for something else than is asked for now: it grants that until it
    /// is deployed again.
    pub fn is_outdated(&self) -> bool {
        !self.deployed && self.stack_id.is_some()
    }
}

impl From<&Catalog> for Grant {
    fn from(catalog: &Catalog) -> Self {
        Self {
            holder: Holder::Catalog(catalog.name.clone()),
            id: catalog.id.clone(),
            region: catalog.region.clone(),
            databases: Some(catalog.databases.clone()),
            s3_path: catalog.s3_path.clone().through(catalog.access_point.as_deref()),
            access: catalog.access,
            connection: catalog.connection.clone(),
            kms_key: catalog.kms_key.clone(),
            catalog_kms_key: catalog.catalog_kms_key.clone(),
            stack_name: catalog.stack_name.clone(),
            stack_id: catalog.stack_id.clone(),
            deployed: catalog.deployed,
            left_over_stacks: catalog.left_over_stacks.clone(),
        }
    }
}

impl From<&Storage> for Grant {
    fn from(storage: &Storage) -> Self {
        Self {
            holder: Holder::Storage(storage.name.clone()),
            id: storage.id.clone(),
            region: storage.region.clone(),
            databases: None,
            s3_path: storage.s3_path.clone().through(storage.access_point.as_deref()),
            access: storage.access,
            connection: storage.connection.clone(),
            kms_key: storage.kms_key.clone(),
            catalog_kms_key: None,
            stack_name: storage.stack_name.clone(),
            stack_id: storage.stack_id.clone(),
            deployed: storage.deployed,
            left_over_stacks: storage.left_over_stacks.clone(),
        }
    }
}
