//! What a template takes besides the role: where the role stands, what bounds it, which key it may use.

use std::str::FromStr;

use super::fields;
use crate::domain::{invalid::Invalid, word::text_word};

/// The path of a role: `/` or `/…/`, at most 512 characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RolePath(String);

text_word!(RolePath);

impl FromStr for RolePath {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let expected = "/ or a path between slashes, such as /team/lake/";
        let text = given.trim();
        let wrong = |why: &str| Err(Invalid::new("role path", given, why, expected));
        if text.is_empty() {
            return Err(Invalid::empty("role path", expected));
        }
        if !(text.starts_with('/') && text.ends_with('/')) {
            return wrong("does not start and end in a slash");
        }
        if text.chars().any(|c| !('!'..='~').contains(&c)) {
            return wrong("holds a character that IAM does not take");
        }
        if text.contains("//") {
            return wrong("holds two slashes in a row");
        }
        if text.len() > 512 {
            return wrong("is longer than 512 characters");
        }
        Ok(Self(text.to_owned()))
    }
}

/// The ARN of a managed policy, used as a permissions boundary.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PolicyArn(String);

text_word!(PolicyArn);

impl FromStr for PolicyArn {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let expected = "arn:aws:iam::012345678901:policy/NAME";
        let arn = fields("policy ARN", given, expected)?;
        let named = arn
            .resource
            .strip_prefix("policy/")
            .is_some_and(|name| !name.is_empty() && !name.ends_with('/'));
        if arn.service != "iam" || !arn.region.is_empty() || arn.account.is_empty() || !named {
            return Err(Invalid::new(
                "policy ARN",
                given,
                "is not the ARN of a managed policy",
                expected,
            ));
        }
        Ok(Self(given.trim().to_owned()))
    }
}

/// The ARN of a KMS key; an alias is refused, since a policy must name the key itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KmsKeyArn(String);

text_word!(KmsKeyArn);

impl FromStr for KmsKeyArn {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let expected = "arn:aws:kms:REGION:012345678901:key/ID";
        let wrong = |why: &str| Err(Invalid::new("KMS key ARN", given, why, expected));
        let arn = fields("KMS key ARN", given, expected)?;
        if arn.service != "kms" || arn.region.is_empty() || arn.account.is_empty() {
            return wrong("is not the ARN of a KMS key");
        }
        match arn.resource.split_once('/') {
            Some(("alias", _)) => wrong("is an alias, which a policy does not resolve"),
            Some(("key", id))
                if !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') =>
            {
                Ok(Self(given.trim().to_owned()))
            }
            _ => wrong("is not the ARN of a KMS key"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_between_slashes() {
        assert!("/".parse::<RolePath>().is_ok());
        assert!("/team/lake/".parse::<RolePath>().is_ok());
        for given in [
            "",
            "team",
            "/team",
            "team/",
            "/a b/",
            "/a//b/",
            &format!("/{}/", "x".repeat(511)),
        ] {
            assert!(given.parse::<RolePath>().is_err(), "{given:?}");
        }
    }

    #[test]
    fn a_boundary_is_a_managed_policy() {
        for given in [
            "arn:aws:iam::012345678901:policy/team/b",
            "arn:aws-cn:iam::aws:policy/PowerUserAccess",
        ] {
            assert!(given.parse::<PolicyArn>().is_ok());
        }
        for given in [
            "arn:aws:iam::012345678901:role/b",
            "arn:aws:iam::012345678901:policy/",
            "b",
        ] {
            assert!(
                given
                    .parse::<PolicyArn>()
                    .unwrap_err()
                    .expected
                    .contains("policy/NAME")
            );
        }
    }

    #[test]
    fn a_key_is_named_itself() {
        assert!(
            "arn:aws:kms:us-west-2:012345678901:key/1a-2b"
                .parse::<KmsKeyArn>()
                .is_ok()
        );
        assert!(
            "arn:aws:kms:us-west-2:012345678901:key/mrk-1a"
                .parse::<KmsKeyArn>()
                .is_ok()
        );
        for (given, word) in [
            ("arn:aws:kms:us-west-2:012345678901:alias/lake", "alias"),
            (
                "arn:aws:kms:us-west-2:012345678901:key/*",
                "not the ARN of a KMS key",
            ),
            ("arn:aws:iam::012345678901:role/x", "not the ARN of a KMS key"),
        ] {
            assert!(given.parse::<KmsKeyArn>().unwrap_err().why.contains(word));
        }
    }
}
