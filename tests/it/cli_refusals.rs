//! What the verbs refuse, with which exit code, and in which words.

use crate::cli_journey::{deployed, recorded};
use crate::support::demo::Demo;
use crate::support::home::{GLUEUP, Home, Ran};
use crate::support::http;
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

pub fn json_of(home: &Home, arguments: &[&str]) -> Ran {
    home.glueup(&[arguments, &["--output", "json"] as &[&str]].concat())
}

#[track_caller]
pub fn refused(home: &Home, code: i32, arguments: &[&str]) -> Value {
    let text = home.glueup(arguments).exits(code);
    assert!(text.stdout.is_empty(), "{}", text.stdout);
    assert!(!text.stderr.is_empty());
    let ran = json_of(home, arguments).exits(code);
    assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    let error = ran.error();
    for field in ["what", "why", "next"] {
        assert!(!error[field].as_str().unwrap().is_empty(), "{error}");
    }
    error
}

#[test]
fn what_is_wrong_is_named_with_its_reason_and_shape() {
    let home = Home::new();
    let connection =
        |account: &'static str| vec!["connection", "add", "--name", "c", "--account-id", account];
    let error = refused(&home, 2, &connection("12345"));
    assert!(error.to_string().contains("12 digits"), "{error}");
    refused(&home, 2, &["connection", "add", "--account-id", "012345678901"]);
    let user = [
        &connection("012345678901")[..],
        &["--role-arn", "arn:aws:iam::012345678901:user/reader"],
    ]
    .concat();
    let error = refused(&home, 2, &user);
    assert!(error.to_string().contains("role/"), "{error}");
    let catalog = |path: &'static str, access: &'static str| {
        vec![
            "catalog",
            "add",
            "--name",
            "n",
            "--region",
            "us-west-2",
            "--s3-path",
            path,
            "--access",
            access,
            "--connection",
            "c",
        ]
    };
    refused(&home, 2, &catalog("https://acme-lake/warehouse", "read-only"));
    refused(&home, 2, &catalog("s3://acme-lake/warehouse", "write"));
    refused(&home, 2, &["verify"]);
    refused(&home, 2, &["verify", "a", "--all"]);
    refused(&home, 2, &["deploy", "bucket", "x", "--yes"]);
    refused(&home, 2, &["schema", "no.dots"]);
    refused(&home, 2, &["init", "--platform", "acme"]);
}

#[test]
fn what_is_not_there_is_said_with_what_comes_near() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let error = refused(&home, 3, &["catalog", "show", "Lake Hose"]);
    assert!(error.to_string().contains("Lake House"), "{error}");
    let error = refused(&home, 3, &["connection", "show", "sales-prd"]);
    assert!(error.to_string().contains("sales-prod"), "{error}");
    for arguments in [
        &["catalog", "delete", "x"] as &[&str],
        &["catalog", "set", "x", "--access", "read-only"],
        &["connection", "delete", "x"],
        &["connection", "verify", "x"],
        &["deploy", "catalog", "x", "--yes"],
        &["stack", "delete", "connection", "x", "--yes"],
        &["link", "catalog", "x"],
        &["template", "show", "catalog", "x"],
        &["verify", "x"],
        &["ls", "x"],
        &["schema", "x.y.z"],
    ] {
        refused(&home, 3, arguments);
    }
}

#[test]
fn nothing_changes_aws_without_a_yes() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    for arguments in [
        &["deploy", "connection", "sales-prod"] as &[&str],
        &["deploy", "catalog", "Lake House"],
        &["stack", "delete", "connection", "sales-prod"],
        &[
            "template",
            "publish",
            "connection",
            "sales-prod",
            "--bucket",
            "acme-lake",
        ],
    ] {
        let error = refused(&home, 2, arguments);
        assert!(error["what"].as_str().unwrap().contains("--yes"), "{error}");
    }
    let shown = json_of(&home, &["connection", "show", "sales-prod"]).ok().json();
    assert_eq!(shown["role_arn"], Value::Null);
}

