use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::io::Write;

fn parse(json: &Value) -> Metadata {
    read(
        json.to_string().as_bytes(),
        "s3://lake/t/metadata/v1.metadata.json",
    )
    .unwrap()
}

fn lake_table() -> Value {
    json!({
        "format-version": 2,
        "location": "s3://lake/wh/sales.db/orders",
        "current-schema-id": 1,
        "schemas": [
            {"schema-id": 0, "type": "struct", "fields": [
                {"id": 1, "name": "id", "required": true, "type": "long"},
                {"id": 2, "name": "old_note", "required": false, "type": "string"},
                {"id": 3, "name": "when", "required": false, "type": "timestamptz"}]},
            {"schema-id": 1, "type": "struct", "identifier-field-ids": [1], "fields": [
                {"id": 1, "name": "id", "required": true, "type": "long", "doc": "the \u{1b} key"},
                {"id": 3, "name": "write_time", "required": false, "type": "timestamptz"},
                {"id": 4, "name": "tags", "required": false, "type": {"type": "list", "element-id": 5,
                    "element-required": true, "element": "string"}},
                {"id": 6, "name": "place", "required": false, "type": {"type": "struct", "fields": [
                    {"id": 7, "name": "city", "required": false, "type": "string"}]}},
                {"id": 8, "name": "attributes", "required": false, "type": {"type": "map", "key-id": 9,
                    "key": "string", "value-id": 10, "value-required": false, "value": "decimal(10, 2)"}}]}
        ],
        "default-spec-id": 2,
        "partition-specs": [
            {"spec-id": 0, "fields": []},
            {"spec-id": 2, "fields": [
                {"source-id": 3, "field-id": 1000, "transform": "day", "name": "write_time_day"},
                {"source-id": 7, "field-id": 1001, "transform": "bucket[16]", "name": "city_bucket"}]}
        ],
        "current-snapshot-id": 3_776_207_205_136_740_581_i64,
        "snapshots": [{"snapshot-id": 3_776_207_205_136_740_581_i64, "timestamp-ms": 1_700_000_000_000_i64}],
        "properties": {"write.format.default": "parquet"}
    })
}

#[test]
fn the_current_schema_is_a_tree_with_ids() {
    let metadata = parse(&lake_table());
    assert_eq!(metadata.format_version, Some(2));
    let names: Vec<_> = metadata
        .columns
        .iter()
        .map(|c| (c.name.as_str(), c.type_text.as_str(), c.id))
        .collect();
    assert_eq!(
        names,
        [
            ("id", "long", Some(1)),
            ("write_time", "timestamptz", Some(3)),
            ("tags", "list", Some(4)),
            ("place", "struct", Some(6)),
            ("attributes", "map", Some(8)),
        ]
    );
    let id = &metadata.columns[0];
    assert!(id.required && id.key);
    assert_eq!(id.doc.as_deref(), Some("the ␛ key"));
    let tags = &metadata.columns[2].children[0];
    assert_eq!(
        (tags.name.as_str(), tags.id, tags.required),
        ("element", Some(5), true)
    );
    let [key, value] = metadata.columns[4].children.as_slice() else {
        panic!("a map has a key and a value")
    };
    assert!(key.required && !value.required);
    assert_eq!(value.type_text, "decimal(10, 2)");
    assert_eq!(metadata.properties["write.format.default"], "parquet");
}

#[test]
fn what_the_schema_lost_is_history() {
    let history = parse(&lake_table()).history;
    let lost: Vec<_> = history
        .iter()
        .map(|c| (c.name.as_str(), c.notes.last().unwrap().code))
        .collect();
    assert_eq!(lost, [("old_note", "dropped-column"), ("when", "renamed-column")]);
    assert_eq!(history[1].notes.last().unwrap().text, "Now called write_time");
}

#[test]
fn partitions_are_transforms_of_named_columns() {
    let partition = parse(&lake_table()).partition;
    let told: Vec<_> = partition
        .iter()
        .map(|f| (f.source.as_str(), f.transform.as_str()))
        .collect();
    assert_eq!(told, [("write_time", "day"), ("place.city", "bucket[16]")]);
}

#[test]
fn the_snapshot_id_is_text_and_may_be_missing_in_three_ways() {
    let mut table = lake_table();
    let snapshot = parse(&table).snapshot.unwrap();
    assert_eq!(snapshot.id, "3776207205136740581");
    assert_eq!(snapshot.at.unwrap().to_string(), "2023-11-14T22:13:20Z");
    for none in [json!(null), json!(-1)] {
        table["current-snapshot-id"] = none;
        assert_eq!(parse(&table).snapshot, None);
    }
    table.as_object_mut().unwrap().remove("current-snapshot-id");
    assert_eq!(parse(&table).snapshot, None);
}

#[test]
fn a_zoned_time_says_its_unit_and_what_athena_wants() {
    let metadata = parse(&lake_table());
    let note = &metadata.columns[1].notes[0];
    assert!(note.text.starts_with("timestamptz (µs)"), "{}", note.text);
    assert!(
        note.text
            .ends_with("CTAS to Hive needs CAST(write_time AS timestamp)"),
        "{}",
        note.text
    );
}

#[test]
fn version_one_has_one_schema_and_one_spec() {
    let metadata = parse(&json!({
        "format-version": 1,
        "schema": {"type": "struct", "fields": [{"id": 1, "name": "d", "required": false, "type": "date"}]},
        "partition-spec": [{"source-id": 1, "field-id": 1000, "transform": "identity", "name": "d"}]
    }));
    assert_eq!(metadata.columns.len(), 1);
    assert_eq!(metadata.partition[0].source, "d");
    assert!(metadata.history.is_empty());
}

