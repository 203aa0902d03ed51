//! Deploy from here: look first, say what will happen, ask, then create or update the stack and follow it to its end.

use crate::cloud::stacks::{NewStack, StackDescription, Template};
use crate::domain::problem::{Kind, Problem};
use crate::report::{Answer, Ask, Reporter};
use crate::session::Session;
use crate::setup::rules;
use crate::stack::desk::Desk;
use crate::stack::follow::{self, Follower};
use crate::stack::site::Site;
use crate::stack::state::{self, State};
use crate::stack::whose::{self, Difference, Owner};
use crate::stack::{Outcome, Target, Update, adopt, ask, delete};

/// Creates the target's stack, or brings it to what the record says.
///
/// # Errors
/// `Denied` for who is no admin, `CheckFailed` for the wrong account, for a stack that is somebody else's or stuck, and
/// for one that fails; `Interrupted` when the question is answered with no.
pub async fn run(
    session: &Session,
    target: &Target,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let site = Site::of(session, target)?;
    site.check_not_adopted()?;
    let desk = Desk::at(session, site, reporter).await?;
    desk.site.check_size(session)?;
    let mut follower = Follower::new(&desk.stacks, reporter, desk.pace());
    let stack = match desk.stacks.describe(desk.site.stack_name()).await? {
        None => create(session, &desk, role_arn, reporter, &mut follower).await?,
        Some(found) => onto(session, &desk, found, role_arn, reporter, &mut follower).await?,
    };
    adopt::outputs(session, &desk, &stack)?;
    delete::offer_left_overs(session, &desk, reporter, role_arn).await?;
    Ok(Outcome::Deployed(follow::told(&stack)))
}

