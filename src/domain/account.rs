//! AWS account ids: twelve digits of text, never a number, since a leading zero counts.

use std::str::FromStr;

use super::{invalid::Invalid, word::text_word};

const PART: &str = "AWS account ID";
const EXPECTED: &str = "12 digits, such as 012345678901";

/// A 12-digit AWS account id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountId(String);

text_word!(AccountId);

impl AccountId {
    /// For digits that were checked where they stood (inside an ARN).
    pub(in crate::domain) fn of_checked(digits: &str) -> Self {
        Self(digits.to_owned())
    }

    /// Grouped for the screen: `0123-4567-8901`. Copy the plain form.
    pub fn grouped(&self) -> String {
        let mut out = String::with_capacity(14);
        for (at, digit) in self.0.chars().enumerate() {
            if at > 0 && at % 4 == 0 {
                out.push('-');
            }
            out.push(digit);
        }
        out
    }
}

impl FromStr for AccountId {
    type Err = Invalid;

    /// Takes the plain and the grouped form, with blanks around or between the groups.
    fn from_str(given: &str) -> Result<Self, Invalid> {
        let text = given.trim();
        if text.is_empty() {
            return Err(Invalid::empty(PART, EXPECTED));
        }
        if text.starts_with("arn:") {
            return Err(Invalid::new(
                PART,
                given,
                "is an ARN",
                format!("only the account in it: {EXPECTED}"),
            ));
        }
        let digits: String = text.chars().filter(|c| !matches!(c, '-' | ' ')).collect();
        if let Some(odd) = digits.chars().find(|c| !c.is_ascii_digit()) {
            let why = if odd.is_alphabetic() {
                "holds letters: an account alias is not an id".to_owned()
            } else {
                format!("holds {odd:?}")
            };
            return Err(Invalid::new(PART, given, why, EXPECTED));
        }
        if digits.len() != 12 {
            let zeros = if digits.len() < 12 && digits.len() > 8 {
                " (a spreadsheet or YAML may have eaten leading zeros)"
            } else {
                ""
            };
            let why = format!("has {} digits{zeros}", digits.len());
            return Err(Invalid::new(PART, given, why, EXPECTED));
        }
        Ok(Self(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_survive_and_grouped_forms_are_read() {
        for given in [
            "012345678901",
            " 012345678901\n",
            "0123-4567-8901",
            "0123 4567 8901",
        ] {
            let id: AccountId = given.parse().unwrap();
            assert_eq!(id.as_str(), "012345678901");
            assert_eq!(id.grouped(), "0123-4567-8901");
        }
    }

    #[test]
    fn anything_else_says_why() {
        for (given, word) in [
            ("", "is empty"),
            ("12345678901", "11 digits"),
            ("0123456789012", "13 digits"),
            ("acme-prod", "alias"),
            ("１２３４５６７８９０１２", "holds"),
            ("arn:aws:iam::012345678901:root", "ARN"),
            ("1.2345e10", "'.'"),
        ] {
            let error = given.parse::<AccountId>().unwrap_err();
            assert!(error.to_string().contains(word), "{given:?}: {error}");
            assert!(error.expected.contains("12 digits"));
        }
    }
}
