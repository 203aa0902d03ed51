//! Step 3: the two stacks, each made in the browser, from a downloaded template, or from here.

use crate::domain::names::ConnectionName;
use crate::job::Job;
use crate::registry::{Connection, Grant, Holder};
use crate::stack::{Request, Target};
use crate::tui::effect::{Effect, Slot};
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{DeployStep, Half, Model, PromptFor, Remote, Screen, StackWrite, Step, Wizard};
use crate::tui::update::{console, overlay, prompt, stacks, verify};

/// The wizard, while it is on the screen.
pub fn wizard(model: &mut Model) -> Option<&mut Wizard> {
    match &mut model.screen {
        Screen::Wizard(wizard) => Some(wizard),
        _ => None,
    }
}

/// What the wizard's catalog or storage integration asks for by its record, and its connection, as far as they have been
/// read.
pub fn records(model: &Model) -> Option<(Grant, &Connection)> {
    let Screen::Wizard(wizard) = &model.screen else {
        return None;
    };
    let records = model.records()?;
    let grant = records.grant(wizard.recorded.as_ref()?)?.grant;
    let mut rows = records.connections.iter();
    let serving = rows.find(|row| row.connection.name == grant.connection)?;
    Some((grant, &serving.connection))
}

/// Which stack is to be made now.
pub(super) fn half(grant: &Grant, connection: &Connection) -> Half {
    if connection.role_arn.is_none() {
        Half::Connection
    } else if grant.deployed || connection.adopted {
        Half::Done
    } else {
        Half::Access
    }
}

/// The step is entered with what was just recorded.
pub fn enter(model: &mut Model, grant: &Grant) -> Vec<Effect> {
    let connection = model
        .records()
        .and_then(|r| {
            r.connections
                .iter()
                .find(|row| row.connection.name == grant.connection)
        })
        .map(|row| row.connection.clone());
    let which = connection.map_or(Half::Connection, |connection| half(grant, &connection));
    if let Some(wizard) = wizard(model) {
        wizard.deploy.serving = Some(grant.connection.clone());
        // What was looked at was another record.
        wizard.deploy.preflight = Remote::Idle;
    }
    let mut effects = begin(model, which);
    if which == Half::Done {
        // An adopted role waits for no stack.
        effects.extend(proceed(model));
    }
    effects
}

/// Starts with one half: its link is made, and the stack is watched for, whoever makes it.
pub fn begin(model: &mut Model, half: Half) -> Vec<Effect> {
    let since = model.now.since_start;
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    wizard.deploy = DeployStep {
        half,
        serving: wizard.deploy.serving.take(),
        // One look is for both stacks.
        preflight: std::mem::replace(&mut wizard.deploy.preflight, Remote::Idle),
        role_arn: wizard.deploy.role_arn.take(),
        prompt: wizard.deploy.prompt.take(),
        since,
        ..DeployStep::default()
    };
    let Some(target) = target(model) else {
        return Vec::new();
    };
    if let Some(wizard) = self::wizard(model) {
        wizard.deploy.link.load(since);
    }
    let mut effects = vec![
        model
            .slots
            .run(Slot::Link, Job::Stack(Request::Link(target.clone()))),
        model.slots.run(Slot::Watch, Job::Stack(Request::Watch(target))),
    ];
    effects.extend(preflight(model));
    effects
}

/// Looks whether the caller can deploy here, unless that is known already.
pub(super) fn preflight(model: &mut Model) -> Option<Effect> {
    let since = model.now.since_start;
    let wizard = wizard(model)?;
    let holder = wizard.recorded.clone()?;
    if wizard.deploy.preflight != Remote::Idle {
        return None;
    }
    wizard.deploy.preflight.load(since);
    let request = Request::Preflight {
        target: Target::Grant(holder),
        role_arn: wizard.deploy.role_arn.as_ref().map(ToString::to_string),
    };
    Some(model.slots.run(Slot::Preflight, Job::Stack(request)))
}

/// Whose stack is to be made now; `None` when both are made, or the records are not there yet.
pub(super) fn target(model: &Model) -> Option<Target> {
    let Screen::Wizard(wizard) = &model.screen else {
        return None;
    };
    let holder = wizard.recorded.clone()?;
    match wizard.deploy.half {
        Half::Access => Some(Target::Grant(holder)),
        Half::Connection => serving(model).map(Target::Connection),
        Half::Done => None,
    }
}

