//! One data file of a table beside its columns: which file it is, what it has otherwise, and why there may be none.

use crate::hostile::{judge, steers};
use crate::support::between::before;
use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::jobs::World;
use crate::support::signed;
use crate::support::term::{Term, key};
use crate::support::walk;
use serde_json::{Value, json};

fn ready() -> (Demo, Home) {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    (demo, home)
}

fn ask(home: &Home, table: &str, code: i32) -> (Value, Value) {
    let asked = [
        "schema",
        &format!("Lake House.{table}"),
        "--file",
        "--output",
        "json",
    ];
    let ran = home.glueup(&asked).exits(code);
    let error = if code == 0 { Value::Null } else { ran.error() };
    (ran.json(), error)
}

fn told(file: &Value) -> Vec<String> {
    let side = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let all = file["differences"].as_array().unwrap().iter();
    all.map(|one| {
        let [column, table, file, why] = ["column", "table", "file", "why"].map(|key| side(&one[key]));
        format!("{column} {table} {file} {why}")
    })
    .collect()
}

/// A Hive table over the files of another one.
fn over(demo: &Demo, name: &str, location: &str, columns: &[(&str, &str)]) {
    let columns: Vec<Value> = columns
        .iter()
        .map(|(name, kind)| json!({"Name": name, "Type": kind}))
        .collect();
    let table = json!({"Name": name, "TableType": "EXTERNAL_TABLE", "PartitionKeys": [{"Name": "dt", "Type": "string"}],
        "Parameters": {"classification": "parquet"},
        "StorageDescriptor": {"Columns": columns, "Location": location}});
    signed::glue(
        demo,
        "CreateTable",
        &json!({"DatabaseName": "raw", "TableInput": table}),
    );
}

#[test]
fn files_of_every_writer_of_the_lake_are_those_of_their_tables() {
    let (_demo, home) = ready();
    for (table, columns, writer) in [
        ("sales.orders", 6, "parquet-cpp-arrow"),
        ("sales.order_items", 8, "parquet-mr"),
        ("sales.customers", 7, "parquet-cpp-arrow"),
        ("raw.access_log", 4, "parquet-cpp-arrow"),
        ("raw.app_events", 3, "parquet-mr"),
    ] {
        let (schema, _) = ask(&home, table, 0);
        let file = &schema["file"];
        assert_eq!(told(file), [""; 0], "{table}");
        assert_eq!(file["columns"].as_array().unwrap().len(), columns, "{table}");
        assert!(
            file["written_by"].as_str().unwrap().starts_with(writer),
            "{table}"
        );
        assert!(
            file["location"]
                .as_str()
                .unwrap()
                .starts_with("s3://acme-lake/warehouse/")
        );
        assert!(
            file["rows"].as_u64().unwrap() > 0 && file["bytes"].as_u64().unwrap() > 500,
            "{table}"
        );
        assert_eq!(file["notes"], json!([]), "{table}");
    }
    // Whoever does not ask is not kept waiting for it.
    let plain = home.glueup(&["schema", "Lake House.sales.orders", "--output", "json"]);
    assert!(plain.ok().json().get("file").is_none());
}

#[test]
fn where_the_file_is_not_as_glue_says_is_told_column_by_column() {
    let (demo, home) = ready();
    let columns = [
        ("HOST", "string"),
        ("status", "bigint"),
        ("bytes", "string"),
        ("referer", "string"),
    ];
    over(
        &demo,
        "wrong",
        "s3a://acme-lake/warehouse/raw/access_log/",
        &columns,
    );
    let (schema, _) = ask(&home, "raw.wrong", 0);
    let found = told(&schema["file"]);
    assert_eq!(
        found,
        [
            "status bigint int widened",
            "bytes string long other-type",
            "referer string - missing",
            "path - string extra",
        ]
    );
    let said = home
        .glueup(&["schema", "Lake House.raw.wrong", "--file"])
        .exits(0)
        .stdout;
    assert!(
        said.contains("bytes    string  long    refused, or read wrong\n"),
        "{said}"
    );
    assert!(
        said.contains("dt=2026-10-03/part-0.parquet\n"),
        "the newest day: {said}"
    );
}

#[test]
fn a_table_without_a_file_that_can_be_read_says_why() {
    let (demo, home) = ready();
    over(
        &demo,
        "nothing",
        "s3://acme-lake/warehouse/raw/not_there",
        &[("a", "int")],
    );
    for (table, what, why) in [
        (
            "raw.nothing",
            "There is no data file to compare",
            "or its partitions lie elsewhere",
        ),
        (
            "sales.forecast",
            "There is no data file to compare",
            "no current snapshot",
        ),
        (
            "raw.access_log_orc",
            "The data file's columns cannot be read",
            "part-0.orc: it is not Parquet",
        ),
        (
            "raw.partners",
            "The data file's columns cannot be read",
            "partners.csv: it is not Parquet",
        ),
        ("sales.daily_revenue", "No data file is compared", "a view"),
        (
            "odd.partly_shown",
            "No data file is compared",
            "Lake Formation withholds",
        ),
    ] {
        let (schema, error) = ask(&home, table, 1);
        assert!(
            schema.get("file").is_none() && schema["kind"].is_string(),
            "{table}"
        );
        assert_eq!(error["what"], what, "{table}");
        let is = error["why"].as_str().unwrap();
        assert!(is.contains(why), "{table}: {is}");
    }
}

