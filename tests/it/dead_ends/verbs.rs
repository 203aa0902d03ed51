//! By verbs.

use super::*;
use crate::support::term::Term;

#[test]
fn each_is_left_by_a_deploy_and_only_after_its_question() {
    for case in &CASES {
        let (status, [owner, name]) = (case.status, case.target);
        let scene = Scene::at(case);
        let before = scene.ledger();
        // Nobody can be asked: nothing is done.
        scene.home.glueup(&["deploy", owner, name]).exits(2);
        // Asked, and not agreed to.
        let mut term = Term::start(&scene.home, 160, 50, &["deploy", owner, name], &[]);
        term.wait_for(case.asks[0]);
        term.wait_for("[y/N]");
        term.keys("n\r");
        assert_ne!(term.exit_code(), 0, "{status}");
        assert_eq!(scene.status(case.target).as_deref(), Some(status), "after a no");
        // An update's change set is made to be shown, and removed again.
        let written = scene.ledger()[before.len()..].to_vec();
        assert!(
            written.is_empty() || written == ["CreateChangeSet", "DeleteChangeSet"],
            "{status}: {written:?}"
        );
        (case.mend)(&scene);
        let ran = scene.deploy(case.target).ok();
        let last = ran.json_lines().pop().unwrap();
        assert_eq!(last["stack"]["status"], case.ends, "{status}");
        let again = scene.deploy(case.target).ok();
        assert!(
            again.stderr.contains("nothing to do"),
            "{status}: {}",
            again.stderr
        );
    }
}

#[test]
fn each_is_left_by_a_delete() {
    for case in &CASES {
        let scene = Scene::at(case);
        let [owner, name] = case.target;
        scene.home.glueup(&["stack", "delete", owner, name]).exits(2);
        assert_eq!(scene.status(case.target).as_deref(), Some(case.status));
        if case.status == "DELETE_FAILED" {
            (case.mend)(&scene);
        }
        scene.delete(case.target, &[]).ok();
        assert_eq!(scene.status(case.target), None, "{}", case.status);
        let shown = json_of(&scene.home, &[owner, "show", name]).ok().json();
        match owner {
            "connection" => assert!(shown["role_arn"].is_null(), "{shown}"),
            _ => assert_eq!(shown["stage"], "deploy", "{shown}"),
        }
    }
}

#[test]
fn what_cannot_be_deleted_stays_only_where_that_is_asked_for() {
    let case = CASES.iter().find(|case| case.status == "DELETE_FAILED").unwrap();
    let scene = Scene::at(case);
    for ran in [scene.delete(CONNECTION, &[]), scene.deploy(CONNECTION)] {
        let error = ran.exits(1).error();
        assert!(
            error["what"].as_str().unwrap().contains("DELETE_FAILED"),
            "{error}"
        );
        let why = error["why"].as_str().unwrap();
        assert!(
            why.contains("ConnectionRole") && why.contains("must delete policies first"),
            "{error}"
        );
        let next = error["next"].as_str().unwrap();
        assert!(
            next.contains("glueup stack delete connection sales-prod"),
            "{error}"
        );
    }
    // In a terminal it is asked about, and no is what Enter means.
    let mut term = Term::start(
        &scene.home,
        160,
        50,
        &["stack", "delete", "connection", "sales-prod"],
        &[],
    );
    term.wait_for("Delete glueup-connection-sales-prod in");
    term.keys("y\r");
    term.wait_for("let ConnectionRole stay in AWS?");
    term.keys("\r");
    term.wait_for("glueup-connection-sales-prod: DELETE_FAILED");
    term.wait_for("--retain");
    assert_eq!(term.exit_code(), 1);
    assert!(
        !term.text().contains("nothing has been changed"),
        "{}",
        term.text()
    );
    assert_eq!(scene.status(CONNECTION).as_deref(), Some("DELETE_FAILED"));
    let ran = scene.delete(CONNECTION, &["--retain"]).ok();
    assert!(ran.stdout.contains("DELETE_SKIPPED"), "{}", ran.stdout);
    assert_eq!(scene.status(CONNECTION), None);
    // The stack is free to be made again, beside what stayed.
    scene.deploy(CONNECTION).ok();
}

