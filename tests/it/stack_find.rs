//! A stack that somebody launched in another region than asked: looked for on request, and taken where that is right.

use crate::cli_journey::recorded;
use crate::deploy::yes;
use crate::support::demo::Demo;
use crate::support::fake::Reply;
use crate::support::home::Home;
use crate::support::jobs::World;
use crate::verify_breaks::through;
use glueup::job::{Job, Outcome};
use glueup::stack::{self, Request, Target};
use serde_json::{Value, json};

/// Deploys with the record as it would be in another region, and puts the record back.
fn launched_elsewhere(home: &Home, file: &str, target: &[&str]) {
    let path = home.records().join(file);
    let before = std::fs::read_to_string(&path).unwrap();
    assert!(before.contains("region: us-west-2"), "{before}");
    std::fs::write(&path, before.replace("region: us-west-2", "region: eu-west-1")).unwrap();
    home.glueup(&[&["deploy"], target, &["--yes"]].concat()).ok();
    std::fs::write(&path, before).unwrap();
}

/// The file of the one catalog: its name has a blank, so the file's has a hash.
fn catalog_file(home: &Home) -> String {
    let mut files = std::fs::read_dir(home.records().join("catalogs")).unwrap();
    let name = files.next().unwrap().unwrap().file_name();
    format!("catalogs/{}", name.to_str().unwrap())
}

fn find(home: &Home, target: &[&str], more: &[&str]) -> Value {
    let words = [&["stack", "find"], target, &["--output", "json"], more].concat();
    home.glueup(&words).ok().json()
}

#[test]
fn the_stack_of_a_connection_is_found_in_another_region_and_taken_after_a_yes() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = recorded(&demo);
    let target = ["connection", "sales-prod"];
    let nowhere = home.glueup(&["stack", "find", "connection", "sales-prod"]);
    assert_eq!(nowhere.code, Some(3), "{}", nowhere.stderr);
    assert!(
        nowhere
            .stdout
            .contains("No stack glueup-connection-sales-prod in ")
            && nowhere.stdout.contains("of account 0123-4567-8901"),
        "{}",
        nowhere.stdout
    );

    launched_elsewhere(&home, "connections/sales-prod.yaml", &target);
    // Without a terminal nobody can be asked: it only looks.
    let seen = find(&home, &target, &[]);
    assert_eq!(
        seen["found"],
        json!([{"region": "eu-west-1", "status": "CREATE_COMPLETE", "whose": "made for this record", "next": null}])
    );
    assert_eq!(seen["taken"], Value::Null);
    assert!(seen["looked"].as_u64().unwrap() > 20, "{seen}");
    let shown = |home: &Home| {
        let words = ["connection", "show", "sales-prod", "--output", "json"];
        home.glueup(&words).ok().json()
    };
    assert_eq!(shown(&home)["role_arn"], Value::Null);

    let ledger = |home: &Home| home.glueup(&["ledger", "--output", "json"]).ok().stdout;
    let before = ledger(&home);
    assert_eq!(find(&home, &target, &["--yes"])["taken"], "eu-west-1");
    assert_eq!(shown(&home)["region"], "eu-west-1");
    assert!(shown(&home)["role_arn"].is_string());
    assert_eq!(ledger(&home), before, "AWS was written to");
    home.glueup(&["deploy", "catalog", "Lake House", "--yes"]).ok();
    home.glueup(&["verify", "Lake House"]).ok();
}

#[test]
fn where_the_stack_on_record_is_there_no_other_takes_its_place() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = recorded(&demo);
    let target = ["connection", "sales-prod"];
    launched_elsewhere(&home, "connections/sales-prod.yaml", &target);
    home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
    let seen = find(&home, &target, &["--yes"]);
    assert_eq!(seen["found"].as_array().unwrap().len(), 2, "{seen}");
    assert_eq!(seen["taken"], Value::Null);
    let words = ["connection", "show", "sales-prod", "--output", "json"];
    assert_eq!(home.glueup(&words).ok().json()["region"], "us-west-2");
}

