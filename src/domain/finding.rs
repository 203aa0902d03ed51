//! What a check found: how it ended, the answer, and the next step.

use serde::Serialize;

use super::{problem::Problem, status::Status, text};

/// What a check found. Its texts may have several lines, and are clean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How the check ended.
    pub status: Status,
    /// What was seen.
    pub answer: String,
    /// The next step, where there is one to take; a command in it can be pasted.
    pub next: Option<String>,
}

/// One of several checks, and what it found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// A stable word.
    pub id: &'static str,
    /// What is checked, for people.
    pub title: &'static str,
    /// What was found.
    #[serde(flatten)]
    pub finding: Finding,
}

impl Check {
    /// True when one of them failed.
    pub fn any_failed(checks: &[Self]) -> bool {
        checks.iter().any(|check| check.finding.status == Status::Failed)
    }
}

impl Finding {
    /// It holds.
    pub fn passed(answer: impl AsRef<str>) -> Self {
        Self::new(Status::Passed, answer.as_ref(), None)
    }

    /// It holds, with something to know.
    pub fn warning(answer: impl AsRef<str>, next: impl AsRef<str>) -> Self {
        Self::new(Status::Warning, answer.as_ref(), Some(next.as_ref()))
    }

    /// It does not hold.
    pub fn failed(answer: impl AsRef<str>, next: impl AsRef<str>) -> Self {
        Self::new(Status::Failed, answer.as_ref(), Some(next.as_ref()))
    }

    /// It was not tried, for this reason.
    pub fn skipped(why: impl AsRef<str>) -> Self {
        Self::new(Status::Skipped, why.as_ref(), None)
    }

    /// It could not be learned, and what to do about that; `what` stands before it.
    pub fn not_known(what: &str, problem: &Problem) -> Self {
        let answer = format!("{what}not known: {problem}");
        Self::new(Status::Skipped, &answer, Some(&problem.next))
    }

    fn new(status: Status, answer: &str, next: Option<&str>) -> Self {
        let clean = |text: &str| text.lines().map(text::scrub).collect::<Vec<_>>().join("\n");
        Self {
            status,
            answer: clean(answer),
            next: next.map(clean).filter(|next| !next.is_empty()),
        }
    }
}

impl From<&Problem> for Finding {
    /// A problem is a check that failed.
    fn from(problem: &Problem) -> Self {
        Self::failed(problem.to_string(), &problem.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::problem::Kind;

    #[test]
    fn lines_stay_lines_and_nothing_else_steers_the_terminal() {
        let found = Finding::warning("a\u{1b}[2J\nb", "export X=1");
        assert_eq!(found.answer, "a␛[2J\nb");
        assert_eq!(found.next.as_deref(), Some("export X=1"));
        let problem = Problem::new(Kind::Denied, "no", "because", "");
        let found = Finding::from(&problem);
        assert_eq!(
            (found.status, found.answer.as_str()),
            (Status::Failed, "no: because")
        );
        assert_eq!(found.next, None);
    }
}
