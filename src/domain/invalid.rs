//! The one error of all words: which part is wrong, why, and what it should look like.

use std::fmt;

use super::text;

/// A text that is not the word it was given as.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Invalid {
    /// Which part is wrong, in the user's words: `account ID`, `S3 bucket`.
    pub part: &'static str,
    /// What was given, made safe to show; empty when nothing was given.
    pub given: String,
    /// Why it is refused: a verb phrase that follows the given text (`has 11 digits`).
    pub why: String,
    /// What it should look like: a noun phrase (`12 digits, such as 012345678901`).
    pub expected: String,
}

impl Invalid {
    /// Builds the error. All its texts are scrubbed, since a reason may quote what was given; `given` is cut as well.
    pub fn new(part: &'static str, given: &str, why: impl AsRef<str>, expected: impl AsRef<str>) -> Self {
        Self {
            part,
            given: text::cut(&text::scrub(given), 80),
            why: text::scrub(why.as_ref()),
            expected: text::scrub(expected.as_ref()),
        }
    }

    /// The same, for a value that is missing altogether.
    pub fn empty(part: &'static str, expected: impl AsRef<str>) -> Self {
        Self::new(part, "", "is empty", expected)
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.given.is_empty() {
            write!(f, "{} {}. Expected: {}", self.part, self.why, self.expected)
        } else {
            write!(
                f,
                "{} \"{}\" {}. Expected: {}",
                self.part, self.given, self.why, self.expected
            )
        }
    }
}

impl std::error::Error for Invalid {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_message_names_part_reason_and_shape() {
        let error = Invalid::new("account ID", "123", "has 3 digits", "12 digits");
        assert_eq!(
            error.to_string(),
            "account ID \"123\" has 3 digits. Expected: 12 digits"
        );
        let error = Invalid::empty("account ID", "12 digits");
        assert_eq!(error.to_string(), "account ID is empty. Expected: 12 digits");
    }

    #[test]
    fn what_was_given_is_safe_to_show() {
        let error = Invalid::new("name", "a\u{1b}[2Jb", "is wrong", "a name");
        assert!(!error.to_string().contains('\u{1b}'));
    }
}