#[test]
fn one_that_is_not_as_the_record_asks_is_not_taken_and_says_why() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = recorded(&demo);
    let target = ["connection", "sales-prod"];
    launched_elsewhere(&home, "connections/sales-prod.yaml", &target);
    let path = home.records().join("connections/sales-prod.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let old = text
        .lines()
        .find(|line| line.starts_with("external_id: "))
        .unwrap();
    std::fs::write(&path, text.replace(old, "external_id: another-one-0001")).unwrap();
    let seen = find(&home, &target, &["--yes"]);
    assert_eq!(seen["taken"], Value::Null);
    let next = seen["found"][0]["next"].as_str().unwrap();
    assert!(
        next.contains("not as the record asks: its ExternalId is "),
        "{next}"
    );
}

#[test]
fn the_stack_of_a_catalog_grants_where_it_lies_and_is_not_taken() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = recorded(&demo);
    home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
    let target = ["catalog", "Lake House"];
    launched_elsewhere(&home, &catalog_file(&home), &target);
    let seen = find(&home, &target, &["--yes"]);
    assert_eq!(seen["taken"], Value::Null);
    let next = seen["found"][0]["next"].as_str().unwrap();
    assert!(next.contains("It grants the Glue catalog of eu-west-1"), "{next}");
    assert!(
        next.contains("--region eu-west-1\nglueup deploy catalog 'Lake House'"),
        "{next}"
    );
}

#[test]
fn a_storage_integration_goes_by_the_stack_in_another_region() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = recorded(&demo);
    home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
    home.glueup(&[
        "storage",
        "add",
        "--name",
        "raw",
        "--s3-path",
        "s3://acme-lake/warehouse",
        "--access",
        "read-only",
        "--connection",
        "sales-prod",
    ])
    .ok();
    let target = ["storage", "raw"];
    launched_elsewhere(&home, "storages/raw.yaml", &target);
    assert_eq!(find(&home, &target, &["--yes"])["taken"], "eu-west-1");
    home.glueup(&["storage", "verify", "raw"]).ok();
}

#[test]
fn another_account_is_said_before_anything_is_looked_for() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = recorded(&demo);
    let outsider = &demo.line["principals"]["outsider"];
    let stranger = home
        .with("AWS_ACCESS_KEY_ID", outsider["access_key_id"].as_str().unwrap())
        .with(
            "AWS_SECRET_ACCESS_KEY",
            outsider["secret_access_key"].as_str().unwrap(),
        );
    let ran = stranger.glueup(&["stack", "find", "connection", "sales-prod"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("0123-4567-8901"), "{}", ran.stderr);
}

#[tokio::test]
async fn a_region_that_may_not_be_looked_in_is_named_and_no_region_without_a_stack() {
    let world = World::start();
    crate::deploy::recorded(&world).await;
    let session = through(&world, |asked| {
        let there = asked.header("authorization").contains("/ap-south-2/");
        let denied = "User: arn:aws:iam::012345678901:user/admin is not authorized to perform: \
                      cloudformation:DescribeStacks on resource: * with an explicit deny in a service control policy";
        (there && asked.action() == "DescribeStacks").then(|| Reply::query_error(403, "AccessDenied", denied))
    });
    let find = Job::Stack(Request::Find {
        target: Target::Connection("sales".parse().unwrap()),
        take: false,
    });
    let Ok(Outcome::Stack(stack::Outcome::Found(search))) = yes(&session, find).await.end else {
        panic!("not found")
    };
    let unread: Vec<&str> = search.unread.iter().map(|(region, _)| region.as_str()).collect();
    assert_eq!(unread, ["ap-south-2"]);
    let last = search.lines().pop().unwrap();
    assert!(
        last.contains("ap-south-2 could not be looked in") && last.contains("service control policy"),
        "{last}"
    );
}
