//! Keys and messages whose effect is easy to get wrong.

use super::draw::{buffer, text};
use super::fixtures::*;
use super::states::build::*;
use clap::Parser;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use glueup::cli::Cli;
use glueup::domain::arn::Verifier;
use glueup::job::{Event, Job, Outcome};
use glueup::setup;
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::model::{DialogFor, Screen, Step, Wizard};
use glueup::tui::msg::Msg;
use glueup::tui::theme::Theme;
use glueup::tui::update::command_lines;

fn wizard(story: &Story) -> &Wizard {
    match &story.model.screen {
        Screen::Wizard(wizard) => wizard,
        other => panic!("not in the wizard: {other:?}"),
    }
}

fn drawn(story: &Story) -> String {
    text(&buffer(&story.model, &Theme::colour(), (80, 24)))
}

/// The only command line of a screen.
fn twin(story: &Story) -> String {
    let lines = command_lines(&story.model);
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines[0].clone()
}

fn control(letter: char) -> Msg {
    Msg::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL))
}

#[test]
fn back_loses_nothing_that_was_typed() {
    let mut story = connection_form();
    story.press("sales").tab().press("9");
    story.key(KeyCode::Esc);
    assert_eq!(wizard(&story).step, Step::Details);
    let details = &wizard(&story).details;
    assert_eq!(details.name.text(), "Lake House");
    assert_eq!(details.s3_path.text(), "s3://acme-lake/warehouse");
    story.enter();
    let form = wizard(&story).connection.form.as_ref().unwrap();
    assert_eq!(form.name.text(), "sales");
    assert_eq!(form.account.text(), "0123456789019");
}

#[test]
fn at_a_vendor_the_form_takes_a_verifier_and_none_is_right_too() {
    let verifier = |typed: &str| {
        let mut story = connection_form_at_a_vendor();
        story.press("prod").tab().tab().press(typed);
        story.effects.clear();
        story.enter();
        let request = std::mem::take(&mut story.effects)
            .into_iter()
            .find_map(|effect| match effect {
                Effect::Run(_, job) => match *job {
                    Job::Setup(setup::Request::AddConnection(new)) => Some(new.verifier),
                    _ => None,
                },
                _ => None,
            });
        (request, story)
    };
    assert_eq!(verifier("me").0, Some(Some(Verifier::Me)));
    assert_eq!(verifier("").0, Some(None));
    let (request, story) = verifier("arn:aws:iam::012345678901:root");
    assert_eq!(request, None);
    assert!(drawn(&story).contains("is a whole account"), "{}", drawn(&story));
    let mut story = connection_form_at_a_vendor();
    story.key(KeyCode::BackTab).press("me");
    let form = wizard(&story).connection.form.as_ref().unwrap();
    assert_eq!(form.verifier.as_ref().unwrap().text(), "me");
}

#[test]
fn a_changed_step_marks_what_rests_on_it() {
    let mut story = deploy_waiting();
    story.key(KeyCode::Esc).key(KeyCode::Esc);
    assert!(!drawn(&story).contains("stale"), "nothing is changed yet");
    story.tab().tab().press("x");
    assert!(drawn(&story).contains("◍ Deploy (stale)"), "{}", drawn(&story));
}

#[test]
fn a_reply_that_nobody_waits_for_is_dropped() {
    let mut story = Story::with(in_use());
    let old = story.ticket(Slot::Overview);
    story.press("r");
    let outcome = glueup::setup::Outcome::Overview(Box::new(empty()));
    story.msg(Msg::Job(old, Event::Done(Ok(Outcome::Setup(outcome)))));
    assert_eq!(
        story.model.home_rows().len(),
        5,
        "an old answer took the place of the records"
    );
    story.records(empty());
    assert!(story.model.home_rows().is_empty());
}

#[test]
fn leaving_while_something_is_written_asks_first() {
    let mut story = deploy_waiting();
    story.press("D").effects.clear();
    story.msg(control('c'));
    assert!(!story.effects.contains(&Effect::Quit));
    assert_eq!(story.model.dialog.as_ref().unwrap().answers, DialogFor::Quit);
    story.enter();
    assert!(!story.effects.contains(&Effect::Quit), "Enter is the safe answer");
    story.msg(control('c')).press("y");
    assert!(story.effects.contains(&Effect::Quit));
}

#[test]
fn control_c_leaves_from_every_screen() {
    for (name, mut story) in super::states::all() {
        story.effects.clear();
        story.msg(control('c'));
        if story.model.writing.is_some() {
            story.msg(control('c'));
        }
        assert!(story.effects.contains(&Effect::Quit), "{name}");
    }
}

#[test]
fn a_stopped_ladder_has_nobody_on_it() {
    let mut story = verify_running();
    story.press("s");
    assert!(!story.model.slots.is_running(Slot::Verify));
    assert!(!drawn(&story).contains("Under way"), "{}", drawn(&story));
}

