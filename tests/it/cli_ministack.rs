//! The same journey against an AWS that others wrote: it enforces trust, external ids and policies.

use crate::support::home::{Home, Ran};
use crate::support::peers::{self, Emulator, Peer};
use serde_json::{Value, json};

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

/// A lake of the peer's, and users: whoever is root is asked for nothing, so the callers have rights of their own.
fn lake(aws: &Emulator) -> (Home, Value) {
    let ran = peers::script(&aws.home(), "ministack_lake.py", &[&aws.endpoint()]).ok();
    (aws.home(), serde_json::from_str(&ran.stdout).unwrap())
}

/// Connects it, read-only, for the engine.
fn connect(home: &Home, keys: &Value) {
    json_of(home, &["init", "--name", "Acme"]).ok();
    json_of(
        home,
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
    json_of(home, &["deploy", "connection", "peer", "--yes"]).ok();
    json_of(
        home,
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
    json_of(home, &["deploy", "catalog", "lake", "--yes"]).ok();
}

#[test]
fn the_whole_job_by_verbs_on_ministack() {
    let test = "the_whole_job_by_verbs_on_ministack";
    if !peers::present(test, &[Peer::Ministack, Peer::Boto3]) {
        return;
    }
    let aws = Emulator::ministack(ACCOUNT);
    let (mut home, keys) = lake(&aws);
    act_as(&mut home, &keys["deployer"]);

    connect(&home, &keys);
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

/// The statements of a document without the one of that `Sid`.
fn without(document: &Value, sid: &str) -> Value {
    let mut document = document.clone();
    let statements = document["Statement"].as_array_mut().unwrap();
    let before = statements.len();
    statements.retain(|statement| statement["Sid"] != sid);
    assert_eq!(statements.len() + 1, before, "no {sid} in {document}");
    document
}

fn with(document: &Value, statement: Value) -> Value {
    let mut document = document.clone();
    document["Statement"].as_array_mut().unwrap().push(statement);
    document
}

/// The policy of the statement of that `Sid`, for another resource.
fn elsewhere(document: &Value, sid: &str, resource: &str) -> Value {
    let mut document = document.clone();
    for statement in document["Statement"].as_array_mut().unwrap() {
        if statement["Sid"] == sid {
            statement["Resource"] = json!(resource);
        }
    }
    document
}

fn allow(action: &str, resource: &str) -> Value {
    json!({"Effect": "Allow", "Action": action, "Resource": resource})
}

fn deny(action: &str) -> Value {
    json!({"Effect": "Deny", "Action": action, "Resource": "*"})
}

#[test]
fn what_is_broken_on_ministack_fails_at_its_rung_and_nothing_is_changed() {
    let test = "what_is_broken_on_ministack_fails_at_its_rung_and_nothing_is_changed";
    if !peers::present(test, &[Peer::Ministack, Peer::Boto3]) {
        return;
    }
    let aws = Emulator::ministack(ACCOUNT);
    let (mut home, keys) = lake(&aws);
    act_as(&mut home, &keys["deployer"]);
    connect(&home, &keys);
    let document = |target: &[&str]| {
        let words = [&["template", "show"] as &[&str], target, &["--policy"]].concat();
        home.glueup(&words).ok().json()
    };
    let (trust, grant) = (document(&["connection", "peer"]), document(&["catalog", "lake"]));
    let shown = json_of(&home, &["connection", "show", "peer"]).ok().json();
    let role = shown["role_arn"]
        .as_str()
        .unwrap()
        .rsplit('/')
        .next()
        .unwrap()
        .to_owned();
    let stack = json_of(&home, &["catalog", "show", "lake"]).ok().json()["stack_name"].clone();
    let set = |trust: &Value, grant: &Value| {
        let (trust, grant) = (trust.to_string(), grant.to_string());
        let words = [
            &aws.endpoint(),
            "role",
            &role,
            stack.as_str().unwrap(),
            &trust,
            &grant,
        ];
        peers::script(&aws.home(), "ministack_break.py", &words).ok();
    };
    let inventory = || {
        peers::script(&aws.home(), "ministack_break.py", &[&aws.endpoint(), "inventory"])
            .ok()
            .stdout
    };
    let trusted = |condition: Value| {
        let mut trust = trust.clone();
        trust["Statement"][0]["Condition"] = condition;
        trust
    };
    let mut stranger = trust.clone();
    stranger["Statement"][0]["Principal"] = json!({"AWS": format!("arn:aws:iam::{ACCOUNT}:user/deployer")});
    let mut open = trust.clone();
    open["Statement"][0].as_object_mut().unwrap().remove("Condition");
    let breaks: Vec<(&str, Value, Value, &str)> = vec![
        ("trust of somebody else", stranger, grant.clone(), "role"),
        (
            "another external id",
            trusted(json!({"StringEquals": {"sts:ExternalId": "another"}})),
            grant.clone(),
            "role",
        ),
        ("no condition", open, grant.clone(), "external-id"),
        (
            "any external id",
            trusted(json!({"StringLike": {"sts:ExternalId": "*"}})),
            grant.clone(),
            "external-id",
        ),
        (
            "no glue",
            trust.clone(),
            without(&grant, "ReadCatalog"),
            "databases",
        ),
        (
            "glue denied",
            trust.clone(),
            with(&grant, deny("glue:*")),
            "databases",
        ),
        (
            "tables denied",
            trust.clone(),
            with(&grant, deny("glue:GetTables")),
            "tables",
        ),
        ("no list", trust.clone(), without(&grant, "ListPrefix"), "list"),
        (
            "list denied",
            trust.clone(),
            with(&grant, deny("s3:ListBucket")),
            "list",
        ),
        ("no read", trust.clone(), without(&grant, "ReadObjects"), "read"),
        (
            "read elsewhere",
            trust.clone(),
            elsewhere(&grant, "ReadObjects", "arn:aws:s3:::peer-lake/elsewhere/*"),
            "read",
        ),
        (
            "read denied",
            trust.clone(),
            with(&grant, deny("s3:GetObject")),
            "read",
        ),
        (
            "stray update",
            trust.clone(),
            with(&grant, allow("glue:UpdateTable", "*")),
            "write",
        ),
        (
            "stray create",
            trust.clone(),
            with(&grant, allow("glue:CreateTable", "*")),
            "write",
        ),
        (
            "stray put",
            trust.clone(),
            with(&grant, allow("s3:PutObject", "*")),
            "write",
        ),
        (
            "listing the bucket",
            trust.clone(),
            with(&grant, allow("s3:ListBucket", "arn:aws:s3:::peer-lake")),
            "neighbour",
        ),
        (
            "everything",
            trust.clone(),
            with(&grant, allow("*", "*")),
            "write",
        ),
    ];
    // The engine cannot see how old the stack is, so each denial is judged at once.
    act_as(&mut home, &keys["engine"]);
    let before = inventory();
    for (name, trust, grant, rung) in &breaks {
        set(trust, grant);
        let report = json_of(&home, &["verify", "lake"]).exits(1).json();
        let rungs = report["rungs"].as_array().unwrap();
        let first = rungs.iter().find(|found| found["status"] == "failed").unwrap();
        assert_eq!(first["id"], *rung, "{name}: {first:#}");
        assert!(first["next"].is_string(), "{name}: {first:#}");
    }
    set(&trust, &grant);
    json_of(&home, &["verify", "lake"]).ok();
    assert_eq!(inventory(), before);
}
