//! A stack of ours that was made for what its record asked for before: what it grants, and what is asked for now.

use crate::domain::problem::{Kind, Problem};
use crate::stack::site::Site;
use crate::stack::whose;
use std::collections::BTreeMap;

/// The parameters that decide what a grant's stack grants, and to which role.
const GRANTED: [&str; 5] = ["RoleName", "BucketName", "Prefix", "KmsKeyArn", "DatabaseArns"];

/// Databases that are named in a sentence.
const SHOWN: usize = 4;

/// True when the records say that the stack was made for something else than is asked for now.
pub fn is_expected(site: &Site) -> bool {
    site.grant.as_ref().is_some_and(|grant| grant.is_outdated())
}

/// What the stack was made for, and what the record asks for; `None` where it grants just that.
pub fn told(parameters: &BTreeMap<String, String>, site: &Site) -> Option<String> {
    site.grant.as_ref()?;
    let differences = whose::differences(parameters, &site.marks, &GRANTED);
    if differences.is_empty() {
        return None;
    }
    let ours = &site.marks.parameters;
    let differs = |names: &[&str]| differences.iter().any(|d| names.contains(&d.name.as_str()));
    let mut pairs = Vec::new();
    if differs(&["BucketName", "Prefix"]) {
        pairs.push((path(parameters), path(ours)));
    }
    type Words = fn(&str) -> String;
    let rest: [(&str, Words); 3] = [
        ("DatabaseArns", databases),
        ("KmsKeyArn", key),
        ("RoleName", role),
    ];
    for (name, words) in rest.into_iter().filter(|(name, _)| differs(&[name])) {
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
    format!(
        "s3://{}/{}",
        value(parameters, "BucketName"),
        value(parameters, "Prefix")
    )
}

fn databases(arns: &str) -> String {
    let names: Vec<&str> = arns
        .split(',')
        .filter_map(|arn| arn.split_once(":database/").map(|(_, name)| name))
        .collect();
    match names.as_slice() {
        [] => "all databases".to_owned(),
        [one] => format!("the database {one}"),
        several => {
            let shown: Vec<&str> = several.iter().take(SHOWN).copied().collect();
            let more = match several.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("the databases {}{more}", shown.join(", "))
        }
    }
}

fn key(arn: &str) -> String {
    match arn {
        "" => "no KMS key".to_owned(),
        arn => format!("the KMS key {arn}"),
    }
}

fn role(name: &str) -> String {
    format!("the role {name}")
}
