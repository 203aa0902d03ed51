//! Connections, catalogs and storage integrations as the command line shows them.

use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::work::wrong_outcome;
use crate::domain::quote::{Dialect, quote};
use crate::domain::s3_path::AccessPoint;
use crate::domain::stack_name::StackName;
use crate::job::{Job, Outcome};
use crate::registry::Verdict;
use crate::session::Session;
use crate::setup::{self, CatalogRow, ConnectionRow, Overview, StorageRow};
use serde_json::{Value, json};

/// Everything on record. A record that cannot be read is named on stderr; the others are there.
///
/// # Errors
/// As the setup room.
pub async fn overview(front: &mut Front, session: &Session) -> Result<Overview, Stop> {
    match front
        .run_quiet(session, Job::Setup(setup::Request::Overview))
        .await?
    {
        Outcome::Setup(setup::Outcome::Overview(overview)) => {
            for broken in &overview.broken {
                front.problem(&broken.problem);
            }
            Ok(*overview)
        }
        _ => Err(wrong_outcome()),
    }
}

/// The exit code of a listing: 1 when only part of the records could be read.
pub fn exit(overview: &Overview) -> u8 {
    u8::from(!overview.broken.is_empty())
}

/// Deletes a record, and says what stays in AWS. Nothing in AWS is changed, so nothing is asked.
///
/// # Errors
/// As the setup room.
pub async fn delete(
    front: &mut Front,
    session: &Session,
    request: setup::Request,
    name: &str,
) -> Result<(), Stop> {
    let Outcome::Setup(setup::Outcome::Deleted(stays)) =
        front.run_quiet(session, Job::Setup(request)).await?
    else {
        return Err(wrong_outcome());
    };
    if front.is_json() {
        return front.json(&json!({ "deleted": { "name": name, "stays": stays } }));
    }
    front.line(&format!("{name}  deleted"))?;
    for line in stays {
        front.note(&line);
    }
    Ok(())
}

/// `connection show` as JSON.
pub fn connection_json(row: &ConnectionRow) -> Value {
    let connection = &row.connection;
    json!({
        "name": connection.name,
        "account_id": connection.account_id,
        "role_arn": connection.role_arn,
        "adopted": connection.adopted,
        "external_id": connection.external_id,
        "broker_role_arn": connection.broker_role_arn,
        "trust": connection.trust,
        "verifier": connection.verifier,
        "stack_name": connection.stack_name,
        "region": connection.region,
        "bound": { "catalogs": row.catalogs, "storages": row.storages },
        "verified": verified_json(row.verdict.as_ref()),
    })
}

/// `catalog show` as JSON.
pub fn catalog_json(row: &CatalogRow) -> Value {
    let catalog = &row.catalog;
    json!({
        "name": catalog.name,
        "quoted": {
            "spark": quoted(catalog.name.as_str(), Dialect::Spark),
            "trino": quoted(catalog.name.as_str(), Dialect::Trino),
        },
        "region": catalog.region,
        "s3_path": catalog.s3_path,
        "access_point": catalog.access_point,
        "access": catalog.access,
        "connection": catalog.connection,
        "databases": catalog.databases,
        "kms_key": catalog.kms_key,
        "catalog_kms_key": catalog.catalog_kms_key,
        "stack_name": catalog.stack_name,
        "stage": row.stage,
        "verified": verified_json(row.verdict.as_ref()),
    })
}

/// `storage show` as JSON.
pub fn storage_json(row: &StorageRow) -> Value {
    let storage = &row.storage;
    json!({
        "name": storage.name,
        "s3_path": storage.s3_path,
        "access_point": storage.access_point,
        "access": storage.access,
        "connection": storage.connection,
        "kms_key": storage.kms_key,
        "stack_name": storage.stack_name,
        "region": storage.region,
        "stage": row.stage,
        "verified": verified_json(row.verdict.as_ref()),
    })
}

/// What is on record of an access point beside the path, in a line.
pub fn point_text(point: Option<&AccessPoint>) -> Option<String> {
    let AccessPoint { arn, alias, bucket } = point?;
    let alias = alias.as_ref().map(|alias| format!(", alias {alias}"));
    let bucket = bucket.as_ref().map(|bucket| format!(", of the bucket {bucket}"));
    Some(format!(
        "{arn}{}{}",
        alias.unwrap_or_default(),
        bucket.unwrap_or_default()
    ))
}

/// The name of a grant's stack, or why it has none.
pub fn stack_text(name: &StackName, none: bool) -> String {
    if none {
        "none: the connection's role was there before and is used as it is".to_owned()
    } else {
        name.to_string()
    }
}

/// The name in an engine's SQL; `None` when the engine has no way to write it.
pub fn quoted(name: &str, dialect: Dialect) -> Option<String> {
    quote(name, dialect).ok().map(|quoted| quoted.quoted)
}

fn verified_json(verdict: Option<&Verdict>) -> Value {
    let Some(verdict) = verdict else {
        return Value::Null;
    };
    let mut json = json!({ "verdict": verdict.verdict, "at": verdict.at });
    if let (Some(fields), Some(tables)) = (json.as_object_mut(), verdict.tables) {
        fields.insert("tables".to_owned(), tables.into());
        fields.insert("more_tables".to_owned(), verdict.more_tables.into());
    }
    json
}

/// The last verdict in a cell: `passed 2026-11-30T08:00:00Z`, or `never`.
pub fn verified_text(verdict: Option<&Verdict>) -> String {
    verdict.map_or_else(|| "never".to_owned(), |v| format!("{} {}", v.verdict, v.at))
}
