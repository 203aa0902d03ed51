//! How far a catalog, or a storage integration, has come: told from its records, so that a wizard that was killed goes on where it was.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Connection, Grant, Verdict};
use crate::domain::status::Status;

/// The steps of the wizard, and the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The catalog's details do not fit together yet.
    Details,
    /// It has no connection.
    Connection,
    /// A stack is missing: the connection's or the catalog's own.
    Deploy,
    /// It was never verified, or verification failed.
    Verify,
    /// Verified.
    Ready,
}

impl Stage {
    /// The word of the contract: `details`, `connection`, `deploy`, `verify`, `ready`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Details => "details",
            Self::Connection => "connection",
            Self::Deploy => "deploy",
            Self::Verify => "verify",
            Self::Ready => "ready",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The stage of a catalog or a storage integration. An adopted role is verified only: it waits for no stack.
pub fn stage(grant: &Grant, connection: Option<&Connection>, verdict: Option<&Verdict>) -> Stage {
    let Some(connection) = connection else {
        return Stage::Connection;
    };
    let role = connection.role_arn.as_ref();
    if role.is_some_and(|role| role.check_region(&grant.region).is_err()) {
        return Stage::Details;
    }
    if role.is_none() || !(grant.deployed || connection.adopted) {
        return Stage::Deploy;
    }
    match verdict.map(|verdict| verdict.verdict) {
        Some(Status::Passed | Status::Warning) => Stage::Ready,
        _ => Stage::Verify,
    }
}
