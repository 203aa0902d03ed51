//! Killed while CloudFormation is at work: what has begun there goes on, and the next start shows it.

use super::*;
use crate::support::home::GLUEUP;
use crate::support::term::{Term, key};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// `glueup deploy`, killed once a resource is being made.
fn killed_at_work(scene: &Scene, [owner, name]: [&str; 2], resource: &str) {
    let mut child = scene
        .home
        .command(GLUEUP)
        .args(["deploy", owner, name, "--yes", "--output", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let begun = |line: &String| line.contains(resource) && line.contains("CREATE_IN_PROGRESS");
    lines.into_iter().find(begun).expect("the resource is begun");
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "killed");
}

#[test]
fn a_killed_deploy_goes_on_and_both_fronts_show_the_true_state() {
    let scene = Scene::start();
    killed_at_work(&scene, CONNECTION, "ConnectionRole");
    let shown = || {
        json_of(&scene.home, &["connection", "show", "sales-prod"])
            .ok()
            .json()
    };
    assert!(shown()["role_arn"].is_null(), "nobody was there to note it");
    // The wizard takes up what goes on, and reads the role.
    let mut term = Term::start(&scene.home, 110, 40, &[], &[]);
    term.wait_for("its role is not made yet");
    term.wait_for("0123-4567-8901");
    term.keys(key::ENTER);
    term.wait_for("✓ made");
    term.wait_for("◌ waiting");
    let text = term.text();
    let row = text
        .lines()
        .find(|line| line.contains("Connection stack"))
        .unwrap();
    assert!(row.contains("✓ made"), "{text}");
    assert_eq!(scene.status(CONNECTION).as_deref(), Some("CREATE_COMPLETE"));
    assert!(!shown()["role_arn"].is_null());
    term.keys("q");
    term.wait_for("CONNECTIONS");
    term.keys("q");
    assert_eq!(term.exit_code(), 0);

    // The other stack, and the verb first.
    killed_at_work(&scene, CATALOG, "Policy");
    let ran = scene.deploy(CATALOG).ok();
    let last = ran.json_lines().pop().unwrap();
    assert_eq!(last["stack"]["status"], "CREATE_COMPLETE");
    assert!(
        ran.stderr.contains("is at work on") || ran.stderr.contains("nothing to do"),
        "{}",
        ran.stderr
    );
    let shown = json_of(&scene.home, &["catalog", "show", "Lake House"])
        .ok()
        .json();
    assert_eq!(shown["stage"], "verify", "{shown}");
    // What was told to AWS stands in the ledger, once each.
    assert_eq!(
        scene.ledger(),
        [
            "CreateChangeSet",
            "ExecuteChangeSet",
            "CreateChangeSet",
            "ExecuteChangeSet"
        ]
    );
    let mut term = Term::start(&scene.home, 110, 40, &[], &[]);
    term.wait_for("not verified yet");
    term.keys("q");
    assert_eq!(term.exit_code(), 0);
}
