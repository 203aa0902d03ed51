//! What happens next: a message in, the model changed, effects out. No I/O, no clock, no environment.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod browse;
mod checks;
mod command;
mod connection;
mod console;
mod deploy;
mod deployed;
mod details;
mod dialog;
mod doctor;
mod draft;
mod elsewhere;
mod home;
mod mouse;
mod overlay;
mod prompt;
mod rung;
mod sign_in;
mod stack_facts;
mod stacks;
mod verify;
mod wizard;
mod writing;

pub use command::command_lines;
pub use deploy::own_write;
pub use rung::next_step;
pub use stack_facts::{boundary, is_outdated, left_over, stack_names, stack_place};
pub use stacks::no_stack;
use writing::write;

use crate::job::{self, Outcome};
use crate::stack;
use crate::tui::effect::{Effect, Slot, Ticket};
use crate::tui::keymap::{Action, Context, Key};
use crate::tui::model::{Dialog, DialogFor, Model, Now, Remote, Screen, Step, Writing};
use crate::tui::msg::Msg;
use crossterm::event::KeyEvent;

/// Takes one message and says what is to be done.
pub fn update(model: &mut Model, now: Now, msg: Msg) -> Vec<Effect> {
    let mut effects = take(model, now, msg);
    // Whoever works on a stack, or waits for one, sees it better.
    let at_home = matches!(model.screen, Screen::Home) && model.writing.is_none();
    if !at_home && model.slots.is_running(Slot::Stacks) {
        effects.push(model.slots.cancel(Slot::Stacks));
    }
    effects
}

fn take(model: &mut Model, now: Now, msg: Msg) -> Vec<Effect> {
    model.now = now;
    if model
        .toast
        .as_ref()
        .is_some_and(|toast| toast.until <= now.since_start)
    {
        model.toast = None;
    }
    match msg {
        Msg::Started => started(model),
        Msg::Key(event) => {
            model.toast = None;
            key(model, event)
        }
        Msg::Paste(text) => paste(model, &text),
        Msg::Mouse(what, column, row) => mouse::take(model, what, column, row),
        Msg::Resize(columns, rows) => {
            model.size = (columns, rows);
            Vec::new()
        }
        Msg::Tick => tick(model),
        Msg::Job(ticket, event) => reply(model, ticket, event),
        Msg::Meter(reading) => {
            model.meter = reading;
            Vec::new()
        }
        Msg::CodeWanted(number, wanted) => {
            sign_in::code_wanted(model, number, wanted);
            Vec::new()
        }
        Msg::LoginWanted(profile) => {
            model.logged_out |= profile.is_some();
            model.login = profile;
            Vec::new()
        }
        Msg::LoggedIn(profile, ended) => sign_in::logged_in(model, &profile, ended),
        Msg::BrowserAsked(asked) => {
            console::asked(model, asked);
            Vec::new()
        }
        Msg::Said(sentence) => {
            model.say(sentence);
            Vec::new()
        }
        Msg::NoLog(why) => {
            model.no_log = Some(why);
            Vec::new()
        }
        Msg::Terminate => leave(model),
    }
}

fn started(model: &mut Model) -> Vec<Effect> {
    vec![home::reload(model), identify(model)]
}

fn identify(model: &mut Model) -> Effect {
    model.identity.load(model.now.since_start);
    model.slots.run(Slot::Identity, job::Job::Identity)
}

fn tick(model: &mut Model) -> Vec<Effect> {
    match model.screen {
        Screen::Browse(_) => browse::tick(model),
        Screen::Wizard(_) => draft::tick(model),
        Screen::Home => Vec::new(),
    }
}

/// The places in which a key is looked up, in this order.
pub fn contexts(model: &Model) -> Vec<Context> {
    if model.question().is_some() {
        return vec![Context::Code];
    }
    if model.dialog.is_some() {
        return vec![Context::Dialog];
    }
    if model.overlay.is_some() {
        return vec![Context::Overlay];
    }
    match &model.screen {
        Screen::Home => vec![Context::Home, Context::Global],
        Screen::Wizard(wizard) => match wizard.step {
            Step::Details => details::contexts(&wizard.details),
            Step::Connection if wizard.connection.form.is_some() => vec![Context::Field],
            Step::Connection => vec![Context::Connection, Context::Global],
            Step::Deploy if wizard.deploy.prompt.is_some() => vec![Context::Field],
            Step::Deploy => vec![Context::Deploy, Context::Global],
            Step::Verify => vec![Context::Verify, Context::Global],
        },
        Screen::Browse(browse) => browse::contexts(browse),
    }
}

