//! Access points: another name of a bucket, with rights of its own. Requests may name one by its alias or by its ARN; a policy
//! names it by its ARN alone. See "Access points" in the S3 user guide.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::bucket;
use crate::domain::account::AccountId;
use crate::domain::arn;
use crate::domain::invalid::Invalid;
use crate::domain::region::{Partition, Region};
use crate::domain::word::{serde_as_text, text_word};

const PART: &str = "access point ARN";
const EXPECTED: &str = "arn:aws:s3:REGION:012345678901:accesspoint/NAME";
const ALIAS: &str = "access point alias";
/// What every alias ends in; no bucket's name may.
const ENDING: &str = "-s3alias";

/// The ARN of an access point of one region: `arn:P:s3:REGION:ACCOUNT:accesspoint/NAME`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessPointArn {
    partition: Partition,
    region: Region,
    account: AccountId,
    name: String,
}

serde_as_text!(AccessPointArn);

impl AccessPointArn {
    /// The partition.
    pub fn partition(&self) -> Partition {
        self.partition
    }

    /// The region: that of the bucket behind it.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// The account that made it, which need not be the bucket's.
    pub fn account(&self) -> &AccountId {
        &self.account
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a text begins as one; what follows may be wrong.
    pub(super) fn begins(text: &str) -> bool {
        let mut fields = text.splitn(6, ':').skip(2);
        let service = fields.next();
        // A multi-region access point belongs to no region.
        let region = fields.next().is_some_and(|region| !region.is_empty());
        let resource = fields.nth(1).unwrap_or_default();
        service == Some("s3")
            && region
            && (resource.starts_with("accesspoint/") || resource.starts_with("accesspoint:"))
    }

    /// Reads an ARN that a key may follow behind a slash; both.
    pub(super) fn split(text: &str) -> Result<(Self, &str), Invalid> {
        let head = text
            .match_indices(':')
            .nth(4)
            .map_or(text.len(), |(at, _)| at + ":accesspoint/".len());
        let end = text
            .get(head..)
            .and_then(|rest| rest.find('/'))
            .map_or(text.len(), |at| head + at);
        let (arn, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        Ok((arn.parse()?, rest.strip_prefix('/').unwrap_or(rest)))
    }
}

impl fmt::Display for AccessPointArn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            partition,
            region,
            account,
            name,
        } = self;
        f.pad(&format!(
            "arn:{partition}:s3:{region}:{account}:accesspoint/{name}"
        ))
    }
}

impl FromStr for AccessPointArn {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let wrong = |why: &str| Err(Invalid::new(PART, given, why, EXPECTED));
        let fields = arn::fields(PART, given, EXPECTED)?;
        let separated = [":", "/"]
            .into_iter()
            .find_map(|sign| fields.resource.strip_prefix(&format!("accesspoint{sign}")));
        let (Some(name), "s3") = (separated, fields.service) else {
            return wrong("is not the ARN of an access point");
        };
        if fields.region.is_empty() {
            return wrong("names no region: it is that of a multi-region access point");
        }
        let (Ok(region), Ok(account)) = (fields.region.parse::<Region>(), fields.account.parse()) else {
            return wrong("names no region or no account");
        };
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !(3..=50).contains(&name.len()) || !name.chars().all(letters) {
            return wrong("has no name of 3 to 50 lower-case letters, digits and dashes");
        }
        if name.starts_with('-') || name.ends_with('-') || name.ends_with(ENDING) {
            return wrong("has a name that starts or ends as none may");
        }
        let partition = given.trim().split(':').nth(1).and_then(|id| id.parse().ok());
        Ok(Self {
            partition: partition.unwrap_or(Partition::Aws),
            region,
            account,
            name: name.to_owned(),
        })
    }
}

/// The alias of an access point: what requests give in the place of a bucket's name, `NAME-…-s3alias`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessPointAlias(String);

text_word!(AccessPointAlias);

impl AccessPointAlias {
    /// Whether a bucket's name is one.
    pub fn is(name: &str) -> bool {
        name.ends_with(ENDING)
    }

    /// The name of its access point, as far as it is in it: AWS cuts long ones.
    pub fn point_name(&self) -> &str {
        let named = self.0.strip_suffix(ENDING).unwrap_or(&self.0);
        named.rsplit_once('-').map_or(named, |(name, _)| name)
    }
}

impl FromStr for AccessPointAlias {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let name = given.trim();
        match name.strip_suffix(ENDING) {
            // What stands before the ending is written as a bucket's name is.
            Some(head) if bucket::check(head).is_ok() && !head.contains('.') && name.len() <= 63 => {
                Ok(Self(name.to_owned()))
            }
            _ => Err(Invalid::new(ALIAS, given, "is none", "NAME-…-s3alias")),
        }
    }
}

/// The name of a bucket.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BucketName(String);

text_word!(BucketName);

impl FromStr for BucketName {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let name = given.trim();
        bucket::check(name)?;
        Ok(Self(name.to_owned()))
    }
}

/// An access point, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessPoint {
    /// Its ARN, which the policy names.
    pub arn: AccessPointArn,
    /// Its alias, by which requests go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<AccessPointAlias>,
    /// The bucket behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket: Option<BucketName>,
}

impl AccessPoint {
    /// One of which no more than the ARN is known.
    pub fn of(arn: AccessPointArn) -> Self {
        Self {
            arn,
            alias: None,
            bucket: None,
        }
    }
}

/// How a policy names a bucket, or a key in it where one is given. The name may be an access point's ARN; an alias means
/// nothing to a policy, so that such a place is named as a request names it.
pub fn resource(partition: Partition, name: &str, key: &str) -> String {
    if AccessPointAlias::is(name) {
        return format!("s3://{name}/{key}");
    }
    match (name.starts_with("arn:"), key) {
        (true, "") => name.to_owned(),
        (true, key) => format!("{name}/object/{key}"),
        (false, "") => format!("arn:{partition}:s3:::{name}"),
        (false, key) => format!("arn:{partition}:s3:::{name}/{key}"),
    }
}
