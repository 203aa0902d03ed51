//! The words, as parsed types: no I/O, no clock, no environment, no async, no terminal.
//!
//! A word's `FromStr` *is* its validator: the form field, the command-line flag and the YAML reader all call it,
//! and all show the same [`invalid::Invalid`].

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod access;
pub mod account;
pub mod amount;
pub mod arn;
pub mod column_type;
pub mod ddl;
pub mod declared;
pub mod external_id;
pub mod finding;
pub mod fqn;
pub mod glue;
pub mod hive_type;
pub mod invalid;
pub mod json_text;
pub mod kind;
pub mod lens;
pub mod mfa_code;
pub mod moment;
pub mod names;
pub mod organization;
pub mod platform;
pub mod problem;
pub mod quote;
pub mod region;
pub mod s3_path;
pub mod schema;
pub mod secrets;
pub mod sides;
pub mod slug;
pub mod stack_name;
pub mod status;
#[cfg(test)]
mod tests;
pub mod text;
mod word;
