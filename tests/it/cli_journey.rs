//! The whole job by verbs alone, against the embedded AWS: from `init` to a table's schema, and back to nothing.

use crate::support::demo::Demo;
use crate::support::home::{GLUEUP, Home, Ran};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// A home whose records are ready to be deployed on this demo.
pub fn recorded(demo: &Demo) -> Home {
    let home = demo.home();
    let broker = demo.field("broker_role_arn").to_owned();
    home.glueup(&["init", "--name", "Acme", "--id", "acme", "--broker-role", &broker])
        .ok();
    home.glueup(&[
        "connection",
        "add",
        "--name",
        "sales-prod",
        "--account-id",
        demo.field("account_id"),
    ])
    .ok();
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
        "sales-prod",
    ])
    .ok();
    home
}

/// The same, deployed.
pub fn deployed(demo: &Demo) -> Home {
    let home = recorded(demo);
    home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
    home.glueup(&["deploy", "catalog", "Lake House", "--yes"]).ok();
    home
}

fn json_of(home: &Home, arguments: &[&str]) -> Ran {
    home.glueup(&[arguments, &["--output", "json"] as &[&str]].concat())
}

#[track_caller]
fn has_fields(value: &Value, fields: &[&str]) {
    for field in fields {
        assert!(value.get(field).is_some(), "no {field} in {value}");
    }
}

