//! Codes that a device for multi-factor authentication shows. They never show in `Debug`.

use super::invalid::Invalid;
use std::fmt;
use std::str::FromStr;

const PART: &str = "MFA code";
const EXPECTED: &str = "the 6 digits that the device shows now";

/// A code of six digits. It counts once and for half a minute; still it is shown and logged nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct MfaCode(String);

impl MfaCode {
    /// The digits, for AWS alone.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for MfaCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MfaCode")
    }
}

impl FromStr for MfaCode {
    type Err = Invalid;

    /// Devices show `123 456`: a blank is no digit and no mistake. What was typed is never repeated in the error.
    fn from_str(given: &str) -> Result<Self, Invalid> {
        let code: String = given.chars().filter(|c| !c.is_whitespace()).collect();
        let refuse = |why: String| Err(Invalid::new(PART, "", why, EXPECTED));
        match code.len() {
            0 => Err(Invalid::empty(PART, EXPECTED)),
            _ if !code.chars().all(|c| c.is_ascii_digit()) => refuse("holds more than digits".to_owned()),
            6 => Ok(Self(code)),
            1 => refuse("has 1 digit".to_owned()),
            n => refuse(format!("has {n} digits")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_a_code_and_nothing_shows_them() {
        for good in ["123456", " 123 456\n"] {
            let code: MfaCode = good.parse().unwrap();
            assert_eq!(code.digits(), "123456");
            assert!(!format!("{code:?}").contains('1'));
        }
        for bad in ["", "12345", "1234567", "12345a", "１２３４５６"] {
            let refused = bad.parse::<MfaCode>().unwrap_err();
            assert!(
                bad.is_empty() || !format!("{refused:?}").contains(bad),
                "{refused:?}"
            );
        }
    }
}
