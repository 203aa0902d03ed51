//! A deployer who may work with stacks and pass one role, and may do nothing in IAM: `--role-arn` is the way.

use crate::adopted::{grant, role};
use crate::cli_journey::recorded;
use crate::preflight::{check, deployer};
use crate::support::demo::Demo;
use crate::support::home::Home;
use serde_json::{Value, json};

const BY_DEPLOYER: [&str; 2] = ["--profile", "deployer"];

fn service_trust(service: &str) -> Value {
    json!({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}]})
}

/// A service role that may make what glueup's stacks make.
fn service_role(demo: &Demo, name: &str) -> String {
    let arn = role(demo, name, &service_trust("cloudformation.amazonaws.com"));
    let all = json!({"Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "iam:*", "Resource": "*"}]});
    grant(demo, &format!("{name}-rights"), &arn, &all);
    arn
}

fn rights(passed: &str) -> Value {
    json!([
        {"Effect": "Allow", "Action": "cloudformation:*", "Resource": "*"},
        {"Effect": "Allow", "Action": ["iam:SimulatePrincipalPolicy", "iam:GetRole"], "Resource": "*"},
        {"Effect": "Allow", "Action": "iam:PassRole", "Resource": passed, "Condition": {
            "StringEquals": {"iam:PassedToService": "cloudformation.amazonaws.com"}}},
    ])
}

fn run(home: &Home, words: &[&str]) -> crate::support::home::Ran {
    home.glueup(&[&BY_DEPLOYER[..], words].concat())
}

#[test]
fn a_deployer_without_rights_in_iam_deploys_and_deletes_with_a_service_role() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let service = service_role(&demo, "service");
    deployer(&demo, &home, &rights(&service));
    let deploy = ["deploy", "connection", "sales-prod", "--yes"];

    // Preflight says what is lacking, and what is not with the role.
    let asked = ["preflight", "Lake House", "--output", "json"];
    let bare = run(&home, &asked).exits(1).json();
    assert_eq!(check(&bare, "iam")["status"], "failed", "{bare:#}");
    let named = run(&home, &[&asked[..], &["--role-arn", &service]].concat())
        .ok()
        .json();
    for id in ["cloudformation", "iam", "service-role"] {
        assert_eq!(check(&named, id)["status"], "passed", "{named:#}");
    }

    let ran = run(&home, &deploy).exits(1);
    assert!(
        ran.stderr.contains("iam:CreateRole") && ran.stderr.contains("--role-arn"),
        "{}",
        ran.stderr
    );
    // What that left is deleted and made again, with the role.
    run(&home, &[&deploy[..], &["--role-arn", &service]].concat()).ok();
    let catalog = ["deploy", "catalog", "Lake House", "--yes", "--role-arn", &service];
    run(&home, &catalog).ok();

    // Both stacks keep it: what comes later names it no more.
    let kept = run(&home, &asked).ok().json();
    let words = check(&kept, "service-role")["answer"].as_str().unwrap();
    assert!(
        words.contains(&service) && words.contains("which the stack keeps"),
        "{words}"
    );
    run(
        &home,
        &["catalog", "set", "Lake House", "--s3-path", "s3://acme-lake/raw"],
    )
    .ok();
    run(&home, &["deploy", "catalog", "Lake House", "--yes"]).ok();
    run(&home, &["stack", "delete", "catalog", "Lake House", "--yes"]).ok();
    run(&home, &["stack", "delete", "connection", "sales-prod", "--yes"]).ok();
}

#[test]
fn a_service_role_that_does_not_do_is_said_before_and_after() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let service = service_role(&demo, "service");
    let weak = role(&demo, "weak", &service_trust("cloudformation.amazonaws.com"));
    let lambdas = role(&demo, "lambdas", &service_trust("lambda.amazonaws.com"));
    deployer(&demo, &home, &rights(&service));
    let asked = |arn: &str| {
        let ran = run(
            &home,
            &["preflight", "Lake House", "--output", "json", "--role-arn", arn],
        );
        ran.exits(1).json()
    };
    let deployed = |arn: &str, code: i32| {
        let deploy = ["deploy", "connection", "sales-prod", "--yes", "--role-arn", arn];
        // The admin may pass any role.
        home.glueup(&deploy).exits(code).stderr
    };
    let answer = |checks: &Value, id: &str| {
        let found = check(checks, id);
        assert_eq!(found["status"], "failed", "{checks:#}");
        format!("{} {}", found["answer"], found["next"])
    };

    // May not be passed.
    let checks = asked(&weak);
    let words = answer(&checks, "cloudformation");
    assert!(words.contains("iam:PassRole") && words.contains(&weak), "{words}");
    let deploy = ["deploy", "connection", "sales-prod", "--yes", "--role-arn", &weak];
    let said = run(&home, &deploy).exits(4).stderr;
    assert!(said.contains("iam:PassRole"), "{said}");
    // Lacks a right.
    let words = answer(&checks, "iam");
    assert!(words.contains("iam:CreateRole"), "{words}");
    let said = deployed(&weak, 1);
    assert!(
        said.contains("AWSCloudFormation is not authorized") && said.contains("the service role"),
        "{said}"
    );
    // Lets somebody else in.
    let words = answer(&asked(&lambdas), "service-role");
    assert!(
        words.contains("does not let CloudFormation assume it")
            && words.contains("cloudformation.amazonaws.com"),
        "{words}"
    );
    // Is not there.
    let absent = "arn:aws:iam::012345678901:role/absent";
    let words = answer(&asked(absent), "service-role");
    assert!(words.contains(&format!("there is no {absent}")), "{words}");
    home.glueup(&["stack", "delete", "connection", "sales-prod", "--yes"])
        .ok();
    for arn in [lambdas.as_str(), absent] {
        let said = deployed(arn, 1);
        assert!(
            said.contains("is invalid or cannot be assumed")
                && said.contains("must let cloudformation.amazonaws.com assume it"),
            "{said}"
        );
    }
}
