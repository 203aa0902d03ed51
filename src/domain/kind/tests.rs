use proptest::prelude::*;

use super::*;
use crate::domain::glue::{Column, Federated, Representation, ResourceLink, StorageDescriptor};

fn table(table_type: &str, parameters: &[(&str, &str)]) -> Table {
    Table {
        name: "t".into(),
        table_type: Some(table_type.into()),
        parameters: parameters
            .iter()
            .map(|(k, v)| ((*k).into(), (*v).into()))
            .collect(),
        storage: Some(StorageDescriptor {
            location: Some("s3://b/t".into()),
            ..StorageDescriptor::default()
        }),
        ..Table::default()
    }
}

fn column(name: &str, parameters: &[(&str, &str)]) -> Column {
    Column {
        name: name.into(),
        type_text: Some("int".into()),
        parameters: parameters
            .iter()
            .map(|(k, v)| ((*k).into(), (*v).into()))
            .collect(),
        ..Column::default()
    }
}

fn codes(table: &Table) -> Vec<&'static str> {
    classify(table).notes.iter().map(|note| note.code).collect()
}

#[test]
fn kinds_are_told_from_table_type_and_parameters() {
    let provider = "spark.sql.sources.provider";
    for (table, kind) in [
        (
            table(
                "EXTERNAL_TABLE",
                &[("table_type", "ICEBERG"), ("metadata_location", "s3://b/m")],
            ),
            TableKind::Iceberg,
        ),
        (
            table("EXTERNAL_TABLE", &[("table_type", "iceberg")]),
            TableKind::Iceberg,
        ),
        (
            table("EXTERNAL_TABLE", &[("table_type", "Iceberg")]),
            TableKind::Iceberg,
        ),
        (table("", &[("table_type", "ICEBERG")]), TableKind::Iceberg),
        (table("EXTERNAL_TABLE", &[(provider, "delta")]), TableKind::Delta),
        (
            table("EXTERNAL_TABLE", &[("table_type", "DELTA")]),
            TableKind::Delta,
        ),
        (table("EXTERNAL_TABLE", &[(provider, "hudi")]), TableKind::Hudi),
        (
            table("EXTERNAL_TABLE", &[(provider, "parquet")]),
            TableKind::SparkSource,
        ),
        (table("EXTERNAL_TABLE", &[(provider, "hive")]), TableKind::Hive),
        (table("EXTERNAL_TABLE", &[]), TableKind::Hive),
        (
            table("MANAGED_TABLE", &[("classification", "json")]),
            TableKind::Hive,
        ),
        (table("GOVERNED", &[]), TableKind::Governed),
        (
            table(
                "VIRTUAL_VIEW",
                &[("presto_view", "true"), ("comment", "Presto View")],
            ),
            TableKind::PrestoView,
        ),
        (
            table(
                "VIRTUAL_VIEW",
                &[("presto_view", "true"), ("comment", "presto materialized view")],
            ),
            TableKind::MaterializedView,
        ),
        (
            table("VIRTUAL_VIEW", &[("view.query.out.numCols", "1")]),
            TableKind::SparkView,
        ),
        (table("VIRTUAL_VIEW", &[]), TableKind::HiveView),
        (
            Table {
                is_multi_dialect_view: true,
                ..table("VIRTUAL_VIEW", &[])
            },
            TableKind::MultiDialectView,
        ),
        (
            Table {
                has_view_definition: true,
                ..table("VIRTUAL_VIEW", &[])
            },
            TableKind::MultiDialectView,
        ),
        (
            Table {
                is_materialized_view: true,
                ..table("VIRTUAL_VIEW", &[])
            },
            TableKind::MaterializedView,
        ),
        (
            Table {
                target: Some(ResourceLink::default()),
                ..table("", &[])
            },
            TableKind::ResourceLink,
        ),
        (
            Table {
                federated: Some(Federated::default()),
                ..table("EXTERNAL_TABLE", &[])
            },
            TableKind::Federated,
        ),
        (table("INDEX_TABLE", &[]), TableKind::Unknown),
        (
            Table {
                name: "t".into(),
                ..Table::default()
            },
            TableKind::Unknown,
        ),
    ] {
        assert_eq!(classify(&table).kind, kind, "{table:?}");
    }
}

#[test]
fn a_table_with_nothing_but_a_name_is_a_row_with_notes() {
    let bare = Table {
        name: "t".into(),
        ..Table::default()
    };
    let classified = classify(&bare);
    assert_eq!(classified.kind, TableKind::Unknown);
    assert_eq!(classified.format, None);
    assert_eq!(codes(&bare), ["no-table-type", "no-storage-descriptor"]);
}

