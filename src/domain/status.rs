//! How a check ended, the same for a rung and for a whole ladder.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It holds.
    Passed,
    /// It holds, with something to know.
    Warning,
    /// It does not hold.
    Failed,
    /// It was not tried.
    Skipped,
}

impl Status {
    /// The word of the contract: `passed`, `warning`, `failed`, `skipped`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Warning => "warning",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_the_same_on_screen_and_in_json() {
        for status in [Status::Passed, Status::Warning, Status::Failed, Status::Skipped] {
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
    }
}