#[test]
fn a_user_may_use_and_not_change() {
    let demo = Demo::start(&[]);
    let mut home = deployed(&demo);
    home.glueup(&["init", "--admin", "arn:aws:iam::*:user/admin"])
        .ok();
    for (name, value) in demo.envs_as("engine") {
        home.set(name, value);
    }
    for arguments in [
        &[
            "connection",
            "add",
            "--name",
            "mine",
            "--account-id",
            "012345678901",
        ] as &[&str],
        &["connection", "set", "sales-prod", "--deploy-profile", "p"],
        &["catalog", "set", "Lake House", "--access", "read-write"],
        &["catalog", "delete", "Lake House"],
        &["deploy", "catalog", "Lake House", "--yes"],
        &["stack", "delete", "catalog", "Lake House", "--yes"],
        &["init", "--admin", "*"],
    ] {
        let error = refused(&home, 4, arguments);
        assert!(error.to_string().contains("admin"), "{error}");
    }
    json_of(&home, &["catalog", "show", "Lake House"]).ok();
    json_of(&home, &["ls", "Lake House"]).ok();
    json_of(&home, &["verify", "Lake House"]).ok();
}

#[test]
fn without_credentials_it_says_so_at_once() {
    let demo = Demo::start(&[]);
    let records = recorded(&demo);
    let home = Home::new().with("GLUEUP_HOME", records.records().display().to_string());
    let start = Instant::now();
    let error = refused(&home, 4, &["ls", "Lake House", "--as-caller"]);
    assert!(error.to_string().contains("credentials"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_denied_listing_is_never_an_empty_one() {
    let demo = Demo::start(&[]);
    let mut home = deployed(&demo);
    for (name, value) in demo.envs_as("outsider") {
        home.set(name, value);
    }
    let error = refused(&home, 4, &["ls", "Lake House", "--as-caller"]);
    assert!(error.to_string().contains("glue:GetDatabases"), "{error}");
    assert_eq!(error["detail"]["action"], "glue:GetDatabases", "{error}");
}

#[test]
fn an_endpoint_that_does_not_answer_is_unreachable() {
    let demo = Demo::start(&[]);
    let mut home = deployed(&demo);
    home.set("AWS_ENDPOINT_URL", "http://127.0.0.1:9");
    refused(&home, 5, &["ls", "Lake House"]);
    refused(&home, 5, &["link", "catalog", "Lake House"]);
    for wrong in ["nonsense", "ftp://127.0.0.1:9", "http://"] {
        home.set("AWS_ENDPOINT_URL", wrong);
        let error = refused(&home, 2, &["ls", "Lake House"]);
        assert!(error["what"].as_str().unwrap().contains(wrong), "{error}");
    }
}

#[test]
fn a_verify_that_does_not_get_through_leaves_the_last_proof_as_it_is() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let mut home = deployed(&demo);
    home.glueup(&["verify", "Lake House"]).ok();
    let shown = |home: &Home| {
        let shown = json_of(home, &["catalog", "show", "Lake House"]).ok().json();
        (shown["stage"].clone(), shown["verified"].clone())
    };
    let before = shown(&home);
    assert_eq!(before.0, "ready");
    let endpoint = demo.endpoint().to_owned();
    for (name, value, code) in [
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:9", 1),
        ("AWS_SECRET_ACCESS_KEY", "wrong", 4),
    ] {
        home.set(name, value);
        for verb in [&["verify", "Lake House"] as &[&str], &["verify", "--all"]] {
            let ran = home.glueup(verb).exits(code);
            assert!(
                ran.stdout
                    .contains("Nothing was proven or disproven: the last verdict, of 20"),
                "{}",
                ran.stdout
            );
        }
        home.glueup(&["connection", "verify", "sales-prod"]).exits(code);
        home.set("AWS_ENDPOINT_URL", &endpoint);
        home.set("AWS_SECRET_ACCESS_KEY", demo.field("secret_access_key"));
        assert_eq!(shown(&home), before, "{name}");
    }
}

#[test]
fn a_list_of_only_some_records_is_no_success() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let file = home.records().join("connections/broken.yaml");
    std::fs::write(&file, "version: 1\n\tname: broken\n").unwrap();
    let ran = json_of(&home, &["connection", "list"]).exits(1);
    assert_eq!(ran.json()["connections"][0]["name"], "sales-prod");
    let what = ran.error()["what"].to_string();
    assert!(what.contains("broken.yaml") && what.contains("line 2"), "{what}");
    std::fs::remove_file(&file).unwrap();
    json_of(&home, &["connection", "list"]).ok();
}

#[cfg(unix)]
#[test]
fn a_device_is_no_place_for_a_template() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let save = [
        "template",
        "save",
        "connection",
        "sales-prod",
        "--to",
        "/dev/zero",
    ];
    refused(&home, 1, &save);
}