#[test]
fn letters_in_a_field_are_letters() {
    let mut story = Story::with(empty());
    story.press("n").press("q?!L");
    assert_eq!(wizard(&story).details.name.text(), "q?!L");
    assert!(story.model.overlay.is_none());
    story.key(KeyCode::F(1));
    assert_eq!(story.model.overlay.as_ref().unwrap().title, "keys");
    story.key(KeyCode::Esc);
    assert_eq!(
        wizard(&story).details.name.text(),
        "q?!L",
        "help costs nothing that was typed"
    );
}

#[test]
fn a_schema_of_another_table_never_stands_under_this_one() {
    let mut story = browse_schema();
    let ticket = story.ticket(Slot::Schema);
    story.key(KeyCode::Esc).key(KeyCode::Down).wait(1);
    let outcome = glueup::browse::Outcome::Schema {
        schema: Box::new(schema(glueup::domain::schema::Source::Iceberg)),
        metadata_problem: None,
        file_problem: None,
    };
    story.msg(Msg::Job(ticket, Event::Done(Ok(Outcome::Browse(outcome)))));
    let Screen::Browse(browse) = &story.model.screen else {
        panic!("not in the browser")
    };
    assert!(browse.schema.value().is_none());
}

/// A shell's own reading of a command line, for the words that the program quotes.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (letter, quoted) {
            ('\'', _) => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ('\\', false) => word.get_or_insert_default().extend(letters.next()),
            (' ', false) => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    assert!(!quoted, "an open quote in {line}");
    words.extend(word);
    words
}

#[test]
fn the_command_line_of_every_screen_is_one() {
    for (name, story) in super::states::all() {
        for line in command_lines(&story.model) {
            let parsed = Cli::try_parse_from(words(&line));
            let wrong = parsed.err().filter(|_| complete(&story));
            assert!(wrong.is_none(), "{name}: {line}\n{}", wrong.unwrap());
        }
    }
}

/// A form that is not right yet has no command line that would run either.
fn complete(story: &Story) -> bool {
    match &story.model.screen {
        Screen::Wizard(wizard) if wizard.step == Step::Details => wizard.details.first_bad().is_none(),
        Screen::Wizard(wizard) => wizard
            .connection
            .form
            .as_ref()
            .is_none_or(|form| form.first_bad().is_none()),
        _ => true,
    }
}

#[test]
fn a_name_that_a_shell_would_run_is_quoted() {
    let mut story = Story::with(empty());
    story
        .press("n")
        .press("$(touch x); it's")
        .tab()
        .tab()
        .press("s3://acme-lake/w")
        .tab();
    let line = twin(&story);
    let words = words(&line);
    assert!(words.contains(&"$(touch x); it's".to_owned()), "{line}");
    assert!(!line.replace("'$(touch x); it'", "").contains("$("), "{line}");
}

#[test]
fn a_table_looked_at_whole_gets_its_columns_when_they_come() {
    let mut story = browse_tables();
    story.enter().wait(1).press("z");
    let body = |story: &Story| story.model.overlay.as_ref().unwrap().body.clone();
    assert!(body(&story).contains("What was ordered"), "{}", body(&story));
    assert!(!body(&story).contains("timestamptz"));
    let outcome = glueup::browse::Outcome::Schema {
        schema: Box::new(schema(glueup::domain::schema::Source::Iceberg)),
        metadata_problem: None,
        file_problem: None,
    };
    story.done(Slot::Schema, Ok(Outcome::Browse(outcome)));
    assert!(body(&story).contains("timestamptz"), "{}", body(&story));
    // Another text over the screen is left alone.
    story.key(KeyCode::Esc).press("!");
    assert!(body(&story).starts_with("glueup schema 'Lake House.sales.orders'\n"));
}

#[test]
fn the_way_back_from_the_end_of_a_text_begins_at_once() {
    let mut story = Story::with(in_use());
    story.model.size = (40, 12);
    story.press("?G");
    let end = story.model.overlay.as_ref().unwrap().scroll;
    assert!(end > 0);
    story.press("jjj").key(KeyCode::PageDown);
    assert_eq!(story.model.overlay.as_ref().unwrap().scroll, end);
    story.press("k");
    assert_eq!(story.model.overlay.as_ref().unwrap().scroll, end - 1);
}

#[test]
fn the_way_back_from_the_end_of_a_schema_begins_at_once() {
    let mut story = browse_schema();
    story.model.size = (40, 12);
    let at = |story: &Story| match &story.model.screen {
        Screen::Browse(browse) => browse.schema.value().unwrap().scroll,
        other => panic!("not in the browser: {other:?}"),
    };
    story.press("G");
    let end = at(&story);
    let last = text(&buffer(&story.model, &Theme::colour(), (40, 12)));
    assert!(last.contains("old_price") && !last.contains("more"), "{last}");
    story.press("jjjj").press("k");
    assert_eq!(at(&story), end - 1);
}

