//! Versions of tables: the current one and those that an update archived.

use super::access::Ask;
use super::errors;
use super::input;
use super::paging::{Page, set, token};
use super::store::{Database, Object, with_version};
use crate::demo::error::AwsError;
use serde_json::{Value, json};

/// All versions, the newest first.
fn versions(held: &Database, name: &str) -> Result<Vec<(u64, Object)>, AwsError> {
    let Some(table) = held.tables.get(name) else {
        let made = held.table(name).ok_or_else(errors::no_entity)?;
        return Ok(vec![(0, made)]);
    };
    let archived = table
        .archived
        .iter()
        .rev()
        .map(|(version, object)| (*version, with_version(object, *version)));
    Ok(std::iter::once((table.version, table.shown()))
        .chain(archived)
        .collect())
}

fn row((version, object): (u64, Object)) -> Value {
    json!({"Table": object, "VersionId": version.to_string()})
}

/// GetTableVersion; the current one where no version is named.
pub fn get(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let (database, name) = (
        input::name(body, "DatabaseName")?,
        input::name(body, "TableName")?,
    );
    ask.may_table(&database, &name)?;
    let wanted = input::text(body, "VersionId");
    ask.look_in(&database, |held| {
        let found = versions(held, &name)?
            .into_iter()
            .find(|(version, _)| wanted.is_none_or(|wanted| wanted == version.to_string()));
        Ok(json!({"TableVersion": found.map(row).ok_or_else(errors::no_entity)?}))
    })
}

/// GetTableVersions, the newest first.
pub fn list(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let (database, name) = (
        input::name(body, "DatabaseName")?,
        input::name(body, "TableName")?,
    );
    ask.may_table(&database, &name)?;
    let page = Page::read(body)?;
    let before: Option<u64> = match &page.after {
        None => None,
        Some(version) => Some(version.parse().map_err(|_| errors::invalid("Token is invalid"))?),
    };
    ask.look_in(&database, |held| {
        let mut rest: Vec<(u64, Object)> = versions(held, &name)?;
        rest.retain(|(version, _)| before.is_none_or(|before| *version < before));
        let more = rest.len() > page.size;
        rest.truncate(page.size);
        let last = rest.last().map(|(version, _)| version.to_string());
        let mut answer = json!({"TableVersions": rest.into_iter().map(row).collect::<Vec<_>>()});
        if let (true, Some(last)) = (more, last) {
            set(&mut answer, "NextToken", token(&last));
        }
        Ok(answer)
    })
}

/// DeleteTableVersion. The current version goes with its table only.
pub fn delete(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let (database, name) = (
        input::name(body, "DatabaseName")?,
        input::name(body, "TableName")?,
    );
    let version = input::needed(body, "VersionId")?;
    ask.may_table(&database, &name)?;
    ask.change_in(&database, |held| {
        let table = held.tables.get_mut(&name).ok_or_else(errors::no_entity)?;
        if version == table.version.to_string() {
            return Err(errors::invalid(
                "The current version of a table cannot be deleted",
            ));
        }
        let gone = version
            .parse()
            .ok()
            .and_then(|version: u64| table.archived.remove(&version));
        gone.map(|_| json!({})).ok_or_else(errors::no_entity)
    })
}
