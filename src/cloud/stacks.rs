//! CloudFormation stacks: made, changed, deleted, watched.

pub mod change_sets;
mod repair;
#[cfg(test)]
mod tests;

use super::aws::Aws;
use super::problem::is_not_found;
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::text::scrub;
use aws_sdk_cloudformation::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_cloudformation::types::{Capability, Parameter, Tag};
use std::collections::BTreeMap;

/// CloudFormation in one region, seen by one caller.
#[derive(Debug, Clone)]
pub struct Stacks {
    aws: Aws,
    region: Region,
    client: aws_sdk_cloudformation::Client,
}

/// Where a stack's template is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Template {
    /// Sent along; at most 51,200 bytes.
    Body(String),
    /// At an https S3 URL, read with the caller's rights.
    Url(String),
}

/// A stack as it is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStack {
    /// Its name.
    pub name: String,
    /// Its template.
    pub template: Template,
    /// Parameter name and value.
    pub parameters: Vec<(String, String)>,
    /// Tag key and value.
    pub tags: Vec<(String, String)>,
    /// What is acknowledged, such as `CAPABILITY_NAMED_IAM`.
    pub capability: Option<String>,
    /// The service role that CloudFormation works with.
    pub role_arn: Option<String>,
    /// Makes a repeated request the same request; letters, digits and hyphens.
    pub token: Option<String>,
}

/// A stack as it stands. All text is clean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackDescription {
    /// Its name.
    pub name: String,
    /// Its id, an ARN.
    pub id: String,
    /// Such as `CREATE_COMPLETE`.
    pub status: String,
    /// Why it is in that status, if CloudFormation says so.
    pub reason: Option<String>,
    /// Its outputs.
    pub outputs: BTreeMap<String, String>,
    /// Its parameters; a value of `NoEcho` shows as asterisks.
    pub parameters: BTreeMap<String, String>,
    /// Its tags.
    pub tags: BTreeMap<String, String>,
    /// The service role that CloudFormation works with; a stack keeps the one that it was given last.
    pub role_arn: Option<String>,
    /// When it was made.
    pub created: Option<Moment>,
    /// When it was last changed, if ever.
    pub updated: Option<Moment>,
    /// When it was deleted, if it is; such a one is found by its id only, for 90 days.
    pub deleted: Option<Moment>,
}

impl StackDescription {
    /// When it was made or last changed.
    pub fn last_change(&self) -> Option<Moment> {
        self.updated.max(self.created)
    }
}

/// One event of a stack. All text is clean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackEvent {
    /// CloudFormation's id of the event.
    pub id: String,
    /// When.
    pub at: Option<Moment>,
    /// The resource's name in the template.
    pub logical_id: String,
    /// The resource's name or ARN in AWS, once it has one.
    pub physical_id: Option<String>,
    /// Such as `AWS::IAM::Role`.
    pub resource_type: String,
    /// Such as `CREATE_FAILED`.
    pub status: String,
    /// Why, if CloudFormation or a hook says so.
    pub reason: Option<String>,
}

impl Stacks {
    pub(super) fn new(aws: Aws, region: &Region) -> Self {
        let config = aws_sdk_cloudformation::config::Builder::from(aws.sdk())
            .retry_classifier(aws.renewal())
            .region(aws_sdk_cloudformation::config::Region::new(region.to_string()))
            .build();
        Self {
            aws,
            region: region.clone(),
            client: aws_sdk_cloudformation::Client::from_conf(config),
        }
    }

    /// Starts to make a stack; answers its id.
    ///
    /// # Errors
    /// Whatever CloudFormation answers: `AlreadyExistsException`, `InsufficientCapabilitiesException` …
    pub async fn create(&self, stack: NewStack) -> Result<String, Problem> {
        let (body, url) = split(stack.template);
        let answer = self
            .client
            .create_stack()
            .stack_name(&stack.name)
            .set_template_body(body)
            .set_template_url(url)
            .set_parameters(Some(parameters(stack.parameters)))
            .set_tags(Some(tags(stack.tags)))
            .set_capabilities(capabilities(stack.capability.as_deref()))
            .set_role_arn(stack.role_arn)
            .set_client_request_token(stack.token)
            .send()
            .await
            .map_err(|error| self.problem("cloudformation:CreateStack", &stack.name, &error))?;
        Ok(scrub(answer.stack_id().unwrap_or(&stack.name)))
    }

