//! Deleting a stack: only our own, only after a yes, and followed until it is gone.

use crate::cloud::stacks::{StackDescription, Stacks};
use crate::domain::problem::{Kind, Problem};
use crate::registry::{Grant, LeftOver};
use crate::report::{Answer, Reporter};
use crate::session::Session;
use crate::setup::{connection, rules};
use crate::stack::desk::Desk;
use crate::stack::follow::{self, Follower};
use crate::stack::site::Site;
use crate::stack::whose::{self, Owner};
use crate::stack::{Outcome, Target, Update, adopt, ask, attached, earlier, review};

/// Deletes the target's stack, and those that a switch of the access level left over.
///
/// A stack that is on record and not there any more is gone as asked: the record forgets it.
///
/// # Errors
/// `Denied` for who is no admin; `NotFound` for a stack that has never been made; `CheckFailed` while catalogs' stacks
/// hang on a connection's role, for a stack that is somebody else's, for one of an earlier record when `take_over` does
/// not let it be asked about, and when the delete fails, unless what stays may be asked about and may stay; `Interrupted` when the question is answered with no.
pub async fn run(
    session: &Session,
    target: &Target,
    take_over: bool,
    retain: bool,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    if let Target::Connection(name) = target {
        let bound = connection::grants_of(session, name)?;
        refuse_while_used(name.as_str(), &bound)?;
    }
    let site = Site::to_delete(session, target)?;
    let was_made = site.is_made();
    let desk = Desk::at(session, site, reporter).await?;
    let own = LeftOver {
        stack_name: desk.site.stack.clone(),
        region: desk.region.clone(),
    };
    let (mut there, mut of_earlier) = (Vec::new(), Vec::new());
    for place in std::iter::once(&own).chain(&desk.site.left_over) {
        let stacks = desk.aws.stacks(&place.region);
        if let Some(stack) = stacks.describe(place.stack_name.as_str()).await? {
            let owner = Box::pin(review::owner(&stacks, &stack, &desk.site.marks)).await?;
            match &owner {
                Owner::Ours => {}
                Owner::Earlier { record } if take_over => {
                    of_earlier.extend(earlier::deleted(&desk.site, &stack, record));
                }
                Owner::Earlier { record } => {
                    return Err(earlier::not_deleted(&desk.site, &stack.name, record));
                }
                _ => return Err(not_ours_to_delete(&stack.name, &owner)),
            }
            there.push((place, stacks, stack));
        }
    }
    let Some((_, _, first)) = there.first() else {
        reporter.tell(Update::NotThere).await;
        if !was_made {
            return Err(never_made(&desk));
        }
        reporter
            .tell(Update::Note(format!(
                "{} was there no more; the record knows it now",
                desk.site.stack
            )))
            .await;
        adopt::gone(session, target)?;
        return Ok(Outcome::Deleted(desk.site.stack_name().to_owned()));
    };
    if matches!(target, Target::Connection(_)) {
        attached::refuse(session, &desk, first, reporter).await?;
    }
    let names: Vec<String> = there.iter().map(|(_, _, stack)| stack.name.clone()).collect();
    if reporter.ask(ask::delete(&desk.site, &names, of_earlier)).await == Answer::No {
        return Err(Problem::new(
            Kind::Interrupted,
            "not deleted",
            "the question was not answered with yes; nothing has been changed",
            "delete it again when it is right",
        ));
    }
    let how = How {
        retain,
        role_arn: None,
        leaving: &|_| target.delete_command_with("--retain"),
    };
    for (place, stacks, stack) in &there {
        one(session, &desk, (stacks, stack), &how, reporter).await?;
        // Noted at once: what comes after it may fail.
        if **place == own {
            adopt::own_gone(session, target)?;
        } else {
            adopt::left_over_gone(session, target, place)?;
        }
    }
    adopt::gone(session, target)?;
    Ok(Outcome::Deleted(names.join(", ")))
}

