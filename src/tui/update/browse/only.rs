//! The tables of one kind alone, or those with something odd about them.

use super::{rest, state};
use crate::tui::effect::Effect;
use crate::tui::model::{Model, Only, Pane};

/// The next of what can be shown alone; after the last all of it again.
pub(super) fn next(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let Some(list) = browse.tables.value() else {
        model.say("No tables are listed yet.");
        return Vec::new();
    };
    let parts = list.parts();
    let at = browse
        .only
        .and_then(|only| parts.iter().position(|part| *part == only));
    let only = match (browse.only, at) {
        (None, _) => parts.first(),
        (Some(_), at) => at.and_then(|at| parts.get(at + 1)),
    };
    show(model, only.copied())
}

/// All of them again.
pub(super) fn all(model: &mut Model) -> Vec<Effect> {
    show(model, None)
}

fn show(model: &mut Model, only: Option<Only>) -> Vec<Effect> {
    if let Some(browse) = state(model) {
        browse.only = only;
        browse.pane = Pane::Tables;
        browse.apply_filter();
    }
    rest(model);
    Vec::new()
}
