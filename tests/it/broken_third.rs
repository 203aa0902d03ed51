//! A catalog of ten thousand tables of which a third is broken, refused or malformed: every list, the census and every
//! schema come to their end, and the counts are right. The tables are made from a seed, so a failure can be made again.

use crate::support::fake::{self, Asked, Fake, Reply};
use crate::support::home::Home;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const TABLES: usize = 10_000;
const DATABASES: usize = 25;
/// The database of which nothing may be listed.
const REFUSED: usize = 7;
const SEED: u64 = 0x05ee_d0fa_1a6e;

/// Numbers that look random and are the same in every run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.roll(of.len() as u64) as usize]
    }
}

/// A table, what it must be counted as, and how asking for it alone must end.
struct Made {
    table: Value,
    kind: &'static str,
    /// The schema is an error: the table is refused or gone by then.
    error: bool,
    /// What its metadata file holds; `None`: there is no such object.
    metadata: Option<String>,
}

const TYPES: [&str; 6] = [
    "bigint",
    "string",
    "decimal(10,2)",
    "array<struct<a:int,b:string>>",
    "map<string,int>",
    "timestamp",
];
const BROKEN_TYPES: [&str; 9] = [
    "",
    "bigint(20)",
    "struct<",
    "array<struct<abc,xyz:int>>",
    "struct<>>",
    "map<string>",
    "\u{1b}[2J",
    "uniontype<int,>",
    "struct<a:struct<b:struct<c:array<",
];

