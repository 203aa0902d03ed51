//! External ids: the shared name in a role's trust policy that keeps a confused deputy out. Not a secret.

use std::{fmt::Write as _, str::FromStr};

use super::{invalid::Invalid, word::text_word};

const PART: &str = "external ID";
const EXPECTED: &str = "2 to 1224 letters, digits or + = , . @ : / _ - (no blanks)";

/// An STS external id: 2 to 1224 characters of `[A-Za-z0-9_+=,.@:/-]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExternalId(String);

text_word!(ExternalId);

impl ExternalId {
    /// Makes an id of random bytes; only `[a-f0-9-]`, so that a link, a shell and YAML leave it as it is.
    pub fn from_random(bytes: [u8; 16]) -> Self {
        let mut id = String::with_capacity(35);
        for (at, byte) in bytes.iter().enumerate() {
            if at > 0 && at % 4 == 0 {
                id.push('-');
            }
            // Writing to a String cannot fail.
            let _ = write!(id, "{byte:02x}");
        }
        Self(id)
    }
}

impl FromStr for ExternalId {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let text = given.trim();
        if text.is_empty() {
            return Err(Invalid::empty(PART, EXPECTED));
        }
        if let Some(odd) = text
            .chars()
            .find(|c| !(c.is_ascii_alphanumeric() || "_+=,.@:/-".contains(*c)))
        {
            let why = if odd.is_whitespace() {
                "holds a blank".to_owned()
            } else if text.contains("${") {
                format!("holds {odd:?}: it is literal text, and no variable of a policy")
            } else {
                format!("holds {odd:?}")
            };
            return Err(Invalid::new(PART, given, why, EXPECTED));
        }
        match text.len() {
            2..=1224 => Ok(Self(text.to_owned())),
            n => Err(Invalid::new(PART, given, format!("has {n} characters"), EXPECTED)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_ids_are_valid_distinct_and_plain() {
        let a = ExternalId::from_random([0; 16]);
        let b = ExternalId::from_random([255; 16]);
        assert_ne!(a, b);
        assert_eq!(a.as_str().parse::<ExternalId>().unwrap(), a);
        assert!(
            b.as_str()
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        );
    }

    #[test]
    fn limits_and_characters_of_sts() {
        assert!("a".parse::<ExternalId>().is_err());
        assert!("ab".parse::<ExternalId>().is_ok());
        assert!("a".repeat(1224).parse::<ExternalId>().is_ok());
        assert!("a".repeat(1225).parse::<ExternalId>().is_err());
        assert!("A_z+=,.@:/-9".parse::<ExternalId>().is_ok());
        let error = "${aws:username}-lake".parse::<ExternalId>().unwrap_err();
        assert!(
            error
                .why
                .ends_with("it is literal text, and no variable of a policy"),
            "{error}"
        );
        for given in ["a b", "é€", "a#b", "a\tb", "", "${*}", "a$b", "a{b}"] {
            assert!(given.parse::<ExternalId>().is_err(), "{given:?}");
        }
    }
}