#[test]
fn a_file_of_an_iceberg_table_costs_three_more_reads() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let fake = before(demo.endpoint(), |_| None);
    let home = home.with("AWS_ENDPOINT_URL", fake.url());
    home.glueup(&["schema", "Lake House.sales.orders", "--file"]).ok();
    let asked = fake.asked();
    let read: Vec<&str> = asked
        .iter()
        .filter(|one| one.target.starts_with("/acme-lake"))
        .map(|one| one.target.rsplit('.').next().unwrap().split('?').next().unwrap())
        .collect();
    assert_eq!(read, ["json", "avro", "avro", "parquet"]);
    // The end of the file, not the file.
    assert!(asked.last().unwrap().header("range").starts_with("bytes="));
}

#[test]
fn a_key_shows_the_sides_of_a_table_and_the_file_is_read_once() {
    let (demo, home) = ready();
    let fake = before(demo.endpoint(), |_| None);
    let home = home.with("AWS_ENDPOINT_URL", fake.url());
    let files = || {
        let asked = fake.asked();
        asked.iter().filter(|one| one.target.contains(".parquet")).count()
    };
    let mut term = Term::start(&home, 120, 30, &[], &[]);
    term.wait_for("Lake House");
    term.keys("b");
    term.wait_for("DATABASES");
    term.keys("f");
    term.wait_for("A data file is a table's: choose one first.");
    term.keys(":sales.orders\r");
    term.wait_for("Iceberg schema, written");
    assert_eq!(files(), 0);
    term.keys("f");
    term.wait_for("written by parquet-cpp-arrow");
    term.wait_for("The file's columns are those of the table's metadata.");
    term.keys("\u{1b}");
    term.wait_for("DATABASES");
    term.keys("f");
    term.wait_for("written by parquet-cpp-arrow");
    assert_eq!(files(), 1);
    term.keys("!");
    term.wait_for("schema 'Lake House.sales.orders' --file");
}

/// A path below a table is text from outside, too: a partition's value stands in it.
#[tokio::test]
async fn a_partitions_value_that_would_steer_the_terminal_is_spelled_out() {
    let world = World::start();
    let key_of_file = "warehouse/raw/evil/dt=\u{9b}2J\u{1b}]52;c;ZXZpbA==\u{7}a\u{202e}b +%2B/part-0.parquet";
    let file = include_bytes!("../data/delta-checkpoint.parquet");
    let put = world.s3().put_object().bucket("acme-lake").key(key_of_file);
    put.body(file.to_vec().into()).send().await.unwrap();
    let table = json!({"Name": "evil", "TableType": "EXTERNAL_TABLE", "Parameters": {"classification": "parquet"},
        "PartitionKeys": [{"Name": "dt", "Type": "string"}],
        "StorageDescriptor": {"Columns": [{"Name": "a", "Type": "int"}], "Location": "s3://acme-lake/warehouse/raw/evil"}});
    let headers = [
        ("content-type", "application/x-amz-json-1.1"),
        ("x-amz-target", "AWSGlue.CreateTable"),
    ];
    let (url, admin) = (&world.demo.endpoint_url, &world.demo.admin);
    let input = json!({"DatabaseName": "raw", "TableInput": table}).to_string();
    let made = signed::post(
        url,
        (&admin.id, &admin.secret),
        ("glue", "us-west-2"),
        &headers,
        &input,
    );
    assert_eq!(made.status, 200, "{}", made.text());
    let home = Home::new()
        .with("AWS_ENDPOINT_URL", url)
        .with("AWS_ACCESS_KEY_ID", &admin.id)
        .with("AWS_SECRET_ACCESS_KEY", &admin.secret)
        .with("AWS_REGION", "us-west-2");
    let clean = "/raw/evil/dt=<U+009B>2J␛]52;c;ZXZpbA==␇a<U+202E>b +%2B/part-0.parquet";
    let asked = ["schema", "AwsDataCatalog.raw.evil", "--as-caller", "--file"];
    let schema = home.glueup(&[&asked[..], &["--output", "json"]].concat()).ok();
    let location = schema.json()["file"]["location"].as_str().unwrap().to_owned();
    assert!(location.ends_with(clean), "{location}");
    let text = home.glueup(&asked).ok().stdout;
    assert!(
        text.contains(clean) && !text.contains(|c| c != '\n' && steers(c)),
        "{text:?}"
    );
    let mut term = Term::start(&home, 160, 40, &[], &[]);
    term.wait_for(walk::ACCOUNT);
    term.keys("B");
    term.wait_for("DATABASES");
    term.keys(":raw.evil\r");
    term.wait_for("▸ evil");
    term.keys("f");
    term.wait_for(clean);
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
    assert_eq!(judge(&term.raw()), Ok(()));
}

#[test]
fn the_only_file_of_a_table_may_be_its_location() {
    let (demo, home) = ready();
    let file = "s3://acme-lake/warehouse/raw/access_log/dt=2026-10-01/part-0.parquet";
    over(&demo, "alone", file, &[("host", "string")]);
    let (schema, _) = ask(&home, "raw.alone", 0);
    assert_eq!(schema["file"]["location"], file);
}

#[test]
fn of_several_tables_each_that_failed_is_named() {
    let (_demo, home) = ready();
    let tables = [
        "Lake House.sales.daily_revenue",
        "Lake House.sales.orders",
        "Lake House.raw.access_log_orc",
    ];
    let asked = [&["schema", "--file"], &tables[..]].concat();
    let ran = home
        .glueup(&[&asked[..], &["--output", "json"]].concat())
        .exits(1);
    assert_eq!(ran.json_lines().len(), 3);
    let errors: Vec<Value> = ran
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let named: Vec<&str> = errors
        .iter()
        .map(|error| error["fqn"].as_str().unwrap())
        .collect();
    assert_eq!(named, [tables[0], tables[2]]);
    assert_eq!(errors[0]["error"]["what"], "No data file is compared");
    let said = home.glueup(&asked).exits(1).stderr;
    assert!(
        said.contains("Lake House.raw.access_log_orc: The data file's columns cannot be read"),
        "{said}"
    );
}
