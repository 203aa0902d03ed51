//! A database with any number of tables, none of which is stored: a name says which table it is, and the table is
//! made up when it is looked at. Starting with a million tables costs what starting with none does.

use super::store::{Object, with_version};
use serde_json::{Value, json};
use std::sync::Arc;

const PREFIX: &str = "t_";
/// Digits of a name. With leading zeros the order of the names is the order of the numbers.
const DIGITS: usize = 9;

/// So many tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    count: u64,
    database: String,
    location: String,
    created: f64,
    /// A real Iceberg table, whose files the Iceberg tables among them share.
    model: Arc<Object>,
}

impl Generated {
    /// `count` tables in a database; the Iceberg ones are copies of `model`.
    pub fn new(count: u64, database: &str, location: &str, created: f64, model: Arc<Object>) -> Self {
        let (database, location) = (database.to_owned(), location.to_owned());
        Self {
            count: count.min(10_u64.pow(DIGITS as u32)),
            database,
            location,
            created,
            model,
        }
    }

    /// The names after `after`, in order.
    pub fn names_after(&self, after: Option<&str>) -> impl Iterator<Item = String> + use<> {
        let first = match after {
            None => 0,
            Some(after) => self.first_after(after),
        };
        (first..self.count).map(name)
    }

    /// Number of the first table whose name is greater than `after`.
    fn first_after(&self, after: &str) -> u64 {
        // Names are ordered by number, so halving finds the place, whatever `after` looks like.
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if name(middle).as_str() > after {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// The table of this name.
    pub fn table(&self, table: &str) -> Option<Object> {
        self.number(table).map(|number| self.made(number))
    }

    /// Name and type of the table of this name, without making up the rest: for a listing that asks for no more.
    pub fn brief(&self, table: &str) -> Option<Object> {
        let number = self.number(table)?;
        let kind = if number % 10 == 9 {
            "VIRTUAL_VIEW"
        } else {
            "EXTERNAL_TABLE"
        };
        Some(object(json!({"Name": table, "TableType": kind})))
    }

    fn number(&self, table: &str) -> Option<u64> {
        let digits = table
            .strip_prefix(PREFIX)
            .filter(|digits| digits.len() == DIGITS)?;
        digits.parse().ok().filter(|number| *number < self.count)
    }

    fn made(&self, number: u64) -> Object {
        let name = name(number);
        let mut object = match number % 10 {
            0..=5 => self.model.as_ref().clone(),
            6 | 7 => self.hive(&name, number, "parquet"),
            8 => self.hive(&name, number, "csv"),
            _ => view(),
        };
        object.insert("Name".to_owned(), Value::String(name));
        object.insert("DatabaseName".to_owned(), Value::String(self.database.clone()));
        object.insert("CreateTime".to_owned(), json!(self.created));
        object.insert(
            "UpdateTime".to_owned(),
            json!(self.created + (number % 86_400) as f64),
        );
        with_version(&object, 0)
    }

    fn hive(&self, name: &str, number: u64, format: &str) -> Object {
        let types = [
            "bigint",
            "string",
            "double",
            "timestamp",
            "decimal(18,4)",
            "array<string>",
        ];
        let columns: Vec<Value> = (0..4 + number % 6)
            .zip(types.iter().cycle())
            .map(|(n, kind)| json!({"Name": format!("c{n}"), "Type": kind}))
            .collect();
        let (input, output, serde) = match format {
            "parquet" => (
                "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
                "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
                "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
            ),
            _ => (
                "org.apache.hadoop.mapred.TextInputFormat",
                "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
                "org.apache.hadoop.hive.serde2.OpenCSVSerde",
            ),
        };
        object(json!({
            "TableType": "EXTERNAL_TABLE",
            "Parameters": {"EXTERNAL": "TRUE", "classification": format},
            "PartitionKeys": [{"Name": "dt", "Type": "string"}],
            "StorageDescriptor": {
                "Columns": columns, "Location": format!("{}/{name}", self.location),
                "InputFormat": input, "OutputFormat": output, "SerdeInfo": {"SerializationLibrary": serde},
            },
        }))
    }
}

fn view() -> Object {
    object(json!({
        "TableType": "VIRTUAL_VIEW",
        "Parameters": {},
        "ViewOriginalText": "SELECT 1 AS one", "ViewExpandedText": "SELECT 1 AS `one`",
        "StorageDescriptor": {"Columns": [{"Name": "one", "Type": "int"}]},
    }))
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}

fn name(number: u64) -> String {
    format!("{PREFIX}{number:0width$}", width = DIGITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_on_from_any_place() {
        let made = Generated::new(25, "generated", "s3://b/p", 0.0, Arc::default());
        assert_eq!(made.names_after(None).count(), 25);
        assert_eq!(
            made.names_after(Some("t_000000009")).next().unwrap(),
            "t_000000010"
        );
        assert_eq!(made.names_after(Some("a")).count(), 25);
        assert_eq!(made.names_after(Some("u")).count(), 0);
        assert_eq!(
            made.names_after(Some("t_000000009x")).next().unwrap(),
            "t_000000010"
        );
        for name in made.names_after(None) {
            assert_eq!(made.table(&name).unwrap()["Name"], name);
            assert_eq!(made.brief(&name).unwrap()["Name"], name);
        }
        for absent in ["t_000000025", "t_1", "x", "t_00000000a"] {
            assert_eq!(made.table(absent), None, "{absent}");
        }
    }
}
