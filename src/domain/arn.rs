//! ARNs: of anything, of roles, and of the principals that a trust policy can name.

mod glue;
mod optional;
mod principal;
mod role;
#[cfg(test)]
mod tests;
mod verifier;

use std::str::FromStr;

use super::{account::AccountId, invalid::Invalid, region::Partition, word::text_word};
pub use glue::GlueArns;
pub use optional::{KmsKeyArn, PolicyArn, RolePath};
pub use principal::PrincipalArn;
pub use role::RoleArn;
pub use verifier::Verifier;

/// Any ARN: `arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE`; region and account may be empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AnyArn(String);

text_word!(AnyArn);

/// The fields of an ARN, borrowed.
pub(crate) struct Fields<'a> {
    pub service: &'a str,
    pub region: &'a str,
    pub account: &'a str,
    pub resource: &'a str,
}

/// Splits an ARN into its fields, or says which one is wrong. The longest ARN that IAM takes has 2048 characters.
pub(crate) fn fields<'a>(part: &'static str, given: &'a str, expected: &str) -> Result<Fields<'a>, Invalid> {
    let text = given.trim();
    let wrong = |why: String| Err(Invalid::new(part, given, why, expected));
    if text.is_empty() {
        return Err(Invalid::empty(part, expected));
    }
    if text.chars().count() > 2048 {
        return wrong("is longer than 2048 characters".to_owned());
    }
    if let Some(odd) = text.chars().find(|c| c.is_whitespace() || c.is_control()) {
        return wrong(format!("holds {odd:?}"));
    }
    let mut split = text.splitn(6, ':');
    let mut next = || split.next();
    let (Some(arn), Some(partition), Some(service), Some(region), Some(account), Some(resource)) =
        (next(), next(), next(), next(), next(), next())
    else {
        let why = if text.starts_with("arn:") {
            "has fewer than the six fields of an ARN"
        } else {
            "is not an ARN: it does not start with arn:"
        };
        return wrong(why.to_owned());
    };
    if arn != "arn" {
        return wrong("is not an ARN: it does not start with arn:".to_owned());
    }
    partition.parse::<Partition>().map_err(|error| {
        Invalid::new(
            part,
            given,
            format!("names the partition \"{}\"", error.given),
            expected,
        )
    })?;
    if service.is_empty() || resource.is_empty() {
        return wrong("names no service or no resource".to_owned());
    }
    if !(account.is_empty() || account == "aws" || is_account(account)) {
        return wrong(format!("has \"{account}\" where the 12-digit account belongs"));
    }
    Ok(Fields {
        service,
        region,
        account,
        resource,
    })
}

pub(crate) fn is_account(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|b| b.is_ascii_digit())
}

impl AnyArn {
    fn field(&self, at: usize) -> &str {
        self.0.splitn(6, ':').nth(at).unwrap_or("")
    }

    /// The partition.
    pub fn partition(&self) -> Partition {
        self.field(1).parse().unwrap_or(Partition::Aws)
    }

    /// The service: `s3`, `kms`, `iam`.
    pub fn service(&self) -> &str {
        self.field(2)
    }

    /// The region's id; empty where the service has none.
    pub fn region(&self) -> &str {
        self.field(3)
    }

    /// The account, where the ARN names one.
    pub fn account(&self) -> Option<AccountId> {
        self.field(4).parse().ok()
    }

    /// Everything after the fifth colon.
    pub fn resource(&self) -> &str {
        self.field(5)
    }
}

impl FromStr for AnyArn {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        fields("ARN", given, "arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE")?;
        Ok(Self(given.trim().to_owned()))
    }
}
