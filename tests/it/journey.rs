//! The whole job by keys alone, on an AWS that says no: from an empty home to a table's schema, also when the program is
//! killed on the way, and by somebody who may not do it.

use crate::support::home::Home;
use crate::support::term::key;
use crate::support::wait_for;
use crate::support::walk::{CATALOG, CONNECTION, LAKE, Walk};

/// What a new user is asked to press at most, text not counted.
const MOST_PRESSES: usize = 40;

/// Waits until the half-filled wizard on disk holds `text`.
#[track_caller]
fn wait_kept(home: &Home, text: &str) {
    let file = home.records().join("demo/state/drafts/new-catalog.json");
    let read = || std::fs::read_to_string(&file).unwrap_or_default();
    wait_for("draft on disk", read, || read().contains(text).then_some(()));
}

#[test]
fn from_no_catalog_to_a_schema_in_few_keys() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.wait_for("connect a Glue catalog");
    walk.go_to_deploy();
    walk.go_to_green();
    walk.wait_for("10 things work, 3 are refused");
    walk.press("b");
    walk.wait_for("weather");
    walk.press("/");
    walk.write("sales");
    walk.wait_for("2 of 11");
    walk.press(key::ENTER);
    walk.press(key::ENTER);
    walk.wait_for("orders_lost");
    walk.press("/");
    walk.write("orders");
    walk.press(key::ENTER);
    // Others hold the word too, and stand before it in the list.
    walk.wait_for("orders  Iceberg v2");
    walk.wait_for("Iceberg schema");
    walk.wait_for("ordered_at");
    assert!(
        walk.presses <= MOST_PRESSES,
        "{} presses are too many",
        walk.presses
    );

    // What is finished is finished: the next start leads to the list, not back into the wizard.
    walk.press("q");
    walk.wait_for("CATALOGS");
    walk.press("q");
    assert_eq!(walk.term.exit_code(), 0);
    let walk = Walk::start(&home);
    walk.wait_for("CATALOGS");
    walk.wait_for("✓");
    assert!(!walk.term.text().contains("Resumed"), "{}", walk.term.text());
}

#[test]
fn killed_in_details_it_comes_back_with_what_was_typed() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.press("n");
    walk.wait_for("S3 path");
    walk.write(CATALOG);
    walk.press(key::TAB);
    walk.press(key::TAB);
    let (half, rest) = LAKE.split_at(13);
    walk.write(half);
    wait_kept(&home, &format!("{half}\""));
    walk.kill();

    let mut walk = Walk::start(&home);
    walk.wait_for("Resumed where it was left");
    walk.wait_for(half);
    walk.wait_for(CATALOG);
    walk.press(key::TAB);
    walk.press(key::TAB);
    walk.write(rest);
    walk.wait_for("WHAT WILL BE GRANTED");
    walk.go_to_connection();
    wait_kept(&home, CONNECTION);
    walk.kill();

    let mut walk = Walk::start(&home);
    walk.wait_for("NEW CONNECTION");
    walk.wait_for(CONNECTION);
    walk.press(key::ENTER);
    walk.wait_for("◌ waiting");
    walk.go_to_green();
}

#[test]
fn killed_while_it_waits_at_deploy_it_waits_again() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.go_to_deploy();
    walk.kill();
    let mut walk = Walk::start(&home);
    walk.wait_for("Resumed where it was left: Lake House.");
    walk.wait_for("◌ waiting");
    walk.go_to_green();
}

#[test]
fn killed_while_a_stack_is_made_it_sees_it_made() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.go_to_deploy();
    walk.deploy();
    walk.wait_for("CREATE_IN_PROGRESS");
    walk.kill();

    let mut walk = Walk::start(&home);
    walk.deploy_access();
    walk.wait_for("CREATE_IN_PROGRESS");
    walk.kill();

    // Not one key: the stack is made, and Verify follows by itself.
    let walk = Walk::start(&home);
    walk.wait_green();
    assert_eq!(walk.presses, 0);
}

#[test]
fn who_is_no_admin_is_told_so_at_every_key() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.go_to_deploy();
    walk.kill();
    let file = home.records().join("demo/organization.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    let others = text.replace("admins: []", "admins: [\"arn:aws:iam::*:role/none\"]");
    assert_ne!(others, text);
    std::fs::write(&file, others).unwrap();

    let refusal =
        "only an admin of the organization may do that; you are arn:aws:iam::012345678901:user/admin";
    let mut walk = Walk::start_with(&home, 140, 30, &[], &[]);
    walk.wait_for("You may watch and verify. To deploy: only an admin");
    for (key, said) in [("D", "Not deployed"), ("o", "Not opened")] {
        walk.press(key);
        walk.wait_for(&format!("{said}: {refusal}"));
    }
    walk.press("q");
    walk.wait_for("CONNECTIONS");
    for (key, said) in [("n", "Not connected"), ("x", "Not deleted")] {
        walk.press(key);
        walk.wait_for(&format!("{said}: {refusal}"));
    }
    assert!(home.records().join("demo/connections/sales-prod.yaml").exists());
    walk.press("q");
    assert_eq!(walk.term.exit_code(), 0);
}

#[test]
fn a_connection_with_catalogs_is_deleted_after_them() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.go_to_deploy();
    walk.press("q");
    walk.wait_for("CONNECTIONS");
    walk.press(key::DOWN);
    walk.press("x");
    walk.wait_for("The connection sales-prod cannot be deleted.");
    walk.wait_for("These are bound to it; delete them first:");
    let listed = |text: &str| {
        text.lines()
            .any(|line| line.contains("│") && line.contains(CATALOG))
    };
    assert!(listed(&walk.term.text()), "{}", walk.term.text());
    // No yes is to be had here.
    walk.press("y");
    walk.term.wait_gone("cannot be deleted");
    let record = home.records().join("demo/connections/sales-prod.yaml");
    assert!(record.exists());

    walk.press(key::UP);
    walk.press("x");
    walk.wait_for("Delete the catalog Lake House from glueup?");
    // The safe answer is the marked one.
    walk.press(key::ENTER);
    walk.term.wait_gone("from glueup?");
    walk.press("x");
    walk.wait_for("Delete the catalog Lake House from glueup?");
    walk.press("y");
    walk.term.wait_gone("CATALOGS");
    walk.press("x");
    walk.wait_for("Delete the connection sales-prod from glueup?");
    walk.press("y");
    walk.wait_for("connect a Glue catalog");
    assert!(!record.exists());
}

#[test]
fn who_is_no_admin_is_told_so_in_an_empty_home_too() {
    let home = Home::new();
    let demo = home.records().join("demo");
    std::fs::create_dir_all(&demo).unwrap();
    let organization =
        "version: 1\nid: demo\nname: Demo\nplatform: self\nadmins: [\"arn:aws:iam::*:role/none\"]\n";
    std::fs::write(demo.join("organization.yaml"), organization).unwrap();
    let mut walk = Walk::start(&home);
    walk.wait_for("No catalog yet, and only an admin of the organization may do that");
    for key in ["n", key::ENTER] {
        walk.press(key);
        walk.wait_for("Not connected: only an admin of the organization may do that");
        assert!(!walk.term.text().contains("S3 path"), "{}", walk.term.text());
    }
}
