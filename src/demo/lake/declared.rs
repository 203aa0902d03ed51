//! The Glue entries of the lake. A table is a Glue table as JSON, with these short forms:
//!
//! - `Columns` and `PartitionKeys` may be an object of name and type;
//! - `StorageDescriptor.Format` (`parquet`, `csv` …) stands for the input format, output format and SerDe;
//! - `Serde` at the table is the SerDe's parameters;
//! - `Copy` (`sales.orders`) takes over what an engine registered; `Parameters` are then merged, `Drop` names fields to
//!   leave out, and `Columns` at the table replaces the copied columns;
//! - `LongType` at a column is a type of that many characters.

use crate::demo::CUSTOMER_ACCOUNT;
use crate::demo::glue::{Database, Object, Table};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const ENGINES: &str = include_str!("../../../assets/demo/engines.json");

const FILES: [(&str, &str); 12] = [
    (
        "2024_raw.json",
        include_str!("../../../assets/demo/lake/2024_raw.json"),
    ),
    ("a-b.json", include_str!("../../../assets/demo/lake/a-b.json")),
    ("empty.json", include_str!("../../../assets/demo/lake/empty.json")),
    ("nihon.json", include_str!("../../../assets/demo/lake/nihon.json")),
    ("no.json", include_str!("../../../assets/demo/lake/no.json")),
    ("odd.json", include_str!("../../../assets/demo/lake/odd.json")),
    (
        "partner_link.json",
        include_str!("../../../assets/demo/lake/partner_link.json"),
    ),
    ("raw.json", include_str!("../../../assets/demo/lake/raw.json")),
    (
        "s3tables.json",
        include_str!("../../../assets/demo/lake/s3tables.json"),
    ),
    ("sales.json", include_str!("../../../assets/demo/lake/sales.json")),
    (
        "sales_link.json",
        include_str!("../../../assets/demo/lake/sales_link.json"),
    ),
    (
        "weather.json",
        include_str!("../../../assets/demo/lake/weather.json"),
    ),
];

/// All databases with their tables; `made` is the time that they bear, in seconds since 1970.
pub fn databases(made: i64) -> Result<BTreeMap<String, Database>, String> {
    let engines: BTreeMap<String, Vec<Object>> =
        serde_json::from_str(ENGINES).map_err(|why| format!("engines.json: {why}"))?;
    let mut databases = BTreeMap::new();
    for (file, text) in FILES {
        let in_file = |why: String| format!("{file}: {why}");
        let declared: Declared = serde_json::from_str(text).map_err(|why| in_file(why.to_string()))?;
        let mut database = read(declared, &engines, made).map_err(in_file)?;
        let name = text_of(&database.object, "Name").to_owned();
        for table in engines.get(&name).into_iter().flatten() {
            add(&mut database, &name, table.clone(), made);
        }
        databases.insert(name, database);
    }
    Ok(databases)
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Declared {
    database: Object,
    #[serde(default)]
    tables: Vec<Object>,
}

fn read(declared: Declared, engines: &BTreeMap<String, Vec<Object>>, made: i64) -> Result<Database, String> {
    let mut object = declared.database;
    let name = text_of(&object, "Name").to_owned();
    if !object.contains_key("TargetDatabase") {
        let everyone = json!([{
            "Principal": {"DataLakePrincipalIdentifier": "IAM_ALLOWED_PRINCIPALS"}, "Permissions": ["ALL"],
        }]);
        object.insert("CreateTableDefaultPermissions".to_owned(), everyone);
    }
    object.insert("CreateTime".to_owned(), json!(made as f64));
    object.insert("CatalogId".to_owned(), json!(CUSTOMER_ACCOUNT));
    let mut database = Database {
        object,
        ..Database::default()
    };
    for table in declared.tables {
        let table = expand(table, engines)?;
        add(&mut database, &name, table, made);
    }
    Ok(database)
}

/// Adds what Glue itself sets.
fn add(database: &mut Database, name: &str, mut object: Object, made: i64) {
    let table = text_of(&object, "Name").to_lowercase();
    let at = made + i64::try_from(database.tables.len()).unwrap_or_default() * 60;
    object.insert("Name".to_owned(), json!(table));
    for (field, value) in [
        ("DatabaseName", json!(name)),
        ("CreateTime", json!(at as f64)),
        ("UpdateTime", json!(at as f64)),
        (
            "CreatedBy",
            json!(format!("arn:aws:iam::{CUSTOMER_ACCOUNT}:user/admin")),
        ),
        ("CatalogId", json!(CUSTOMER_ACCOUNT)),
    ] {
        object.insert(field.to_owned(), value);
    }
    let registered = object.entry("IsRegisteredWithLakeFormation");
    registered.or_insert(json!(false));
    database.tables.insert(
        table,
        Table {
            object,
            ..Table::default()
        },
    );
}

fn expand(mut given: Object, engines: &BTreeMap<String, Vec<Object>>) -> Result<Object, String> {
    let mut object = match given.remove("Copy") {
        Some(Value::String(from)) => copied(&from, engines)?,
        _ => Object::new(),
    };
    let columns = given.remove("Columns");
    let serde = given.remove("Serde");
    let dropped = given.remove("Drop");
    for (field, value) in given {
        match (field.as_str(), object.get_mut(&field), value) {
            ("Parameters", Some(Value::Object(held)), Value::Object(more)) => held.extend(more),
            (_, _, value) => {
                object.insert(field, value);
            }
        }
    }
    for field in dropped
        .iter()
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str)
    {
        object.remove(field);
    }
    if let Some(keys) = object.remove("PartitionKeys") {
        object.insert("PartitionKeys".to_owned(), columns_of(keys));
    }
    if let Some(Value::Object(storage)) = object.get_mut("StorageDescriptor") {
        let columns = columns.or_else(|| storage.remove("Columns"));
        if let Some(columns) = columns {
            storage.insert("Columns".to_owned(), columns_of(columns));
        }
        if let Some(Value::String(format)) = storage.remove("Format") {
            set_format(storage, &format, serde)?;
        }
    }
    Ok(object)
}

