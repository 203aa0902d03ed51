//! Spark as a judge: tables that it makes are read as it reports them, its own parser reads types as ours does, and the
//! statements that we write for it make tables with the same columns.

use crate::support::demo::Demo;
use crate::support::home::{self, Home, Ran};
use crate::support::peers::{self, Peer};
use crate::support::walk;
use glueup::domain::hive_type::HiveType;
use serde_json::{Value, json};
use std::process::Stdio;

fn spark(home: &Home, work: &str, input: &str) -> Ran {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/spark.py");
    let mut command = peers::python_in(home);
    command.arg(script).arg(peers::maven()).arg(work);
    home::run(command.stdin(Stdio::piped()), input)
}

/// A type in few words, as the script prints Spark's.
fn canonical(read: &HiveType) -> Value {
    match read {
        HiveType::Primitive { text, hive } => json!(hive.unwrap_or(text)),
        HiveType::Array(element) => json!(["array", canonical(element)]),
        HiveType::Map(key, value) => json!(["map", canonical(key), canonical(value)]),
        HiveType::Struct(fields) => {
            let fields: Vec<Value> = fields
                .iter()
                .map(|field| json!([field.name, canonical(&field.kind)]))
                .collect();
            json!(["struct", fields])
        }
        other => json!(other.word()),
    }
}

/// A column of `glueup schema` in the same words.
fn of_column(column: &Value) -> Value {
    let children = column["children"].as_array().unwrap();
    let word = column["type"].as_str().unwrap().replace(", ", ",");
    match word.as_str() {
        "struct" => json!([
            "struct",
            children
                .iter()
                .map(|c| json!([c["name"], of_column(c)]))
                .collect::<Vec<_>>()
        ]),
        "list" => json!(["array", of_column(&children[0])]),
        "map" => json!(["map", of_column(&children[0]), of_column(&children[1])]),
        // Iceberg's words for what Spark calls otherwise.
        "long" => json!("bigint"),
        "timestamptz" => json!("timestamp"),
        "timestamp" => json!("timestamp_ntz"),
        _ => json!(word),
    }
}

fn columns(schema: &Value) -> Value {
    let all = schema["columns"].as_array().unwrap().iter();
    all.map(|column| {
        json!([
            column["name"],
            of_column(column),
            column["required"],
            column["doc"]
        ])
    })
    .collect()
}

