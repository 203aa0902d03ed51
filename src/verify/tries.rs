//! A rung that tries several things: the single tries, and what they come to together.

use super::report::RungId;
use super::rung::Verdict;
use crate::domain::status::Status;
use std::time::Instant;

/// One of several tries of a rung.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// The rung it belongs to.
    pub of: RungId,
    /// What was tried.
    pub title: String,
    /// What it came to.
    pub verdict: Verdict,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

impl Part {
    /// Tries something and takes its time.
    pub(super) async fn of(
        of: RungId,
        title: impl Into<String>,
        probe: impl Future<Output = Verdict>,
    ) -> Self {
        let begun = Instant::now();
        let verdict = probe.await;
        Self {
            of,
            title: title.into(),
            verdict,
            ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Something that was judged without a call of its own.
    pub(super) fn judged(of: RungId, title: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            of,
            title: title.into(),
            verdict,
            ms: 0,
        }
    }

    /// Something that was not tried, and why.
    pub(super) fn skipped(of: RungId, title: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            of,
            title: title.into(),
            verdict: Verdict::skipped(why),
            ms: 0,
        }
    }
}

/// The titles of some tries, by how they ended, each as a list for a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Titles {
    pub failed: String,
    pub passed: String,
    skipped: String,
}

impl Titles {
    /// Sorts them.
    pub(super) fn of(parts: &[Part]) -> Self {
        let ended = |status| {
            let of = parts.iter().filter(|part| part.verdict.status == status);
            of.map(|part| part.title.as_str()).collect::<Vec<_>>().join(", ")
        };
        Self {
            failed: ended(Status::Failed),
            passed: ended(Status::Passed),
            skipped: ended(Status::Skipped),
        }
    }

    /// What passed, and behind it what stays open.
    pub(super) fn proven(&self) -> String {
        if self.skipped.is_empty() {
            self.passed.clone()
        } else {
            format!("{}; not proven: {}", self.passed, self.skipped)
        }
    }
}
