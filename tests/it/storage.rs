//! Storage integrations by verbs: an S3 path without Glue, with a stack, a ladder and limits of its own.

use crate::cli_journey::{deployed, recorded};
use crate::support::demo::Demo;
use crate::support::home::{Home, Ran};
use serde_json::{Value, json};

fn json_of(home: &Home, arguments: &[&str]) -> Ran {
    home.glueup(&[arguments, &["--output", "json"] as &[&str]].concat())
}

const ADD: [&str; 10] = [
    "storage",
    "add",
    "--name",
    "raw files",
    "--s3-path",
    "s3://acme-lake/warehouse",
    "--access",
    "read-only",
    "--connection",
    "sales-prod",
];

fn rungs(report: &Value) -> Vec<(&str, &str)> {
    let rungs = report["rungs"].as_array().unwrap();
    rungs
        .iter()
        .map(|rung| (rung["id"].as_str().unwrap(), rung["status"].as_str().unwrap()))
        .collect()
}

#[test]
fn a_storage_integration_from_add_to_delete() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let added = json_of(&home, &ADD).ok().json();
    assert_eq!(added["stage"], "deploy");
    assert_eq!(
        added["stack_name"]
            .as_str()
            .unwrap()
            .find("glueup-storage-readonly-raw-files"),
        Some(0)
    );
    assert_eq!(added["s3_path"], "s3://acme-lake/warehouse");
    assert_eq!(added["verified"], Value::Null);
    assert_eq!(
        json_of(&home, &["storage", "show", "raw files"]).ok().json(),
        added
    );
    let listed = json_of(&home, &["storage", "list"]).ok().json();
    assert_eq!(listed, json!({ "storages": [added] }));
    let shown = json_of(&home, &["connection", "show", "sales-prod"]).ok().json();
    assert_eq!(
        shown["bound"],
        json!({ "catalogs": ["Lake House"], "storages": ["raw files"] })
    );

    // The connection comes first.
    let waits = home.glueup(&["deploy", "storage", "raw files", "--yes"]);
    assert_eq!(waits.code, Some(1));
    assert!(
        waits
            .stderr
            .contains("storage integration raw files waits for its connection"),
        "{}",
        waits.stderr
    );
    let waits = home.glueup(&["storage", "verify", "raw files"]);
    assert_eq!(waits.code, Some(1));

    home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
    let template = home
        .glueup(&["template", "show", "storage", "raw files"])
        .ok()
        .stdout
        .clone();
    assert!(
        template.contains("StoragePolicy") && !template.contains("glue:"),
        "{template}"
    );
    let policy = json_of(&home, &["template", "show", "storage", "raw files", "--policy"])
        .ok()
        .stdout
        .clone();
    assert!(
        policy.contains("acme-lake/warehouse/*") && !policy.contains("glue:"),
        "{policy}"
    );
    let events = json_of(&home, &["deploy", "storage", "raw files", "--yes"])
        .ok()
        .json_lines();
    assert_eq!(events.last().unwrap()["stack"]["status"], "CREATE_COMPLETE");

    let report = json_of(&home, &["storage", "verify", "raw files"]).ok().json();
    assert_eq!(report["name"], "raw files");
    assert_eq!(
        rungs(&report),
        [
            ("reach", "passed"),
            ("identity", "passed"),
            ("broker", "passed"),
            ("role", "passed"),
            ("external-id", "passed"),
            ("list", "passed"),
            ("read", "passed"),
            ("write", "passed"),
            ("neighbour", "passed"),
        ],
        "{report:#}"
    );
    let neighbour = &report["rungs"][8];
    let parts: Vec<&str> = neighbour["parts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|part| part["status"] == "passed")
        .map(|part| part["title"].as_str().unwrap())
        .collect();
    assert!(parts.contains(&"a Glue database"), "{neighbour:#}");
    let shown = json_of(&home, &["storage", "show", "raw files"]).ok().json();
    assert_eq!(
        (&shown["stage"], &shown["verified"]["verdict"]),
        (&json!("ready"), &json!("passed"))
    );

    // What is bound keeps its connection, record and stack.
    let kept = home.glueup(&["connection", "delete", "sales-prod", "--yes"]);
    assert_eq!(kept.code, Some(1));
    assert!(
        kept.stderr.contains("raw files (storage integration)"),
        "{}",
        kept.stderr
    );
    home.glueup(&["catalog", "delete", "Lake House", "--yes"]).ok();
    let kept = home.glueup(&["connection", "delete", "sales-prod", "--yes"]);
    assert_eq!(kept.code, Some(1));
    assert!(
        kept.stderr.contains("glueup storage delete 'raw files'"),
        "{}",
        kept.stderr
    );
    let kept = home.glueup(&["stack", "delete", "connection", "sales-prod", "--yes"]);
    assert_eq!(kept.code, Some(1));
    assert!(
        kept.stderr.contains("glueup stack delete storage 'raw files'"),
        "{}",
        kept.stderr
    );

    home.glueup(&["stack", "delete", "storage", "raw files", "--yes"])
        .ok();
    let again = home.glueup(&["storage", "verify", "raw files"]);
    assert_eq!(again.code, Some(1));
    assert!(
        again.stderr.contains("glueup deploy storage 'raw files'"),
        "{}",
        again.stderr
    );
    home.glueup(&["storage", "delete", "raw files", "--yes"]).ok();
    home.glueup(&["stack", "delete", "connection", "sales-prod", "--yes"])
        .ok();
    home.glueup(&["connection", "delete", "sales-prod", "--yes"]).ok();
}

