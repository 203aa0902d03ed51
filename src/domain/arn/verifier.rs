//! Who may assume a connection's role in order to verify it, as somebody gives it: a principal, or `me`.

use std::str::FromStr;

use super::PrincipalArn;
use crate::domain::invalid::Invalid;

/// A verifier as given; who `me` is, is known once somebody has signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verifier {
    /// Whoever is signed in.
    Me,
    /// A principal by name.
    Principal(PrincipalArn),
}

impl FromStr for Verifier {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        if given.trim().eq_ignore_ascii_case("me") {
            return Ok(Self::Me);
        }
        match given.parse::<PrincipalArn>() {
            // Whoever may ask in the name of a whole account is nobody in particular.
            Ok(principal) if principal.is_root() => Err(Invalid::new(
                "verifier",
                given,
                "is a whole account: everybody in it whose own policies allow it",
                "me, or the ARN of one role, user or session",
            )),
            Ok(principal) => Ok(Self::Principal(principal)),
            Err(invalid) => Err(Invalid {
                part: "verifier",
                expected: format!("me, or {}", invalid.expected),
                ..invalid
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn me_a_principal_and_nobody_in_particular() {
        assert_eq!("Me ".parse(), Ok(Verifier::Me));
        let arn = "arn:aws:sts::012345678901:assumed-role/Admin/ann";
        assert_eq!(arn.parse(), Ok(Verifier::Principal(arn.parse().unwrap())));
        for wrong in ["", "you", "*", "arn:aws:iam::012345678901:root"] {
            let invalid = wrong.parse::<Verifier>().unwrap_err();
            assert!(invalid.expected.starts_with("me, or "), "{invalid:?}");
        }
    }
}
