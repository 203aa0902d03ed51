//! Pages: at most a hundred entries, and a token that is nobody's business.

use super::errors;
use super::input;
use crate::demo::error::AwsError;
use serde_json::Value;

/// Glue's largest page of databases, tables and versions.
const MAX: u64 = 100;

/// Which page is asked for.
#[derive(Debug)]
pub struct Page {
    /// Entries at most.
    pub size: usize,
    /// The last entry of the page before.
    pub after: Option<String>,
}

impl Page {
    /// Reads `MaxResults` and `NextToken`.
    pub fn read(body: &Value) -> Result<Self, AwsError> {
        Self::read_up_to(body, MAX)
    }

    /// The same for pages of another size.
    pub fn read_up_to(body: &Value, most: u64) -> Result<Self, AwsError> {
        let size = match body.get("MaxResults").filter(|value| !value.is_null()) {
            None => most,
            Some(value) => match value.as_i64() {
                Some(asked) if asked < 1 => {
                    return Err(errors::constraint(
                        &asked.to_string(),
                        "maxResults",
                        "have value greater than or equal to 1",
                    ));
                }
                Some(asked) if asked.unsigned_abs() > most => {
                    let rule = format!("have value less than or equal to {most}");
                    return Err(errors::constraint(&asked.to_string(), "maxResults", &rule));
                }
                Some(asked) => asked.unsigned_abs(),
                None => {
                    return Err(AwsError::new(
                        400,
                        "SerializationException",
                        "MaxResults is not a number",
                    ));
                }
            },
        };
        let after = input::text(body, "NextToken")
            .filter(|token| !token.is_empty())
            .map(read_token)
            .transpose()?;
        Ok(Self {
            size: usize::try_from(size).unwrap_or_default(),
            after,
        })
    }
}

/// The token of a page that ended with `last`.
pub fn token(last: &str) -> Value {
    Value::String(hex::encode(format!("after:{last}")))
}

/// Sets a field of an answer.
pub fn set(answer: &mut Value, field: &str, value: Value) {
    if let Some(fields) = answer.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}

fn read_token(token: &str) -> Result<String, AwsError> {
    let bytes = hex::decode(token)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let after = bytes
        .as_deref()
        .and_then(|text| text.strip_prefix("after:"))
        .map(str::to_owned);
    after.ok_or_else(|| errors::invalid("Token is invalid"))
}
