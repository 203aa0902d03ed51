//! What lies over a screen.

use super::State;
use super::build::*;
use crate::screens::fixtures::*;
use glueup::cloud::CodeWanted;
use glueup::domain::problem::{Kind, Problem};
use glueup::job::Outcome;
use glueup::tui::effect::Slot;
use glueup::tui::msg::{LoggedIn, Msg};

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
    ("deploy asks for a service role", || {
        let mut story = deploy_waiting();
        story.press("s");
        story
    }),
    ("deploy asks for a boundary and is given none", || {
        let mut story = deploy_waiting();
        story.press("b").press("house-rules").enter();
        story
    }),
    ("deploy waits for a principal", || {
        let mut story = deploy_waiting();
        story.press("D");
        let update = glueup::stack::Update::Again {
            principal: "arn:aws:iam::012345678901:role/engine-of-a-moment-ago".into(),
            seconds: 4,
        };
        let update = glueup::job::Update::Stack(update);
        story.event(Slot::Write, glueup::job::Event::Update(update));
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
    ("code asked for", || {
        let mut story = details_filled();
        story.msg(Msg::CodeWanted(0, code(None)));
        story.press("123");
        story
    }),
    ("code refused", || {
        let mut story = Story::with(in_use());
        let refused = "AWS did not take that code; each counts once, and for half a minute";
        story.msg(Msg::CodeWanted(1, code(Some(refused))));
        story
    }),
    ("code of another shape", || {
        let mut story = Story::with(in_use());
        story.msg(Msg::CodeWanted(2, code(None))).press("12x").enter();
        story
    }),
    ("signed out at home", || {
        let mut story = Story::with(in_use());
        let problem = Problem::new(
            Kind::Denied,
            "You are not signed in with AWS SSO",
            "failed to load the cached SSO token",
            "Run: aws sso login --profile prod",
        );
        story.model.identity.fail(problem);
        story.msg(Msg::LoginWanted(Some("prod".into())));
        story
    }),
    ("signed out in Details", || {
        let mut story = details_filled();
        story.msg(Msg::LoginWanted(Some(
            "prod-of-a-rather-long-name-such-as-tools-make-them".into(),
        )));
        story
    }),
    ("no AWS CLI", || {
        let mut story = details_filled();
        story.msg(Msg::LoginWanted(Some("prod".into())));
        story.msg(Msg::LoggedIn("prod".into(), LoggedIn::NoProgram));
        story
    }),
];

fn code(refused: Option<&str>) -> CodeWanted {
    CodeWanted {
        profile: "prod".into(),
        device: "arn:aws:iam::012345678901:mfa/ada".into(),
        opens: "arn:aws:iam::999988887777:role/deployers/lake-admin".into(),
        refused: refused.map(str::to_owned),
    }
}