    /// Starts to change a stack; answers its id.
    ///
    /// # Errors
    /// Whatever CloudFormation answers; `No updates are to be performed.` is a `ValidationError`.
    pub async fn update(&self, stack: NewStack) -> Result<String, Problem> {
        let (body, url) = split(stack.template);
        let answer = self
            .client
            .update_stack()
            .stack_name(&stack.name)
            .set_template_body(body)
            .set_template_url(url)
            .set_parameters(Some(parameters(stack.parameters)))
            .set_tags(Some(tags(stack.tags)))
            .set_capabilities(capabilities(stack.capability.as_deref()))
            .set_role_arn(stack.role_arn)
            .set_client_request_token(stack.token)
            .send()
            .await
            .map_err(|error| self.problem("cloudformation:UpdateStack", &stack.name, &error))?;
        Ok(scrub(answer.stack_id().unwrap_or(&stack.name)))
    }

    /// Starts to delete a stack, by name or id.
    ///
    /// # Errors
    /// Whatever CloudFormation answers; a stack that is not there is no error.
    pub async fn delete(&self, name: &str, role_arn: Option<String>) -> Result<(), Problem> {
        self.client
            .delete_stack()
            .stack_name(name)
            .set_role_arn(role_arn)
            .send()
            .await
            .map(drop)
            .map_err(|error| self.problem("cloudformation:DeleteStack", name, &error))
    }

    /// A stack by name or id; `None` when it is not there. A deleted one is found by its id only.
    ///
    /// # Errors
    /// Whatever CloudFormation answers, except that the stack is not there.
    pub async fn describe(&self, name: &str) -> Result<Option<StackDescription>, Problem> {
        match self.client.describe_stacks().stack_name(name).send().await {
            Ok(answer) => Ok(answer
                .stacks
                .unwrap_or_default()
                .into_iter()
                .next()
                .map(description)),
            Err(error) => {
                let problem = self.problem("cloudformation:DescribeStacks", name, &error);
                if is_not_found(&problem) {
                    Ok(None)
                } else {
                    Err(problem)
                }
            }
        }
    }

    /// All stacks of the region that are there.
    ///
    /// # Errors
    /// Whatever CloudFormation answers: to look at all needs `cloudformation:DescribeStacks` on all of them.
    pub async fn all(&self) -> Result<Vec<StackDescription>, Problem> {
        let (mut stacks, mut token) = (Vec::new(), None);
        loop {
            let answer = self
                .client
                .describe_stacks()
                .set_next_token(token)
                .send()
                .await
                .map_err(|error| self.problem("cloudformation:DescribeStacks", "*", &error))?;
            stacks.extend(answer.stacks.unwrap_or_default().into_iter().map(description));
            token = answer.next_token.filter(|token| !token.is_empty());
            if token.is_none() {
                return Ok(stacks);
            }
        }
    }

    /// All events of a stack by name or id, the newest first.
    ///
    /// # Errors
    /// Whatever CloudFormation answers.
    pub async fn events(&self, name_or_id: &str) -> Result<Vec<StackEvent>, Problem> {
        let mut events = Vec::new();
        let mut token = None;
        loop {
            let answer = self
                .client
                .describe_stack_events()
                .stack_name(name_or_id)
                .set_next_token(token)
                .send()
                .await
                .map_err(|error| self.problem("cloudformation:DescribeStackEvents", name_or_id, &error))?;
            events.extend(answer.stack_events.unwrap_or_default().into_iter().map(event));
            token = answer.next_token.filter(|token| !token.is_empty());
            if token.is_none() {
                return Ok(events);
            }
        }
    }

