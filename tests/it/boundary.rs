//! An account that demands a permissions boundary on new roles.

use crate::adopted::stack;
use crate::cli_journey::recorded;
use crate::preflight::{check, deployer};
use crate::support::demo::Demo;
use crate::support::home::{Home, Ran};
use serde_json::{Value, json};

/// A managed policy that lets a role do what glueup asks for.
fn house_rules(demo: &Demo) -> String {
    let document = json!({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Action": ["glue:*", "s3:*"], "Resource": "*"}]});
    let policy = json!({"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": document}});
    let output = json!({"RoleArn": {"Value": {"Ref": "Policy"}}});
    stack(demo, "house-rules", &json!({ "Policy": policy }), &output)
}

/// Who may do everything, and make no role without that boundary.
fn bounded(demo: &Demo, home: &Home, boundary: &str) {
    let deny = json!({"Effect": "Deny", "Action": "iam:CreateRole", "Resource": "*",
        "Condition": {"StringNotEquals": {"iam:PermissionsBoundary": boundary}}});
    let all = json!({"Effect": "Allow", "Action": "*", "Resource": "*"});
    deployer(demo, home, &json!([all, deny]));
}

fn run(home: &Home, words: &[&str]) -> Ran {
    home.glueup(&[&["--profile", "deployer"], words].concat())
}

const DEPLOY: [&str; 4] = ["deploy", "connection", "sales-prod", "--yes"];

fn deploy(home: &Home, code: i32) -> Value {
    let ran = run(home, &[&DEPLOY[..], &["--output", "json"]].concat()).exits(code);
    if code == 0 { Value::Null } else { ran.error() }
}

#[test]
fn a_role_without_the_boundary_is_refused_with_the_flag_that_names_it() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let boundary = house_rules(&demo);
    bounded(&demo, &home, &boundary);

    let asked = ["preflight", "Lake House", "--output", "json"];
    let checks = run(&home, &asked).exits(1).json();
    let iam = check(&checks, "iam");
    assert!(
        iam["answer"]
            .as_str()
            .unwrap()
            .contains("permissions boundary on the role, and the connection names none"),
        "{iam:#}"
    );
    assert!(
        iam["next"]
            .as_str()
            .unwrap()
            .contains("glueup connection set sales-prod --permissions-boundary ARN"),
        "{iam:#}"
    );

    let error = deploy(&home, 1);
    assert!(
        error["why"].as_str().unwrap().contains("iam:CreateRole")
            && error["why"].as_str().unwrap().contains("with an explicit deny"),
        "{error:#}"
    );
    let next = error["next"].as_str().unwrap();
    assert!(
        next.contains("Where it asks for a permissions boundary on new roles"),
        "{next}"
    );
    let commands: Vec<&str> = next.lines().skip(1).collect();
    assert_eq!(
        commands,
        [
            "glueup connection set sales-prod --permissions-boundary ARN",
            "glueup deploy connection sales-prod"
        ],
        "{next}"
    );

    // Another boundary than the one that is demanded does not do, and that is said.
    let set = |arn: &str| {
        let words = ["connection", "set", "sales-prod", "--permissions-boundary", arn];
        run(&home, &words).ok();
    };
    set("arn:aws:iam::aws:policy/AdministratorAccess");
    let error = deploy(&home, 1);
    let next = error["next"].as_str().unwrap();
    assert!(next.contains("another one may be demanded"), "{next}");

    set(&boundary);
    assert_eq!(check(&run(&home, &asked).ok().json(), "iam")["status"], "passed");
    deploy(&home, 0);
    run(&home, &["deploy", "catalog", "Lake House", "--yes"]).ok();
    let report = home.glueup(&["verify", "Lake House", "--output", "json"]).json();
    assert_ne!(report["verdict"], "failed", "{report:#}");
}
