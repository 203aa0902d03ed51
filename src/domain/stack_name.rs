//! CloudFormation stack names: composed of the platform's prefix, what the stack is for, and the record's slug.

use std::str::FromStr;

use super::{access::Access, invalid::Invalid, slug::Slug, word::text_word};

const PART: &str = "stack name";
const EXPECTED: &str = "a letter, then letters, digits and dashes, at most 128 in all";
/// CloudFormation's limit.
const MOST: usize = 128;

/// A stack name: `[a-zA-Z][-a-zA-Z0-9]*`, at most 128 characters, unique per account and region.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackName(String);

text_word!(StackName);

/// What a stack is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StackKind {
    /// The connection role.
    Connection,
    /// Read-only Glue and S3 access for a connection role.
    GlueReadOnly,
    /// Read-write Glue and S3 access for a connection role.
    GlueReadWrite,
    /// Read-only S3 access for a connection role.
    StorageReadOnly,
    /// Read-write S3 access for a connection role.
    StorageReadWrite,
}

impl StackKind {
    /// The access stack of a catalog.
    pub fn for_access(access: Access) -> Self {
        match access {
            Access::ReadOnly => Self::GlueReadOnly,
            Access::ReadWrite => Self::GlueReadWrite,
        }
    }

    /// The access stack of a storage integration.
    pub fn for_storage(access: Access) -> Self {
        match access {
            Access::ReadOnly => Self::StorageReadOnly,
            Access::ReadWrite => Self::StorageReadWrite,
        }
    }

    /// The middle part of the stack name: `connection`, `glue-readonly`, `storage-readwrite` …
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::GlueReadOnly => "glue-readonly",
            Self::GlueReadWrite => "glue-readwrite",
            Self::StorageReadOnly => "storage-readonly",
            Self::StorageReadWrite => "storage-readwrite",
        }
    }
}

impl StackName {
    /// `PREFIX-KIND-SLUG`, cut to CloudFormation's limit; a name that does not survive whole gets 8 hex of a hash.
    pub fn compose(prefix: &str, kind: StackKind, name: &str) -> Self {
        let mut head: String = prefix
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
            .take(64)
            .collect();
        if !head.starts_with(|c: char| c.is_ascii_alphabetic()) {
            head.insert(0, 's');
        }
        let head = format!("{head}-{}-", kind.as_str());
        let slug = Slug::fitting(name, MOST - head.len());
        Self(format!("{head}{slug}"))
    }
}

impl FromStr for StackName {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let text = given.trim();
        if text.is_empty() {
            return Err(Invalid::empty(PART, EXPECTED));
        }
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(Invalid::new(
                PART,
                given,
                "does not start with a letter",
                EXPECTED,
            ));
        }
        if let Some(odd) = text.chars().find(|c| !(c.is_ascii_alphanumeric() || *c == '-')) {
            return Err(Invalid::new(PART, given, format!("holds {odd:?}"), EXPECTED));
        }
        if text.len() > MOST {
            return Err(Invalid::new(
                PART,
                given,
                format!("has {} characters", text.len()),
                EXPECTED,
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::slug::hash8;

    #[test]
    fn names_follow_prefix_kind_and_slug() {
        let name = |kind, text| StackName::compose("glueup", kind, text).to_string();
        assert_eq!(
            name(StackKind::Connection, "sales-prod"),
            "glueup-connection-sales-prod"
        );
        assert_eq!(
            name(StackKind::GlueReadWrite, "weather"),
            "glueup-glue-readwrite-weather"
        );
        assert_eq!(
            name(StackKind::for_access(Access::ReadOnly), "My Catalog.v2 日本"),
            format!(
                "glueup-glue-readonly-my-catalog-v2-{}",
                hash8("My Catalog.v2 日本")
            )
        );
    }

    #[test]
    fn cloudformation_decides_what_a_name_is() {
        assert!("a".repeat(128).parse::<StackName>().is_ok());
        for given in ["", "1abc", "-a", "a_b", "a b", "日本", &"a".repeat(129)] {
            assert!(given.parse::<StackName>().is_err(), "{given:?}");
        }
    }

    proptest! {
        #[test]
        fn every_composed_name_is_valid(prefix in any::<String>(), name in any::<String>()) {
            let stack = StackName::compose(&prefix, StackKind::GlueReadWrite, &name);
            prop_assert_eq!(stack.as_str().parse::<StackName>().unwrap(), stack);
        }
    }
}
