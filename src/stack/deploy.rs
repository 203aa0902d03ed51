//! Deploy from here: look first, say what will happen, ask, then create or update the stack and follow it to its end.
//!
//! What is done is what a change set says. A new stack's is known before: each resource of the template is added. So
//! nothing at all is written before the yes, and the change set is held against what was agreed to before it is
//! executed. What an update does to what is there (change it, or put another in its place) only CloudFormation knows:
//! its change set comes first, makes nothing, and is removed again after a no.

use crate::cloud::stacks::change_sets::Sort;
use crate::cloud::stacks::{NewStack, StackDescription, Template};
use crate::domain::problem::{Kind, Problem};
use crate::report::Reporter;
use crate::session::Session;
use crate::setup::{rules, trust};
use crate::stack::again::Again;
use crate::stack::carry::{Done, Failure, UNTOUCHED, agree, carry_out, consent, finish};
use crate::stack::change::{self, Change};
use crate::stack::change_set::{self, Planned, Ready};
use crate::stack::desk::Desk;
use crate::stack::follow::{self, Follower};
use crate::stack::site::Site;
use crate::stack::state::State;
use crate::stack::way_out::{self, Out};
use crate::stack::whose::{self, Owner};
use crate::stack::{
    Outcome, StackState, Target, Update, adopt, apart, ask, boundary, by_hand, delete, earlier, refusal,
    review, role_gone,
};

/// Creates the target's stack, or brings it to what the record says.
///
/// # Errors
/// `Denied` for who is no admin, `CheckFailed` for the wrong account, for a stack that is somebody else's or stuck, for
/// one of an earlier record when `take_over` does not let it be asked about, and for one that fails; `Interrupted` when
/// the question is answered with no.
pub async fn run(
    session: &Session,
    target: &Target,
    role_arn: Option<&str>,
    take_over: bool,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let site = Site::of(session, target)?;
    site.check_not_adopted()?;
    let mut desk = Desk::at(session, site, reporter).await?;
    desk.site.check_size(session)?;
    let stacks = desk.stacks.clone();
    let mut follower = Follower::new(&stacks, reporter, desk.pace());
    let made = match desk.stacks.describe(desk.site.stack_name()).await? {
        None => Box::pin(create(session, &desk, false, role_arn, reporter, &mut follower)).await,
        Some(found) => {
            Box::pin(onto(
                session,
                &mut desk,
                found,
                role_arn,
                take_over,
                reporter,
                &mut follower,
            ))
            .await
        }
    };
    let done = made.map_err(|problem| boundary::explained(&desk.site, problem))?;
    adopt::outputs(session, &desk, &done.stack, reporter).await?;
    delete::offer_left_overs(session, &desk, reporter, role_arn).await?;
    Ok(Outcome::Deployed(StackState {
        changes: done.changes,
        ..follow::told(&done.stack)
    }))
}

