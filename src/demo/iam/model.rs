//! Users, roles and managed policies.

use super::versioned::Versioned;
use crate::policy::Document;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What one account holds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Account {
    pub(super) users: BTreeMap<String, Versioned<User>>,
    pub(super) roles: BTreeMap<String, Versioned<Role>>,
    /// By ARN.
    pub(super) policies: BTreeMap<String, Versioned<Managed>>,
}

/// The policies of a user or a role.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Grants {
    /// By name.
    pub inline: BTreeMap<String, Document>,
    /// ARNs of managed policies, in the order in which they were attached.
    pub attached: Vec<String>,
    /// ARN of the permissions boundary.
    pub boundary: Option<String>,
}

/// A user.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct User {
    /// Name without the path.
    pub name: String,
    /// `/`, or `/…/`.
    pub path: String,
    /// ARN.
    pub arn: String,
    /// `AIDA…`
    pub id: String,
    /// Milliseconds since 1970.
    pub created: i64,
    /// What it may do.
    pub grants: Grants,
}

/// A role.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Role {
    /// Name without the path.
    pub name: String,
    /// `/`, or `/…/`.
    pub path: String,
    /// ARN.
    pub arn: String,
    /// `AROA…`
    pub id: String,
    /// Milliseconds since 1970.
    pub created: i64,
    /// Description; may be empty.
    pub description: String,
    /// Longest session, in seconds: 3600 to 43200.
    pub max_session: i64,
    /// Tags.
    pub tags: BTreeMap<String, String>,
    /// Who may assume it.
    pub trust: Document,
    /// The unique ids of the users and roles that the trust policy named when it was written. A principal that was
    /// deleted and made again has another id and is not trusted.
    pub trusted_ids: BTreeMap<String, String>,
    /// What it may do.
    pub grants: Grants,
}

/// A managed policy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Managed {
    /// Name without the path.
    pub name: String,
    /// `/`, or `/…/`.
    pub path: String,
    /// ARN.
    pub arn: String,
    /// `ANPA…`
    pub id: String,
    /// Milliseconds since 1970.
    pub created: i64,
    /// Milliseconds since 1970.
    pub updated: i64,
    /// Description; may be empty.
    pub description: String,
    /// By number: 1 is `v1`.
    pub versions: BTreeMap<u32, Document>,
    /// Number of the version in force.
    pub default: u32,
}

impl Managed {
    /// The document in force.
    pub fn document(&self) -> Option<&Document> {
        self.versions.get(&self.default)
    }
}

/// A user's access key.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct AccessKey {
    pub(super) secret: String,
    pub(super) account: String,
    pub(super) user: String,
    pub(super) created: i64,
}

impl fmt::Debug for AccessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessKey")
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

/// A user or a role of an account, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner<'a> {
    /// A user.
    User(&'a str),
    /// A role.
    Role(&'a str),
}

impl<'a> Owner<'a> {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::User(_) => "user",
            Self::Role(_) => "role",
        }
    }

    pub(super) fn name(self) -> &'a str {
        match self {
            Self::User(name) | Self::Role(name) => name,
        }
    }
}
