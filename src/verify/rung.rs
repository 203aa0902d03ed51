//! What a rung is made of: a probe that learns something and changes nothing, and the verdict it comes to.

use super::climb::Climb;
use super::place::{Asked, Place};
use super::report::{Basis, Rung, RungId};
use super::tries::Part;
use crate::cloud::{RefusedBy, Tried, is_access_denied, is_key_refusal, is_lake_formation, parse_denial};
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

    /// True for a rung that asks something of S3, which a storage integration has too.
    fn is_s3(&self) -> bool {
        false
    }

    /// Tries it.
    async fn probe(&self, climb: &Climb) -> Verdict;
}

/// What a probe came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    pub status: Status,
    pub basis: Basis,
    pub answer: String,
    pub caller: Option<String>,
    pub action: Option<String>,
    pub resource: Option<String>,
    pub next: Option<String>,
    pub request_id: Option<String>,
    /// True for a denial: shortly after a change, IAM may not have heard of it yet.
    pub denied: bool,
    /// True where a key of KMS refused: what was asked for is there.
    pub by_key: bool,
    /// Which kind of policy refused, and whether one denies it rather than none allowing it.
    pub by: Option<(RefusedBy, bool)>,
    /// True for a hole, something allowed that should be refused: IAM may not have heard of its closing yet.
    pub open: bool,
    /// What was asked for and did not come out as it should, for whoever looks for the policy behind it.
    pub asked: Vec<Asked>,
    /// The single tries.
    pub parts: Vec<Rung>,
}

impl Verdict {
    fn new(status: Status, answer: impl Into<String>) -> Self {
        Self {
            status,
            basis: Basis::Use,
            answer: answer.into(),
            caller: None,
            action: None,
            resource: None,
            next: None,
            request_id: None,
            denied: false,
            by_key: false,
            by: None,
            open: false,
            asked: Vec::new(),
            parts: Vec::new(),
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
        let by_key = is_key_refusal(problem);
        // A key may also be disabled, which no policy mends and no waiting.
        let lacks_key = by_key
            && detail
                .action
                .as_deref()
                .is_some_and(|action| action.starts_with("kms:"));
        let denied = is_access_denied(problem) || lacks_key;
        let answer = if denied || problem.why.is_empty() {
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
            denied,
            by_key,
            by: denied.then(|| {
                let denial = parse_denial(&problem.why);
                (denial.by, denial.explicit)
            }),
            ..Self::new(Status::Failed, answer)
        }
    }

    /// Not as it should be; what to do about it is said by the single try that failed.
    pub(super) fn failed_for(answer: impl Into<String>) -> Self {
        Self::new(Status::Failed, answer)
    }

    /// A question that AWS did not answer, and what came in between.
    pub(super) fn unproven(problem: &Problem) -> Self {
        let why = if is_lake_formation(problem) {
            "Lake Formation refused, and what it refuses says nothing about the role's policies"
        } else {
            &problem.what
        };
        Self {
            request_id: problem.detail.request_id.clone(),
            ..Self::skipped(format!("not proven: {why}"))
        }
    }

    /// Something that should be refused was tried: what to say where it was allowed and how to close it, and what to
    /// say where it was refused.
    pub(super) fn of_forbidden(tried: &Tried, allowed: &str, next: impl Into<String>, refused: &str) -> Self {
        match tried {
            Tried::Allowed => Self::hole(allowed, next),
            Tried::Refused(problem) => Self {
                request_id: problem.detail.request_id.clone(),
                ..Self::passed(refused)
            },
            Tried::Unclear(problem) => Self::unproven(problem),
        }
    }

    /// Something allowed that should be refused, and how to close it.
    pub(super) fn hole(answer: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            open: true,
            ..Self::failed(answer, next)
        }
    }

    /// True for a failure that a change of a moment ago may explain. What was read is not read again.
    pub(super) fn may_pass(&self) -> bool {
        let tried = |part: &Rung| part.status == Status::Failed && part.basis == Basis::Use;
        self.status == Status::Failed
            && self.basis == Basis::Use
            && (self.denied || self.open)
            && (self.parts.is_empty() || self.parts.iter().any(tried))
    }

    /// The single tries beside the verdict. A verdict that failed takes what it lacks (who, what, where, what next) from
    /// the first try that failed.
    #[must_use]
    pub(super) fn made_of(mut self, parts: Vec<Part>) -> Self {
        if self.status == Status::Failed
            && let Some(Part { verdict: first, .. }) =
                parts.iter().find(|part| part.verdict.status == Status::Failed)
        {
            self.caller = self.caller.or_else(|| first.caller.clone());
            self.action = self.action.or_else(|| first.action.clone());
            self.resource = self.resource.or_else(|| first.resource.clone());
            self.by = self.by.or(first.by);
            self.next = self.next.or_else(|| first.next.clone());
            self.request_id = self.request_id.or_else(|| first.request_id.clone());
        }
        let failed = || parts.iter().filter(|part| part.verdict.status == Status::Failed);
        self.by_key |= failed().any(|part| part.verdict.by_key);
        self.denied |= failed().any(|part| part.verdict.denied);
        self.open |= failed().any(|part| part.verdict.open);
        self.asked
            .extend(failed().flat_map(|part| part.verdict.asked.iter().cloned()));
        self.parts = parts
            .into_iter()
            .map(|part| Rung {
                title: part.title,
                at: part.at,
                ..part.verdict.into_rung(part.of, part.ms)
            })
            .collect();
        self
    }

    /// One more part, which changes nothing of the verdict.
    #[must_use]
    pub(super) fn and(mut self, part: Part) -> Self {
        self.parts.push(Rung {
            title: part.title,
            at: part.at,
            ..part.verdict.into_rung(part.of, part.ms)
        });
        self
    }

    /// Read from what is written down, not tried.
    #[must_use]
    pub(super) fn by_policy(mut self) -> Self {
        self.basis = Basis::Policy;
        self
    }

    /// The call that was made; what AWS has said about it stays.
    #[must_use]
    pub(super) fn of(mut self, caller: Option<String>, action: &str, resource: impl Into<String>) -> Self {
        self.caller = self.caller.or(caller);
        self.action.get_or_insert_with(|| action.to_owned());
        self.resource.get_or_insert_with(|| resource.into());
        self
    }

    /// The same, of a place that has its words; a failure remembers it.
    #[must_use]
    pub(super) fn at(
        mut self,
        climb: &Climb,
        caller: Option<String>,
        action: &'static str,
        place: Place,
    ) -> Self {
        self = self.of(caller, action, place.text(climb));
        if self.status == Status::Failed && self.asked.is_empty() {
            let by = Vec::new();
            self.asked.push(Asked { action, place, by });
        }
        self
    }

    /// The rung of the report.
    pub(super) fn into_rung(self, id: RungId, ms: u64) -> Rung {
        Rung {
            id,
            title: id.title().to_owned(),
            status: self.status,
            basis: self.basis,
            answer: self.answer,
            caller: self.caller,
            action: self.action,
            resource: self.resource,
            ms,
            at: None,
            next: self.next,
            request_id: self.request_id,
            parts: self.parts,
        }
    }
}
