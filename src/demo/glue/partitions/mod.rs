//! Partitions of Hive tables. They live beneath their table: whoever may do something to the table's partitions needs the
//! right on table, database and catalog.

mod filter;
#[cfg(test)]
mod tests;

use super::access::Ask;
use super::errors;
use super::input;
use super::paging::{Page, set, token};
use super::store::{Object, Table};
use crate::demo::error::AwsError;
use filter::Filter;
use serde_json::{Value, json};

/// Glue's largest page of partitions, and the most that are asked for by name.
const MOST: usize = 1000;
/// The most that are made at once.
const CREATED: usize = 100;
/// The most that are deleted at once.
const DELETED: usize = 25;

/// Answers the operations on partitions; `None`: it is none of them.
pub fn handle(ask: &Ask<'_>, operation: &str, body: &Value) -> Option<Result<Value, AwsError>> {
    Some(match operation {
        "CreatePartition" => create(ask, body),
        "BatchCreatePartition" => create_many(ask, body),
        "GetPartition" => get(ask, body),
        "BatchGetPartition" => get_many(ask, body),
        "GetPartitions" => list(ask, body),
        "UpdatePartition" => update(ask, body),
        "DeletePartition" => delete(ask, body),
        "BatchDeletePartition" => delete_many(ask, body),
        _ => return None,
    })
}

/// The table that is meant. It must be there, and the caller let in.
fn named(ask: &Ask<'_>, body: &Value) -> Result<(String, String), AwsError> {
    let (database, name) = (
        input::name(body, "DatabaseName")?,
        input::name(body, "TableName")?,
    );
    ask.may_table(&database, &name)?;
    Ok((ask.follow(&database)?, name))
}

/// Looks at a table: the one that is kept, or one that is made up when it is looked at, which has no partitions.
fn look<T>(
    ask: &Ask<'_>,
    body: &Value,
    look: impl FnOnce(&Table) -> Result<T, AwsError>,
) -> Result<T, AwsError> {
    let (database, name) = named(ask, body)?;
    ask.look_in(&database, |held| match held.tables.get(&name) {
        Some(table) => look(table),
        None => {
            let object = held.table(&name).ok_or_else(errors::no_entity)?;
            look(&Table {
                object,
                ..Table::default()
            })
        }
    })
}

fn change<T>(
    ask: &Ask<'_>,
    body: &Value,
    change: impl FnOnce(&mut Table) -> Result<T, AwsError>,
) -> Result<T, AwsError> {
    let (database, name) = named(ask, body)?;
    ask.change_in(&database, |held| {
        if !held.tables.contains_key(&name) {
            return Err(match held.table(&name) {
                Some(_) => errors::invalid("A generated table takes no partitions"),
                None => errors::no_entity(),
            });
        }
        held.tables
            .get_mut(&name)
            .ok_or_else(errors::no_entity)
            .and_then(change)
    })
}

/// The table's partition keys: name and type each.
fn keys(table: &Table) -> Vec<(String, String)> {
    let keys = table.object.get("PartitionKeys").and_then(Value::as_array);
    let text = |key: &Value, field: &str| input::text(key, field).unwrap_or_default().to_owned();
    keys.into_iter()
        .flatten()
        .map(|key| (text(key, "Name"), text(key, "Type")))
        .collect()
}

/// The values of a partition, as many as the table has keys.
fn values(table: &Table, given: &Value, field: &str) -> Result<Vec<String>, AwsError> {
    let list = given.get(field).and_then(Value::as_array);
    let list = list.ok_or_else(|| errors::constraint("null", "partitionValues", "not be null"))?;
    let values: Vec<String> = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    if values.len() != list.len() {
        return Err(AwsError::new(
            400,
            "SerializationException",
            "A partition value is not a string",
        ));
    }
    if values.len() != keys(table).len() {
        return Err(errors::invalid(
            "The number of partition keys do not match the number of partition values",
        ));
    }
    Ok(values)
}

