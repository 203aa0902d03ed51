use super::*;

fn why(file: &str, text: &str) -> Vec<String> {
    check(file, text).into_iter().map(|b| b.why).collect()
}

#[track_caller]
fn refused(file: &str, text: &str, part: &str) {
    let why = why(file, text);
    assert!(
        why.iter().any(|w| w.contains(part)),
        "{file}: {text}\nsays {why:?}, not {part:?}"
    );
}

#[track_caller]
fn fine(file: &str, text: &str) {
    assert_eq!(why(file, text), Vec::<String>::new(), "{file}: {text}");
}

#[test]
fn domain_imports_nothing_of_ours() {
    for room in ORDER
        .iter()
        .chain(FRONTS)
        .chain(&["demo"])
        .filter(|r| **r != "domain")
    {
        refused(
            "src/domain/arn.rs",
            &format!("use crate::{room}::x;"),
            "`domain` may not import",
        );
        refused(
            "src/domain/arn.rs",
            &format!("fn f() {{ super::super::{room}::x() }}"),
            "`domain` may not import",
        );
    }
    fine(
        "src/domain/arn.rs",
        "use crate::domain::region::Region; use super::text;",
    );
}

#[test]
fn the_fronts_never_meet() {
    refused(
        "src/cli/ls.rs",
        "use crate::{domain::fqn::Fqn, tui::theme};",
        "`cli` may not import `tui::theme`",
    );
    refused(
        "src/tui/update.rs",
        "use crate::cli::Args;",
        "`tui` may not import `cli::Args`",
    );
    refused("src/job.rs", "use crate::tui::Msg;", "`job` may not import");
    refused(
        "src/verify/rungs.rs",
        "use crate::cli::print;",
        "`verify` may not import",
    );
}

#[test]
fn the_order_is_the_one_of_the_map() {
    let map = include_str!("../../../../src/lib.rs");
    let listed = regex::Regex::new(r"(?:- |\. )\[`(\w+)`\]: ").unwrap();
    let listed: Vec<&str> = listed
        .captures_iter(map)
        .map(|c| c.get(1).unwrap().as_str())
        .collect();
    assert_eq!(listed, [ORDER, FRONTS, &["demo"]].concat());
}

#[test]
fn imports_go_downwards() {
    refused(
        "src/cloud/mod.rs",
        "use crate::stack::deploy;",
        "`cloud` may not import",
    );
    refused(
        "src/policy/mod.rs",
        "use crate::registry::x;",
        "`policy` may not import",
    );
    refused(
        "src/browse/mod.rs",
        "use crate::verify::x;",
        "`browse` may not import",
    );
    refused(
        "src/stack/mod.rs",
        "use crate::job::Job;",
        "`stack` may not import",
    );
    fine(
        "src/verify/mod.rs",
        "use crate::cloud::chain; use crate::domain::problem::Problem;",
    );
}

#[test]
fn the_embedded_aws_is_reached_over_http_only() {
    refused(
        "src/cloud/mod.rs",
        "use crate::demo::start;",
        "`cloud` may not import `demo::start`",
    );
    refused(
        "src/tui/runtime.rs",
        "fn f() { crate::demo::start() }",
        "`tui` may not import",
    );
    refused("src/cli/ls.rs", "use crate::demo::World;", "`cli` may not import");
    fine("src/cli/demo.rs", "use crate::demo::start;");
    fine(
        "src/main.rs",
        "use glueup::demo; fn main() { glueup::demo::start() }",
    );
    fine("src/cloud/tests.rs", "use crate::demo::start;");
    fine(
        "src/cloud/mod.rs",
        "#[cfg(test)] mod tests { use crate::demo::start; }",
    );
    refused(
        "src/domain/mod.rs",
        "#[cfg(test)] mod tests { use crate::demo::start; }",
        "`domain` may not import",
    );
}

#[test]
fn the_embedded_aws_knows_only_words_policies_and_templates() {
    fine(
        "src/demo/cfn.rs",
        "use crate::{domain::arn, policy::evaluate, stack::cfn::parse};",
    );
    refused(
        "src/demo/cfn.rs",
        "use crate::stack::deploy::run;",
        "`demo` may not import `stack::deploy::run`",
    );
    refused(
        "src/demo/s3.rs",
        "use crate::cloud::errors;",
        "`demo` may not import",
    );
    refused(
        "src/demo/glue.rs",
        "use crate::registry::home;",
        "`demo` may not import",
    );
    refused(
        "src/demo/glue.rs",
        "use aws_sdk_glue::types::Table;",
        "may not name the crate `aws_sdk_glue`",
    );
    fine(
        "src/demo/sign.rs",
        "use aws_sigv4::http_request::sign; use s3s::S3;",
    );
}

#[test]
fn only_cloud_and_lake_name_the_sdk() {
    for room in [
        "domain", "policy", "registry", "stack", "browse", "verify", "cli", "tui",
    ] {
        refused(
            &format!("src/{room}/mod.rs"),
            "fn f(c: aws_sdk_glue::Client) {}",
            "may not name the crate",
        );
    }
    refused(
        "src/job.rs",
        "use aws_config::SdkConfig;",
        "may not name the crate",
    );
    refused("src/cli/mod.rs", "use s3s::S3;", "may not name the crate `s3s`");
    fine("src/cloud/glue.rs", "use aws_sdk_glue::Client;");
    fine("src/lake/store.rs", "use aws_sdk_s3::Client;");
}

#[test]
fn only_the_terminal_front_names_the_terminal() {
    for name in ["ratatui", "crossterm", "tui_input"] {
        refused(
            "src/cli/ls.rs",
            &format!("use {name}::x;"),
            "may not name the crate",
        );
        refused(
            "src/domain/text.rs",
            &format!("fn f() {{ {name}::g() }}"),
            "may not name the crate",
        );
    }
    fine(
        "src/tui/runtime.rs",
        "use crossterm::event::Event; use ratatui::Frame;",
    );
    refused(
        "src/registry/mod.rs",
        "use clap::Parser;",
        "may not name the crate `clap`",
    );
}

#[test]
fn pure_parts_name_no_crate_that_waits_or_reads() {
    for file in [
        "src/domain/arn.rs",
        "src/tui/update.rs",
        "src/tui/update/deploy.rs",
        "src/tui/view/home.rs",
    ] {
        refused(file, "use tokio::sync::mpsc;", "only computes");
    }
    fine("src/tui/runtime.rs", "use tokio::sync::mpsc;");
}

#[test]
fn roots_and_unknown_rooms_are_refused() {
    refused("src/cli/mod.rs", "use crate::*;", "everything is imported");
    refused("src/cli/mod.rs", "use crate as c;", "as a whole");
    refused("src/cli/ls.rs", "use super::super::*;", "everything is imported");
    refused("src/misc/mod.rs", "fn f() {}", "`misc` has no place");
}
