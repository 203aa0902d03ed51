//! A policy document.

use super::condition::Held;
use super::context::Context;
use super::evaluate::Caller;
use super::statement::{Effect, Meets, Statement};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// What a document is for; each kind has its own rules when it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Attached to a user or a role, a permissions boundary, or a session policy.
    Identity,
    /// A role's trust policy.
    Trust,
}

/// Why a document is refused. The text is IAM's, or as near to it as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError(String);

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PolicyError {}

/// A policy, read once. What is wrong in it is found by [`Document::check`]; evaluated unchecked, what is wrong never
/// allows anything.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    /// Only version 2012-10-17 knows variables; the older version, which is the default, takes `${…}` literally.
    pub(super) variables: bool,
    pub(super) statements: Vec<Statement>,
    faults: Vec<String>,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Document {}

impl Document {
    /// Reads a text and checks it: what IAM does when a policy is put.
    pub fn parse(text: &str, kind: Kind) -> Result<Self, PolicyError> {
        let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{FF}');
        if !text.chars().all(allowed) {
            return Err(PolicyError(
                "The specified policy document contains characters that are not allowed.".into(),
            ));
        }
        let value: Value =
            serde_json::from_str(text).map_err(|_| PolicyError("Syntax errors in policy.".to_owned()))?;
        let document = Self {
            text: text.to_owned(),
            ..Self::read(&value)
        };
        document.check(kind)?;
        Ok(document)
    }

    /// Reads anything, and fails at nothing.
    pub fn read(value: &Value) -> Self {
        let mut faults = Vec::new();
        let mut variables = false;
        match value.get("Version") {
            None => {}
            Some(Value::String(version)) if version == "2012-10-17" => variables = true,
            Some(Value::String(version)) if version == "2008-10-17" => {}
            Some(_) => faults.push("The policy must contain a valid version string".to_owned()),
        }
        let statements = match value.get("Statement") {
            Some(Value::Array(statements)) => statements.iter().map(Statement::read).collect(),
            Some(statement @ Value::Object(_)) => vec![Statement::read(statement)],
            _ => {
                faults.push("Syntax errors in policy.".to_owned());
                Vec::new()
            }
        };
        if let Some(fields) = value.as_object() {
            for name in fields.keys() {
                if !matches!(name.as_str(), "Version" | "Id" | "Statement") {
                    faults.push(format!("Syntax errors in policy. Unknown field {name}."));
                }
            }
        }
        Self {
            text: value.to_string(),
            variables,
            statements,
            faults,
        }
    }

    /// The document as it was given, or printed without blanks.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The document as a value.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// How many characters count against IAM's limits: white space does not.
    pub fn size(&self) -> usize {
        self.text.chars().filter(|c| !c.is_ascii_whitespace()).count()
    }

    /// The account ids and ARNs that a trust policy names, as written.
    pub fn principals(&self) -> impl Iterator<Item = &str> {
        self.statements
            .iter()
            .filter_map(|statement| statement.principals.as_ref())
            .flat_map(|principals| principals.aws.iter().map(String::as_str))
    }

