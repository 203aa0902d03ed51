//! IAM documents: read once, checked as IAM checks them, and evaluated.
//!
//! [`Document`] is one policy, of whatever kind. [`evaluate()`] asks some of them about one request and says which
//! statement decided. [`authorize`] puts together what binds a principal (its own policies, its permissions boundary,
//! its session policy) and words a refusal as AWS does.
//!
//! The rules are those of the IAM User Guide, "Policy evaluation logic" and "IAM JSON policy elements". What is not
//! understood never allows: a condition operator that is not known keeps an Allow from matching, lets a Deny match,
//! and is named in the [`Evaluation`].

mod condition;
mod context;
mod document;
mod evaluate;
mod gate;
mod opening;
mod pattern;
mod statement;
#[cfg(test)]
mod tests;
mod without;

pub use context::Context;
pub use document::{Document, Kind, PolicyError, check};
pub use evaluate::{Caller, Decision, Evaluation, StatementRef, evaluate};
pub use gate::{Denial, Policies, Source, authorize, not_authorized};
pub use opening::Opening;
pub use without::{Right, Without};
