use super::*;
use crate::domain::declared::View;
use crate::domain::kind::Format;
use crate::domain::schema::{Column, PartitionField, SortField, Source};
use serde_json::Value;

pub(super) fn column(name: &str, kind: &str, children: Vec<Column>) -> Column {
    Column {
        name: name.into(),
        type_text: kind.into(),
        children,
        ..Column::default()
    }
}

pub(super) fn plain(source: Source, kind: TableKind, columns: Vec<Column>) -> Schema {
    Schema {
        fqn: "`Lake House`.sales.orders".into(),
        format: Some(Format::Parquet),
        location: Some("s3://acme-lake/wh/o'rders".into()),
        columns,
        ..Schema::bare(kind, source)
    }
}

pub(super) fn fqn() -> Fqn {
    Fqn::table("Lake House".parse().unwrap(), "a-b", "order")
}

fn ddl(schema: &Schema, engine: Engine) -> String {
    write(&fqn(), schema, Form::Ddl(engine)).unwrap()
}

fn iceberg() -> Schema {
    let mut id = column("id", "long", vec![]);
    (id.required, id.id, id.doc) = (true, Some(1), Some("it's the key\\".into()));
    let geo = vec![column("lat", "double", vec![]), column("a b", "uuid", vec![])];
    let entries = vec![
        Column {
            required: true,
            ..column("key", "string", vec![])
        },
        column("value", "list", vec![column("element", "int", vec![])]),
    ];
    Schema {
        format_version: Some(2),
        partition: [
            ("ts", "day"),
            ("id", "bucket[16]"),
            ("place.a b", "identity"),
            ("id", "void"),
        ]
        .map(|(source, transform)| PartitionField {
            source: source.into(),
            transform: transform.into(),
            name: "p".into(),
        })
        .into(),
        sort: vec![SortField {
            source: "ts".into(),
            transform: "identity".into(),
            direction: "desc".into(),
            null_order: "nulls-last".into(),
        }],
        ..plain(
            Source::Iceberg,
            TableKind::Iceberg,
            vec![
                id,
                column("ts", "timestamptz", vec![]),
                column("at", "timestamp", vec![]),
                column("price", "decimal(12, 2)", vec![]),
                column("hash", "fixed[16]", vec![]),
                column("place", "struct", geo),
                column("attributes", "map", entries),
            ],
        )
    }
}

#[test]
fn an_iceberg_table_for_spark() {
    let wanted = r"-- LOCATION is the table's own: give a copy another one
-- hash: Spark has no fixed[16], BINARY stands in its place
-- place.a b: Spark has no uuid, STRING stands in its place
-- sort order: ALTER TABLE `Lake House`.`a-b`.`order` WRITE ORDERED BY ts DESC NULLS LAST
CREATE TABLE `Lake House`.`a-b`.`order` (
  id BIGINT NOT NULL COMMENT 'it\'s the key\\',
  ts TIMESTAMP,
  at TIMESTAMP_NTZ,
  price DECIMAL(12, 2),
  hash BINARY,
  place STRUCT<lat: DOUBLE, `a b`: STRING>,
  attributes MAP<STRING, ARRAY<INT>>
)
USING iceberg
PARTITIONED BY (days(ts), bucket(16, id), place.`a b`)
LOCATION 's3://acme-lake/wh/o\'rders'
TBLPROPERTIES ('format-version' = '2');";
    let is = ddl(&iceberg(), Engine::Spark);
    // Whether a bare word may stand is the quoting's matter.
    assert_eq!(is.replace(".order ", ".`order` ").replace("`at`", "at"), wanted);
}

