//! glueup connects an AWS Glue Data Catalog to the engines that read it, proves the connection, and keeps it proven.
//!
//! The map of the house, from the ground up. A room imports only rooms above it in this list:
//!
//! - [`domain`]: the words, as parsed types; no I/O, no async, no terminal.
//! - [`guard`]: where a panic of outside code on outside data is an answer.
//! - [`policy`]: IAM documents, built, printed and evaluated.
//! - [`registry`]: records on disk: what the admin decided, and what glueup noted.
//! - [`report`]: how work that takes time tells its front how far it is.
//! - [`cloud`]: talking to AWS: credentials, the role chain, clients, errors as Problems.
//! - [`session`]: what all work of one run shares: the records, and the signed-in caller.
//! - [`setup`]: what the admin decides: organization, connections, catalogs.
//! - [`stack`]: CloudFormation templates, quick-create links, deploy and watch.
//! - [`lake`]: Iceberg metadata.
//! - [`browse`]: the databases, tables and schemas of a catalog.
//! - [`verify`]: the ladder of checks that proves a connection.
//! - [`packet`]: one document about a catalog, for whoever has to allow it.
//! - [`doctor`]: whether this machine is fit: the way to AWS, the terminal, the place of the records.
//! - [`job`]: the one door to everything that takes time.
//! - [`cli`]: the headless front. [`tui`]: the terminal front. They never import each other.
//! - [`demo`]: the embedded AWS; the rest of the program reaches it over loopback HTTP only.

pub mod browse;
pub mod cli;
pub mod cloud;
pub mod demo;
pub mod doctor;
pub mod domain;
pub mod guard;
pub mod job;
pub mod lake;
pub mod packet;
pub mod policy;
pub mod registry;
pub mod report;
pub mod session;
pub mod setup;
pub mod stack;
pub mod tui;
pub mod verify;
