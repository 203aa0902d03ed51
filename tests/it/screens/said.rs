//! What is said at the foot, in the step bar, in the list and over the screen: whole, true, and once.

use super::draw::{buffer, text};
use super::fixtures::*;
use super::states::build::*;
use crossterm::event::KeyCode;
use glueup::domain::problem::{Kind, Problem};
use glueup::job::{Event, Outcome};
use glueup::registry::Holder;
use glueup::report::Answer;
use glueup::setup;
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::model::{DialogFor, Screen};
use glueup::tui::msg::Msg;
use glueup::tui::theme::Theme;

fn at_size(story: &Story, size: (u16, u16)) -> String {
    text(&buffer(&story.model, &Theme::colour(), size))
}

fn drawn(story: &Story) -> String {
    at_size(story, (80, 24))
}

/// The screen as one line, as it is read.
fn read(screen: &str) -> String {
    screen.split_whitespace().collect::<Vec<_>>().join(" ")
}

const STAYS: &str = "the stack glueup-glue-readonly-lake-house-1f2e3d4c in us-west-2 stays, and with it what it grants: \
                     delete it in the CloudFormation console or with aws cloudformation delete-stack --stack-name \
                     glueup-glue-readonly-lake-house-1f2e3d4c --region us-west-2";

#[test]
fn what_is_said_stands_whole_or_says_where_it_does() {
    let mut story = Story::with(in_use());
    story.press("xy");
    let outcome = setup::Outcome::Deleted(vec![STAYS.to_owned()]);
    story.done(Slot::Write, Ok(Outcome::Setup(outcome)));
    let screen = read(&drawn(&story));
    assert!(
        screen.contains("Deleted. The stack glueup-glue-readonly-lake-house"),
        "{screen}"
    );
    assert!(screen.contains("--region us-west-2."), "{screen}");
    // In a small window not all of it has room.
    let small = at_size(&story, (40, 12));
    assert!(small.contains("… L has all of it"), "{small}");
    assert!(
        small.contains("Deleted. The stack"),
        "the beginning is kept: {small}"
    );
    // It takes longer to read than a word does.
    story.wait(4);
    assert!(story.model.toast.is_some());
    story.wait(20);
    assert!(story.model.toast.is_none());
}

#[test]
fn the_steps_have_room_and_stale_is_explained() {
    let story = details_changed_after_deploy();
    let bar = |size| at_size(&story, size).lines().nth(1).unwrap().to_owned();
    let wide = bar((80, 24));
    assert!(
        wide.contains("Deploy (stale)") && wide.trim_end().ends_with("Verify (stale)"),
        "{wide}"
    );
    let narrow = bar((40, 12));
    assert!(
        narrow.contains("Details") && narrow.trim_end().ends_with("stale"),
        "{narrow}"
    );
    for columns in 40..130 {
        let bar = bar((columns, 24));
        let end = bar.trim_end();
        assert!(
            end.ends_with("Verify (stale)") || end.ends_with(" stale"),
            "{columns}: {bar}"
        );
    }
    let mut story = story;
    story.key(KeyCode::F(1));
    let help = read(&at_size(&story, (120, 60)));
    assert!(
        help.contains("(stale) at a step: something before it was changed"),
        "{help}"
    );
}

/// In Details again, with something changed, after Verify has been reached.
fn details_changed_after_deploy() -> Story {
    let mut story = verify_green();
    story.key(KeyCode::Esc).key(KeyCode::Esc).key(KeyCode::Esc);
    story.tab().tab().press("x");
    let Screen::Wizard(wizard) = &story.model.screen else {
        panic!("{:?}", story.model.screen)
    };
    assert!(wizard.stale_from.is_some(), "{wizard:?}");
    story
}

