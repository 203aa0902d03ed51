//! Stacks by keys alone, in the real program: deleted, taken over from an earlier record; and the command that `!` shows.

use crate::support::home::{GLUEUP, Home, run};
use crate::support::term::key;
use crate::support::walk::{CATALOG, CONNECTION, Walk, copied};

/// On the home screen: the record under the pointer goes.
#[track_caller]
fn forget(walk: &mut Walk, question: &str) {
    walk.press("x");
    walk.wait_for(question);
    walk.press("y");
    walk.term.wait_gone(question);
}

#[test]
fn a_stack_of_an_earlier_record_is_taken_over_and_deleted_by_keys() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.wait_for("connect a Glue catalog");
    walk.go_to_deploy();
    walk.deploy();
    walk.wait_made();

    // Both records are deleted and made anew: the stack, which is still there, has the external ID of before.
    walk.press("q");
    walk.wait_for("CONNECTIONS");
    forget(&mut walk, "Delete the catalog");
    walk.wait_for("Deleted.");
    forget(&mut walk, "Delete the connection");
    walk.wait_for("connect a Glue catalog");
    walk.fill_details();
    walk.go_to_connection();
    walk.press(key::ENTER);
    walk.wait_for("made for an earlier record of that name");
    walk.press("D");
    walk.wait_for("Take it over?");
    walk.press("y");
    // Whose it may be is one question, what CloudFormation does to it another.
    walk.wait_for("Update the stack");
    walk.press(" ");
    walk.wait_for("[x]");
    walk.press("y");
    walk.wait_made();

    // The access stack was never made: that is said, and is no failure of the one that is waited for.
    walk.press("X");
    walk.wait_for("there is no stack glueup-glue-readonly-lake-house");
    walk.wait_for("◌ waiting");
    walk.press("q");
    walk.wait_for("CONNECTIONS");
    walk.press("X");
    walk.wait_for("No stack is deleted: none of Lake House is on record");
    walk.press(key::DOWN);
    walk.press("X");
    walk.wait_for("Delete glueup-connection-sales-prod in");
    walk.press("y");
    walk.wait_for("Deleted: glueup-connection-sales-prod. The record stays.");
    walk.wait_for("its role is not made yet");
    walk.press("q");
    assert_eq!(walk.term.exit_code(), 0);
}

#[test]
fn the_command_of_a_screen_of_the_demo_works_on_the_demo() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.wait_for("connect a Glue catalog");
    walk.go_to_deploy();
    walk.press("q");
    walk.wait_for("CONNECTIONS");
    walk.press("!");
    walk.wait_for("esc close");
    walk.press("y");
    walk.wait_for("clipboard");
    let line = copied(&walk.term.raw()).unwrap();
    // In another home, as in a shell of one's own: its records are not the demo's.
    let elsewhere = Home::new();
    assert!(line.ends_with(" catalog show 'Lake House'"), "{line}");
    let line = line.replace("glueup demo", &format!("{GLUEUP} demo"));
    let line = line.replace(" glueup ", &format!(" {GLUEUP} "));
    let shell = |line: &str| run(elsewhere.command("sh").args(["-c", line]), "");
    let shown = shell(&line).ok();
    assert!(
        shown.stdout.contains(CATALOG) && shown.stdout.contains(CONNECTION),
        "{}",
        shown.stdout
    );
    let databases = shell(&line.replace("catalog show", "ls --as-caller")).ok();
    assert!(databases.stdout.contains("weather"), "{}", databases.stdout);
    assert!(!elsewhere.records().exists(), "nothing was looked for there");
}

