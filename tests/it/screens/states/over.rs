//! What lies over a screen.

use super::State;
use super::build::*;
use crate::screens::fixtures::*;
use glueup::job::Outcome;
use glueup::tui::effect::Slot;
use glueup::tui::msg::Msg;

pub const STATES: &[State] = &[
    ("help", || {
        let mut story = Story::with(in_use());
        story.press("?");
        story
    }),
    ("doctor looking", || {
        let mut story = Story::with(in_use());
        story.press("D");
        story
    }),
    ("doctor", || {
        let mut story = Story::with(in_use());
        story.press("D");
        story.done(Slot::Doctor, Ok(Outcome::Doctor(checks())));
        story
    }),
    ("log", || {
        let mut story = deploy_waiting();
        story.press("L");
        story
    }),
    ("whole link", || {
        let mut story = deploy_waiting();
        story.press("z");
        story
    }),
    ("command line", || {
        let mut story = browse_schema();
        story.press("!");
        story
    }),
    ("quitting while writing", || {
        let mut story = deploy_waiting();
        story.press("D").msg(Msg::Terminate);
        story
    }),
];
