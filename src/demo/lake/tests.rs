use super::archive::files;
use super::{BUCKET, OBJECTS, catalog};
use serde_json::Value;
use std::collections::BTreeSet;

fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str()
}

fn tables() -> Vec<Value> {
    let catalog = catalog(0).unwrap();
    let databases = catalog.databases.into_values();
    databases
        .flat_map(|database| database.tables.into_values())
        .map(|table| Value::Object(table.object))
        .collect()
}

#[test]
fn the_archive_is_read_to_its_end() {
    let names: Vec<String> = files(OBJECTS).map(|file| file.name).collect();
    assert!(names.len() > 150, "{}", names.len());
    assert!(names.iter().any(|name| name.contains("日本/売上/data/")));
    assert!(names.iter().any(|name| name.ends_with(".gz.metadata.json")));
    assert!(
        names.iter().any(|name| name.ends_with(".puffin")),
        "deletion vectors"
    );
    assert!(names.iter().any(|name| name.starts_with("acme-lake/archive/")));
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len());
}

#[test]
fn every_iceberg_table_but_the_broken_ones_has_its_metadata_and_it_names_its_location() {
    let held: std::collections::BTreeMap<String, &[u8]> = files(OBJECTS)
        .map(|file| (format!("s3://{}", file.name), file.bytes))
        .collect();
    let mut whole = 0;
    for table in tables() {
        let Some(location) = text(&table, "/Parameters/metadata_location") else {
            continue;
        };
        let name = text(&table, "/Name").unwrap();
        match held.get(location) {
            None => assert_eq!(name, "orders_lost"),
            Some(bytes) if location.ends_with(".gz.metadata.json") => assert_eq!(bytes[..2], [0x1f, 0x8b]),
            Some(bytes) => {
                let metadata: Value = serde_json::from_slice(bytes).unwrap();
                let root = text(&metadata, "/location").unwrap();
                assert!(
                    location.starts_with(root),
                    "{name}: {location} is not below {root}"
                );
                assert!(root.starts_with(&format!("s3://{BUCKET}/")));
                whole += 1;
            }
        }
    }
    assert!(whole > 12, "{whole}");
}

#[test]
fn the_lake_holds_every_kind_and_the_known_oddities() {
    let tables = tables();
    assert!(tables.len() > 80, "{}", tables.len());
    let any = |what: &str, test: &dyn Fn(&Value) -> bool| assert!(tables.iter().any(test), "no {what}");
    let has = |pointer: &'static str| move |table: &Value| table.pointer(pointer).is_some();
    any("resource link", &has("/TargetTable"));
    any("federated table", &has("/FederatedTable"));
    any("multi-dialect view", &has("/IsMultiDialectView"));
    any("materialized view", &has("/IsMaterializedView"));
    any("partition projection", &has("/Parameters/projection.enabled"));
    any(
        "crawler's table",
        &has("/Parameters/CrawlerSchemaSerializerVersion"),
    );
    any(
        "Spark view",
        &has("/Parameters/view.catalogAndNamespace.numParts"),
    );
    any("no storage descriptor", &|table| {
        table.get("StorageDescriptor").is_none()
    });
    any("no table type", &|table| table.get("TableType").is_none());
    any("no parameters", &|table| table.get("Parameters").is_none());
    for kind in ["iceberg", "Iceberg", "ICEBERG", "DELTA"] {
        any(kind, &|table| text(table, "/Parameters/table_type") == Some(kind));
    }
    any("governed table", &|table| {
        text(table, "/TableType") == Some("GOVERNED")
    });
    for part in [
        "HoodieParquetInputFormat",
        "HoodieParquetRealtimeInputFormat",
        "com.uber",
        "Avro",
        "Orc",
        "Symlink",
    ] {
        any(part, &|table| {
            text(table, "/StorageDescriptor/InputFormat").is_some_and(|input| input.contains(part))
        });
    }
    any("dropped column", &|table| {
        table.to_string().contains(r#""iceberg.field.current":"false""#)
    });
    any("escape byte", &|table| {
        text(table, "/Description").is_some_and(|text| text.contains('\u{1b}'))
    });
    any("bidi mark", &|table| {
        text(table, "/Name").is_some_and(|text| text.contains('\u{202e}'))
    });
    any("longest type", &|table| {
        text(table, "/StorageDescriptor/Columns/0/Type").is_some_and(|kind| kind.len() == 131_072)
    });
    any("longest name", &|table| {
        text(table, "/Name").is_some_and(|name| name.len() == 255)
    });
}

#[test]
fn generated_tables_cost_nothing_to_have() {
    let catalog = catalog(1_000_000).unwrap();
    let generated = &catalog.databases["generated"];
    assert_eq!(generated.tables.len(), 0);
    assert_eq!(generated.names_after(Some("t_000999998")).count(), 1);
    let model = generated.table("t_000000000").unwrap();
    assert!(model["Parameters"]["metadata_location"].is_string());
    let small = &catalog.databases["generated_042"];
    assert_eq!(small.names_after(None).count(), 1_000);
    let of = |tables| super::catalog(tables).unwrap().databases.len();
    assert_eq!((of(9_999) - of(0), of(10_000) - of(0)), (1, 1_001));
}
