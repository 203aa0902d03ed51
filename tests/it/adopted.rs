//! A role that somebody made by hand or with another tool: used as it is, verified, and told what it lacks.

use crate::support::demo::Demo;
use crate::support::home::{Home, Ran};
use crate::support::wait_for;
use glueup::cloud::stacks::{NewStack, Template};
use glueup::cloud::{Aws, Settings};
use serde_json::{Value, json};

const ID: &str = "made-by-terraform-4711";
const ADMIN: &str = "arn:aws:iam::012345678901:user/admin";

/// Makes a stack of somebody else's template, and answers its output `RoleArn`, if it has one.
pub fn stack(demo: &Demo, name: &str, resources: &Value, outputs: &Value) -> String {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let settings = Settings::demo(
        demo.endpoint(),
        demo.field("region").parse().unwrap(),
        demo.field("access_key_id"),
        demo.field("secret_access_key"),
    );
    let body = json!({"Resources": resources, "Outputs": outputs}).to_string();
    let stacks = runtime.block_on(async {
        let aws = Aws::sign_in(&settings).await.unwrap();
        let stacks = aws.stacks(&demo.field("region").parse().unwrap());
        let new = NewStack {
            name: name.into(),
            template: Template::Body(body),
            parameters: vec![],
            tags: vec![],
            capability: Some("CAPABILITY_IAM".into()),
            role_arn: None,
            token: None,
        };
        stacks.create(new).await.unwrap();
        stacks
    });
    let made = wait_for(
        "stack",
        || name.to_owned(),
        || {
            let found = runtime.block_on(stacks.describe(name)).unwrap().unwrap();
            (found.status == "CREATE_COMPLETE").then_some(found)
        },
    );
    made.outputs.get("RoleArn").cloned().unwrap_or_default()
}

pub fn role(demo: &Demo, name: &str, trust: &Value) -> String {
    let resource = json!({"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": trust}});
    let output = json!({"RoleArn": {"Value": {"Fn::GetAtt": ["Role", "Arn"]}}});
    stack(demo, name, &json!({"Role": resource}), &output)
}

pub fn grant(demo: &Demo, name: &str, role_arn: &str, document: &Value) {
    let role = role_arn.rsplit('/').next().unwrap();
    let policy = json!({"Type": "AWS::IAM::Policy",
        "Properties": {"PolicyName": name, "Roles": [role], "PolicyDocument": document}});
    stack(demo, name, &json!({"Policy": policy}), &json!({}));
}

fn trust(id: &str) -> Value {
    json!({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": ADMIN},
        "Action": "sts:AssumeRole", "Condition": {"StringEquals": {"sts:ExternalId": id}}}]})
}

fn add(home: &Home, role_arn: &str, more: &[&str]) -> Ran {
    let line = [
        "connection",
        "add",
        "--name",
        "theirs",
        "--account-id",
        "012345678901",
        "--role-arn",
        role_arn,
    ];
    home.glueup(&[&line as &[&str], more].concat())
}

fn catalog(home: &Home) -> Ran {
    home.glueup(&[
        "catalog",
        "add",
        "--name",
        "Lake House",
        "--region",
        "us-west-2",
        "--s3-path",
        "s3://acme-lake/warehouse",
        "--access",
        "read-only",
        "--connection",
        "theirs",
    ])
}

fn verified(home: &Home, code: i32) -> Value {
    home.glueup(&["verify", "Lake House", "--output", "json"])
        .exits(code)
        .json()
}

#[track_caller]
fn next<'a>(report: &'a Value, rung: &str) -> &'a str {
    let rungs = report["rungs"].as_array().unwrap();
    let rung = rungs.iter().find(|found| found["id"] == rung).unwrap();
    assert_eq!(rung["status"], "failed", "{rung}");
    rung["next"]
        .as_str()
        .unwrap_or_else(|| panic!("no next in {rung}"))
}

const GRANT: &str = "glueup template show catalog 'Lake House' --policy";
const TRUST: &str = "glueup template show connection theirs --policy";