#[test]
fn hudi_is_told_by_its_input_format() {
    for input in [
        "org.apache.hudi.hadoop.HoodieParquetInputFormat",
        "org.apache.hudi.hadoop.realtime.HoodieParquetRealtimeInputFormat",
        "com.uber.hoodie.hadoop.HoodieInputFormat",
    ] {
        let mut hudi = table("EXTERNAL_TABLE", &[]);
        hudi.storage.as_mut().unwrap().input_format = Some(input.into());
        assert_eq!(classify(&hudi).kind, TableKind::Hudi);
    }
}

#[test]
fn formats_follow_the_serde_then_the_classification() {
    for (serde, format) in [
        (
            "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
            Format::Parquet,
        ),
        ("org.apache.hadoop.hive.ql.io.orc.OrcSerde", Format::Orc),
        ("org.apache.hadoop.hive.serde2.avro.AvroSerDe", Format::Avro),
        ("org.openx.data.jsonserde.JsonSerDe", Format::Json),
        ("org.apache.hive.hcatalog.data.JsonSerDe", Format::Json),
        ("org.apache.hadoop.hive.serde2.OpenCSVSerde", Format::Csv),
        ("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe", Format::Csv),
        ("com.amazonaws.glue.serde.GrokSerDe", Format::Regex),
        ("com.amazon.ionhiveserde.IonHiveSerDe", Format::Ion),
        (
            "org.apache.hadoop.hive.serde2.columnar.LazyBinaryColumnarSerDe",
            Format::RcFile,
        ),
    ] {
        let mut hive = table("EXTERNAL_TABLE", &[]);
        hive.storage.as_mut().unwrap().serde_library = Some(serde.into());
        assert_eq!(classify(&hive).format, Some(format), "{serde}");
    }
    assert_eq!(
        classify(&table("EXTERNAL_TABLE", &[("classification", "parquet")])).format,
        Some(Format::Parquet)
    );
    assert_eq!(classify(&table("EXTERNAL_TABLE", &[])).format, None);
    assert_eq!(
        classify(&table("VIRTUAL_VIEW", &[("classification", "parquet")])).format,
        None
    );
}

#[test]
fn iceberg_oddities_are_noted() {
    assert!(codes(&table("EXTERNAL_TABLE", &[("table_type", "ICEBERG")])).contains(&"never-committed"));
    let mut dropped = table(
        "EXTERNAL_TABLE",
        &[("table_type", "ICEBERG"), ("metadata_location", "s3://b/m")],
    );
    dropped.storage.as_mut().unwrap().columns = vec![
        column("a", &[]),
        column("b", &[]),
        column("A", &[("iceberg.field.current", "false")]),
    ];
    assert_eq!(codes(&dropped), ["dropped-columns"]);
    assert_eq!(
        classify(&dropped).notes[0].text,
        "Glue shows 3 columns, the current Iceberg schema has 2"
    );
}

#[test]
fn a_made_up_schema_is_called_a_placeholder() {
    let mut delta = table("EXTERNAL_TABLE", &[("spark.sql.sources.provider", "delta")]);
    let made_up = Column {
        name: "col".into(),
        type_text: Some("array<string>".into()),
        ..Column::default()
    };
    delta.storage.as_mut().unwrap().columns = vec![made_up];
    assert_eq!(codes(&delta), ["placeholder-schema"]);
}

#[test]
fn locations_and_columns_that_break_engines_are_noted() {
    let mut hive = table("EXTERNAL_TABLE", &[("projection.enabled", "true")]);
    let storage = hive.storage.as_mut().unwrap();
    storage.location = Some("hdfs://n/x".into());
    storage.columns = vec![column("dt", &[]), column("userId", &[]), column("userid", &[])];
    hive.partition_keys = vec![column("dt", &[])];
    assert_eq!(
        codes(&hive),
        ["not-s3", "duplicate-column", "partition-projection"]
    );
    assert!(classify(&hive).notes[1].text.contains("dt, userid"));
    hive.storage.as_mut().unwrap().location = Some(" ".into());
    assert!(codes(&hive).contains(&"no-location"));
}

#[test]
fn databases_say_links_and_missing_locations() {
    let bare = Database {
        name: "d".into(),
        ..Database::default()
    };
    assert_eq!(database_notes(&bare)[0].code, "no-default-location");
    let link = Database {
        target: Some(ResourceLink::default()),
        ..bare
    };
    assert_eq!(database_notes(&link)[0].code, "links-to");
    let tables = Database {
        federated: Some(Federated {
            identifier: Some("arn:aws:s3tables:…:bucket/b".into()),
            connection_type: Some("aws:s3tables".into()),
            ..Federated::default()
        }),
        target: None,
        ..link
    };
    let notes = database_notes(&tables);
    assert_eq!(
        notes[0].text,
        "stands for arn:aws:s3tables:…:bucket/b of another system (aws:s3tables)"
    );
    assert_eq!(notes.len(), 1);
}

