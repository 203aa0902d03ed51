//! Stacks as keys work on them: which of them can be deleted, and whose a write is that is under way.

use crate::domain::problem::{Kind, Problem};
use crate::job::{Job, Outcome};
use crate::registry::{Grant, Holder};
use crate::setup::connection::made;
use crate::stack::{self, Request, Target};
use crate::tui::effect::Effect;
use crate::tui::model::{HomeRow, Model, Screen, StackWrite, Writing};
use crate::tui::update::{command, home, overlay, writing};

/// Why the stack of the row under the pointer cannot be deleted; `None` where it can.
pub fn no_stack(model: &Model) -> Option<String> {
    if let Some(refusal) = model.refusal() {
        return Some(refusal);
    }
    let (name, is_made, is_adopted, target) = match model.home_row()? {
        HomeRow::Catalog(row) => of_grant(model, &Grant::from(&row.catalog)),
        HomeRow::Storage(row) => of_grant(model, &Grant::from(&row.storage)),
        HomeRow::Connection(row) => {
            let connection = &row.connection;
            let is_made = made(connection) || connection.stack_id.is_some();
            let target = Target::Connection(connection.name.clone());
            (connection.name.to_string(), is_made, connection.adopted, target)
        }
    };
    match (is_made, is_adopted) {
        (true, _) => None,
        (false, true) => Some(format!("{name} uses a role that was there before, and has none")),
        // AWS may know better than the records: the verb looks there, and so does X in Deploy.
        (false, false) if model.surroundings.demo => Some(format!("none of {name} is on record")),
        (false, false) => Some(format!(
            "none of {name} is on record; {} looks in AWS",
            command::reaching(model, &target.delete_command())
        )),
    }
}

/// The name of a grant, whether its stack is on record, whether its connection's role was there before, and its target.
fn of_grant(model: &Model, grant: &Grant) -> (String, bool, bool, Target) {
    let serving = model.records().and_then(|records| {
        let mut rows = records.connections.iter();
        rows.find(|row| row.connection.name == grant.connection)
    });
    let is_adopted = serving.is_some_and(|row| row.connection.adopted);
    let target = Target::Grant(grant.holder.clone());
    (grant.holder.to_string(), grant.is_made(), is_adopted, target)
}

/// Deletes the stack of the row under the pointer: looks at it, then asks.
pub fn delete_of_row(model: &mut Model) -> Vec<Effect> {
    if let Some(why) = no_stack(model) {
        model.say(format!("No stack is deleted: {why}."));
        return Vec::new();
    }
    let target = match model.home_row() {
        Some(HomeRow::Catalog(row)) => Target::Grant(Holder::Catalog(row.catalog.name.clone())),
        Some(HomeRow::Storage(row)) => Target::Grant(Holder::Storage(row.storage.name.clone())),
        Some(HomeRow::Connection(row)) => Target::Connection(row.connection.name.clone()),
        None => return Vec::new(),
    };
    delete(model, target)
}

/// Deletes a stack. The job asks before it does, and says there when the stack may be a colleague's.
pub fn delete(model: &mut Model, target: Target) -> Vec<Effect> {
    let what = format!("deleting the stack of {}", target.name());
    let request = Request::Delete {
        target: target.clone(),
        take_over: true,
        retain: true,
    };
    begin(
        model,
        &what,
        StackWrite {
            target,
            deletes: true,
        },
        request,
    )
}

/// Starts a write on a stack, and keeps in mind which one it is.
pub fn begin(model: &mut Model, what: &str, stack: StackWrite, request: Request) -> Vec<Effect> {
    let work = Writing {
        what: what.to_owned(),
        stack: Some(stack),
    };
    writing::start(model, work, Job::Stack(request))
}

/// A write on a stack has ended on a screen that is not about it.
pub fn ended(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    match result {
        Ok(Outcome::Stack(stack::Outcome::Deployed(state))) => {
            model.say(format!("The stack {} is made.", state.name));
        }
        Ok(Outcome::Stack(stack::Outcome::Deleted(names))) => {
            model.say(format!("Deleted: {names}. The record stays."));
        }
        Ok(_) => {}
        // A line at the foot has no room for the way out.
        Err(problem)
            if problem.kind != Kind::Interrupted
                && matches!(model.screen, Screen::Home)
                && model.overlay.is_none()
                && model.dialog.is_none() =>
        {
            overlay::problem(model, "not done", &problem);
        }
        Err(problem) => model.say_problem(&problem),
    }
    if matches!(model.screen, Screen::Browse(_)) {
        return Vec::new();
    }
    vec![home::reload(model)]
}