#[test]
fn the_printed_permissions_are_just_what_the_role_lacks() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = demo.home();
    let role_arn = role(&demo, "by-hand", &trust(ID));
    let ran = add(&home, &role_arn, &["--external-id", ID, "--trust", ADMIN]).ok();
    assert!(ran.stderr.contains(TRUST), "{}", ran.stderr);
    let ran = catalog(&home).ok();
    assert!(ran.stderr.contains("nothing is to be deployed"), "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("none: the connection's role was there before"),
        "{}",
        ran.stdout
    );
    let shown = home
        .glueup(&["catalog", "show", "Lake House", "--output", "json"])
        .ok()
        .json();
    assert_eq!(shown["stage"], "verify");
    let shown = home
        .glueup(&["connection", "show", "theirs", "--output", "json"])
        .ok()
        .json();
    assert_eq!(
        (shown["adopted"].as_bool(), shown["external_id"].as_str()),
        (Some(true), Some(ID))
    );

    for (target, line) in [
        (["catalog", "Lake House"], GRANT),
        (["connection", "theirs"], TRUST),
    ] {
        let ran = home
            .glueup(&[&["deploy"] as &[&str], &target, &["--yes"]].concat())
            .exits(1);
        assert!(
            ran.stderr.contains("never changes it") && ran.stderr.contains(line),
            "{}",
            ran.stderr
        );
    }

    let report = verified(&home, 1);
    for rung in ["databases", "list"] {
        assert!(next(&report, rung).contains(GRANT), "{report:#}");
    }

    let policy = home
        .glueup(&["template", "show", "catalog", "Lake House", "--policy"])
        .ok();
    assert!(
        policy
            .stderr
            .contains("aws iam put-role-policy --role-name by-hand-Role-"),
        "{}",
        policy.stderr
    );
    grant(&demo, "what-was-printed", &role_arn, &policy.json());
    let report = verified(&home, 0);
    for rung in report["rungs"].as_array().unwrap() {
        // The embedded lake has a table outside of the prefix, and there is no broker.
        let expected = match rung["id"].as_str().unwrap() {
            "locations" => "warning",
            "broker" => "skipped",
            _ => "passed",
        };
        assert_eq!(rung["status"], expected, "{rung}");
    }

    let all =
        json!({"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}});
    grant(&demo, "everything", &role_arn, &all);
    let report = verified(&home, 1);
    for rung in ["write", "neighbour"] {
        let next = next(&report, rung);
        assert!(
            next.contains("beyond what Lake House asks for")
                && next.contains("--policy-name everything")
                && next.contains(GRANT),
            "{next}"
        );
        assert!(!next.contains("stack"), "there is no such stack: {next}");
    }
    assert_eq!(
        home.glueup(&["ledger"]).ok().stdout,
        "",
        "nothing of it was ours to change"
    );
}

#[test]
fn the_printed_trust_policy_lets_us_in() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = demo.home();
    let role_arn = role(&demo, "other-id", &trust("somebody-elses"));
    add(&home, &role_arn, &["--trust", ADMIN]).ok();
    catalog(&home).ok();
    let report = verified(&home, 1);
    assert!(next(&report, "role").contains(TRUST), "{report:#}");
    let policy = home
        .glueup(&["template", "show", "connection", "theirs", "--policy"])
        .ok();
    assert!(
        policy.stderr.contains("update-assume-role-policy"),
        "{}",
        policy.stderr
    );
    let right = role(&demo, "right-id", &policy.json());
    home.glueup(&["connection", "set", "theirs", "--role-arn", &right])
        .ok();
    let report = home
        .glueup(&["connection", "verify", "theirs", "--output", "json"])
        .ok()
        .json();
    assert_eq!(report["verdict"], "passed", "{report:#}");
}

#[test]
fn two_catalogs_on_one_such_role_are_no_holes_of_each_other() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = demo.home();
    let role_arn = role(&demo, "shared", &trust(ID));
    add(&home, &role_arn, &["--external-id", ID, "--trust", ADMIN]).ok();
    catalog(&home).ok();
    home.glueup(&[
        "catalog",
        "add",
        "--name",
        "whole",
        "--region",
        "us-west-2",
        "--s3-path",
        "s3://acme-lake",
        "--access",
        "read-only",
        "--connection",
        "theirs",
    ])
    .ok();
    for (name, stack) in [("Lake House", "for-lake-house"), ("whole", "for-whole")] {
        let policy = home
            .glueup(&["template", "show", "catalog", name, "--policy"])
            .ok()
            .json();
        grant(&demo, stack, &role_arn, &policy);
    }
    let report = verified(&home, 0);
    assert_ne!(report["verdict"], "failed", "{report:#}");
}

#[test]
fn an_external_id_is_chosen_only_for_a_role_that_is_there() {
    let home = Home::new();
    let own = [
        "connection",
        "add",
        "--name",
        "ours",
        "--account-id",
        "012345678901",
        "--trust",
        ADMIN,
        "--external-id",
        ID,
    ];
    let ran = home.glueup(&own).exits(2);
    assert!(ran.stderr.contains("cannot be chosen"), "{}", ran.stderr);
    home.glueup(&own[..8]).ok();
    home.glueup(&["connection", "set", "ours", "--external-id", ID])
        .exits(2);

    let arn = "arn:aws:iam::012345678901:role/lake-reader";
    add(&home, arn, &[]).ok();
    catalog(&home).ok();
    // What cannot be is said before anybody has to sign in.
    let ran = home
        .glueup(&["deploy", "catalog", "Lake House", "--yes"])
        .exits(1);
    assert!(ran.stderr.contains(GRANT), "{}", ran.stderr);
    let policy = home
        .glueup(&["template", "show", "connection", "theirs", "--policy"])
        .ok();
    assert!(policy.stderr.contains("nobody is on record"), "{}", policy.stderr);
    assert_eq!(
        policy.json()["Statement"][0]["Principal"]["AWS"],
        json!(["arn:aws:iam::012345678901:role/WHO-MAY-ASSUME-THIS-ROLE"])
    );
    home.glueup(&["connection", "set", "theirs", "--external-id", "a-new-one"])
        .ok();
    let policy = home
        .glueup(&[
            "template",
            "show",
            "connection",
            "theirs",
            "--policy",
            "--output",
            "json",
        ])
        .ok();
    let text = policy.stdout.as_str();
    assert!(
        text.contains("a-new-one")
            && text.contains("\"role_arn\":\"arn:aws:iam::012345678901:role/lake-reader\"")
    );
}
