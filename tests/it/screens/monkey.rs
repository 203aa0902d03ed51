//! Whatever keys, pastes, sizes and answers come, in whatever order: each frame is drawn, and Ctrl-C leaves.
//!
//! `PROPTEST_CASES=2000 cargo test --test it screens::monkey` lets it try for longer.

use super::draw::buffer;
use super::fixtures::*;
use super::sights::gone;
use super::states::{self, build};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use glueup::browse::{Outcome as Browsed, Update as BrowseUpdate};
use glueup::domain::schema::Source;
use glueup::domain::status::Status;
use glueup::job::{Event, Outcome, Update};
use glueup::stack::{self, Advice, StackEvent, StackState};
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::msg::{Mouse, Msg};
use glueup::tui::theme::Theme;
use glueup::verify::{self, RungId};
use glueup::{setup, tui};
use proptest::prelude::*;

/// One thing that happens to the program.
#[derive(Debug, Clone)]
enum Step {
    Key(KeyCode, KeyModifiers),
    Paste(String),
    Mouse(Mouse, u16, u16),
    Size(u16, u16),
    Wait(u64),
    /// A running job answers: which one, and what, by number.
    Answer(usize, usize),
}

/// The keys that mean something somewhere, and some that mean nothing.
fn key() -> impl Strategy<Value = Step> {
    use KeyCode::*;
    let named = prop::sample::select(vec![
        Enter,
        Esc,
        Tab,
        BackTab,
        Up,
        Down,
        Left,
        Right,
        Home,
        End,
        PageUp,
        PageDown,
        Backspace,
        Delete,
        Insert,
        F(1),
        F(12),
        Null,
    ]);
    let letter = prop::sample::select(
        "abcdefghijklmnopqrstuvwxyzADGLMNPV?!/ :*-09.\\é日\u{200d}👩\u{301}\u{1b}\0"
            .chars()
            .collect::<Vec<_>>(),
    );
    let code = prop_oneof![2 => named, 3 => letter.prop_map(Char)];
    let modifiers = prop_oneof![
        12 => Just(KeyModifiers::NONE),
        1 => Just(KeyModifiers::CONTROL),
        1 => Just(KeyModifiers::ALT),
        1 => Just(KeyModifiers::SHIFT),
    ];
    (code, modifiers).prop_map(|(code, modifiers)| Step::Key(code, modifiers))
}

fn step() -> impl Strategy<Value = Step> {
    let paste = prop_oneof![
        Just("s3://acme-lake/warehouse".to_owned()),
        Just("012345678901".to_owned()),
        Just("a\u{1b}[2Jb\r\n\0\u{202e}c\td".to_owned()),
        Just("日本👩‍🔬".repeat(200)),
        ".{0,40}",
    ];
    let mouse = prop_oneof![Just(Mouse::Click), Just(Mouse::Wheel(1)), Just(Mouse::Wheel(-1))];
    prop_oneof![
        14 => key(),
        1 => paste.prop_map(Step::Paste),
        2 => (mouse, 0_u16..130, 0_u16..45).prop_map(|(what, column, row)| Step::Mouse(what, column, row)),
        1 => (0_u16..130, 0_u16..45).prop_map(|(columns, rows)| Step::Size(columns, rows)),
        1 => (0_u64..4).prop_map(Step::Wait),
        5 => (any::<usize>(), any::<usize>()).prop_map(|(which, what)| Step::Answer(which, what)),
    ]
}