#[test]
fn in_the_list_of_tables_the_command_names_the_table() {
    let mut story = browse_tables();
    assert_eq!(twin(&story), "glueup ls 'Lake House'");
    story.enter();
    assert_eq!(twin(&story), "glueup schema 'Lake House.sales.orders'");
}

#[test]
fn esc_drops_the_filter_before_it_leaves_the_pane() {
    let mut story = browse_tables();
    story.enter().press("/ord").enter();
    let pane = |story: &Story| match &story.model.screen {
        Screen::Browse(browse) => (browse.pane, browse.filter.is_some()),
        other => panic!("not in the browser: {other:?}"),
    };
    use glueup::tui::model::Pane;
    assert_eq!(pane(&story), (Pane::Tables, true));
    story.key(KeyCode::Esc);
    assert_eq!(pane(&story), (Pane::Tables, false));
    story.key(KeyCode::Esc);
    assert_eq!(pane(&story), (Pane::Databases, false));
}

#[test]
fn checks_that_come_late_do_not_come_over_something_else() {
    let late = || Ok(Outcome::Doctor(checks()));
    let mut story = Story::with(in_use());
    story.press("D").key(KeyCode::Esc).done(Slot::Doctor, late());
    assert!(story.model.overlay.is_none(), "it was closed");
    story
        .press("D")
        .key(KeyCode::Esc)
        .press("L")
        .done(Slot::Doctor, late());
    assert_eq!(story.model.overlay.as_ref().unwrap().title, "log");
    story.key(KeyCode::Esc).press("D").done(Slot::Doctor, late());
    let shown = drawn(&story);
    assert!(shown.contains("1 check failed, 1 warning."), "{shown}");
    assert!(shown.contains("export AWS_CA_BUNDLE="), "{shown}");
}

#[test]
fn the_pointer_is_where_the_ladder_is_at_work_until_somebody_moves_it() {
    let mut story = verify_running();
    let at = |story: &Story| wizard(story).verify.selected;
    assert_eq!(at(&story), 3);
    // The third ends late: the fourth has begun.
    let third = rung(
        glueup::verify::RungId::Broker,
        "assumed",
        glueup::domain::status::Status::Passed,
    );
    let late = glueup::verify::Update::Finished(third);
    story.event(Slot::Verify, Event::Update(glueup::job::Update::Verify(late)));
    assert_eq!(at(&story), 3);
    story.key(KeyCode::Up);
    let next = glueup::verify::Update::Started(glueup::verify::RungId::Databases);
    story.event(Slot::Verify, Event::Update(glueup::job::Update::Verify(next)));
    assert_eq!(at(&story), 2);
}

#[test]
fn the_way_back_from_the_end_of_a_question_begins_at_once() {
    let mut story = super::states::story("deploy asks");
    story.model.size = (40, 12);
    let at = |story: &Story| story.model.dialog.as_ref().unwrap().scroll;
    for _ in 0..9 {
        story.key(KeyCode::PageDown);
    }
    let end = at(&story);
    let last = text(&buffer(&story.model, &Theme::colour(), (40, 12)));
    assert!(last.contains("… back: pgup"), "{last}");
    story.key(KeyCode::PageUp);
    assert_eq!(at(&story), end - 3);
    let back = text(&buffer(&story.model, &Theme::colour(), (40, 12)));
    assert!(back.contains("… 3 more: pgdn"), "{back}");
}

#[test]
fn whatever_the_window_the_home_screen_says_how_to_get_help_and_how_to_leave() {
    for size in [(40, 12), (80, 24), (120, 40)] {
        for name in [
            "home in use",
            "home empty",
            "home slowed by AWS",
            "home for a user",
        ] {
            let story = super::states::story(name);
            let drawn = text(&buffer(&story.model, &Theme::colour(), size));
            let foot = drawn.lines().last().unwrap();
            assert!(foot.contains("? help  q quit"), "{name} {size:?}: {foot}");
        }
    }
    let foot = drawn(&Story::with(in_use())).lines().last().unwrap().to_owned();
    assert!(foot.contains("x delete  D doctor  ? help  q quit"), "{foot}");
}

#[test]
fn the_screen_is_drawn_anew_from_everywhere_and_nothing_is_lost() {
    for (name, mut story) in super::states::all() {
        let before = story.model.clone();
        story.effects.clear();
        story.msg(control('l'));
        assert_eq!(story.effects, [Effect::Redraw], "{name}");
        story.model.toast.clone_from(&before.toast);
        assert_eq!(story.model, before, "{name}");
    }
}
