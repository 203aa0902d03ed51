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

#[test]
fn a_broker_role_can_be_dropped_again_and_a_platform_that_needs_one_says_so() {
    let home = Home::new();
    let role = "arn:aws:iam::999988887777:role/broker";
    let set = json_of(&home, &["init", "--broker-role", role]).ok().json();
    assert_eq!(set["broker_role_arn"], role);
    let add = ["connection", "add", "--name", "c", "--account-id", "012345678901"];
    json_of(&home, &add).ok();
    let dropped = json_of(&home, &["init", "--broker-role", "none"]).ok().json();
    assert!(dropped["broker_role_arn"].is_null(), "{dropped}");
    // The connection has its own; whoever is named in its place is trusted.
    let drop = ["connection", "set", "c", "--broker-role", "none"];
    let error = refused(&home, 4, &drop);
    assert!(error["next"].as_str().unwrap().contains("--trust"), "{error}");
    let user = "arn:aws:iam::012345678901:user/ann";
    let kept = json_of(&home, &[&drop[..], &["--trust", user]].concat())
        .ok()
        .json();
    assert!(
        kept["broker_role_arn"].is_null() && kept["trust"][0] == user,
        "{kept}"
    );
    for verb in [&["init"][..], &["connection", "set"], &["connection", "add"]] {
        let help = home.glueup(&[verb, &["--help"]].concat()).ok().stdout;
        assert!(help.contains("<ARN|none>"), "{help}");
    }

    let wherobots = ["init", "--platform", "wherobots"];
    let error = refused(&home, 2, &wherobots);
    for edition in ["Community", "Professional", "Innovation", "Enterprise"] {
        assert!(error["why"].as_str().unwrap().contains(edition), "{error}");
    }
    let next = error["next"].as_str().unwrap();
    assert!(
        next.contains("--edition") && next.contains("--broker-role"),
        "{error}"
    );
    let platform = json_of(&home, &["init"]).ok().json()["platform"].clone();
    assert_eq!(platform, "self", "nothing was written");
    let whole = [
        &wherobots[..],
        &["--edition", "Enterprise", "--broker-role", role],
    ]
    .concat();
    json_of(&home, &whole).ok();
    refused(&home, 2, &["init", "--broker-role", "none"]);
}
