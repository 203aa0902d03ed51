//! What can be asked of the setup room, and what it answers.

use crate::domain::access::Access;
use crate::domain::account::AccountId;
use crate::domain::arn::{PrincipalArn, RoleArn, Verifier};
use crate::domain::external_id::ExternalId;
use crate::domain::names::{CatalogName, ConnectionName, OrganizationId, StorageName};
use crate::domain::organization::{Organization, Role};
use crate::domain::platform::Platform;
use crate::domain::region::Region;
use crate::domain::s3_path::S3Path;
use crate::registry::{
    Bookmark, Broken, Catalog, Connection, Draft, DraftOf, Grant, Holder, Stage, Storage, Verdict,
};
use crate::setup::PointGiven;

/// A piece of work on the records.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Everything that is on record, for the home screen and the lists.
    Overview,
    /// Writes `organization.yaml`.
    Init(NewOrganization),
    /// Records a connection; its external id and stack name are made here.
    AddConnection(Box<NewConnection>),
    /// Replaces what can be changed of a connection.
    SetConnection(Box<NewConnection>),
    /// Deletes a connection's record; refused while something is bound to it.
    DeleteConnection(ConnectionName),
    /// Records a catalog bound to a connection; its stack name is made here.
    AddCatalog(NewCatalog),
    /// Replaces what can be changed of a catalog.
    SetCatalog(NewCatalog),
    /// Deletes a catalog's record; its stack stays until it is deleted.
    DeleteCatalog(CatalogName),
    /// Records a storage integration bound to a connection; its stack name is made here.
    AddStorage(NewStorage),
    /// Replaces what can be changed of a storage integration.
    SetStorage(NewStorage),
    /// Deletes a storage integration's record; its stack stays until it is deleted.
    DeleteStorage(StorageName),
    /// Keeps the half-filled wizard, so that a killed one resumes.
    SaveDraft(Draft),
    /// Forgets the half-filled wizard.
    DropDraft(DraftOf),
    /// Set a bookmark, or take it away where it is set.
    TurnBookmark(Bookmark),
}

/// An organization as asked for; what is absent keeps its value or takes its default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewOrganization {
    /// Its name.
    pub name: Option<String>,
    /// Its id at the platform.
    pub id: Option<OrganizationId>,
    /// The platform's id, such as `wherobots`.
    pub platform: Option<String>,
    /// The platform's edition.
    pub edition: Option<String>,
    /// The role that assumes customers' roles.
    pub broker_role_arn: Option<RoleArn>,
    /// There is to be no broker role any more.
    pub without_broker: bool,
    /// Patterns of caller ARNs that are admins; empty: everyone.
    pub admins: Vec<String>,
}

/// A connection as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewConnection {
    /// Its name.
    pub name: ConnectionName,
    /// The account whose catalog is to be read. `None` in a change: keep it.
    pub account_id: Option<AccountId>,
    /// The broker role; `None`: the organization's, if it has one.
    pub broker_role_arn: Option<RoleArn>,
    /// No broker role, whatever the organization has; in a change: no more.
    pub without_broker: bool,
    /// Principals that may assume the role beside the broker or the caller.
    pub trust: Vec<PrincipalArn>,
    /// A principal that may assume the role too, to verify it by use.
    pub verifier: Option<Verifier>,
    /// There is to be no verifier any more.
    pub without_verifier: bool,
    /// An existing role: adopted and verified, never changed.
    pub role_arn: Option<RoleArn>,
    /// The external id that an existing role asks for already; `None`: one is made here.
    pub external_id: Option<ExternalId>,
    /// A permissions boundary for the role.
    pub permissions_boundary: Option<String>,
    /// The role's path.
    pub role_path: Option<String>,
    /// The AWS profile that deploys in the account.
    pub deploy_profile: Option<String>,
}

impl NewConnection {
    /// A change of nothing: what is to be changed is put in.
    pub fn named(name: ConnectionName) -> Self {
        Self {
            name,
            account_id: None,
            broker_role_arn: None,
            without_broker: false,
            trust: Vec::new(),
            verifier: None,
            without_verifier: false,
            role_arn: None,
            external_id: None,
            permissions_boundary: None,
            role_path: None,
            deploy_profile: None,
        }
    }
}

