//! Values that are none, admins that would shut the caller out, and the yes that every deleting verb takes.

use crate::cli_journey::recorded;
use crate::cli_refusals::{json_of, refused};
use crate::support::demo::Demo;
use crate::support::home::Home;

#[test]
fn admins_that_shut_the_caller_out_are_refused() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    let error = refused(&home, 2, &["init", "--admin", "arn:aws:iam::*:user/chief"]);
    assert!(error["why"].as_str().unwrap().contains("user/admin"), "{error}");
    assert!(!home.records().join("organization.yaml").exists());
    // Nobody is signed in: it is done, with a warning and the way back.
    let home = home.without("AWS_ACCESS_KEY_ID");
    let ran = json_of(&home, &["init", "--admin", "arn:aws:iam::*:user/chief"]).ok();
    assert_eq!(ran.json()["admins"][0], "arn:aws:iam::*:user/chief");
    assert!(ran.stderr.contains("organization.yaml"), "{}", ran.stderr);
}

#[test]
fn an_empty_value_is_no_value() {
    let home = Home::new();
    let account = ["--account-id", "012345678901"];
    let connection = [&["connection", "add", "--name", "c"], &account[..]].concat();
    let catalog = [
        "catalog",
        "add",
        "--name",
        "n",
        "--region",
        "us-west-2",
        "--s3-path",
        "s3://lake/w",
        "--access",
        "read-only",
        "--connection",
        "c",
    ];
    let publish = ["template", "publish", "connection", "c"];
    let cases: [(&[&str], &[&str]); 6] = [
        (
            &connection,
            &[
                "--deploy-profile",
                "--role-arn",
                "--broker-role",
                "--trust",
                "--permissions-boundary",
                "--role-path",
            ],
        ),
        (
            &["connection", "add", "--account-id", "012345678901"],
            &["--name"],
        ),
        (&catalog, &["--database", "--kms-key"]),
        (&publish, &["--bucket"]),
        (
            &["init"],
            &[
                "--name",
                "--id",
                "--platform",
                "--edition",
                "--broker-role",
                "--admin",
            ],
        ),
        (
            &["connection", "list"],
            &["--profile", "--region", "--endpoint-url", "--home"],
        ),
    ];
    for (verb, flags) in cases {
        for flag in flags {
            for empty in ["", " "] {
                if (*flag, empty) == ("--home", " ") {
                    continue;
                }
                let error = refused(&home, 2, &[verb, &[flag, empty]].concat());
                assert!(error["what"].as_str().unwrap().contains(flag), "{error}");
            }
        }
    }
    assert!(!home.records().exists());
}

#[test]
fn deleting_a_record_takes_a_yes_and_asks_for_none() {
    let demo = Demo::start(&[]);
    let home = recorded(&demo);
    for (sort, name) in [("catalog", "Lake House"), ("connection", "sales-prod")] {
        let help = home.glueup(&[sort, "delete", "--help"]).ok().stdout;
        assert!(help.contains("--yes"), "{help}");
        json_of(&home, &[sort, "delete", name, "--yes"]).ok();
        refused(&home, 3, &[sort, "show", name]);
    }
    let again = recorded(&demo);
    json_of(&again, &["catalog", "delete", "Lake House"]).ok();
}
