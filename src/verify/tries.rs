//! A rung that tries several things: the single tries, and what they come to together.

use super::climb::now_moment;
use super::report::{Basis, RungId};
use super::rung::Verdict;
use crate::domain::access::Access;
use crate::domain::moment::Moment;
use crate::domain::status::Status;
use crate::registry::Grant;
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
    /// When it was answered, by this machine's clock; `None` where nothing was tried.
    pub at: Option<Moment>,
}

impl Part {
    /// Tries something and takes its time. Several tries are held side by side, and a call of the SDK is a large future: each
    /// keeps its own on the heap.
    pub(super) fn of(
        of: RungId,
        title: impl Into<String>,
        probe: impl Future<Output = Verdict>,
    ) -> impl Future<Output = Self> {
        let (title, probe) = (title.into(), Box::pin(probe));
        async move {
            let begun = Instant::now();
            let verdict = probe.await;
            Self {
                of,
                title,
                verdict,
                ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
                at: Some(now_moment()),
            }
        }
    }

    /// Something that was judged without a call of its own.
    pub(super) fn judged(of: RungId, title: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            of,
            title: title.into(),
            verdict,
            ms: 0,
            at: None,
        }
    }

    /// Something that was not tried, and why.
    pub(super) fn skipped(of: RungId, title: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            of,
            title: title.into(),
            verdict: Verdict::skipped(why),
            ms: 0,
            at: None,
        }
    }
}

/// Some tries by how they ended, and what they come to together: the same for what was tried and for what was judged by
/// policy, and each says which it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Basics {
    failed: String,
    /// As they should be, by use.
    tried: String,
    /// As they should be, by policy.
    judged: String,
    skipped: String,
    /// Why the first of them came to nothing.
    why: Option<String>,
    by_policy: bool,
}

/// The first of them: a sentence that goes on for a page is not read, and all of them stand below it.
fn some(titles: &[&str]) -> String {
    const NAMED: usize = 6;
    let shown: Vec<&str> = titles.iter().take(NAMED).copied().collect();
    match titles.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        1 => titles.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

impl Basics {
    /// Sorts them.
    pub(super) fn of(parts: &[Part]) -> Self {
        let all = |held: &dyn Fn(&Part) -> bool| -> Vec<&str> {
            let of = parts.iter().filter(|part| held(part));
            of.map(|part| part.title.as_str()).collect()
        };
        let titles = |held: &dyn Fn(&Part) -> bool| some(&all(held));
        let passed =
            |basis| titles(&|part| part.verdict.status == Status::Passed && part.verdict.basis == basis);
        Self {
            failed: titles(&|part| part.verdict.status == Status::Failed),
            tried: passed(Basis::Use),
            judged: passed(Basis::Policy),
            skipped: titles(&|part| part.verdict.status == Status::Skipped),
            why: parts.first().map(|part| part.verdict.answer.clone()),
            by_policy: !parts
                .iter()
                .any(|part| part.verdict.basis == Basis::Use && part.verdict.status != Status::Skipped),
        }
    }

    /// What of them is as it should be, in these words (`Refused`, `Allowed`), each behind what it rests on; `None` where
    /// nothing is.
    fn held(&self, word: &str, so: &str) -> Option<String> {
        let mut text = match (self.tried.as_str(), self.judged.as_str()) {
            ("", "") => return None,
            (tried, "") => format!("{word}{so}: {tried}"),
            ("", judged) => format!("Would be {}{so}: {judged}", word.to_lowercase()),
            (tried, judged) => format!("{word}{so}: {tried}; by policy: {judged}"),
        };
        if !self.skipped.is_empty() {
            text.push_str(&format!("; not proven: {}", self.skipped));
        }
        Some(text)
    }

    /// The verdict where all must be allowed.
    pub(super) fn allowed(&self, failed: &str) -> Verdict {
        if !self.failed.is_empty() {
            return Verdict::failed_for(format!("{failed}: {}", self.failed));
        }
        self.settled(self.held("Allowed", ""))
    }

    /// The verdict on what writes, against what a grant asks for.
    pub(super) fn writes(&self, grant: &Grant) -> Verdict {
        let what = grant.holder.noun();
        if grant.access == Access::ReadWrite {
            let verb = if self.by_policy {
                "refused would be"
            } else {
                "refused is"
            };
            return self.allowed(&format!("The {what} is read-write, but {verb}"));
        }
        if !self.failed.is_empty() {
            return Verdict::failed_for(format!(
                "The {what} is read-only, but the role may do more: {}",
                self.failed
            ));
        }
        self.settled(self.held("Refused", ", as asked"))
    }

    /// The verdict on what lies beside a grant.
    pub(super) fn neighbours(&self) -> Verdict {
        if !self.failed.is_empty() {
            return Verdict::failed_for(format!("The role reaches beyond what was asked: {}", self.failed));
        }
        self.refused()
    }

    /// The verdict on what must be refused, where nothing of it was allowed.
    pub(super) fn refused(&self) -> Verdict {
        self.settled(self.held("Refused", ", as it should be"))
    }

    /// Where nothing came to an answer, why the first did not.
    fn settled(&self, held: Option<String>) -> Verdict {
        match held {
            Some(text) => Verdict::passed(text),
            None => Verdict::skipped(self.why.clone().unwrap_or_default()),
        }
    }
}
