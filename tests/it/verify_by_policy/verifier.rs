//! A principal of this side in the trust policy, so that the connection is proven by using it.

use crate::support::demo::Demo;
use serde_json::{Value, json};

#[test]
fn a_verifier_proves_by_use_and_is_taken_away_in_one_step() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    let broker = demo.field("vendor_role_arn").to_owned();
    let ran = |words: &[&str]| home.glueup(words);
    let platform = [
        "init",
        "--platform",
        "wherobots",
        "--edition",
        "Professional",
        "--broker-role",
    ];
    ran(&[&platform[..], &[broker.as_str()]].concat()).ok();
    ran(&[
        "connection",
        "add",
        "--name",
        "c",
        "--account-id",
        demo.field("account_id"),
    ])
    .ok();
    let catalog = [
        "catalog",
        "add",
        "--name",
        "lake",
        "--region",
        "us-west-2",
        "--s3-path",
    ];
    let rest = [
        "s3://acme-lake/warehouse",
        "--access",
        "read-only",
        "--connection",
        "c",
    ];
    ran(&[&catalog[..], &rest].concat()).ok();
    ran(&["deploy", "connection", "c", "--yes"]).ok();
    ran(&["deploy", "catalog", "lake", "--yes"]).ok();

    let verified = |code: i32| {
        let ran = home.glueup(&["verify", "lake", "--output", "json"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        ran.json()
    };
    let rung = |report: &Value, id: &str| {
        let rungs = report["rungs"].as_array().unwrap();
        rungs.iter().find(|rung| rung["id"] == id).unwrap().clone()
    };
    let by_policy = verified(0);
    assert_eq!(rung(&by_policy, "role")["basis"], "policy", "{by_policy:#}");
    let text = ran(&["verify", "lake"]).ok().stdout;
    assert!(text.contains("passed   role         policy"), "{text}");
    assert!(text.contains("glueup connection set c --verifier"), "{text}");

    // Nobody here can read through the role: that is said with the way in, not as a policy that is missing.
    let shut = ran(&["ls", "lake"]);
    assert_eq!(shut.code, Some(4), "{shut:?}");
    assert!(
        shut.stderr.contains("Only Wherobots can assume that role") && shut.stderr.contains("--verifier"),
        "{}",
        shut.stderr
    );
    let packet = ran(&["packet", "lake"]).ok().stdout;
    assert!(
        packet.contains("is a role of Wherobots: nobody else can assume it"),
        "{packet}"
    );

    let me = "arn:aws:iam::012345678901:user/admin";
    let set = ran(&["connection", "set", "c", "--verifier", "me", "--output", "json"]).ok();
    assert_eq!(set.json()["verifier"], me);
    assert!(set.stderr.contains("deploy it again"), "{}", set.stderr);
    // Until it is deployed, the door is shut, and that is said.
    let early = verified(1);
    assert_eq!(rung(&early, "role")["status"], "failed", "{early:#}");
    ran(&["deploy", "connection", "c", "--yes"]).ok();
    let by_use = verified(0);
    assert_eq!(rung(&by_use, "broker")["status"], "skipped");
    for id in ["role", "external-id", "databases", "read", "write", "neighbour"] {
        let found = rung(&by_use, id);
        assert_eq!(
            (&found["status"], &found["basis"]),
            (&json!("passed"), &json!("use")),
            "{found:#}"
        );
    }
    ran(&["ls", "lake"]).ok();
    let shown = ran(&["connection", "show", "c"]).ok().stdout;
    assert!(shown.contains("verifier") && shown.contains(me), "{shown}");
    let policy = ran(&["template", "show", "connection", "c", "--policy"])
        .ok()
        .json();
    assert_eq!(
        policy["Statement"][1]["Sid"], "VerifierWithExternalId",
        "{policy:#}"
    );
    let link = ran(&["link", "connection", "c", "--output", "json"]).ok().json();
    assert_eq!(
        link["parameters"]["VerifierPrincipal"], "arn:aws:iam::012345678901:user/admin",
        "{link}"
    );
    let packet = ran(&["packet", "lake"]).ok().stdout;
    assert!(
        packet.contains("--verifier none") && packet.contains("VerifierWithExternalId"),
        "{packet}"
    );

    let none = ran(&["connection", "set", "c", "--verifier", "none", "--output", "json"]).ok();
    assert_eq!(none.json()["verifier"], Value::Null);
    assert!(none.stderr.contains("deploy it again"), "{}", none.stderr);
    ran(&["deploy", "connection", "c", "--yes"]).ok();
    let again = verified(0);
    assert_eq!(rung(&again, "role")["basis"], "policy");
    let policy = ran(&["template", "show", "connection", "c", "--policy"])
        .ok()
        .json();
    assert_eq!(policy["Statement"].as_array().unwrap().len(), 1);
    let add = [
        "connection",
        "add",
        "--name",
        "d",
        "--account-id",
        demo.field("account_id"),
    ];
    let mine = ran(&[&add[..], &["--verifier", "me", "--output", "json"]].concat()).ok();
    assert_eq!(mine.json()["verifier"], me);
    let root = ran(&[
        "connection",
        "set",
        "c",
        "--verifier",
        "arn:aws:iam::012345678901:root",
    ]);
    assert_eq!(root.code, Some(2), "{root:?}");
}
