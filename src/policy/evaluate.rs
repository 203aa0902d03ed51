//! Evaluation of documents for one request.

use super::context::Context;
use super::document::Document;
use super::statement::{Effect, Meets};

/// What some documents say about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A statement allows it, and none denies it.
    Allow,
    /// A statement denies it.
    ExplicitDeny,
    /// No statement speaks of it.
    NoMatch,
}

/// The caller, as trust policies know it.
#[derive(Clone, Copy, Debug)]
pub struct Caller<'a> {
    /// ARN of the user, of the role's session, or of the account's root.
    pub arn: &'a str,
    /// The same, but for a session its role's ARN, path included.
    pub principal_arn: &'a str,
    /// Account id.
    pub account: &'a str,
}

/// Which statement decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementRef {
    /// Place of the document in the list that was asked.
    pub document: usize,
    /// Place of the statement in the document.
    pub index: usize,
    /// Its `Sid`.
    pub sid: Option<String>,
}

/// The answer, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The answer.
    pub decision: Decision,
    /// The statement that decided.
    pub statement: Option<StatementRef>,
    /// Trust policies: whether the statement that allows names the caller (or everyone), rather than its account. In
    /// the same account a name suffices; an account leaves the decision to its own policies.
    pub by_name: bool,
    /// Condition operators that were met and are not known. Where there are any, the answer is a careful one.
    pub unknown_operators: Vec<String>,
}

/// Asks documents about a request. `caller` is given for trust policies and not for identity policies.
pub fn evaluate(
    documents: &[&Document],
    caller: Option<&Caller<'_>>,
    action: &str,
    resource: &str,
    context: &Context,
) -> Evaluation {
    let mut answer = Evaluation {
        decision: Decision::NoMatch,
        statement: None,
        by_name: false,
        unknown_operators: Vec::new(),
    };
    for (document, read) in documents.iter().enumerate() {
        for (index, statement) in read.statements.iter().enumerate() {
            let Some(effect) = statement.effect else { continue };
            let meets = statement.meets(caller);
            let matches = meets != Meets::No
                && statement.has_action(action)
                && statement.has_resource(resource, read.variables, context)
                && statement.conditions_hold(read.variables, context, &mut answer.unknown_operators);
            if !matches {
                continue;
            }
            let decided = StatementRef {
                document,
                index,
                sid: statement.sid.clone(),
            };
            match effect {
                Effect::Deny => {
                    answer.decision = Decision::ExplicitDeny;
                    answer.statement = Some(decided);
                    return answer;
                }
                Effect::Allow => {
                    let by_name = meets == Meets::ByName;
                    if answer.decision == Decision::NoMatch || (by_name && !answer.by_name) {
                        answer.statement = Some(decided);
                        answer.by_name = by_name;
                    }
                    answer.decision = Decision::Allow;
                }
            }
        }
    }
    answer
}
