//! The role that CloudFormation works with instead of the caller: one that is passed, or one that the stack keeps.

use crate::cloud::iam::Iam;
use crate::cloud::is_not_found;
use crate::domain::arn::RoleArn;
use crate::domain::finding::Finding;
use crate::policy::{Caller, Context, Decision, Document, evaluate};
use crate::stack::preflight::Found;
use serde_json::json;

/// CloudFormation, as trust policies name it.
pub(super) const SERVICE: &str = "cloudformation.amazonaws.com";

/// With whose rights CloudFormation works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Worker {
    /// Those of the caller.
    Caller,
    /// Those of a role that the caller passes.
    Passed(String),
    /// Those of the role that the stack was given once.
    Kept(String),
}

/// Who works, by what was named and by the stacks that are there.
pub(super) fn worker(named: Option<&str>, found: &[Found]) -> Worker {
    let kept = || {
        found
            .iter()
            .find_map(|stack| stack.as_ref().ok()?.as_ref()?.role_arn.clone())
    };
    match named {
        Some(role) => Worker::Passed(role.to_owned()),
        None => kept().map_or(Worker::Caller, Worker::Kept),
    }
}

impl Worker {
    /// The role, where it is one.
    pub(super) fn arn(&self) -> Option<&str> {
        match self {
            Self::Caller => None,
            Self::Passed(role) | Self::Kept(role) => Some(role),
        }
    }

    pub(super) fn is_role(&self) -> bool {
        self.arn().is_some()
    }

    /// Whether the role is there and lets CloudFormation in; nothing to be said where there is none.
    pub(super) async fn look(&self, iam: &Iam) -> Option<Finding> {
        let arn = self.arn()?;
        let kept = match self {
            Self::Kept(_) => ", which the stack keeps",
            _ => "",
        };
        let Ok(role) = arn.parse::<RoleArn>() else {
            return Some(Finding::failed(
                format!("{arn} is not the ARN of a role"),
                "Name the role by its ARN: --role-arn arn:aws:iam::012345678901:role/NAME",
            ));
        };
        let found = match iam.role(&role).await {
            Ok(found) if found.arn == arn => found,
            Ok(found) => {
                return Some(Finding::failed(
                    format!("there is no {arn}: the role of that name is {}", found.arn),
                    format!("Name it with its path: --role-arn {}", found.arn),
                ));
            }
            Err(problem) if is_not_found(&problem) => {
                return Some(Finding::failed(
                    format!("there is no {arn}{kept}"),
                    "Ask whoever keeps the service roles of this account for its ARN, and name it with --role-arn",
                ));
            }
            Err(problem) => return Some(Finding::skipped(format!("not known: {problem}"))),
        };
        let service = Caller {
            arn: SERVICE,
            principal_arn: SERVICE,
            account: "",
        };
        let context = Context::new().with("aws:SourceAccount", role.account().to_string());
        let trust = Document::read(&found.trust);
        let answer = evaluate(&[&trust], Some(&service), "sts:AssumeRole", arn, &context);
        if answer.decision == Decision::Allow {
            return Some(Finding::passed(format!(
                "CloudFormation works with the rights of {arn}{kept}"
            )));
        }
        let statement =
            json!({"Effect": "Allow", "Principal": {"Service": SERVICE}, "Action": "sts:AssumeRole"});
        Some(Finding::failed(
            format!("the trust policy of {arn}{kept} does not let CloudFormation assume it"),
            format!("Whoever keeps that role can add this statement to its trust policy:\n{statement}"),
        ))
    }
}
