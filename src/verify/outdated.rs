//! A grant whose stack was made for what its record asked for before. Asked only where something failed or is missing,
//! and never needed for the verdict.

use super::climb::Climb;
use super::report::RungId;
use super::rung::Verdict;
use crate::domain::problem::Problem;
use crate::domain::status::Status;
use crate::domain::text::capital;
use crate::registry::Grant;
use crate::session::Session;
use crate::stack::{self, site::Site};

/// What the stack of a grant was made for, as far as the caller may look at it; `None` also where it is as asked for.
async fn made_for(session: &Session, grant: &Grant) -> Option<String> {
    let site = site(session, grant)?;
    let deployer = session.deployer(site.deploy_profile.as_deref()).await.ok()?;
    let stacks = deployer.stacks(&grant.region);
    let stack = stacks.describe(site.stack_name()).await.ok()??;
    stack::outdated::told(&stack.parameters, &site)
}

fn site(session: &Session, grant: &Grant) -> Option<Site> {
    Site::of(session, &stack::Target::Grant(grant.holder.clone())).ok()
}

/// The refusal to verify, with what the stack was made for where it is there.
pub(super) async fn explained(session: &Session, grant: Option<&Grant>, problem: Problem) -> Problem {
    let Some(grant) = grant.filter(|grant| grant.is_outdated()) else {
        return problem;
    };
    let why = made_for(session, grant).await;
    Problem {
        why: why.unwrap_or_else(|| {
            format!(
                "the record of {} was changed since the stack {} was made",
                grant.holder, grant.stack_name
            )
        }),
        ..problem
    }
}

/// Puts what the stack was made for in the place of what to do about a right that is missing or was not asked for.
pub(super) async fn say(climb: &Climb, id: RungId, verdict: &mut Verdict) {
    let Some(grant) = climb.grant.as_ref().filter(|_| !climb.connection.adopted) else {
        return;
    };
    if id < RungId::Databases || verdict.status != Status::Failed || !(verdict.denied || verdict.open) {
        return;
    }
    let made_for = climb.outdated.get_or_init(|| async {
        let stack = climb.access_stack().await?;
        stack::outdated::told(&stack.parameters, &site(&climb.session, grant)?)
    });
    if let Some(line) = made_for.await {
        let command = grant.holder.command();
        verdict.next = Some(format!(
            "{}: deploy again\nglueup deploy {command}",
            capital(line)
        ));
    }
}
