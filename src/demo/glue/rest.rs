//! The Iceberg REST endpoint of Glue, for reading: configuration, namespaces, tables. Each request is asked of the
//! same store, through the same policy gate, as the Glue operation that it stands for.
//! See <https://docs.aws.amazon.com/glue/latest/dg/iceberg-rest-apis.html>.

use super::errors;
use super::paging::set;
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::world::World;
use crate::demo::{Request, Response};
use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

/// So much of packed metadata is unpacked, in bytes.
const LARGEST: u64 = 64 << 20;

/// Answers a request below `/iceberg`. Errors are answered in the form of the REST specification, so this never
/// fails; the type is that of the services beside it.
pub fn rest(
    world: &Arc<World>,
    caller: &Caller,
    region: &str,
    request: &Request,
) -> Result<Response, AwsError> {
    let answer = answer(world, caller, region, request);
    let (status, body) = match answer {
        Ok(body) => (StatusCode::OK, body),
        Err(error) => {
            let status = status(&error);
            let code = error.json_code();
            (
                status,
                json!({"error": {"message": error.message, "type": code, "code": status.as_u16()}}),
            )
        }
    };
    let mut response = Response::new(Bytes::from(body.to_string()));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

fn status(error: &AwsError) -> StatusCode {
    match error.json_code() {
        "AccessDeniedException" => StatusCode::FORBIDDEN,
        "EntityNotFoundException" | "NotFoundException" => StatusCode::NOT_FOUND,
        "InvalidInputException" | "ValidationException" => StatusCode::BAD_REQUEST,
        _ => StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

fn answer(world: &Arc<World>, caller: &Caller, region: &str, request: &Request) -> Result<Value, AwsError> {
    let path = request.uri().path();
    let unknown = || AwsError::new(404, "NotFoundException", format!("No such path: {path}"));
    let rest = path.strip_prefix("/iceberg/v1/").ok_or_else(unknown)?;
    let decode = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    let parts: Vec<String> = rest.trim_end_matches('/').split('/').map(decode).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let query = |wanted: &str| {
        let text = request.uri().query().unwrap_or_default();
        form_urlencoded::parse(text.as_bytes())
            .find(|(key, _)| key == wanted)
            .map(|(_, value)| value.into_owned())
    };
    let ask = |operation: &str, body: Value| super::handle(world, caller, region, operation, &body);
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads {
        return Err(AwsError::new(
            405,
            "UnsupportedOperationException",
            "This endpoint serves reads only",
        ));
    }
    match parts.as_slice() {
        ["config"] => {
            let account = query("warehouse")
                .filter(|id| !id.is_empty())
                .unwrap_or_else(|| caller.account.clone());
            ask("GetCatalog", json!({"CatalogId": account}))?;
            Ok(json!({"defaults": {}, "overrides": {"prefix": format!("catalogs/{account}")}}))
        }
        ["catalogs", account, "namespaces"] => {
            if query("parent").is_some_and(|parent| !parent.is_empty()) {
                return Ok(json!({"namespaces": []}));
            }
            let found = ask("GetDatabases", page(account, &query))?;
            let names = names(&found, "DatabaseList").map(|name| json!([name])).collect();
            Ok(listed("namespaces", names, &found))
        }
        ["catalogs", account, "namespaces", database] => {
            let found = ask("GetDatabase", json!({"CatalogId": account, "Name": database}))?;
            let location = found.pointer("/Database/LocationUri").cloned();
            let properties = location.map_or_else(|| json!({}), |location| json!({"location": location}));
            Ok(json!({"namespace": [database], "properties": properties}))
        }
        ["catalogs", account, "namespaces", database, "tables"] => {
            let mut body = page(account, &query);
            set(&mut body, "DatabaseName", json!(database));
            let found = ask("GetTables", body)?;
            let tables = found
                .get("TableList")
                .and_then(Value::as_array)
                .map(Vec::as_slice)
                .unwrap_or_default();
            let rows = tables
                .iter()
                .filter(|table| is_iceberg(table))
                .map(|table| json!({"namespace": [database], "name": table.get("Name")}))
                .collect();
            Ok(listed("identifiers", rows, &found))
        }
        ["catalogs", account, "namespaces", database, "tables", table] => {
            let found = ask(
                "GetTable",
                json!({"CatalogId": account, "DatabaseName": database, "Name": table}),
            )?;
            load(world, region, found.get("Table").unwrap_or(&Value::Null))
        }
        _ => Err(unknown()),
    }
}

fn page(account: &str, query: &impl Fn(&str) -> Option<String>) -> Value {
    let mut body = json!({"CatalogId": account});
    if let Some(token) = query("pageToken").filter(|token| !token.is_empty()) {
        set(&mut body, "NextToken", json!(token));
    }
    if let Some(size) = query("pageSize").and_then(|size| size.parse::<u64>().ok()) {
        set(&mut body, "MaxResults", json!(size.clamp(1, 100)));
    }
    body
}

fn names<'a>(found: &'a Value, list: &str) -> impl Iterator<Item = &'a str> {
    let rows = found
        .get(list)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    rows.iter().filter_map(|row| row.get("Name")?.as_str())
}

fn listed(field: &str, rows: Vec<Value>, found: &Value) -> Value {
    let mut answer = json!({field: rows});
    if let Some(token) = found.get("NextToken") {
        set(&mut answer, "next-page-token", token.clone());
    }
    answer
}

fn is_iceberg(table: &Value) -> bool {
    let kind = table.pointer("/Parameters/table_type").and_then(Value::as_str);
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case("iceberg"))
}

/// Metadata as JSON, which writers may have packed with gzip.
fn unpacked(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Some(Cow::Borrowed(bytes));
    }
    let mut out = Vec::new();
    let packed = flate2::read::MultiGzDecoder::new(bytes);
    packed.take(LARGEST).read_to_end(&mut out).ok()?;
    Some(Cow::Owned(out))
}

fn load(world: &World, region: &str, table: &Value) -> Result<Value, AwsError> {
    let location = table
        .pointer("/Parameters/metadata_location")
        .and_then(Value::as_str);
    let location = location
        .filter(|_| is_iceberg(table))
        .ok_or_else(errors::no_entity)?;
    let path = location
        .split_once("://")
        .and_then(|(_, path)| path.split_once('/'));
    let bytes = path.and_then(|(bucket, key)| world.s3.bytes(bucket, key));
    let bytes = bytes.ok_or_else(|| {
        AwsError::new(
            404,
            "NotFoundException",
            format!("The metadata file {location} does not exist"),
        )
    })?;
    let metadata = unpacked(&bytes).and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let metadata = metadata.ok_or_else(|| {
        AwsError::new(
            501,
            "UnsupportedOperationException",
            format!("{location} is not Iceberg metadata"),
        )
    })?;
    Ok(json!({"metadata-location": location, "metadata": metadata, "config": {"s3.region": region}}))
}
