//! The records that a stack of their own grants something for: catalogs and storage integrations.

use serde::{Deserialize, Serialize};

use super::{Grant, Subject, home::Home, record::Record};
use crate::domain::{
    access::Access,
    arn::KmsKeyArn,
    names::{CatalogName, ConnectionName, StorageName},
    problem::Problem,
    region::Region,
    s3_path::{AccessPoint, S3Path},
    stack_name::StackName,
};

/// A catalog: what is read, where, how far, and through which connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    /// The version of the record's schema: 1.
    pub version: u32,
    /// The name; the first part of every FQN.
    pub name: CatalogName,
    /// 8 hex digits that tag its stacks.
    pub id: String,
    /// The region of the Glue catalog.
    pub region: Region,
    /// The bucket and prefix of its files.
    pub s3_path: S3Path,
    /// What is known of the access point that the path stands on, beside what the path itself says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_point: Option<Box<AccessPoint>>,
    /// How far the grant goes.
    pub access: Access,
    /// The connection whose role gets the grant.
    pub connection: ConnectionName,
    /// The databases that are granted; empty: all of them.
    #[serde(default)]
    pub databases: Vec<String>,
    /// The key of an encrypted bucket.
    #[serde(default)]
    pub kms_key: Option<KmsKeyArn>,
    /// The key of an encrypted Data Catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalog_kms_key: Option<KmsKeyArn>,
    /// The stack that grants the access.
    pub stack_name: StackName,
    /// The id of the stack, once it was seen.
    #[serde(default)]
    pub stack_id: Option<String>,
    /// Whether the stack has been made.
    #[serde(default)]
    pub deployed: bool,
    /// Stacks that a change of the access level or the region left behind: they grant until they are deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_over_stacks: Vec<LeftOver>,
}

/// A storage integration: a bucket or prefix that is read without a catalog, and through which connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    /// The version of the record's schema: 1.
    pub version: u32,
    /// The name.
    pub name: StorageName,
    /// 8 hex digits that tag its stacks.
    pub id: String,
    /// The region of its stack: IAM is the same everywhere, so this is the connection's. The bucket's own is found.
    pub region: Region,
    /// The bucket and prefix.
    pub s3_path: S3Path,
    /// What is known of the access point that the path stands on, beside what the path itself says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_point: Option<Box<AccessPoint>>,
    /// How far the grant goes.
    pub access: Access,
    /// The connection whose role gets the grant.
    pub connection: ConnectionName,
    /// The key of an encrypted bucket.
    #[serde(default)]
    pub kms_key: Option<KmsKeyArn>,
    /// The stack that grants the access.
    pub stack_name: StackName,
    /// The id of the stack, once it was seen.
    #[serde(default)]
    pub stack_id: Option<String>,
    /// Whether the stack has been made.
    #[serde(default)]
    pub deployed: bool,
    /// Stacks that a change of the access level left behind: they grant until they are deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_over_stacks: Vec<LeftOver>,
}

/// A stack that a change of its record left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOver {
    /// Its name.
    pub stack_name: StackName,
    /// Where it is.
    pub region: Region,
}

/// Whether what is bound to a connection can be served by its role.
fn fits(home: &Home, connection: &ConnectionName, region: &Region) -> Result<(), Problem> {
    match &home.connection(connection)?.role_arn {
        Some(role) => Ok(role.check_region(region)?),
        None => Ok(()),
    }
}

/// A record that a stack grants something to a role for.
pub trait Granted {
    /// What it asks for.
    fn grant(&self) -> Grant;
    /// Takes over what a grant says of its stacks.
    fn take_stack(&mut self, grant: &Grant);
}

macro_rules! granted {
    ($record:ident, $noun:literal, $folder:literal) => {
        impl Record for $record {
            const NOUN: &'static str = $noun;
            const FOLDER: Option<&'static str> = Some($folder);

            fn name(&self) -> &str {
                self.name.as_str()
            }

            fn version(&self) -> u32 {
                self.version
            }

            fn stack_name(&self) -> Option<&StackName> {
                Some(&self.stack_name)
            }

            fn subject(&self) -> Option<Subject> {
                Some(Subject::$record(self.name.clone()))
            }

            fn outdates(&self, before: &Self, _home: &Home) -> Result<Vec<Subject>, Problem> {
                let (now, then) = (self.grant(), before.grant());
                let same =
                    now.asks_for_the_same(&then) && now.access == then.access && now.region == then.region;
                Ok(if same {
                    Vec::new()
                } else {
                    self.subject().into_iter().collect()
                })
            }

            fn fits(&self, home: &Home) -> Result<(), Problem> {
                fits(home, &self.connection, &self.region)
            }
        }

        impl Granted for $record {
            fn grant(&self) -> Grant {
                Grant::from(self)
            }

            fn take_stack(&mut self, grant: &Grant) {
                self.stack_name = grant.stack_name.clone();
                self.stack_id = grant.stack_id.clone();
                self.deployed = grant.deployed;
                self.left_over_stacks = grant.left_over_stacks.clone();
            }
        }
    };
}

granted!(Catalog, "catalog", "catalogs");
granted!(Storage, "storage", "storages");