#[cfg(unix)]
#[test]
fn ctrl_c_before_the_stack_is_made_makes_none_whatever_was_agreed_to() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let address = demo.line["endpoint_url"].as_str().unwrap().replace("http://", "");
    let slow = http::request(&address, "PUT", "/_glueup/knobs", &[], br#"{"latency_ms":1500}"#);
    assert_eq!(slow.unwrap().status, 200);
    let mut verb = home
        .command(GLUEUP)
        .args(["deploy", "connection", "sales-prod", "--yes"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The first question to AWS takes longer than this.
    std::thread::sleep(Duration::from_millis(1_000));
    let id = verb.id().to_string();
    assert!(
        home.command("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(verb.wait().unwrap().code(), Some(130));
    // Whatever is asked of AWS stands in the ledger first.
    assert!(!home.records().join("ledger.jsonl").exists());
}

#[test]
fn a_rung_that_fails_is_the_answer_and_no_error() {
    let demo = Demo::start(&[]);
    let mut home = deployed(&demo);
    for (name, value) in demo.envs_as("outsider") {
        home.set(name, value);
    }
    let ran = json_of(&home, &["verify", "Lake House"]).exits(1);
    let report = ran.json();
    assert_eq!(report["verdict"], "failed");
    let failed = report["rungs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["status"] == "failed")
        .unwrap();
    assert_eq!(failed["id"], "broker", "{report}");
    assert!(!failed["next"].as_str().unwrap().is_empty());
}

#[test]
fn a_verdict_that_cannot_be_kept_is_given_all_the_same() {
    let demo = Demo::start(&[]);
    let home = deployed(&demo);
    let verdicts = home.records().join("state");
    std::fs::remove_dir_all(&verdicts).ok();
    std::fs::write(&verdicts, "in the way").unwrap();
    let ran = json_of(&home, &["verify", "Lake House"]).ok();
    assert_eq!(ran.json()["verdict"], "warning");
    assert!(ran.stderr.contains("not kept"), "{}", ran.stderr);
}

#[test]
fn two_verifies_are_compared() {
    let demo = Demo::start(&[]);
    let mut home = deployed(&demo);
    let all = json_of(&home, &["verify", "--all"]).ok().json();
    assert_eq!(all["results"][0]["name"], "Lake House");
    assert_eq!(all["results"][0]["changed"], serde_json::json!([]));
    for (name, value) in demo.envs_as("outsider") {
        home.set(name, value);
    }
    let all = json_of(&home, &["verify", "--all"]).exits(1).json();
    let changed = all["results"][0]["changed"].as_array().unwrap();
    assert!(
        changed
            .iter()
            .any(|c| c["rung"] == "broker" && c["was"] == "passed" && c["is"] == "failed"),
        "{all}"
    );
}

#[test]
fn the_template_alone_goes_to_stdout() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let ran = home
        .glueup(&["template", "show", "connection", "sales-prod"])
        .ok();
    assert!(
        ran.stdout.starts_with("AWSTemplateFormatVersion"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("AccountId = 012345678901"), "{}", ran.stderr);
    let json = json_of(&home, &["template", "show", "connection", "sales-prod"])
        .ok()
        .json();
    assert_eq!(json["template"].as_str().unwrap(), ran.stdout);
    assert_eq!(json["parameters"]["AccountId"], "012345678901");
    let saved = json_of(
        &home,
        &["template", "save", "connection", "sales-prod", "--to", "t.yaml"],
    )
    .ok()
    .json();
    assert!(saved["saved"].as_str().unwrap().ends_with("t.yaml"));
    assert_eq!(
        std::fs::read_to_string(home.path().join("t.yaml")).unwrap(),
        ran.stdout
    );
}