#[test]
fn an_iceberg_table_for_trino() {
    let wanted = r#"-- LOCATION is the table's own: give a copy another one
-- hash: Trino has no fixed[16], VARBINARY stands in its place
CREATE TABLE "Lake House"."a-b"."order" (
  id BIGINT NOT NULL COMMENT 'it''s the key\',
  ts TIMESTAMP(6) WITH TIME ZONE,
  at TIMESTAMP(6),
  price DECIMAL(12, 2),
  hash VARBINARY,
  place ROW(lat DOUBLE, "a b" UUID),
  attributes MAP(VARCHAR, ARRAY(INTEGER))
)
WITH (
  format = 'PARQUET',
  format_version = 2,
  partitioning = ARRAY['day(ts)', 'bucket(id, 16)', 'place."a b"'],
  sorted_by = ARRAY['ts DESC NULLS LAST'],
  location = 's3://acme-lake/wh/o''rders'
);"#;
    assert_eq!(ddl(&iceberg(), Engine::Trino).replace("\"at\"", "at"), wanted);
}

#[test]
fn an_iceberg_table_for_athena() {
    let is = ddl(&iceberg(), Engine::Athena);
    assert!(
        is.contains("-- ts: Athena has no timestamptz, TIMESTAMP stands in its place\n"),
        "{is}"
    );
    assert!(
        is.contains("PARTITIONED BY (day(ts), bucket(16, id), place.`a b`)"),
        "{is}"
    );
    assert!(is.ends_with("TBLPROPERTIES ('table_type' = 'ICEBERG');"), "{is}");
    // It has no catalog in a name, and no NOT NULL.
    assert!(
        is.contains("CREATE TABLE `a-b`.`order` (") && !is.contains("BIGINT NOT NULL"),
        "{is}"
    );
}

#[test]
fn the_partition_columns_of_hive_stand_where_each_engine_wants_them() {
    let mut key = column("day", "string", vec![]);
    key.key = true;
    let mut schema = plain(
        Source::Glue,
        TableKind::Hive,
        vec![
            column(
                "tags",
                "array<struct<n:tinyint,x:char(3)>>",
                vec![column(
                    "element",
                    "struct",
                    vec![column("n", "tinyint", vec![]), column("x", "char(3)", vec![])],
                )],
            ),
            column("at", "timestamp", vec![]),
        ],
    );
    schema.columns.insert(0, key);
    schema.partition = vec![PartitionField {
        source: "day".into(),
        transform: "identity".into(),
        name: "day".into(),
    }];
    let spark = ddl(&schema, Engine::Spark);
    assert!(
        spark.contains("  tags ARRAY<STRUCT<n: TINYINT, x: CHAR(3)>>,\n"),
        "{spark}"
    );
    assert!(
        spark.contains("USING parquet\nPARTITIONED BY (day)\nLOCATION"),
        "{spark}"
    );
    let trino = ddl(&schema, Engine::Trino);
    let (tags, day) = (
        trino.find("tags ARRAY(ROW(n TINYINT, x CHAR(3)))"),
        trino.find("day VARCHAR"),
    );
    assert!(tags < day && tags.is_some(), "{trino}");
    assert!(
        trino.contains("partitioned_by = ARRAY['day']") && trino.contains("external_location = "),
        "{trino}"
    );
    let athena = ddl(&schema, Engine::Athena).replace('`', "");
    assert!(
        athena.starts_with("CREATE EXTERNAL TABLE a-b.order (\n  tags"),
        "{athena}"
    );
    assert!(
        athena.contains(")\nPARTITIONED BY (\n  day STRING\n)\nSTORED AS PARQUET\nLOCATION"),
        "{athena}"
    );
}

#[test]
fn spark_reads_its_own_timestamp_as_an_instant_and_hive_does_not() {
    let of = |kind| {
        ddl(
            &plain(Source::Glue, kind, vec![column("t", "timestamp", vec![])]),
            Engine::Trino,
        )
    };
    assert!(of(TableKind::SparkSource).contains("t TIMESTAMP(6) WITH TIME ZONE"));
    assert!(of(TableKind::Hive).contains("t TIMESTAMP(6)\n"));
}

