//! The principals that a trust policy can name one by one.

use std::str::FromStr;

use super::{RoleArn, fields, is_account};
use crate::domain::{account::AccountId, invalid::Invalid, region::Partition, word::text_word};

const PART: &str = "principal ARN";
const EXPECTED: &str =
    "arn:aws:iam::012345678901:role/NAME, …:user/NAME, …:root, or arn:aws:sts::…:assumed-role/NAME/SESSION";

/// A role, a user, an account's root, or an assumed-role session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrincipalArn(String);

text_word!(PrincipalArn);

impl PrincipalArn {
    /// The root of an account: trusts whatever that account's own policies allow.
    pub fn root(partition: Partition, account: &AccountId) -> Self {
        Self(format!("arn:{partition}:iam::{account}:root"))
    }

    fn field(&self, at: usize) -> &str {
        self.0.splitn(6, ':').nth(at).unwrap_or("")
    }

    /// The partition.
    pub fn partition(&self) -> Partition {
        self.field(1).parse().unwrap_or(Partition::Aws)
    }

    /// The account of the principal.
    pub fn account(&self) -> AccountId {
        AccountId::of_checked(self.field(4))
    }

    /// Whether it is a whole account.
    pub fn is_root(&self) -> bool {
        self.field(5) == "root"
    }

    /// Whether it is a role itself, and not a session of one.
    pub fn as_role(&self) -> Option<RoleArn> {
        self.0.parse().ok()
    }

    /// The role of an assumed-role session. A session's ARN does not hold the role's path, so for a role with one
    /// (every IAM Identity Center role has) this is not the role's true ARN: trust the account's root and narrow it
    /// with `ArnLike aws:PrincipalArn` instead.
    pub fn role_of_session(&self) -> Option<RoleArn> {
        let (name, _session) = self.field(5).strip_prefix("assumed-role/")?.split_once('/')?;
        RoleArn::new(self.partition(), &self.account(), "/", name).ok()
    }
}

impl From<RoleArn> for PrincipalArn {
    fn from(role: RoleArn) -> Self {
        Self(role.as_str().to_owned())
    }
}

/// Checks the path and the name of a user, as IAM takes them. A principal is literal text: what looks like a variable is none.
fn user(given: &str, path_and_name: &str) -> Result<(), Invalid> {
    let name = path_and_name.rsplit('/').next().unwrap_or_default();
    let odd = name
        .chars()
        .find(|c| !(c.is_ascii_alphanumeric() || "_+=,.@-".contains(*c)));
    match odd {
        Some(odd) => {
            let why = format!("holds {odd:?} in the user's name");
            Err(Invalid::new(PART, given, why, EXPECTED))
        }
        None if name.len() > 64 => {
            let why = format!("has a user name of {} characters; IAM takes 64", name.len());
            Err(Invalid::new(PART, given, why, EXPECTED))
        }
        None => Ok(()),
    }
}

impl FromStr for PrincipalArn {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let wrong = |why: String| Err(Invalid::new(PART, given, why, EXPECTED));
        let text = given.trim();
        if is_account(text) {
            let root = format!("arn:aws:iam::{text}:root");
            return Err(Invalid::new(
                PART,
                given,
                "is an account ID",
                format!("{root} for the whole account"),
            ));
        }
        if text == "*" {
            return wrong("is everyone: that is never trusted".to_owned());
        }
        let arn = fields(PART, given, EXPECTED)?;
        if !is_account(arn.account) || !arn.region.is_empty() {
            return wrong("is not an ARN of an IAM principal: it names a region or no account".to_owned());
        }
        if text.contains(['*', '?']) {
            return wrong("holds a wildcard, which a trust policy does not take in an ARN".to_owned());
        }
        let (kind, name) = arn.resource.split_once('/').unwrap_or((arn.resource, ""));
        match (arn.service, kind, name) {
            ("iam", "root", "") => {}
            ("iam", "role", _) => {
                RoleArn::from_str(text).map_err(|error| Invalid { part: PART, ..error })?;
            }
            ("iam", "user", name) if !name.is_empty() && !name.ends_with('/') => user(given, name)?,
            ("sts", "assumed-role", name)
                if name.split('/').count() == 2 && !name.split('/').any(str::is_empty) => {}
            ("iam", "group", _) => return wrong("is a group, which cannot be trusted".to_owned()),
            ("iam" | "sts", kind, _) => return wrong(format!("names {kind}/… and not a whole principal")),
            (service, ..) => return wrong(format!("is an ARN of {service}, not of iam or sts")),
        }
        Ok(Self(text.to_owned()))
    }
}
