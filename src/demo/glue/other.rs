//! The rest of Glue that clients ask for: the catalog itself, settings, the resource policy.

use super::access::Ask;
use super::encryption;
use super::errors;
use super::input;
use crate::demo::error::AwsError;
use serde_json::{Value, json};

/// Answers the operations that have no room of their own; any other is unknown.
pub fn handle(ask: &Ask<'_>, operation: &str, body: &Value) -> Result<Value, AwsError> {
    match operation {
        "GetCatalog" => {
            ask.may_catalog()?;
            Ok(json!({"Catalog": catalog(ask)}))
        }
        "GetCatalogs" => {
            ask.may_catalog()?;
            let root = body
                .get("IncludeRoot")
                .and_then(Value::as_bool)
                .unwrap_or_default();
            Ok(json!({"CatalogList": root.then(|| catalog(ask)).into_iter().collect::<Vec<_>>()}))
        }
        "GetCatalogImportStatus" => {
            ask.may_catalog()?;
            Ok(json!({"ImportStatus": {"ImportCompleted": true}}))
        }
        "GetDataCatalogEncryptionSettings" => encryption::get(ask),
        "PutDataCatalogEncryptionSettings" => encryption::put(ask, body),
        "GetTags" => {
            ask.may_catalog()?;
            Ok(json!({"Tags": {}}))
        }
        "GetColumnStatisticsForTable" => {
            in_table(ask, body)?;
            Ok(json!({"ColumnStatisticsList": [], "Errors": []}))
        }
        "GetUserDefinedFunctions" => {
            let database = input::name(body, "DatabaseName")?;
            ask.may_database(&database)?;
            ask.may_inside("userDefinedFunction", &database)?;
            ask.look_in(&database, |_| Ok(json!({"UserDefinedFunctions": []})))
        }
        "GetResourcePolicy" => {
            ask.may_catalog()?;
            let policy = ask.look(|catalog| Ok(catalog.policy.clone()))?;
            let policy =
                policy.ok_or_else(|| AwsError::new(400, "EntityNotFoundException", "Policy not found"))?;
            Ok(json!({"PolicyInJson": policy.to_string()}))
        }
        "PutResourcePolicy" => {
            ask.may_catalog()?;
            let policy: Value = serde_json::from_str(input::needed(body, "PolicyInJson")?)
                .map_err(|why| errors::invalid(format!("Policy is not valid JSON: {why}")))?;
            ask.change(|catalog| {
                catalog.policy = Some(policy);
                Ok(json!({}))
            })
        }
        "DeleteResourcePolicy" => {
            ask.may_catalog()?;
            ask.change(|catalog| {
                catalog.policy = None;
                Ok(json!({}))
            })
        }
        _ => Err(AwsError::unknown_action(operation)),
    }
}

fn catalog(ask: &Ask<'_>) -> Value {
    json!({
        "CatalogId": ask.account, "Name": ask.account, "CatalogProperties": {},
        "CreateTableDefaultPermissions": [], "CreateDatabaseDefaultPermissions": [],
    })
}

/// The table must be there, and the caller let in.
fn in_table(ask: &Ask<'_>, body: &Value) -> Result<(), AwsError> {
    let (database, name) = (
        input::name(body, "DatabaseName")?,
        input::name(body, "TableName")?,
    );
    ask.may_table(&database, &name)?;
    let there = ask.follow(&database)?;
    ask.look_in(&there, |held| {
        held.table(&name).map(|_| ()).ok_or_else(errors::no_entity)
    })
}