/// After a switch of the access level or the region, offers to delete the stack of before.
///
/// # Errors
/// When the delete fails. A no is no failure: the stack stays on record as left over.
pub async fn offer_left_overs(
    session: &Session,
    desk: &Desk,
    reporter: &Reporter<Update>,
    role_arn: Option<&str>,
) -> Result<(), Problem> {
    for place in &desk.site.left_over {
        let stacks = desk.aws.stacks(&place.region);
        let Some(stack) = stacks.describe(place.stack_name.as_str()).await? else {
            adopt::left_over_gone(session, &desk.site.target, place)?;
            continue;
        };
        let owner = whose::owner(&stack.tags, &stack.parameters, &desk.site.marks);
        if owner == Owner::Ours && reporter.ask(ask::left_over(&stack.name)).await == Answer::Yes {
            // A verb that deletes this one alone there is not: `stack delete` would take the new one with it.
            let how = How {
                retain: false,
                role_arn,
                leaving: &|stuck| {
                    format!(
                        "aws cloudformation delete-stack --stack-name {} --region {} --retain-resources {}",
                        stack.name,
                        place.region,
                        stuck.join(" ")
                    )
                },
            };
            one(session, desk, (&stacks, &stack), &how, reporter).await?;
            adopt::left_over_gone(session, &desk.site.target, place)?;
        } else {
            reporter
                .tell(Update::Note(format!(
                    "{} stays, and with it what it grants",
                    stack.name
                )))
                .await;
        }
    }
    Ok(())
}

/// How a stack is deleted.
struct How<'a> {
    /// Whether to ask, where something in it cannot be deleted, to let that stay.
    retain: bool,
    /// A service role for CloudFormation to work with.
    role_arn: Option<&'a str>,
    /// The command line that deletes it and lets these resources stay.
    leaving: &'a (dyn Fn(&[String]) -> String + Sync),
}

async fn one(
    session: &Session,
    desk: &Desk,
    (stacks, stack): (&Stacks, &StackDescription),
    how: &How<'_>,
    reporter: &Reporter<Update>,
) -> Result<(), Problem> {
    let mut follower = Follower::new(stacks, reporter, desk.pace());
    follower.skip_past(&stack.id).await?;
    desk.delete(session, stacks, &stack.id, how.role_arn).await?;
    follower
        .until_begun(&stack.id, follow::left(&stack.status))
        .await?;
    let Some(rest) = follower.until_rest(&stack.id).await? else {
        return Ok(());
    };
    let cause = follower.cause(&stack.id).await;
    let mut failure = follow::failed(&stack.name, &rest.status, cause.as_ref());
    // CloudFormation lets resources stay only of a stack whose deletion has failed.
    if rest.status != "DELETE_FAILED" {
        return Err(failure);
    }
    let stuck = follow::stuck_in(&stacks.events(&stack.id).await?);
    if stuck.is_empty() {
        return Err(failure);
    }
    if !how.retain
        || reporter
            .ask(ask::retain(&stack.name, &stuck, cause.as_ref()))
            .await
            == Answer::No
    {
        failure.next = format!(
            "{}; or let {} stay in AWS, as it is: {}",
            failure.next,
            stuck.join(", "),
            (how.leaving)(&stuck)
        );
        return Err(failure);
    }
    follower.skip_past(&stack.id).await?;
    let work = stacks.delete_but(&stack.id, stuck, how.role_arn.map(ToOwned::to_owned));
    desk.ledgered(session, "cloudformation:DeleteStack", &stack.id, work)
        .await?;
    follower
        .until_begun(&stack.id, follow::left(&rest.status))
        .await?;
    match follower.until_rest(&stack.id).await? {
        None => Ok(()),
        Some(rest) => {
            let cause = follower.cause(&stack.id).await;
            Err(follow::failed(&stack.name, &rest.status, cause.as_ref()))
        }
    }
}

/// IAM does not delete a role that still has policies: the stacks that put them there go first.
fn refuse_while_used(name: &str, bound: &[Grant]) -> Result<(), Problem> {
    let deployed: Vec<_> = bound.iter().filter(|grant| grant.is_made()).collect();
    if deployed.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = deployed.iter().map(|grant| grant.holder.name()).collect();
    let commands: Vec<String> = deployed
        .iter()
        .map(|grant| grant.holder.delete_command())
        .collect();
    // Each in a line of its own where there are more.
    let sep = if commands.len() == 1 { " " } else { "\n" };
    let steps = format!("delete their stacks first:{sep}{}", commands.join(sep));
    Err(Problem::new(
        Kind::CheckFailed,
        format!("the role of {name} is still in use"),
        format!("these have their policies on it: {}", names.join(", ")),
        "",
    )
    .with_steps(&steps))
}

fn never_made(desk: &Desk) -> Problem {
    let site = &desk.site;
    Problem::new(
        Kind::NotFound,
        format!("there is no stack {}", site.stack),
        format!(
            "none of that name is in {}, and the record knows of none",
            site.place()
        ),
        "nothing has to be deleted; was it made in another region or account, look there",
    )
}

fn not_ours_to_delete(stack: &str, owner: &Owner) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        format!("{stack} is not ours to delete"),
        format!("it was {}", owner.whose()),
        "let its owner delete it in the CloudFormation console",
    )
}
