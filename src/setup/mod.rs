//! What the admin decides: the organization, connections and catalogs, made, changed and deleted under the house's rules.

mod request;

pub use request::{
    CatalogRow, ConnectionRow, NewCatalog, NewConnection, NewOrganization, Outcome, Overview, Request,
};

/// Does what is asked of this room.
///
/// # Errors
/// Nothing can be asked of it yet.
pub async fn run(
    _: &crate::session::Session,
    _: Request,
) -> Result<Outcome, crate::domain::problem::Problem> {
    Err(crate::domain::problem::Problem::interrupted())
}
