//! `glueup ledger`: what has been changed, and what has been tried.

use crate::cli_journey::deployed;
use crate::support::demo::Demo;
use crate::support::home::Home;
use glueup::registry::Probe;
use glueup::registry::ledger::Intent;
use std::io::Write;

fn lines_of(home: &Home, arguments: &[&str]) -> Vec<serde_json::Value> {
    let arguments = [&["ledger", "--output", "json"], arguments].concat();
    home.glueup(&arguments).ok().json_lines()
}

/// Adds to a file of the home, as a process does that is killed in the middle of its write.
fn leave(home: &Home, file: &str, bytes: &[u8]) {
    std::fs::OpenOptions::new()
        .append(true)
        .open(home.records().join(file))
        .unwrap()
        .write_all(bytes)
        .unwrap();
}

#[test]
fn an_empty_ledger_is_no_line_and_no_error() {
    let home = Home::new();
    for arguments in [&["ledger"] as &[&str], &["ledger", "--probes"]] {
        let ran = home.glueup(arguments).ok();
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
        assert_eq!(
            home.glueup(&[arguments, &["--output", "json"]].concat())
                .ok()
                .stdout,
            ""
        );
    }
    assert!(!home.records().exists(), "looking makes no home");
}

#[test]
fn every_change_is_a_line_and_a_broken_one_hides_no_other() {
    let demo = Demo::start(&[]);
    let home = deployed(&demo);
    let entries = lines_of(&home, &[]);
    let changes: Vec<&str> = entries
        .iter()
        .map(|entry| entry["intent"]["action"].as_str().unwrap())
        .collect();
    assert!(
        changes.contains(&"CreateChangeSet") || changes.contains(&"CreateStack"),
        "{changes:?}"
    );
    for entry in &entries {
        assert_eq!(entry["intent"]["service"], "cloudformation", "{entry}");
        assert_eq!(entry["outcome"], "done", "{entry}");
        assert!(entry["at"].as_str().unwrap().ends_with('Z'), "{entry}");
        assert!(entry["intent"]["resource"].is_string() && entry.get("request_id").is_some());
    }

    leave(&home, "ledger.jsonl", b"{\"id\":\"x\",\"at\":\"2026-1\xff");
    // The next change begins a line of its own.
    home.glueup(&["stack", "delete", "catalog", "Lake House", "--yes"])
        .ok();
    let ran = home.glueup(&["ledger"]).ok();
    let rows: Vec<&str> = ran.stdout.lines().collect();
    assert!(rows.len() > entries.len(), "{}", ran.stdout);
    assert!(
        rows.last().unwrap().contains("cloudformation:DeleteStack"),
        "{}",
        ran.stdout
    );
    assert!(rows.iter().all(|row| row.ends_with("  done")), "{}", ran.stdout);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("ledger.jsonl: 1 line could not be read"),
        "{}",
        ran.stderr
    );
    let columns: Vec<Option<usize>> = rows.iter().map(|row| row.find("cloudformation:")).collect();
    assert!(
        columns.iter().all(|column| *column == columns[0]),
        "{}",
        ran.stdout
    );
    assert_eq!(lines_of(&home, &[]).len(), rows.len());

    // What ended before AWS had answered is not said to be done, nor to have failed.
    leave(
        &home,
        "ledger.jsonl",
        b"{\"id\":\"y\",\"at\":\"2026-11-30T14:00:00Z\",\"intent\":{\"service\":\"glue\",\"action\":\"A\\u001b[2J\",\"resource\":\"\"}}\n",
    );
    let last = lines_of(&home, &[]).pop().unwrap();
    assert_eq!(last["outcome"], serde_json::Value::Null);
    let ran = home.glueup(&["ledger"]).ok();
    assert!(
        ran.stdout.ends_with("not known\n") && ran.stdout.contains("glue:A␛[2J"),
        "{}",
        ran.stdout
    );
}

#[test]
fn probes_are_listed_apart() {
    let home = Home::new();
    let probe = |action: &str, outcome: &str| Probe {
        at: "2026-11-30T14:00:00Z".parse().unwrap(),
        intent: Intent {
            service: "s3".into(),
            action: action.into(),
            resource: "arn:aws:s3:::acme-lake/warehouse/probe".into(),
        },
        outcome: outcome.into(),
        request_id: Some(format!("r-{action}")),
    };
    glueup::registry::Home::at(home.records())
        .note_probes(&[
            probe("UploadPart", "AccessDenied"),
            probe("ListObjectsV2", "allowed"),
        ])
        .unwrap();
    leave(&home, "probes.jsonl", b"{\"at\"");
    let probes = lines_of(&home, &["--probes"]);
    assert_eq!(probes.len(), 2);
    assert_eq!(
        probes[0],
        serde_json::json!({
            "at": "2026-11-30T14:00:00Z",
            "intent": {
                "service": "s3",
                "action": "UploadPart",
                "resource": "arn:aws:s3:::acme-lake/warehouse/probe",
            },
            "outcome": "AccessDenied",
            "request_id": "r-UploadPart",
        })
    );
    let ran = home.glueup(&["ledger", "--probes"]).ok();
    assert!(ran.stderr.contains("probes.jsonl"), "{}", ran.stderr);
    assert!(
        ran.stdout.lines().next().unwrap().ends_with("  AccessDenied"),
        "{}",
        ran.stdout
    );
    // The ledger proper tells changes only.
    assert!(lines_of(&home, &[]).is_empty());
}
