//! The one write that may be under way: how it starts, and who takes its end.

use crate::domain::problem::Problem;
use crate::job::{Job, Outcome};
use crate::tui::effect::{Effect, Slot};
use crate::tui::model::{Model, Screen, StackWrite, Writing};
use crate::tui::update::{connection, deploy, deployed, home, stacks};

/// A write has ended: what the screen is about decides what it means there.
pub fn ended(model: &mut Model, stack: Option<&StackWrite>, result: Result<Outcome, Problem>) -> Vec<Effect> {
    match (&model.screen, stack) {
        (Screen::Wizard(_), Some(stack)) if deploy::is_own(model, &stack.target) => {
            deployed::written(model, stack, result)
        }
        (_, Some(_)) => stacks::ended(model, result),
        (Screen::Wizard(_), None) => connection::written(model, result),
        (_, None) => home::written(model, result),
    }
}

/// Runs a writing job on the records; one at a time.
pub fn write(model: &mut Model, what: &str, job: Job) -> Vec<Effect> {
    let writing = Writing {
        what: what.to_owned(),
        stack: None,
    };
    start(model, writing, job)
}

/// Runs a writing job; one at a time.
pub fn start(model: &mut Model, writing: Writing, job: Job) -> Vec<Effect> {
    if let Some(already) = &model.writing {
        let line = format!("One thing at a time: {} is still under way.", already.what);
        model.say(line);
        return Vec::new();
    }
    model.writing = Some(writing);
    vec![model.slots.run(Slot::Write, job)]
}
