//! All that binds a principal, put together.

use super::context::Context;
use super::document::Document;
use super::evaluate::{Decision, Evaluation, evaluate};
use std::fmt;

/// The policies of a principal.
#[derive(Clone, Debug, Default)]
pub struct Policies<'a> {
    /// Its own: inline and attached.
    pub identity: Vec<&'a Document>,
    /// What it can be allowed at most.
    pub boundary: Option<&'a Document>,
    /// What its session can be allowed at most: the policies of the session together.
    pub session: Option<Vec<&'a Document>>,
    /// Whether the policy of the resource names the principal in the same account, which makes an Allow of its own
    /// policies unnecessary.
    pub named_by_resource: bool,
}

/// Which kind of policy refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The principal's own policies.
    Identity,
    /// Its permissions boundary.
    Boundary,
    /// Its session policy.
    Session,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// Which kind of policy refused.
    pub source: Source,
    /// A statement denies it; else none allows it.
    pub explicit: bool,
    /// What that kind of policy answered.
    pub evaluation: Evaluation,
}

/// The reason as AWS ends its sentence: `because no … allows the X action`. The action is put in by
/// [`Denial::sentence`].
impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, none) = match self.source {
            Source::Identity => ("an identity-based policy", "no identity-based policy"),
            Source::Boundary => ("a permissions boundary", "no permissions boundary"),
            Source::Session => ("a session policy", "no session policy"),
        };
        if self.explicit {
            write!(f, "with an explicit deny in {one}")
        } else {
            write!(f, "because {none} allows")
        }
    }
}

impl Denial {
    /// The whole sentence, as AWS writes it ("Troubleshoot access denied error messages", IAM User Guide).
    pub fn sentence(&self, caller_arn: &str, action: &str, resource: &str) -> String {
        let front = not_authorized(caller_arn, action, resource);
        if self.explicit {
            format!("{front} {self}")
        } else {
            format!("{front} {self} the {action} action")
        }
    }
}

/// The sentence without a reason, which AWS writes where the reason is none of the caller's business.
pub fn not_authorized(caller_arn: &str, action: &str, resource: &str) -> String {
    format!("User: {caller_arn} is not authorized to perform: {action} on resource: {resource}")
}

/// Decides: an explicit deny anywhere wins, then each kind of policy that is there must allow.
pub fn authorize(
    policies: &Policies<'_>,
    action: &str,
    resource: &str,
    context: &Context,
) -> Result<(), Denial> {
    let boundary: Vec<&Document> = policies.boundary.into_iter().collect();
    let kinds = [
        (
            Source::Identity,
            policies.identity.as_slice(),
            !policies.named_by_resource,
        ),
        (Source::Boundary, boundary.as_slice(), policies.boundary.is_some()),
        (
            Source::Session,
            policies.session.as_deref().unwrap_or_default(),
            policies.session.is_some(),
        ),
    ];
    let answers = kinds.map(|(source, documents, needed)| {
        (
            source,
            needed,
            evaluate(documents, None, action, resource, context),
        )
    });
    let denial = |explicit: bool| {
        move |(source, _, evaluation): (Source, bool, Evaluation)| Denial {
            source,
            explicit,
            evaluation,
        }
    };
    let denied = answers
        .iter()
        .find(|(_, _, answer)| answer.decision == Decision::ExplicitDeny)
        .cloned();
    if let Some(denied) = denied {
        return Err(denial(true)(denied));
    }
    let missing = answers
        .into_iter()
        .find(|(_, needed, answer)| *needed && answer.decision != Decision::Allow);
    missing.map_or(Ok(()), |missing| Err(denial(false)(missing)))
}
