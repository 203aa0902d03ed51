//! Tables as they really stand in other people's catalogs: any field may be missing, any location may be written there,
//! any text may be hostile. Every table is a row all the same, and a refusal is never an empty list.

mod locations;
mod missing;
mod refused;
mod texts;

use crate::support::fake::{self, Fake};
use crate::support::home::Home;
use serde_json::{Value, json};

const REGION: &str = "us-west-2";

fn home(fake: &Fake) -> Home {
    fake::at(fake::recorded("aws", REGION, false), fake)
}

/// A Hive table with every field that Glue may give.
fn full(name: &str) -> Value {
    json!({
        "Name": name, "DatabaseName": "d", "Description": "words", "Owner": "ann",
        "CreateTime": 1.7e9, "UpdateTime": 1.7e9, "LastAccessTime": 1.7e9, "LastAnalyzedTime": 1.7e9, "Retention": 0,
        "StorageDescriptor": {
            "Columns": [
                { "Name": "id", "Type": "bigint", "Comment": "key", "Parameters": { "a": "b" } },
                { "Name": "note", "Type": "string", "Comment": "", "Parameters": {} },
            ],
            "Location": "s3://acme-lake/wh/t", "AdditionalLocations": ["s3://acme-lake/wh/u"],
            "InputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
            "OutputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
            "Compressed": false, "NumberOfBuckets": -1,
            "SerdeInfo": {
                "Name": "s",
                "SerializationLibrary": "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
                "Parameters": { "serialization.format": "1" }
            },
            "BucketColumns": [], "SortColumns": [{ "Column": "id", "SortOrder": 1 }],
            "Parameters": { "classification": "parquet" },
            "SkewedInfo": { "SkewedColumnNames": [], "SkewedColumnValues": [] },
            "SchemaReference": { "SchemaVersionId": "v", "SchemaVersionNumber": 1 },
            "StoredAsSubDirectories": false
        },
        "PartitionKeys": [{ "Name": "day", "Type": "string", "Comment": "c", "Parameters": {} }],
        "ViewOriginalText": "", "ViewExpandedText": "", "TableType": "EXTERNAL_TABLE",
        "Parameters": { "EXTERNAL": "TRUE", "classification": "parquet" },
        "CreatedBy": "arn:aws:iam::012345678901:user/ann", "IsRegisteredWithLakeFormation": false,
        "CatalogId": "012345678901", "VersionId": "3", "IsMultiDialectView": false, "IsMaterializedView": false,
        "Status": { "State": "SUCCESS" }
    })
}

fn iceberg(name: &str) -> Value {
    let mut table = full(name);
    table["Parameters"] =
        json!({ "table_type": "ICEBERG", "metadata_location": "s3://acme-lake/wh/t/m.json" });
    table["PartitionKeys"] = json!([]);
    table
}

fn link(name: &str) -> Value {
    json!({
        "Name": name, "TableType": "", "CatalogId": "012345678901",
        "TargetTable": { "CatalogId": "111122223333", "DatabaseName": "db1", "Name": "t1", "Region": "us-east-1" }
    })
}

fn view(name: &str) -> Value {
    let mut table = full(name);
    table["TableType"] = json!("VIRTUAL_VIEW");
    table["Parameters"] = json!({ "presto_view": "true", "comment": "Presto View" });
    table["ViewOriginalText"] = json!("/* Presto View: e30= */");
    table
}

fn note(row: &Value, code: &str) -> bool {
    row["notes"]
        .as_array()
        .unwrap()
        .iter()
        .any(|note| note["code"] == code)
}
