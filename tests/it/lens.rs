//! Which engine reads what: a table's lens, and the census of a catalog, which agrees with its listings.

use crate::support::demo::Demo;
use crate::support::fake::{self, Fake, Reply};
use crate::support::home::Home;
use crate::support::signed;
use crate::support::walk;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub fn verdict<'a>(lens: &'a Value, engine: &str) -> (&'a str, &'a str) {
    let engines = lens["engines"].as_array().unwrap();
    let one = engines.iter().find(|one| one["engine"] == engine).unwrap();
    (one["verdict"].as_str().unwrap(), one["why"].as_str().unwrap())
}

#[test]
fn the_lens_of_a_table_says_yes_no_or_with_what() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    signed::glue(
        &demo,
        "CreateDatabase",
        &json!({"DatabaseInput": {"Name": "my-lens"}}),
    );
    let hive = |name: &str, kind: &str| {
        let table = json!({"Name": name, "TableType": "EXTERNAL_TABLE", "Parameters": {"classification": "parquet"},
            "StorageDescriptor": {"Columns": [{"Name": "u", "Type": kind}], "Location": "s3://acme-lake/warehouse/u"}});
        signed::glue(
            &demo,
            "CreateTable",
            &json!({"DatabaseName": "my-lens", "TableInput": table}),
        );
    };
    hive("unions", "uniontype<int,double>");
    hive("plain", "int");
    let asked = "Lake House.my-lens.unions\nLake House.my-lens.plain\nLake House.sales.orders\n`Lake House`.`a-b`.`clicks`\n";
    let lenses = home
        .glueup_reading(&["lens", "-", "--output", "json"], asked)
        .exits(1)
        .json_lines();
    let [unions, plain, orders, missing] = lenses.as_slice() else {
        panic!("{lenses:#?}")
    };
    assert_eq!(
        verdict(unions, "spark"),
        ("no", "UNSUPPORTED_HIVE_TYPE, it does not read unions")
    );
    assert_eq!(verdict(unions, "trino").0, "with-setting");
    assert!(
        unions.to_string().contains("struct(tag, field0, field1"),
        "{unions}"
    );
    assert_eq!(verdict(plain, "clickhouse"), ("no", "not Iceberg"));
    assert_eq!(verdict(plain, "athena").0, "yes");
    for engine in [
        "spark",
        "pyiceberg",
        "duckdb",
        "trino",
        "athena",
        "wherobots",
        "pinot",
    ] {
        assert_eq!(verdict(orders, engine).0, "yes", "{engine}: {orders}");
    }
    // its amount is a decimal
    assert_eq!(verdict(orders, "chalk").0, "with-setting", "{orders}");
    assert!(missing["error"]["what"].is_string(), "{missing}");
    let text = home.glueup(&["lens", "Lake House.my-lens.plain"]).ok().stdout;
    assert!(text.starts_with("Lake House.my-lens.plain  hive\n"), "{text}");
    assert!(text.contains("clickhouse  no            not Iceberg"), "{text}");
}

/// What the listings of all databases come to.
fn listed(home: &Home) -> (u64, u64, BTreeMap<String, u64>, BTreeMap<String, u64>) {
    let databases = home
        .glueup(&["ls", "Lake House", "--output", "json"])
        .ok()
        .json_lines();
    let (mut tables, mut kinds, mut notes) = (0, BTreeMap::new(), BTreeMap::new());
    for database in databases.iter().filter(|row| row["link"].is_null()) {
        let name = database["database"].as_str().unwrap();
        let fqn = format!("Lake House.`{}`", name.replace('`', "``"));
        for row in home.glueup(&["ls", &fqn, "--output", "json"]).ok().json_lines() {
            tables += 1;
            *kinds.entry(row["kind"].as_str().unwrap().to_owned()).or_default() += 1;
            for note in row["notes"].as_array().unwrap() {
                *notes
                    .entry(note["code"].as_str().unwrap().to_owned())
                    .or_default() += 1;
            }
        }
    }
    (databases.len() as u64, tables, kinds, notes)
}

fn counts(of: &Value) -> BTreeMap<String, u64> {
    serde_json::from_value(of.clone()).unwrap()
}