/// What a job in the slot may say.
fn answers(slot: Slot) -> Vec<Event> {
    let done = |outcome| Event::Done(Ok(outcome));
    let told = Event::Update;
    let browse = |update| told(Update::Browse(update));
    let stack = |update| told(Update::Stack(update));
    let climbed = |update| told(Update::Verify(update));
    let setup = |outcome| done(Outcome::Setup(outcome));
    let state = StackState {
        name: "glueup-connection-sales-prod".into(),
        id: "arn:aws:cloudformation:us-west-2:012345678901:stack/glueup-connection-sales-prod/1".into(),
        status: "CREATE_COMPLETE".into(),
        outputs: [("RoleArn".into(), "arn:aws:iam::012345678901:role/r".into())].into(),
        changes: Vec::new(),
    };
    let watching = vec![
        stack(stack::Update::NotThere),
        stack(stack::Update::Status("CREATE_IN_PROGRESS".into())),
        stack(stack::Update::Note("nothing to do".into())),
        stack(stack::Update::Again {
            principal: "arn:aws:iam::012345678901:role/new".into(),
            seconds: 4,
        }),
        stack(stack::Update::Event(StackEvent {
            id: "1".into(),
            at: at(0).wall,
            logical_id: "ConnectionRole".into(),
            resource_type: "AWS::IAM::Role".into(),
            status: "CREATE_FAILED".into(),
            reason: Some("denied ".repeat(40)),
        })),
        done(Outcome::Stack(stack::Outcome::Deployed(state))),
    ];
    let tables = |from: usize| {
        let name = |n: usize| format!("t{n}_日\u{1b}\u{202e}{}", "x".repeat(n % 90));
        (from..from + 60).map(|n| table(&name(n), iceberg)).collect()
    };
    let mut events = match slot {
        Slot::Identity => vec![done(Outcome::Identity(identity()))],
        Slot::Overview => [empty(), in_use(), with_storages(), as_user(in_use())]
            .into_iter()
            .map(|overview| setup(setup::Outcome::Overview(Box::new(overview))))
            .collect(),
        Slot::Advice => vec![done(Outcome::Stack(stack::Outcome::Advice(Advice {
            bucket: vec![(true, "the bucket is there".into())],
            access_point: None,
            catalog: Some((false, "no catalog".into())),
            encryption: None,
            kms_key: None,
            catalog_encryption: None,
            catalog_kms_key: None,
        })))],
        Slot::Preflight => vec![
            done(build::preflight(None)),
            done(build::preflight(Some(build::LACKING))),
        ],
        Slot::Template => vec![done(Outcome::Stack(stack::Outcome::Template {
            body: "Resources:\n  Role: {}\n".repeat(50),
            parameters: vec![("AccountId".into(), "012345678901".into())],
            stack_name: "s".into(),
        }))],
        Slot::Verify => vec![
            climbed(verify::Update::Planned(vec![RungId::Reach, RungId::Role])),
            climbed(verify::Update::Started(RungId::Role)),
            climbed(verify::Update::Spreading {
                rung: RungId::Role,
                seconds: 4,
                open: false,
            }),
            done(Outcome::Verify(Box::new(build::report(Status::Failed)))),
            done(Outcome::Verify(Box::new(build::report(Status::Passed)))),
        ],
        Slot::Databases => vec![
            browse(BrowseUpdate::Databases(
                ["sales", "日本", "a\u{1b}b"].map(database).into(),
            )),
            done(Outcome::Browse(Browsed::Databases { total: 3 })),
        ],
        Slot::Tables => vec![
            browse(BrowseUpdate::Tables(tables(0))),
            browse(BrowseUpdate::Tables(tables(60))),
            done(Outcome::Browse(Browsed::Tables { total: 120 })),
        ],
        Slot::Schema => vec![
            browse(BrowseUpdate::GlueSchema(Box::new(build::schema(Source::Glue)))),
            done(Outcome::Browse(Browsed::Schema {
                schema: Box::new(build::schema(Source::Iceberg)),
                metadata_problem: Some(Box::new(denied())),
                file_problem: None,
            })),
        ],
        Slot::Census => vec![
            browse(BrowseUpdate::Counting(Box::new(build::census()))),
            done(Outcome::Browse(Browsed::Census(Box::new(build::census())))),
        ],
        Slot::Doctor => vec![done(Outcome::Doctor(checks()))],
        Slot::Draft => vec![setup(setup::Outcome::Draft)],
        Slot::Bookmarks => vec![setup(setup::Outcome::Bookmarks(Vec::new()))],
        Slot::Stacks => vec![
            stack(stack::Update::Sight(gone("Lake House", Some(0)))),
            stack(stack::Update::Sight(gone("gone", None))),
            done(Outcome::Stack(stack::Outcome::Looked)),
        ],
        Slot::Watch | Slot::Link => watching,
        Slot::Write => {
            let mut events = watching;
            events.extend([
                Event::Ask(build::ask()),
                setup(setup::Outcome::Connection(
                    Box::new(connection("sales-prod", false)),
                    vec![],
                )),
                setup(setup::Outcome::Catalog(
                    Box::new(catalog("Lake House", "read-only", false)),
                    vec![],
                )),
                setup(setup::Outcome::Deleted(vec!["the stack stays".into()])),
            ]);
            events
        }
    };
    events.push(Event::Done(Err(denied())));
    events
}

fn take(story: &mut Story, step: &Step) {
    match step {
        Step::Key(code, modifiers) => {
            story.msg(Msg::Key(KeyEvent::new(*code, *modifiers)));
        }
        Step::Paste(text) => {
            story.msg(Msg::Paste(text.clone()));
        }
        Step::Mouse(what, column, row) => {
            story.msg(Msg::Mouse(*what, *column, *row));
        }
        Step::Size(columns, rows) => {
            story.msg(Msg::Resize(*columns, *rows));
        }
        Step::Wait(seconds) => {
            story.wait(*seconds);
        }
        Step::Answer(which, what) => {
            let tickets: Vec<_> = story
                .effects
                .iter()
                .filter_map(|effect| match effect {
                    Effect::Run(ticket, _) => Some(*ticket),
                    _ => None,
                })
                .rev()
                .take(6)
                .collect();
            if let Some(ticket) = tickets.get(which % tickets.len().max(1)) {
                let mut events = answers(ticket.slot);
                let event = events.swap_remove(what % events.len());
                story.msg(Msg::Job(*ticket, event));
            }
        }
    }
}

fn draw(story: &Story) -> Result<(), TestCaseError> {
    let drawn = buffer(&story.model, &Theme::colour(), story.model.size);
    for cell in drawn.content() {
        let bad = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
        prop_assert!(!cell.symbol().contains(bad), "drawn: {:?}", cell.symbol());
    }
    prop_assert!(story.model.next_tick().is_none_or(|wait| !wait.is_zero()));
    Ok(())
}

/// Few cases each time, as many as asked for when asked.
fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    let cases = match std::env::var_os("PROPTEST_CASES") {
        Some(_) => usual.cases,
        None => 24,
    };
    ProptestConfig { cases, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn nothing_that_comes_makes_it_panic_or_stay(
        from in any::<usize>(),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let mut story = states::nth(from);
        for step in &steps {
            take(&mut story, step);
            draw(&story)?;
        }
        // The second one answers the question that the first one may have put.
        let ctrl_c = Step::Key(KeyCode::Char('c'), KeyModifiers::CONTROL);
        story.effects.clear();
        take(&mut story, &ctrl_c);
        draw(&story)?;
        if !story.effects.contains(&Effect::Quit) {
            prop_assert!(story.model.dialog.is_some(), "Ctrl-C was not heard");
            take(&mut story, &ctrl_c);
        }
        prop_assert!(story.effects.contains(&Effect::Quit), "{:?}", tui::update::contexts(&story.model));
    }
}