#[test]
fn the_whole_job_by_verbs() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    let broker = demo.field("broker_role_arn").to_owned();
    let organization = json_of(&home, &["init", "--name", "Acme", "--broker-role", &broker])
        .ok()
        .json();
    assert_eq!(organization["name"], "Acme");
    assert_eq!(organization["id"], "acme");
    assert_eq!(organization["broker_role_arn"], broker.as_str());
    let renamed = json_of(&home, &["init", "--name", "Acme Lake"]).ok().json();
    assert_eq!(renamed["id"], "acme", "one on record keeps its id");
    json_of(&home, &["init", "--name", "Acme"]).ok();

    let account = demo.field("account_id");
    let added = json_of(
        &home,
        &[
            "connection",
            "add",
            "--name",
            "sales-prod",
            "--account-id",
            account,
        ],
    )
    .ok()
    .json();
    let shown = json_of(&home, &["connection", "show", "sales-prod"]).ok().json();
    assert_eq!(added, shown);
    assert_eq!(shown["account_id"], "012345678901");
    assert_eq!(shown["role_arn"], Value::Null);
    assert_eq!(shown["verified"], Value::Null);
    assert_eq!(shown["bound"], json!({ "catalogs": [], "storages": [] }));
    assert_eq!(shown["stack_name"], "glueup-connection-sales-prod");
    has_fields(
        &shown,
        &["name", "external_id", "broker_role_arn", "trust", "region"],
    );

    let events = json_of(&home, &["deploy", "connection", "sales-prod", "--yes"])
        .ok()
        .json_lines();
    let (last, events) = events.split_last().unwrap();
    assert!(!events.is_empty());
    for event in events {
        has_fields(&event["event"], &["at", "logical_id", "type", "status", "reason"]);
    }
    assert_eq!(last["stack"]["status"], "CREATE_COMPLETE");
    assert_eq!(last["stack"]["name"], "glueup-connection-sales-prod");
    let role = json_of(&home, &["connection", "show", "sales-prod"]).ok().json()["role_arn"].clone();
    assert_eq!(last["stack"]["outputs"]["RoleArn"], role);

    let catalog = json_of(
        &home,
        &[
            "catalog",
            "add",
            "--name",
            "Lake House",
            "--region",
            "us-west-2",
            "--s3-path",
            "s3://acme-lake/warehouse/",
            "--access",
            "read-only",
            "--connection",
            "sales-prod",
        ],
    )
    .ok()
    .json();
    assert_eq!(
        catalog["quoted"],
        json!({ "spark": "`Lake House`", "trino": "\"Lake House\"" })
    );
    assert_eq!(catalog["stage"], "deploy");
    assert_eq!(catalog["access"], "read-only");
    has_fields(
        &catalog,
        &[
            "name",
            "region",
            "s3_path",
            "connection",
            "stack_name",
            "verified",
        ],
    );

    let early = json_of(&home, &["ls", "Lake House"]).exits(1);
    assert!(early.stdout.is_empty(), "{}", early.stdout);
    assert!(
        early.error().to_string().to_lowercase().contains("deploy"),
        "{}",
        early.stderr
    );

    json_of(&home, &["deploy", "catalog", "Lake House", "--yes"]).ok();
    let shown = json_of(&home, &["catalog", "show", "Lake House"]).ok().json();
    assert_eq!(shown["stage"], "verify");

    let report = json_of(&home, &["verify", "Lake House"]).ok().json();
    // some tables of the lake lie outside the prefix
    assert_eq!(report["verdict"], "warning", "{report}");
    has_fields(&report, &["name", "sentence", "at", "calls"]);
    let rungs: Vec<&str> = report["rungs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["id"].as_str().unwrap())
        .collect();
    for rung in [
        "reach",
        "identity",
        "broker",
        "role",
        "external-id",
        "databases",
        "tables",
        "rest",
        "list",
        "read",
        "write",
        "neighbour",
        "locations",
    ] {
        assert!(rungs.contains(&rung), "{rungs:?}");
    }
    let shown = json_of(&home, &["catalog", "show", "Lake House"]).ok().json();
    assert_eq!(shown["stage"], "ready");
    assert_eq!(shown["verified"]["verdict"], "warning");
    assert!(shown["verified"]["tables"].as_u64().unwrap() > 0, "{shown}");
    let text = home.glueup(&["catalog", "show", "Lake House"]).ok().stdout;
    assert!(text.lines().any(|line| line.starts_with("tables ")), "{text}");
    let trust = json_of(&home, &["connection", "show", "sales-prod"]).ok().json();
    assert_eq!(
        trust["verified"],
        json!({ "verdict": "passed", "at": shown["verified"]["at"] })
    );
    json_of(&home, &["connection", "verify", "sales-prod"]).ok();

    let databases = json_of(&home, &["ls", "Lake House"]).ok().json_lines();
    assert!(
        databases.iter().any(|d| d["database"] == "sales"),
        "{databases:?}"
    );
    has_fields(&databases[0], &["database", "description", "link"]);
    let tables = json_of(&home, &["ls", "`Lake House`.sales"]).ok().json_lines();
    let orders = tables.iter().find(|t| t["table"] == "orders").unwrap();
    assert_eq!(
        (&orders["kind"], &orders["database"]),
        (&json!("iceberg"), &json!("sales"))
    );
    has_fields(orders, &["format", "notes"]);

    let schema = json_of(&home, &["schema", "`Lake House`.sales.orders"])
        .ok()
        .json();
    assert_eq!(
        (&schema["source"], &schema["kind"]),
        (&json!("iceberg"), &json!("iceberg"))
    );
    assert!(schema["snapshot"]["id"].is_string(), "{schema}");
    has_fields(
        &schema["columns"][0],
        &[
            "name", "type", "id", "required", "key", "doc", "children", "notes",
        ],
    );

    // Bound: the connection stays, and says to whom.
    let bound = json_of(&home, &["connection", "delete", "sales-prod"]).exits(1);
    assert!(
        bound.error().to_string().contains("Lake House"),
        "{}",
        bound.stderr
    );

    let deleted = json_of(&home, &["stack", "delete", "catalog", "Lake House", "--yes"])
        .ok()
        .json_lines();
    assert!(deleted.last().unwrap()["deleted"]["stack_name"].is_string());
    home.glueup(&["catalog", "delete", "Lake House"]).ok();
    home.glueup(&["stack", "delete", "connection", "sales-prod", "--yes"])
        .ok();
    home.glueup(&["connection", "delete", "sales-prod"]).ok();
    assert_eq!(
        json_of(&home, &["connection", "list"]).ok().json(),
        json!({ "connections": [] })
    );
    assert_eq!(
        json_of(&home, &["catalog", "list"]).ok().json(),
        json!({ "catalogs": [] })
    );
}

