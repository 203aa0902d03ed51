//! How a catalog's metadata are encrypted, and whether a caller may use their key.
//!
//! Glue calls KMS with the rights of whoever calls Glue: to read needs `kms:Decrypt` on the catalog's key, to write
//! `kms:Encrypt` and `kms:GenerateDataKey` too. See
//! <https://docs.aws.amazon.com/glue/latest/dg/encrypt-glue-data-catalog.html>.
//!
//! There is no KMS here: the key's own policy is taken for the usual one, which leaves it to IAM, and what was there before
//! the key was set counts as encrypted with it.

use super::access::Ask;
use super::errors;
use super::input;
use crate::demo::error::AwsError;
use crate::demo::ids;
use serde_json::{Value, json};

/// The operations that read what is encrypted.
const READS: [&str; 10] = [
    "GetDatabase",
    "GetDatabases",
    "GetTable",
    "GetTables",
    "GetTableVersion",
    "GetTableVersions",
    "GetPartition",
    "GetPartitions",
    "BatchGetPartition",
    "GetColumnStatisticsForTable",
];

/// The mode in which callers need rights on the key; in the other one Glue uses it with a role of its own.
const OF_CALLERS: &str = "SSE-KMS";
const MODES: [&str; 3] = ["DISABLED", OF_CALLERS, "SSE-KMS-WITH-SERVICE-ROLE"];

/// Glue's own key: whoever may use Glue in the account may use it through Glue.
const OWN: &str = "alias/aws/glue";

/// GetDataCatalogEncryptionSettings.
pub fn get(ask: &Ask<'_>) -> Result<Value, AwsError> {
    ask.may_catalog()?;
    let settings = ask.look(|catalog| Ok(catalog.encryption.clone()))?;
    let settings = settings.unwrap_or_else(|| {
        json!({
            "EncryptionAtRest": {"CatalogEncryptionMode": "DISABLED"},
            "ConnectionPasswordEncryption": {"ReturnConnectionPasswordEncrypted": false},
        })
    });
    Ok(json!({"DataCatalogEncryptionSettings": settings}))
}

/// PutDataCatalogEncryptionSettings.
pub fn put(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    ask.may_catalog()?;
    let settings = input::object(body, "DataCatalogEncryptionSettings")?;
    let mut at_rest = settings
        .get("EncryptionAtRest")
        .cloned()
        .unwrap_or_else(|| json!({}));
    let mode = input::text(&at_rest, "CatalogEncryptionMode").unwrap_or("DISABLED");
    if !MODES.contains(&mode) {
        let set = format!("satisfy enum value set: [{}]", MODES.join(", "));
        return Err(errors::constraint(
            mode,
            "dataCatalogEncryptionSettings.encryptionAtRest.catalogEncryptionMode",
            &set,
        ));
    }
    let key = input::text(&at_rest, "SseAwsKmsKeyId").unwrap_or(OWN);
    if key.contains("alias/") && !key.ends_with(OWN) {
        return Err(errors::invalid(
            "An alias of a key is not supported here: name the key by its ARN or id",
        ));
    }
    if mode != "DISABLED" {
        let key = json!(key);
        super::paging::set(&mut at_rest, "SseAwsKmsKeyId", key);
    }
    let mut settings = Value::Object(settings.clone());
    super::paging::set(&mut settings, "EncryptionAtRest", at_rest);
    ask.change(|catalog| {
        catalog.encryption = Some(settings);
        Ok(json!({}))
    })
}

/// May the caller decrypt what this operation answers?
pub fn may_decrypt(ask: &Ask<'_>, operation: &str) -> Result<(), AwsError> {
    if READS.contains(&operation) {
        may(ask, &["kms:Decrypt"])
    } else {
        Ok(())
    }
}

/// May the caller encrypt what it writes?
pub fn may_encrypt(ask: &Ask<'_>) -> Result<(), AwsError> {
    may(ask, &["kms:Decrypt", "kms:GenerateDataKey", "kms:Encrypt"])
}

fn may(ask: &Ask<'_>, actions: &[&str]) -> Result<(), AwsError> {
    let Some(key) = ask.look(|catalog| Ok(catalog.encryption.as_ref().and_then(key)))? else {
        return Ok(());
    };
    let key = if key.starts_with("arn:") {
        key
    } else {
        ask.arn("kms", &format!("key/{key}"))
    };
    for action in actions {
        ask.may_use_key(action, &key).map_err(|refused| {
            let id = ids::uuid();
            AwsError::new(
                400,
                "GlueEncryptionException",
                format!(
                    "{} (Service: AWSKMS; Status Code: 400; Error Code: AccessDeniedException; Request ID: {id}; Proxy: \
                     null)",
                    refused.message
                ),
            )
        })?;
    }
    Ok(())
}

/// The key that callers need rights on.
fn key(settings: &Value) -> Option<String> {
    let at_rest = settings.get("EncryptionAtRest")?;
    if input::text(at_rest, "CatalogEncryptionMode") != Some(OF_CALLERS) {
        return None;
    }
    let key = input::text(at_rest, "SseAwsKmsKeyId")?;
    (!key.ends_with(OWN)).then(|| key.to_owned())
}
