//! What the jobs of the Deploy step tell, and where it goes when they end.

use crate::domain::problem::{Kind, Problem};
use crate::job::{Job, Outcome};
use crate::stack::{self, Request, Target};
use crate::tui::effect::{Effect, Slot};
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{Half, Model, Remote, StackWrite, Step};
use crate::tui::update::deploy::{begin, own_write, proceed, target, wizard};
use crate::tui::update::{deploy, home, overlay};

/// What the watching job tells, or the one that works on a stack: that may be another catalog's by now.
pub fn told(model: &mut Model, slot: Slot, update: stack::Update) {
    if slot == Slot::Write && !own_write(model) {
        if let stack::Update::Note(line) = update {
            model.say(line);
        }
        return;
    }
    let since = model.now.since_start;
    let Some(wizard) = wizard(model) else { return };
    let step = &mut wizard.deploy;
    // Whatever else is told, the next try has begun.
    step.again = match &update {
        stack::Update::Again { principal, seconds } => Some((principal.clone(), *seconds)),
        _ => None,
    };
    let at_work = |status: &Option<String>| status.as_ref().is_some_and(|s| s.ends_with("IN_PROGRESS"));
    match update {
        stack::Update::LookingIn { account, region, .. } => step.looking_in = Some((account, region)),
        stack::Update::NotThere => step.status = None,
        stack::Update::Note(line) => model.say(line),
        stack::Update::Again { .. } => {}
        stack::Update::Sight(_) => {}
        stack::Update::Status(status) => {
            let before = step.status.replace(status);
            if slot == Slot::Watch && at_work(&step.status) && !at_work(&before) {
                step.since = since;
            }
        }
        stack::Update::Event(event) => {
            if !step.events.iter().any(|e| e.id == event.id) {
                step.events.insert(0, event);
            }
        }
    }
}

/// The watching job has ended.
pub fn watched(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    match result {
        Ok(Outcome::Stack(stack::Outcome::Deployed(state))) => made(model, None, &state),
        Ok(_) => Vec::new(),
        Err(problem) if problem.kind == Kind::Interrupted => Vec::new(),
        Err(problem) => {
            failed(model, problem);
            Vec::new()
        }
    }
}

fn failed(model: &mut Model, problem: Problem) {
    let Some(wizard) = wizard(model) else { return };
    let before = wizard.deploy.failed_before.take();
    // Where all looks as it did, nothing seems to have been done at all.
    let again =
        before.is_some_and(|before| (before.what, before.why) == (problem.what.clone(), problem.why.clone()));
    wizard.deploy.problem = Some(problem);
    wizard.deploy.again = None;
    if again {
        let home = model.keymap.word(Context::Global, Action::Quit);
        let doctor = model.keymap.word(Context::Home, Action::Doctor);
        model.say(format!(
            "Tried again, and it fails as before. For the doctor: {home}, then {doctor}."
        ));
    }
}

/// A stack is made: that of `target`, else the one that was waited for.
fn made(model: &mut Model, target: Option<&Target>, state: &stack::StackState) -> Vec<Effect> {
    model.say(format!("The stack {} is made.", state.name));
    let Some(wizard) = wizard(model) else {
        return vec![home::reload(model)];
    };
    let next = match (target, wizard.deploy.half) {
        (Some(Target::Connection(_)), _) | (None, Half::Connection) => Half::Access,
        _ => Half::Done,
    };
    let mut effects = vec![home::reload(model)];
    if next == Half::Done {
        if let Some(wizard) = deploy::wizard(model) {
            wizard.deploy.half = Half::Done;
            wizard.deploy.problem = None;
        }
        effects.extend(proceed(model));
    } else {
        effects.extend(begin(model, next));
    }
    effects
}

/// A write on one of the two stacks has ended.
pub fn written(model: &mut Model, stack: &StackWrite, result: Result<Outcome, Problem>) -> Vec<Effect> {
    match result {
        Ok(Outcome::Stack(stack::Outcome::Deployed(state))) => made(model, Some(&stack.target), &state),
        Ok(Outcome::Stack(stack::Outcome::Deleted(names))) => gone(model, &stack.target, &names),
        Ok(Outcome::Stack(stack::Outcome::Found(search))) => {
            overlay::found(model, &search);
            if let Some(wizard) = wizard(model)
                && search.taken.is_some()
            {
                // What was looked at was the stack in the other region.
                wizard.deploy.preflight = Remote::Idle;
            }
            watch_again(model)
        }
        Ok(_) => vec![home::reload(model)],
        Err(problem) => {
            // Neither a no nor that nothing was there to be deleted says anything about the stack that is to be made.
            let unchanged =
                problem.kind == Kind::Interrupted || (stack.deletes && problem.kind == Kind::NotFound);
            if !unchanged {
                failed(model, problem);
                return Vec::new();
            }
            if problem.kind == Kind::NotFound {
                model.say_problem(&problem);
            }
            watch_again(model)
        }
    }
}

/// Whatever happens to the stack now, it is watched again; where its record goes by another one now, that is found made.
fn watch_again(model: &mut Model) -> Vec<Effect> {
    target(model)
        .map(|target| model.slots.run(Slot::Watch, Job::Stack(Request::Watch(target))))
        .into_iter()
        .collect()
}

/// A stack is deleted: it is to be made again before anything can be proven.
fn gone(model: &mut Model, target: &Target, names: &str) -> Vec<Effect> {
    model.say(format!("Deleted: {names}. The record stays."));
    let half = match target {
        Target::Connection(_) => Half::Connection,
        Target::Grant(_) => Half::Access,
    };
    let mut effects = vec![home::reload(model)];
    if let Some(wizard) = wizard(model) {
        wizard.changed(Step::Deploy);
        wizard.deploy.half = half;
    }
    effects.extend(begin(model, half));
    effects
}

/// It has been looked whether the caller can deploy here. Why it could not be looked at, the watching job tells too.
pub fn looked(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    let at = model.now.since_start;
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    match result {
        Ok(Outcome::Stack(stack::Outcome::Preflight(checks))) => wizard.deploy.preflight.ready(checks, at),
        Ok(_) => {}
        Err(problem) => wizard.deploy.preflight.fail(problem),
    }
    Vec::new()
}
