//! A stack of ours that was made for what its record asked for before: what it grants, and what is asked for now.

use crate::domain::problem::{Kind, Problem};
use crate::stack::site::Site;
use crate::stack::whose;
use std::collections::BTreeMap;

/// Databases that are named in a sentence.
const SHOWN: usize = 4;

/// True when the records say that the stack was made for something else than is asked for now.
pub fn is_expected(site: &Site) -> bool {
    site.grant.as_ref().is_some_and(|grant| grant.is_outdated())
}

/// What the stack was made for, and what the record asks for; `None` where it grants just that.
pub fn told(parameters: &BTreeMap<String, String>, site: &Site) -> Option<String> {
    site.grant.as_ref()?;
    let differences = whose::differences(parameters, &site.marks, site.identity());
    if differences.is_empty() {
        return None;
    }
    let ours = &site.marks.parameters;
    let differs = |names: &[&str]| differences.iter().any(|d| names.contains(&d.name.as_str()));
    let mut pairs = Vec::new();
    if differs(&["BucketName", "AccessPointArn", "Prefix"]) {
        pairs.push((path(parameters), path(ours)));
    }
    type Words = fn(&str) -> String;
    let rest: [(&str, Words); 5] = [
        ("DatabaseArns", databases),
        ("TableArns", tables),
        ("KmsKeyArn", key),
        ("CatalogKmsKeyArn", catalog_key),
        ("RoleName", role),
    ];
    // Where the databases are others, their tables are too.
    let told = |name: &str| differs(&[name]) && !(name == "TableArns" && differs(&["DatabaseArns"]));
    for (name, words) in rest.into_iter().filter(|(name, _)| told(name)) {
        let of = |parameters: &BTreeMap<String, String>| words(&value(parameters, name));
        pairs.push((of(parameters), of(ours)));
    }
    let (theirs, asked): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
    Some(format!(
        "the stack {} was made for {}, the record asks for {}",
        site.stack,
        theirs.join(" and "),
        asked.join(" and ")
    ))
}

/// A link makes new stacks only, and this one is there.
pub fn no_link(site: &Site) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        format!("there is no link that changes {}", site.stack),
        "it is there, made for what the record asked for before, and a link only makes new stacks.",
        "Deploy from here, or update it in the CloudFormation console with the template.",
    )
}

/// A parameter as it was meant: without the signs by which a policy takes a letter for itself.
fn value(parameters: &BTreeMap<String, String>, name: &str) -> String {
    let mut text = parameters.get(name).cloned().unwrap_or_default();
    for letter in ["*", "?", "$"] {
        text = text.replace(&format!("${{{letter}}}"), letter);
    }
    text
}

fn path(parameters: &BTreeMap<String, String>) -> String {
    let point = value(parameters, "AccessPointArn");
    let bucket = match point.as_str() {
        "" => value(parameters, "BucketName"),
        point => point.to_owned(),
    };
    format!("s3://{bucket}/{}", value(parameters, "Prefix"))
}

fn databases(arns: &str) -> String {
    listed(arns, "database")
}

fn tables(arns: &str) -> String {
    listed(arns, "table")
}

/// The names at the ends of ARNs of databases, or of tables.
fn listed(arns: &str, of: &str) -> String {
    let mark = format!(":{of}/");
    let names: Vec<&str> = arns
        .split(',')
        .filter_map(|arn| arn.split_once(&mark).map(|(_, name)| name))
        .collect();
    match names.as_slice() {
        [] => format!("all {of}s"),
        [one] => format!("the {of} {one}"),
        several => {
            let shown: Vec<&str> = several.iter().take(SHOWN).copied().collect();
            let more = match several.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("the {of}s {}{more}", shown.join(", "))
        }
    }
}

fn key(arn: &str) -> String {
    match arn {
        "" => "no KMS key".to_owned(),
        arn => format!("the KMS key {arn}"),
    }
}

fn catalog_key(arn: &str) -> String {
    format!("{} for the catalog", key(arn))
}

fn role(name: &str) -> String {
    format!("the role {name}")
}
