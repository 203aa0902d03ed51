//! Preflight: what keeps this caller from deploying here is said before anything is launched, and it is true.

use crate::adopted::{grant, role, stack};
use crate::cli_journey::{deployed, recorded};
use crate::support::demo::Demo;
use crate::support::home::{Home, Ran};
use serde_json::{Value, json};

const ADMIN: &str = "arn:aws:iam::012345678901:user/admin";

fn preflight(home: &Home, more: &[&str]) -> Ran {
    home.glueup(&[more, &["preflight", "Lake House", "--output", "json"] as &[&str]].concat())
}

#[track_caller]
pub fn check<'a>(checks: &'a Value, id: &str) -> &'a Value {
    let list = checks["checks"].as_array().unwrap();
    let found = list.iter().find(|check| check["id"] == id);
    found.unwrap_or_else(|| panic!("no {id} in {checks:#}"))
}

fn statuses(checks: &Value) -> Vec<(&str, &str)> {
    let list = checks["checks"].as_array().unwrap().iter();
    list.map(|check| (check["id"].as_str().unwrap(), check["status"].as_str().unwrap()))
        .collect()
}

/// A deployer with just these rights, as the profile `deployer` of the home.
pub fn deployer(demo: &Demo, home: &Home, statements: &Value) -> String {
    let trust = json!({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": ADMIN},
        "Action": "sts:AssumeRole"}]});
    let role = role(demo, "deployer", &trust);
    grant(
        demo,
        "deployer-rights",
        &role,
        &json!({"Version": "2012-10-17", "Statement": statements}),
    );
    profile(home, &role);
    role
}

fn profile(home: &Home, role: &str) {
    let text = format!(
        "[profile deployer]\nrole_arn = {role}\ncredential_source = Environment\nregion = us-west-2\n\
         role_session_name = ann\n"
    );
    std::fs::write(&home.envs()["AWS_CONFIG_FILE"], text).unwrap();
}

const ASKING: [&str; 2] = ["iam:SimulatePrincipalPolicy", "iam:GetRole"];

#[test]
fn an_admin_may_all_of_it_and_nothing_is_changed() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let checks = preflight(&home, &[]).ok().json();
    assert_eq!(checks["name"], "Lake House");
    assert_eq!(
        statuses(&checks),
        [
            ("organization", "passed"),
            ("account", "passed"),
            ("region", "passed"),
            ("stack-name", "passed"),
            ("policy-size", "passed"),
            ("cloudformation", "passed"),
            ("iam", "passed"),
            ("encryption", "passed"),
            ("catalog-encryption", "passed"),
        ],
        "{checks:#}"
    );
    let names = check(&checks, "stack-name")["answer"].as_str().unwrap();
    assert!(names.contains("glueup-connection-sales-prod is free"), "{names}");
    assert!(home.glueup(&["ledger"]).ok().stdout.is_empty());
    let text = home.glueup(&["preflight", "sales-prod"]).ok().stdout;
    assert!(text.starts_with("passed   organization"), "{text}");
    // A stack that is there: ours to whose it is, a colleague's to whoever has the record too.
    let theirs = deployed(&demo);
    let checks = preflight(&theirs, &[]).ok().json();
    let names = check(&checks, "stack-name");
    assert_eq!(names["status"], "passed", "{names:#}");
    assert!(
        names["answer"]
            .as_str()
            .unwrap()
            .contains("is ours, CREATE_COMPLETE")
    );
    let checks = preflight(&home, &[]).ok().json();
    let names = check(&checks, "stack-name");
    assert_eq!(names["status"], "warning", "{names:#}");
    assert!(
        names["next"].as_str().unwrap().contains("take it over"),
        "{names:#}"
    );
}

