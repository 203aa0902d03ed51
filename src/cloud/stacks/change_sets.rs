//! Change sets: what CloudFormation says that a stack would become, before it does it.

use super::{NewStack, Stacks, capabilities, moment, parameters, split, tags};
use crate::cloud::problem::{has_code, is_not_found};
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::domain::text::scrub;
use aws_sdk_cloudformation::operation::describe_change_set::DescribeChangeSetOutput;
use aws_sdk_cloudformation::types::{ChangeSetType, ResourceChange as SdkChange};
use std::collections::BTreeMap;

/// What a change set does to its stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// It creates it. The stack is there from then on, in review and with nothing in it.
    Create,
    /// It updates it.
    Update,
}

/// A change set as it stands. All text is clean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSet {
    /// Its name.
    pub name: String,
    /// Its id, an ARN.
    pub id: String,
    /// The id of its stack.
    pub stack_id: String,
    /// Such as `CREATE_COMPLETE`: how far it is worked out.
    pub status: String,
    /// Such as `AVAILABLE`: whether it can be executed, or has been.
    pub execution: String,
    /// Why it is in that status, if CloudFormation says so.
    pub reason: Option<String>,
    /// The parameters that the stack would have. Empty in a list.
    pub parameters: BTreeMap<String, String>,
    /// The tags that the stack would have. Empty in a list.
    pub tags: BTreeMap<String, String>,
    /// What it does, a resource each. Empty in a list.
    pub changes: Vec<ResourceChange>,
    /// When it was made.
    pub created: Option<Moment>,
}

/// What happens to one resource. All text is clean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceChange {
    /// `Add`, `Modify`, `Remove`; AWS knows further ones.
    pub action: String,
    /// The resource's name in the template.
    pub logical_id: String,
    /// Its name or ARN in AWS, where it exists.
    pub physical_id: Option<String>,
    /// Such as `AWS::IAM::Role`.
    pub resource_type: String,
    /// For a change, whether another resource takes its place: `True`, `False` or `Conditional`.
    pub replacement: Option<String>,
    /// What of it changes: `Properties`, `Tags` …
    pub scope: Vec<String>,
}

impl Stacks {
    /// Begins to work out a change set; answers its id and its stack's. It makes nothing of what the template says.
    ///
    /// # Errors
    /// Whatever CloudFormation answers; an endpoint that knows no change sets as [`lacks_change_sets`] tells.
    pub async fn create_change_set(
        &self,
        name: &str,
        sort: Sort,
        stack: NewStack,
    ) -> Result<(String, String), Problem> {
        let (body, url) = split(stack.template);
        let answer = self
            .client
            .create_change_set()
            .stack_name(&stack.name)
            .change_set_name(name)
            .change_set_type(match sort {
                Sort::Create => ChangeSetType::Create,
                Sort::Update => ChangeSetType::Update,
            })
            .set_template_body(body)
            .set_template_url(url)
            .set_parameters(Some(parameters(stack.parameters)))
            .set_tags(Some(tags(stack.tags)))
            .set_capabilities(capabilities(stack.capability.as_deref()))
            .set_role_arn(stack.role_arn)
            .set_client_token(stack.token)
            .send()
            .await
            .map_err(|error| self.problem("cloudformation:CreateChangeSet", &stack.name, &error))?;
        Ok((
            scrub(answer.id().unwrap_or(name)),
            scrub(answer.stack_id().unwrap_or(&stack.name)),
        ))
    }

    /// A change set of a stack, each by name or id, with all its changes; `None` when it is not there.
    ///
    /// # Errors
    /// Whatever CloudFormation answers, except that it is not there.
    pub async fn change_set(&self, stack: &str, name: &str) -> Result<Option<ChangeSet>, Problem> {
        let mut found: Option<ChangeSet> = None;
        let mut token = None;
        loop {
            let answer = self
                .client
                .describe_change_set()
                .stack_name(stack)
                .change_set_name(name)
                .set_next_token(token)
                .send()
                .await;
            let answer = match answer {
                Ok(answer) => answer,
                Err(error) => {
                    let problem = self.problem("cloudformation:DescribeChangeSet", stack, &error);
                    return if is_not_found(&problem) {
                        Ok(None)
                    } else {
                        Err(problem)
                    };
                }
            };
            token = answer.next_token.clone().filter(|token| !token.is_empty());
            let page = described(answer);
            match &mut found {
                Some(found) => found.changes.extend(page.changes),
                None => found = Some(page),
            }
            if token.is_none() {
                return Ok(found);
            }
        }
    }

    /// The change sets of a stack by name or id, without what they do.
    ///
    /// # Errors
    /// Whatever CloudFormation answers.
    pub async fn change_sets(&self, stack: &str) -> Result<Vec<ChangeSet>, Problem> {
        let (mut all, mut token) = (Vec::new(), None);
        loop {
            let answer = self
                .client
                .list_change_sets()
                .stack_name(stack)
                .set_next_token(token)
                .send()
                .await
                .map_err(|error| self.problem("cloudformation:ListChangeSets", stack, &error))?;
            all.extend(
                answer
                    .summaries
                    .unwrap_or_default()
                    .into_iter()
                    .map(|set| ChangeSet {
                        name: text(set.change_set_name),
                        id: text(set.change_set_id),
                        stack_id: text(set.stack_id),
                        status: text(set.status.map(|s| s.as_str().to_owned())),
                        execution: text(set.execution_status.map(|s| s.as_str().to_owned())),
                        reason: reason(set.status_reason),
                        parameters: BTreeMap::new(),
                        tags: BTreeMap::new(),
                        changes: Vec::new(),
                        created: moment(set.creation_time),
                    }),
            );
            token = answer.next_token.filter(|token| !token.is_empty());
            if token.is_none() {
                return Ok(all);
            }
        }
    }

