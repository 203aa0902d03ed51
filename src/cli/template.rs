//! `glueup template`: the CloudFormation template of a connection or a catalog, shown, saved, published.

use crate::cli::args::{TargetArgs, filled};
use crate::cli::front::{Consent, Front};
use crate::cli::output::Stop;
use crate::cli::work::wrong_outcome;
use crate::domain::json_text;
use crate::job::{Job, Outcome};
use crate::session::Session;
use crate::stack;
use crate::stack::policy::{NOBODY, Policy};
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// What can be done with a template.
#[derive(Debug, Clone, Subcommand)]
pub enum TemplateVerb {
    /// Write the template, or with --policy the IAM policy in it, to stdout
    Show(ShowArgs),
    /// Write the template, and a note of its parameters, to a file
    Save(SaveArgs),
    /// Put the template into a bucket of yours, so that the console can read it
    Publish(PublishArgs),
}

/// What `template show` takes.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// Whose template.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Only the IAM policy, as JSON: who may assume the role (connection), what it may do (catalog); for a role that
    /// is kept by hand or by another tool
    #[arg(long)]
    pub policy: bool,
}

/// What `template save` takes.
#[derive(Debug, Clone, Args)]
pub struct SaveArgs {
    /// Whose template.
    #[command(flatten)]
    pub target: TargetArgs,
    /// The file; without it, one in the working directory, named after the stack
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
}

/// What `template publish` takes.
#[derive(Debug, Clone, Args)]
pub struct PublishArgs {
    /// Whose template.
    #[command(flatten)]
    pub target: TargetArgs,
    /// A bucket that exists; it may be private
    #[arg(long, value_name = "BUCKET", value_parser = filled)]
    pub bucket: String,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
}

/// Shows, saves or publishes.
///
/// # Errors
/// As the stack room.
pub async fn run(front: &mut Front, session: &Session, verb: TemplateVerb) -> Result<u8, Stop> {
    let (request, consent) = match verb {
        TemplateVerb::Show(args) if args.policy => {
            (stack::Request::Policy(args.target.target()?), Consent::Asked)
        }
        TemplateVerb::Show(args) => (stack::Request::Template(args.target.target()?), Consent::Asked),
        TemplateVerb::Save(args) => (
            stack::Request::Save(args.target.target()?, args.to),
            Consent::Asked,
        ),
        TemplateVerb::Publish(args) => {
            let target = args.target.target()?;
            (
                stack::Request::Publish {
                    target,
                    bucket: args.bucket,
                },
                front.consent(args.yes)?,
            )
        }
    };
    match front
        .run(session, Job::Stack(request), consent, |_, _| Ok(()))
        .await?
    {
        Outcome::Stack(stack::Outcome::Template {
            body,
            parameters,
            stack_name,
        }) => {
            show(front, &body, &parameters, &stack_name)?;
        }
        Outcome::Stack(stack::Outcome::Policy(policy)) => show_policy(front, &policy)?,
        Outcome::Stack(stack::Outcome::Saved(path)) => {
            let path = path.display().to_string();
            answer(front, &json!({ "saved": path }), &path)?;
        }
        Outcome::Stack(stack::Outcome::Published(url)) => answer(front, &json!({ "published": url }), &url)?,
        _ => return Err(wrong_outcome()),
    }
    Ok(0)
}

fn show(front: &mut Front, body: &str, parameters: &[(String, String)], stack: &str) -> Result<(), Stop> {
    if front.is_json() {
        let parameters: Map<String, Value> = parameters
            .iter()
            .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
            .collect();
        return front.json(&json!({ "template": body, "stack_name": stack, "parameters": parameters }));
    }
    // The template alone goes to stdout, so that it can be sent to a file and stay a template.
    front.note(&format!("stack {stack}"));
    for (name, value) in parameters {
        front.note(&format!("  {name} = {value}"));
    }
    front.bytes(body.as_bytes())
}

/// The document alone goes to stdout, as `aws iam … --policy-document file://…` reads it.
fn show_policy(front: &mut Front, policy: &Policy) -> Result<(), Stop> {
    let role = policy.role_arn.as_ref();
    if front.is_json() {
        return front.json(&json!({
            "policy": policy.document,
            "policy_name": policy.name,
            "role_arn": role,
        }));
    }
    if policy.names_nobody {
        front.note(&format!(
            "nobody is on record who may assume the role: put them in place of {NOBODY}, or name them with glueup \
             connection set --trust ARN"
        ));
    }
    if let Some(role) = role {
        let role = role.role_name();
        front.note(&match &policy.name {
            Some(name) => format!(
                "as an inline policy: aws iam put-role-policy --role-name {role} --policy-name {name} \
                 --policy-document file://FILE"
            ),
            None => format!(
                "it takes the place of the whole trust policy: aws iam update-assume-role-policy --role-name {role} \
                 --policy-document file://FILE"
            ),
        });
    }
    let text = json_text::pretty(&policy.document);
    front.bytes(text.as_bytes())
}

fn answer(front: &mut Front, json: &Value, text: &str) -> Result<(), Stop> {
    if front.is_json() {
        front.json(json)
    } else {
        front.line(text)
    }
}