#[test]
fn what_a_deployer_lacks_is_named_and_the_printed_statement_mends_it() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let own = json!([
        {"Effect": "Allow", "Action": ["cloudformation:*"], "Resource": "*"},
        {"Effect": "Allow", "Action": ASKING, "Resource": "*"},
        {"Effect": "Allow", "Action": ["iam:CreateRole", "iam:PutRolePolicy", "iam:GetRolePolicy",
            "iam:DeleteRolePolicy", "iam:UpdateAssumeRolePolicy", "iam:UntagRole", "iam:List*"], "Resource": "*"},
    ]);
    let role = deployer(&demo, &home, &own);
    let ran = preflight(&home, &["--profile", "deployer"]).exits(1);
    let checks = ran.json();
    assert_eq!(check(&checks, "cloudformation")["status"], "passed");
    let iam = check(&checks, "iam");
    assert_eq!(iam["status"], "failed");
    let answer = iam["answer"].as_str().unwrap();
    assert!(
        answer.contains("may not: iam:TagRole (no policy allows it)"),
        "{answer}"
    );
    assert!(answer.contains("later on: iam:DeleteRole"), "{answer}");
    // It was no idle word.
    let failed = home.glueup(&[
        "--profile",
        "deployer",
        "deploy",
        "connection",
        "sales-prod",
        "--yes",
    ]);
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    assert!(failed.stderr.contains("iam:TagRole"), "{}", failed.stderr);

    let statement = iam["next"].as_str().unwrap().lines().nth(1).unwrap();
    let statement: Value = serde_json::from_str(statement).unwrap();
    let mended = json!({"Version": "2012-10-17", "Statement": [statement]});
    grant(&demo, "mended", &role, &mended);
    let checks = preflight(&home, &["--profile", "deployer"]).ok().json();
    assert_eq!(check(&checks, "iam")["status"], "passed", "{checks:#}");
    home.glueup(&[
        "--profile",
        "deployer",
        "deploy",
        "connection",
        "sales-prod",
        "--yes",
    ])
    .ok();
    home.glueup(&[
        "--profile",
        "deployer",
        "deploy",
        "catalog",
        "Lake House",
        "--yes",
    ])
    .ok();
}

