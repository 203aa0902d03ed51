//! The two ways past us, of the Deploy step: the link to the AWS console, and the template as a file.

use crate::domain::problem::Problem;
use crate::job::Outcome;
use crate::stack;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{Half, Model, Screen};
use crate::tui::update::{deploy::wizard, overlay};

/// The whole link, once it has come.
pub fn link(model: &Model) -> Option<String> {
    match &model.screen {
        Screen::Wizard(wizard) => wizard.deploy.link.value().map(|link| link.leads_to().to_owned()),
        _ => None,
    }
}

/// Asks a browser to open the link; where there is none, shows it.
pub fn open(model: &mut Model) -> Vec<Effect> {
    if let Some(refusal) = model.refusal() {
        model.say(format!("Not opened: {refusal}."));
        return Vec::new();
    }
    let Some(url) = link(model) else {
        let Screen::Wizard(wizard) = &model.screen else {
            return Vec::new();
        };
        if wizard.deploy.half == Half::Done {
            return made_already(model);
        }
        let line = match wizard.deploy.link.problem() {
            Some(problem) => format!("{} {}", problem.what, problem.next),
            None => "The link is not there yet.".to_owned(),
        };
        model.say(line);
        return Vec::new();
    };
    if let Some(why) = model.surroundings.no_browser.clone() {
        overlay::link(model);
        let copy = model.keymap.word(Context::Overlay, Action::Copy);
        model.say(format!(
            "{why}: copy the link ({copy}) and open it where a browser is."
        ));
        return Vec::new();
    }
    vec![Effect::OpenBrowser(url)]
}

/// There is nothing left to make.
pub fn made_already(model: &mut Model) -> Vec<Effect> {
    let on = model.keymap.word(Context::Deploy, Action::Continue);
    model.say(format!("Both stacks are made: {on} goes on to Verify."));
    Vec::new()
}

/// The link has come, or why there is none.
pub fn linked(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    let at = model.now.since_start;
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    match result {
        Ok(Outcome::Stack(stack::Outcome::Link(link))) => wizard.deploy.link.ready(Box::new(link), at),
        Ok(_) => {}
        Err(problem) => wizard.deploy.link.fail(problem),
    }
    Vec::new()
}

/// The template has been written.
pub fn saved(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    match result {
        Ok(Outcome::Stack(stack::Outcome::Saved(path))) => {
            model.say(format!("Template and parameters written to {}.", path.display()));
        }
        Ok(_) => {}
        Err(problem) => model.say_problem(&problem),
    }
    Vec::new()
}

/// The system was asked to open a link, or could not be.
pub(super) fn asked(model: &mut Model, asked: Result<String, String>) {
    let key = |action| model.keymap.word(Context::Deploy, action);
    let (whole, copy) = (key(Action::Zoom), key(Action::Copy));
    model.say(match asked {
        Ok(name) => format!("Asked {name} to open the link. It also stands here: {whole} shows it whole."),
        Err(why) => format!("No browser could be asked: {why}. {whole} shows the link, {copy} copies it."),
    });
}
