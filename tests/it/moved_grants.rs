//! A grant that is moved: to another region, to another account. What its old stack grants is neither taken from the new
//! one nor lost from sight.

use crate::cli_journey::deployed;
use crate::support::demo::Demo;
use crate::support::home::Home;
use serde_json::Value;

fn status(home: &Home, rung: &str) -> String {
    let ran = home.glueup(&["verify", "Lake House", "--output", "json"]);
    let report = ran.json();
    let rungs = report["rungs"].as_array().unwrap();
    let found = rungs.iter().find(|found| found["id"] == rung).unwrap();
    found["status"].as_str().unwrap().to_owned()
}

fn show(home: &Home) -> Value {
    home.glueup(&["catalog", "show", "Lake House", "--output", "json"])
        .ok()
        .json()
}

#[test]
fn another_regions_stack_keeps_what_it_grants_when_the_old_one_goes() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = deployed(&demo);
    let before = show(&home)["stack_name"].clone();
    assert_eq!(status(&home, "list"), "passed");
    let moved = home
        .glueup(&["catalog", "set", "Lake House", "--region", "eu-west-1"])
        .ok();
    assert!(
        moved.stderr.contains("stays, and with it what it grants"),
        "{}",
        moved.stderr
    );
    let after = show(&home)["stack_name"].clone();
    assert_ne!(after, before, "one name, two regions: one inline policy");
    assert!(after.as_str().unwrap().contains("eu-west-1"), "{after}");
    // `--yes` deletes the old stack as well.
    home.glueup(&["deploy", "catalog", "Lake House", "--yes"]).ok();
    assert_eq!(status(&home, "list"), "passed");
    assert_eq!(status(&home, "read"), "passed");

    // And back, to the name that is free again.
    home.glueup(&["catalog", "set", "Lake House", "--region", "us-west-2"])
        .ok();
    assert_eq!(show(&home)["stack_name"], before);
    home.glueup(&["deploy", "catalog", "Lake House", "--yes"]).ok();
    assert_eq!(status(&home, "tables"), "passed");
    assert_eq!(status(&home, "read"), "passed");
}

#[test]
fn what_has_a_stack_is_not_bound_to_another_account() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = deployed(&demo);
    home.glueup(&[
        "connection",
        "add",
        "--name",
        "other",
        "--account-id",
        "111122223333",
    ])
    .ok();
    let refused = home
        .glueup(&["catalog", "set", "Lake House", "--connection", "other"])
        .exits(2);
    assert!(
        refused
            .stderr
            .contains("glueup stack delete catalog 'Lake House'"),
        "{}",
        refused.stderr
    );
    assert_eq!(show(&home)["connection"], "sales-prod");
    home.glueup(&["stack", "delete", "catalog", "Lake House", "--yes"])
        .ok();
    home.glueup(&["catalog", "set", "Lake House", "--connection", "other"])
        .ok();
}
