//! A question over the screen: keys, and where its answer goes.

use crate::registry::Holder;
use crate::report::Answer;
use crate::setup;
use crate::tui::effect::{Effect, Slot};
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{DialogFor, Model};
use crate::tui::update::{deploy, details, home, leave};
use crate::tui::view::dialog_end;
use crossterm::event::{KeyCode, KeyEvent};

/// A dialog that wants a text takes the typed keys itself; Enter, Esc and Tab stay the dialog's.
pub fn takes(model: &mut Model, event: KeyEvent) -> bool {
    let Some(dialog) = &mut model.dialog else {
        return false;
    };
    let Some(want) = &dialog.ask.type_to_confirm else {
        return false;
    };
    // Where there is a box to be ticked too, a blank is its key, unless the text to be typed has one here.
    let belongs = want.starts_with(&format!("{} ", dialog.typed.text()));
    if event.code == KeyCode::Char(' ') && dialog.ask.acknowledge.is_some() && !belongs {
        return false;
    }
    if matches!(
        event.code,
        KeyCode::Enter | KeyCode::Esc | KeyCode::Tab | KeyCode::BackTab | KeyCode::PageDown | KeyCode::PageUp
    ) {
        return false;
    }
    dialog.typed.key(event);
    dialog.yes_marked = dialog.may_say_yes();
    true
}

/// A key in a dialog.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let end = dialog_end(model);
    let Some(dialog) = &mut model.dialog else {
        return Vec::new();
    };
    let says_only = dialog.answers == DialogFor::Acknowledge;
    match action {
        Action::Toggle if dialog.ask.acknowledge.is_some() => {
            dialog.ticked = !dialog.ticked;
            dialog.yes_marked = dialog.may_say_yes();
        }
        Action::Toggle | Action::Next => dialog.yes_marked = !dialog.yes_marked && !says_only,
        Action::PageDown => dialog.scroll = dialog.scroll.saturating_add(3).min(end),
        Action::PageUp => dialog.scroll = dialog.scroll.saturating_sub(3),
        Action::No => return answered(model, Answer::No),
        // Who has begun to type means yes: what is still missing is said, and nothing typed is lost.
        Action::Accept if dialog.is_begun() => say_missing(model),
        Action::Accept if says_only || !dialog.yes_marked => return answered(model, Answer::No),
        Action::Yes | Action::Accept => {
            if says_only {
                return answered(model, Answer::No);
            }
            if dialog.may_say_yes() {
                return answered(model, Answer::Yes);
            }
            say_missing(model);
        }
        _ => {}
    }
    Vec::new()
}

/// Says what a yes still needs.
fn say_missing(model: &mut Model) {
    let Some(dialog) = &model.dialog else {
        return;
    };
    let line = match &dialog.ask.type_to_confirm {
        Some(text) if dialog.typed.text().trim() != text => format!("Type {text} to say yes."),
        _ => {
            let tick = model.keymap.word(Context::Dialog, Action::Toggle);
            format!("Tick the box first ({tick}).")
        }
    };
    model.say(line);
}

fn answered(model: &mut Model, answer: Answer) -> Vec<Effect> {
    let Some(dialog) = model.dialog.take() else {
        return Vec::new();
    };
    let yes = answer == Answer::Yes;
    match dialog.answers {
        DialogFor::Job(slot) => {
            if slot == Slot::Write {
                deploy::answered(model, yes);
            }
            vec![Effect::Answer(slot, answer)]
        }
        DialogFor::Quit if yes => {
            model.writing = None;
            leave(model)
        }
        DialogFor::Delete(holder) if yes => {
            let what = format!("deleting the {}'s record", holder.noun());
            let request = match holder {
                Holder::Catalog(name) => setup::Request::DeleteCatalog(name),
                Holder::Storage(name) => setup::Request::DeleteStorage(name),
            };
            home::deleted(model, request, &what)
        }
        DialogFor::DeleteConnection(name) if yes => home::deleted(
            model,
            setup::Request::DeleteConnection(name),
            "deleting the connection's record",
        ),
        DialogFor::WholeBucket if yes => details::wide_confirmed(model),
        _ => Vec::new(),
    }
}
