//! The home screen in each of its states.

use super::State;
use super::build::outdated;
use crate::screens::fixtures::*;
use crate::screens::sights::{gone, on_its_way, saw, unmade};
use glueup::cloud::{Reading, Slow};
use glueup::domain::problem::{Kind, Problem};
use glueup::registry::Broken;
use glueup::setup::Overview;
use glueup::tui::effect::Slot;
use glueup::tui::msg::Msg;

pub const STATES: &[State] = &[
    ("home loading", || {
        let mut story = Story::new();
        story.wait(2);
        story
    }),
    ("home empty", || Story::with(empty())),
    ("home empty for a user", || Story::with(as_user(empty()))),
    ("home in use", || Story::with(in_use())),
    ("home with storage integrations", || {
        let mut story = Story::with(with_storages());
        story.press("jjj");
        story
    }),
    ("storage delete", || {
        let mut story = Story::with(with_storages());
        story.press("jjjx");
        story
    }),
    ("home with outdated stacks", || {
        let mut story = Story::with(outdated());
        story.wait(1);
        story
    }),
    ("home with stacks that are gone or on their way", || {
        let mut story = Story::with(in_use());
        story.wait(7_400);
        saw(&mut story, gone("Lake House", Some(200)));
        saw(&mut story, on_its_way("sales-prod"));
        story.records(unmade());
        story
    }),
    ("home on a connection", || {
        let mut story = Story::with(in_use());
        story.press("G");
        story
    }),
    ("home failed", || {
        let mut story = Story::new();
        let problem = Problem::new(
            Kind::Usage,
            "The records cannot be read.",
            "/home/ada/.local/share/glueup: permission denied",
            "Give the directory back to yourself: chown -R ada ~/.local/share/glueup",
        );
        story.done(Slot::Overview, Err(problem));
        story
    }),
    ("home not signed in", || {
        let mut story = Story::new();
        story.records(in_use());
        let problem = Problem::new(
            Kind::Denied,
            "No credentials were found.",
            "Looked in the environment, ~/.aws, SSO and the instance metadata.",
            "Sign in, for example: aws sso login --profile NAME, then glueup --profile NAME",
        );
        story.done(Slot::Identity, Err(problem));
        story
    }),
    ("home stale", || {
        let mut story = Story::with(in_use());
        story.press("r");
        story.done(Slot::Overview, Err(denied()));
        story
    }),
    ("home slowed by AWS", || {
        let mut story = Story::with(in_use());
        story.msg(Msg::Meter(Reading {
            calls: 41,
            bytes: 80_001,
            slow: Some(Slow {
                throttled: true,
                retries: 3,
                tenths: 21,
            }),
            ..Reading::default()
        }));
        story
    }),
    ("home with a broken record", || {
        let broken = Broken {
            file: "/home/ada/.local/share/glueup/connections/sales-prod.yaml".into(),
            line: 4,
            column: 13,
            snippet: "account_id: 012345670123".into(),
            problem: Problem::new(
                Kind::Usage,
                "Line 4: put the account ID in quotes.",
                "YAML reads 1402433619.",
                "Write account_id: '012345670123'.",
            ),
        };
        Story::with(Overview {
            broken: vec![broken],
            ..in_use()
        })
    }),
    ("home deleting a stack", || {
        let mut story = Story::with(in_use());
        story.press("X").wait(2);
        story
    }),
    ("home with a stack that stays", || {
        let mut story = Story::with(in_use());
        story.press("X");
        let problem = Problem::new(
            Kind::CheckFailed,
            "the role of sales-prod is still in use",
            "these have their policies on it: Lake House, weather",
            "delete their stacks first: glueup stack delete catalog 'Lake House'",
        );
        story.done(Slot::Write, Err(problem));
        story
    }),
    ("home for a user", || Story::with(as_user(in_use()))),
];
