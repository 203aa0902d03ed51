//! CloudFormation templates, quick-create links, deploy and watch.

pub mod cfn;
pub mod link;
pub mod parameters;
mod request;
pub mod template;
#[cfg(test)]
mod tests;

pub use request::{Advice, Outcome, Request, StackEvent, StackState, Target, Update};

use crate::domain::problem::{Kind, Problem};
use crate::report::Reporter;
use crate::session::Session;

/// Does what is asked of this room.
///
/// # Errors
/// Nothing can be asked of it yet.
pub async fn run(_: &Session, _: Request, _: &Reporter<Update>) -> Result<Outcome, Problem> {
    Err(Problem::new(
        Kind::Internal,
        "Stacks cannot be worked on yet.",
        "",
        "",
    ))
}