#[test]
fn the_census_agrees_with_the_listings_and_can_be_taken_along() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let census = home
        .glueup(&["census", "Lake House", "--output", "json"])
        .ok()
        .json();
    let (databases, tables, kinds, notes) = listed(&home);
    assert_eq!(
        (&census["databases"], &census["tables"]),
        (&json!(databases), &json!(tables))
    );
    assert_eq!(
        (counts(&census["by_kind"]), counts(&census["by_note"])),
        (kinds, notes)
    );
    assert_eq!(census["complete"], true);
    for (engine, per) in census["by_engine"].as_object().unwrap() {
        let sum: u64 = counts(per).values().sum();
        assert_eq!(sum, tables, "{engine}");
    }
    // only what trino does not read, and every one of those in the file
    let file = home.path().join("trino.csv");
    let args = [
        "census",
        "Lake House",
        "--engine",
        "trino=no",
        "--to",
        file.to_str().unwrap(),
        "--output",
        "json",
    ];
    let some = home.glueup(&args).ok().json();
    assert_eq!(some["tables"], census["by_engine"]["trino"]["no"]);
    let csv = std::fs::read_to_string(&file).unwrap();
    assert_eq!(csv.lines().count() as u64, some["tables"].as_u64().unwrap() + 1);
    assert!(
        csv.starts_with("database,table,kind,format,notes,location,spark,"),
        "{csv}"
    );
    let page = home.path().join("census.md");
    home.glueup(&[
        "census",
        "Lake House",
        "--kind",
        "hive",
        "--to",
        page.to_str().unwrap(),
    ])
    .ok();
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(
        page.contains("| hive |") && !page.contains("| iceberg |"),
        "{page}"
    );
    home.glueup(&["census", "Lake House", "--to", "x.pdf"]).exits(2);
    home.glueup(&["census", "Lake House", "--kind", "parquet"])
        .exits(2);
    home.glueup(&["census", "Lake House", "--engine", "oracle"])
        .exits(2);
}

#[test]
fn what_may_not_be_read_is_named_and_the_rest_is_counted() {
    let world = Fake::start(|asked| {
        if let Some(reply) = fake::sts(asked, "aws") {
            return reply;
        }
        let page = asked.json("NextToken");
        match (asked.action(), asked.json("DatabaseName").as_str()) {
            ("GetDatabases", _) => {
                Reply::json(&json!({ "DatabaseList": [{"Name": "a"}, {"Name": "b"}, {"Name": "c"}] }))
            }
            ("GetTables", "b") => Reply::error(
                400,
                "AccessDeniedException",
                "not authorized to perform: glue:GetTables",
            ),
            // one that breaks off on its second page
            ("GetTables", "c") if !page.is_empty() => Reply::error(400, "FederationSourceException", "no"),
            ("GetTables", "c") => Reply::json(&json!({ "TableList": [{"Name": "t"}], "NextToken": "more" })),
            ("GetTables", _) => {
                Reply::json(&json!({ "TableList": [{"Name": "t"}, {"Name": "u", "TableType": "GOVERNED"}] }))
            }
            _ => Reply::error(400, "EntityNotFoundException", "x"),
        }
    });
    let home = fake::at(fake::recorded("aws", "us-west-2", false), &world);
    let ran = home.glueup(&["census", "lake", "--output", "json"]).exits(1);
    let census = ran.json();
    assert_eq!(
        (&census["databases"], &census["tables"], &census["complete"]),
        (&json!(3), &json!(3), &json!(false))
    );
    assert_eq!(census["by_kind"], json!({"governed": 1, "unknown": 2}));
    let unread: Vec<&str> = census["unreadable"]
        .as_array()
        .unwrap()
        .iter()
        .map(|u| u["database"].as_str().unwrap())
        .collect();
    assert_eq!(unread, ["b", "c"]);
    assert!(ran.error()["what"].is_string());
    let text = home.glueup(&["census", "lake"]).exits(1).stdout;
    assert!(
        text.contains("not read: b") && text.contains("not read: c"),
        "{text}"
    );
}
