//! A policy without what of it speaks of some rights: everything else in it stays.

use super::condition::Held;
use super::context::Context;
use super::document::Document;
use super::pattern::{arn_matches, pattern, wild};
use super::statement::{Effect, Patterns, Statement};
use serde_json::{Value, json};

/// An action on a resource.
#[derive(Clone, Debug)]
pub struct Right {
    /// Such as `glue:GetTable`.
    pub action: String,
    /// The ARN.
    pub resource: String,
    /// What is known of the request; a condition on what is not known may be met.
    pub context: Context,
}

/// What is left of a policy, and what was taken out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Without {
    /// The document that is left; `None` where nothing is.
    pub left: Option<Value>,
    /// What of its statements was taken out, each as a statement.
    pub taken: Vec<Value>,
}

impl Document {
    /// The document without the entries of its Allow statements (of its Deny statements, where `denies`) that speak of
    /// one of these rights. A statement that speaks of all but some actions or resources is taken whole.
    pub fn without(&self, denies: bool, rights: &[Right]) -> Without {
        let mut whole = self.value();
        let effect = if denies { Effect::Deny } else { Effect::Allow };
        let (mut left, mut taken) = (Vec::new(), Vec::new());
        let raw = match whole.get("Statement") {
            Some(Value::Array(statements)) => statements.clone(),
            Some(statement) => vec![statement.clone()],
            None => Vec::new(),
        };
        for (value, statement) in raw.iter().zip(&self.statements) {
            let hits: Vec<&Right> = rights
                .iter()
                .filter(|right| statement.effect == Some(effect) && self.speaks_of(statement, right))
                .collect();
            if hits.is_empty() {
                left.push(value.clone());
                continue;
            }
            let (rest, gone) = self.split(value, statement, &hits);
            left.extend(rest);
            taken.push(gone);
        }
        let is_left = !left.is_empty();
        if let Some(fields) = whole.as_object_mut() {
            fields.insert("Statement".to_owned(), Value::Array(left));
        }
        Without {
            left: is_left.then_some(whole),
            taken,
        }
    }

    fn speaks_of(&self, statement: &Statement, right: &Right) -> bool {
        statement.has_action(&right.action)
            && statement.has_resource(&right.resource, self.variables, &right.context)
            && statement.conditions.iter().all(|condition| {
                condition.held(self.variables, &right.context) != Held::No
                    || condition.lacks(&right.context).is_some()
            })
    }

