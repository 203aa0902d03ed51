//! The states of every screen: each has a snapshot, and the sweep draws each at every small size.

mod browse;
pub mod build;
mod counted;
mod home;
pub mod ladder;
mod over;
mod tables;
mod wizard;

use super::draw::snapshot;
use super::fixtures::Story;

type State = (&'static str, fn() -> Story);

fn states() -> impl Iterator<Item = &'static State> {
    [home::STATES, wizard::STATES, browse::STATES, over::STATES]
        .into_iter()
        .flatten()
}

/// All states.
pub fn all() -> Vec<(&'static str, Story)> {
    states().map(|(name, story)| (*name, story())).collect()
}

/// Any of them, by number.
pub fn nth(number: usize) -> Story {
    let place = number % states().count();
    states().nth(place).unwrap().1()
}

/// One of them.
pub fn story(name: &str) -> Story {
    states()
        .find(|(n, _)| *n == name)
        .unwrap_or_else(|| panic!("no state {name}"))
        .1()
}

#[test]
fn each_state_looks_like_its_snapshot() {
    for (name, story) in all() {
        snapshot(&name.replace(' ', "_"), &story.model);
    }
}
