//! The ladder of checks that proves a connection: proof by use, never by hope.

mod report;

pub use crate::domain::status::Status;
pub use report::{Basis, Report, Rung, RungId};

use crate::domain::names::{CatalogName, ConnectionName};

/// Whose ladder is climbed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// All rungs of a catalog.
    Catalog(CatalogName),
    /// A connection's ladder: it ends with the trust rungs.
    Connection(ConnectionName),
}

/// What Verify tells while it climbs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// The rungs that will be tried, in order.
    Planned(Vec<RungId>),
    /// A rung has begun.
    Started(RungId),
    /// A rung was denied shortly after its stack changed: IAM may still be spreading; the next try comes in `seconds`.
    Spreading {
        /// Which rung.
        rung: RungId,
        /// Seconds until the next try.
        seconds: u64,
    },
    /// A rung has ended. Verdicts come in the ladder's order.
    Finished(Rung),
}

/// Does what is asked of this room.
///
/// # Errors
/// Nothing can be asked of it yet.
pub async fn run(
    _: &crate::session::Session,
    _: Request,
    _: &crate::report::Reporter<Update>,
) -> Result<Report, crate::domain::problem::Problem> {
    Err(crate::domain::problem::Problem::interrupted())
}
