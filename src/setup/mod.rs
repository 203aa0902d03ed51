//! What the admin decides: the organization, connections, catalogs and storage
//! integrations, made, changed and deleted under the house's rules.

pub mod catalog;
pub mod connection;
pub mod grant;
mod names;
mod organization;
mod overview;
pub mod past;
mod point;
pub mod random;
mod request;
pub mod rules;
pub mod seen;
pub mod storage;
pub mod trust;
mod who;

pub use point::PointGiven;
pub use request::{
    CatalogRow, ConnectionRow, GrantRow, NewCatalog, NewConnection, NewOrganization, NewStorage, Outcome,
    Overview, Request, StorageRow,
};

use crate::domain::problem::Problem;
use crate::session::Session;

/// Does one piece of work on the records.
///
/// # Errors
/// As the file of each request says; what the house's rules forbid is `Denied` or `Usage`.
pub async fn run(session: &Session, request: Request) -> Result<Outcome, Problem> {
    match request {
        Request::Overview => overview::run(session).await,
        Request::Init(new) => organization::init(session, new).await,
        Request::AddConnection(new) => connection::add(session, *new).await,
        Request::SetConnection(new) => connection::set(session, *new).await,
        Request::DeleteConnection(name) => connection::delete(session, &name).await,
        Request::AddCatalog(new) => catalog::add(session, new).await,
        Request::SetCatalog(new) => catalog::set(session, new).await,
        Request::DeleteCatalog(name) => catalog::delete(session, &name).await,
        Request::AddStorage(new) => storage::add(session, new).await,
        Request::SetStorage(new) => storage::set(session, new).await,
        Request::DeleteStorage(name) => storage::delete(session, &name).await,
        Request::SaveDraft(draft) => session.home.note_draft(&draft).map(|()| Outcome::Draft),
        Request::TurnBookmark(bookmark) => session.home.turn_bookmark(bookmark).map(Outcome::Bookmarks),
        Request::DropDraft(of) => session.home.forget_draft(&of).map(|()| Outcome::Draft),
    }
}