/// The stack that grants access, made or not.
fn made(model: &Model) -> Option<Target> {
    let Screen::Wizard(wizard) = &model.screen else {
        return None;
    };
    wizard.recorded.clone().map(Target::Grant)
}

/// The connection that serves what the wizard is about: the one that it was given last.
pub fn serving(model: &Model) -> Option<ConnectionName> {
    let Screen::Wizard(wizard) = &model.screen else {
        return None;
    };
    let recorded = records(model).map(|(_, connection)| connection.name.clone());
    let name = wizard.deploy.serving.clone().or(recorded);
    name.or(wizard.connection.selected.clone())
}

/// Whether a stack is one of the two that this wizard is about.
pub fn is_own(model: &Model, target: &Target) -> bool {
    let Screen::Wizard(wizard) = &model.screen else {
        return false;
    };
    match target {
        Target::Grant(holder) => wizard.recorded.as_ref() == Some(holder),
        Target::Connection(name) => serving(model).as_ref() == Some(name),
    }
}

/// Whether a write is under way on one of the two stacks that this wizard is about.
pub fn own_write(model: &Model) -> bool {
    let writing = model.writing.as_ref();
    let stack = writing.and_then(|writing| writing.stack.as_ref());
    stack.is_some_and(|stack| is_own(model, &stack.target))
}

/// Nobody waits for this step any more.
fn leave(model: &mut Model) -> Vec<Effect> {
    if let Some(wizard) = wizard(model)
        && matches!(wizard.deploy.preflight, Remote::Loading { .. })
    {
        // Else it would look as if it were still looked at.
        wizard.deploy.preflight = Remote::Idle;
    }
    [Slot::Watch, Slot::Link, Slot::Preflight]
        .map(|slot| model.slots.cancel(slot))
        .to_vec()
}

/// The records have been read again: a stack that somebody else has made moves the step on.
pub fn records_changed(model: &mut Model) -> Vec<Effect> {
    let Some((grant, connection)) = records(model) else {
        return Vec::new();
    };
    let now = half(&grant, connection);
    let Screen::Wizard(wizard) = &model.screen else {
        return Vec::new();
    };
    let idle = wizard.deploy.link == Remote::Idle && wizard.deploy.half != Half::Done;
    if wizard.step != Step::Deploy || (wizard.deploy.half == now && !idle) {
        return Vec::new();
    }
    begin(model, now)
}

/// A key of this step.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if wizard(model).is_some_and(|wizard| wizard.deploy.prompt.is_some()) {
        return prompt::act(model, action);
    }
    match action {
        Action::ServiceRole => {
            prompt::open(model, PromptFor::ServiceRole);
            Vec::new()
        }
        Action::Boundary => {
            prompt::open(model, PromptFor::Boundary);
            Vec::new()
        }
        Action::DeployHere => deploy_here(model),
        Action::DeleteStack => delete_stack(model),
        Action::Elsewhere => find(model),
        Action::OpenBrowser => console::open(model),
        Action::Template => match target(model) {
            Some(target) => {
                vec![
                    model
                        .slots
                        .run(Slot::Template, Job::Stack(Request::Save(target, None))),
                ]
            }
            None => console::made_already(model),
        },
        Action::Zoom => {
            overlay::link(model);
            Vec::new()
        }
        Action::Policy => {
            overlay::policy(model);
            Vec::new()
        }
        Action::Checks => {
            overlay::preflight(model);
            Vec::new()
        }
        Action::Copy => match console::link(model) {
            Some(url) => vec![Effect::Copy(url)],
            None => Vec::new(),
        },
        Action::Refresh => {
            let Screen::Wizard(wizard) = &model.screen else {
                return Vec::new();
            };
            let half = wizard.deploy.half;
            if let Some(wizard) = self::wizard(model) {
                wizard.deploy.preflight = Remote::Idle;
            }
            begin(model, half)
        }
        Action::Down | Action::Up => {
            if let Some(wizard) = wizard(model) {
                let last = wizard.deploy.events.len().saturating_sub(1);
                let by = if action == Action::Down { 1 } else { -1 };
                wizard.deploy.scroll = wizard.deploy.scroll.saturating_add_signed(by).min(last);
            }
            Vec::new()
        }
        Action::Continue => proceed(model),
        Action::Back => {
            if let Some(wizard) = wizard(model) {
                wizard.step = Step::Connection;
            }
            leave(model)
        }
        _ => Vec::new(),
    }
}

