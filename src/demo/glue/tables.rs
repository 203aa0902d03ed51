//! Tables.

use super::access::Ask;
use super::databases::attributes;
use super::encryption;
use super::errors;
use super::input;
use super::paging::{Page, set, token};
use super::store::{Found, Object, Table};
use crate::demo::error::AwsError;
use regex::{Regex, RegexBuilder};
use serde_json::{Value, json};

/// What Glue sets itself, whatever the input says.
const OWN: [&str; 8] = [
    "DatabaseName",
    "CreateTime",
    "UpdateTime",
    "CreatedBy",
    "IsRegisteredWithLakeFormation",
    "CatalogId",
    "VersionId",
    "Name",
];

fn from_input(ask: &Ask<'_>, input: &Object, database: &str, name: &str, old: Option<&Object>) -> Object {
    let mut object = Object::new();
    let before = |field: &str| old.and_then(|old| old.get(field)).cloned();
    object.insert("Name".to_owned(), json!(name));
    object.insert("DatabaseName".to_owned(), json!(database));
    for (field, value) in input {
        if !OWN.contains(&field.as_str()) && !value.is_null() {
            object.insert(field.clone(), value.clone());
        }
    }
    let now = json!(ask.now());
    object.insert(
        "CreateTime".to_owned(),
        before("CreateTime").unwrap_or_else(|| now.clone()),
    );
    object.insert("UpdateTime".to_owned(), now);
    object.insert(
        "CreatedBy".to_owned(),
        before("CreatedBy").unwrap_or_else(|| json!(ask.caller_arn())),
    );
    object.insert("IsRegisteredWithLakeFormation".to_owned(), json!(false));
    object.insert("CatalogId".to_owned(), json!(ask.account));
    object
}

/// CreateTable.
pub fn create(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let database = input::name(body, "DatabaseName")?;
    let name = match body.get("TableInput") {
        Some(input) => input::name(input, "Name")?,
        None => input::name(body, "Name")?,
    };
    ask.may_table(&database, &name)?;
    encryption::may_encrypt(ask)?;
    // Said before the input is looked at: a caller who asks whether it may create a table learns just that.
    ask.look_in(&database, |_| Ok(()))?;
    if body
        .get("OpenTableFormatInput")
        .is_some_and(|input| !input.is_null())
    {
        return Err(errors::invalid(
            "OpenTableFormatInput is not served here: write the metadata and send TableInput",
        ));
    }
    let input = input::object(body, "TableInput")?;
    input::check_table(input)?;
    let object = from_input(ask, input, &database, &name, None);
    ask.change_in(&database, |held| {
        if held.table(&name).is_some() {
            return Err(errors::exists("Table"));
        }
        held.tables.insert(
            name,
            Table {
                object,
                ..Table::default()
            },
        );
        Ok(json!({}))
    })
}

/// GetTable. In a database that is a link, the table of the link's target.
pub fn get(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let database = input::name(body, "DatabaseName")?;
    let name = input::name(body, "Name")?;
    ask.may_table(&database, &name)?;
    let there = ask.follow(&database)?;
    if there != database {
        ask.may_table(&there, &name)?;
    }
    ask.look_in(&there, |held| {
        let table = held.table(&name).ok_or_else(errors::no_entity)?;
        Ok(json!({"Table": table}))
    })
}

/// GetTables. In a database that is a link, the tables of the link's target.
pub fn list(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let database = input::name(body, "DatabaseName")?;
    ask.may_table(&database, "*")?;
    let page = Page::read(body)?;
    let pattern = input::text(body, "Expression").map(expression).transpose()?;
    let wanted = attributes(body, &["NAME", "TABLE_TYPE"])?;
    let there = ask.follow(&database)?;
    if there != database {
        ask.may_table(&there, "*")?;
    }
    let (rows, next) = ask.look_in(&there, |held| {
        let fits = |name: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_match(name));
        let mut rest = held.names_after(page.after.as_deref()).filter(|name| fits(name));
        let shown: Vec<_> = rest.by_ref().take(page.size).collect();
        let rows = shown.iter().filter_map(|name| match &wanted {
            None => held.found(name),
            Some(wanted) => held.brief(name, wanted).map(Found::Whole),
        });
        let next = rest.next().and(shown.last()).map(|last| token(last));
        Ok((rows.collect::<Vec<_>>(), next))
    })?;
    // Made up here, where nobody else waits for the state.
    let rows: Vec<Object> = rows.into_iter().filter_map(Found::made).collect();
    let mut answer = json!({ "TableList": rows });
    if let Some(next) = next {
        set(&mut answer, "NextToken", next);
    }
    Ok(answer)
}

