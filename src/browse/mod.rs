//! The databases, tables and schemas of a catalog.

mod request;

pub use request::{DatabaseRow, Outcome, Request, TableRow, Update};

/// Does what is asked of this room.
///
/// # Errors
/// Nothing can be asked of it yet.
pub async fn run(
    _: &crate::session::Session,
    _: Request,
    _: &crate::report::Reporter<Update>,
) -> Result<Outcome, crate::domain::problem::Problem> {
    Err(crate::domain::problem::Problem::interrupted())
}
