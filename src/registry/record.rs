//! The records: what an admin decided. What one has to tell about itself, and the record of a connection.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Holder, Subject, home::Home, store::bound_in};
use crate::domain::{
    account::AccountId,
    arn::{PolicyArn, PrincipalArn, RoleArn, RolePath},
    external_id::ExternalId,
    names::ConnectionName,
    organization::Organization,
    problem::{Kind, Problem},
    region::Region,
    slug::file_slug,
    stack_name::StackName,
};

/// The schema that this version writes and reads.
pub(super) const VERSION: u32 = 1;

/// A record that is one YAML file.
pub trait Record: Serialize + DeserializeOwned + Clone {
    /// What it is called in a sentence.
    const NOUN: &'static str;
    /// The folder of all records of the kind; `None` where there is only one.
    const FOLDER: Option<&'static str>;

    /// The true name, which stands inside the file.
    fn name(&self) -> &str;
    /// The version of the schema.
    fn version(&self) -> u32;
    /// The stack that belongs to it, if one does.
    fn stack_name(&self) -> Option<&StackName>;

    /// What the verdicts on it are noted under, if it is verified at all.
    fn subject(&self) -> Option<Subject> {
        None
    }

    /// Whether it fits to the other records; asked before it is written.
    ///
    /// # Errors
    /// When it names what is not there, or contradicts it.
    fn fits(&self, home: &Home) -> Result<(), Problem> {
        let _ = home;
        Ok(())
    }

    /// Whether it can be spared; asked before it is deleted.
    ///
    /// # Errors
    /// When another record hangs on it, or may.
    fn spared(&self, home: &Home) -> Result<(), Problem> {
        let _ = home;
        Ok(())
    }

    /// The subjects whose verdicts no longer hold, now that it is no longer what it was before.
    ///
    /// # Errors
    /// When the records that hang on it cannot be listed.
    fn outdates(&self, before: &Self, home: &Home) -> Result<Vec<Subject>, Problem> {
        let _ = (before, home);
        Ok(Vec::new())
    }

    /// Where a record of this name goes, from the home on.
    fn file_of(name: &str) -> PathBuf {
        match Self::FOLDER {
            Some(folder) => Path::new(folder).join(format!("{}.yaml", file_slug(name))),
            None => PathBuf::from(format!("{}.yaml", Self::NOUN)),
        }
    }
}

/// A Cloud Connection: a role in an account, and who may assume it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connection {
    /// The version of the record's schema: 1.
    pub version: u32,
    /// The name.
    pub name: ConnectionName,
    /// 8 hex digits that tag its stacks, so that a stack of another home is told apart.
    pub id: String,
    /// The account that the role is in.
    pub account_id: AccountId,
    /// The role; null until the stack's outputs are read.
    #[serde(default)]
    pub role_arn: Option<RoleArn>,
    /// Whether the role existed before and is only verified, never deployed.
    #[serde(default)]
    pub adopted: bool,
    /// The external id that its trust policy asks for.
    pub external_id: ExternalId,
    /// The broker role that may assume it; null: the principals of `trust` do it themselves.
    #[serde(default)]
    pub broker_role_arn: Option<RoleArn>,
    /// Who may assume it besides the broker.
    #[serde(default)]
    pub trust: Vec<PrincipalArn>,
    /// Who may assume it beside them in order to verify, where the broker is a vendor's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verifier: Option<PrincipalArn>,
    /// The stack that makes the role.
    pub stack_name: StackName,
    /// The region of the stack; null until the first catalog decides it.
    #[serde(default)]
    pub region: Option<Region>,
    /// The permissions boundary of the role, where the account asks for one.
    #[serde(default)]
    pub permissions_boundary: Option<PolicyArn>,
    /// The path of the role.
    #[serde(default)]
    pub role_path: Option<RolePath>,
    /// The AWS profile that deploys in that account.
    #[serde(default)]
    pub deploy_profile: Option<String>,
    /// The id of the stack, once it was seen.
    #[serde(default)]
    pub stack_id: Option<String>,
}

impl Connection {
    /// The role that is assumed first from here: the broker role, unless a verifier may assume the connection's role
    /// itself, since a vendor's broker lets nobody but the vendor in.
    pub fn first_hop(&self) -> Option<&RoleArn> {
        self.broker_role_arn.as_ref().filter(|_| self.verifier.is_none())
    }
}

impl Record for Connection {
    const NOUN: &'static str = "connection";
    const FOLDER: Option<&'static str> = Some("connections");

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
        Some(Subject::Connection(self.name.clone()))
    }

    fn outdates(&self, before: &Self, home: &Home) -> Result<Vec<Subject>, Problem> {
        let judged = |c: &Self| {
            (
                c.account_id.clone(),
                c.role_arn.clone(),
                c.external_id.clone(),
                c.broker_role_arn.clone(),
                c.trust.clone(),
                c.verifier.clone(),
            )
        };
        if judged(self) == judged(before) {
            return Ok(Vec::new());
        }
        let bound = home.bound(&self.name)?.into_iter().map(|holder| holder.subject());
        Ok(self.subject().into_iter().chain(bound).collect())
    }

    fn spared(&self, home: &Home) -> Result<(), Problem> {
        let what = format!("The connection {} cannot be deleted", self.name);
        let (catalogs, storages) = (home.catalogs()?, home.storages()?);
        let bound = bound_in(&catalogs, &storages, &self.name);
        if !bound.is_empty() {
            let names: Vec<_> = bound.iter().map(Holder::name).collect();
            let why = format!("bound to it: {}", names.join(", "));
            return Err(Problem::new(Kind::CheckFailed, what, why, "Delete these first"));
        }
        if let Some(broken) = catalogs.broken.first().or(storages.broken.first()) {
            let why = format!(
                "a record that cannot be read may be bound to it: {}",
                broken.file.display()
            );
            return Err(Problem::new(Kind::CheckFailed, what, why, &broken.problem.next));
        }
        Ok(())
    }
}

impl Record for Organization {
    const NOUN: &'static str = "organization";
    const FOLDER: Option<&'static str> = None;

    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn stack_name(&self) -> Option<&StackName> {
        None
    }
}
