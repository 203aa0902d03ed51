use super::own::merged;
use super::*;
use crate::domain::glue::{Parameters, StorageDescriptor};
use crate::lake::metadata;

fn scope() -> Scope {
    Scope {
        name: "Lake".parse().unwrap(),
        region: "us-west-2".parse().unwrap(),
        granted: Some("s3://lake/wh".parse().unwrap()),
        databases: Vec::new(),
    }
}

fn fqn() -> Fqn {
    Fqn::table("Lake".parse().unwrap(), "sales", "orders")
}

fn column(name: &str, current: bool) -> glue::Column {
    glue::Column {
        name: name.into(),
        type_text: Some("bigint".into()),
        parameters: Parameters::from([("iceberg.field.current".to_owned(), current.to_string())]),
        ..glue::Column::default()
    }
}

fn iceberg() -> Table {
    Table {
        name: "orders".into(),
        parameters: Parameters::from([("table_type".to_owned(), "ICEBERG".to_owned())]),
        storage: Some(StorageDescriptor {
            columns: vec![column("id", true), column("gone", false)],
            location: Some("s3://lake/wh/orders".into()),
            ..StorageDescriptor::default()
        }),
        ..Table::default()
    }
}

#[test]
fn dropped_columns_are_history() {
    let schema = of_glue(&iceberg(), &fqn(), &scope());
    let names = |columns: &[Column]| columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        (names(&schema.columns), names(&schema.history)),
        (vec!["id".into()], vec!["gone".into()])
    );
    assert_eq!(
        (schema.fqn.as_str(), schema.source),
        ("Lake.sales.orders", Source::Glue)
    );
}

#[test]
fn partition_columns_of_hive_are_keys() {
    let table = Table {
        name: "t".into(),
        partition_keys: vec![column("day\u{1b}", true)],
        ..Table::default()
    };
    let schema = of_glue(&table, &fqn(), &scope());
    assert!(schema.columns[0].key);
    assert_eq!(schema.columns[0].name, "day␛");
    assert_eq!(schema.partition[0].transform, "identity");
}

#[test]
fn the_metadata_is_the_truth() {
    let json = br#"{"format-version":2,"current-schema-id":0,"schemas":[{"schema-id":0,"fields":[
        {"id":1,"name":"id","required":true,"type":"long"},{"id":2,"name":"note","type":"string"}]}]}"#;
    let schema = merged(
        of_glue(&iceberg(), &fqn(), &scope()),
        metadata::read(json, "x").unwrap(),
    );
    assert_eq!(schema.source, Source::Iceberg);
    assert_eq!(schema.columns.len(), 2);
    assert_eq!(schema.columns[0].type_text, "long");
    assert_eq!(schema.history[0].name, "gone");
    assert_eq!(schema.location.as_deref(), Some("s3://lake/wh/orders"));
}

#[test]
fn a_table_with_nothing_but_a_name_has_an_empty_schema() {
    let schema = of_glue(
        &Table {
            name: "t".into(),
            ..Table::default()
        },
        &fqn(),
        &scope(),
    );
    assert!(schema.columns.is_empty() && schema.location.is_none());
}