#[test]
fn a_key_that_means_nothing_over_a_text_says_what_does() {
    let mut story = deploy_waiting();
    story.done(Slot::Preflight, Ok(preflight(None)));
    assert!(drawn(&story).contains("c shows all"), "{}", drawn(&story));
    for key in ["?", "!", "D"] {
        story.press("c").press(key);
        assert!(
            read(&drawn(&story)).contains("esc closes this text"),
            "{}",
            drawn(&story)
        );
        assert!(story.model.overlay.is_some() && story.model.dialog.is_none());
        story.key(KeyCode::Esc);
    }
    // What is typed over a text does not go into the field that it hides.
    let mut story = details_filled();
    let before = story.model.screen.clone();
    story
        .key(KeyCode::BackTab)
        .key(KeyCode::F(1))
        .press("xyz")
        .key(KeyCode::Esc);
    let typed = |screen: &Screen| match screen {
        Screen::Wizard(wizard) => wizard.details.s3_path.text().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(typed(&story.model.screen), typed(&before));
}

#[test]
fn of_a_stack_that_was_never_made_nothing_is_said_to_stay() {
    let mut story = Story::with(with_storages());
    story.press("jjjjx");
    let dialog = story.model.dialog.clone().unwrap();
    assert_eq!(
        dialog.answers,
        DialogFor::Delete(Holder::Storage("exports".parse().unwrap()))
    );
    assert_eq!(dialog.ask.will_not, ["touch files"]);
    story.key(KeyCode::Esc).press("kx");
    let dialog = story.model.dialog.clone().unwrap();
    assert!(
        dialog.ask.will_not[0].contains("its policy stays in AWS"),
        "{dialog:?}"
    );
    story.key(KeyCode::Esc).press("Gx");
    let dialog = story.model.dialog.clone().unwrap();
    assert_eq!(
        dialog.answers,
        DialogFor::DeleteConnection("old-trial".parse().unwrap())
    );
    assert!(dialog.ask.will_not.is_empty(), "{dialog:?}");
}

#[test]
fn one_long_name_does_not_take_what_the_others_have_to_say() {
    let mut overview = in_use();
    overview.catalogs[2].catalog.name = "analytics-lake-of-the-whole-company-eu".parse().unwrap();
    let screen = drawn(&Story::with(overview));
    assert!(screen.contains("2 min ago, caution:"), "{screen}");
    let row = screen
        .lines()
        .position(|line| line.contains("analytics-lake"))
        .unwrap();
    let row_after = screen.lines().nth(row + 2).unwrap();
    assert!(
        row_after.trim().is_empty() || row_after.contains("CONNECTIONS"),
        "no more than two rows: {screen}"
    );
}

#[test]
fn what_lies_below_is_counted() {
    let mut overview = with_storages();
    let row = overview.catalogs[2].clone();
    for number in 0..20 {
        let mut row = row.clone();
        row.catalog.name = format!("lake {number}").parse().unwrap();
        overview.catalogs.push(row);
    }
    let mut story = Story::with(overview);
    let screen = drawn(&story);
    let shown = screen
        .lines()
        .filter(|line| line.contains("lake ") || line.contains("us-west-2  ") && !line.contains("glueup"))
        .count();
    let below = 27 - shown;
    assert!(
        screen.contains(&format!("… {below} more below, with storage and connections")),
        "{screen}"
    );
    // At the end nothing lies below.
    story.press("G");
    let screen = drawn(&story);
    assert!(
        !screen.contains("more below") && screen.contains("old-trial"),
        "{screen}"
    );
    // At each place the row under the pointer is in sight.
    story.press("g");
    for _ in 0..27 {
        for size in [(80, 24), (40, 12)] {
            let screen = at_size(&story, size);
            assert!(screen.contains('▸'), "{screen}");
        }
        story.press("j");
    }
}

#[test]
fn a_no_is_no_failure() {
    let failed = || {
        Problem::new(
            Kind::CheckFailed,
            "the stack glueup-connection-sales-prod was made for an earlier record of that name",
            "no record here has that id",
            "deploy from here takes it over",
        )
    };
    let no = Problem::new(Kind::Interrupted, "not deployed", "answered no", "");
    // The watching job finds again what it has found before.
    let mut story = deploy_waiting();
    story.done(Slot::Watch, Err(failed()));
    story.press("D").event(Slot::Write, Event::Ask(ask()));
    story.press("n").done(Slot::Write, Err(no));
    story.done(Slot::Watch, Err(failed()));
    assert!(!drawn(&story).contains("Tried again"), "{}", drawn(&story));
    // A job that ends with what it had found.
    let mut story = deploy_waiting();
    story.done(Slot::Watch, Err(failed()));
    story.press("D").event(Slot::Write, Event::Ask(ask()));
    story.press("n").done(Slot::Write, Err(failed()));
    assert!(!drawn(&story).contains("Tried again"), "{}", drawn(&story));
}

#[test]
fn the_time_of_a_question_is_no_time_of_work() {
    let mut story = deploy_waiting();
    story.wait(50).press("D").wait(2);
    assert!(drawn(&story).contains(" 2 s"), "{}", drawn(&story));
    story.event(Slot::Write, Event::Ask(ask())).wait(100);
    story.press(" y").wait(3);
    assert!(drawn(&story).contains(" 3 s"), "{}", drawn(&story));
}

#[test]
fn one_no_is_one_line_of_the_log() {
    let mut story = Story::with(in_use());
    story.press("X").event(Slot::Write, Event::Ask(ask()));
    story.key(KeyCode::Esc);
    let no = Problem::new(
        Kind::Interrupted,
        "not deleted",
        "answered no",
        "nothing was changed",
    );
    story.done(Slot::Write, Err(no));
    let lines: Vec<_> = story
        .model
        .log
        .iter()
        .filter(|(_, line)| line.contains("not deleted"))
        .collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(drawn(&story).contains("not deleted"), "{}", drawn(&story));
}

#[test]
fn where_there_is_no_log_file_none_is_claimed() {
    let mut story = Story::with(in_use());
    story.press("L");
    assert!(
        drawn(&story).contains("All of it is in /home/ada"),
        "{}",
        drawn(&story)
    );
    story.key(KeyCode::Esc);
    story.msg(Msg::NoLog("Permission denied (os error 13)".into()));
    for key in ["L", "?"] {
        story.press(key);
        let said = story.model.overlay.as_ref().unwrap().body.clone();
        assert!(said.contains("There is no log file: /home/ada"), "{said}");
        assert!(!said.contains("All of it is in"), "{said}");
        story.key(KeyCode::Esc);
    }
}

#[test]
fn over_ssh_the_link_of_the_demo_comes_with_the_line_that_forwards_its_port() {
    let mut story = deploy_waiting();
    story.press("z");
    assert!(!story.model.overlay.as_ref().unwrap().body.contains("ssh"));
    let line = "ssh -N -L 4566:127.0.0.1:4566 ada@198.51.100.4";
    story.key(KeyCode::Esc);
    story.model.surroundings.no_browser = Some("This terminal is over SSH".into());
    story.model.surroundings.forwarding = Some(line.into());
    // The key that opens the browser shows it too.
    story.press("o");
    let overlay = story.model.overlay.clone().unwrap();
    assert!(overlay.body.ends_with(line), "{}", overlay.body);
    // What is copied is the link alone.
    assert!(
        overlay
            .copy
            .unwrap()
            .starts_with("http://127.0.0.1:4566/_console/")
    );
}

/// A grant on a whole bucket wants its name typed, and IAM wants a box ticked: one key of one hand after the other does both.
#[test]
fn a_question_that_wants_a_tick_and_a_name_takes_both() {
    let asked = || {
        let mut story = deploy_waiting();
        story.press("D");
        let mut ask = ask();
        ask.acknowledge = Some("I acknowledge that this makes IAM resources".into());
        ask.type_to_confirm = Some("raw events".into());
        story.event(Slot::Write, Event::Ask(ask));
        story
    };
    let answer = |story: &Story| match story.effects.last() {
        Some(Effect::Answer(Slot::Write, answer)) => Some(*answer),
        _ => None,
    };
    let mut story = asked();
    assert!(drawn(&story).contains("tick"), "{}", drawn(&story));
    // The blank of the name is a blank, any other ticks the box: before the name, and after it.
    story.press(" raw events");
    assert_eq!(story.model.dialog.as_ref().unwrap().typed.text(), "raw events");
    story.enter();
    assert_eq!(answer(&story), Some(Answer::Yes));
    let mut story = asked();
    story.press("raw events ").enter();
    assert_eq!(answer(&story), Some(Answer::Yes));

    // Half of it is no answer, and no no: what is missing is said.
    let mut story = asked();
    story.press("raw events").enter();
    assert_eq!(answer(&story), None);
    assert!(drawn(&story).contains("Tick the box first"), "{}", drawn(&story));
    let mut story = asked();
    story.press(" raw").enter();
    assert_eq!(answer(&story), None);
    assert!(
        drawn(&story).contains("Type raw events to say yes"),
        "{}",
        drawn(&story)
    );
    // Nothing typed is the safe answer.
    let mut story = asked();
    story.enter();
    assert_eq!(answer(&story), Some(Answer::No));
}
