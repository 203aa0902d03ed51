//! Looking at a Glue catalog before there is any grant, or any record: with the caller's own rights.

use crate::support::demo::Demo;
use crate::support::walk;
use serde_json::{Value, json};

#[test]
fn the_callers_own_glue_is_browsed_without_a_record() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    let databases = home
        .glueup(&["ls", "AwsDataCatalog", "--as-caller", "--output", "json"])
        .exits(0)
        .json_lines();
    assert!(
        databases.iter().any(|line| line["database"] == "sales"),
        "{databases:?}"
    );
    // No grant has been thought of: nothing lies outside of one.
    let prices = home.glueup(&[
        "schema",
        "awsdatacatalog.sales.prices",
        "--as-caller",
        "--output",
        "json",
    ]);
    assert_eq!(prices.exits(0).json()["notes"], json!([]));
    let refused = home.glueup(&["ls", "AwsDataCatalog"]).exits(3);
    assert!(refused.stderr.contains("--as-caller"), "{}", refused.stderr);
    // Nothing was put on record by that.
    assert_eq!(
        home.glueup(&["catalog", "list", "--output", "json"])
            .exits(0)
            .json(),
        json!({"catalogs": []})
    );
}

#[test]
fn the_census_says_which_prefixes_a_grant_has_to_give() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let whole = |args: &[&str]| -> Value { home.glueup(args).json() };
    let census = whole(&["census", "Lake House", "--as-caller", "--output", "json"]);
    let prefixes: Vec<(&str, u64)> = census["prefixes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["prefix"].as_str().unwrap(),
                one["locations"].as_u64().unwrap(),
            )
        })
        .collect();
    assert!(
        prefixes
            .iter()
            .any(|(prefix, _)| *prefix == "s3://acme-lake/warehouse/"),
        "{prefixes:?}"
    );
    // Each table with files lies below one of them, its metadata too.
    let listed = home
        .glueup(&["ls", "Lake House.sales", "--as-caller", "--output", "json"])
        .exits(0)
        .json_lines();
    for table in listed {
        let fqn = format!("Lake House.sales.{}", table["table"].as_str().unwrap());
        let schema = home
            .glueup(&["schema", &fqn, "--as-caller", "--output", "json"])
            .json();
        let Some(location) = schema["location"].as_str().filter(|at| at.starts_with("s3")) else {
            continue;
        };
        if schema["kind"].as_str().unwrap().contains("view") {
            continue;
        }
        let below = format!(
            "{}/",
            location.trim_end_matches('/').replacen("s3a://", "s3://", 1)
        );
        assert!(
            prefixes.iter().any(|(prefix, _)| below.starts_with(prefix)),
            "{fqn} {location} {prefixes:?}"
        );
    }
    let said = home.glueup(&["census", "Lake House", "--as-caller"]);
    assert!(said.stdout.contains("where the files lie"), "{}", said.stdout);
}

#[test]
fn the_tables_of_all_databases_are_those_of_each_in_their_order() {
    let demo = Demo::start(&["--tables", "250"]);
    let home = demo.home();
    let ls = |what: &[&str]| -> Vec<Value> {
        let words = [&["ls"], what, &["--as-caller", "--output", "json"]].concat();
        home.glueup(&words).exits(0).json_lines()
    };
    let mut wanted = Vec::new();
    for database in ls(&["AwsDataCatalog"]) {
        if database["link"].is_null() {
            wanted.extend(ls(&[&format!(
                "AwsDataCatalog.`{}`",
                database["database"].as_str().unwrap()
            )]));
        }
    }
    assert!(wanted.len() > 300);
    assert_eq!(ls(&["AwsDataCatalog", "--tables"]), wanted);
    let text = home
        .glueup(&["ls", "AwsDataCatalog", "--tables", "--as-caller"])
        .exits(0)
        .stdout;
    assert!(
        text.lines()
            .any(|line| line.starts_with("sales ") && line.contains("orders ")),
        "{text}"
    );
    let asked = home.glueup(&["ls", "AwsDataCatalog.sales", "--tables", "--as-caller"]);
    assert_eq!(asked.code, Some(2), "{}", asked.stdout);
}