#[test]
fn what_spark_makes_is_read_as_it_reports_it_and_made_again_from_our_statement() {
    if !peers::present(
        "what_spark_makes_is_read_as_it_reports_it_and_made_again_from_our_statement",
        &[Peer::Spark],
    ) {
        return;
    }
    let demo = Demo::start(&[]);
    let (spark_home, home) = (demo.home(), walk::ready_home(&demo));
    let said = spark(&spark_home, "make", "").ok().json();
    let listed = home
        .glueup(&["ls", "Lake House.spark_peer", "--output", "json"])
        .ok()
        .json_lines();
    let names: Vec<&Value> = listed.iter().map(|row| &row["table"]).collect();
    assert_eq!(json!(names), said["tables"]);
    assert!(listed.iter().all(|row| row["kind"] == "iceberg"), "{listed:?}");
    let schema = |table: &str| {
        let fqn = format!("Lake House.spark_peer.{table}");
        home.glueup(&["schema", &fqn, "--output", "json"]).ok().json()
    };
    let (events, empty) = (schema("events"), schema("empty"));
    for (name, read) in [("events", &events), ("empty", &empty)] {
        assert_eq!(columns(read), said["columns"][name], "{name}");
        assert_eq!(
            read["differences"],
            json!([]),
            "{name}: Spark keeps Glue's columns up to date"
        );
    }
    assert_eq!(
        (&empty["format_version"], &empty["snapshot"]),
        (&json!(1), &Value::Null)
    );
    let snapshots: Vec<Value> = events["snapshots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["id"], one["parent_id"], one["operation"]]))
        .collect();
    assert_eq!(json!(snapshots), said["snapshots"]);
    let mut refs: Vec<Value> = events["refs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["name"], one["type"], one["snapshot_id"]]))
        .collect();
    refs.sort_by_key(|one| one[0].to_string());
    assert_eq!(json!(refs), said["refs"]);
    let held = &events["statistics"];
    assert_eq!(
        (&held["rows"], &held["files"], &held["bytes"]),
        (&said["rows"], &said["files"], &said["bytes"])
    );
    let sort: Vec<String> = events["sort"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let word = |key: &str| one[key].as_str().unwrap().replace('-', " ").to_uppercase();
            format!(
                "{} {} {}",
                one["source"].as_str().unwrap(),
                word("direction"),
                word("null_order")
            )
        })
        .collect();
    assert_eq!(json!(sort.join(", ")), said["properties"]["sort-order"]);
    let history: Vec<&Value> = events["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| &c["name"])
        .collect();
    assert_eq!(history, ["price", "old"]);

    // Each statement makes a table whose columns are those that Spark reads in the first one.
    let mut asked = String::new();
    for name in [
        "spark_peer.events",
        "sales.order_items",
        "sales.customers",
        "sales.orders",
    ] {
        let fqn = format!("Lake House.{name}");
        let written = home
            .glueup(&["schema", &fqn, "--as", "spark", "--output", "json"])
            .ok()
            .json();
        let table = name.split('.').nth(1).unwrap();
        let copy = format!("`Lake House`.spark_copies.{table}");
        let sql = written["text"].as_str().unwrap();
        let (head, rest) = sql.split_once(" (\n").unwrap();
        let location = format!("s3://acme-lake/warehouse/spark_copies/{table}'");
        let (body, end) = rest.split_once("LOCATION '").unwrap();
        let end = end.split_once('\'').unwrap().1;
        assert!(head.contains("CREATE TABLE `Lake House`."), "{head}");
        let sql = format!("CREATE TABLE {copy} (\n{body}LOCATION '{location}{end}");
        asked += &format!("{}\n", json!({"sql": sql, "name": copy}));
    }
    let made = spark(&spark_home, "ddl", &asked).ok().json_lines();
    assert_eq!(made[0], said["columns"]["events"]);
    for (place, table) in ["order_items", "customers", "orders"].iter().enumerate() {
        let fqn = format!("Lake House.sales.{table}");
        let wanted = home.glueup(&["schema", &fqn, "--output", "json"]).ok().json();
        assert_eq!(made[place + 1], columns(&wanted), "{table}");
    }
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const LEAVES: [&str; 22] = [
    "bigint",
    "int",
    "string",
    "double",
    "float",
    "boolean",
    "binary",
    "date",
    "timestamp",
    "smallint",
    "tinyint",
    "decimal(10,2)",
    "DECIMAL( 38 , 0 )",
    "decimal(9)",
    "char(3)",
    "varchar(65535)",
    "BIGINT",
    "Int",
    "long",
    "integer",
    "short",
    "byte",
];

const NAMES: [&str; 12] = [
    "a",
    "b_1",
    "Camel",
    "_x",
    "`with blank`",
    "`a.b`",
    "`a:b`",
    "`a,b>c<d`",
    "`tick``ed`",
    "`日本`",
    "`1st`",
    "order",
];

/// A type in which blanks stand where both readers let them stand.
fn generated(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 {
        return dice.one_of(&LEAVES).to_owned();
    }
    let blank = |dice: &mut Dice| dice.one_of(&["", "", "", " "]);
    match dice.below(5) {
        0 => {
            let (before, inner, after) = (blank(dice), generated(dice, depth - 1), blank(dice));
            format!("array<{before}{inner}{after}>")
        }
        1 => {
            let (key, value, gap) = (generated(dice, 0), generated(dice, depth - 1), blank(dice));
            format!("map<{key},{gap}{value}>")
        }
        2 | 3 => {
            let count = 1 + dice.below(4);
            let fields: Vec<String> = (0..count)
                .map(|_| {
                    let (name, gap) = (dice.one_of(&NAMES), blank(dice));
                    let comment = dice.one_of(&["", "", "", " COMMENT 'what it is'", " NOT NULL"]);
                    format!("{name}:{gap}{}{comment}", generated(dice, depth - 1))
                })
                .collect();
            format!("struct<{}>", fields.join(","))
        }
        _ => generated(dice, 0),
    }
}

#[test]
fn types_are_read_as_sparks_own_parser_reads_them() {
    if !peers::present("types_are_read_as_sparks_own_parser_reads_them", &[Peer::Spark]) {
        return;
    }
    let mut dice = Dice(2026);
    let mut corpus: Vec<String> = (0..2_000).map(|n| generated(&mut dice, n % 5)).collect();
    corpus.push("struct<>".to_owned());
    corpus.push(format!("{}int{}", "array<".repeat(40), ">".repeat(40)));
    // Both refuse these.
    let broken = [
        "array<int",
        "struct<a:int,>",
        "map<string>",
        "array<int>>",
        "struct<a int,b>",
        "decimal(10,2",
        "",
    ];
    let asked: String = corpus
        .iter()
        .map(String::as_str)
        .chain(broken)
        .map(|kind| format!("{}\n", json!(kind)))
        .collect();
    let demo = Demo::start(&[]);
    let told = spark(&demo.home(), "types", &asked).ok().json_lines();
    assert_eq!(told.len(), corpus.len() + broken.len());
    let mut agreed = 0;
    for (kind, spark) in corpus.iter().zip(&told) {
        let read = kind
            .parse::<HiveType>()
            .unwrap_or_else(|why| panic!("{kind}: {why}, Spark: {spark}"));
        // Spark has a scale where none is written.
        let ours = canonical(&read).to_string().replace("decimal(9)", "decimal(9,0)");
        assert_eq!(ours, spark.to_string(), "{kind}");
        agreed += 1;
    }
    assert_eq!(agreed, corpus.len());
    for (kind, spark) in broken.iter().zip(&told[corpus.len()..]) {
        assert_eq!(spark, &Value::Null, "{kind}");
        assert!(kind.parse::<HiveType>().is_err(), "{kind}");
    }
}