#[test]
fn text_is_aligned_and_can_be_cut_with_awk() {
    let demo = Demo::start(&[]);
    let home = deployed(&demo);
    let list = home.glueup(&["catalog", "list"]).ok().stdout;
    assert_eq!(
        list,
        "Lake House  us-west-2  read-only  verify  never  s3://acme-lake/warehouse\n"
    );
    let verify = home.glueup(&["verify", "Lake House"]).ok();
    let rungs: Vec<(&str, &str)> = verify
        .stdout
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?))
        })
        .collect();
    assert!(rungs.contains(&("passed", "role")), "{}", verify.stdout);
    assert!(
        verify.stderr.is_empty(),
        "no progress without a terminal: {}",
        verify.stderr
    );

    let names = home.glueup(&["ls", "Lake House.sales", "--names"]).ok().stdout;
    assert!(names.lines().any(|name| name == "orders"), "{names}");
    let tables = home.glueup(&["ls", "Lake House.sales"]).ok().stdout;
    let orders = tables.lines().find(|line| line.starts_with("orders ")).unwrap();
    let words: Vec<&str> = orders.split_whitespace().collect();
    assert_eq!(words[..2], ["orders", "iceberg"]);
    let column = |line: &str| line.find("iceberg");
    let kinds: Vec<usize> = tables.lines().filter_map(column).collect();
    assert!(
        kinds.len() > 1 && kinds.iter().all(|at| *at == kinds[0]),
        "{tables}"
    );

    let link = home.glueup(&["link", "catalog", "Lake House"]).ok().stdout;
    assert!(
        link.starts_with(demo.field("console_url").split("/_").next().unwrap()),
        "{link}"
    );
    let link = json_of(&home, &["link", "catalog", "Lake House"]).ok().json();
    has_fields(
        &link,
        &["url", "stack_name", "region", "template_url", "parameters"],
    );
}

#[test]
fn many_schemas_come_from_one_run() {
    let demo = Demo::start(&[]);
    let home = deployed(&demo);
    let names = "Lake House.sales.orders\n\nLake House.raw.partners\nLake House.sales.ordres\n";
    let ran = home
        .glueup_reading(&["schema", "-", "--output", "json"], names)
        .exits(1);
    let lines = ran.json_lines();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["source"], "iceberg");
    assert_eq!(lines[1]["source"], "glue");
    assert_eq!(lines[2]["fqn"], "Lake House.sales.ordres");
    has_fields(&lines[2]["error"], &["what", "why", "next"]);
    // One name alone: its problem is the answer.
    let alone = json_of(&home, &["schema", "Lake House.sales.ordres"]).exits(3);
    assert!(alone.error().to_string().contains("ordres"));
    json_of(&home, &["ls", "Lake House.sale"]).exits(3);
    json_of(&home, &["schema", "Lake House.sales"]).exits(2);
    json_of(&home, &["ls", "Lake House.sales.orders"]).exits(2);
}

#[test]
fn hostile_names_reach_no_terminal_and_are_exact_in_json() {
    let demo = Demo::start(&[]);
    let home = deployed(&demo);
    let hostile = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}'));
    let text = home.glueup(&["ls", "Lake House.odd"]).ok().stdout;
    assert!(
        !text.contains(hostile),
        "{:?}",
        text.lines().find(|l| l.contains(hostile))
    );
    assert!(text.contains("<U+202E>gnp.exe"), "{text}");
    let json = json_of(&home, &["ls", "Lake House.odd"]).ok();
    assert!(!json.stdout.contains(hostile));
    let lines = json.json_lines();
    assert!(
        lines
            .iter()
            .any(|t| t["table"].as_str().unwrap().starts_with('\u{202e}'))
    );
    for line in &lines {
        let table = line["table"].as_str().unwrap().replace('`', "``");
        let schema = home.glueup(&["schema", &format!("Lake House.odd.`{table}`")]);
        assert!(!schema.stdout.contains(hostile), "{:?}", schema.stdout);
        assert!(!schema.stderr.contains(hostile), "{:?}", schema.stderr);
    }
}

#[test]
fn a_listing_cut_by_head_ends_quietly() {
    let demo = Demo::start(&["--tables", "3000"]);
    let home = deployed(&demo);
    let lines = json_of(&home, &["ls", "Lake House"]).ok().json_lines();
    let large = lines.iter().find_map(|line| {
        let name = line["database"].as_str()?;
        let names = home.glueup(&["ls", &format!("`Lake House`.`{name}`"), "--names"]);
        (names.stdout.lines().count() >= 3000).then(|| name.to_owned())
    });
    let large = large.expect("a database with the generated tables");
    let mut child = home
        .command(GLUEUP)
        .args(["ls", &format!("`Lake House`.`{large}`")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}
