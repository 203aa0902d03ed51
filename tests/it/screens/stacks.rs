//! Keys that work on stacks: which one, whose answer counts, and what a failure leaves on the screen.

use super::draw::{buffer, text};
use super::fixtures::*;
use super::states::build::*;
use crossterm::event::KeyCode;
use glueup::domain::problem::{Kind, Problem};
use glueup::job::{Event, Job, Outcome, Update};
use glueup::registry::{Catalog, Holder};
use glueup::report::Answer;
use glueup::setup::{self, Overview};
use glueup::stack::{self, Request, StackState, Target};
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::model::{Half, Remote, Screen, Step, Wizard};
use glueup::tui::theme::Theme;

fn drawn(story: &Story) -> String {
    text(&buffer(&story.model, &Theme::colour(), (80, 24)))
}

fn wizard(story: &Story) -> &Wizard {
    match &story.model.screen {
        Screen::Wizard(wizard) => wizard,
        other => panic!("not in the wizard: {other:?}"),
    }
}

/// The job that was started last in a slot.
fn job(story: &Story, slot: Slot) -> Option<&Job> {
    story.effects.iter().rev().find_map(|effect| match effect {
        Effect::Run(ticket, job) if ticket.slot == slot => Some(&**job),
        _ => None,
    })
}

fn named(catalog: &str) -> Target {
    Target::Grant(Holder::Catalog(catalog.parse().unwrap()))
}

fn serves(connection: &str) -> Target {
    Target::Connection(connection.parse().unwrap())
}

fn delete(target: Target) -> Job {
    Job::Stack(Request::Delete {
        target,
        take_over: true,
        retain: true,
    })
}

fn deleted(names: &str) -> Result<Outcome, Problem> {
    Ok(Outcome::Stack(stack::Outcome::Deleted(names.into())))
}

fn made(name: &str) -> Result<Outcome, Problem> {
    let state = StackState {
        name: name.into(),
        id: format!("arn:{name}"),
        status: "CREATE_COMPLETE".into(),
        outputs: Default::default(),
        changes: Vec::new(),
    };
    Ok(Outcome::Stack(stack::Outcome::Deployed(state)))
}

fn wrong_account() -> Problem {
    Problem::new(
        Kind::CheckFailed,
        "not in account 5555-6666-7777: you are in 0123-4567-8901",
        "glueup-connection-old-trial belongs in account 5555-6666-7777",
        "sign in to account 5555-6666-7777 (--profile)",
    )
}

#[test]
fn the_stack_of_the_row_is_deleted_after_its_question() {
    for (down, target) in [(0, named("Lake House")), (3, serves("sales-prod"))] {
        let mut story = Story::with(in_use());
        for _ in 0..down {
            story.key(KeyCode::Down);
        }
        story.press("X");
        assert_eq!(job(&story, Slot::Write), Some(&delete(target)));
        story.event(Slot::Write, Event::Ask(ask()));
        story.press("y").press(" ").press("y");
        assert_eq!(
            story.effects.last(),
            Some(&Effect::Answer(Slot::Write, Answer::Yes))
        );
        // While it goes on the screen says so, and goes on too.
        story.wait(2);
        assert!(
            drawn(&story).contains("deleting the stack of "),
            "{}",
            drawn(&story)
        );
        story.done(Slot::Write, deleted("glueup-glue-readonly-lake"));
        assert!(
            drawn(&story).contains("Deleted: glueup-glue-readonly-lake."),
            "{}",
            drawn(&story)
        );
        assert_eq!(
            job(&story, Slot::Overview),
            Some(&Job::Setup(setup::Request::Overview))
        );
    }
}

#[test]
fn where_there_is_no_stack_to_delete_the_key_says_why() {
    let adopted = || {
        let mut overview = in_use();
        overview.connections[0].connection.adopted = true;
        overview.catalogs[0].catalog.deployed = false;
        overview
    };
    let cases: [(Overview, usize, &str); 5] = [
        (
            in_use(),
            2,
            "none of 日本 raw is on record; glueup stack delete catalog",
        ),
        (
            in_use(),
            4,
            "none of old-trial is on record; glueup stack delete connection old-trial",
        ),
        (adopted(), 0, "uses a role that was there before"),
        (adopted(), 3, "uses a role that was there before"),
        (as_user(in_use()), 0, "only an admin"),
    ];
    for (overview, down, why) in cases {
        let mut story = Story::with(overview);
        // A command of the demo needs more than a line has room for.
        story.model.surroundings.demo = false;
        for _ in 0..down {
            story.key(KeyCode::Down);
        }
        story.press("X");
        assert_eq!(job(&story, Slot::Write), None, "{why}");
        let (_, said) = story.model.log.back().unwrap();
        assert!(
            said.starts_with("No stack is deleted: ") && said.contains(why),
            "{said}"
        );
    }
}

