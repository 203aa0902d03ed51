//! Who makes a request.

use crate::policy::{self, Context, Document};
use serde::{Deserialize, Serialize};

/// The condition key that says whether a code of a device was shown.
pub const MFA_PRESENT: &str = "aws:MultiFactorAuthPresent";

/// The identity behind an access key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// ARN as GetCallerIdentity shows it: of the user, of the role's session, or of the account's root.
    pub arn: String,
    /// Account id, 12 digits.
    pub account: String,
    /// The access key id that signed.
    pub key_id: String,
    /// `AIDA…`, `AROA…:session`, or the account id for root.
    pub user_id: String,
    /// What kind of identity it is.
    pub kind: Kind,
    /// A code of a device was shown when its session began.
    #[serde(default)]
    pub mfa: bool,
}

/// The kinds of identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// The account itself: no policy binds it.
    Root,
    /// An IAM user.
    User {
        /// Name without the path.
        name: String,
    },
    /// A session of an assumed role.
    Session {
        /// ARN of the role, path included.
        role_arn: String,
        /// Name of the role without the path.
        role_name: String,
        /// The session's name.
        session_name: String,
        /// The policies that narrow the session; none: nothing does.
        session_policies: Vec<Document>,
    },
}

impl Caller {
    /// The ARN that `aws:PrincipalArn` holds: for a session its role's, path included.
    pub fn principal_arn(&self) -> &str {
        match &self.kind {
            Kind::Session { role_arn, .. } => role_arn,
            Kind::Root | Kind::User { .. } => &self.arn,
        }
    }

    /// The unique id of the user or of the role: `AIDA…`, `AROA…`.
    pub fn entity_id(&self) -> &str {
        self.user_id.split(':').next().unwrap_or_default()
    }

    /// The caller as trust policies know it.
    pub fn as_principal(&self) -> policy::Caller<'_> {
        policy::Caller {
            arn: &self.arn,
            principal_arn: self.principal_arn(),
            account: &self.account,
        }
    }

    /// The user's name, where it is a user.
    pub fn user_name(&self) -> Option<&str> {
        match &self.kind {
            Kind::User { name } => Some(name),
            Kind::Root | Kind::Session { .. } => None,
        }
    }

    /// The condition keys that every request of this caller carries.
    pub fn context(&self) -> Context {
        let kind = match &self.kind {
            Kind::Root => "Account",
            Kind::User { .. } => "User",
            Kind::Session { .. } => "AssumedRole",
        };
        let context = Context::new()
            .with("aws:PrincipalArn", self.principal_arn())
            .with("aws:PrincipalAccount", &self.account)
            .with("aws:PrincipalType", kind)
            .with("aws:userid", &self.user_id);
        // Long-lived keys carry no such key at all.
        let context = match self.key_id.starts_with("ASIA") {
            true => context.with(MFA_PRESENT, if self.mfa { "true" } else { "false" }),
            false => context,
        };
        match self.user_name() {
            Some(name) => context.with("aws:username", name),
            None => context,
        }
    }
}
