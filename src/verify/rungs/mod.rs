//! The rungs, one file each.

mod broker;
mod databases;
mod identity;
mod list;
mod reach;
mod read;
mod role;
mod tables;

pub(super) use broker::Broker;
pub(super) use databases::Databases;
pub(super) use identity::Identity;
pub(super) use list::List;
pub(super) use reach::Reach;
pub(super) use read::Read;
pub(super) use role::Role;
pub(super) use tables::Tables;