fn columns(dice: &mut Dice, types: &[&'static str]) -> Vec<Value> {
    let one = |n| json!({ "Name": format!("c{n}"), "Type": dice.one(types) });
    (0..3).map(one).collect()
}

fn metadata(dice: &mut Dice) -> String {
    let kind = dice.one(&["long", "string", "timestamptz", "variant"]);
    json!({ "format-version": 1 + dice.roll(3), "location": "s3://acme-lake/wh/t", "current-schema-id": 0,
        "schemas": [{ "schema-id": 0, "type": "struct",
            "fields": [{ "id": 1, "name": "id", "required": true, "type": "long" },
                       { "id": 2, "name": "x", "required": false, "type": kind }] }] })
    .to_string()
}

fn made(number: usize, dice: &mut Dice) -> Made {
    let name = format!("t{number:05}");
    let mut table = json!({
        "Name": name, "TableType": "EXTERNAL_TABLE", "Parameters": { "classification": "parquet" }, "PartitionKeys": [],
        "StorageDescriptor": { "Columns": columns(dice, &TYPES), "Location": format!("s3://acme-lake/wh/{name}") }
    });
    let mut kind = "hive";
    match dice.roll(10) {
        0..=4 => {
            kind = "iceberg";
            table["Parameters"] = json!({ "table_type": "ICEBERG", "metadata_location": format!("s3://acme-lake/wh/{name}/m.json") });
        }
        5 => {
            kind = "delta";
            table["Parameters"] = json!({ "spark.sql.sources.provider": "delta" });
            table["StorageDescriptor"]["Columns"] = json!([{ "Name": "col", "Type": "array<string>" }]);
        }
        6 => {
            kind = "presto-view";
            table["TableType"] = json!("VIRTUAL_VIEW");
            table["Parameters"] = json!({ "presto_view": "true", "comment": "Presto View" });
            table["ViewOriginalText"] = json!("/* Presto View: eyJvcmlnaW5hbFNxbCI6IlNFTEVDVCAxIn0= */");
        }
        7 => {
            kind = "resource-link";
            table = json!({ "Name": name, "TargetTable": { "DatabaseName": "x", "Name": "y", "CatalogId": "111122223333" } });
        }
        _ => {}
    }
    let mut made = Made {
        table,
        kind,
        error: false,
        metadata: Some(metadata(dice)),
    };
    if dice.roll(3) == 0 {
        broken(&mut made, dice);
    }
    made
}

/// Breaks it in one of the ways in which tables are broken.
fn broken(made: &mut Made, dice: &mut Dice) {
    let table = &mut made.table;
    let is_link = made.kind == "resource-link";
    match dice.roll(12) {
        0 if !is_link => table["StorageDescriptor"] = Value::Null,
        1 if !is_link => table["StorageDescriptor"]["Columns"] = json!(columns(dice, &BROKEN_TYPES)),
        2 if !is_link => table["StorageDescriptor"]["Location"] = json!(dice.one(&["", "file:/x", "s3://", "s3a://other//x", "\u{9b}2J"])),
        3 if !is_link => table["PartitionKeys"] = json!([{ "Name": "c0" }, { "Name": "C0", "Type": "wat" }]),
        4 if made.kind == "hive" => {
            table["TableType"] = Value::Null;
            made.kind = "unknown";
        }
        5 if made.kind == "presto-view" => table["ViewOriginalText"] = json!(dice.one(&["", "/* Presto View: %% */", "SELECT"])),
        6 if made.kind == "iceberg" => {
            table["Parameters"].as_object_mut().unwrap().remove("metadata_location");
        }
        7 if made.kind == "iceberg" => table["Parameters"]["metadata_location"] = json!(dice.one(&["", "x", "s3://", "hdfs://n/m", "s3://b"])),
        8 => made.metadata = None,
        9 => made.metadata = Some(dice.one(&["", "{", "[]", "null", "{\"schemas\":{}}", "\u{1f}\u{8b}x", "<xml/>"]).to_owned()),
        10 => made.metadata = Some("{\"format-version\":9,\"schemas\":[{\"fields\":[{\"name\":7,\"type\":{\"type\":\"list\"}},{}]}]}".to_owned()),
        _ => made.error = true,
    }
}

fn world() -> (Vec<Made>, Fake) {
    let make = || {
        let mut dice = Dice(SEED);
        (0..TABLES)
            .map(|number| made(number, &mut dice))
            .collect::<Vec<_>>()
    };
    let tables = make();
    let fake = Fake::start(move |asked| answer(&tables, asked));
    (make(), fake)
}

fn answer(tables: &[Made], asked: &Asked) -> Reply {
    if let Some(reply) = fake::sts(asked, "aws") {
        return reply;
    }
    let number = |text: &str| {
        text.trim_start_matches(|c: char| !c.is_ascii_digit())
            .parse::<usize>()
            .ok()
    };
    match asked.action() {
        "GetDatabases" => {
            let databases: Vec<Value> = (0..DATABASES)
                .map(|n| json!({ "Name": format!("d{n:02}") }))
                .collect();
            Reply::json(&json!({ "DatabaseList": databases }))
        }
        "GetTables" => {
            let database = number(&asked.json("DatabaseName")).unwrap();
            if database == REFUSED {
                return Reply::error(
                    400,
                    "AccessDeniedException",
                    "not authorized to perform: glue:GetTables",
                );
            }
            let start = asked.json("NextToken").parse().unwrap_or(0);
            let all: Vec<&Value> = tables
                .iter()
                .skip(database)
                .step_by(DATABASES)
                .map(|made| &made.table)
                .collect();
            let page: Vec<&&Value> = all.iter().skip(start).take(100).collect();
            let mut body = json!({ "TableList": page });
            if start + 100 < all.len() {
                body["NextToken"] = json!((start + 100).to_string());
            }
            Reply::json(&body)
        }
        // What the links lead to is gone.
        "GetTable" if asked.json("DatabaseName") == "x" => {
            Reply::error(400, "EntityNotFoundException", "Entity Not Found")
        }
        "GetTable" => {
            let made = &tables[number(&asked.json("Name")).unwrap()];
            if made.error {
                return Reply::error(
                    400,
                    "AccessDeniedException",
                    "not authorized to perform: glue:GetTable",
                );
            }
            Reply::json(&json!({ "Table": made.table }))
        }
        _ => {
            let digits: String = asked
                .target
                .split("/t")
                .nth(1)
                .unwrap_or_default()
                .chars()
                .take(5)
                .collect();
            match number(&digits)
                .and_then(|number| tables.get(number))
                .and_then(|made| made.metadata.as_ref())
            {
                Some(text) if asked.target.contains("m.json") => Reply {
                    kind: "application/json",
                    ..Reply::xml(text)
                },
                _ => Reply::s3_error(404, "NoSuchKey", "The specified key does not exist."),
            }
        }
    }
}

fn home(fake: &Fake) -> Home {
    fake::at(fake::recorded("aws", "us-west-2", false), fake)
}

#[test]
fn the_lists_and_the_census_are_whole_and_count_right() {
    let (tables, fake) = world();
    let home = home(&fake);
    let census = home
        .glueup(&["census", "lake", "--output", "json"])
        .exits(1)
        .json();
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    let readable = || {
        tables
            .iter()
            .enumerate()
            .filter(|(number, _)| number % DATABASES != REFUSED)
    };
    for (_, made) in readable() {
        *kinds.entry(made.kind).or_default() += 1;
    }
    assert_eq!(census["by_kind"], json!(kinds));
    assert_eq!(census["tables"], json!(readable().count()));
    assert_eq!(census["unreadable"].as_array().unwrap().len(), 1);
    let mut listed = 0;
    for database in (0..DATABASES).filter(|n| *n != REFUSED) {
        let rows = home
            .glueup(&["ls", &format!("lake.d{database:02}"), "--output", "json"])
            .ok()
            .json_lines();
        for (row, made) in rows.iter().zip(tables.iter().skip(database).step_by(DATABASES)) {
            assert_eq!(
                (&row["table"], row["kind"].as_str()),
                (&made.table["Name"], Some(made.kind)),
                "{}",
                made.table
            );
        }
        listed += rows.len();
    }
    assert_eq!(listed, readable().count());
    home.glueup(&["ls", &format!("lake.d{REFUSED:02}")]).exits(4);
}

#[test]
fn the_tables_of_all_databases_come_in_order_and_what_may_not_be_read_stands_in_its_place() {
    let (tables, fake) = world();
    let home = home(&fake);
    let listed = home
        .glueup(&["ls", "lake", "--tables", "--output", "json"])
        .exits(1)
        .json_lines();
    let of = |number: usize| tables.iter().skip(number).step_by(DATABASES);
    let mut wanted: Vec<(String, Value)> = Vec::new();
    for number in 0..DATABASES {
        let database = format!("d{number:02}");
        match number {
            REFUSED => wanted.push((database, Value::Null)),
            _ => wanted.extend(of(number).map(|made| (database.clone(), made.table["Name"].clone()))),
        }
    }
    let found: Vec<(String, Value)> = listed
        .iter()
        .map(|line| {
            (
                line["database"].as_str().unwrap().to_owned(),
                line["table"].clone(),
            )
        })
        .collect();
    assert_eq!(found, wanted);
    let refused: Vec<&Value> = listed.iter().filter(|line| line["error"].is_object()).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0]["error"]["detail"]["action"], "glue:GetTables");

    let told = home.glueup(&["ls", "lake", "--tables"]).exits(1);
    let text = told.stdout;
    // In text a row is a table: what may not be read is told beside them.
    assert_eq!(text.lines().count(), wanted.len() - 1);
    assert!(told.stderr.contains(&format!("d{REFUSED:02}")), "{}", told.stderr);
    let first: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(first[..2], ["d00", tables[0].table["Name"].as_str().unwrap()]);

    let names = home.glueup(&["ls", "lake", "--tables", "--names"]).exits(1);
    let whole: Vec<String> = wanted
        .iter()
        .filter_map(|(database, table)| Some(format!("lake.{database}.{}", table.as_str()?)))
        .collect();
    assert_eq!(names.stdout.lines().collect::<Vec<_>>(), whole);
    assert!(names.stderr.starts_with("d07: "), "{}", names.stderr);
    home.glueup(&["ls", "lake.d00", "--tables"]).exits(2);
}

#[test]
fn every_schema_is_answered_or_says_why_not() {
    let (tables, fake) = world();
    let home = home(&fake);
    let fqn = |number: usize| format!("lake.d{:02}.t{number:05}\n", number % DATABASES);
    let asked: String = (0..TABLES).map(fqn).collect();
    let ran = home
        .glueup_reading(&["schema", "-", "--output", "json"], &asked)
        .exits(1);
    let answers = ran.json_lines();
    assert_eq!(answers.len(), TABLES);
    for (answer, made) in answers.iter().zip(&tables) {
        assert_eq!(answer["error"].is_object(), made.error, "{answer} {}", made.table);
        if !made.error {
            assert_eq!(answer["kind"], made.kind, "{}", made.table);
        }
    }
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}
