//! Whose stack it is that already has the name: ours, one that says that it is somebody else's, or one made elsewhere.

use std::collections::BTreeMap;

/// The tag, and the template's parameter, that names the organization a stack was made for.
pub const ORGANIZATION: (&str, &str) = ("glueup:organization", "Organization");
/// The tag, and the template's parameter, that names the record a stack belongs to.
pub const RECORD: (&str, &str) = ("glueup:record", "Record");

/// What a stack of ours carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marks {
    /// The organization.
    pub organization: String,
    /// The record.
    pub record: String,
    /// The parameters that make the stack do what the record says; another value is another grant.
    pub parameters: BTreeMap<String, String>,
}

/// Whose stack it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// Made for this organization and this record.
    Ours,
    /// It says for whom it was made, and that is not us.
    Another {
        /// Its organization.
        organization: String,
        /// Its record.
        record: String,
    },
    /// It carries no mark at all: made by hand, or by something else.
    Unmarked,
}

/// One parameter that is not as the record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The parameter.
    pub name: String,
    /// Its value in the stack; `None`: the stack has no such parameter.
    pub theirs: Option<String>,
    /// Its value by the record.
    pub ours: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.theirs.as_deref() {
            None => write!(f, "it has no parameter {}", self.name),
            Some("") => write!(f, "its {} is empty, and not {}", self.name, self.ours),
            Some(theirs) => write!(
                f,
                "its {} is {theirs}, and not {}",
                self.name,
                or_empty(&self.ours)
            ),
        }
    }
}

fn or_empty(value: &str) -> &str {
    if value.is_empty() { "empty" } else { value }
}

/// Whose the stack with these tags and parameters is. A stack made through a link has no tags; its parameters say it.
pub fn owner(tags: &BTreeMap<String, String>, parameters: &BTreeMap<String, String>, marks: &Marks) -> Owner {
    let read = |(tag, parameter): (&str, &str)| tags.get(tag).or_else(|| parameters.get(parameter)).cloned();
    match (read(ORGANIZATION), read(RECORD)) {
        (None, None) => Owner::Unmarked,
        (organization, record) => {
            let (organization, record) = (organization.unwrap_or_default(), record.unwrap_or_default());
            if organization == marks.organization && record == marks.record {
                Owner::Ours
            } else {
                Owner::Another { organization, record }
            }
        }
    }
}

/// The marked parameters named in `names` (all of them when it is empty) that differ from the stack's.
pub fn differences(parameters: &BTreeMap<String, String>, marks: &Marks, names: &[&str]) -> Vec<Difference> {
    marks
        .parameters
        .iter()
        .filter(|(name, _)| names.is_empty() || names.contains(&name.as_str()))
        .map(|(name, ours)| (name, ours, parameters.get(name)))
        .filter(|(_, ours, theirs)| *theirs != Some(*ours))
        .map(|(name, ours, theirs)| Difference {
            name: name.clone(),
            theirs: theirs.cloned(),
            ours: ours.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect()
    }

    fn marks() -> Marks {
        Marks {
            organization: "self".to_owned(),
            record: "sales-prod".to_owned(),
            parameters: map(&[("ExternalId", "abc"), ("RolePath", "/")]),
        }
    }

    #[test]
    fn tags_decide_before_parameters() {
        let tags = map(&[("glueup:organization", "other"), ("glueup:record", "sales-prod")]);
        let parameters = map(&[("Organization", "self"), ("Record", "sales-prod")]);
        assert!(matches!(
            owner(&tags, &parameters, &marks()),
            Owner::Another { .. }
        ));
        assert_eq!(owner(&BTreeMap::new(), &parameters, &marks()), Owner::Ours);
        assert_eq!(
            owner(&BTreeMap::new(), &BTreeMap::new(), &marks()),
            Owner::Unmarked
        );
    }

    #[test]
    fn a_difference_names_the_parameter_and_both_values() {
        let parameters = map(&[("ExternalId", "xyz")]);
        let all = differences(&parameters, &marks(), &[]);
        let words: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            [
                "its ExternalId is xyz, and not abc",
                "it has no parameter RolePath"
            ]
        );
        assert_eq!(differences(&parameters, &marks(), &["RolePath"]).len(), 1);
    }
}
