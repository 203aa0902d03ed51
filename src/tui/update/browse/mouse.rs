//! The mouse in the browser.

use super::{menu, state, step};
use crate::tui::effect::Effect;
use crate::tui::model::{Listing, Model, Pane};
use crate::tui::view::Hit;

/// A click: what is there has the keys now, and the row under it is chosen.
pub fn clicked(model: &mut Model, hit: Hit) -> Vec<Effect> {
    let place = match hit {
        Hit::Entry(place) => return menu::clicked(model, place),
        Hit::Pane(_, place) => place,
    };
    pointed(model, hit);
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    browse.filtering = false;
    let here = match browse.pane {
        Pane::Databases => browse.databases.value().map(Listing::place),
        Pane::Tables => browse.tables.value().map(Listing::place),
        Pane::Schema => None,
    };
    match place.zip(here) {
        Some((place, here)) => step(model, place.wrapping_sub(here).cast_signed()),
        None => Vec::new(),
    }
}

/// The pane under the mouse has the keys now.
pub fn pointed(model: &mut Model, hit: Hit) {
    if let (Some(browse), Hit::Pane(pane, _)) = (state(model), hit) {
        browse.pane = pane;
    }
}
