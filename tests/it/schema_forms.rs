//! A schema beside its columns: what the metadata holds, where Glue has it otherwise, and as text for other engines.

use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::walk;
use serde_json::Value;

fn schema(home: &Home, table: &str) -> Value {
    home.glueup(&["schema", &format!("Lake House.sales.{table}"), "--output", "json"])
        .exits(0)
        .json()
}

#[test]
fn snapshots_refs_and_statistics_are_those_of_the_metadata() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let orders = schema(&home, "orders");
    let snapshots = orders["snapshots"].as_array().unwrap();
    assert_eq!(snapshots.len(), 4);
    assert_eq!(snapshots[0]["id"], orders["snapshot"]["id"]);
    for pair in snapshots.windows(2) {
        assert_eq!(pair[0]["parent_id"], pair[1]["id"], "{snapshots:#?}");
        assert!(pair[0]["at"].as_str() > pair[1]["at"].as_str());
    }
    assert_eq!(orders["refs"][0]["name"], "main");
    assert_eq!(orders["statistics"]["rows"], 1000);
    assert_eq!(orders["statistics"]["told_by"], "snapshot");
    assert_eq!(schema(&home, "returns")["statistics"]["delete_files"], 2);
    let said = home.glueup(&["schema", "Lake House.sales.orders"]).exits(0);
    assert!(
        said.stdout.contains("holds      1,000 rows, 41 KiB, 12 files\n"),
        "{}",
        said.stdout
    );
}

#[test]
fn where_glue_has_other_columns_than_the_metadata_is_said() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let stale = schema(&home, "payments_lower");
    let note = &stale["notes"][0];
    assert_eq!(note["code"], "stale-columns");
    assert_eq!(
        note["text"],
        "Glue has 3 columns otherwise than the metadata: payment_id, trace, note"
    );
    let told: Vec<(&str, Option<&str>, Option<&str>)> = stale["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["column"].as_str().unwrap(),
                one["glue"].as_str(),
                one["metadata"].as_str(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("payment_id", Some("int"), Some("bigint")),
            ("trace", None, Some("string")),
            ("note", Some("string"), None),
        ]
    );
    // The columns themselves are the metadata's, and the twin that is kept up to date has no difference.
    assert_eq!(stale["columns"][5]["type"], "uuid");
    assert_eq!(
        schema(&home, "payments_mixed")["differences"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
}

#[test]
fn a_schema_is_written_for_other_engines_and_what_cannot_be_is_an_answer_in_its_place() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let names = "Lake House.sales.partner_orders\nLake House.sales.orders\n";
    let ran = home
        .glueup_reading(&["schema", "-", "--as", "athena", "--output", "json"], names)
        .exits(1);
    let [link, orders] = ran.json_lines().try_into().unwrap();
    assert!(
        link["error"]["why"].as_str().unwrap().contains("is a link"),
        "{link}"
    );
    let text = orders["text"].as_str().unwrap();
    assert!(
        text.contains("-- ordered_at: Athena has no timestamptz"),
        "{text}"
    );
    // That its target may not be read is one thing, that a link is no table of its own another.
    assert!(ran.stderr.contains("is a link"), "{}", ran.stderr);
    assert_eq!(
        ran.error()["what"],
        "The table that the link leads to cannot be read"
    );
    assert!(
        text.contains("PARTITIONED BY (country, day(ordered_at))"),
        "{text}"
    );
    let arrow = home
        .glueup(&["schema", "Lake House.sales.orders", "--as", "arrow"])
        .exits(0);
    let arrow: Value = serde_json::from_str(&arrow.stdout).unwrap();
    assert_eq!(arrow["fields"][3]["type"]["scale"], 2);
    let unknown = home
        .glueup(&["schema", "Lake House.sales.orders", "--as", "oracle"])
        .exits(2);
    assert!(
        unknown.stderr.contains("spark, trino, athena, arrow"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn a_table_whose_metadata_is_gone_is_read_by_nobody_and_its_statement_says_so() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let lens = home
        .glueup(&["lens", "Lake House.sales.orders_lost", "--output", "json"])
        .exits(1)
        .json();
    for engine in lens["engines"].as_array().unwrap() {
        assert_eq!(engine["verdict"], "no", "{engine}");
    }
    let names = "Lake House.sales.orders_lost\nLake House.sales.nothing\n";
    let ran = home
        .glueup_reading(&["schema", "-", "--as", "spark"], names)
        .exits(1);
    assert!(
        ran.stdout
            .contains("-- these are Glue's columns, which may be old"),
        "{}",
        ran.stdout
    );
    // What is not there is a comment among the statements.
    assert!(
        ran.stdout
            .lines()
            .any(|line| line.starts_with("-- Lake House.sales.nothing")),
        "{}",
        ran.stdout
    );
}