#[test]
fn an_update_that_still_cannot_be_undone_says_what_else_there_is() {
    let case = CASES
        .iter()
        .find(|case| case.status == "UPDATE_ROLLBACK_FAILED")
        .unwrap();
    let scene = Scene::at(case);
    let error = scene.deploy(CATALOG).exits(1).error();
    assert!(
        error["what"].as_str().unwrap().contains("UPDATE_ROLLBACK_FAILED"),
        "{error}"
    );
    assert!(
        error["why"].as_str().unwrap().contains("iam:PutRolePolicy"),
        "{error}"
    );
    let next = error["next"].as_str().unwrap();
    for way in [
        "once that is mended",
        "glueup deploy catalog 'Lake House'",
        "--resources-to-skip",
    ] {
        assert!(next.contains(way), "{way}: {error}");
    }
    assert_eq!(scene.ledger().last().unwrap(), "ContinueUpdateRollback");
}

#[test]
fn a_no_to_an_update_does_not_hide_that_the_one_before_was_undone() {
    let case = CASES.iter().find(|case| case.status == "UPDATE_FAILED").unwrap();
    let scene = Scene::at(case);
    let [owner, name] = CATALOG;
    let mut term = Term::start(&scene.home, 160, 50, &["deploy", owner, name], &[]);
    term.wait_for("is UPDATE_FAILED");
    term.wait_for("[y/N]");
    term.keys("y\r");
    term.wait_for("Update the stack");
    term.keys("n\r");
    term.wait_for("nothing of it has been done");
    assert_eq!(term.exit_code(), 1);
    assert!(
        !term.text().contains("nothing has been changed"),
        "{}",
        term.text()
    );
    assert_eq!(scene.status(CATALOG).as_deref(), Some("UPDATE_ROLLBACK_COMPLETE"));
    assert!(scene.ledger().contains(&"RollbackStack".to_owned()));
}

#[test]
fn a_stack_of_somebody_elses_is_left_as_it_is() {
    for status in [
        "ROLLBACK_COMPLETE",
        "CREATE_FAILED",
        "DELETE_FAILED",
        "UPDATE_FAILED",
        "UPDATE_ROLLBACK_FAILED",
    ] {
        let case = CASES.iter().find(|case| case.status == status).unwrap();
        let scene = Scene::at(case);
        (case.mend)(&scene);
        // Another organization works with the same names from now on.
        scene.home.glueup(&["init", "--id", "others"]).ok();
        let before = scene.ledger();
        let error = scene.deploy(case.target).exits(1).error();
        let why = error["why"].as_str().unwrap();
        assert!(why.contains("the stack was made for"), "{error}");
        assert_eq!(scene.status(case.target).as_deref(), Some(status));
        assert_eq!(scene.ledger(), before);
    }
}

#[test]
fn a_left_over_that_cannot_be_deleted_stays_by_a_command_that_spares_the_new_stack() {
    let mut scene = Scene::start();
    scene.as_deployer();
    scene.deploy(CONNECTION).ok();
    scene.deploy(CATALOG).ok();
    let old = scene.stack(CATALOG);
    let set = ["catalog", "set", "Lake House", "--access", "read-write"];
    scene.home.glueup(&set).ok();
    scene.guarded("iam:DeleteRolePolicy");
    let error = scene.deploy(CATALOG).exits(1).error();
    assert!(error["what"].as_str().unwrap().contains(&old), "{error}");
    let next = error["next"].as_str().unwrap();
    let command = format!(
        "aws cloudformation delete-stack --stack-name {old} --region us-west-2 --retain-resources CatalogPolicy"
    );
    assert!(next.ends_with(&command), "{error}");
    // That verb would delete the new stack too.
    assert!(!next.contains("glueup stack delete"), "{error}");
    let delete = scene.client().delete_stack().stack_name(&old);
    let delete = delete.retain_resources("CatalogPolicy");
    scene.runtime.block_on(delete.send()).unwrap();
    assert_eq!(scene.rested(&old), None);
    assert_eq!(scene.status(CATALOG).as_deref(), Some("CREATE_COMPLETE"));
}