#[test]
fn why_a_stack_was_not_deleted_stands_whole_with_the_way_out() {
    let mut story = Story::with(in_use());
    story.press("X").done(Slot::Write, Err(denied()));
    assert!(
        drawn(&story).contains("Next: Deploy the catalog's stack again"),
        "{}",
        drawn(&story)
    );
    // Elsewhere by then: nothing is laid over what somebody looks at.
    let mut story = Story::with(in_use());
    story.press("X").enter().done(Slot::Write, Err(denied()));
    assert!(story.model.overlay.is_none());
    assert!(
        drawn(&story).contains("denied: glue:GetDatabases"),
        "{}",
        drawn(&story)
    );
}

#[test]
fn the_end_of_one_stack_does_not_move_the_wizard_of_another() {
    // The stack of `Lake House` is being deleted; the wizard of another catalog is opened meanwhile.
    let mut story = Story::with(in_use());
    story.press("X").key(KeyCode::Down).key(KeyCode::Down).enter();
    assert_eq!(wizard(&story).deploy.half, Half::Access);
    // What is under way is said, and is not shown as the work on this one.
    let screen = drawn(&story);
    assert!(screen.contains("deleting the stack of Lake House"), "{screen}");
    assert!(screen.contains("◌ waiting"), "{screen}");
    let event = stack_event(3, "GlueReadPolicy", "DELETE_IN_PROGRESS", None);
    story.event(Slot::Write, Event::Update(Update::Stack(event)));
    assert!(wizard(&story).deploy.events.is_empty());
    story.done(Slot::Write, deleted("glueup-glue-readonly-lake"));
    assert_eq!(
        (wizard(&story).step, wizard(&story).deploy.half),
        (Step::Deploy, Half::Access)
    );

    // The same for one that is being made: its end is no news of this one.
    let mut story = deploy_waiting();
    story.press("D").press("q");
    story.records(in_use());
    story.key(KeyCode::Down).enter();
    let step = |story: &Story| (wizard(story).step, wizard(story).recorded.clone());
    let before = step(&story);
    story.done(Slot::Write, made("glueup-connection-another"));
    assert_eq!(step(&story), before);
}

#[test]
fn in_deploy_the_stack_goes_and_is_waited_for_again() {
    let mut story = verify_green();
    story.key(KeyCode::Esc);
    assert_eq!(wizard(&story).deploy.half, Half::Done);
    let holder = wizard(&story).recorded.clone().unwrap();
    story.press("X");
    assert_eq!(
        job(&story, Slot::Write),
        Some(&delete(Target::Grant(holder.clone())))
    );
    story.done(Slot::Write, deleted("glueup-glue-readonly-x"));
    assert_eq!(wizard(&story).deploy.half, Half::Access);
    assert_eq!(
        job(&story, Slot::Watch),
        Some(&Job::Stack(Request::Watch(Target::Grant(holder))))
    );
    assert!(drawn(&story).contains("Verify (stale)"), "{}", drawn(&story));

    // Nothing was there to be deleted: that is no failure of the stack that is waited for.
    let mut story = deploy_waiting();
    story.press("X");
    assert_eq!(job(&story, Slot::Write), Some(&delete(serves("sales-prod"))));
    assert!(!story.model.slots.is_running(Slot::Watch));
    let absent = Problem::new(
        Kind::NotFound,
        "there is no stack glueup-connection-sales-prod",
        "",
        "",
    );
    story.done(Slot::Write, Err(absent));
    assert!(wizard(&story).deploy.problem.is_none());
    assert!(
        drawn(&story).contains("there is no stack glueup-connection"),
        "{}",
        drawn(&story)
    );
    assert!(story.model.slots.is_running(Slot::Watch));
}

/// The catalog that waits for its stack is given to the connection that has none yet.
fn given_another() -> Story {
    let mut story = Story::with(in_use());
    story.key(KeyCode::Down).key(KeyCode::Down).enter();
    story.done(Slot::Watch, Err(wrong_account()));
    assert!(drawn(&story).contains("not in account"), "{}", drawn(&story));
    story
        .key(KeyCode::Esc)
        .key(KeyCode::Up)
        .key(KeyCode::Down)
        .enter();
    let changed = Catalog {
        connection: "old-trial".parse().unwrap(),
        ..catalog("日本 raw", "read-only", false)
    };
    let outcome = setup::Outcome::Catalog(Box::new(changed), Vec::new());
    story.done(Slot::Write, Ok(Outcome::Setup(outcome)));
    story
}

