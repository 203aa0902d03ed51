//! The CloudFormation templates, judged by others: their form by cfn-lint, what they grant by an evaluator of policies
//! that is not ours.

use crate::support::demo::Demo;
use crate::support::home::{self, Home, Ran};
use crate::support::peers::{self, Peer};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("templates")
}

#[test]
fn templates_are_cfn_lint_clean() {
    if !peers::present("templates_are_cfn_lint_clean", &[Peer::CfnLint]) {
        return;
    }
    let templates: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    assert!(!templates.is_empty());
    let linter = peers::beside_python("cfn-lint").unwrap();
    let lint =
        |files: &[PathBuf]| home::run(Home::new().command(&linter.display().to_string()).args(files), "");
    lint(&templates).ok();

    // and it does look: a template that names what is not there is refused
    let broken = Home::new();
    let file = broken.path().join("broken.yaml");
    std::fs::write(
        &file,
        "Resources: {R: {Type: AWS::IAM::Role, Properties: {RoleName: !Ref Absent}}}",
    )
    .unwrap();
    let said = lint(&[file]);
    assert_ne!(said.code, Some(0));
    assert!(said.stdout.contains("Absent"), "{}", said.stdout);
}

/// Runs the script that deploys the templates and tries what they grant, as the administrator of `home`'s AWS.
fn judge(home: &Home) {
    let ran: Ran = peers::script(home, "templates.py", &[&folder().display().to_string()]).ok();
    for line in [
        "ok: read-write: create a table: allowed",
        "ok: storage, read-write: put an object: allowed",
        "ok: storage, read-write: read a table: AccessDenied",
    ] {
        assert!(ran.stdout.contains(line), "no {line} in {}", ran.stdout);
    }
}

#[test]
fn templates_grant_what_they_say_on_ministack() {
    if peers::present(
        "templates_grant_what_they_say_on_ministack",
        &[Peer::Ministack, Peer::Boto3],
    ) {
        judge(&peers::Emulator::ministack("012345678901").home());
    }
}

#[test]
fn templates_grant_what_they_say_on_the_embedded_aws() {
    if peers::present(
        "templates_grant_what_they_say_on_the_embedded_aws",
        &[Peer::Boto3],
    ) {
        judge(&Demo::start(&[]).home());
    }
}

/// Runs the script that uses change sets as a deployer's own would.
fn change_sets(home: &Home) {
    let ran: Ran = peers::script(home, "change_sets.py", &[&folder().display().to_string()]).ok();
    assert!(
        ran.stdout.contains("ok: another path replaces it"),
        "{}",
        ran.stdout
    );
}

#[test]
fn change_sets_work_by_boto3_on_the_embedded_aws() {
    if peers::present("change_sets_work_by_boto3_on_the_embedded_aws", &[Peer::Boto3]) {
        change_sets(&Demo::start(&[]).home());
    }
}

#[test]
fn change_sets_work_by_boto3_on_ministack() {
    let test = "change_sets_work_by_boto3_on_ministack";
    if peers::present(test, &[Peer::Ministack, Peer::Boto3]) {
        change_sets(&peers::Emulator::ministack("012345678901").home());
    }
}