    /// The condition keys that statements on this action and resource ask for and `context` does not have: what a
    /// decision may still hang on. An operator that is meant for absent keys asks for none. `caller` is given for
    /// trust policies.
    pub fn missing_keys<'a>(
        &'a self,
        caller: Option<&'a Caller<'a>>,
        action: &'a str,
        resource: &'a str,
        context: &'a Context,
    ) -> impl Iterator<Item = &'a str> {
        self.statements
            .iter()
            .filter(move |statement| {
                statement.meets(caller) != Meets::No
                    && statement.has_action(action)
                    && statement.has_resource(resource, self.variables, context)
            })
            .flat_map(|statement| &statement.conditions)
            .filter_map(move |condition| condition.lacks(context))
    }

    /// The condition keys that would have to be there, in `context`, for a statement to allow this that does not yet.
    pub fn hangs_on<'a>(
        &'a self,
        caller: &'a Caller<'a>,
        action: &'a str,
        resource: &'a str,
        context: &'a Context,
    ) -> impl Iterator<Item = &'a str> {
        self.statements
            .iter()
            .filter(move |statement| {
                statement.effect == Some(Effect::Allow)
                    && statement.meets(Some(caller)) != Meets::No
                    && statement.has_action(action)
                    && statement.has_resource(resource, self.variables, context)
            })
            .flat_map(|statement| &statement.conditions)
            .filter(|condition| condition.held(self.variables, context) != Held::Yes)
            .filter_map(move |condition| condition.lacks(context))
    }

    /// Checks what IAM checks when a policy is put.
    pub fn check(&self, kind: Kind) -> Result<(), PolicyError> {
        let refuse = |message: String| Err(PolicyError(message));
        if let Some(fault) = self.faults.first() {
            return refuse(fault.clone());
        }
        if self.statements.is_empty() {
            return refuse("Syntax errors in policy.".to_owned());
        }
        let mut sids = BTreeSet::new();
        for statement in &self.statements {
            if let Some(fault) = statement.faults.first() {
                return refuse(fault.clone());
            }
            if let Some(sid) = statement.sid.as_deref().filter(|sid| !sid.is_empty()) {
                if kind == Kind::Identity && !sid.chars().all(|c| c.is_ascii_alphanumeric()) {
                    return refuse(
                        "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular \
                         expression [0-9A-Za-z]*"
                            .to_owned(),
                    );
                }
                if !sids.insert(sid) {
                    return refuse("Statement IDs (SID) in a single policy must be unique.".to_owned());
                }
            }
            if let Some(unknown) = statement
                .conditions
                .iter()
                .find(|condition| !condition.is_known())
            {
                return refuse(format!("Invalid Condition type : {}.", unknown.operator));
            }
            check_statement(statement, kind)?;
        }
        Ok(())
    }
}

fn check_statement(statement: &Statement, kind: Kind) -> Result<(), PolicyError> {
    let refuse = |message: String| Err(PolicyError(message));
    let Some(actions) = statement
        .actions
        .as_ref()
        .filter(|actions| !actions.texts.is_empty())
    else {
        return refuse("Policy statement must contain actions.".to_owned());
    };
    if actions
        .texts
        .iter()
        .any(|action| action != "*" && !action.contains(':'))
    {
        return refuse(
            "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.".to_owned(),
        );
    }
    match kind {
        Kind::Trust => {
            if statement.resources.is_some() {
                return refuse("Has prohibited field Resource".to_owned());
            }
            let Some(principals) = &statement.principals else {
                return refuse("Missing required field Principal".to_owned());
            };
            if !principals.everyone && principals.aws.is_empty() && principals.others.is_empty() {
                return refuse("Missing required field Principal cannot be empty!".to_owned());
            }
            if !actions
                .texts
                .iter()
                .all(|action| action == "*" || action.starts_with("sts:"))
            {
                return refuse("AssumeRole policy may only specify STS AssumeRole actions.".to_owned());
            }
        }
        Kind::Identity => {
            if statement.principals.is_some() {
                return refuse("Policy document should not specify a principal.".to_owned());
            }
            let Some(resources) = statement
                .resources
                .as_ref()
                .filter(|resources| !resources.texts.is_empty())
            else {
                return refuse("Policy statement must contain resources.".to_owned());
            };
            if let Some(wrong) = resources.texts.iter().find(|resource| !is_arn(resource)) {
                return refuse(format!("Resource {wrong} must be in ARN format or \"*\"."));
            }
        }
    }
    Ok(())
}

fn is_arn(resource: &str) -> bool {
    resource == "*" || (resource.starts_with("arn:") && resource.splitn(6, ':').count() == 6)
}

/// Checks an identity policy.
pub fn check(value: &Value) -> Result<(), PolicyError> {
    Document::read(value).check(Kind::Identity)
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let value: Value = serde_json::from_str(&text).map_err(serde::de::Error::custom)?;
        Ok(Self {
            text,
            ..Self::read(&value)
        })
    }
}
