//! A key that works on another screen: where, instead of silence.

use crate::tui::keymap::{Action, Binding, Context, Key};
use crate::tui::model::Model;
use crate::tui::update::contexts;

/// The screens whose keys are not typed into a text, and what they are called.
const SCREENS: [(Context, &str); 5] = [
    (Context::Home, "on the home screen"),
    (Context::Browse, "in the browser"),
    (Context::Connection, "in Connection"),
    (Context::Deploy, "in Deploy"),
    (Context::Verify, "in Verify"),
];

/// Says where a key works that does nothing here. Of a key that works nowhere nothing is said, nor of those that only move.
pub(super) fn told(model: &mut Model, key: Key) {
    let is_screen = |place: &Context| SCREENS.iter().any(|(screen, _)| screen == place);
    if !key.is_letter() || !contexts(model).first().is_some_and(is_screen) {
        return;
    }
    let mut works: Vec<String> = Vec::new();
    for (screen, place) in SCREENS {
        let bindings = model.keymap.bindings(screen).iter();
        let mut bound = bindings.filter(|binding| binding.keys.contains(&key) && !moves(binding.action));
        works.extend(bound.next().map(|binding| format!("{place} ({})", does(binding))));
    }
    let Some(last) = works.pop() else { return };
    let all = match works.join(", ") {
        before if before.is_empty() => last,
        before => format!("{before} and {last}"),
    };
    model.say(format!("{} does nothing here. It works {all}.", key.in_words()));
}

/// What it does, in the few words of the foot where it stands there.
fn does(binding: &Binding) -> &str {
    let help = binding.help.split([';', ':']).next().unwrap_or_default();
    binding.hint.as_deref().unwrap_or(help)
}

fn moves(action: Action) -> bool {
    matches!(
        action,
        Action::Back | Action::Open | Action::Down | Action::Up | Action::Top | Action::Bottom
    )
}
