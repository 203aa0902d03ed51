//! The types of Iceberg's version 3: listed, read, and judged engine by engine; and the lens on the rows of the screen.

use crate::lens::verdict;
use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::signed;
use crate::support::term::{Term, key};
use crate::support::walk;
use serde_json::{Value, json};

/// Puts Iceberg tables of version 3 into the lake, whose columns are of these types.
fn version_three(demo: &Demo, database: &str, tables: &[(&str, &[(&str, &str)])]) {
    let (keys, region) = (
        (demo.field("access_key_id"), demo.field("secret_access_key")),
        demo.field("region"),
    );
    let input = json!({"DatabaseInput": {"Name": database}});
    signed::glue(demo, "CreateDatabase", &input);
    for (name, columns) in tables {
        let fields: Vec<Value> = (1..)
            .zip(*columns)
            .map(|(id, (name, kind))| json!({"id": id, "name": name, "required": false, "type": kind}))
            .collect();
        let location = format!("s3://acme-lake/warehouse/v3/{name}");
        let metadata = json!({"format-version": 3, "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
            "location": location, "last-updated-ms": 1_792_454_400_000_i64, "last-column-id": fields.len(),
            "current-schema-id": 0, "schemas": [{"schema-id": 0, "type": "struct", "fields": fields}],
            "default-spec-id": 0, "partition-specs": [{"spec-id": 0, "fields": []}], "next-row-id": 0});
        let path = format!("/acme-lake/warehouse/v3/{name}/metadata/1.metadata.json");
        let answer = signed::send(
            demo.endpoint(),
            keys,
            ("s3", region),
            ("PUT", &path),
            &[],
            &metadata.to_string(),
        );
        assert_eq!(answer.status, 200, "{}", answer.text());
        let table = json!({"Name": name, "TableType": "EXTERNAL_TABLE",
            "Parameters": {"table_type": "ICEBERG", "metadata_location": format!("s3:/{path}")},
            "StorageDescriptor": {"Columns": [], "Location": location}});
        let input = json!({"DatabaseName": database, "TableInput": table});
        signed::glue(demo, "CreateTable", &input);
    }
}

const NEW_TYPES: [(&str, &str); 7] = [
    ("id", "long"),
    ("seen", "timestamptz_ns"),
    ("made", "timestamp_ns"),
    ("body", "variant"),
    ("place", "geometry(OGC:CRS84)"),
    ("area", "geography"),
    ("nothing", "unknown"),
];

/// A version-3 table of the new types, and one without them.
fn with_version_three() -> (Demo, Home) {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let plain = [("id", "long"), ("at", "timestamptz")];
    version_three(
        &demo,
        "three-three",
        &[("new_types", &NEW_TYPES), ("plain", &plain)],
    );
    (demo, home)
}

#[test]
fn the_types_of_version_three_are_listed_read_and_judged_engine_by_engine() {
    let (_demo, home) = with_version_three();
    let rows = home
        .glueup(&["ls", "Lake House.three-three", "--output", "json"])
        .ok()
        .json_lines();
    let listed: Vec<_> = rows
        .iter()
        .map(|row| (&row["table"], &row["kind"], &row["notes"]))
        .collect();
    let (iceberg, none) = (json!("iceberg"), json!([]));
    assert_eq!(
        listed,
        [
            (&json!("new_types"), &iceberg, &none),
            (&json!("plain"), &iceberg, &none)
        ]
    );
    let schema = home
        .glueup(&["schema", "Lake House.three-three.new_types", "--output", "json"])
        .ok()
        .json();
    let columns = schema["columns"].as_array().unwrap().iter();
    let said: Vec<(&str, &str)> = columns
        .map(|column| (column["name"].as_str().unwrap(), column["type"].as_str().unwrap()))
        .collect();
    assert_eq!(said, NEW_TYPES);
    assert_eq!(
        (&schema["format_version"], &schema["source"], &schema["notes"]),
        (&json!(3), &iceberg, &none)
    );
    let asked = "Lake House.three-three.new_types\nLake House.three-three.plain\n";
    let lenses = home
        .glueup_reading(&["lens", "-", "--output", "json"], asked)
        .ok()
        .json_lines();
    let [new, plain] = lenses.as_slice() else {
        panic!("{lenses:#?}")
    };
    for (engine, of_new, of_plain, why) in [
        (
            "wherobots",
            "no",
            "yes",
            "of version 3 it reads tables without geometry, geography, variant and timestamp_ns",
        ),
        (
            "spark",
            "no",
            "with-setting",
            "Iceberg's Spark runtime cannot convert the type",
        ),
        ("trino", "no", "with-setting", "it refuses the whole table"),
        ("pyiceberg", "no", "yes", "it does not know variant"),
        ("duckdb", "no", "yes", "it does not know geography"),
        ("clickhouse", "no", "yes", "it does not know the type"),
        ("athena", "no", "no", "it reads tables of versions 1 and 2"),
        ("chalk", "no", "no", "it reads tables of versions 1 and 2"),
        ("snowflake", "yes", "yes", ""),
        ("pinot", "yes", "yes", ""),
    ] {
        let is = verdict(new, engine);
        assert!(is.0 == of_new && is.1.contains(why), "{engine}: {is:?}");
        assert_eq!(verdict(plain, engine).0, of_plain, "{engine}: {plain}");
    }
    // The columns that are at fault, and no other.
    let engines = new["engines"].as_array().unwrap();
    let wherobots = engines.iter().find(|one| one["engine"] == "wherobots").unwrap();
    let at_fault = wherobots["columns"].as_array().unwrap().iter();
    let at_fault: Vec<&str> = at_fault.map(|one| one["column"].as_str().unwrap()).collect();
    assert_eq!(at_fault, ["seen", "made", "body", "place", "area"]);
}

#[test]
fn the_lens_is_a_key_away_on_every_row() {
    let (_demo, home) = with_version_three();
    let mut term = Term::start(&home, 160, 60, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("DATABASES");
    // The words of the screen, wherever its rows end.
    let words = |term: &Term| term.text().split_whitespace().collect::<Vec<_>>().join(" ");
    for (place, ready, lens) in [
        (
            "raw.partners",
            "▸ partners",
            &[
                "✗ ClickHouse no: not Iceberg",
                "✗ Snowflake no: not Iceberg",
                "! Trino with a setting: not Iceberg",
                "✓ Athena yes",
            ][..],
        ),
        (
            "three-three.plain",
            "plain Iceberg v3",
            &[
                "✓ Wherobots yes",
                "! Spark with a setting: Iceberg's Glue catalog takes lower-case letters, digits and underscores only",
                "set: glue.skip-name-validation=true, and backticks around the name",
                "✗ Athena no: it reads tables of versions 1 and 2",
            ],
        ),
        (
            "three-three.new_types",
            "new_types Iceberg v3",
            &[
                "✗ Wherobots no: of version 3 it reads tables without geometry, geography, variant and timestamp_ns",
                "✗ Spark no: Iceberg's Spark runtime cannot convert the type columns seen, made",
            ],
        ),
    ] {
        term.keys(&format!(":{place}\r"));
        term.wait(ready, |term| words(term).contains(ready));
        term.keys("e");
        for line in lens {
            term.wait(line, |term| words(term).contains(line));
        }
        term.keys(key::ESC);
        term.wait_gone("esc close");
    }
    // The names of version 3 stand in the pane.
    for (name, kind) in NEW_TYPES {
        let line = format!("{name} {kind}");
        term.wait(&line, |term| words(term).contains(&line));
    }
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
}