/// A stack of that name is there already.
async fn onto(
    session: &Session,
    desk: &mut Desk,
    found: StackDescription,
    role_arn: Option<&str>,
    take_over: bool,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<Done, Problem> {
    let mut found = found;
    if State::of(&found.status).moves() {
        reporter
            .tell(Update::Note(format!(
                "CloudFormation is at work on {} already",
                found.name
            )))
            .await;
        match follower.until_rest(&found.id).await? {
            None => return Box::pin(create(session, desk, false, role_arn, reporter, follower)).await,
            Some(rested) => found = rested,
        }
    }
    // Only now: while it was waited for, somebody may have taken it over.
    let mut owner = Box::pin(review::owner(&desk.stacks, &found, &desk.site.marks)).await?;
    if let Owner::Earlier { record } = &owner
        && Box::pin(earlier::settle(desk, &found, record, take_over, reporter)).await?
    {
        owner = Owner::Ours;
    }
    match State::of(&found.status) {
        State::Review if owner == Owner::Ours => {
            reporter
                .tell(Update::Note(format!(
                    "{} is REVIEW_IN_PROGRESS since an earlier run: nothing is in it yet",
                    found.name
                )))
                .await;
            follower.skip_past(&found.id).await?;
            Box::pin(create(session, desk, true, role_arn, reporter, follower)).await
        }
        State::Review => Err(review::not_ours(&found.name, &owner)),
        State::Complete | State::UpdateUndone if owner == Owner::Ours => {
            if let Some(site) = by_hand::settle(session, &desk.site, &found, reporter).await? {
                desk.site = site;
            }
            Box::pin(bring_up_to_date(
                session, desk, found, role_arn, reporter, follower,
            ))
            .await
        }
        State::Complete | State::UpdateUndone => use_as_it_is(desk, found, &owner, reporter).await,
        State::CreateUndone | State::Stuck if owner == Owner::Ours => {
            let way = way_out::take(session, desk, &found, role_arn, reporter, follower);
            match Box::pin(way).await? {
                Out::Gone(agreed) => {
                    Box::pin(make(session, desk, false, agreed, role_arn, reporter, follower)).await
                }
                Out::Undone(stack) => {
                    Box::pin(bring_up_to_date(
                        session, desk, *stack, role_arn, reporter, follower,
                    ))
                    .await
                }
            }
        }
        _ => Err(way_out::stuck(desk, &found, &owner)),
    }
}

/// Creates the stack. `reviewed`: it is there, ours, in review and with nothing in it.
async fn create(
    session: &Session,
    desk: &Desk,
    reviewed: bool,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<Done, Problem> {
    let connection = &desk.site.connection;
    let own = matches!(desk.site.target, Target::Connection(_)).then(|| trust::itself(connection));
    if let Some(principal) = own.flatten() {
        return Err(trust::own_role(connection, principal));
    }
    let agreed = change::of_new(&desk.site)?;
    consent(reporter, ask::create(&desk.site, &agreed), UNTOUCHED).await?;
    Box::pin(make(
        session, desk, reviewed, agreed, role_arn, reporter, follower,
    ))
    .await
}

/// Makes what was agreed to, again where IAM does not know yet whom the role is to trust.
async fn make(
    session: &Session,
    desk: &Desk,
    reviewed: bool,
    agreed: Vec<Change>,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<Done, Problem> {
    let mut again = Again::new(desk, reporter);
    let mut reviewed = reviewed;
    loop {
        let agreed = agreed.clone();
        let made = make_once(session, desk, reviewed, agreed, role_arn, reporter, follower);
        match Box::pin(made).await {
            Ok(done) => return Ok(done),
            Err(failure) => again.after_create(session, failure, follower).await?,
        }
        reviewed = false;
    }
}

/// Makes what was agreed to. If CloudFormation would do anything else, it is asked again.
async fn make_once(
    session: &Session,
    desk: &Desk,
    reviewed: bool,
    agreed: Vec<Change>,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<Done, Failure> {
    let new = new_stack(desk, role_arn)?;
    let ready = match Box::pin(change_set::plan(
        session,
        desk,
        Sort::Create,
        reviewed,
        new,
        reporter,
    ))
    .await?
    {
        Planned::Ready(ready) => ready,
        Planned::Unknown(problem) => {
            reporter.tell(Update::Note(without(&problem))).await;
            let work = desk.stacks.create(new_stack(desk, role_arn)?);
            let name = desk.site.stack_name();
            let id = desk
                .ledgered(session, "cloudformation:CreateStack", name, work)
                .await?;
            let stack = finish(follower, name, &id).await?;
            return Ok(Done {
                stack,
                changes: agreed,
            });
        }
        Planned::Same => {
            return Err(Problem::new(
                Kind::CheckFailed,
                format!("CloudFormation sees nothing to make in {}", desk.site.stack),
                "its change set of a new stack is empty",
                "deploy again; if it stays like this, look at the stack in the CloudFormation console",
            )
            .into());
        }
    };
    if ready.changes != agreed {
        let question = ask::differs(&desk.site, &ready.changes);
        Box::pin(agree(session, desk, &ready, question, reporter)).await?;
    }
    Box::pin(carry_out(session, desk, ready, None, follower)).await
}

async fn bring_up_to_date(
    session: &Session,
    desk: &Desk,
    found: StackDescription,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<Done, Problem> {
    let site = &desk.site;
    let differences = whose::differences(&found.parameters, &site.marks, &[]);
    let template_differs = match desk.stacks.template(&found.id).await {
        Ok(text) => text != site.kind.text(),
        // Who may not read the template is not told that it differs.
        Err(problem) if problem.kind == Kind::Denied => false,
        Err(problem) => return Err(problem),
    };
    if differences.is_empty() && !template_differs {
        return same(session, found, desk, reporter).await;
    }
    follower.skip_past(&found.id).await?;
    let new = new_stack(desk, role_arn)?;
    match Box::pin(change_set::plan(session, desk, Sort::Update, true, new, reporter)).await? {
        // Texts that differ without a difference that counts: CloudFormation decides.
        Planned::Same => same(session, found, desk, reporter).await,
        Planned::Ready(ready) => {
            let question = ask::update(site, Some(&ready.changes), &differences, template_differs);
            Box::pin(agree(session, desk, &ready, question, reporter)).await?;
            Box::pin(change_to(
                session, desk, ready, found, role_arn, reporter, follower,
            ))
            .await
        }
        Planned::Unknown(problem) => {
            reporter.tell(Update::Note(without(&problem))).await;
            let question = ask::update(site, None, &differences, template_differs);
            consent(reporter, question, UNTOUCHED).await?;
            let work = desk.stacks.update(new_stack(desk, role_arn)?);
            let updated = desk
                .ledgered(session, "cloudformation:UpdateStack", site.stack_name(), work)
                .await;
            match updated {
                Ok(_) => {
                    let stack = finish(follower, site.stack_name(), &found.id).await?;
                    let changes = Vec::new();
                    Ok(Done { stack, changes })
                }
                Err(problem) if problem.why.contains("No updates are to be performed") => {
                    same(session, found, desk, reporter).await
                }
                Err(problem) => Err(problem),
            }
        }
    }
}

/// Changes what was agreed to, again where IAM does not know yet whom the role is to trust.
async fn change_to(
    session: &Session,
    desk: &Desk,
    ready: Ready,
    found: StackDescription,
    role_arn: Option<&str>,
    reporter: &Reporter<Update>,
    follower: &mut Follower<'_>,
) -> Result<Done, Problem> {
    let agreed = ready.changes.clone();
    let (mut again, mut ready, mut found) = (Again::new(desk, reporter), ready, found);
    loop {
        match Box::pin(carry_out(session, desk, ready, Some(&found), follower)).await {
            Ok(done) => return Ok(done),
            Err(failure) => found = again.after_update(failure).await?,
        }
        let new = new_stack(desk, role_arn)?;
        ready = match Box::pin(change_set::plan(session, desk, Sort::Update, true, new, reporter)).await? {
            Planned::Ready(ready) => ready,
            Planned::Same => return same(session, found, desk, reporter).await,
            Planned::Unknown(problem) => return Err(problem),
        };
        if ready.changes != agreed {
            let question = ask::differs(&desk.site, &ready.changes);
            Box::pin(agree(session, desk, &ready, question, reporter)).await?;
        }
    }
}

/// The stack is what it should be, as far as CloudFormation knows.
async fn same(
    session: &Session,
    found: StackDescription,
    desk: &Desk,
    reporter: &Reporter<Update>,
) -> Result<Done, Problem> {
    Box::pin(role_gone::check(session, desk, &found)).await?;
    let note = apart::nothing_to_do(&found, &desk.site);
    reporter.tell(Update::Note(note)).await;
    Ok(Done {
        stack: found,
        changes: Vec::new(),
    })
}

/// What is said where an endpoint knows no change sets.
fn without(problem: &Problem) -> String {
    format!(
        "this endpoint knows no change sets ({}): what happens to each resource shows only while it happens",
        problem.why
    )
}

/// A stack that is somebody else's: its outputs are read after a yes; it is never changed.
async fn use_as_it_is(
    desk: &Desk,
    found: StackDescription,
    owner: &Owner,
    reporter: &Reporter<Update>,
) -> Result<Done, Problem> {
    let differences = whose::differences(&found.parameters, &desk.site.marks, desk.site.identity());
    if !differences.is_empty() {
        return Err(refusal::not_ours(&found.name, owner, &differences));
    }
    consent(reporter, ask::adopt(&found.name, owner), UNTOUCHED).await?;
    Ok(Done {
        stack: found,
        changes: Vec::new(),
    })
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
