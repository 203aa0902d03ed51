//! A stack that is on record and was deleted behind our back: in the console, or by another person.

use crate::cloud::Aws;
use crate::cloud::stacks::{StackDescription, Stacks};
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::stack_name::StackName;
use crate::session::Session;
use crate::stack::site::Site;
use crate::stack::state::State;
use crate::stack::{Target, adopt};
use std::future::Future;
use std::time::Duration;

/// A stack that is on record and not there any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// Whose it was.
    pub target: Target,
    /// Its name.
    pub stack: StackName,
    /// Its id: by now the record may go by another stack.
    pub id: String,
    /// When it was deleted, as long as CloudFormation knows it.
    pub at: Option<Moment>,
    /// Who asked for that, where CloudTrail shows it to the caller.
    pub by: Option<String>,
    /// True when there is another stack of that name by now.
    pub anew: bool,
}

impl Gone {
    /// `the stack NAME is gone (deleted 2026-11-30 14:02 UTC)`.
    pub fn words(&self) -> String {
        let by = self.by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
        let when = self
            .at
            .map(|at| format!(" (deleted {} UTC{by})", at.date_and_clock()))
            .unwrap_or_default();
        if self.anew {
            format!(
                "the stack {} is gone{when}, and another one has its name",
                self.stack
            )
        } else {
            format!("the stack {} is gone{when}", self.stack)
        }
    }

    /// The command line that makes it again.
    pub fn command(&self) -> String {
        format!("glueup deploy {}", self.target.command())
    }

    /// What to do about it.
    pub fn next(&self) -> String {
        format!("Its stack is gone: deploy it again\n{}", self.command())
    }
}

/// Looks whether a target's stack, which is on record, is gone. `named` is what CloudFormation has under its name, and is
/// asked for only where that counts. `None` too where the caller may not look, or is in another account: what was not seen
/// is not known.
pub async fn look<'a>(
    session: &Session,
    target: &Target,
    named: impl Future<Output = Option<Option<&'a StackDescription>>>,
) -> Option<Gone> {
    let site = on_record(session, target)?;
    let deployer = session.deployer(site.deploy_profile.as_deref()).await.ok()?;
    let stacks = at_home(&deployer, &site).await?;
    let gone = of(&site, &stacks, named.await?).await?;
    Some(by_whom(&deployer, &site, gone).await)
}

/// The site of a stack that the records say was made.
fn on_record(session: &Session, target: &Target) -> Option<Site> {
    let site = Site::of_records(session, target, false).ok()?;
    let serves = site.check_not_adopted().is_ok() && site.stack_id().is_some();
    serves.then_some(site)
}

/// CloudFormation where a stack belongs, if the caller is in the stack's account.
pub(super) async fn at_home(caller: &Aws, site: &Site) -> Option<Stacks> {
    let region = site.region.clone()?;
    let identity = caller.identity_near(&region).await.ok()?;
    let at_home = identity.account == site.account && identity.partition == region.partition();
    at_home.then(|| caller.stacks(&region))
}

/// The same for one whose name has been looked up already.
pub(super) async fn of(site: &Site, stacks: &Stacks, named: Option<&StackDescription>) -> Option<Gone> {
    let id = site.stack_id()?;
    // Another region knows nothing of it.
    let here = id.split(':').nth(3) == site.region.as_ref().map(Region::as_str);
    if !here || named.is_some_and(|stack| stack.id == id) {
        return None;
    }
    let gone = |at| Gone {
        target: site.target.clone(),
        stack: site.stack.clone(),
        id: id.to_owned(),
        at,
        by: None,
        anew: named.is_some(),
    };
    match stacks.describe(id).await {
        Ok(None) => Some(gone(None)),
        Ok(Some(stack)) if State::of(&stack.status) == State::Gone => Some(gone(stack.deleted)),
        // It is in another region than its record says, or nobody knows.
        Ok(Some(_)) | Err(_) => None,
    }
}

/// How long CloudTrail is waited for: who it was is good to know, and no more.
const PATIENCE: Duration = Duration::from_secs(5);

/// Says who asked for the deletion, where CloudTrail shows it.
pub(super) async fn by_whom(caller: &Aws, site: &Site, gone: Gone) -> Gone {
    let (Some(at), Some(id), Some(region)) = (gone.at, site.stack_id(), &site.region) else {
        return gone;
    };
    let asked = caller.who_deleted(region, site.stack_name(), id, at);
    let by = tokio::time::timeout(PATIENCE, asked).await;
    Gone {
        by: by.ok().and_then(Result::ok).flatten(),
        ..gone
    }
}

/// Takes what is gone out of the records: what it stood for has to be deployed again. False, and nothing is done, where the
/// record goes by another stack by now: somebody has deployed since it was looked at.
///
/// # Errors
/// When a record cannot be written.
pub fn forget(session: &Session, gone: &Gone) -> Result<bool, Problem> {
    if !adopt::lost(session, &gone.target, &gone.id)? {
        return Ok(false);
    }
    let Target::Connection(name) = &gone.target else {
        return Ok(true);
    };
    // The role went with its stack, and with it the policies that others had put on it.
    for holder in session.home.bound(name)? {
        adopt::outdated(session, &holder)?;
    }
    Ok(true)
}
