//! The CloudFormation templates, judged by cfn-lint.

use crate::support::home::{self, Home};
use crate::support::peers::{self, Peer};
use std::path::Path;

#[test]
fn templates_are_cfn_lint_clean() {
    if !peers::present("templates_are_cfn_lint_clean", &[Peer::CfnLint]) {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let templates: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    assert!(!templates.is_empty());
    let linter = peers::beside_python("cfn-lint").unwrap();
    let lint = |files: &[std::path::PathBuf]| {
        home::run(Home::new().command(&linter.display().to_string()).args(files), "")
    };
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
