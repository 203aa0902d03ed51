//! Step 4: the ladder, rung by rung.

use crate::domain::problem::{Kind, Problem};
use crate::job::{Job, Outcome};
use crate::registry::{Grant, Holder};
use crate::tui::effect::{Effect, Slot};
use crate::tui::keymap::Action;
use crate::tui::model::{Model, RungState, RungView, Screen, Step, VerifyStep, Wizard};
use crate::tui::update::{browse, draft, home, rung};
use crate::verify;

fn wizard(model: &mut Model) -> Option<&mut Wizard> {
    match &mut model.screen {
        Screen::Wizard(wizard) => Some(wizard),
        _ => None,
    }
}

/// Climbs a ladder.
pub fn climb(model: &mut Model, holder: Holder) -> Vec<Effect> {
    if let Some(wizard) = wizard(model) {
        wizard.verify = VerifyStep::default();
        wizard.stale_from = None;
    }
    vec![
        model
            .slots
            .run(Slot::Verify, Job::Verify(verify::Request::Grant(holder))),
    ]
}

/// What the ladder tells.
pub fn told(model: &mut Model, update: verify::Update) {
    if let verify::Update::NotKept(problem) = &update {
        model.say_problem(problem);
    }
    let since = model.now.since_start;
    let Some(wizard) = wizard(model) else { return };
    let step = &mut wizard.verify;
    match update {
        verify::Update::Planned(ids) => {
            step.rungs = ids
                .into_iter()
                .map(|id| RungView {
                    id,
                    state: RungState::Waiting,
                })
                .collect();
        }
        verify::Update::Started(id) => set(step, id, RungState::Running(since)),
        verify::Update::Spreading { rung, seconds, open } => {
            let next = since.saturating_add(std::time::Duration::from_secs(seconds));
            set(step, rung, RungState::Spreading { next, open });
        }
        verify::Update::Finished(rung) => set(step, rung.id, RungState::Done(Box::new(rung))),
        verify::Update::NotKept(_) => {}
    }
}

fn set(step: &mut VerifyStep, id: verify::RungId, state: RungState) {
    let Some(at) = step.rungs.iter().position(|rung| rung.id == id) else {
        step.rungs.push(RungView { id, state });
        return;
    };
    if let Some(rung) = step.rungs.get_mut(at) {
        rung.state = state;
    }
    if !step.moved {
        // One may end after the next has begun: the pointer is where the work is.
        let at_work =
            |rung: &RungView| matches!(rung.state, RungState::Running(_) | RungState::Spreading { .. });
        step.selected = step.rungs.iter().position(at_work).unwrap_or(at);
    }
}

/// The ladder has ended.
pub fn ended(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    match result {
        Ok(Outcome::Verify(report)) => {
            let step = &mut wizard.verify;
            step.rungs = report
                .rungs
                .iter()
                .map(|rung| RungView {
                    id: rung.id,
                    state: RungState::Done(Box::new(rung.clone())),
                })
                .collect();
            if !step.moved {
                let first = |status| report.rungs.iter().position(|rung| rung.status == status);
                step.selected = first(verify::Status::Failed)
                    .or_else(|| first(verify::Status::Warning))
                    .unwrap_or(step.rungs.len().saturating_sub(1));
            }
            step.report = Some(report);
        }
        Ok(_) => {}
        Err(problem) if problem.kind == Kind::Interrupted => {}
        Err(problem) => wizard.verify.problem = Some(problem),
    }
    let mut effects = draft::keep(model);
    effects.push(home::reload(model));
    effects
}

/// A key of this step.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    let recorded = wizard.recorded.clone();
    let step = &mut wizard.verify;
    let last = step.rungs.len().saturating_sub(1);
    match action {
        Action::Down => select(step, step.selected.saturating_add(1).min(last)),
        Action::Up => select(step, step.selected.saturating_sub(1)),
        Action::Top => select(step, 0),
        Action::Bottom => select(step, last),
        Action::Again => return recorded.map(|holder| climb(model, holder)).unwrap_or_default(),
        Action::Hurry => return vec![Effect::Hurry(Slot::Verify)],
        Action::Stop => {
            stopped(step);
            return vec![model.slots.cancel(Slot::Verify)];
        }
        Action::Zoom => rung::whole(model),
        Action::CopyNext => {
            if let Some(commands) = rung::next_step(model) {
                return vec![Effect::Copy(commands)];
            }
            model.say("No command is printed at this rung.");
        }
        Action::Copy => {
            return rung::report_text(model).map(Effect::Copy).into_iter().collect();
        }
        Action::Browse => {
            let row = model.records().and_then(|records| {
                let mut rows = records.catalogs.iter();
                rows.find(|row| Some(&Grant::from(&row.catalog).holder) == recorded.as_ref())
            });
            return row
                .cloned()
                .map(|row| browse::open(model, row))
                .unwrap_or_default();
        }
        Action::Back => {
            stopped(step);
            wizard.step = Step::Deploy;
            return vec![model.slots.cancel(Slot::Verify)];
        }
        _ => {}
    }
    Vec::new()
}

/// Nobody is at the rung any more that was under way.
fn stopped(step: &mut VerifyStep) {
    for rung in &mut step.rungs {
        if matches!(rung.state, RungState::Running(_) | RungState::Spreading { .. }) {
            rung.state = RungState::Waiting;
        }
    }
}

fn select(step: &mut VerifyStep, to: usize) {
    step.selected = to;
    step.moved = true;
}