/// The pattern of GetTables: a regular expression for the whole name, in which a bare `*` is any text.
fn expression(given: &str) -> Result<Regex, AwsError> {
    let mut pattern = String::from("^(?:");
    let mut before = None;
    for c in given.chars() {
        let quantifies = matches!(before, Some('.' | ')' | ']' | '}' | '\\'));
        pattern.push_str(if c == '*' && !quantifies { ".*" } else { "" });
        if c != '*' || quantifies {
            pattern.push(c);
        }
        before = Some(c);
    }
    pattern.push_str(")$");
    let built = RegexBuilder::new(&pattern).size_limit(1 << 20).build();
    built.map_err(|_| errors::invalid(format!("Expression {given} is no regular expression")))
}

/// UpdateTable. `VersionId`, where it is given, must be the current one.
pub fn update(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let database = input::name(body, "DatabaseName")?;
    let name = match body.get("TableInput") {
        Some(input) => input::name(input, "Name")?,
        None => input::name(body, "Name")?,
    };
    ask.may_table(&database, &name)?;
    encryption::may_encrypt(ask)?;
    let old = ask.look_in(&database, |held| held.table(&name).ok_or_else(errors::no_entity))?;
    let input = input::object(body, "TableInput")?;
    input::check_table(input)?;
    let object = from_input(ask, input, &database, &name, Some(&old));
    let expected = input::text(body, "VersionId");
    let skip = body
        .get("SkipArchive")
        .and_then(Value::as_bool)
        .unwrap_or_default();
    ask.change_in(&database, |held| {
        if !held.tables.contains_key(&name) && held.table(&name).is_some() {
            // A generated table becomes one of the database's own when it is changed.
            held.tables.insert(
                name.clone(),
                Table {
                    object: old,
                    ..Table::default()
                },
            );
        }
        let table = held.tables.get_mut(&name).ok_or_else(errors::no_entity)?;
        if expected.is_some_and(|expected| expected != table.version.to_string()) {
            return Err(errors::stale());
        }
        let replaced = std::mem::replace(&mut table.object, object);
        if !skip {
            table.archived.insert(table.version, replaced);
        }
        table.version += 1;
        Ok(json!({}))
    })
}

fn remove(ask: &Ask<'_>, database: &str, name: &str) -> Result<(), AwsError> {
    ask.change_in(database, |held| match held.tables.remove(name) {
        Some(_) => Ok(()),
        None if held.table(name).is_some() => Err(errors::invalid("A generated table cannot be deleted")),
        None => Err(errors::no_entity()),
    })
}

/// DeleteTable. A link is deleted itself, never its target.
pub fn delete(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let database = input::name(body, "DatabaseName")?;
    let name = input::name(body, "Name")?;
    ask.may_table(&database, &name)?;
    remove(ask, &database, &name)?;
    Ok(json!({}))
}

/// BatchDeleteTable: what could not be deleted stands in the answer.
pub fn delete_many(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let database = input::name(body, "DatabaseName")?;
    let names = body
        .get("TablesToDelete")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    if names.len() > 100 {
        return Err(errors::constraint(
            "list",
            "tablesToDelete",
            "have length less than or equal to 100",
        ));
    }
    ask.may_database(&database)?;
    let names: Vec<String> = names
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_lowercase)
        .collect();
    for name in &names {
        ask.may_table(&database, name)?;
    }
    let failed = names.iter().filter_map(|name| {
        let error = remove(ask, &database, name).err()?;
        Some(json!({
            "TableName": name, "ErrorDetail": {"ErrorCode": error.json_code(), "ErrorMessage": error.message},
        }))
    });
    Ok(json!({"Errors": failed.collect::<Vec<_>>()}))
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn expressions_are_for_the_whole_name() {
        let fits = |pattern: &str, name: &str| expression(pattern).unwrap().is_match(name);
        assert!(fits("orders", "orders"));
        assert!(!fits("orders", "orders_2023"));
        assert!(!fits("order", "orders"));
        assert!(fits("orders*", "orders_2023"));
        assert!(fits("orders.*", "orders_2023"));
        assert!(fits("*2023", "orders_2023"));
        assert!(fits("a|b", "b") && !fits("a|b", "ab"));
        assert!(fits("o[a-z]*", "orders") && !fits("o[a-z]*", "o_1"));
        assert!(expression("(").is_err());
    }
}
