//! Hudi tables: Glue has their columns, the folder beside their files says how new they are and what they are made for.

use crate::browse::{browse, deployed, schema, schema_of};
use crate::support::demo::Demo;
use crate::support::signed;
use crate::support::term::{Term, key};
use crate::support::walk;
use crate::verify_breaks::through;
use glueup::demo::Options;
use glueup::domain::schema::Source;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[tokio::test]
async fn the_timeline_says_which_write_was_the_last() {
    let (world, _) = deployed(Options::default()).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let session = through(&world, move |one| {
        counted.fetch_add(usize::from(one.target.starts_with("/acme-lake")), SeqCst);
        None
    });
    let ran = browse(&session, schema_of("raw", "clicks_cow")).await;
    let (read, problem) = schema(&ran);
    assert_eq!((read.source, problem), (Source::Glue, None));
    let version = read.snapshot.as_ref().unwrap();
    assert_eq!(
        (version.id.as_str(), version.operation.as_deref()),
        ("20261130082325924", Some("commit"))
    );
    // Its clock is that of whoever wrote it: nobody knows which.
    assert_eq!(version.at, None);
    assert_eq!(read.properties["hoodie.table.type"], "COPY_ON_WRITE");
    assert_eq!(
        read.properties["spark.sql.sources.provider"], "hudi",
        "Glue's own stay"
    );
    assert_eq!(asked.load(SeqCst), 2);
    // Both sides of a merge-on-read table stand on the same files.
    for side in ["clicks_mor_ro", "clicks_mor_rt"] {
        let ran = browse(&session, schema_of("raw", side)).await;
        let version = schema(&ran).0.snapshot.clone().unwrap();
        assert_eq!(
            (version.id.as_str(), version.operation.as_deref()),
            ("20261130082329249", Some("deltacommit")),
            "{side}"
        );
    }
}

#[tokio::test]
async fn a_place_without_a_timeline_is_told_and_the_columns_stay() {
    let (_world, session) = deployed(Options::default()).await;
    let ran = browse(&session, schema_of("raw", "clicks_2018")).await;
    let (read, problem) = schema(&ran);
    assert_eq!(read.columns.len(), 8);
    assert!(read.notes.iter().any(|note| note.code == "metadata-missing"));
    let problem = problem.unwrap();
    assert_eq!(problem.what, "The table's hoodie.properties is missing");
    assert!(
        problem
            .why
            .contains("warehouse/raw/clicks_2018/.hoodie/hoodie.properties"),
        "{problem:?}"
    );
}

/// The lake's own, and a copy-on-write table whose name ends as a side's would.
fn with_a_misleading_name() -> (Demo, crate::support::home::Home) {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let table = json!({"Name": "clicks_ro", "TableType": "EXTERNAL_TABLE", "Parameters": {"EXTERNAL": "TRUE"},
        "StorageDescriptor": {"Columns": [{"Name": "_hoodie_commit_time", "Type": "string"}, {"Name": "id", "Type": "int"}],
            "Location": "s3://acme-lake/warehouse/raw/clicks_cow",
            "InputFormat": "org.apache.hudi.hadoop.HoodieParquetInputFormat",
            "SerdeInfo": {"Parameters": {"hoodie.query.as.ro.table": "false"}}}});
    let input = json!({"DatabaseName": "raw", "TableInput": table});
    signed::glue(&demo, "CreateTable", &input);
    (demo, home)
}

#[test]
fn both_sides_of_a_table_stand_together_and_each_names_the_other() {
    let (_demo, home) = with_a_misleading_name();
    let rows = home
        .glueup(&["ls", "Lake House.raw", "--output", "json"])
        .ok()
        .json_lines();
    let rows: Vec<&Value> = rows.iter().filter(|row| row["kind"] == "hudi").collect();
    let names: Vec<&str> = rows.iter().map(|row| row["table"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "clicks_2018",
            "clicks_cow",
            "clicks_mor_ro",
            "clicks_mor_rt",
            "clicks_ro"
        ]
    );
    let side = |at: usize, code: &str, words: [&str; 2]| {
        let notes = rows[at]["notes"].as_array().unwrap();
        let note = notes.iter().find(|note| note["code"] == code);
        let text = note.unwrap_or_else(|| panic!("{}", rows[at]))["text"]
            .as_str()
            .unwrap();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    };
    side(
        2,
        "hudi-read-optimized",
        ["side of clicks_mor: without", "clicks_mor_rt has it"],
    );
    side(
        3,
        "hudi-real-time",
        ["side of clicks_mor: with", "clicks_mor_ro is without"],
    );
    for at in [0, 1, 4] {
        assert!(!rows[at]["notes"].to_string().contains("\"hudi-"), "{}", rows[at]);
    }
    let census = home
        .glueup(&["census", "Lake House", "--output", "json"])
        .ok()
        .json();
    let counted = ["hudi-read-optimized", "hudi-real-time"].map(|code| census["by_note"][code].clone());
    assert_eq!(
        (census["by_kind"]["hudi"].clone(), counted),
        (json!(5), [json!(1), json!(1)])
    );
    // Hudi's own columns are columns of the table.
    let schema = home
        .glueup(&["schema", "Lake House.raw.clicks_mor_rt", "--output", "json"])
        .ok()
        .json();
    let columns = schema["columns"].as_array().unwrap().iter();
    let own = columns.filter(|column| column["name"].as_str().unwrap().starts_with("_hoodie_"));
    assert_eq!(own.count(), 5);
}

#[test]
fn on_the_screen_the_sides_stand_one_beneath_the_other_and_say_which_they_are() {
    let (_demo, home) = with_a_misleading_name();
    let mut term = Term::start(&home, 240, 50, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("DATABASES");
    term.keys(":raw\r");
    term.wait_for("Hudi 5");
    term.wait_for("clicks_ro");
    let text = term.text();
    let cell = |line: &str| line.split('│').nth(1).unwrap_or_default().trim().to_owned();
    let rows: Vec<String> = text
        .lines()
        .map(cell)
        .filter(|row| row.contains("clicks_"))
        .collect();
    let [legacy, cow, optimized, real_time, misleading] = rows.as_slice() else {
        panic!("{rows:#?}")
    };
    for (row, name, sign) in [
        (legacy, "clicks_2018", "  Hudi"),
        (cow, "clicks_cow", "  Hudi"),
        (optimized, "clicks_mor_ro", "! Hudi: Hudi's read-optimized"),
        (real_time, "clicks_mor_rt", "! Hudi: Hudi's real-time"),
        (misleading, "clicks_ro", "  Hudi"),
    ] {
        assert!(row.contains(name) && row.contains(sign), "{row}");
        assert_eq!(row.contains('!'), sign.starts_with('!'), "{row}");
    }
    term.keys(":raw.clicks_mor_ro\r");
    let pane = |term: &Term| {
        let text = term.text();
        let rows = text.lines().filter_map(|line| line.rsplit_once('│'));
        rows.flat_map(|(_, row)| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
            .join(" ")
    };
    for part in [
        "_hoodie_commit_time",
        "clicks_mor_rt has it",
        "_hoodie_file_name string",
    ] {
        term.wait(part, |term| pane(term).contains(part));
    }
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
}
