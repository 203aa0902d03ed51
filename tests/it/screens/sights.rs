//! What the home screen sees of stacks in the background: how it is shown, and when it is looked for.

use super::draw::{buffer, text};
use super::fixtures::*;
use super::states::build::deploy_waiting;
use glueup::domain::status::Status;
use glueup::job::{Event, Job, Outcome, Update};
use glueup::registry::{Holder, Stage};
use glueup::setup::Overview;
use glueup::stack::checked::{Checked, Existing};
use glueup::stack::gone::Gone;
use glueup::stack::look::Sight;
use glueup::stack::{self, Request, Target};
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::model::Screen;
use glueup::tui::theme::Theme;

/// A catalog's stack that is gone.
pub fn gone(catalog: &str, at_seconds: Option<u64>) -> Sight {
    Sight::Gone(Gone {
        target: Target::Grant(Holder::Catalog(catalog.parse().unwrap())),
        stack: "glueup-glue-readonly-lake-house-0a1b2c3d".parse().unwrap(),
        id: "arn:aws:cloudformation:us-west-2:012345678901:stack/glueup-glue-readonly-lake-house-0a1b2c3d/1"
            .into(),
        at: at_seconds.map(|seconds| at(seconds).wall),
        by: None,
        anew: false,
    })
}

/// A connection's stack that is on its way.
pub fn on_its_way(connection: &str) -> Sight {
    Sight::Stands(
        Target::Connection(connection.parse().unwrap()),
        "CREATE_IN_PROGRESS".into(),
    )
}

pub fn saw(story: &mut Story, sight: Sight) {
    story.event(
        Slot::Stacks,
        Event::Update(Update::Stack(stack::Update::Sight(sight))),
    );
}

/// The records after both: neither stack is made.
pub fn unmade() -> Overview {
    let mut records = in_use();
    records.catalogs[0].stage = Stage::Deploy;
    records.catalogs[0].catalog.deployed = false;
    records.connections[0].connection.role_arn = None;
    records
}

fn looks(story: &Story) -> usize {
    let look = Job::Stack(Request::Look);
    let runs = |effect: &&Effect| matches!(effect, Effect::Run(_, job) if **job == look);
    story.effects.iter().filter(runs).count()
}

#[test]
fn stacks_are_looked_at_at_home_and_nowhere_else() {
    let mut story = Story::new();
    assert_eq!(looks(&story), 0, "nobody has signed in");
    story.done(Slot::Identity, Ok(Outcome::Identity(identity())));
    story.records(in_use());
    assert_eq!(looks(&story), 1);
    story.press("r");
    assert_eq!(looks(&story), 2);
    story.press("jj").enter();
    assert!(story.effects.contains(&Effect::Cancel(Slot::Stacks)));
    assert!(!story.model.slots.is_running(Slot::Stacks));
    story.press("q");
    assert_eq!(looks(&story), 3);
    // Who works on a stack sees it better.
    story.effects.clear();
    story.press("gX");
    assert!(story.effects.contains(&Effect::Cancel(Slot::Stacks)));
    story.press("r");
    assert_eq!(looks(&story), 0);
}

#[test]
fn what_is_gone_is_said_with_the_command_that_mends_it() {
    let mut story = Story::with(in_use());
    story.model.surroundings.demo = false;
    story.model.surroundings.command_prefix = vec!["--profile".into(), "ops".into()];
    saw(&mut story, gone("Lake House", Some(0)));
    let line = &story.model.log.back().unwrap().1;
    assert_eq!(
        line,
        "The stack glueup-glue-readonly-lake-house-0a1b2c3d is gone (deleted 2026-03-01 14:02 UTC): \
         glueup --profile ops deploy catalog 'Lake House'"
    );
    // The records have changed with it.
    assert!(matches!(story.effects.last(), Some(Effect::Run(ticket, _)) if ticket.slot == Slot::Overview));
    story.records(unmade());
    // It is gone still when it is looked again, though nobody can see that any more.
    story.press("r");
    story.records(unmade());
    let drawn = text(&buffer(&story.model, &Theme::colour(), (120, 40)));
    assert!(drawn.contains("its stack is gone (deleted"), "{drawn}");
    let made = Sight::Made(gone("Lake House", None).target().clone());
    saw(&mut story, made);
    story.records(unmade());
    let drawn = text(&buffer(&story.model, &Theme::colour(), (120, 40)));
    assert!(!drawn.contains("is gone"), "{drawn}");
}

#[test]
fn what_was_found_before_the_link_stands_beside_the_browser_way() {
    let drawn = |existing: Option<Existing>, template: Option<Checked>| {
        let mut story = deploy_waiting();
        let Screen::Wizard(wizard) = &mut story.model.screen else {
            panic!("not in the wizard")
        };
        let mut link = wizard.deploy.link.value().unwrap().clone();
        (link.existing, link.template) = (existing.map(Box::new), template);
        wizard.deploy.link.ready(link, at(0).since_start);
        let drawn = text(&buffer(&story.model, &Theme::colour(), (120, 40)));
        drawn.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let checked = |status, answer: &str| {
        let answer = answer.to_owned();
        Some(Checked { status, answer })
    };
    let press = "you review and press Create stack there";
    let fine = drawn(None, checked(Status::Passed, "ann can read it"));
    assert!(fine.contains(press) && !fine.contains("can read it"), "{fine}");
    let refused = drawn(None, checked(Status::Warning, "ann could not read it"));
    assert!(
        refused.contains(&format!("{press}; the template: ann could not read it")),
        "{refused}"
    );
    let there = Existing {
        id: "arn:x".into(),
        status: "CREATE_COMPLETE".into(),
        changed: None,
        answer: "already deployed 2 h ago, made for this record: nothing to do".into(),
        next: None,
        another: Some("A second, independent stack takes another record".into()),
    };
    let there = drawn(Some(there), None);
    assert!(
        there.contains("opens the page of what is there: already deployed 2 h ago")
            && there.contains("nothing to do. A second, independent stack takes another record"),
        "{there}"
    );
}