fn key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    let pressed = Key::from(event);
    // Ctrl-C always works, whatever has the keys.
    if model.keymap.action(Context::Global, pressed) == Some(Action::QuitNow) {
        return leave(model);
    }
    // So does drawing anew: what has written over the screen does not wait for a convenient one.
    if model.keymap.action(Context::Global, pressed) == Some(Action::Redraw) {
        return vec![Effect::Redraw];
    }
    if sign_in::takes(model, event) || model.question().is_none() && dialog::takes(model, event) {
        return Vec::new();
    }
    let found = contexts(model)
        .into_iter()
        .find_map(|c| model.keymap.action(c, pressed).map(|a| (c, a)));
    if let Some((context, action)) = found {
        return act(model, context, action);
    }
    if model.overlay.is_some() && model.dialog.is_none() && model.question().is_none() {
        // Neither a key of the screen beneath nor a letter of its field: nobody sees it.
        overlay::other_key(model);
        return Vec::new();
    }
    elsewhere::told(model, pressed);
    typed(model, event);
    // In a text field, what nothing else took and is a control key still means what it means everywhere.
    if model.keymap.action(Context::Global, pressed) == Some(Action::Suspend) {
        return vec![Effect::Suspend];
    }
    Vec::new()
}

fn typed(model: &mut Model, event: KeyEvent) {
    match &model.screen {
        Screen::Wizard(wizard) => wizard::typed(model, wizard.step, event),
        Screen::Browse(_) => browse::typed(model, event),
        Screen::Home => {}
    }
}

fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let told = if sign_in::paste(model, text) {
        None
    } else if let Some(dialog) = &mut model.dialog {
        dialog
            .ask
            .type_to_confirm
            .is_some()
            .then(|| dialog.typed.paste(text))
            .flatten()
    } else if model.overlay.is_some() {
        // The field beneath is not seen: nothing goes in there.
        None
    } else {
        match &mut model.screen {
            Screen::Wizard(wizard) if wizard.step == Step::Details => details::paste(model, text),
            Screen::Wizard(wizard) if wizard.step == Step::Connection => connection::paste(model, text),
            Screen::Wizard(wizard) if wizard.step == Step::Deploy => prompt::paste(model, text),
            Screen::Browse(_) => browse::paste(model, text),
            _ => None,
        }
    };
    if let Some(told) = told {
        model.say(told);
    }
    Vec::new()
}

fn act(model: &mut Model, context: Context, action: Action) -> Vec<Effect> {
    match context {
        Context::Code => return sign_in::act(model, action),
        Context::Dialog => return dialog::act(model, action),
        Context::Overlay => return overlay::act(model, action),
        Context::Global => return global(model, action),
        // A text field has its own key for the help, since `?` is a letter there.
        _ if matches!(action, Action::Help | Action::SignIn | Action::Command) => {
            return global(model, action);
        }
        _ => {}
    }
    match &model.screen {
        Screen::Home => home::act(model, action),
        Screen::Wizard(_) => wizard::act(model, action),
        Screen::Browse(_) => browse::act(model, action),
    }
}

fn global(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Help => overlay::help(model),
        Action::Log => overlay::log(model),
        Action::Command => command::show(model),
        Action::Mouse => return mouse::turn(model),
        Action::Suspend => return vec![Effect::Suspend],
        Action::SignIn => return sign_in::login(model),
        Action::Quit if matches!(model.screen, Screen::Home) => return leave(model),
        Action::Quit => return go_home(model),
        Action::QuitNow => return leave(model),
        _ => {}
    }
    Vec::new()
}

