//! The connection's role is deleted behind the back of the stack that made it.

use crate::cli_journey::deployed;
use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::signed;

/// Deletes the role, and the one policy on it, as somebody does with the AWS CLI.
fn delete_role(demo: &Demo, home: &Home) {
    let shown = home.glueup(&["connection", "show", "sales-prod", "--output", "json"]);
    let shown = shown.ok().json();
    let role = shown["role_arn"].as_str().unwrap().rsplit('/').next().unwrap();
    let keys = (demo.field("access_key_id"), demo.field("secret_access_key"));
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let call = |action: &str| {
        let body = format!("Action={action}&Version=2010-05-08&RoleName={role}");
        let answer = signed::post(demo.endpoint(), keys, ("iam", "us-east-1"), &[kind], &body);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text().to_string()
    };
    let listed = call("ListRolePolicies");
    let names: Vec<&str> = listed
        .split("<member>")
        .skip(1)
        .filter_map(|rest| rest.split("</member>").next())
        .collect();
    assert!(!names.is_empty(), "{listed}");
    for name in names {
        call(&format!("DeleteRolePolicy&PolicyName={name}"));
    }
    call("DeleteRole");
}

#[test]
fn the_printed_order_makes_it_again_and_deploy_notices() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = deployed(&demo);
    delete_role(&demo, &home);
    let commands = [
        "glueup stack delete catalog 'Lake House'",
        "glueup stack delete connection sales-prod",
        "glueup deploy connection sales-prod",
        "glueup deploy catalog 'Lake House'",
    ];
    let verify = ["verify", "Lake House", "--output", "json"];
    let report = home.glueup(&verify).exits(1).json();
    let rungs = report["rungs"].as_array().unwrap();
    let role = rungs.iter().find(|rung| rung["id"] == "role").unwrap();
    let told = role.to_string();
    assert!(told.contains(&commands.join("\\n")), "{role:#}");

    for target in [["connection", "sales-prod"], ["catalog", "Lake House"]] {
        let ran = home.glueup(&["deploy", target[0], target[1], "--yes"]).exits(1);
        assert!(
            ran.stderr.contains("the role of connection sales-prod is gone"),
            "{}",
            ran.stderr
        );
        for command in commands {
            assert!(
                ran.stderr.contains(&format!("\n            {command}")),
                "{}",
                ran.stderr
            );
        }
        assert!(!ran.stderr.contains("nothing to do"), "{}", ran.stderr);
    }
    for arguments in [
        ["stack", "delete", "catalog", "Lake House", "--yes"].as_slice(),
        &["stack", "delete", "connection", "sales-prod", "--yes"],
        &["deploy", "connection", "sales-prod", "--yes"],
        &["deploy", "catalog", "Lake House", "--yes"],
    ] {
        home.glueup(arguments).ok();
    }
    home.glueup(&verify).ok();
}
