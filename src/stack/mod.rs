//! CloudFormation templates, quick-create links, deploy and watch.

mod adopt;
mod advise;
mod again;
mod apart;
mod ask;
mod attached;
mod boundary;
mod browser;
mod by_hand;
mod carry;
pub mod cause;
pub mod cfn;
mod change;
mod change_set;
pub mod checked;
mod delete;
mod deploy;
mod desk;
mod earlier;
mod elsewhere;
pub mod encryption;
mod follow;
pub mod gone;
pub mod grant;
pub mod link;
pub mod look;
pub mod outdated;
pub mod parameters;
pub mod policy;
pub mod policy_view;
mod preflight;
mod publish;
mod refusal;
mod request;
mod review;
pub mod role_gone;
mod room;
pub mod save;
pub mod site;
pub mod state;
pub mod template;
#[cfg(test)]
mod tests;
mod watch;
mod way_out;
pub mod whose;

pub use change::{Act, Change};
pub use elsewhere::{Search, Sighting};
pub use request::{Advice, Outcome, Request, StackEvent, StackState, Target, Update};

use crate::domain::problem::Problem;
use crate::report::Reporter;
use crate::session::Session;
use site::Site;

/// Does one piece of work on stacks.
///
/// # Errors
/// As the file of each request says.
pub async fn run(
    session: &Session,
    request: Request,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    match request {
        Request::Link(target) => browser::link(session, &target).await,
        Request::Template(target) => {
            let site = Site::of(session, &target)?;
            Ok(Outcome::Template {
                body: site.kind.text().to_owned(),
                parameters: site.parameters(),
                stack_name: site.stack.to_string(),
            })
        }
        Request::Policy(target) => {
            policy::of(session, &target).map(|policy| Outcome::Policy(Box::new(policy)))
        }
        Request::Save(target, path) => {
            save::run(&Site::of(session, &target)?, path.as_deref()).map(Outcome::Saved)
        }
        Request::Publish { target, bucket } => publish::run(session, &target, &bucket, reporter).await,
        Request::Deploy {
            target,
            role_arn,
            take_over,
        } => deploy::run(session, &target, role_arn.as_deref(), take_over, reporter).await,
        Request::Watch(target) => watch::run(session, &target, reporter).await,
        Request::Look => look::run(session, reporter).await,
        Request::Delete {
            target,
            take_over,
            retain,
        } => delete::run(session, &target, take_over, retain, reporter).await,
        Request::Find { target, take } => elsewhere::run(session, &target, take, reporter).await,
        Request::Preflight { target, role_arn } => preflight::run(session, &target, role_arn.as_deref())
            .await
            .map(Outcome::Preflight),
        Request::Advise { region, s3_path } => advise::run(session, region.as_ref(), &s3_path).await,
    }
}
