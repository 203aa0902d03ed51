//! One look at the stacks of all records, for the home screen: which is gone, which somebody has made meanwhile, which is
//! still at work. It asks for each stack by name, signs nobody in, and passes over what the caller may not see.

use crate::cloud::Aws;
use crate::cloud::stacks::StackDescription;
use crate::domain::problem::Problem;
use crate::report::Reporter;
use crate::session::Session;
use crate::stack::desk::{Desk, is_loopback};
use crate::stack::follow::Pace;
use crate::stack::gone::{self, Gone};
use crate::stack::site::Site;
use crate::stack::state::State;
use crate::stack::whose::{self, Owner};
use crate::stack::{Outcome, Target, Update, adopt};
use futures_util::{StreamExt, stream};

/// Stacks that are looked at at once.
const ABREAST: usize = 8;

/// How the stack of a record was found, where that is not what the record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// It is gone: the record does not know it any more.
    Gone(Gone),
    /// Somebody has made it: its outputs are in the record.
    Made(Target),
    /// It is not made yet, and in this status.
    Stands(Target, String),
    /// It is there, made for something else than the record asks for.
    Unlike(Target),
    /// It was at work, and is as the record says again.
    AsSaid(Target),
}

impl Sight {
    /// Whose stack.
    pub fn target(&self) -> &Target {
        match self {
            Self::Gone(gone) => &gone.target,
            Self::Made(target) | Self::Stands(target, _) | Self::Unlike(target) | Self::AsSaid(target) => {
                target
            }
        }
    }
}

/// Looks once, and again at those that CloudFormation is at work on, until they rest.
///
/// # Errors
/// When the records cannot be listed.
pub async fn run(session: &Session, reporter: &Reporter<Update>) -> Result<Outcome, Problem> {
    let (connections, grants) = all(session)?;
    // A role that is gone is known to be before the policies on it are looked for.
    let mut moving = abreast(session, connections, false, reporter).await;
    moving.extend(abreast(session, grants, false, reporter).await);
    let pace = pace(session);
    let mut pause = pace.first;
    while !moving.is_empty() && reporter.sleep(pause).await {
        moving = abreast(session, moving, true, reporter).await;
        pause = pace.after(pause);
    }
    Ok(Outcome::Looked)
}

/// How the stack of a record was found, where something is to be said or noted of it.
struct Found {
    target: Target,
    caller: Aws,
    named: Option<StackDescription>,
    lost: Option<Gone>,
}

/// Looks at several, for the first time or `again`; answers those that CloudFormation is at work on.
async fn abreast(
    session: &Session,
    targets: Vec<Target>,
    again: bool,
    reporter: &Reporter<Update>,
) -> Vec<Target> {
    // As they come: what one of them lost is not to wait for a neighbour that is slow to answer.
    let mut looks = stream::iter(targets)
        .map(|target| async move { (look(session, &target).await, target) })
        .buffer_unordered(ABREAST);
    let mut moving = Vec::new();
    while let Some((found, target)) = looks.next().await {
        let sight = match found {
            Some(found) => note(session, found, reporter).await,
            None => None,
        };
        let Some(sight) = sight.or(again.then_some(Sight::AsSaid(target))) else {
            continue;
        };
        if let Sight::Stands(target, status) = &sight
            && State::of(status).moves()
        {
            moving.push(target.clone());
        }
        reporter.tell(Update::Sight(sight)).await;
    }
    moving
}

fn pace(session: &Session) -> Pace {
    let endpoint = session.signed_in().and_then(|aws| aws.endpoint("CLOUDFORMATION"));
    Pace::patient(endpoint.as_deref().is_some_and(is_loopback))
}

fn all(session: &Session) -> Result<(Vec<Target>, Vec<Target>), Problem> {
    let connections = session.home.connections()?.records.into_iter();
    let grants = session.home.grants()?.into_iter();
    Ok((
        connections
            .map(|stored| Target::Connection(stored.record.name))
            .collect(),
        grants.map(|grant| Target::Grant(grant.holder)).collect(),
    ))
}

/// Whoever can look without signing in anew: the connection's deployer, or the caller where it is the same account.
fn lookers(session: &Session, site: &Site) -> Vec<Aws> {
    let profile = site.deploy_profile.as_deref();
    let deployer = profile.and_then(|profile| session.deployer_inside(profile));
    deployer.into_iter().chain(session.signed_in()).collect()
}

/// Looks, and changes nothing: whoever stops the look has missed nothing that would not be seen again.
async fn look(session: &Session, target: &Target) -> Option<Found> {
    let site = Site::of_records(session, target, false).ok()?;
    site.check_not_adopted().ok()?;
    for caller in lookers(session, &site) {
        let Some(stacks) = gone::at_home(&caller, &site).await else {
            continue;
        };
        let Ok(named) = stacks.describe(site.stack_name()).await else {
            continue;
        };
        if site.is_deployed()
            && named
                .as_ref()
                .is_some_and(|stack| site.stack_id() == Some(&stack.id))
        {
            return None;
        }
        let lost = match gone::of(&site, &stacks, named.as_ref()).await {
            Some(lost) => Some(gone::by_whom(&caller, &site, lost).await),
            None => None,
        };
        return Some(Found {
            target: target.clone(),
            caller,
            named,
            lost,
        });
    }
    None
}

/// Notes in the record what was found; the sight is to be told right after. Nothing is asked of AWS here, so that no record
/// is changed without a word.
async fn note(session: &Session, found: Found, reporter: &Reporter<Update>) -> Option<Sight> {
    let lost = match found.lost {
        // Where somebody has deployed meanwhile, nothing is lost.
        Some(lost) => gone::forget(session, &lost).ok()?.then_some(lost),
        None => None,
    };
    let now = match &found.named {
        Some(stack) => between(session, &found.target, &found.caller, stack, reporter).await,
        None => None,
    };
    match (lost, now) {
        (Some(lost), Some(now)) if !matches!(now, Sight::Made(_)) => {
            reporter.tell(Update::Sight(Sight::Gone(lost))).await;
            Some(now)
        }
        (lost, now) => now.or(lost.map(Sight::Gone)),
    }
}

/// A stack that is there, while its record does not go by it.
async fn between(
    session: &Session,
    target: &Target,
    caller: &Aws,
    stack: &StackDescription,
    reporter: &Reporter<Update>,
) -> Option<Sight> {
    // One whose connection has no role yet cannot be for it.
    let site = Site::of_records(session, target, true).ok()?;
    if whose::owner(&stack.tags, &stack.parameters, &site.marks) != Owner::Ours {
        return None;
    }
    let as_asked = whose::differences(&stack.parameters, &site.marks, site.identity()).is_empty();
    match State::of(&stack.status) {
        State::Complete | State::UpdateUndone if as_asked => {
            let region = site.region.clone()?;
            let desk = Desk::of(site, caller, &region);
            adopt::outputs(session, &desk, stack, reporter).await.ok()?;
            Some(Sight::Made(target.clone()))
        }
        State::Complete | State::UpdateUndone => Some(Sight::Unlike(target.clone())),
        _ => Some(Sight::Stands(target.clone(), stack.status.clone())),
    }
}
