//! Reading requests: fields, names and their limits.

use super::errors;
use super::store::Object;
use crate::demo::error::AwsError;
use serde_json::Value;

/// Longest name of a database, table or column, in characters.
const MAX_NAME: usize = 255;
/// Longest column type, in characters.
const MAX_TYPE: usize = 131_072;
/// Longest column comment, in characters.
const MAX_COMMENT: usize = 255;
/// Longest description, in characters.
const MAX_DESCRIPTION: usize = 2048;
/// Longest location, in characters.
const MAX_LOCATION: usize = 2056;
/// Longest value of a parameter, in characters.
const MAX_PARAMETER: usize = 512_000;

/// A text field that may be absent.
pub fn text<'a>(body: &'a Value, field: &str) -> Option<&'a str> {
    body.get(field).and_then(Value::as_str)
}

/// A text field that must be there.
pub fn needed<'a>(body: &'a Value, field: &str) -> Result<&'a str, AwsError> {
    text(body, field).ok_or_else(|| errors::constraint("null", &camel(field), "not be null"))
}

/// An object field that must be there.
pub fn object<'a>(body: &'a Value, field: &str) -> Result<&'a Object, AwsError> {
    let found = body.get(field).and_then(Value::as_object);
    found.ok_or_else(|| errors::constraint("null", &camel(field), "not be null"))
}

/// The name in `field`, valid and in lower case: Glue folds names when it stores and when it looks them up.
pub fn name(body: &Value, field: &str) -> Result<String, AwsError> {
    let given = needed(body, field)?;
    check_name(given, &camel(field))?;
    Ok(given.to_lowercase())
}

/// The single-line pattern of Glue's model and the length.
pub fn check_name(given: &str, field: &str) -> Result<(), AwsError> {
    if given.is_empty() {
        return Err(errors::constraint(
            given,
            field,
            "have length greater than or equal to 1",
        ));
    }
    at_most(given, field, MAX_NAME)?;
    // Only the controls below a blank are kept out: DEL, the C1 controls and bidi marks are names to Glue.
    if !given
        .chars()
        .all(|c| c == '\t' || (c >= ' ' && !matches!(c, '\u{FFFE}' | '\u{FFFF}')))
    {
        let pattern = r"[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\t]*";
        return Err(errors::constraint(
            given,
            field,
            &format!("satisfy regular expression pattern: {pattern}"),
        ));
    }
    Ok(())
}

fn at_most(given: &str, field: &str, max: usize) -> Result<(), AwsError> {
    if given.chars().count() <= max {
        return Ok(());
    }
    let shown: String = given.chars().take(64).collect();
    Err(errors::constraint(
        &shown,
        field,
        &format!("have length less than or equal to {max}"),
    ))
}

/// The limits of a TableInput.
pub fn check_table(input: &Object) -> Result<(), AwsError> {
    let at = |field: &str| format!("tableInput.{field}");
    for (field, max) in [
        ("Description", MAX_DESCRIPTION),
        ("Owner", MAX_NAME),
        ("TableType", MAX_NAME),
    ] {
        if let Some(given) = input.get(field).and_then(Value::as_str) {
            at_most(given, &at(&camel(field)), max)?;
        }
    }
    let storage = input.get("StorageDescriptor").and_then(Value::as_object);
    if let Some(location) = storage
        .and_then(|storage| storage.get("Location"))
        .and_then(Value::as_str)
    {
        at_most(location, &at("storageDescriptor.location"), MAX_LOCATION)?;
    }
    let columns = storage.and_then(|storage| storage.get("Columns"));
    for (list, field) in [
        (columns, "storageDescriptor.columns"),
        (input.get("PartitionKeys"), "partitionKeys"),
    ] {
        let columns = list
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        for (n, column) in columns.iter().enumerate() {
            let at = |part: &str| at(&format!("{field}.{}.member.{part}", n + 1));
            check_name(needed(column, "Name")?, &at("name"))?;
            at_most(text(column, "Type").unwrap_or_default(), &at("type"), MAX_TYPE)?;
            at_most(
                text(column, "Comment").unwrap_or_default(),
                &at("comment"),
                MAX_COMMENT,
            )?;
        }
    }
    check_parameters(input)
}

/// The limits of Parameters.
pub fn check_parameters(input: &Object) -> Result<(), AwsError> {
    let Some(parameters) = input.get("Parameters").and_then(Value::as_object) else {
        return Ok(());
    };
    for (key, value) in parameters {
        check_name(key, "parameters.key")?;
        let Some(value) = value.as_str() else {
            return Err(AwsError::new(
                400,
                "SerializationException",
                "A value of Parameters is not a string",
            ));
        };
        at_most(value, "parameters.value", MAX_PARAMETER)?;
    }
    Ok(())
}

/// Field names in Glue's messages begin in lower case.
fn camel(field: &str) -> String {
    let mut chars = field.chars();
    chars
        .next()
        .map(|first| first.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}
