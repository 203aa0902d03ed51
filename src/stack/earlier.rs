//! A stack of an earlier record of the same name: one that was deleted and added again while its stack stayed.
//!
//! Its marks name our organization and our record's name with an id that no record of this home has. A colleague's home
//! with the same organization leaves exactly the same marks, so nothing is done to it before a question has said so.

use crate::cloud::stacks::StackDescription;
use crate::domain::problem::{Kind, Problem};
use crate::report::{Ask, Reporter};
use crate::stack::carry::{UNTOUCHED, consent};
use crate::stack::desk::Desk;
use crate::stack::site::Site;
use crate::stack::state::State;
use crate::stack::whose::{self, Difference, RECORD};
use crate::stack::{Target, Update};

/// Settles whether this record takes the stack over; false where its state lets nobody work on it, whosever it is.
///
/// # Errors
/// `CheckFailed` when the external ID or the grant would change and `may_ask` is not set; `Interrupted` after a no.
pub async fn settle(
    desk: &Desk,
    found: &StackDescription,
    record: &str,
    may_ask: bool,
    reporter: &Reporter<Update>,
) -> Result<bool, Problem> {
    let site = &desk.site;
    match State::of(&found.status) {
        // Nothing is in it: nobody loses anything. That it is deleted and made again is asked in any case.
        State::CreateUndone => {
            reporter.tell(Update::Note(made_for(site, record))).await;
            return Ok(true);
        }
        State::Complete | State::UpdateUndone | State::Review => {}
        _ => return Ok(false),
    }
    // One in review has no parameters yet, and nobody uses what it would grant.
    let changes = match State::of(&found.status) {
        State::Review => Vec::new(),
        _ => changes(&whose::differences(&found.parameters, &site.marks, &[])),
    };
    if !changes.is_empty() && !may_ask {
        return Err(not_taken_over(site, record, &changes));
    }
    consent(reporter, take_over(site, record, &changes), UNTOUCHED).await?;
    // With --yes nobody has seen the question.
    let line = format!("{}: it is taken over", made_for(site, record));
    reporter.tell(Update::Note(line)).await;
    Ok(true)
}

/// What would change of what the stack does. The mark of the record says nothing about that.
fn changes(differences: &[Difference]) -> Vec<Difference> {
    let of_use = differences.iter().filter(|d| d.name != RECORD.1);
    of_use.cloned().collect()
}

/// The question. What CloudFormation makes of it is asked after that: its change set is not made before this yes.
fn take_over(site: &Site, record: &str, changes: &[Difference]) -> Ask {
    let mut will: Vec<String> = changes.iter().map(Difference::change).collect();
    will.extend(losses(changes));
    will.push(format!(
        "mark it as this record's, {}: nobody else can then deploy or delete it with glueup",
        site.marks.record
    ));
    Ask {
        title: format!(
            "{} in {} was made for an earlier record of that name, {record}, or for a colleague's. Take it over?",
            site.stack,
            site.place()
        ),
        will,
        will_not: vec!["change anything yet: CloudFormation's change set is shown first".to_owned()],
        yes: "Take it over".to_owned(),
        acknowledge: None,
        type_to_confirm: None,
    }
}

/// Who loses what by these changes.
fn losses(changes: &[Difference]) -> Option<String> {
    let id = changes.iter().find(|d| d.name == "ExternalId")?;
    let theirs = id.theirs.as_deref().filter(|theirs| !theirs.is_empty())?;
    Some(format!(
        "take the access from whoever uses its external ID {theirs}"
    ))
}

fn made_for(site: &Site, record: &str) -> String {
    format!(
        "the stack {} was made for an earlier record of that name, {record}",
        site.stack
    )
}

/// Why nobody can tell whose it is.
fn whose_it_may_be(site: &Site, changes: &[Difference]) -> String {
    let list: Vec<String> = changes.iter().map(ToString::to_string).collect();
    let mut why = format!(
        "no record here has that id: it was deleted here, or belongs to a colleague with the same organization {}",
        site.marks.organization
    );
    if !list.is_empty() {
        why = format!("{why}; {}", list.join("; "));
    }
    why
}

/// `--yes` alone does not take from anybody what they may be using.
fn not_taken_over(site: &Site, record: &str, changes: &[Difference]) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        made_for(site, record),
        whose_it_may_be(site, changes),
        format!(
            "to take it over: glueup deploy {}; to delete it: {}; else give the record another name",
            site.target.command_with("--take-over --yes"),
            site.target.delete_command()
        ),
    )
}

/// The stack that is waited for is there already, was made for an earlier record, and does something else.
pub fn found(site: &Site, record: &str, differences: &[Difference]) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        made_for(site, record),
        whose_it_may_be(site, differences),
        format!(
            "deploy from here takes it over, after a question (glueup deploy {}); or delete it first ({})",
            site.target.command(),
            site.target.delete_command()
        ),
    )
}

/// The stack that was waited for is there, was made for an earlier record, and does just what this one asks for.
pub fn used(site: &Site, record: &str) -> String {
    format!(
        "{}, and does what this one asks for: glueup deploy {} marks it as this one's",
        made_for(site, record),
        site.target.command()
    )
}

/// What the question before deleting such a stack says of it.
pub fn deleted(site: &Site, stack: &StackDescription, record: &str) -> Vec<String> {
    let mut lines = vec![format!(
        "{} was made for an earlier record of that name, {record}, or for a colleague's with the same organization {}",
        stack.name, site.marks.organization
    )];
    let of = |name: &str| stack.parameters.get(name).filter(|value| !value.is_empty());
    lines.extend(match site.target {
        Target::Connection(_) => {
            of("ExternalId").map(|id| format!("take the access from whoever uses its external ID {id}"))
        }
        Target::Grant(_) => of("RoleName").map(|role| format!("take what it grants from the role {role}")),
    });
    lines
}

/// `--yes` alone does not delete what may be a colleague's.
pub fn not_deleted(site: &Site, stack: &str, record: &str) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        format!("{stack} is not deleted: it was made for an earlier record of that name, {record}"),
        whose_it_may_be(site, &[]),
        format!(
            "if nobody needs it: {}",
            site.target.delete_command_with("--take-over --yes")
        ),
    )
}