    /// A stack's template as it was given, raw.
    ///
    /// # Errors
    /// Whatever CloudFormation answers.
    pub async fn template(&self, name: &str) -> Result<String, Problem> {
        let answer = self
            .client
            .get_template()
            .stack_name(name)
            .send()
            .await
            .map_err(|error| self.problem("cloudformation:GetTemplate", name, &error))?;
        Ok(answer.template_body.unwrap_or_default())
    }

    fn problem<E>(&self, action: &'static str, name: &str, error: &SdkError<E>) -> Problem
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        let arn = if name.starts_with("arn:") {
            Some(name.to_owned())
        } else {
            self.aws
                .arn_in_account("cloudformation", &self.region, &format!("stack/{name}"))
        };
        self.aws
            .problem("cloudformation", action, arn, &self.region, error)
    }
}

fn split(template: Template) -> (Option<String>, Option<String>) {
    match template {
        Template::Body(body) => (Some(body), None),
        Template::Url(url) => (None, Some(url)),
    }
}

fn parameters(given: Vec<(String, String)>) -> Vec<Parameter> {
    given
        .into_iter()
        .map(|(key, value)| {
            Parameter::builder()
                .parameter_key(key)
                .parameter_value(value)
                .build()
        })
        .collect()
}

fn tags(given: Vec<(String, String)>) -> Vec<Tag> {
    given
        .into_iter()
        .map(|(key, value)| Tag::builder().key(key).value(value).build())
        .collect()
}

fn capabilities(given: Option<&str>) -> Option<Vec<Capability>> {
    given.map(|capability| vec![Capability::from(capability)])
}

fn moment(at: Option<aws_smithy_types::DateTime>) -> Option<Moment> {
    Moment::from_unix_millis(at?.to_millis().ok()?)
}

fn description(stack: aws_sdk_cloudformation::types::Stack) -> StackDescription {
    let pair =
        |key: Option<String>, value: Option<String>| Some((scrub(&key?), scrub(&value.unwrap_or_default())));
    StackDescription {
        name: scrub(&stack.stack_name.unwrap_or_default()),
        id: scrub(&stack.stack_id.unwrap_or_default()),
        status: stack
            .stack_status
            .map(|status| scrub(status.as_str()))
            .unwrap_or_default(),
        reason: stack.stack_status_reason.map(|reason| scrub(&reason)),
        outputs: stack
            .outputs
            .unwrap_or_default()
            .into_iter()
            .filter_map(|output| pair(output.output_key, output.output_value))
            .collect(),
        parameters: stack
            .parameters
            .unwrap_or_default()
            .into_iter()
            .filter_map(|parameter| pair(parameter.parameter_key, parameter.parameter_value))
            .collect(),
        tags: stack
            .tags
            .unwrap_or_default()
            .into_iter()
            .filter_map(|tag| pair(tag.key, tag.value))
            .collect(),
        role_arn: stack
            .role_arn
            .map(|arn| scrub(&arn))
            .filter(|arn| !arn.is_empty()),
        created: moment(stack.creation_time),
        updated: moment(stack.last_updated_time),
        deleted: moment(stack.deletion_time),
    }
}

fn event(event: aws_sdk_cloudformation::types::StackEvent) -> StackEvent {
    let text = |value: Option<String>| value.map(|value| scrub(&value)).filter(|value| !value.is_empty());
    StackEvent {
        id: text(event.event_id).unwrap_or_default(),
        at: moment(event.timestamp),
        logical_id: text(event.logical_resource_id).unwrap_or_default(),
        physical_id: text(event.physical_resource_id),
        resource_type: text(event.resource_type).unwrap_or_default(),
        status: event
            .resource_status
            .map(|status| scrub(status.as_str()))
            .unwrap_or_default(),
        reason: text(event.resource_status_reason).or_else(|| text(event.hook_status_reason)),
    }
}
