//! One integration-test binary: every further binary would link the whole program again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

mod access_points;
mod accounts;
mod adopted;
mod boundary;
mod broken_third;
mod browse;
mod browse_parts;
mod browser;
mod catalog_key;
mod change_sets;
mod change_sets_odd;
mod cli_demo;
mod cli_doctor;
mod cli_journey;
mod cli_ledger;
mod cli_ministack;
mod cli_packet;
mod cli_refusals;
mod cli_values;
mod cloud;
mod cloudformation;
mod credentials;
mod data_file;
mod dead_ends;
mod declared;
mod delta;
mod deploy;
mod earlier;
mod embedded;
mod encryption;
mod harness;
mod hostile;
mod house;
mod hudi;
mod journey;
mod just_made;
mod lake;
mod lens;
mod lens_new_types;
mod link_checked;
mod lists;
mod mfa;
mod moved_grants;
mod mute;
mod names;
mod odd_lake;
mod odd_names;
mod odd_tables;
mod odd_types;
mod outdated;
mod own_rights;
mod partitions;
mod pastes;
mod peers_browse;
mod peers_enforce;
mod peers_moto;
mod peers_spark;
mod peers_templates;
mod prefixes;
mod preflight;
mod profile_files;
mod pty;
mod quote;
mod registry;
mod requests;
mod role_gone;
mod schema_forms;
mod screens;
mod service_role;
mod sessions;
mod setup;
mod setup_care;
mod sign_in;
mod slowed;
mod sso;
mod stack_delete;
mod stack_find;
mod stack_gone;
mod stack_look;
mod stacks;
mod storage;
mod strangers;
mod support;
mod three_ways;
mod tls;
mod verify;
mod verify_breaks;
mod verify_by_policy;
mod verify_limits;
mod verify_mends;
mod verify_platforms;
mod verify_time;
mod walk_stacks;
mod wrong_words;
