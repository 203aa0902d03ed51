//! Any field may be missing, and any sort of table may stand beside the others.

use super::{full, home, iceberg, link, note, view};
use crate::support::fake;
use crate::support::term::{Term, key};
use serde_json::{Value, json};

/// Every object of the table, as a path into it.
fn objects(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.push(at.to_owned());
            for (name, member) in members {
                objects(member, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                objects(item, &format!("{at}/{n}"), found);
            }
        }
        _ => {}
    }
}

/// The table once without each of its fields, and once with a null there; a table, a column and the map's keys keep
/// their names.
fn maimed(build: fn(&str) -> Value, found: &mut Vec<Value>) {
    let whole = build("whole");
    let mut places = Vec::new();
    objects(&whole, "", &mut places);
    for place in places {
        let names: Vec<String> = whole
            .pointer(&place)
            .unwrap()
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        let is_map = place.ends_with("Parameters");
        for name in names {
            if is_map
                || (name == "Name" && !place.ends_with("SerdeInfo") && !place.ends_with("TargetTable"))
                || name == "Column"
            {
                continue;
            }
            for absent in [true, false] {
                let mut table = whole.clone();
                let object = table.pointer_mut(&place).unwrap().as_object_mut().unwrap();
                if absent {
                    object.remove(&name);
                } else {
                    object.insert(name.clone(), Value::Null);
                }
                let sort = if absent { "without" } else { "null" };
                let kind = whole["TableType"].as_str().unwrap_or_default().to_lowercase();
                table["Name"] = json!(format!(
                    "{:03}_{kind}_{sort}{}_{name}",
                    found.len(),
                    place.replace('/', "_")
                ));
                found.push(table);
            }
        }
    }
}

#[test]
fn whatever_field_is_missing_the_table_is_a_row_and_has_a_schema() {
    let mut tables = Vec::new();
    for build in [full, iceberg, link, view] as [fn(&str) -> Value; 4] {
        maimed(build, &mut tables);
    }
    tables.push(json!({ "Name": "998_nothing_but_a_name" }));
    for (n, odd) in [1e14, -1e14, 253_402_300_800.0, -62_135_596_801.0, 0.5]
        .into_iter()
        .enumerate()
    {
        let mut table = full(&format!("999_{n}_odd_time"));
        table["CreateTime"] = json!(odd);
        table["UpdateTime"] = json!(odd);
        table["SomethingNew"] = json!({ "of": ["the", "future"] });
        table["TableType"] = json!("NEW_SORT_OF_TABLE");
        tables.push(table);
    }
    let names: Vec<String> = tables
        .iter()
        .map(|t| t["Name"].as_str().unwrap().to_owned())
        .collect();
    assert!(names.len() > 200, "{}", names.len());
    let world = fake::glue(tables);
    let home = home(&world);

    let rows = home
        .glueup(&["ls", "lake.d", "--output", "json"])
        .ok()
        .json_lines();
    let listed: Vec<&str> = rows.iter().map(|row| row["table"].as_str().unwrap()).collect();
    assert_eq!(listed, names);
    for row in &rows {
        let name = row["table"].as_str().unwrap();
        assert!(row["kind"].is_string() && row["notes"].is_array(), "{row}");
        // What the missing field was needed for is said; the rest is as it was.
        match name.split_once('_').unwrap().1 {
            "external_table_without_TableType" | "external_table_null_TableType" => {
                assert!(note(row, "no-table-type"), "{row}");
            }
            "external_table_without_StorageDescriptor" | "external_table_null_StorageDescriptor" => {
                assert!(note(row, "no-storage-descriptor"), "{row}");
            }
            "external_table_without_StorageDescriptor_Location" => assert!(note(row, "no-location"), "{row}"),
            "_without_TargetTable" | "nothing_but_a_name" => assert_eq!(row["kind"], "unknown", "{row}"),
            _ => {}
        }
    }
    let without_type = rows
        .iter()
        .filter(|row| note(row, "no-table-type") && row["kind"] == "unknown");
    assert!(
        without_type.count() >= 2,
        "a Hive table without its TableType is unknown"
    );

    let lines = home.glueup(&["ls", "lake.d"]).ok().stdout;
    assert_eq!(lines.lines().count(), names.len());

    let asked: String = names.iter().map(|name| format!("lake.d.{name}\n")).collect();
    // The Iceberg ones have metadata that is not there: Glue's columns are shown, and the exit code says so.
    let ran = home
        .glueup_reading(&["schema", "-", "--output", "json"], &asked)
        .exits(1);
    let schemas = ran.json_lines();
    assert_eq!(schemas.len(), names.len());
    for (schema, name) in schemas.iter().zip(&names) {
        assert_eq!(schema["fqn"], format!("lake.d.{name}"));
        assert!(schema["columns"].is_array(), "{schema}");
    }

    let mut term = Term::start(&home, 120, 40, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("DATABASES  1");
    term.keys(key::ENTER);
    term.wait_for(&format!("TABLES  {}", names.len()));
    term.wait_for(&names[0][..16]);
    term.keys("G");
    term.wait_for("999_4_odd_time");
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
}

#[test]
fn one_foreign_table_hides_no_other_and_each_kind_is_counted() {
    let mut delta = full("e_delta");
    delta["Parameters"] = json!({ "spark.sql.sources.provider": "delta" });
    let mut hudi = full("f_hudi");
    hudi["StorageDescriptor"]["InputFormat"] = json!("org.apache.hudi.hadoop.HoodieParquetInputFormat");
    let mut lower = iceberg("b_lower_case");
    lower["Parameters"]["table_type"] = json!("iceberg");
    let mut never = iceberg("c_never_committed");
    never["Parameters"] = json!({ "table_type": "ICEBERG" });
    let mut blank = iceberg("d_blank_metadata");
    blank["Parameters"]["metadata_location"] = json!(" ");
    let tables = vec![
        iceberg("a_iceberg"),
        lower,
        never,
        blank,
        delta,
        hudi,
        full("g_hive"),
        full("h_hive"),
        view("i_view"),
        link("j_link"),
        json!({ "Name": "k_broken" }),
    ];
    let total = tables.len();
    let home = home(&fake::glue(tables));
    let rows = home
        .glueup(&["ls", "lake.d", "--output", "json"])
        .ok()
        .json_lines();
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "iceberg",
            "iceberg",
            "iceberg",
            "iceberg",
            "delta",
            "hudi",
            "hive",
            "hive",
            "presto-view",
            "resource-link",
            "unknown"
        ]
    );
    assert!(
        rows[9]
            .to_string()
            .contains("link → 111122223333/db1.t1 (us-east-1)")
    );
    let never: Vec<bool> = rows.iter().map(|row| note(row, "never-committed")).collect();
    assert_eq!(never.iter().filter(|n| **n).count(), 2, "{rows:?}");
    assert!(never[2] && never[3]);

    let mut term = Term::start(&home, 160, 40, &[], &[]);
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("DATABASES  1");
    term.keys(key::ENTER);
    term.wait_for(&format!("TABLES  {total}"));
    term.wait_for("Iceberg 4 · Hive 2");
    term.wait_for("→ 111122223333/db1.t1");
    term.keys(key::CTRL_C);
    term.exit_code();
}