    /// Lets CloudFormation do what a change set says. What fails is undone.
    ///
    /// # Errors
    /// Whatever CloudFormation answers: `ChangeSetNotFound`, `InvalidChangeSetStatus` …
    pub async fn execute_change_set(
        &self,
        stack: &str,
        name: &str,
        token: Option<String>,
    ) -> Result<(), Problem> {
        self.client
            .execute_change_set()
            .stack_name(stack)
            .change_set_name(name)
            // Its default is not the one of CreateStack.
            .disable_rollback(false)
            .set_client_request_token(token)
            .send()
            .await
            .map(drop)
            .map_err(|error| self.problem("cloudformation:ExecuteChangeSet", stack, &error))
    }

    /// Deletes a change set. The stack stays, also one that only the change set would have made.
    ///
    /// # Errors
    /// Whatever CloudFormation answers; a change set that is not there is no error.
    pub async fn delete_change_set(&self, stack: &str, name: &str) -> Result<(), Problem> {
        let answer = self
            .client
            .delete_change_set()
            .stack_name(stack)
            .change_set_name(name)
            .send()
            .await;
        match answer {
            Ok(_) => Ok(()),
            Err(error) => {
                let problem = self.problem("cloudformation:DeleteChangeSet", stack, &error);
                if is_not_found(&problem) {
                    Ok(())
                } else {
                    Err(problem)
                }
            }
        }
    }
}

/// True when the endpoint does not know the call at all, as an emulator may not: AWS knows it everywhere.
pub fn lacks_change_sets(problem: &Problem) -> bool {
    const CODES: [&str; 7] = [
        "InvalidAction",
        "UnknownAction",
        "UnknownOperation",
        "UnknownOperationException",
        "UnsupportedOperation",
        "NotImplemented",
        "NotImplementedException",
    ];
    let words = problem.why.to_ascii_lowercase();
    CODES.iter().any(|code| has_code(problem, code))
        || ["not implemented", "not been implemented", "not yet implemented"]
            .iter()
            .any(|said| words.contains(said))
}

fn described(answer: DescribeChangeSetOutput) -> ChangeSet {
    let pair =
        |key: Option<String>, value: Option<String>| Some((scrub(&key?), scrub(&value.unwrap_or_default())));
    ChangeSet {
        name: text(answer.change_set_name),
        id: text(answer.change_set_id),
        stack_id: text(answer.stack_id),
        status: text(answer.status.map(|s| s.as_str().to_owned())),
        execution: text(answer.execution_status.map(|s| s.as_str().to_owned())),
        reason: reason(answer.status_reason),
        parameters: answer
            .parameters
            .unwrap_or_default()
            .into_iter()
            .filter_map(|parameter| pair(parameter.parameter_key, parameter.parameter_value))
            .collect(),
        tags: answer
            .tags
            .unwrap_or_default()
            .into_iter()
            .filter_map(|tag| pair(tag.key, tag.value))
            .collect(),
        changes: answer
            .changes
            .unwrap_or_default()
            .into_iter()
            .filter_map(|change| change.resource_change)
            .map(resource_change)
            .collect(),
        created: moment(answer.creation_time),
    }
}

fn resource_change(change: SdkChange) -> ResourceChange {
    ResourceChange {
        action: text(change.action.map(|a| a.as_str().to_owned())),
        logical_id: text(change.logical_resource_id),
        physical_id: reason(change.physical_resource_id),
        resource_type: text(change.resource_type),
        replacement: reason(change.replacement.map(|r| r.as_str().to_owned())),
        scope: change
            .scope
            .unwrap_or_default()
            .iter()
            .map(|part| scrub(part.as_str()))
            .collect(),
    }
}

fn text(given: Option<String>) -> String {
    scrub(&given.unwrap_or_default())
}

/// A text that may be missing; some answer an empty one instead.
fn reason(given: Option<String>) -> Option<String> {
    given.map(|text| scrub(&text)).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::problem::{Detail, Kind};

    fn refusal(code: &str, words: &str) -> Problem {
        let detail = Detail {
            code: Some(code.to_owned()),
            ..Detail::default()
        };
        Problem::new(Kind::CheckFailed, "refused", format!("{code}: {words}"), "").with_detail(detail)
    }

    #[test]
    fn who_does_not_know_change_sets_is_told_from_who_refuses_one() {
        for (code, words) in [
            (
                "InvalidAction",
                "Could not find operation CreateChangeSet for this version",
            ),
            (
                "InternalFailure",
                "API for service 'cloudformation' not yet implemented",
            ),
            (
                "NotImplemented",
                "The create_change_set action has not been implemented",
            ),
        ] {
            assert!(lacks_change_sets(&refusal(code, words)), "{code}");
        }
        for (code, words) in [
            (
                "AccessDenied",
                "is not authorized to perform: cloudformation:CreateChangeSet",
            ),
            ("ValidationError", "Stack [s] does not exist"),
        ] {
            assert!(!lacks_change_sets(&refusal(code, words)), "{code}");
        }
    }

    #[test]
    fn an_empty_answer_is_a_change_set_without_changes() {
        let set = described(DescribeChangeSetOutput::builder().build());
        assert_eq!(
            (set.status.as_str(), set.reason, set.changes.len()),
            ("", None, 0)
        );
    }
}