    /// What stays of a statement, and what goes.
    fn split(&self, value: &Value, statement: &Statement, hits: &[&Right]) -> (Vec<Value>, Value) {
        let listed = |patterns: &Option<Patterns>| {
            let patterns = patterns.as_ref().filter(|patterns| !patterns.negated);
            patterns.map(|patterns| patterns.texts.len())
        };
        // As it is written: what was read of the actions is in small letters.
        let written = |name: &str| match value.get(name) {
            Some(Value::Array(texts)) => texts.clone(),
            Some(text) => vec![text.clone()],
            None => Vec::new(),
        };
        let (actions, resources) = (written("Action"), written("Resource"));
        if listed(&statement.actions) != Some(actions.len())
            || listed(&statement.resources) != Some(resources.len())
        {
            return (Vec::new(), value.clone());
        }
        let of_action = |text: &Value| {
            let text = text.as_str().unwrap_or_default().to_lowercase();
            hits.iter().any(|hit| wild(&text, &hit.action.to_lowercase()))
        };
        let of_resource = |text: &Value| {
            let text = text.as_str().unwrap_or_default();
            hits.iter().any(|hit| {
                text == "*"
                    || pattern(text, self.variables, &hit.context)
                        .is_some_and(|pattern| arn_matches(&pattern, &hit.resource))
            })
        };
        let (bad_actions, good_actions): (Vec<Value>, Vec<Value>) = actions.into_iter().partition(of_action);
        let (bad_resources, good_resources): (Vec<Value>, Vec<Value>) =
            resources.into_iter().partition(of_resource);
        let of = |actions: &[Value], resources: Option<&[Value]>| {
            let mut part = value.clone();
            if let Some(fields) = part.as_object_mut() {
                fields.insert("Action".to_owned(), json!(actions));
                if let Some(resources) = resources {
                    fields.insert("Resource".to_owned(), json!(resources));
                }
            }
            part
        };
        let mut rest = Vec::new();
        if !good_actions.is_empty() {
            rest.push(of(&good_actions, None));
        }
        if !good_resources.is_empty() {
            let mut others = of(&bad_actions, Some(&good_resources));
            // One statement may become two, and IAM takes each Sid once.
            if let Some(fields) = others.as_object_mut().filter(|_| !rest.is_empty()) {
                fields.remove("Sid");
            }
            rest.push(others);
        }
        (rest, of(&bad_actions, Some(&bad_resources)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right(action: &str, resource: &str) -> Right {
        Right {
            action: action.to_owned(),
            resource: resource.to_owned(),
            context: Context::new(),
        }
    }

    fn policy(statements: Value) -> Document {
        Document::read(&json!({"Version": "2012-10-17", "Statement": statements}))
    }

    #[test]
    fn what_speaks_of_something_else_stays() {
        let others = json!({"Sid": "Logs", "Effect": "Allow", "Action": "logs:*", "Resource": "*"});
        let guard = json!({"Effect": "Deny", "Action": "glue:*", "Resource": "*"});
        let mixed = json!({"Sid": "Mixed", "Effect": "Allow", "Action": ["glue:CreateTable", "glue:GetTable"],
            "Resource": ["arn:aws:glue:us-west-2:1:table/b/*", "arn:aws:glue:us-west-2:1:table/a/*"]});
        let document = policy(json!([others, mixed, guard]));
        let rights = [right("glue:CreateTable", "arn:aws:glue:us-west-2:1:table/a/x")];
        let without = document.without(false, &rights);
        let left = &without.left.unwrap()["Statement"];
        assert_eq!(left[0], others);
        assert_eq!(
            left[1],
            json!({"Sid": "Mixed", "Effect": "Allow", "Action": ["glue:GetTable"],
            "Resource": ["arn:aws:glue:us-west-2:1:table/b/*", "arn:aws:glue:us-west-2:1:table/a/*"]})
        );
        assert_eq!(
            left[2],
            json!({"Effect": "Allow", "Action": ["glue:CreateTable"],
            "Resource": ["arn:aws:glue:us-west-2:1:table/b/*"]})
        );
        assert_eq!(left[3], guard);
        assert_eq!(
            without.taken,
            [
                json!({"Sid": "Mixed", "Effect": "Allow", "Action": ["glue:CreateTable"],
            "Resource": ["arn:aws:glue:us-west-2:1:table/a/*"]})
            ]
        );
        let without = document.without(true, &rights);
        assert_eq!(without.taken.len(), 1);
        assert_eq!(without.left.unwrap()["Statement"], json!([others, mixed]));
    }

    #[test]
    fn all_but_some_goes_whole_and_a_condition_that_cannot_be_met_stays() {
        let all_but = json!({"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"});
        let elsewhere = json!({"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "*",
            "Condition": {"StringLike": {"s3:prefix": "mine/*"}}});
        let network = json!({"Effect": "Allow", "Action": "s3:*", "Resource": "*",
            "Condition": {"StringEquals": {"aws:SourceVpce": "vpce-1"}}});
        let document = policy(json!([all_but, elsewhere, network]));
        let mut list = right("s3:ListBucket", "arn:aws:s3:::b");
        list.context = Context::new().with("s3:prefix", "");
        let without = document.without(false, &[list]);
        assert_eq!(without.taken.len(), 2);
        assert_eq!(without.left.unwrap()["Statement"], json!([elsewhere]));
        let document = policy(all_but.clone());
        let without = document.without(false, &[right("s3:GetObject", "arn:aws:s3:::b/x")]);
        assert_eq!((without.left, without.taken), (None, vec![all_but]));
    }
}