/// The name under which a partition is kept: its values as JSON, which no value can forge.
fn slot(values: &[String]) -> String {
    json!(values).to_string()
}

fn from_input(ask: &Ask<'_>, table: &Table, body: &Value, input: &Object, values: &[String]) -> Object {
    let mut object = input.clone();
    object.retain(|_, value| !value.is_null());
    object.insert("Values".to_owned(), json!(values));
    for field in ["DatabaseName", "TableName"] {
        let name = input::text(body, field).unwrap_or_default().to_lowercase();
        object.insert(field.to_owned(), json!(name));
    }
    object.insert("CatalogId".to_owned(), json!(ask.account));
    object.insert("CreationTime".to_owned(), json!(ask.now()));
    if !object.contains_key("StorageDescriptor")
        && let Some(storage) = table.object.get("StorageDescriptor")
    {
        object.insert("StorageDescriptor".to_owned(), storage.clone());
    }
    object
}

fn no_partition() -> AwsError {
    AwsError::new(400, "EntityNotFoundException", "Cannot find partition.")
}

fn put(ask: &Ask<'_>, table: &mut Table, body: &Value, input: &Value) -> Result<(), AwsError> {
    let object = input
        .as_object()
        .ok_or_else(|| errors::constraint("null", "partitionInput", "not be null"))?;
    input::check_table(object)?;
    let values = values(table, input, "Values")?;
    let object = from_input(ask, table, body, object, &values);
    let slot = slot(&values);
    if table.partitions.contains_key(&slot) {
        return Err(errors::exists("Partition"));
    }
    table.partitions.insert(slot, object);
    Ok(())
}

fn create(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let input = Value::Object(input::object(body, "PartitionInput")?.clone());
    change(ask, body, |table| put(ask, table, body, &input))?;
    Ok(json!({}))
}

fn list_of<'a>(body: &'a Value, field: &str, most: usize) -> Result<&'a [Value], AwsError> {
    let list = body.get(field).and_then(Value::as_array).map(Vec::as_slice);
    let list = list.ok_or_else(|| errors::constraint("null", field, "not be null"))?;
    if list.len() > most {
        let rule = format!("have length less than or equal to {most}");
        return Err(errors::constraint("list", field, &rule));
    }
    Ok(list)
}

fn failed(values: &Value, error: &AwsError) -> Value {
    json!({
        "PartitionValues": values,
        "ErrorDetail": {"ErrorCode": error.json_code(), "ErrorMessage": error.message},
    })
}

fn create_many(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let inputs = list_of(body, "PartitionInputList", CREATED)?;
    let errors = change(ask, body, |table| {
        let mut errors = Vec::new();
        for input in inputs {
            if let Err(error) = put(ask, table, body, input) {
                errors.push(failed(input.get("Values").unwrap_or(&Value::Null), &error));
            }
        }
        Ok(errors)
    })?;
    Ok(json!({"Errors": errors}))
}

fn get(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    look(ask, body, |table| {
        let values = values(table, body, "PartitionValues")?;
        let found = table.partitions.get(&slot(&values)).ok_or_else(no_partition)?;
        Ok(json!({"Partition": found}))
    })
}

fn get_many(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let asked = list_of(body, "PartitionsToGet", MOST)?;
    look(ask, body, |table| {
        let mut found = Vec::new();
        for one in asked {
            // One that is not there is left out of the answer.
            let values = values(table, one, "Values")?;
            found.extend(table.partitions.get(&slot(&values)));
        }
        Ok(json!({"Partitions": found, "UnprocessedKeys": []}))
    })
}