/// A catalog as asked for. In a change, `None` keeps the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCatalog {
    /// Its name.
    pub name: CatalogName,
    /// The Glue catalog's region.
    pub region: Option<Region>,
    /// The bucket and prefix of the tables' files.
    pub s3_path: Option<S3Path>,
    /// The access point that the path stands on, as far as the path does not say it.
    pub access_point: Box<PointGiven>,
    /// What may be done.
    pub access: Option<Access>,
    /// The connection that serves it.
    pub connection: Option<ConnectionName>,
    /// The databases to be granted; empty: all.
    pub databases: Vec<String>,
    /// The key that encrypts the bucket.
    pub kms_key: Option<String>,
    /// The key that encrypts the Data Catalog.
    pub catalog_kms_key: Option<String>,
    /// There is to be no key of the Data Catalog any more.
    pub without_catalog_kms_key: bool,
}

/// A storage integration as asked for. In a change, `None` keeps the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStorage {
    /// Its name.
    pub name: StorageName,
    /// The bucket and prefix.
    pub s3_path: Option<S3Path>,
    /// The access point that the path stands on, as far as the path does not say it.
    pub access_point: Box<PointGiven>,
    /// What may be done.
    pub access: Option<Access>,
    /// The connection that serves it.
    pub connection: Option<ConnectionName>,
    /// The key that encrypts the bucket.
    pub kms_key: Option<String>,
}

/// A connection with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectionRow {
    /// The record.
    pub connection: Connection,
    /// The catalogs bound to it.
    pub catalogs: Vec<CatalogName>,
    /// The storage integrations bound to it.
    pub storages: Vec<StorageName>,
    /// Its last verdict.
    pub verdict: Option<Verdict>,
}

/// A catalog with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogRow {
    /// The record.
    pub catalog: Catalog,
    /// How far its setup has come.
    pub stage: Stage,
    /// Its last verdict.
    pub verdict: Option<Verdict>,
}

/// A storage integration with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct StorageRow {
    /// The record.
    pub storage: Storage,
    /// How far its setup has come.
    pub stage: Stage,
    /// Its last verdict.
    pub verdict: Option<Verdict>,
}

/// Everything on record.
#[derive(Debug, Clone, PartialEq)]
pub struct Overview {
    /// Who connects.
    pub organization: Organization,
    /// The engine vendor.
    pub platform: Platform,
    /// What the caller may do, and the ARN that was asked about; `None` until somebody has signed in.
    pub role: Option<(Role, String)>,
    /// The connections, by name.
    pub connections: Vec<ConnectionRow>,
    /// The catalogs, by name.
    pub catalogs: Vec<CatalogRow>,
    /// The storage integrations, by name.
    pub storages: Vec<StorageRow>,
    /// Records that could not be read; the others are above.
    pub broken: Vec<Broken>,
    /// The wizards that were left half-way, the newest first.
    pub drafts: Vec<Draft>,
    /// The bookmarks of the browser, the newest first.
    pub bookmarks: Vec<Bookmark>,
}

impl Overview {
    /// What a catalog or a storage integration asks for, and how far it has come.
    pub fn grant(&self, holder: &Holder) -> Option<GrantRow> {
        match holder {
            Holder::Catalog(name) => {
                let row = self.catalogs.iter().find(|row| row.catalog.name == *name)?;
                Some(row.into())
            }
            Holder::Storage(name) => {
                let row = self.storages.iter().find(|row| row.storage.name == *name)?;
                Some(row.into())
            }
        }
    }
}

/// What a catalog or a storage integration asks for, and how far its setup has come.
#[derive(Debug, Clone, PartialEq)]
pub struct GrantRow {
    /// What is asked for.
    pub grant: Grant,
    /// How far it has come.
    pub stage: Stage,
}

impl From<&CatalogRow> for GrantRow {
    fn from(row: &CatalogRow) -> Self {
        Self {
            grant: Grant::from(&row.catalog),
            stage: row.stage,
        }
    }
}

impl From<&StorageRow> for GrantRow {
    fn from(row: &StorageRow) -> Self {
        Self {
            grant: Grant::from(&row.storage),
            stage: row.stage,
        }
    }
}

/// The answer to a [`Request`].
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Everything on record.
    Overview(Box<Overview>),
    /// The organization as it now is, with words of advice.
    Organization(Organization, Vec<String>),
    /// The connection as it now is, with words of advice (such as: this connection also serves a read-write catalog).
    Connection(Box<Connection>, Vec<String>),
    /// The catalog as it now is, with words of advice.
    Catalog(Box<Catalog>, Vec<String>),
    /// The storage integration as it now is, with words of advice.
    Storage(Box<Storage>, Vec<String>),
    /// The record is gone; the lines say what stays in AWS.
    Deleted(Vec<String>),
    /// The draft is kept, or forgotten.
    Draft,
    /// The bookmarks as they are now.
    Bookmarks(Vec<Bookmark>),
}
