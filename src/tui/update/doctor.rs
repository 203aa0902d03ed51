//! The checks of this machine, as a text over the screen.

use crate::doctor::Request;
use crate::domain::finding::Finding;
use crate::domain::problem::Problem;
use crate::job::{Job, Outcome};
use crate::tui::effect::{Effect, Slot};
use crate::tui::model::Model;
use crate::tui::update::{checks, overlay};

const TITLE: &str = "doctor";

/// Opens the text at once, and starts the checks.
pub fn open(model: &mut Model) -> Effect {
    overlay::show(
        model,
        TITLE,
        "Looking at the way to AWS, the terminal and the records; it takes less than five seconds."
            .to_owned(),
        None,
    );
    let request = Request {
        terminal: model.surroundings.terminal.clone(),
        // The terminal's answer would go to whoever reads the keys.
        width: Finding::skipped(
            "while this screen reads the keys the terminal cannot be asked: glueup doctor does",
        ),
    };
    model.slots.run(Slot::Doctor, Job::Doctor(Box::new(request)))
}

/// The checks have been made. Whoever has closed the text meanwhile does not get it again.
pub fn ended(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    let Some(overlay) = model.overlay.as_mut().filter(|overlay| overlay.title == TITLE) else {
        return Vec::new();
    };
    overlay.body = match result {
        Ok(Outcome::Doctor(checks)) => checks::text(&checks, "Nothing is wrong with this machine."),
        Ok(_) => return Vec::new(),
        Err(problem) => format!("{problem}\n{}", problem.next),
    };
    Vec::new()
}
