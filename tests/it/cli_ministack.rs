//! The same journey against an AWS that others wrote: it enforces trust, external ids and policies.

use crate::support::home::{Home, Ran};
use crate::support::peers::{self, Ministack, Peer};
use serde_json::Value;

const ACCOUNT: &str = "123456789012";

fn json_of(home: &Home, arguments: &[&str]) -> Ran {
    home.glueup(&[arguments, &["--output", "json"] as &[&str]].concat())
}

fn status(report: &Value, rung: &str) -> String {
    let rungs = report["rungs"].as_array().unwrap();
    let found = rungs.iter().find(|r| r["id"] == rung);
    found.unwrap_or_else(|| panic!("no {rung} in {report}"))["status"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn act_as(home: &mut Home, user: &Value) {
    home.set("AWS_ACCESS_KEY_ID", user["access_key_id"].as_str().unwrap());
    home.set(
        "AWS_SECRET_ACCESS_KEY",
        user["secret_access_key"].as_str().unwrap(),
    );
}

#[test]
fn the_whole_job_by_verbs_on_ministack() {
    let test = "the_whole_job_by_verbs_on_ministack";
    if !peers::present(test, &[Peer::Ministack, Peer::Boto3]) {
        return;
    }
    let aws = Ministack::start(ACCOUNT);
    // Whoever is root is asked for nothing: the callers are users with rights of their own.
    let root = aws.home();
    let keys: Value = serde_json::from_str(
        &peers::script(&root, "ministack_lake.py", &[&aws.endpoint()])
            .ok()
            .stdout,
    )
    .unwrap();
    let mut home = aws.home();
    act_as(&mut home, &keys["deployer"]);

    json_of(&home, &["init", "--name", "Acme"]).ok();
    json_of(
        &home,
        &[
            "connection",
            "add",
            "--name",
            "peer",
            "--account-id",
            ACCOUNT,
            "--trust",
            keys["engine"]["arn"].as_str().unwrap(),
        ],
    )
    .ok();
    json_of(&home, &["deploy", "connection", "peer", "--yes"]).ok();
    json_of(
        &home,
        &[
            "catalog",
            "add",
            "--name",
            "lake",
            "--region",
            "us-west-2",
            "--s3-path",
            "s3://peer-lake/warehouse",
            "--access",
            "read-only",
            "--connection",
            "peer",
        ],
    )
    .ok();
    json_of(&home, &["deploy", "catalog", "lake", "--yes"]).ok();
    let report = json_of(&home, &["verify", "lake"]).ok().json();
    for rung in ["role", "databases", "tables", "list", "read"] {
        assert_eq!(status(&report, rung), "passed", "{report}");
    }
    let databases = json_of(&home, &["ls", "lake"]).ok().json_lines();
    assert!(
        databases.iter().any(|d| d["database"] == "sales"),
        "{databases:?}"
    );
    let schema = json_of(&home, &["schema", "lake.sales.orders"]).ok().json();
    assert_eq!(schema["columns"][0]["name"], "id");

    // The same as the engine would: it may assume the role and nothing else. It cannot see how old the stack is, so a
    // denial is judged at once.
    act_as(&mut home, &keys["engine"]);
    json_of(&home, &["verify", "lake"]).ok();
    // The record says another external id than the role: the peer refuses, and the ladder stops there.
    let record = home.records().join("connections/peer.yaml");
    let text = std::fs::read_to_string(&record).unwrap();
    let shown = json_of(&home, &["connection", "show", "peer"]).ok().json();
    let id = shown["external_id"].as_str().unwrap();
    std::fs::write(&record, text.replace(id, "another-external-id")).unwrap();
    let report = json_of(&home, &["verify", "lake"]).exits(1).json();
    assert_eq!(status(&report, "role"), "failed", "{report}");
    assert_eq!(status(&report, "databases"), "skipped", "{report}");
    std::fs::write(&record, text).unwrap();

    act_as(&mut home, &keys["deployer"]);
    json_of(&home, &["stack", "delete", "catalog", "lake", "--yes"]).ok();
    json_of(&home, &["stack", "delete", "connection", "peer", "--yes"]).ok();
    json_of(&home, &["catalog", "delete", "lake"]).ok();
    json_of(&home, &["connection", "delete", "peer"]).ok();
}