#[test]
fn the_log_file_holds_what_was_said_and_no_secret() {
    let home = Home::new();
    let log = home.records().join("demo/log/glueup.log");
    let mut walk = Walk::start(&home);
    walk.wait_for("connect a Glue catalog");
    walk.go_to_deploy();
    walk.press("q");
    walk.wait_for("CONNECTIONS");
    walk.press("X");
    walk.wait_for("No stack is deleted: none of");
    walk.press("!");
    walk.wait_for("glueup demo --env --port");
    let environment = home
        .glueup(&["demo", "--env", "--port", "1", "--output", "json"])
        .ok()
        .json();
    let secret = environment["AWS_SECRET_ACCESS_KEY"].as_str().unwrap();
    let shown: String = walk.term.text().split_whitespace().collect();
    assert!(!shown.contains(secret), "{shown}");
    walk.press("y");
    walk.wait_for("clipboard");
    walk.press(key::ESC);
    walk.wait_for("CONNECTIONS");
    walk.press("q");
    assert_eq!(walk.term.exit_code(), 0);
    let said = std::fs::read_to_string(&log).unwrap();
    assert!(said.contains("No stack is deleted: none of"), "{said}");
    assert!(said.contains("Sent to the terminal's clipboard"), "{said}");
    assert!(secret.len() > 8 && !said.contains(secret), "{said}");
    assert!(said.lines().all(|line| line.starts_with("20")), "{said}");
}

#[test]
fn a_path_that_is_changed_after_the_deployment_leads_to_an_update_by_keys() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.wait_for("connect a Glue catalog");
    walk.go_to_deploy();
    walk.go_to_green();
    // Back to Details, and another path.
    walk.press(key::ESC);
    walk.wait_for("2 of 2");
    walk.press(key::ESC);
    walk.wait_for("CONNECTIONS");
    walk.press(key::ESC);
    walk.wait_for("S3 path");
    // The caret is where it was.
    walk.write("/sales");
    walk.wait_for("warehouse/sales");
    walk.press(key::ENTER);
    walk.wait_for("CONNECTIONS");
    walk.press(key::ENTER);
    walk.wait_for("◌ to update");
    walk.wait_for("grants what was asked for before");
    walk.press("D");
    walk.wait_for("change Prefix from warehouse/ to warehouse/sales/");
    walk.press(" ");
    walk.wait_for("[x]");
    walk.press("y");
    walk.wait_green();
    walk.press("q");
    walk.wait_for("CONNECTIONS");
    walk.press("q");
    assert_eq!(walk.term.exit_code(), 0);
}

#[test]
fn a_storage_integration_walks_the_same_steps() {
    let home = Home::new();
    // Wide, so that the command of the end stands on one row.
    let mut walk = Walk::start_with(&home, 200, 30, &[], &[]);
    walk.wait_for("connect a Glue catalog");
    walk.press("s");
    walk.wait_for("new storage integration");
    walk.write("raw files");
    walk.press(key::TAB);
    walk.write("s3://acme-lake/warehouse");
    walk.wait_for("WHAT WILL BE GRANTED");
    walk.press("q");
    // What was typed is there again, and a new catalog does not take its place.
    walk.press(key::ESC);
    walk.wait_for("connect a Glue catalog");
    walk.press("n");
    walk.wait_for("new catalog");
    walk.press(key::ESC);
    walk.wait_for("connect a Glue catalog");
    walk.press("s");
    walk.wait_for("s3://acme-lake/warehouseq");
    walk.press(key::TAB);
    walk.press(key::BACKSPACE);
    walk.go_to_connection();
    walk.press(key::ENTER);
    walk.wait_for("◌ waiting");
    walk.wait_for("you review and press Create stack there");
    walk.deploy();
    walk.deploy_access();
    walk.wait_for("Connected. Read-only, proven");
    walk.press("!");
    walk.wait_for("storage verify 'raw files'");
    walk.press(key::ESC);
    walk.term.wait_gone("esc close");
    walk.press("q");
    walk.wait_for("CONNECTIONS");
    walk.press("v");
    walk.wait_for("Connected. Read-only, proven");
    walk.press("q");
    walk.wait_for("CONNECTIONS");
    walk.press("q");
    assert_eq!(walk.term.exit_code(), 0);
}