fn list(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let page = Page::read_up_to(body, MOST as u64)?;
    let segment = segment(body)?;
    let without_columns = body
        .get("ExcludeColumnSchema")
        .and_then(Value::as_bool)
        .unwrap_or_default();
    look(ask, body, |table| {
        let keys = keys(table);
        let filter = match input::text(body, "Expression").filter(|text| !text.trim().is_empty()) {
            Some(text) => Some(Filter::read(text, &keys).map_err(errors::invalid)?),
            None => None,
        };
        let fits = |(number, (_, object)): &(usize, (&String, &Object))| {
            segment.is_none_or(|(own, all)| number % all == own)
                && filter
                    .as_ref()
                    .is_none_or(|filter| filter.fits(&values_of(object)))
        };
        let all = table.partitions.iter().enumerate();
        let mut rest = all
            .filter(|(_, (slot, _))| page.after.as_ref().is_none_or(|after| *slot > after))
            .filter(fits);
        let shown: Vec<_> = rest.by_ref().take(page.size).map(|(_, found)| found).collect();
        let rows: Vec<Value> = shown
            .iter()
            .map(|(_, object)| row(object, without_columns))
            .collect();
        let mut answer = json!({"Partitions": rows});
        if let (Some(_), Some((last, _))) = (rest.next(), shown.last()) {
            set(&mut answer, "NextToken", token(last));
        }
        Ok(answer)
    })
}

fn values_of(object: &Object) -> Vec<String> {
    let values = object.get("Values").and_then(Value::as_array);
    values
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn row(object: &Object, without_columns: bool) -> Value {
    let mut row = Value::Object(object.clone());
    if without_columns && let Some(storage) = row.get_mut("StorageDescriptor").and_then(Value::as_object_mut)
    {
        storage.remove("Columns");
    }
    row
}

/// Which part of a parallel scan is asked for: its number and how many there are.
fn segment(body: &Value) -> Result<Option<(usize, usize)>, AwsError> {
    let Some(segment) = body.get("Segment").filter(|segment| !segment.is_null()) else {
        return Ok(None);
    };
    let number = |field: &str| {
        segment
            .get(field)
            .and_then(Value::as_u64)
            .and_then(|n| usize::try_from(n).ok())
    };
    match (number("SegmentNumber"), number("TotalSegments")) {
        (Some(own), Some(all)) if own < all && (1..=10).contains(&all) => Ok(Some((own, all))),
        _ => Err(errors::invalid(
            "SegmentNumber must be less than TotalSegments, which is at most 10",
        )),
    }
}

fn update(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let input = input::object(body, "PartitionInput")?;
    input::check_table(input)?;
    change(ask, body, |table| {
        let before = values(table, body, "PartitionValueList")?;
        let old = table.partitions.get(&slot(&before)).ok_or_else(no_partition)?;
        let made = old.get("CreationTime").cloned();
        let after = match input.get("Values").filter(|values| !values.is_null()) {
            Some(_) => values(table, &Value::Object(input.clone()), "Values")?,
            None => before.clone(),
        };
        if after != before && table.partitions.contains_key(&slot(&after)) {
            return Err(errors::exists("Partition"));
        }
        let mut object = from_input(ask, table, body, input, &after);
        object.extend(made.map(|made| ("CreationTime".to_owned(), made)));
        table.partitions.remove(&slot(&before));
        table.partitions.insert(slot(&after), object);
        Ok(json!({}))
    })
}

fn take(table: &mut Table, given: &Value, field: &str) -> Result<(), AwsError> {
    let values = values(table, given, field)?;
    table
        .partitions
        .remove(&slot(&values))
        .map(|_| ())
        .ok_or_else(no_partition)
}

fn delete(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    change(ask, body, |table| take(table, body, "PartitionValues"))?;
    Ok(json!({}))
}

fn delete_many(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let asked = list_of(body, "PartitionsToDelete", DELETED)?;
    let errors = change(ask, body, |table| {
        let mut errors = Vec::new();
        for one in asked {
            if let Err(error) = take(table, one, "Values") {
                errors.push(failed(one.get("Values").unwrap_or(&Value::Null), &error));
            }
        }
        Ok(errors)
    })?;
    Ok(json!({"Errors": errors}))
}