fn copied(from: &str, engines: &BTreeMap<String, Vec<Object>>) -> Result<Object, String> {
    let found = from.split_once('.').and_then(|(database, table)| {
        engines
            .get(database)?
            .iter()
            .find(|object| text_of(object, "Name") == table)
    });
    found.cloned().ok_or_else(|| format!("no engine made {from}"))
}

fn columns_of(columns: Value) -> Value {
    match columns {
        Value::Object(columns) => columns
            .into_iter()
            .map(|(name, kind)| json!({"Name": name, "Type": kind}))
            .collect(),
        Value::Array(columns) => columns.into_iter().map(column).collect(),
        other => other,
    }
}

fn column(mut column: Value) -> Value {
    if let Some(fields) = column.as_object_mut()
        && let Some(length) = fields
            .remove("LongType")
            .and_then(|length| usize::try_from(length.as_u64()?).ok())
    {
        fields.insert("Type".to_owned(), json!(long_type(length)));
    }
    column
}

/// A struct whose type is exactly so many characters long.
fn long_type(length: usize) -> String {
    let mut text = String::from("struct<first:int");
    let mut n = 0;
    while text.len() + ",f00000:string".len() < length {
        text.push_str(&format!(",f{n:05}:string"));
        n += 1;
    }
    // The name of the first field takes up what is left.
    let missing = length.saturating_sub(text.len() + 1);
    text.insert_str("struct<first".len(), &"_".repeat(missing));
    text.push('>');
    text
}

fn set_format(storage: &mut Object, format: &str, serde: Option<Value>) -> Result<(), String> {
    const HIVE: &str = "org.apache.hadoop.hive.ql.io";
    const SERDE: &str = "org.apache.hadoop.hive.serde2";
    const TEXT: &str = "org.apache.hadoop.mapred.TextInputFormat";
    let parquet_out = format!("{HIVE}.parquet.MapredParquetOutputFormat");
    let text_out = format!("{HIVE}.HiveIgnoreKeyTextOutputFormat");
    let parquet = format!("{HIVE}.parquet.serde.ParquetHiveSerDe");
    let simple = format!("{SERDE}.lazy.LazySimpleSerDe");
    let (input, output, library) = match format {
        "parquet" => (
            format!("{HIVE}.parquet.MapredParquetInputFormat"),
            parquet_out,
            parquet,
        ),
        "orc" => (
            format!("{HIVE}.orc.OrcInputFormat"),
            format!("{HIVE}.orc.OrcOutputFormat"),
            format!("{HIVE}.orc.OrcSerde"),
        ),
        "avro" => (
            format!("{HIVE}.avro.AvroContainerInputFormat"),
            format!("{HIVE}.avro.AvroContainerOutputFormat"),
            format!("{SERDE}.avro.AvroSerDe"),
        ),
        "csv" => (TEXT.to_owned(), text_out, format!("{SERDE}.OpenCSVSerde")),
        "json" => (
            TEXT.to_owned(),
            text_out,
            "org.openx.data.jsonserde.JsonSerDe".to_owned(),
        ),
        "text" => (TEXT.to_owned(), text_out, simple),
        "symlink" => (format!("{HIVE}.SymlinkTextInputFormat"), text_out, parquet),
        "sequence" => (
            "org.apache.hadoop.mapred.SequenceFileInputFormat".to_owned(),
            format!("{HIVE}.HiveSequenceFileOutputFormat"),
            simple,
        ),
        "hudi" => (
            "org.apache.hudi.hadoop.HoodieParquetInputFormat".to_owned(),
            parquet_out,
            parquet,
        ),
        "hudi-realtime" => (
            "org.apache.hudi.hadoop.realtime.HoodieParquetRealtimeInputFormat".to_owned(),
            parquet_out,
            parquet,
        ),
        "hudi-legacy" => (
            "com.uber.hoodie.hadoop.HoodieInputFormat".to_owned(),
            parquet_out,
            parquet,
        ),
        "none" => return Ok(()),
        other => return Err(format!("no format {other}")),
    };
    storage.insert("InputFormat".to_owned(), json!(input));
    storage.insert("OutputFormat".to_owned(), json!(output));
    let parameters = serde.unwrap_or_else(|| json!({"serialization.format": "1"}));
    storage.insert(
        "SerdeInfo".to_owned(),
        json!({"SerializationLibrary": library, "Parameters": parameters}),
    );
    Ok(())
}

fn text_of<'a>(object: &'a Object, field: &str) -> &'a str {
    object.get(field).and_then(Value::as_str).unwrap_or_default()
}