#[test]
fn a_change_of_the_access_level_moves_to_another_stack_and_offers_to_delete_the_old() {
    let demo = Demo::start(&[]);
    let home = deployed(&demo);
    home.glueup(&ADD).ok();
    home.glueup(&["deploy", "storage", "raw files", "--yes"]).ok();
    let set = json_of(&home, &["storage", "set", "raw files", "--access", "read-write"]).ok();
    assert!(
        set.stderr.contains("stays, and with it what it grants"),
        "{}",
        set.stderr
    );
    assert_eq!(set.json()["stage"], "deploy");
    home.glueup(&["deploy", "storage", "raw files", "--yes"]).ok();
    let report = json_of(&home, &["storage", "verify", "raw files"]).ok().json();
    let write = &report["rungs"][7];
    assert_eq!(
        (&write["id"], &write["status"]),
        (&json!("write"), &json!("passed")),
        "{write:#}"
    );
    assert_eq!(write["parts"][0]["answer"], "Allowed");

    // The read-only catalog on the same role is as wide as the storage beside it, and says which widens it.
    let ran = json_of(&home, &["verify", "Lake House"]);
    assert_eq!(ran.code, Some(1));
    let report = ran.json();
    let write = report["rungs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|rung| rung["id"] == "write")
        .unwrap();
    assert_eq!(write["status"], "failed");
    assert!(
        write["next"]
            .as_str()
            .unwrap()
            .contains("The role also serves raw files"),
        "{write:#}"
    );
    // Tables are not what the storage widens.
    let update = write["parts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|p| p["title"] == "glue:UpdateTable")
        .unwrap();
    assert_eq!(update["status"], "passed");

    let all = json_of(&home, &["verify", "--all"]);
    let names: Vec<Value> = all.json()["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["name"].clone())
        .collect();
    assert_eq!(names, [json!("Lake House"), json!("raw files")]);
}

#[test]
fn what_is_missing_or_taken_is_said() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    for (without, said) in [
        ("--s3-path", "S3 path"),
        ("--access", "access level"),
        ("--connection", "connection"),
    ] {
        let at = ADD.iter().position(|word| *word == without).unwrap();
        let mut words = ADD.to_vec();
        words.drain(at..at + 2);
        let ran = home.glueup(&words);
        assert_eq!(ran.code, Some(2), "{without}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    home.glueup(&ADD).ok();
    let twice = home.glueup(&ADD);
    assert_eq!(twice.code, Some(2));
    assert!(
        twice
            .stderr
            .contains("There is a storage called raw files already"),
        "{}",
        twice.stderr
    );
    let unknown = home.glueup(&["storage", "show", "raw file"]);
    assert_eq!(unknown.code, Some(3));
    assert!(
        unknown.stderr.contains("did you mean raw files?"),
        "{}",
        unknown.stderr
    );
}