/// A stack of that name is there already.
async fn onto(
    session: &Session,
    desk: &Desk,
    found: StackDescription,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<StackDescription, Problem> {
    let site = &desk.site;
    let owner = whose::owner(&found.tags, &found.parameters, &site.marks);
    let mut found = found;
    if State::of(&found.status).moves() {
        reporter
            .tell(Update::Note(format!(
                "CloudFormation is at work on {} already",
                found.name
            )))
            .await;
        match follower.until_rest(&found.id).await? {
            None => return create(session, desk, role_arn, reporter, follower).await,
            Some(rested) => found = rested,
        }
    }
    match State::of(&found.status) {
        State::CreateUndone => recreate(session, desk, &found, &owner, role_arn, reporter, follower).await,
        State::Complete | State::UpdateUndone if owner == Owner::Ours => {
            bring_up_to_date(session, desk, found, role_arn, reporter, follower).await
        }
        State::Complete | State::UpdateUndone => take_over(desk, found, &owner, reporter).await,
        _ => Err(stuck(desk, &found)),
    }
}

fn stuck(desk: &Desk, found: &StackDescription) -> Problem {
    let what = format!("{} cannot be deployed while it is {}", found.name, found.status);
    match state::dead_end(&found.status, &found.name, desk.region.as_str()) {
        Some((why, next)) => Problem::new(Kind::CheckFailed, what, why, next),
        None => Problem::new(
            Kind::CheckFailed,
            what,
            "glueup does not know this status",
            "look at the stack in the CloudFormation console",
        ),
    }
}

async fn create(
    session: &Session,
    desk: &Desk,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<StackDescription, Problem> {
    consent(reporter, ask::create(&desk.site)).await?;
    let site = &desk.site;
    let new = new_stack(desk, role_arn)?;
    let id = desk
        .ledgered(
            session,
            "cloudformation:CreateStack",
            desk.site.stack_name(),
            desk.stacks.create(new),
        )
        .await?;
    finish(follower, site.stack_name(), &id).await
}

async fn bring_up_to_date(
    session: &Session,
    desk: &Desk,
    found: StackDescription,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<StackDescription, Problem> {
    let site = &desk.site;
    let differences = whose::differences(&found.parameters, &site.marks, &[]);
    let template_differs = match desk.stacks.template(&found.id).await {
        Ok(text) => text != site.kind.text(),
        // Who may not read the template is not told that it differs.
        Err(problem) if problem.kind == Kind::Denied => false,
        Err(problem) => return Err(problem),
    };
    if differences.is_empty() && !template_differs {
        reporter.tell(Update::Note(nothing_to_do(&found))).await;
        return Ok(found);
    }
    follower.skip_past(&found.id).await?;
    consent(reporter, ask::update(site, &differences, template_differs)).await?;
    let new = new_stack(desk, role_arn)?;
    let updated = desk
        .ledgered(
            session,
            "cloudformation:UpdateStack",
            site.stack_name(),
            desk.stacks.update(new),
        )
        .await;
    match updated {
        Ok(_) => finish(follower, site.stack_name(), &found.id).await,
        // Texts that differ without a difference that counts: CloudFormation decides.
        Err(problem) if problem.why.contains("No updates are to be performed") => {
            reporter.tell(Update::Note(nothing_to_do(&found))).await;
            Ok(found)
        }
        Err(problem) => Err(problem),
    }
}

fn nothing_to_do(found: &StackDescription) -> String {
    format!(
        "already deployed {}: nothing to do",
        follow::changed(found).relative(follow::now())
    )
}

/// A stack that is somebody else's: its outputs are read after a yes; it is never changed.
async fn take_over(
    desk: &Desk,
    found: StackDescription,
    owner: &Owner,
    reporter: &Reporter<Update>,
) -> Result<StackDescription, Problem> {
    let differences = whose::differences(&found.parameters, &desk.site.marks, desk.site.identity());
    if !differences.is_empty() {
        return Err(not_ours(&found.name, owner, &differences));
    }
    consent(reporter, ask::adopt(&found.name, owner)).await?;
    Ok(found)
}

/// The stack of that name grants something else.
pub fn not_ours(stack: &str, owner: &Owner, differences: &[Difference]) -> Problem {
    let whose = match owner {
        Owner::Ours => "it was made for this record, but".to_owned(),
        Owner::Another { organization, record } => {
            format!("it belongs to {record} of organization {organization}:")
        }
        Owner::Unmarked => "it was not made by glueup:".to_owned(),
    };
    let list: Vec<String> = differences.iter().map(ToString::to_string).collect();
    Problem::new(
        Kind::CheckFailed,
        format!("the stack {stack} is not the one that this record asks for"),
        format!("{whose} {}", list.join("; ")),
        "give the record another name, or delete that stack if nobody needs it; glueup never changes it",
    )
}

/// Deletes a stack whose creation was undone, when it is ours and nothing is left in it, and creates it again.
async fn recreate(
    session: &Session,
    desk: &Desk,
    found: &StackDescription,
    owner: &Owner,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<StackDescription, Problem> {
    let cause = follower.cause(&found.id).await;
    let left = follow::left_in(&desk.stacks.events(&found.id).await?);
    let failure = follow::failed(&found.name, &found.status, cause.as_ref());
    if *owner != Owner::Ours {
        return Err(Problem::new(
            Kind::CheckFailed,
            &failure.what,
            format!("{}; the stack was not made for this record", failure.why),
            "give the record another name, or let its owner delete the stack",
        ));
    }
    if !left.is_empty() {
        return Err(Problem::new(
            Kind::CheckFailed,
            &failure.what,
            format!("{}; still there: {}", failure.why, left.join(", ")),
            "delete the stack in the CloudFormation console, then deploy again",
        ));
    }
    if reporter.ask(ask::recreate(&desk.site, cause.as_ref())).await == Answer::No {
        return Err(failure);
    }
    desk.delete(session, &desk.stacks, &found.id, role_arn).await?;
    follower.skip_past(&found.id).await?;
    if let Some(rest) = follower.until_rest(&found.id).await? {
        return Err(stuck(desk, &rest));
    }
    let new = new_stack(desk, role_arn)?;
    let id = desk
        .ledgered(
            session,
            "cloudformation:CreateStack",
            desk.site.stack_name(),
            desk.stacks.create(new),
        )
        .await?;
    finish(follower, desk.site.stack_name(), &id).await
}

/// Follows a stack to its end; anything but complete is a failure.
async fn finish(follower: &mut Follower<'_>, name: &str, id: &str) -> Result<StackDescription, Problem> {
    match follower.until_rest(id).await? {
        Some(stack) if State::of(&stack.status) == State::Complete => Ok(stack),
        Some(stack) => {
            let cause = follower.cause(&stack.id).await;
            Err(follow::failed(name, &stack.status, cause.as_ref()))
        }
        None => {
            let cause = follower.cause(id).await;
            Err(follow::failed(name, "deleted meanwhile", cause.as_ref()))
        }
    }
}

async fn consent(reporter: &Reporter<Update>, ask: Ask) -> Result<(), Problem> {
    match reporter.ask(ask).await {
        Answer::Yes => Ok(()),
        Answer::No => Err(Problem::new(
            Kind::Interrupted,
            "not deployed",
            "the question was not answered with yes; nothing has been changed",
            "deploy again when it is right",
        )),
    }
}

fn new_stack(desk: &Desk, role_arn: Option<&str>) -> Result<NewStack, Problem> {
    let site = &desk.site;
    Ok(NewStack {
        name: site.stack_name().to_owned(),
        template: Template::Body(site.kind.text().to_owned()),
        parameters: site.parameters(),
        tags: site.tags(),
        capability: site.capability.map(|c| c.as_str().to_owned()),
        role_arn: role_arn.map(ToOwned::to_owned),
        token: Some(desk.token()?),
    })
}
