//! By keys: the Deploy step of the real program.

use super::*;
use crate::support::term::{Term, key};
use crate::support::wait_for;

/// The wizard of the catalog, at Deploy.
fn at_deploy(scene: &Scene, case: &Case) -> Term {
    let mut term = Term::start(&scene.home, 110, 40, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.wait_for("0123-4567-8901");
    term.keys(key::ENTER);
    if case.target == CATALOG {
        // Where the record asks for what the stack grants the program goes on to the ladder, and back by a key.
        term.wait("a step", |term| {
            ["TRUST", "Access stack"]
                .iter()
                .any(|at| term.text().contains(at))
        });
        if term.text().contains("TRUST") {
            term.keys(key::ESC);
            term.wait_for("Access stack");
        }
    }
    term
}

/// Answers one question with yes.
fn agree(term: &mut Term, asks: &str) {
    term.wait_for(asks);
    // The foot is drawn last: with it all of the question is there.
    term.wait_for("choose");
    if term.text().contains("I acknowledge") {
        term.keys(" ");
        term.wait_for("[x]");
    }
    term.keys("y");
    answered(term, asks);
}

/// The question has gone; its words may stand in the step behind it too.
fn answered(term: &Term, asks: &str) {
    term.wait("the end of the question", |term| {
        let text = term.text();
        !(text.contains(asks) && text.contains("⏎ choose"))
    });
}

#[test]
fn each_is_shown_and_left_by_keys() {
    // Where the connection's deletion failed its role is there all the same: that one is left by `X` at home.
    let cases = CASES
        .iter()
        .filter(|case| (case.status, case.target) != ("DELETE_FAILED", CONNECTION));
    for case in cases {
        let status = case.status;
        let scene = Scene::at(case);
        (case.mend)(&scene);
        let mut term = at_deploy(&scene, case);
        match status {
            "REVIEW_IN_PROGRESS" => term.wait_for("A change set waits in it, and nothing is made yet"),
            "UPDATE_FAILED" => term.wait_for(": UPDATE_FAILED"),
            _ if case.target == CONNECTION => {
                term.wait_for(&format!("glueup-connection-sales-prod: {status}"))
            }
            // What is live is the version before, and another is asked for.
            _ => term.wait("what the stack is", |term| {
                let told = ["grants what was asked for before", "Both stacks are made"];
                told.iter().any(|line| term.text().contains(line))
            }),
        }
        term.keys("D");
        // No is the safe answer, and it is not forgotten that something failed.
        term.wait_for("⏎ choose");
        term.wait_for(case.asks[0]);
        term.keys("n");
        answered(&term, case.asks[0]);
        assert_eq!(scene.status(case.target).as_deref(), Some(status), "after a no");
        term.keys("D");
        for asks in case.asks {
            agree(&mut term, asks);
        }
        if case.target == CONNECTION {
            term.wait_for("✓ made");
            term.wait_for("◌ waiting");
        } else {
            term.wait_for("◉ Verify");
        }
        let now = || scene.status(case.target);
        wait_for(
            status,
            || format!("{:?}", now()),
            || (now()? == case.ends).then_some(()),
        );
        term.keys("q");
        term.wait_for("CONNECTIONS");
        term.keys("q");
        assert_eq!(term.exit_code(), 0, "{status}");
    }
}

#[test]
fn an_update_that_cannot_be_undone_yet_stands_in_the_step_with_its_cause() {
    let case = CASES
        .iter()
        .find(|case| case.status == "UPDATE_ROLLBACK_FAILED")
        .unwrap();
    let scene = Scene::at(case);
    let mut term = at_deploy(&scene, case);
    term.keys("D");
    agree(&mut term, case.asks[0]);
    term.wait_for("UPDATE_ROLLBACK_FAILED");
    term.wait_for("✗ failed");
    term.wait_for("iam:PutRolePolicy");
    (case.mend)(&scene);
    term.keys("D");
    for asks in case.asks {
        agree(&mut term, asks);
    }
    let now = || scene.status(CATALOG);
    wait_for(
        "update",
        || format!("{:?}", now()),
        || (now()? == "UPDATE_COMPLETE").then_some(()),
    );
}

#[test]
fn what_cannot_be_deleted_is_asked_about_by_keys() {
    let case = CASES.iter().find(|case| case.status == "DELETE_FAILED").unwrap();
    let scene = Scene::at(case);
    let mut term = Term::start(&scene.home, 110, 40, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.wait_for("0123-4567-8901");
    term.keys("GX");
    agree(&mut term, "Delete glueup-connection-sales-prod in");
    term.wait_for("stay in AWS?");
    term.keys("n");
    // Why, and what else there is, stands whole.
    term.wait_for("glueup-connection-sales-prod: DELETE_FAILED.");
    term.wait_for("--retain");
    assert_eq!(scene.status(CONNECTION).as_deref(), Some("DELETE_FAILED"));
    term.keys(key::ESC);
    term.wait_for("CONNECTIONS");
    term.keys("X");
    agree(&mut term, "Delete glueup-connection-sales-prod in");
    agree(&mut term, "stay in AWS?");
    term.wait_for("Deleted: glueup-connection-sales-prod.");
    assert_eq!(scene.status(CONNECTION), None);
}
