//! What is looked at before a link is given away: whether its stack is there already, and whether its template can be read.

use crate::cloud::stacks::StackDescription;
use crate::cloud::{Aws, Readable};
use crate::domain::moment::Moment;
use crate::domain::problem::{Kind, Problem};
use crate::domain::status::Status;
use crate::stack::apart;
use crate::stack::cfn::s3_region;
use crate::stack::follow;
use crate::stack::gone;
use crate::stack::site::Site;
use crate::stack::state::{self, State};
use crate::stack::whose::{self, Owner};
use serde::Serialize;
use std::time::Duration;

/// How long a link waits for what is looked at: whoever is offline still gets it.
const PATIENCE: Duration = Duration::from_secs(5);

/// A stack that has the name already: a second launch of the link would collide with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Existing {
    /// Its id, an ARN.
    pub id: String,
    /// Such as `CREATE_COMPLETE`.
    pub status: String,
    /// When it was made or last changed.
    pub changed: Option<Moment>,
    /// In a sentence: since when, for whom, and whether something is to be done.
    pub answer: String,
    /// What to do, where something is to be done.
    pub next: Option<String>,
    /// How to get a second, independent stack, where one of this record stands.
    pub another: Option<String>,
}

/// Whether the template can be read where the link says it lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Passed; warning: whoever asked was refused; skipped: nobody could be asked.
    pub status: Status,
    /// In a sentence.
    pub answer: String,
}

/// What was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Looked {
    /// The stack that is there already, as far as the caller may see it.
    pub existing: Option<Existing>,
    /// Where the template lies, of the addresses that were given.
    pub url: Option<String>,
    /// What is to be said of the template, where the link names one.
    pub template: Option<Checked>,
}

/// Looks with the rights of whoever deploys, or as nobody where `caller` could not sign in. Of `urls` the first counts at
/// which the template is not gone.
///
/// # Errors
/// `CheckFailed` where the template is gone from all of them.
pub async fn look(caller: Result<&Aws, &Problem>, site: &Site, urls: &[String]) -> Result<Looked, Problem> {
    let first = urls.first().cloned();
    let blind = |template: Checked| Looked {
        existing: None,
        template: first.as_ref().map(|_| template),
        url: first.clone(),
    };
    let caller = match caller {
        Ok(caller) => caller,
        Err(problem) => return Ok(blind(unchecked(problem))),
    };
    let looked = async {
        // Who asks is known then, and is said where that one is refused.
        let existing = existing(caller, site).await;
        if existing.is_some() || urls.is_empty() {
            return Ok(Looked {
                existing,
                url: first.clone(),
                template: None,
            });
        }
        for url in urls {
            if let Some(template) = template(caller, url).await {
                return Ok(Looked {
                    existing: None,
                    url: Some(url.clone()),
                    template: Some(template),
                });
            }
        }
        Err(lost(site, urls))
    };
    let patience = format!("no answer in {} s", PATIENCE.as_secs());
    tokio::time::timeout(PATIENCE, looked)
        .await
        .unwrap_or_else(|_| Ok(blind(not_checked(&patience))))
}

/// The stack of that name, where there is one.
async fn existing(caller: &Aws, site: &Site) -> Option<Existing> {
    let stacks = gone::at_home(caller, site).await?;
    let stack = stacks.describe(site.stack_name()).await.ok()??;
    let (answer, next) = words(&stack, site);
    let ours = whose::owner(&stack.tags, &stack.parameters, &site.marks) == Owner::Ours;
    let stands = matches!(State::of(&stack.status), State::Complete | State::UpdateUndone);
    Some(Existing {
        another: (ours && stands).then(|| apart::another(site)),
        changed: stack.last_change(),
        id: stack.id,
        status: stack.status,
        answer,
        next,
    })
}

fn words(stack: &StackDescription, site: &Site) -> (String, Option<String>) {
    let owner = whose::owner(&stack.tags, &stack.parameters, &site.marks);
    let deploy = format!("glueup deploy {}", site.target.command());
    let age = follow::changed(stack).relative(follow::now());
    let whose = owner.whose();
    if owner != Owner::Ours {
        let next = "give the record another name, or delete that stack if nobody needs it".to_owned();
        return (
            format!("a stack of that name is there since {age}, {whose}"),
            Some(next),
        );
    }
    match State::of(&stack.status) {
        State::Complete | State::UpdateUndone => {
            let differences = whose::differences(&stack.parameters, &site.marks, &[]);
            match differences.first() {
                None if site.is_deployed() => {
                    (format!("already deployed {age}, {whose}: nothing to do"), None)
                }
                None => (
                    format!("already deployed {age}, {whose}: its outputs are still to be read"),
                    Some(deploy),
                ),
                Some(first) => (
                    format!("already deployed {age}, {whose}, but {first}"),
                    Some(deploy),
                ),
            }
        }
        _ => match state::dead_end(&stack.status, &site.target) {
            Some((why, way)) => (format!("it is {}: {why}", stack.status), Some(way)),
            None => (
                format!("CloudFormation is at work on it already ({})", stack.status),
                None,
            ),
        },
    }
}

/// Whether the template can be read there; `None`: it is gone.
async fn template(caller: &Aws, url: &str) -> Option<Checked> {
    let region = s3_region(url).and_then(|region| region.parse().ok());
    let region = region.unwrap_or_else(|| caller.region().clone());
    let who = caller.caller().unwrap_or_else(|| "the caller".to_owned());
    Some(match caller.readable(url, &region).await {
        Readable::Yes => Checked {
            status: Status::Passed,
            answer: format!("{who} can read it"),
        },
        Readable::Refused => Checked {
            status: Status::Warning,
            answer: format!(
                "{who} could not read it, and CloudFormation reads it with the rights of whoever is signed in to the console"
            ),
        },
        Readable::Unknown(problem) => unchecked(&problem),
        Readable::Gone => return None,
    })
}

fn unchecked(problem: &Problem) -> Checked {
    not_checked(&problem.what)
}

fn not_checked(why: &str) -> Checked {
    Checked {
        status: Status::Skipped,
        answer: format!("not checked whether it can be read: {why}"),
    }
}

/// The console would refuse the link, in words that do not say why.
fn lost(site: &Site, urls: &[String]) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        format!("there is no link for {}: its template is gone", site.stack),
        format!(
            "no object lies at {}, or its bucket is gone",
            urls.join(" and at ")
        ),
        format!(
            "publish it again, to a bucket that is there: glueup template publish {}",
            site.target.command_with("--bucket BUCKET")
        ),
    )
}
