//! What a rung is made of: a probe that learns something and changes nothing, and the verdict it comes to.

use super::climb::Climb;
use super::report::{Basis, Rung, RungId};
use crate::cloud::is_access_denied;
use crate::domain::problem::Problem;
use crate::domain::status::Status;
use async_trait::async_trait;

/// One rung of the ladder.
#[async_trait]
pub(super) trait Probe: Sync {
    /// Which rung it is.
    fn id(&self) -> RungId;

    /// The rungs that must hold before this one can be tried.
    fn needs(&self) -> &'static [RungId] {
        &[]
    }

    /// The rungs whose findings are used, whatever their verdict.
    fn after(&self) -> &'static [RungId] {
        &[]
    }

    /// True for a rung of the trust chain, which a connection without a catalog has too.
    fn is_trust(&self) -> bool {
        false
    }

    /// Tries it.
    async fn probe(&self, climb: &Climb) -> Verdict;
}

/// What a probe came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    pub status: Status,
    pub answer: String,
    pub caller: Option<String>,
    pub action: Option<String>,
    pub resource: Option<String>,
    pub next: Option<String>,
    pub request_id: Option<String>,
    /// True for a denial: shortly after a change, IAM may not have heard of it yet.
    pub denied: bool,
}

impl Verdict {
    fn new(status: Status, answer: impl Into<String>) -> Self {
        Self {
            status,
            answer: answer.into(),
            caller: None,
            action: None,
            resource: None,
            next: None,
            request_id: None,
            denied: false,
        }
    }

    /// As it should be.
    pub(super) fn passed(answer: impl Into<String>) -> Self {
        Self::new(Status::Passed, answer)
    }

    /// Works, with a word of caution and what to do about it.
    pub(super) fn warning(answer: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            next: Some(next.into()),
            ..Self::new(Status::Warning, answer)
        }
    }

    /// Not as it should be, and what to do about it.
    pub(super) fn failed(answer: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            next: Some(next.into()),
            ..Self::new(Status::Failed, answer)
        }
    }

    /// Not tried, and why.
    pub(super) fn skipped(answer: impl Into<String>) -> Self {
        Self::new(Status::Skipped, answer)
    }

    /// A call that failed.
    pub(super) fn refused(problem: &Problem) -> Self {
        let detail = &problem.detail;
        let answer = if is_access_denied(problem) || problem.why.is_empty() {
            problem.what.clone()
        } else {
            format!("{}: {}", problem.what, problem.why)
        };
        Self {
            next: Some(problem.next.clone()).filter(|next| !next.is_empty()),
            caller: detail.caller.clone(),
            action: detail.action.clone(),
            resource: detail.resource.clone(),
            request_id: detail.request_id.clone(),
            denied: is_access_denied(problem),
            ..Self::new(Status::Failed, answer)
        }
    }

    /// The call that was made; what AWS has said about it stays.
    #[must_use]
    pub(super) fn of(mut self, caller: Option<String>, action: &str, resource: impl Into<String>) -> Self {
        self.caller = self.caller.or(caller);
        self.action.get_or_insert_with(|| action.to_owned());
        self.resource.get_or_insert_with(|| resource.into());
        self
    }

    /// The rung of the report.
    pub(super) fn into_rung(self, id: RungId, ms: u64) -> Rung {
        Rung {
            id,
            title: id.title().to_owned(),
            status: self.status,
            basis: Basis::Use,
            answer: self.answer,
            caller: self.caller,
            action: self.action,
            resource: self.resource,
            ms,
            next: self.next,
            request_id: self.request_id,
            parts: Vec::new(),
        }
    }
}
