//! The mouse, for who has asked for it: the wheel moves, a click chooses.

use super::{act, browse, contexts};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::Model;
use crate::tui::msg::Mouse;
use crate::tui::view::under;

/// Rows that one notch of the wheel moves.
const NOTCH: usize = 3;

/// Takes the mouse from the terminal, or gives it back.
pub(super) fn turn(model: &mut Model) -> Vec<Effect> {
    model.mouse = !model.mouse;
    let key = model.keymap.word(Context::Global, Action::Mouse);
    model.say(match model.mouse {
        true => format!(
            "The mouse works here now: the wheel moves, a click chooses. To mark text hold Shift, or give it back with {key}."
        ),
        false => "The mouse is the terminal's again.".to_owned(),
    });
    vec![Effect::Mouse(model.mouse)]
}

/// Something was done with it over the cell of this column and row.
pub(super) fn take(model: &mut Model, mouse: Mouse, column: u16, row: u16) -> Vec<Effect> {
    let is_covered = model.question().is_some() || model.dialog.is_some() || model.overlay.is_some();
    let hit = under(model, column, row).filter(|_| !is_covered);
    // Only now: it had taken rows of the list that was clicked.
    model.toast = None;
    match (mouse, hit) {
        (Mouse::Click, Some(hit)) => browse::clicked(model, hit),
        (Mouse::Click, None) => Vec::new(),
        (Mouse::Wheel(by), hit) => {
            if let Some(hit) = hit {
                browse::pointed(model, hit);
            }
            wheel(model, by)
        }
    }
}

/// As so many presses of an arrow key, but in a form, where those go from field to field.
fn wheel(model: &mut Model, by: isize) -> Vec<Effect> {
    let action = if by < 0 { Action::Up } else { Action::Down };
    let Some(context) = contexts(model).into_iter().next() else {
        return Vec::new();
    };
    if matches!(context, Context::Field | Context::Choice | Context::Code) {
        return Vec::new();
    }
    let presses = by.unsigned_abs().saturating_mul(NOTCH);
    (0..presses).flat_map(|_| act(model, context, action)).collect()
}
