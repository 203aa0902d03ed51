//! Where tables say that their files are.

use super::{full, home, iceberg, note};
use crate::support::fake::{self, Fake, Reply};
use serde_json::json;

#[test]
fn every_spelling_of_s3_is_read_and_everything_else_is_said_to_be_none() {
    let spellings = [
        ("s3://acme-lake/wh/t", true),
        ("s3a://acme-lake/wh/t/", true),
        ("s3n://acme-lake/wh//t//", true),
        ("S3://acme-lake/wh/t", true),
        ("S3A://acme-lake/wh/t x/ü", true),
        (" s3://acme-lake/wh/t ", true),
        ("hdfs://name:8020/wh/t", false),
        ("file:/tmp/t", false),
        ("file:///tmp/t", false),
        ("gs://acme-lake/wh/t", false),
        ("abfss://c@a.dfs.core.windows.net/t", false),
        ("wasbs://c@a.blob.core.windows.net/t", false),
        ("oss://acme-lake/wh/t", false),
        ("s3:acme-lake/wh/t", false),
        ("s3:/acme-lake/wh/t", false),
        ("https://acme-lake.s3.amazonaws.com/wh/t", false),
        ("/wh/t", false),
        ("acme-lake", false),
    ];
    let tables = spellings.iter().enumerate().map(|(n, (location, _))| {
        let mut table = full(&format!("t{n:02}"));
        table["StorageDescriptor"]["Location"] = json!(location);
        table
    });
    let home = home(&fake::glue(tables.collect()));
    let rows = home
        .glueup(&["ls", "lake.d", "--output", "json"])
        .ok()
        .json_lines();
    let asked: String = (0..rows.len()).map(|n| format!("lake.d.t{n:02}\n")).collect();
    let schemas = home
        .glueup_reading(&["schema", "-", "--output", "json"], &asked)
        .ok()
        .json_lines();
    for ((row, schema), (location, is_s3)) in rows.iter().zip(&schemas).zip(spellings) {
        assert_eq!(note(row, "not-s3"), !is_s3, "{location}: {row}");
        assert!(!note(row, "outside-grant"), "{location}: {row}");
        assert_eq!(schema["location"], location, "as it is stored");
        if !is_s3 {
            assert!(row.to_string().contains("not S3"), "{row}");
            assert!(row.to_string().contains("cannot verify"), "{row}");
        }
    }
}

#[test]
fn a_location_that_would_write_to_the_terminal_is_said_in_clean_text() {
    let mut table = iceberg("t");
    table["Parameters"]["metadata_location"] = json!("s3://acme-lake/a\u{1b}[2J\u{202e}/m.json");
    let world = Fake::start(move |asked| {
        if let Some(reply) = fake::sts(asked, "aws") {
            return reply;
        }
        if asked.action() == "GetTable" {
            return Reply::json(&json!({ "Table": table }));
        }
        Reply {
            status: 403,
            ..Reply::xml(
                "<Error><Code>AccessDenied</Code><Message>User: arn:aws:sts::012345678901:assumed-role/r/glueup is not \
                 authorized to perform: s3:ListBucket on resource: arn:aws:s3:::acme-lake because no identity-based \
                 policy allows the s3:ListBucket action</Message></Error>",
            )
        }
    });
    let ran = home(&world).glueup(&["schema", "lake.d.t"]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        said.contains("is missing, or this role may not read it"),
        "{said}"
    );
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
}

#[test]
fn metadata_is_read_where_any_spelling_of_s3_says() {
    let metadata = r#"{"format-version":2,"table-uuid":"u","location":"s3://acme-lake/wh/t","current-schema-id":0,
        "schemas":[{"schema-id":0,"type":"struct","fields":[{"id":1,"name":"id","required":true,"type":"long"}]}]}"#;
    for (location, target) in [
        ("s3://acme-lake/wh/m.json", "/acme-lake/wh/m.json"),
        ("s3a://acme-lake/wh//t//m.json", "/acme-lake/wh//t//m.json"),
        ("s3n://acme-lake//m.json", "/acme-lake//m.json"),
        (
            "S3://acme-lake/a b/ü=%20/m.json",
            "/acme-lake/a%20b/%C3%BC%3D%2520/m.json",
        ),
        ("s3://acme-lake/./../m.json", "/acme-lake/./../m.json"),
    ] {
        let mut table = iceberg("t");
        table["Parameters"]["metadata_location"] = json!(location);
        let world = Fake::start(move |asked| {
            if let Some(reply) = fake::sts(asked, "aws") {
                return reply;
            }
            if asked.action() == "GetTable" {
                return Reply::json(&json!({ "Table": table }));
            }
            let path = asked.target.split('?').next().unwrap_or_default();
            if path == target {
                Reply::xml(metadata)
            } else {
                Reply {
                    status: 404,
                    ..Reply::xml("<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>")
                }
            }
        });
        let ran = home(&world).glueup(&["schema", "lake.d.t", "--output", "json"]);
        let targets: Vec<String> = world.asked().into_iter().map(|a| a.target).collect();
        let schema = ran.ok().json();
        assert_eq!(schema["source"], "iceberg", "{location}: {targets:?}");
    }
}