#[test]
fn names_that_look_alike_are_told_apart() {
    let named = |name: &str| {
        let table = Table {
            name: name.into(),
            ..table("VIRTUAL_VIEW", &[])
        };
        codes(&table)
    };
    assert_eq!(named("caf\u{e9}"), [""; 0]);
    assert_eq!(named("cafe\u{301}"), ["not-nfc"]);
    let database = Database {
        name: "cafe\u{301}".into(),
        location_uri: Some("s3://b".into()),
        ..Database::default()
    };
    assert_eq!(database_notes(&database)[0].code, "not-nfc");
}

#[test]
fn the_two_sides_of_a_hudi_table_say_which_they_are() {
    const COPY: &str = "org.apache.hudi.hadoop.HoodieParquetInputFormat";
    const MERGE: &str = "org.apache.hudi.hadoop.realtime.HoodieParquetRealtimeInputFormat";
    let side = |name: &str, input: Option<&str>, optimized: Option<&str>| {
        let mut table = Table {
            name: name.into(),
            ..table("EXTERNAL_TABLE", &[("spark.sql.sources.provider", "hudi")])
        };
        let storage = table.storage.as_mut().unwrap();
        storage.input_format = input.map(str::to_owned);
        let word = optimized.map(|word| ("hoodie.query.as.ro.table".to_owned(), word.to_owned()));
        storage.serde_parameters = word.into_iter().collect();
        let texts = classify(&table).notes.into_iter().map(|note| note.text);
        texts.collect::<Vec<_>>().join("; ")
    };
    for (name, input, optimized, said) in [
        ("trips_ro", None, None, "read-optimized side of trips: "),
        ("trips_ro", Some(COPY), None, "; trips_rt has it"),
        ("trips_ro", Some(COPY), Some("true"), "; trips_rt has it"),
        ("trips_rt", None, None, "real-time side of trips: "),
        ("trips_rt", Some(MERGE), Some("false"), "; trips_ro is without"),
        // One that was registered without its ending.
        (
            "trips",
            Some(MERGE),
            None,
            "real-time side of a merge-on-read table",
        ),
        (
            "trips",
            Some(COPY),
            Some("TRUE"),
            "read-optimized side of a merge-on-read table",
        ),
    ] {
        let is = side(name, input, optimized);
        assert!(is.contains(said), "{name} {input:?}: {is}");
    }
    // Copy-on-write tables have one side, whatever they are called.
    for (name, input, optimized) in [
        ("trips", None, None),
        ("trips_ro", Some(COPY), Some("false")),
        ("trips_rt", Some(COPY), Some("false")),
        ("trips_rt", Some(COPY), None),
    ] {
        assert_eq!(side(name, input, optimized), "", "{name} {input:?}");
    }
}

proptest! {
    #[test]
    fn no_table_panics(
        table_type in proptest::option::of("(EXTERNAL_TABLE|VIRTUAL_VIEW|GOVERNED|\\PC{0,8})"),
        key in "(table_type|presto_view|spark.sql.sources.provider|\\PC{0,8})",
        value in any::<String>(),
        location in proptest::option::of(any::<String>()),
        storage in any::<bool>(),
    ) {
        let table = Table {
            table_type,
            parameters: [(key, value)].into(),
            storage: storage.then(|| StorageDescriptor { location, ..StorageDescriptor::default() }),
            ..Table::default()
        };
        let classified = classify(&table);
        prop_assert!(classified.notes.iter().all(|note| note.text.chars().all(|c| !c.is_control())));
        prop_assert_eq!(TableKind::named(classified.kind.as_str()), Some(classified.kind));
    }
}

#[test]
fn a_glue_view_without_a_text_for_athena_says_so_where_its_texts_are_known() {
    let with = |dialects: &[Option<&str>]| {
        let representation = |dialect: &Option<&str>| Representation {
            dialect: dialect.map(str::to_owned),
            ..Representation::default()
        };
        Table {
            is_multi_dialect_view: true,
            representations: dialects.iter().map(representation).collect(),
            ..table("VIRTUAL_VIEW", &[])
        }
    };
    let noted = |dialects: &[Option<&str>]| {
        let notes = classify(&with(dialects)).notes;
        notes
            .into_iter()
            .find(|note| note.code == "no-athena-dialect")
            .map(|note| note.text)
    };
    assert_eq!(noted(&[Some("ATHENA"), Some("SPARK")]), None);
    assert_eq!(noted(&[]), None);
    assert_eq!(
        noted(&[Some("SPARK")]).as_deref(),
        Some("it has its text for SPARK, and none for Athena")
    );
    assert!(noted(&[None]).unwrap().contains("no text of it says"));
}