fn deploy_here(model: &mut Model) -> Vec<Effect> {
    if let Some(refusal) = model.refusal() {
        model.say(format!("Not deployed: {refusal}."));
        return Vec::new();
    }
    // When both are made, the second is brought to what its record says: it may have been changed since.
    let adopted = records(model).is_some_and(|(_, connection)| connection.adopted);
    let Some(target) = target(model).or(made(model).filter(|_| !adopted)) else {
        return console::made_already(model);
    };
    let named = wizard(model).and_then(|wizard| wizard.deploy.role_arn.as_ref());
    let request = Request::Deploy {
        target: target.clone(),
        role_arn: named.map(ToString::to_string),
        take_over: true,
    };
    let what = format!("deploying the stack of {}", target.name());
    let stack = StackWrite {
        target,
        deletes: false,
    };
    let effects = stacks::begin(model, &what, stack, request);
    at_work(model, effects)
}

/// Looks for the stack in every region: somebody may have launched it in another one.
fn find(model: &mut Model) -> Vec<Effect> {
    let Some(target) = target(model) else {
        return console::made_already(model);
    };
    let what = format!("looking for the stack of {} in all regions", target.name());
    let request = Request::Find {
        target: target.clone(),
        take: model.refusal().is_none(),
    };
    let stack = StackWrite {
        target,
        deletes: false,
    };
    let effects = stacks::begin(model, &what, stack, request);
    at_work(model, effects)
}

/// The stack of this half, or that of the access when both are made, goes; the record stays.
fn delete_stack(model: &mut Model) -> Vec<Effect> {
    if let Some(refusal) = model.refusal() {
        model.say(format!("Not deleted: {refusal}."));
        return Vec::new();
    }
    let Some(target) = target(model).or(made(model)) else {
        return Vec::new();
    };
    let effects = stacks::delete(model, target);
    at_work(model, effects)
}

/// A write on the stack begins: what it tells takes the place of what the watching job told.
fn at_work(model: &mut Model, mut effects: Vec<Effect>) -> Vec<Effect> {
    if !effects.is_empty() {
        // It streams the same events; two of them would only call twice.
        effects.push(model.slots.cancel(Slot::Watch));
        let since = model.now.since_start;
        if let Some(wizard) = wizard(model) {
            wizard.deploy.since = since;
            wizard.deploy.failed_before = wizard.deploy.problem.take();
        }
    }
    effects
}

/// A question of the job that works on a stack was answered.
pub(super) fn answered(model: &mut Model, yes: bool) {
    let since = model.now.since_start;
    let Some(wizard) = wizard(model) else { return };
    if yes {
        // The work begins now: nobody worked while the question stood open.
        wizard.deploy.since = since;
    } else {
        // A no is no failure, so what is told next is none again.
        wizard.deploy.failed_before = None;
    }
}

/// On to Verify, once both stacks are made.
pub(super) fn proceed(model: &mut Model) -> Vec<Effect> {
    let Some(wizard) = wizard(model) else {
        return Vec::new();
    };
    if wizard.deploy.half != Half::Done {
        let key = |action| model.keymap.word(Context::Deploy, action);
        let (here, console) = (key(Action::DeployHere), key(Action::OpenBrowser));
        model.say(format!(
            "The stacks come first: {here} deploys from here, {console} opens the console."
        ));
        return Vec::new();
    }
    let Some(holder) = wizard.recorded.clone() else {
        return Vec::new();
    };
    go_verify(model, holder)
}

fn go_verify(model: &mut Model, holder: Holder) -> Vec<Effect> {
    if let Some(wizard) = wizard(model) {
        wizard.go(Step::Verify);
    }
    let mut effects = leave(model);
    effects.extend(verify::climb(model, holder));
    effects
}
