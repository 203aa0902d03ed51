//! Records on disk: what the admin decided (`organization.yaml`, `connections/`, `catalogs/`,
//! `storages/`), and what glueup noted
//! (`state/`, `ledger.jsonl`, `probes.jsonl`, `log/`).
//!
//! A record is one YAML file, fit for review in git. It is written whole or not at all ([`mod@write`]), and never over a
//! change that was made since it was read. A broken file is named with line and mend; the others still load. No
//! secret is ever written.

mod bookmarks;
mod grant;
mod granted;
mod home;
mod jsonl;
pub mod ledger;
pub mod log;
mod mend;
mod probes;
mod read;
mod record;
mod rights;
mod stage;
mod state;
mod store;
#[cfg(test)]
mod tests;
pub mod write;

pub use bookmarks::Bookmark;
pub use grant::{Grant, GrantKind, Holder};
pub use granted::{Catalog, Granted, LeftOver, Storage};
pub use home::{Home, Places};
pub use probes::Probe;
pub use read::Broken;
pub use record::{Connection, Record};
pub use stage::{Stage, stage};
pub use state::{Draft, DraftOf, PublishedTemplate, Subject, Verdict};
pub use store::{Listing, Stored, not_found};
