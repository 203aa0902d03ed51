//! What else hangs on a connection's role: IAM does not delete a role while policies of other stacks are on it.
//!
//! The records name those that they know. A stack whose record is there no more is seen by its parameters.

use crate::cloud::stacks::StackDescription;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::registry::Grant;
use crate::report::Reporter;
use crate::session::Session;
use crate::stack::Update;
use crate::stack::desk::Desk;
use crate::stack::state::State;
use futures_util::future::join_all;

/// Refuses to delete a connection's stack while other stacks have their policies on its role.
///
/// Looks in the regions that the records name. Who may not look is told so, and CloudFormation decides.
///
/// # Errors
/// `CheckFailed`, naming each stack and how it is deleted.
pub async fn refuse(
    session: &Session,
    desk: &Desk,
    own: &StackDescription,
    reporter: &Reporter<Update>,
) -> Result<(), Problem> {
    let Some(role) = role_name(desk, own) else {
        return Ok(());
    };
    let grants = session.home.grants()?;
    let regions = regions(session, desk, &grants);
    let asked = regions.into_iter().map(|region| {
        let stacks = desk.aws.stacks(&region);
        async move { (region, stacks.all().await) }
    });
    let mut found = Vec::new();
    for (region, answer) in join_all(asked).await {
        match answer {
            Ok(all) => found.extend(
                all.into_iter()
                    .filter(|stack| stack.id != own.id && is_on(stack, &role))
                    .map(|stack| (region.clone(), stack)),
            ),
            Err(problem) => {
                let note =
                    format!("whether stacks in {region} are on the role {role} cannot be seen: {problem}");
                reporter.tell(Update::Note(note)).await;
            }
        }
    }
    let Some((region, first)) = found.first() else {
        return Ok(());
    };
    let list: Vec<String> = found
        .iter()
        .map(|(region, stack)| format!("{} ({region})", stack.name))
        .collect();
    let of_record = grants
        .iter()
        .find(|c| c.stack_name.as_str() == first.name && c.region == *region);
    Err(Problem::new(
        Kind::CheckFailed,
        format!("the role of {} still has policies of other stacks", own.name),
        format!(
            "AWS deletes no role that has a policy, and these put theirs on {role}: {}",
            list.join(", ")
        ),
        match of_record {
            Some(grant) => format!("delete their stacks first: {}", grant.holder.delete_command()),
            None => format!(
                "nothing on record owns {0}; if nobody needs it, delete it first: \
                 aws cloudformation delete-stack --stack-name {0} --region {region}",
                first.name
            ),
        },
    ))
}

/// The role that the stack made, by its own outputs; a stack that is not complete has none, the record may.
fn role_name(desk: &Desk, own: &StackDescription) -> Option<String> {
    let told = own.outputs.get("RoleName").cloned();
    told.or_else(|| desk.site.role_name().map(ToOwned::to_owned))
}

fn regions(session: &Session, desk: &Desk, grants: &[Grant]) -> Vec<Region> {
    let mut regions = vec![desk.region.clone()];
    let more = grants
        .iter()
        .flat_map(|c| std::iter::once(&c.region).chain(c.left_over_stacks.iter().map(|left| &left.region)))
        .chain(&session.settings.region)
        .chain(std::iter::once(desk.aws.region()));
    for region in more {
        if region.partition() == desk.region.partition() && !regions.contains(region) {
            regions.push(region.clone());
        }
    }
    regions
}

/// True for a stack that has put something on the role. One whose creation was undone holds nothing.
fn is_on(stack: &StackDescription, role: &str) -> bool {
    let holds = !matches!(
        State::of(&stack.status),
        State::CreateUndone | State::Review | State::Gone
    );
    holds && stack.parameters.get("RoleName").is_some_and(|name| name == role)
}
