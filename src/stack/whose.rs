//! Whose stack it is that already has the name: ours, one that says that it is somebody else's, or one made elsewhere.

use crate::stack::parameters::tag_value;
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
    /// The record's name.
    pub name: String,
    /// The ids of all records of this home.
    pub ids: Vec<String>,
    /// The parameters that make the stack do what the record says; another value is another grant.
    pub parameters: BTreeMap<String, String>,
}

/// Whose stack it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// Made for this organization and this record.
    Ours,
    /// Made for this organization and a record of this name that is in this home no more: one that was deleted while
    /// its stack stayed. Nobody can tell it from that of a colleague whose home has the same organization.
    Earlier {
        /// What the record was called in the mark, with its id.
        record: String,
    },
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

impl Owner {
    /// For whom it was made, as what stands behind "was".
    pub fn whose(&self) -> String {
        match self {
            Self::Ours => "made for this record".to_owned(),
            Self::Earlier { record } => format!("made for an earlier record of that name, {record}"),
            Self::Another { organization, record } if organization.is_empty() => {
                format!("made for the record {record}")
            }
            Self::Another { organization, record } => {
                format!("made for {record} of organization {organization}")
            }
            Self::Unmarked => "not made by glueup".to_owned(),
        }
    }
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

impl Difference {
    /// What a change set makes of it.
    pub fn change(&self) -> String {
        let was = self
            .theirs
            .as_deref()
            .filter(|t| !t.is_empty())
            .unwrap_or("nothing");
        let is = if self.ours.is_empty() {
            "nothing"
        } else {
            &self.ours
        };
        format!("change {} from {was} to {is}", self.name)
    }
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

impl Marks {
    /// Whether a mark is that of a record of the same name with an id that no record of this home has.
    fn is_earlier(&self, mark: &str) -> bool {
        // Where the name did not survive as a tag, a hash follows the id.
        let id = mark
            .rsplit_once('/')
            .and_then(|(_, tail)| tail.split('-').next())
            .unwrap_or_default();
        !id.is_empty()
            && tag_value(&mark_of(&self.name, id)) == mark
            && !self.ids.iter().any(|known| known == id)
    }
}

/// What a stack's mark says: the record's name, and the id that tells it from one of the same name elsewhere.
pub fn mark_of(name: &str, id: &str) -> String {
    format!("{name}/{id}")
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
            } else if organization == marks.organization && marks.is_earlier(&record) {
                Owner::Earlier { record }
            } else {
                Owner::Another { organization, record }
            }
        }
    }
}

/// The marked parameters named in `names` (all of them when it is empty) that differ from the stack's. One that its template
/// does not know yet is as good as an empty one.
pub fn differences(parameters: &BTreeMap<String, String>, marks: &Marks, names: &[&str]) -> Vec<Difference> {
    marks
        .parameters
        .iter()
        .filter(|(name, _)| names.is_empty() || names.contains(&name.as_str()))
        .map(|(name, ours)| (name, ours, parameters.get(name)))
        .filter(|(_, ours, theirs)| theirs.map_or("", String::as_str) != ours.as_str())
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
            record: "sales-prod/0a1b2c3d".to_owned(),
            name: "sales-prod".to_owned(),
            ids: vec!["0a1b2c3d".to_owned(), "44445555".to_owned()],
            parameters: map(&[("ExternalId", "abc"), ("RolePath", "/")]),
        }
    }

    #[test]
    fn tags_decide_before_parameters() {
        let tags = map(&[
            ("glueup:organization", "other"),
            ("glueup:record", "sales-prod/0a1b2c3d"),
        ]);
        let parameters = map(&[("Organization", "self"), ("Record", "sales-prod/0a1b2c3d")]);
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
    fn a_record_of_the_same_name_that_is_here_no_more_is_an_earlier_one() {
        let whose = |organization: &str, record: &str, marks: &Marks| {
            let tags = map(&[("glueup:organization", organization), ("glueup:record", record)]);
            owner(&tags, &BTreeMap::new(), marks)
        };
        let earlier = |record: &str| Owner::Earlier {
            record: record.to_owned(),
        };
        let marks = marks();
        assert_eq!(
            whose("self", "sales-prod/99998888", &marks),
            earlier("sales-prod/99998888")
        );
        for (organization, record) in [
            ("acme", "sales-prod/99998888"),
            ("self", "sales/99998888"),
            ("self", "my/sales-prod/99998888"),
            ("self", "sales-prod/"),
            ("self", "sales-prod"),
            // A record of this home has that id: it is that one's.
            ("self", "sales-prod/44445555"),
        ] {
            let found = whose(organization, record, &marks);
            assert!(
                matches!(found, Owner::Another { .. }),
                "{organization} {record}: {found:?}"
            );
        }
        // A name that does not survive as a tag is compared whole, not by what is left of it.
        let odd = Marks {
            name: "日本".to_owned(),
            record: tag_value("日本/0a1b2c3d"),
            ..marks
        };
        let before = tag_value("日本/99998888");
        assert_eq!(whose("self", &before, &odd), earlier(&before));
        let other = tag_value("日木/99998888");
        assert!(matches!(whose("self", &other, &odd), Owner::Another { .. }));
    }

    #[test]
    fn for_whom_a_stack_was_made_is_said_in_one_way() {
        let another = |organization: &str| Owner::Another {
            organization: organization.to_owned(),
            record: "sales/1".to_owned(),
        };
        assert_eq!(another("acme").whose(), "made for sales/1 of organization acme");
        assert_eq!(another("").whose(), "made for the record sales/1");
        assert_eq!(Owner::Unmarked.whose(), "not made by glueup");
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

    #[test]
    fn a_parameter_that_the_stack_lacks_is_an_empty_one() {
        let mut marks = marks();
        marks
            .parameters
            .insert("VerifierPrincipal".to_owned(), String::new());
        let without = map(&[("ExternalId", "abc"), ("RolePath", "/")]);
        assert_eq!(differences(&without, &marks, &[]), []);
        let other = map(&[
            ("ExternalId", "abc"),
            ("RolePath", "/"),
            ("VerifierPrincipal", "me"),
        ]);
        assert_eq!(differences(&other, &marks, &[]).len(), 1);
    }
}
