//! `glueup link`: the quick-create link.

use crate::cli::args::TargetArgs;
use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::work::wrong_outcome;
use crate::domain::status::Status;
use crate::job::{Job, Outcome};
use crate::session::Session;
use crate::stack;
use clap::Args;

/// What `link` takes.
#[derive(Debug, Clone, Args)]
pub struct LinkArgs {
    /// Whose stack.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// Shows the link whole, on a line of its own, and under it what it fills in. What was found about its stack and its
/// template goes to stderr.
///
/// # Errors
/// As the stack room.
pub async fn run(front: &mut Front, session: &Session, args: &LinkArgs) -> Result<u8, Stop> {
    let request = stack::Request::Link(args.target.target()?);
    let Outcome::Stack(stack::Outcome::Link(link)) = front.run_quiet(session, Job::Stack(request)).await?
    else {
        return Err(wrong_outcome());
    };
    if front.is_json() {
        front.json(&link)?;
        return Ok(0);
    }
    front.line(link.leads_to())?;
    let filled = link
        .parameters
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    let fields = [
        ("stack", link.stack_name.as_str()),
        ("region", link.region.as_str()),
        (
            "template",
            link.template_url
                .as_deref()
                .unwrap_or("nowhere yet: upload the saved one on that page"),
        ),
    ];
    let fields: Vec<_> = fields
        .into_iter()
        .chain(filled)
        .map(|(k, v)| (k, Some(v.to_owned())))
        // For a browser that is signed in to another account.
        .chain([("sign out first", link.sign_out_url.clone())])
        .collect();
    front.fields(&fields)?;
    if let Some(existing) = &link.existing {
        front.note(&format!("{}: {}", link.stack_name, existing.answer));
        if let Some(next) = &existing.next {
            front.note(next);
        }
        if let Some(another) = &existing.another {
            front.note(another);
        }
    }
    if let Some(template) = &link.template
        && template.status != Status::Passed
    {
        front.note(&format!("the template: {}", template.answer));
    }
    if let Some(forwarding) = front.environment.forwarding(link.leads_to()) {
        front.note(&forwarded(&forwarding));
    }
    Ok(0)
}

/// How a browser at the other end of an SSH session reaches what is served on this machine alone.
pub fn forwarded(command: &str) -> String {
    format!("over SSH, run this where the browser is, and leave it running: {command}")
}
