//! Each permission of a stack with its why: what a security team wants to read before anything is made.

use crate::domain::problem::{Kind, Problem};
use crate::registry::{Connection, Grant};
use crate::stack::cfn::{Physical, Resources};
use crate::stack::grant;
use crate::stack::policy::ROLE_TO_COME;
use crate::stack::site::Site;
use serde_json::Value;

/// One statement of a policy, ready to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its `Sid`.
    pub sid: String,
    /// What may be done.
    pub actions: Vec<String>,
    /// On what; for a trust policy: by whom.
    pub resources: Vec<String>,
    /// Under which condition, as JSON.
    pub condition: Option<String>,
    /// Why it is there.
    pub why: String,
}

/// The statements of a stack's policies: a connection's trust policy, a grant's inline policy.
///
/// They are read from the template itself with the record's values, so that nothing else is shown than is made.
///
/// # Errors
/// When the template does not take the record's values.
pub fn statements(site: &Site) -> Result<Vec<Statement>, Problem> {
    Ok(documents(site)?.iter().flat_map(of_document).collect())
}

/// The statements of one document.
pub fn of_document(document: &Value) -> Vec<Statement> {
    let statements = document.get("Statement").and_then(Value::as_array);
    statements.into_iter().flatten().map(statement).collect()
}

/// The IAM documents that a stack makes, as IAM gets them: a connection's trust policy, a grant's inline policy.
///
/// # Errors
/// When the template does not take the record's values.
pub fn documents(site: &Site) -> Result<Vec<Value>, Problem> {
    let refused = |error: crate::stack::cfn::TemplateError| {
        Problem::new(
            Kind::Usage,
            format!("the policy of {} cannot be shown", site.stack),
            error.message(),
            "change the record, then try again",
        )
    };
    let template = site.kind.template().map_err(refused)?;
    let bound = template
        .bind(&site.marks.parameters, site.pseudo())
        .map_err(refused)?;
    // Nothing exists yet, and no policy of ours refers to what a stack has made.
    let none: Resources = std::iter::empty::<(String, Physical)>().collect();
    let mut list = Vec::new();
    for resource in &template.resources {
        let name = match resource.kind.as_str() {
            "AWS::IAM::Role" => "AssumeRolePolicyDocument",
            "AWS::IAM::Policy" => "PolicyDocument",
            _ => continue,
        };
        if let Some(document) = resource.properties.get(name) {
            list.extend(bound.evaluate(document, &none).map_err(refused)?);
        }
    }
    Ok(list)
}

fn statement(value: &Value) -> Statement {
    let sid = value
        .get("Sid")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let whom = value.get("Principal").and_then(|p| p.get("AWS"));
    Statement {
        actions: texts(value.get("Action")),
        resources: texts(value.get("Resource").or(whom)),
        condition: value.get("Condition").map(ToString::to_string),
        why: grant::why(&sid, value.get("Condition").is_some())
            .unwrap_or("not explained")
            .to_owned(),
        sid,
    }
}

/// A string or a list of strings, as policies have them.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(list)) => list
            .iter()
            .filter_map(Value::as_str)
            .map(ToOwned::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// The permissions of a grant's stack as lines of text, each statement with its why; ready to be shown and copied.
pub fn in_lines(grant: &Grant, connection: &Connection) -> Vec<String> {
    let role = connection
        .role_arn
        .as_ref()
        .map_or(ROLE_TO_COME, |role| role.role_name());
    // Whose tags the stack carries says nothing about what it grants.
    let site = Site::of_grant(grant.clone(), connection.clone(), role, "self");
    let list = match site.and_then(|site| statements(&site)) {
        Ok(list) => list,
        Err(problem) => return vec![problem.to_string(), problem.next],
    };
    let mut lines = Vec::new();
    for statement in list {
        lines.push(format!("{}: {}", statement.sid, statement.why));
        lines.push(format!("  allows {}", statement.actions.join(", ")));
        lines.extend(
            statement
                .resources
                .iter()
                .map(|resource| format!("  on {resource}")),
        );
        lines.extend(
            statement
                .condition
                .map(|condition| format!("  only if {condition}")),
        );
        lines.push(String::new());
    }
    lines
}
