use super::*;
use crate::domain::glue::{Parameters, Representation, Table};
use crate::domain::kind::TableKind;
use crate::domain::schema::Column;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

fn parameters(pairs: &[(&str, &str)]) -> Parameters {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn said(columns: &[Column]) -> Vec<String> {
    let one = |column: &Column| {
        let marks = [(column.key, " key"), (column.required, " required")];
        let marks: String = marks
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, mark)| *mark)
            .collect();
        let doc = column
            .doc
            .as_ref()
            .map(|doc| format!(" -- {doc}"))
            .unwrap_or_default();
        let below = if column.children.is_empty() {
            String::new()
        } else {
            format!("{:?}", said(&column.children))
        };
        format!("{} {}{below}{marks}{doc}", column.name, column.type_text)
    };
    columns.iter().map(one).collect()
}

const SCHEMA: &str = r#"{"type":"struct","fields":[
    {"name":"Id","type":"long","nullable":false,"metadata":{"comment":"the key"}},
    {"name":"day","type":"date","nullable":true,"metadata":{}},
    {"name":"tags","type":{"type":"map","keyType":"string","valueType":{"type":"array","elementType":"string","containsNull":false},
     "valueContainsNull":true},"nullable":true,"metadata":{}},
    {"name":"p","type":{"type":"udt","class":"P","sqlType":"binary"},"nullable":true,"metadata":{}},
    {"name":"odd","type":{"type":"tensor"},"nullable":true,"metadata":{}}]}"#;

#[test]
fn sparks_schema_is_put_together_from_its_parts() {
    let (one, two) = SCHEMA.split_at(100);
    let cut = parameters(&[
        ("spark.sql.sources.schema.numParts", "2"),
        ("spark.sql.sources.schema.part.0", one),
        ("spark.sql.sources.schema.part.1", two),
        ("spark.sql.sources.schema.numPartCols", "1"),
        ("spark.sql.sources.schema.partCol.0", "day"),
    ]);
    let wanted = [
        "Id long required -- the key",
        "day date key",
        "tags map[\"key string required\", \"value array[\\\"element string required\\\"]\"]",
        "p binary",
        "odd {\"type\":\"tensor\"}",
    ];
    let columns = spark_columns(&cut).unwrap().unwrap();
    assert_eq!(said(&columns), wanted);
    assert_eq!(columns[4].notes[0].code, "unknown-type");
    let whole = spark_columns(&parameters(&[("spark.sql.sources.schema", SCHEMA)]))
        .unwrap()
        .unwrap();
    assert_eq!(whole.len(), 5);
    assert_eq!(spark_columns(&Parameters::new()), None);
}

#[test]
fn a_broken_schema_of_sparks_says_why() {
    for (pairs, wanted) in [
        (
            &[("spark.sql.sources.schema.numParts", "x")][..],
            "x is no number of parts",
        ),
        (
            &[("spark.sql.sources.schema.numParts", "99999")],
            "99999 parts are more than can be",
        ),
        (
            &[
                ("spark.sql.sources.schema.numParts", "2"),
                ("spark.sql.sources.schema.part.0", "{}"),
            ],
            "part 1 of 2 is missing",
        ),
        (
            &[("spark.sql.sources.schema", "{")],
            "it is not JSON (EOF while parsing an object at line 1 column 1)",
        ),
        (&[("spark.sql.sources.schema", "{}")], "it is JSON, but no struct"),
        (
            &[("spark.sql.sources.schema", "[1]")],
            "it is JSON, but no struct",
        ),
    ] {
        assert_eq!(
            spark_columns(&parameters(pairs)).unwrap().unwrap_err(),
            wanted,
            "{pairs:?}"
        );
    }
}

fn view(text: &str) -> Table {
    Table {
        name: "v".into(),
        table_type: Some("VIRTUAL_VIEW".into()),
        view_original_text: Some(text.into()),
        ..Table::default()
    }
}

#[test]
fn a_trino_view_is_unpacked() {
    let json = r#"{"originalSql":"SELECT a,\n\tb\u001b[2J\nFROM t","catalog":"awsdatacatalog","schema":"sales",
        "columns":[{"name":"a","type":"bigint"},{"name":"b","type":"row(x varchar)","comment":"c"}],"owner":"o"}"#;
    for head in ["Presto View", "Presto Materialized View"] {
        let table = view(&format!("/* {head}: {} */", STANDARD.encode(json)));
        let found = views(&table, TableKind::PrestoView).unwrap();
        let [only] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(only.sql, "SELECT a,\n    b␛[2J\nFROM t");
        assert_eq!(
            (only.catalog.as_deref(), only.database.as_deref()),
            (Some("awsdatacatalog"), Some("sales"))
        );
        assert_eq!(said(&only.columns), ["a bigint", "b row(x varchar) -- c"]);
    }
}

#[test]
fn a_view_that_is_not_packed_as_it_should_be_says_why() {
    let packed = |text: &str| format!("/* Presto View: {text} */");
    for (text, wanted) in [
        (packed("%%%"), "its text is not base64"),
        (packed(&STANDARD.encode("[")), "its text is not JSON"),
        (packed(&STANDARD.encode("{}")), "its text holds no SQL"),
        ("SELECT 1".to_owned(), "its text is not packed as Trino packs it"),
    ] {
        let why = views(&view(&text), TableKind::PrestoView).unwrap_err();
        assert!(why.starts_with(wanted), "{why}");
    }
}

#[test]
fn spark_and_hive_leave_their_texts_as_they_are() {
    let mut table = view("SELECT 1");
    table.view_expanded_text = Some("SELECT 1 AS `one`".into());
    table.parameters = parameters(&[
        ("view.catalogAndNamespace.numParts", "3"),
        ("view.catalogAndNamespace.part.0", "spark_catalog"),
        ("view.catalogAndNamespace.part.1", "a"),
        ("view.catalogAndNamespace.part.2", "b"),
    ]);
    let spark = &views(&table, TableKind::SparkView).unwrap()[0];
    assert_eq!(
        (
            spark.dialect.as_str(),
            spark.sql.as_str(),
            spark.catalog.as_deref(),
            spark.database.as_deref()
        ),
        ("spark", "SELECT 1", Some("spark_catalog"), Some("a.b"))
    );
    let hive = &views(&table, TableKind::HiveView).unwrap()[0];
    assert_eq!(
        (hive.dialect.as_str(), hive.sql.as_str()),
        ("hive", "SELECT 1 AS `one`")
    );
    table.representations = vec![
        Representation {
            dialect: Some("ATHENA".into()),
            original_text: Some("SELECT 2".into()),
            expanded_text: None,
        },
        Representation {
            dialect: Some("SPARK".into()),
            original_text: Some(" ".into()),
            expanded_text: Some("SELECT 3".into()),
        },
        Representation::default(),
    ];
    let dialects = views(&table, TableKind::MultiDialectView).unwrap();
    let told: Vec<_> = dialects
        .iter()
        .map(|v| (v.dialect.as_str(), v.sql.as_str()))
        .collect();
    assert_eq!(told, [("athena", "SELECT 2"), ("spark", "SELECT 3")]);
    table.representations.clear();
    assert_eq!(views(&table, TableKind::Hive).unwrap(), []);
    assert_eq!(views(&view(" "), TableKind::HiveView).unwrap(), []);
}
