//! Partitions of a Hive table on the embedded AWS.

use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::signed;
use serde_json::{Value, json};

fn table(demo: &Demo) {
    signed::glue(
        demo,
        "CreateDatabase",
        &json!({"DatabaseInput": {"Name": "parts"}}),
    );
    let input = json!({"Name": "clicks", "TableType": "EXTERNAL_TABLE",
        "PartitionKeys": [{"Name": "year", "Type": "int"}, {"Name": "country", "Type": "string"}],
        "StorageDescriptor": {"Columns": [{"Name": "id", "Type": "bigint"}], "Location": "s3://acme-lake/warehouse/clicks"}});
    signed::glue(
        demo,
        "CreateTable",
        &json!({"DatabaseName": "parts", "TableInput": input}),
    );
}

fn ask(demo: &Demo, operation: &str, mut body: Value) -> Value {
    body["DatabaseName"] = json!("parts");
    body["TableName"] = json!("clicks");
    signed::glue(demo, operation, &body)
}

fn partition(year: u32, country: &str) -> Value {
    json!({"Values": [year.to_string(), country],
        "StorageDescriptor": {"Columns": [{"Name": "id", "Type": "bigint"}],
            "Location": format!("s3://acme-lake/warehouse/clicks/{year}/{country}")}})
}

fn values(answer: &Value) -> Vec<String> {
    let rows = answer["Partitions"].as_array().unwrap();
    let joined = |row: &Value| {
        let values = row["Values"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| v.as_str().unwrap());
        values.collect::<Vec<_>>().join("/")
    };
    rows.iter().map(joined).collect()
}

#[test]
fn partitions_are_made_found_changed_and_deleted() {
    let demo = Demo::start(&[]);
    table(&demo);
    ask(
        &demo,
        "CreatePartition",
        json!({"PartitionInput": partition(2023, "de")}),
    );
    let many: Vec<Value> = [2023, 2024]
        .iter()
        .flat_map(|y| ["de", "fr", "us"].map(|c| partition(*y, c)))
        .collect();
    let answer = ask(&demo, "BatchCreatePartition", json!({"PartitionInputList": many}));
    let errors = answer["Errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1, "{answer}");
    assert_eq!(errors[0]["PartitionValues"], json!(["2023", "de"]));
    assert_eq!(errors[0]["ErrorDetail"]["ErrorCode"], "AlreadyExistsException");
    let all = ["2023/de", "2023/fr", "2023/us", "2024/de", "2024/fr", "2024/us"];
    assert_eq!(values(&ask(&demo, "GetPartitions", json!({}))), all);
    let chosen = ask(
        &demo,
        "GetPartitions",
        json!({"Expression": "year >= 2024 AND country != 'us'"}),
    );
    assert_eq!(values(&chosen), ["2024/de", "2024/fr"]);
    // page by page, and in two halves
    let mut pages = Vec::new();
    let mut token = Value::Null;
    loop {
        let page = ask(
            &demo,
            "GetPartitions",
            json!({"MaxResults": 4, "NextToken": token, "ExcludeColumnSchema": true}),
        );
        assert!(
            page["Partitions"][0]["StorageDescriptor"]["Columns"].is_null(),
            "{page}"
        );
        pages.extend(values(&page));
        token = page["NextToken"].clone();
        if token.is_null() {
            break;
        }
    }
    assert_eq!(pages, all);
    let half = |n: u32| {
        let segment = json!({"SegmentNumber": n, "TotalSegments": 2});
        values(&ask(&demo, "GetPartitions", json!({"Segment": segment})))
    };
    let mut halves = [half(0), half(1)].concat();
    halves.sort();
    assert_eq!(halves, all);
    let moved = json!({"PartitionValueList": ["2024", "us"], "PartitionInput": partition(2025, "us")});
    ask(&demo, "UpdatePartition", moved);
    let two = json!({"PartitionsToGet": [{"Values": ["2025", "us"]}, {"Values": ["2024", "us"]}]});
    assert_eq!(values(&ask(&demo, "BatchGetPartition", two)), ["2025/us"]);
    ask(
        &demo,
        "DeletePartition",
        json!({"PartitionValues": ["2025", "us"]}),
    );
    let gone = json!({"PartitionsToDelete": [{"Values": ["2025", "us"]}, {"Values": ["2023", "us"]}]});
    let answer = ask(&demo, "BatchDeletePartition", gone);
    assert_eq!(
        answer["Errors"][0]["ErrorDetail"]["ErrorCode"],
        "EntityNotFoundException"
    );
    assert_eq!(values(&ask(&demo, "GetPartitions", json!({}))).len(), 4);
}

#[test]
fn partitions_outlive_the_program() {
    let home = Home::new();
    let demo = Demo::start_in(&home, &[]);
    table(&demo);
    ask(
        &demo,
        "CreatePartition",
        json!({"PartitionInput": partition(2023, "a/b\"c")}),
    );
    demo.terminate();
    let demo = Demo::start_in(&home, &[]);
    assert_eq!(values(&ask(&demo, "GetPartitions", json!({}))), ["2023/a/b\"c"]);
}
