//! The rungs, one file each.

mod broker;
mod databases;
mod external_id;
mod identity;
mod list;
mod locations;
mod neighbour;
mod reach;
mod read;
mod rest;
mod role;
mod tables;
mod write;

pub(super) use broker::Broker;
pub(super) use databases::Databases;
pub(super) use external_id::ExternalId;
pub(super) use identity::Identity;
pub(super) use list::List;
pub(super) use locations::{Locations, Tally};
pub(super) use neighbour::Neighbour;
pub(super) use reach::Reach;
pub(super) use read::Read;
pub(super) use rest::Rest;
pub(super) use role::Role;
pub(super) use tables::Tables;
pub(super) use write::Write;
