//! The ARN of an IAM role.

use std::str::FromStr;

use super::{fields, is_account};
use crate::domain::{
    account::AccountId, invalid::Invalid, region::Partition, region::Region, word::text_word,
};

const PART: &str = "role ARN";
const EXPECTED: &str = "arn:aws:iam::012345678901:role/NAME";

/// `arn:PARTITION:iam::ACCOUNT:role/PATH/NAME`; IAM matches the name case-sensitively, and the path is part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleArn(String);

text_word!(RoleArn);

impl RoleArn {
    /// Builds the ARN of a role from its parts; `path` is `/` or `/…/`.
    pub fn new(partition: Partition, account: &AccountId, path: &str, name: &str) -> Result<Self, Invalid> {
        format!("arn:{partition}:iam::{account}:role{path}{name}").parse()
    }

    fn field(&self, at: usize) -> &str {
        self.0.splitn(6, ':').nth(at).unwrap_or("")
    }

    /// The partition.
    pub fn partition(&self) -> Partition {
        self.field(1).parse().unwrap_or(Partition::Aws)
    }

    /// The account that the role is in.
    pub fn account(&self) -> AccountId {
        AccountId::of_checked(self.field(4))
    }

    /// The name without its path.
    pub fn role_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// The path: `/` or `/…/`.
    pub fn path(&self) -> &str {
        let path = self.field(5).strip_prefix("role").unwrap_or("/");
        path.strip_suffix(self.role_name()).unwrap_or(path)
    }

    /// Refuses a role and a region of two partitions: no role is assumed across them.
    pub fn check_region(&self, region: &Region) -> Result<(), Invalid> {
        let (mine, theirs) = (self.partition(), region.partition());
        if mine == theirs {
            return Ok(());
        }
        let why = format!("is in partition {mine}, but the region {region} is in {theirs}");
        Err(Invalid::new(
            PART,
            &self.0,
            why,
            format!("a role of that partition: arn:{theirs}:iam::ACCOUNT:role/NAME"),
        ))
    }
}

impl FromStr for RoleArn {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let wrong = |why: String| Err(Invalid::new(PART, given, why, EXPECTED));
        let text = given.trim();
        if is_account(text) {
            return wrong("is an account ID".to_owned());
        }
        let arn = fields(PART, given, EXPECTED)?;
        if arn.service == "sts" && arn.resource.starts_with("assumed-role/") {
            return wrong("is the ARN of a session (assumed-role), not of the role".to_owned());
        }
        if arn.service != "iam" {
            return wrong(format!("is an ARN of {}, not of iam", arn.service));
        }
        if !arn.region.is_empty() {
            return wrong("names a region; IAM has none, so two colons follow iam".to_owned());
        }
        if !is_account(arn.account) {
            return wrong("names no account".to_owned());
        }
        let Some(path_and_name) = arn.resource.strip_prefix("role/") else {
            let kind = arn.resource.split(['/', ':']).next().unwrap_or_default();
            let why = match kind {
                "user" => "is a user: it has user/ where role/ is needed".to_owned(),
                "root" => "is the account's root, not a role".to_owned(),
                "role" => "names no role after role/".to_owned(),
                kind => format!("is a {kind}, not a role"),
            };
            return wrong(why);
        };
        let (path, name) = path_and_name.rsplit_once('/').unwrap_or(("", path_and_name));
        if name.is_empty() {
            return wrong("ends in a slash: the role's name is missing".to_owned());
        }
        if let Some(odd) = name
            .chars()
            .find(|c| !(c.is_ascii_alphanumeric() || "_+=,.@-".contains(*c)))
        {
            return wrong(format!("holds {odd:?} in the role's name"));
        }
        if name.len() > 64 {
            return wrong(format!(
                "has a role name of {} characters; IAM takes 64",
                name.len()
            ));
        }
        if path.len() > 510 || path.chars().any(|c| !('!'..='~').contains(&c)) {
            return wrong("has a path that IAM does not take".to_owned());
        }
        Ok(Self(text.to_owned()))
    }
}