/// Back to the home screen; what was typed is kept as a draft.
pub(in crate::tui) fn go_home(model: &mut Model) -> Vec<Effect> {
    let mut effects = draft::put_down(model);
    for slot in [
        Slot::Watch,
        Slot::Link,
        Slot::Preflight,
        Slot::Verify,
        Slot::Databases,
        Slot::Tables,
        Slot::Schema,
        Slot::Census,
        Slot::Advice,
    ] {
        if model.slots.is_running(slot) {
            effects.push(model.slots.cancel(slot));
        }
    }
    if let Screen::Browse(mut browse) = std::mem::replace(&mut model.screen, Screen::Home) {
        let record = model.records().and_then(|records| {
            let mut rows = records.catalogs.iter();
            rows.find(|row| row.catalog.name == browse.catalog)
                .map(|row| row.catalog.clone())
        });
        browse.put_down();
        let is_listed = matches!(browse.databases, Remote::Ready { .. }) && !browse.as_caller;
        model.left = record.filter(|_| is_listed).map(|record| (record, browse));
    }
    effects.push(home::reload(model));
    effects.extend(home::look(model));
    effects
}

/// Ends the program, or asks first when something is still being written.
fn leave(model: &mut Model) -> Vec<Effect> {
    // A job that waits for a yes has changed nothing yet. To ask over its question would lose that question.
    let may_leave =
        matches!(&model.dialog, Some(d) if matches!(d.answers, DialogFor::Quit | DialogFor::Job(_)));
    match &model.writing {
        Some(Writing { what, .. }) if !may_leave => {
            model.dialog = Some(Dialog::new(
                crate::report::Ask {
                    title: format!("Leave while glueup is at work: {what}?"),
                    will: vec!["leave to AWS what has begun there; the ledger says what was asked".into()],
                    will_not: Vec::new(),
                    yes: "leave".into(),
                    acknowledge: None,
                    type_to_confirm: None,
                },
                DialogFor::Quit,
            ));
            Vec::new()
        }
        _ => {
            let mut effects = draft::keep(model);
            effects.push(Effect::Quit);
            effects
        }
    }
}

/// A job spoke. Replies of an old generation are dropped here, and nowhere else.
fn reply(model: &mut Model, ticket: Ticket, event: job::Event) -> Vec<Effect> {
    if !model.slots.is_current(ticket) {
        return Vec::new();
    }
    match event {
        job::Event::Ask(ask) => {
            model.dialog = Some(Dialog::new(ask, DialogFor::Job(ticket.slot)));
            Vec::new()
        }
        job::Event::Update(update) => {
            match update {
                job::Update::Stack(stack::Update::Sight(sight)) => return home::seen(model, sight),
                job::Update::Stack(update) => deployed::told(model, ticket.slot, update),
                job::Update::Verify(update) => verify::told(model, update),
                job::Update::Browse(update) => {
                    let effects = browse::told(model, update);
                    overlay::refresh(model);
                    return effects;
                }
            }
            Vec::new()
        }
        job::Event::Done(result) => {
            model.slots.ended(ticket.slot);
            done(model, ticket.slot, result)
        }
    }
}

fn done(
    model: &mut Model,
    slot: Slot,
    result: Result<Outcome, crate::domain::problem::Problem>,
) -> Vec<Effect> {
    if let Err(problem) = &result {
        model.note(problem.told());
    }
    match slot {
        Slot::Identity => {
            let at = model.now.since_start;
            match result {
                Ok(Outcome::Identity(identity)) => {
                    model.identity.ready(identity, at);
                    // Who we are decides what we may do: read the records again with that.
                    let mut effects = vec![home::reload(model)];
                    effects.extend(home::look(model));
                    effects.extend(sign_in::retry(model));
                    return effects;
                }
                Ok(_) => {}
                Err(problem) => model.identity.fail(problem),
            }
            Vec::new()
        }
        Slot::Overview => home::loaded(model, result),
        // What it saw it has told; that it could not look is no news for a row.
        Slot::Stacks => Vec::new(),
        Slot::Advice => details::advised(model, result),
        Slot::Link => console::linked(model, result),
        Slot::Preflight => deployed::looked(model, result),
        Slot::Template => console::saved(model, result),
        Slot::Watch => deployed::watched(model, result),
        Slot::Verify => verify::ended(model, result),
        Slot::Databases | Slot::Tables | Slot::Schema | Slot::Census => {
            let effects = browse::ended(model, slot, result);
            overlay::refresh(model);
            effects
        }
        Slot::Doctor => doctor::ended(model, result),
        Slot::Draft => draft::kept(model, result),
        Slot::Bookmarks => browse::marked(model, result),
        Slot::Write => {
            let stack = model.writing.take().and_then(|writing| writing.stack);
            writing::ended(model, stack.as_ref(), result)
        }
    }
}