#[test]
fn what_is_no_table_of_its_own_is_refused_with_its_reason() {
    let refused = |kind, engine| {
        let schema = plain(Source::Glue, kind, vec![column("a", "int", vec![])]);
        write(&fqn(), &schema, Form::Ddl(engine)).unwrap_err().why
    };
    assert!(refused(TableKind::ResourceLink, Engine::Spark).contains("is a link"));
    assert!(refused(TableKind::Federated, Engine::Spark).contains("another system"));
    assert!(refused(TableKind::PrestoView, Engine::Spark).contains("text is not known"));
    assert!(refused(TableKind::Hudi, Engine::Trino).contains("in another way"));
    let nothing = plain(Source::Glue, TableKind::Unknown, vec![]);
    for form in Form::ALL {
        assert!(
            write(&fqn(), &nothing, form)
                .unwrap_err()
                .why
                .contains("no columns"),
            "{form}"
        );
    }
}

#[test]
fn a_delta_table_needs_no_columns_and_a_view_keeps_its_text() {
    let delta = plain(Source::Glue, TableKind::Delta, vec![]);
    assert!(ddl(&delta, Engine::Spark).contains("USING delta\nLOCATION"));
    let mut view = plain(Source::Glue, TableKind::PrestoView, vec![]);
    view.views = vec![View {
        dialect: "trino".into(),
        sql: "SELECT 1 AS one;".into(),
        ..View::default()
    }];
    assert_eq!(
        ddl(&view, Engine::Athena),
        "CREATE VIEW \"a-b\".\"order\" AS\nSELECT 1 AS one;"
    );
}

#[test]
fn arrow_has_ids_comments_and_the_entries_of_a_map() {
    let text = write(&fqn(), &iceberg(), Form::Arrow).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let fields = json["fields"].as_array().unwrap();
    assert_eq!(
        fields[0]["type"],
        serde_json::json!({"name": "int", "bitWidth": 64, "isSigned": true})
    );
    assert_eq!(fields[0]["metadata"][0]["value"], "1");
    assert_eq!(
        (&fields[0]["nullable"], &fields[1]["nullable"]),
        (&Value::Bool(false), &Value::Bool(true))
    );
    assert_eq!(fields[1]["type"]["timezone"], "UTC");
    assert!(fields[2]["type"].get("timezone").is_none());
    assert_eq!(fields[6]["children"][0]["name"], "entries");
    assert_eq!(fields[6]["children"][0]["children"][0]["nullable"], false);
    assert!(json.get("lost").is_none());
    let odd = plain(
        Source::Iceberg,
        TableKind::Iceberg,
        vec![column("g", "geometry", vec![])],
    );
    let json: Value = serde_json::from_str(&write(&fqn(), &odd, Form::Arrow).unwrap()).unwrap();
    assert!(json["lost"][0].as_str().unwrap().contains("geometry"), "{json}");
}

#[test]
fn what_is_to_be_known_before_a_statement_is_run_stands_before_it() {
    let mut odd = plain(
        Source::Glue,
        TableKind::Hive,
        vec![
            column("a", "int", vec![]),
            column("A", "int", vec![]),
            column("x", "array<", vec![]),
        ],
    );
    odd.format = Some(Format::Csv);
    let trino = ddl(&odd, Engine::Trino);
    for wanted in [
        "-- Trino reads every column of CSV as VARCHAR",
        "-- A: there are two columns of this name",
        "-- x: Trino has no type for array<; it stands here as it was written",
    ] {
        assert!(trino.contains(wanted), "{wanted}\n{trino}");
    }
    odd.format = None;
    assert!(ddl(&odd, Engine::Spark).contains("-- the format of its files is not known"));
    let bidi = Fqn::table("Lake".parse().unwrap(), "d", "a\u{202e}b");
    assert!(
        write(&bidi, &odd, Form::Ddl(Engine::Spark))
            .unwrap_err()
            .why
            .contains("steers a terminal")
    );
    let stale = plain(Source::Glue, TableKind::Iceberg, vec![column("a", "int", vec![])]);
    assert!(ddl(&stale, Engine::Trino).contains("-- these are Glue's columns, which may be old"));
}