#[test]
fn types_of_the_future_stay_visible() {
    let metadata = parse(&json!({
        "format-version": 4,
        "schemas": [{"schema-id": 0, "fields": [
            {"id": 1, "name": "a", "type": "quaternion"},
            {"id": 2, "name": "b", "type": {"type": "tensor", "shape": [2, 2]}},
            {"id": 3, "name": "c"},
            {"id": 4, "name": "v", "type": "variant"},
            {"id": 5, "name": "g", "type": "geometry(OGC:CRS84)"},
            {"id": 6, "name": "n", "type": "timestamp_ns"}]}],
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": [
            {"source-ids": [1, 99], "transform": "zorder", "name": "z"}]}]
    }));
    let unknown: Vec<_> = metadata
        .columns
        .iter()
        .filter(|c| c.notes.iter().any(|n| n.code == "unknown-type"))
        .map(|c| (c.name.as_str(), c.type_text.as_str()))
        .collect();
    assert_eq!(
        unknown,
        [
            ("a", "quaternion"),
            ("b", r#"{"type":"tensor","shape":[2,2]}"#),
            ("c", "?")
        ]
    );
    assert_eq!(metadata.partition[0].source, "a, field 99");
}

#[test]
fn a_packed_file_is_unpacked_and_a_broken_one_refused() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(lake_table().to_string().as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    assert_eq!(read(&packed, "x").unwrap(), parse(&lake_table()));
    let broken = read(&packed[..packed.len() / 2], "s3://b/k").unwrap_err();
    assert!(
        broken.why.starts_with("s3://b/k is a broken gzip archive"),
        "{}",
        broken.why
    );
}

#[test]
fn what_is_not_metadata_is_refused_by_name() {
    for (bytes, word) in [
        (&b""[..], "is not JSON"),
        (b"<html>", "is not JSON"),
        (b"[1]", "not an object"),
        (b"{\"a\":1}", "has no schema"),
    ] {
        let problem = read(bytes, "s3://b/k").unwrap_err();
        assert!(
            problem.why.starts_with("s3://b/k ") && problem.why.contains(word),
            "{}",
            problem.why
        );
    }
}

/// JSON of any shape, with the words of the format strewn in.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        prop_oneof![Just("struct"), Just("list"), Just("map"), Just("long")].prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("schemas"),
        Just("schema"),
        Just("fields"),
        Just("type"),
        Just("id"),
        Just("name"),
        Just("element"),
        Just("key"),
        Just("value"),
        Just("partition-specs"),
        Just("spec-id"),
        Just("source-id"),
        Just("source-ids"),
        Just("default-spec-id"),
        Just("current-schema-id"),
        Just("schema-id"),
        Just("snapshots"),
        Just("current-snapshot-id"),
        Just("snapshot-id"),
        Just("timestamp-ms"),
        Just("properties"),
        Just("other"),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..8)
                .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_read_or_refused(json in any_json(), schemas in any_json()) {
        let _ = read(json.to_string().as_bytes(), "x");
        let mut table = lake_table();
        table["schemas"] = schemas;
        let _ = read(table.to_string().as_bytes(), "x");
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes, "x");
        let _ = read(&[&[0x1f, 0x8b][..], &bytes].concat(), "x");
    }
}

#[test]
fn what_engines_refuse_is_noted_and_shown_as_well_as_it_can_be() {
    let fields = json!([{"id": 1, "name": "a", "type": "long"}]);
    let of = |version: serde_json::Value, current: serde_json::Value| {
        let metadata = parse(&json!({
            "format-version": version, "current-schema-id": current,
            "schemas": [{"schema-id": 0, "fields": fields}]
        }));
        assert_eq!(metadata.columns.len(), 1);
        metadata
            .notes
            .iter()
            .map(|note| note.text.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(json!(3), json!(0)), [""; 0]);
    assert_eq!(
        of(json!(4), json!(0)),
        ["its format version is 4: versions 1 to 3 are known here"]
    );
    assert!(of(json!("2"), json!(0))[0].starts_with("its format version is \"2\""));
    assert_eq!(
        of(json!(2), json!(7)),
        [
            "its current-schema-id 7 names none of its schemas: the last one is shown, and engines may refuse the table"
        ]
    );
    assert!(of(json!(2), json!(null))[0].contains("current-schema-id null"));
}

#[test]
fn decimals_and_fixed_bytes_have_bounds() {
    let unknown = |word: &str| {
        let metadata = parse(&json!({"format-version": 2, "current-schema-id": 0,
            "schemas": [{"schema-id": 0, "fields": [{"id": 1, "name": "a", "type": word}]}]}));
        metadata.columns[0]
            .notes
            .iter()
            .any(|note| note.code == "unknown-type")
    };
    for word in ["decimal(38, 38)", "decimal(1,0)", "fixed[16]"] {
        assert!(!unknown(word), "{word}");
    }
    for word in [
        "decimal(39,0)",
        "decimal(0,0)",
        "decimal(5,6)",
        "decimal(5)",
        "decimal(5,-1)",
        "decimal()",
        "fixed[0]",
        "fixed[x]",
        "fixed[1,2]",
    ] {
        assert!(unknown(word), "{word}");
    }
}
