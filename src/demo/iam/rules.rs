//! IAM's rules for names, sizes and trusted principals.

use super::Store;
use super::model::Owner;
use crate::demo::error::AwsError;
use crate::demo::world::Moment;
use crate::policy::{Document, Kind, PolicyError};
use std::collections::BTreeMap;

/// Characters of all inline policies of a role, white space not counted.
const ROLE_INLINE: usize = 10_240;
/// Characters of all inline policies of a user.
const USER_INLINE: usize = 2_048;
/// Characters of a managed policy.
pub(super) const MANAGED: usize = 6_144;
/// Characters of a trust policy.
const TRUST: usize = 2_048;
/// Managed policies that can be attached to one user or role.
pub(super) const ATTACHED: usize = 10;

/// Checks a name; `field` is IAM's name of the parameter (`roleName`).
pub(super) fn name(field: &str, name: &str, longest: usize) -> Result<(), AwsError> {
    if name.is_empty() || name.chars().count() > longest {
        let bound = if name.is_empty() {
            "greater than or equal to 1".to_owned()
        } else {
            format!("less than or equal to {longest}")
        };
        return Err(AwsError::validation(format!(
            "1 validation error detected: Value '{name}' at '{field}' failed to satisfy constraint: Member must have \
             length {bound}"
        )));
    }
    if name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "+=,.@_-".contains(c))
    {
        return Ok(());
    }
    Err(AwsError::validation(format!(
        "The specified value for {field} is invalid. It must contain only alphanumeric characters and/or the \
         following: +=,.@_-"
    )))
}

/// Checks a path: `/`, or `/…/`. Absent is `/`.
pub(super) fn path(path: Option<&str>) -> Result<String, AwsError> {
    let path = path.filter(|path| !path.is_empty()).unwrap_or("/");
    let fits = path.starts_with('/') && path.ends_with('/') && path.len() <= 512 && !path.contains("//");
    if fits && path.chars().all(|c| ('!'..='\u{7f}').contains(&c)) {
        return Ok(path.to_owned());
    }
    Err(AwsError::validation(
        "The specified value for path is invalid. It must begin and end with / and contain only alphanumeric \
         characters and/or / characters.",
    ))
}

pub(super) fn malformed(why: &PolicyError) -> AwsError {
    AwsError::new(400, "MalformedPolicyDocument", why.to_string())
}

pub(super) fn limit(message: String) -> AwsError {
    AwsError::new(409, "LimitExceeded", message)
}

/// Reads an identity policy.
pub(super) fn document(text: &str) -> Result<Document, AwsError> {
    Document::parse(text, Kind::Identity).map_err(|why| malformed(&why))
}

/// Whether the inline policies of one user or role are within their limit together.
pub(super) fn inline_size(owner: Owner<'_>, inline: &BTreeMap<String, Document>) -> Result<(), AwsError> {
    let most = match owner {
        Owner::User(_) => USER_INLINE,
        Owner::Role(_) => ROLE_INLINE,
    };
    let size: usize = inline.values().map(Document::size).sum();
    if size <= most {
        return Ok(());
    }
    Err(limit(format!(
        "Maximum policy size of {most} bytes exceeded for {} {}",
        owner.word(),
        owner.name()
    )))
}

/// Reads a trust policy and notes the unique ids of the users and roles that it names.
pub(super) fn trust(
    store: &Store,
    moment: Moment,
    text: &str,
) -> Result<(Document, BTreeMap<String, String>), AwsError> {
    let document = Document::parse(text, Kind::Trust).map_err(|why| malformed(&why))?;
    if document.size() > TRUST {
        return Err(limit(format!("Cannot exceed quota for ACLSizePerRole: {TRUST}")));
    }
    let mut ids = BTreeMap::new();
    for named in document.principals() {
        match principal(store, moment, named) {
            Named::Entity(id) => {
                ids.insert(named.to_owned(), id);
            }
            Named::Account => {}
            Named::Nobody => {
                return Err(AwsError::new(
                    400,
                    "MalformedPolicyDocument",
                    format!("Invalid principal in policy: \"AWS\":\"{named}\""),
                ));
            }
        }
    }
    Ok((document, ids))
}

enum Named {
    /// A user or role that exists here, with its unique id.
    Entity(String),
    /// An account, or a principal of an account that is not simulated here.
    Account,
    Nobody,
}

fn principal(store: &Store, moment: Moment, named: &str) -> Named {
    let is_account = |text: &str| text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_account(named) || store.has_id(named) {
        return Named::Account;
    }
    let parts: Vec<&str> = named.splitn(6, ':').collect();
    let [arn, partition, service, "", account, rest] = parts.as_slice() else {
        return Named::Nobody;
    };
    if *arn != "arn" || *partition != "aws" || !is_account(account) || rest.contains('*') {
        return Named::Nobody;
    }
    let known = store.accounts.contains_key(*account);
    match (*service, rest.split_once('/')) {
        ("iam", None) if *rest == "root" => Named::Account,
        ("iam", Some(("role" | "user", name))) if !name.is_empty() => {
            match (known, store.entity_id(moment, account, named)) {
                (_, Some(id)) => Named::Entity(id),
                (false, None) => Named::Account,
                (true, None) => Named::Nobody,
            }
        }
        ("sts", Some(("assumed-role", rest))) => match rest.split_once('/') {
            Some((role, session)) if !role.is_empty() && !session.is_empty() => {
                let there = store.seen_role(moment, account, role).is_some();
                if there || !known {
                    Named::Account
                } else {
                    Named::Nobody
                }
            }
            _ => Named::Nobody,
        },
        _ => Named::Nobody,
    }
}
