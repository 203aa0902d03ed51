//! What happens to the resources of a stack, in words: before the yes, and as CloudFormation says it.

use crate::cloud::stacks::change_sets::ResourceChange;
use crate::domain::problem::Problem;
use crate::stack::refusal;
use crate::stack::site::Site;
use std::fmt;

/// What happens to one resource.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The resource's name in the template.
    pub logical_id: String,
    /// Such as `AWS::IAM::Role`.
    pub resource_type: String,
    /// What is done.
    pub act: Act,
}

/// What is done with a resource.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// It is made.
    Add,
    /// It is changed where it is.
    Change,
    /// It goes.
    Remove,
    /// Another one is made in its place; what hangs on the old one must be led to the new one.
    Replace,
    /// That turns out only while it is done.
    MayReplace,
    /// What CloudFormation calls by a word that was not known when this was written.
    Other(String),
}

impl Act {
    /// The act as a word of the JSON answers.
    pub fn word(&self) -> &str {
        match self {
            Self::Add => "add",
            Self::Change => "change",
            Self::Remove => "remove",
            Self::Replace => "replace",
            Self::MayReplace => "may-replace",
            Self::Other(word) => word,
        }
    }

    fn sign(&self) -> &str {
        match self {
            Self::Add => "+",
            Self::Change => "~",
            Self::Remove => "-",
            Self::Replace | Self::MayReplace => "±",
            Self::Other(_) => "?",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match &self.act {
            Act::MayReplace => "change, or replace",
            act => act.word(),
        };
        write!(
            f,
            "{} {word} {} ({})",
            self.act.sign(),
            self.logical_id,
            self.resource_type
        )
    }
}

impl From<ResourceChange> for Change {
    fn from(told: ResourceChange) -> Self {
        let act = match (told.action.as_str(), told.replacement.as_deref()) {
            ("Add", _) => Act::Add,
            ("Remove", _) => Act::Remove,
            ("Modify", Some("True")) => Act::Replace,
            ("Modify", Some("Conditional")) => Act::MayReplace,
            ("Modify", _) => Act::Change,
            (other, _) => Act::Other(other.to_lowercase()),
        };
        Self {
            act,
            logical_id: told.logical_id,
            resource_type: told.resource_type,
        }
    }
}

/// What CloudFormation says, in the order of names.
pub fn told(changes: Vec<ResourceChange>) -> Vec<Change> {
    let mut list: Vec<Change> = changes.into_iter().map(Change::from).collect();
    list.sort();
    list
}

/// What a stack that is not there yet will be: each resource of the template that the record's values call for.
///
/// It is read from the template that will be sent, so that it can be shown before anything is written to AWS.
///
/// # Errors
/// When the template does not take the record's values.
pub fn of_new(site: &Site) -> Result<Vec<Change>, Problem> {
    let refused = |error| refusal::refused(&site.stack, &error);
    let template = site.kind.template().map_err(refused)?;
    let bound = template
        .bind(&site.marks.parameters, site.pseudo())
        .map_err(refused)?;
    let mut list: Vec<Change> = template
        .resources
        .iter()
        .filter(|resource| bound.holds(resource.condition.as_deref()))
        .map(|resource| Change {
            act: Act::Add,
            logical_id: resource.id.clone(),
            resource_type: resource.kind.clone(),
        })
        .collect();
    list.sort();
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_of_a_change_set_has_its_words() {
        let line = |action: &str, replacement: Option<&str>| {
            let change = Change::from(ResourceChange {
                action: action.to_owned(),
                logical_id: "ConnectionRole".to_owned(),
                physical_id: None,
                resource_type: "AWS::IAM::Role".to_owned(),
                replacement: replacement.map(str::to_owned),
                scope: Vec::new(),
            });
            change.to_string()
        };
        for (action, replacement, words) in [
            ("Add", None, "+ add"),
            ("Modify", Some("False"), "~ change"),
            ("Modify", None, "~ change"),
            ("Modify", Some("True"), "± replace"),
            ("Modify", Some("Conditional"), "± change, or replace"),
            ("Remove", None, "- remove"),
            ("Dynamic", None, "? dynamic"),
        ] {
            assert_eq!(
                line(action, replacement),
                format!("{words} ConnectionRole (AWS::IAM::Role)")
            );
        }
    }
}