#[test]
fn a_deny_and_a_boundary_are_told_apart() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let own = json!([
        {"Effect": "Allow", "Action": "*", "Resource": "*"},
        {"Sid": "No", "Effect": "Deny", "Action": "cloudformation:ExecuteChangeSet", "Resource": "*"},
    ]);
    deployer(&demo, &home, &own);
    let checks = preflight(&home, &["--profile", "deployer"]).exits(1).json();
    let stacks = check(&checks, "cloudformation")["answer"].as_str().unwrap();
    assert!(
        stacks.contains("cloudformation:ExecuteChangeSet (denied by deployer-rights)"),
        "{stacks}"
    );

    let trust = json!({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": ADMIN},
        "Action": "sts:AssumeRole"}]});
    let bounded = json!({
        "Boundary": {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": {"Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Action": ["cloudformation:*", "iam:Get*", "iam:Simulate*"], "Resource": "*"}]}}},
        "Role": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": trust,
            "PermissionsBoundary": {"Ref": "Boundary"},
            "Policies": [{"PolicyName": "all", "PolicyDocument": {"Version": "2012-10-17",
                "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}}]}},
    });
    let output = json!({"RoleArn": {"Value": {"Fn::GetAtt": ["Role", "Arn"]}}});
    profile(&home, &stack(&demo, "bounded", &bounded, &output));
    let checks = preflight(&home, &["--profile", "deployer"]).exits(1).json();
    let roles = check(&checks, "iam")["answer"].as_str().unwrap();
    assert!(
        roles.contains("permissions boundary does not allow it"),
        "{roles}"
    );
}

#[test]
fn who_may_not_lead_a_stack_out_is_told_before_it_is_stuck() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let ways_out = [
        "cloudformation:ContinueUpdateRollback",
        "cloudformation:RollbackStack",
    ];
    let deny = json!({"Effect": "Deny", "Action": ways_out, "Resource": "*"});
    let own = json!([{"Effect": "Allow", "Action": "*", "Resource": "*"}, deny]);
    deployer(&demo, &home, &own);
    let checks = preflight(&home, &["--profile", "deployer"]).ok().json();
    let stacks = check(&checks, "cloudformation");
    let told = stacks["answer"].as_str().unwrap().contains(&ways_out.join(", "));
    assert!(told && stacks["status"] == "warning", "{stacks:#}");
}

#[test]
fn who_may_not_ask_the_simulator_is_told_that_nothing_is_known() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let own = json!([{"Effect": "Allow", "Action": ["cloudformation:*", "iam:CreateRole"], "Resource": "*"}]);
    deployer(&demo, &home, &own);
    let checks = preflight(&home, &["--profile", "deployer"]).ok().json();
    for id in ["cloudformation", "iam"] {
        let found = check(&checks, id);
        assert_eq!(found["status"], "skipped", "{found:#}");
        assert!(
            found["answer"]
                .as_str()
                .unwrap()
                .contains("iam:SimulatePrincipalPolicy"),
            "{found:#}"
        );
    }
}

#[test]
fn another_account_is_said_first_and_the_rest_is_not_guessed() {
    let demo = Demo::start(&[]);
    let mut home = recorded(&demo);
    home.set(
        "AWS_ACCESS_KEY_ID",
        demo.field("principals/outsider/access_key_id"),
    );
    home.set(
        "AWS_SECRET_ACCESS_KEY",
        demo.field("principals/outsider/secret_access_key"),
    );
    let checks = preflight(&home, &[]).exits(1).json();
    assert_eq!(check(&checks, "account")["status"], "failed");
    let next = check(&checks, "account")["next"].as_str().unwrap();
    assert!(
        next.contains("glueup connection set sales-prod --deploy-profile NAME"),
        "{next}"
    );
    for id in ["stack-name", "cloudformation", "iam"] {
        assert_eq!(check(&checks, id)["status"], "skipped", "{checks:#}");
    }
    let unknown = home.glueup(&["preflight", "Lake Hose"]).exits(3);
    assert!(
        unknown.stderr.contains("did you mean Lake House?"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn who_may_do_nothing_is_not_told_that_nothing_is_wrong() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    let own = json!([{"Effect": "Allow", "Action": ["s3:ListAllMyBuckets"], "Resource": "*"}]);
    deployer(&demo, &home, &own);
    let checks = preflight(&home, &["--profile", "deployer"]).exits(1).json();
    let names = check(&checks, "stack-name");
    assert_eq!(names["status"], "failed", "{checks:#}");
    assert!(
        names["answer"]
            .as_str()
            .unwrap()
            .contains("cloudformation:DescribeStacks"),
        "{names:#}"
    );
}

#[test]
fn a_name_that_two_records_have_is_asked_about() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    home.glueup(&[
        "storage",
        "add",
        "--name",
        "Lake House",
        "--s3-path",
        "s3://acme-lake/raw",
        "--access",
        "read-only",
        "--connection",
        "sales-prod",
    ])
    .ok();
    let ran = preflight(&home, &[]).exits(2);
    assert!(
        ran.stderr.contains("glueup preflight catalog 'Lake House'"),
        "{}",
        ran.stderr
    );
    for owner in ["catalog", "storage"] {
        home.glueup(&["preflight", owner, "Lake House"]).ok();
    }
    home.glueup(&["preflight", "bucket", "Lake House"]).exits(2);
    let unknown = home.glueup(&["verify", "Lake Hous"]).exits(3);
    assert!(
        unknown.stderr.contains("did you mean Lake House?"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn each_stack_is_looked_for_where_it_belongs() {
    let demo = Demo::start(&[]);
    let home = deployed(&demo);
    let add = |name: &str, region: &str| {
        home.glueup(&[
            "catalog",
            "add",
            "--name",
            name,
            "--region",
            region,
            "--s3-path",
            "s3://acme-lake/archive",
            "--access",
            "read-only",
            "--connection",
            "sales-prod",
        ])
        .ok();
    };
    // One that nobody has heard of is a word of caution, and no reason not to look.
    add("north", "eu-north-9");
    let checks = home
        .glueup(&["preflight", "north", "--output", "json"])
        .ok()
        .json();
    assert_eq!(check(&checks, "region")["status"], "warning");
    let names = check(&checks, "stack-name");
    assert_eq!(names["status"], "passed", "{checks:#}");
    assert!(
        names["answer"]
            .as_str()
            .unwrap()
            .contains("glueup-glue-readonly-north is free"),
        "{names:#}"
    );
    home.glueup(&["deploy", "catalog", "north", "--yes"]).ok();
    let checks = home
        .glueup(&["preflight", "north", "--output", "json"])
        .ok()
        .json();
    let names = check(&checks, "stack-name");
    assert!(
        names["answer"]
            .as_str()
            .unwrap()
            .contains("glueup-glue-readonly-north is ours"),
        "{names:#}"
    );
}

#[test]
fn who_binds_a_catalog_to_a_connection_that_is_there_needs_no_right_to_make_roles() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
    let shown = home
        .glueup(&["catalog", "show", "Lake House", "--output", "json"])
        .ok()
        .json();
    let stack = format!(
        "arn:aws:cloudformation:us-west-2:012345678901:stack/{}/*",
        shown["stack_name"].as_str().unwrap()
    );
    let own = json!([
        {"Effect": "Allow", "Action": ["cloudformation:*"], "Resource": stack},
        {"Effect": "Allow", "Action": ASKING, "Resource": "*"},
        {"Effect": "Allow", "Action": ["iam:PutRolePolicy", "iam:GetRolePolicy", "iam:DeleteRolePolicy"], "Resource": "*"},
    ]);
    deployer(&demo, &home, &own);
    let checks = preflight(&home, &["--profile", "deployer"]).ok().json();
    for id in ["cloudformation", "iam"] {
        assert_eq!(check(&checks, id)["status"], "passed", "{checks:#}");
    }
    home.glueup(&[
        "--profile",
        "deployer",
        "deploy",
        "catalog",
        "Lake House",
        "--yes",
    ])
    .ok();
}