#[test]
fn a_catalog_that_was_given_another_connection_waits_for_that_ones_stack() {
    let mut story = given_another();
    // The records on screen still name the connection of before.
    let waits = |story: &Story| {
        assert_eq!(wizard(story).deploy.half, Half::Connection);
        let watch = Job::Stack(Request::Watch(serves("old-trial")));
        assert_eq!(job(story, Slot::Watch), Some(&watch));
    };
    waits(&story);
    story.press("D");
    assert!(
        matches!(job(&story, Slot::Write), Some(Job::Stack(Request::Deploy { target, .. })) if *target == serves("old-trial")),
        "{:?}",
        job(&story, Slot::Write)
    );
    story.effects.clear();
    let mut read = in_use();
    read.catalogs[2].catalog.connection = "old-trial".parse().unwrap();
    let mut story = given_another();
    story.records(read);
    waits(&story);
    // Its stack is made: the access stack comes next, and not Verify.
    story.done(Slot::Watch, made("glueup-connection-old-trial"));
    assert_eq!(wizard(&story).deploy.half, Half::Access);
}

#[test]
fn the_failure_of_another_connections_stack_is_gone_with_it() {
    let story = given_another();
    assert_eq!(wizard(&story).step, Step::Deploy);
    assert_eq!(wizard(&story).deploy.problem, None);
    assert!(!drawn(&story).contains("not in account"), "{}", drawn(&story));
}

#[test]
fn what_fails_again_says_that_it_was_tried() {
    let mut story = deploy_waiting();
    story.done(Slot::Watch, Err(wrong_account()));
    let shown = drawn(&story);
    assert!(!shown.contains("by itself"), "nobody watches any more: {shown}");
    assert!(shown.contains("r looks for the stack again"), "{shown}");
    story.press("D").done(Slot::Write, Err(wrong_account()));
    assert!(
        drawn(&story).contains("Tried again, and it fails as before."),
        "{}",
        drawn(&story)
    );
    assert!(
        drawn(&story).contains("For the doctor: q, then D."),
        "{}",
        drawn(&story)
    );
    // Another failure is news enough.
    story.press("D").done(Slot::Write, Err(denied()));
    assert!(!drawn(&story).contains("Tried again"), "{}", drawn(&story));
    story.press("r");
    assert!(
        drawn(&story).contains("It shows up here by itself"),
        "{}",
        drawn(&story)
    );
}

#[test]
fn a_preflight_that_was_left_is_made_again() {
    let mut story = deploy_waiting();
    assert!(job(&story, Slot::Preflight).is_some());
    story.key(KeyCode::Esc);
    assert_eq!(wizard(&story).deploy.preflight, Remote::Idle);
    story.effects.clear();
    story.enter();
    // The records are written once more, as they were.
    let row = catalog("weather", "read-only", false);
    let outcome = setup::Outcome::Catalog(Box::new(row), Vec::new());
    story.done(Slot::Write, Ok(Outcome::Setup(outcome)));
    assert!(job(&story, Slot::Preflight).is_some());
}

#[test]
fn before_a_record_goes_its_dialog_says_how_the_stack_goes_first() {
    let told = |overview: Overview, keys: &str| {
        let mut story = Story::with(overview);
        story.model.surroundings.demo = false;
        story.model.surroundings.command_prefix = vec!["--profile".into(), "ops".into()];
        story.press(keys);
        story.model.dialog.as_ref().unwrap().ask.will_not.join("\n")
    };
    // One that something is bound to does not go at all.
    let mut alone = in_use();
    alone.catalogs.clear();
    alone.connections[0].catalogs.clear();
    for (overview, command) in [
        (in_use(), "glueup --profile ops stack delete catalog 'Lake House'"),
        (alone, "glueup --profile ops stack delete connection sales-prod"),
    ] {
        let told = told(overview, "x");
        let first = format!("if it is to go too, that comes first: X on the home screen, or {command}");
        assert!(told.contains(&first), "{told}");
    }
    let told = told(in_use(), "jjx");
    assert!(!told.contains("comes first"), "it has no stack: {told}");
}

#[test]
fn the_wait_for_a_principal_is_counted_down() {
    let mut story = deploy_waiting();
    story.press("D");
    let principal = "arn:aws:iam::012345678901:role/new";
    for seconds in [5, 4] {
        let principal = principal.to_owned();
        let update = stack::Update::Again { principal, seconds };
        story.event(Slot::Write, Event::Update(Update::Stack(update)));
        let screen = drawn(&story);
        assert!(screen.contains(&format!("again in {seconds} s")), "{screen}");
    }
    let said = drawn(&story).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains(&format!("IAM does not know {principal} yet")),
        "{said}"
    );
    // The next try has begun.
    let status = stack::Update::Status("REVIEW_IN_PROGRESS".into());
    story.event(Slot::Write, Event::Update(Update::Stack(status)));
    let screen = drawn(&story);
    assert!(
        !screen.contains("again in") && !screen.contains("does not know"),
        "{screen}"
    );
}
