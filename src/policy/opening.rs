//! What a trust policy opens: whom its Allow statements name, and on which values they insist.

use super::condition::Held;
use super::context::Context;
use super::document::Document;
use super::evaluate::Caller;
use super::statement::{Effect, Meets, Statement};

/// One Allow statement of a trust policy.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    statement: &'a Statement,
    variables: bool,
}

impl Document {
    /// The Allow statements on this action that name principals.
    pub fn openings<'a>(&'a self, action: &'a str) -> impl Iterator<Item = Opening<'a>> {
        self.statements
            .iter()
            .filter(move |statement| {
                statement.effect == Some(Effect::Allow)
                    && statement.principals.is_some()
                    && statement.has_action(action)
            })
            .map(|statement| Opening {
                statement,
                variables: self.variables,
            })
    }

    /// The condition keys that the statement at this place asks for and `context` does not have.
    pub fn lacking(&self, index: usize, context: &Context) -> Vec<&str> {
        let statement = self.statements.get(index).into_iter();
        statement
            .flat_map(|statement| &statement.conditions)
            .filter_map(|condition| condition.lacks(context))
            .collect()
    }
}

impl<'a> Opening<'a> {
    /// True where everybody is meant: `*`, or all but some.
    pub fn everyone(&self) -> bool {
        self.statement
            .principals
            .as_ref()
            .is_some_and(|principals| principals.everyone || principals.negated)
    }

    /// Whether it names this caller, or everybody.
    pub fn names(&self, caller: &Caller<'_>) -> bool {
        self.statement.meets(Some(caller)) != Meets::No
    }

    /// The condition keys that `context` does not have and on which it hangs whether the statement matches: none where
    /// it matches. `None` where it cannot match, whatever they are; `absent` is known to be absent.
    pub fn hangs_on(&self, context: &Context, absent: &str) -> Option<Vec<&'a str>> {
        let mut keys = Vec::new();
        for condition in &self.statement.conditions {
            if condition.held(self.variables, context) == Held::Yes {
                continue;
            }
            let key = condition.lacks(context)?;
            if key.eq_ignore_ascii_case(absent) {
                return None;
            }
            keys.push(key);
        }
        Some(keys)
    }

    /// The account ids and ARNs that are named, as written; none where all but these are meant.
    pub fn named(&self) -> impl Iterator<Item = &'a str> {
        let principals = self
            .statement
            .principals
            .as_ref()
            .filter(|principals| !principals.negated);
        principals
            .into_iter()
            .flat_map(|principals| principals.aws.iter().map(String::as_str))
    }

    /// The services and identity providers that are named.
    pub fn others(&self) -> impl Iterator<Item = &'a str> {
        let principals = self
            .statement
            .principals
            .as_ref()
            .filter(|principals| !principals.negated);
        principals
            .into_iter()
            .flat_map(|principals| principals.others.iter().map(String::as_str))
    }

    /// The values of a condition key of which one must be met.
    pub fn wanted(&self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.statement
            .conditions
            .iter()
            .flat_map(move |condition| condition.wanted(key))
            .map(String::as_str)
    }

    /// The same, as far as they are patterns that more than one value meets.
    pub fn patterns(&self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.statement
            .conditions
            .iter()
            .flat_map(move |condition| condition.patterns(key))
            .map(String::as_str)
            .filter(|value| value.contains(['*', '?']))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_opening_tells_whom_it_names_and_on_what_it_insists() {
        let document = Document::read(&json!({"Version": "2012-10-17", "Statement": [
            {"Effect": "Deny", "Principal": "*", "Action": "sts:AssumeRole"},
            {"Effect": "Allow", "Principal": {"Service": "glue.amazonaws.com"}, "Action": "sts:TagSession"},
            {"Effect": "Allow", "Principal": {"AWS": ["111122223333", "*"], "Service": "ec2.amazonaws.com"},
             "Action": "sts:Assume*", "Condition": {
                "StringLike": {"STS:ExternalId": ["a", "b*"]},
                "StringNotEquals": {"sts:ExternalId": "c"},
                "StringEquals": {"aws:PrincipalOrgID": "o-1*"}}},
            {"Effect": "Allow", "NotPrincipal": {"AWS": "111122223333"}, "Action": "*"},
        ]}));
        let openings: Vec<Opening<'_>> = document.openings("sts:AssumeRole").collect();
        assert_eq!(openings.len(), 2);
        assert!(openings[0].everyone() && openings[1].everyone());
        assert_eq!(openings[0].named().collect::<Vec<_>>(), ["111122223333"]);
        assert_eq!(openings[0].others().collect::<Vec<_>>(), ["ec2.amazonaws.com"]);
        assert_eq!(
            openings[0].wanted("sts:ExternalId").collect::<Vec<_>>(),
            ["a", "b*"]
        );
        assert_eq!(openings[0].patterns("sts:ExternalId").collect::<Vec<_>>(), ["b*"]);
        assert_eq!(openings[0].patterns("aws:PrincipalOrgID").count(), 0);
        assert_eq!(openings[1].named().count(), 0);
    }
}
