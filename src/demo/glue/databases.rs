//! Databases.

use super::access::Ask;
use super::encryption;
use super::errors;
use super::input;
use super::paging::{Page, set, token};
use super::store::{Database, Object};
use crate::demo::error::AwsError;
use serde_json::{Value, json};
use std::ops::Bound;

/// What of a DatabaseInput is kept.
const FIELDS: [&str; 6] = [
    "Description",
    "LocationUri",
    "Parameters",
    "CreateTableDefaultPermissions",
    "TargetDatabase",
    "FederatedDatabase",
];

fn from_input(ask: &Ask<'_>, input: &Object, name: &str, created: &Value) -> Result<Object, AwsError> {
    input::check_parameters(input)?;
    let mut object = Object::new();
    object.insert("Name".to_owned(), json!(name));
    for field in FIELDS {
        if let Some(value) = input.get(field).filter(|value| !value.is_null()) {
            object.insert(field.to_owned(), value.clone());
        }
    }
    if !object.contains_key("TargetDatabase") && !object.contains_key("CreateTableDefaultPermissions") {
        // The account's default: IAM alone decides. Its absence is how Lake Formation is told.
        let all = json!([{
            "Principal": {"DataLakePrincipalIdentifier": "IAM_ALLOWED_PRINCIPALS"}, "Permissions": ["ALL"],
        }]);
        object.insert("CreateTableDefaultPermissions".to_owned(), all);
    }
    object.insert("CreateTime".to_owned(), created.clone());
    object.insert("CatalogId".to_owned(), json!(ask.account));
    Ok(object)
}

/// CreateDatabase.
pub fn create(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let input = input::object(body, "DatabaseInput")?;
    let name = input::name(&body["DatabaseInput"], "Name")?;
    ask.may_database(&name)?;
    encryption::may_encrypt(ask)?;
    let object = from_input(ask, input, &name, &json!(ask.now()))?;
    ask.change(|catalog| {
        if catalog.databases.contains_key(&name) {
            return Err(errors::exists("Database"));
        }
        catalog.databases.insert(
            name,
            Database {
                object,
                ..Database::default()
            },
        );
        Ok(json!({}))
    })
}

/// GetDatabase.
pub fn get(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let name = input::name(body, "Name")?;
    ask.may_database(&name)?;
    ask.look_in(&name, |database| Ok(json!({"Database": database.object})))
}

/// GetDatabases. It asks for the catalog only: who was granted a few databases may still list the names of all.
pub fn list(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    ask.may_catalog()?;
    let page = Page::read(body)?;
    let share = input::text(body, "ResourceShareType");
    let wanted = attributes(body, &["NAME", "TARGET_DATABASE"])?;
    ask.look(|catalog| {
        let from = page.after.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = catalog
            .databases
            .range::<str, _>((from, Bound::Unbounded))
            .filter(|(_, database)| {
                let federated = database.object.contains_key("FederatedDatabase");
                match share {
                    None => !federated,
                    Some("FEDERATED") => federated,
                    Some("FOREIGN") => false,
                    Some(_) => true,
                }
            });
        let shown: Vec<(&String, &Database)> = rest.by_ref().take(page.size).collect();
        let rows = shown.iter().map(|(_, database)| match &wanted {
            None => database.object.clone(),
            Some(wanted) => only(&database.object, wanted),
        });
        let mut answer = json!({"DatabaseList": rows.collect::<Vec<_>>()});
        if let (Some(_), Some((last, _))) = (rest.next(), shown.last()) {
            set(&mut answer, "NextToken", token(last));
        }
        Ok(answer)
    })
}

/// The fields that AttributesToGet names.
pub fn attributes(body: &Value, known: &[&str]) -> Result<Option<Vec<&'static str>>, AwsError> {
    let Some(asked) = body.get("AttributesToGet").and_then(Value::as_array) else {
        return Ok(None);
    };
    let mut fields = Vec::new();
    for one in asked.iter().filter_map(Value::as_str) {
        if !known.contains(&one) {
            let set = format!("satisfy enum value set: [{}]", known.join(", "));
            return Err(errors::constraint(one, "attributesToGet", &set));
        }
        fields.push(match one {
            "NAME" => "Name",
            "TARGET_DATABASE" => "TargetDatabase",
            _ => "TableType",
        });
    }
    if !fields.is_empty() && !fields.contains(&"Name") {
        return Err(errors::invalid("AttributesToGet must contain NAME"));
    }
    Ok(Some(fields).filter(|fields| !fields.is_empty()))
}

/// The object with these fields only.
pub fn only(object: &Object, fields: &[&str]) -> Object {
    fields
        .iter()
        .filter_map(|field| Some(((*field).to_owned(), object.get(*field)?.clone())))
        .collect()
}

/// UpdateDatabase.
pub fn update(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let name = input::name(body, "Name")?;
    let input = input::object(body, "DatabaseInput")?;
    ask.may_database(&name)?;
    encryption::may_encrypt(ask)?;
    if input::name(&body["DatabaseInput"], "Name")? != name {
        return Err(errors::invalid("The name of a database cannot be changed"));
    }
    let created = ask.look_in(&name, |database| Ok(database.object.get("CreateTime").cloned()))?;
    let object = from_input(ask, input, &name, &created.unwrap_or_else(|| json!(ask.now())))?;
    ask.change_in(&name, |database| {
        database.object = object;
        Ok(json!({}))
    })
}

/// DeleteDatabase, with all that is in it: so it needs the right on that too.
pub fn delete(ask: &Ask<'_>, body: &Value) -> Result<Value, AwsError> {
    let name = input::name(body, "Name")?;
    ask.may_table(&name, "*")?;
    ask.may_inside("userDefinedFunction", &name)?;
    ask.change(|catalog| match catalog.databases.remove(&name) {
        Some(_) => Ok(json!({})),
        None => Err(errors::no_database(&name)),
    })
}
