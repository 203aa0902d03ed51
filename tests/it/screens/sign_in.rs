//! Signing in while the screen stands: what is asked, what survives, what is tried again.

use super::draw::{buffer, text};
use super::fixtures::*;
use super::states::build::*;
use crossterm::event::KeyCode;
use glueup::cloud::CodeWanted;
use glueup::job::{Job, Outcome};
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::model::{Screen, Wizard, Writing};
use glueup::tui::msg::{LoggedIn, Msg};
use glueup::tui::theme::Theme;

fn wanted() -> CodeWanted {
    CodeWanted {
        profile: "prod".into(),
        device: "arn:aws:iam::012345678901:mfa/ada".into(),
        opens: "a session of its keys".into(),
        refused: None,
    }
}

/// The codes that were answered, newest last.
fn answers(story: &Story) -> Vec<(u64, Option<String>)> {
    let answer = |effect: &Effect| match effect {
        Effect::Code(number, code) => Some((*number, code.as_ref().map(|code| code.digits().to_owned()))),
        _ => None,
    };
    story.effects.iter().filter_map(answer).collect()
}

fn jobs(effects: &[Effect]) -> Vec<&Job> {
    let mut jobs = Vec::new();
    for effect in effects {
        if let Effect::Run(_, job) = effect {
            jobs.push(&**job);
        }
    }
    jobs
}

#[test]
fn questions_for_codes_wait_for_each_other_and_nothing_beneath_hears_the_keys() {
    let mut story = Story::with(in_use());
    story.msg(Msg::CodeWanted(7, wanted()));
    story.msg(Msg::CodeWanted(8, wanted()));
    // Letters mean something at home: here they are typed, and are no code.
    story.press("nqD").enter();
    assert!(matches!(story.model.screen, Screen::Home) && answers(&story).is_empty());
    story.press("808 080").enter();
    story.msg(Msg::Paste("654321\n".into())).enter();
    assert_eq!(
        answers(&story),
        [(7, Some("808080".into())), (8, Some("654321".into()))]
    );
    story.msg(Msg::CodeWanted(9, wanted())).key(KeyCode::Esc);
    assert_eq!(answers(&story).last(), Some(&(9, None)));
    assert!(story.model.codes.is_empty());
    assert!(!format!("{:?} {:?}", story.model, story.effects).contains("808080"));
}

#[test]
fn a_question_for_a_code_waits_over_a_dialog_and_gives_it_back() {
    let mut story = Story::with(in_use());
    story.press("x");
    let dialog = story.model.dialog.clone();
    assert!(dialog.is_some());
    story.msg(Msg::CodeWanted(1, wanted())).press("y");
    assert_eq!(story.model.dialog, dialog);
    story.key(KeyCode::Esc);
    assert_eq!(story.model.dialog, dialog);
    story.press("n");
    assert_eq!(story.model.dialog, None);
}

#[test]
fn whether_to_leave_is_asked_over_the_question_for_a_code() {
    // Nothing is being written: it leaves at once, as everywhere.
    let mut story = Story::with(in_use());
    story.msg(Msg::CodeWanted(1, wanted())).press("12").ctrl('c');
    assert_eq!(story.effects.last(), Some(&Effect::Quit));
    // While something is, the question is seen, hears the keys, and gives the one for the code back.
    let mut story = Story::with(in_use());
    story.model.writing = Some(Writing {
        what: "deploying lake".into(),
        stack: None,
    });
    story.msg(Msg::CodeWanted(1, wanted())).press("12").ctrl('c');
    assert!(story.model.dialog.is_some() && story.model.question().is_none());
    let seen = text(&buffer(&story.model, &Theme::colour(), (100, 30)));
    assert!(seen.contains("Leave while glueup is at work"), "{seen}");
    assert!(!seen.contains("6 digits"), "{seen}");
    story.press("n");
    assert_eq!(story.model.dialog, None);
    assert_eq!(story.model.question().unwrap().typed.text(), "12");
    story.ctrl('c').press("y");
    assert_eq!(story.effects.last(), Some(&Effect::Quit));
    assert!(answers(&story).is_empty());
}

#[test]
fn a_question_for_a_code_lets_glueup_be_suspended() {
    let mut story = Story::with(in_use());
    story.msg(Msg::CodeWanted(1, wanted())).ctrl('z');
    assert_eq!(story.effects.last(), Some(&Effect::Suspend));
}

#[test]
fn a_half_filled_wizard_outlives_a_sign_in() {
    let mut story = details_filled();
    let before = story.model.screen.clone();
    story.msg(Msg::LoginWanted(Some("prod".into())));
    story.effects.clear();
    story.key(KeyCode::F(4));
    // What was typed is kept on disk before the screen is left.
    assert!(
        matches!(jobs(&story.effects)[..], [Job::Setup(_)]),
        "{:?}",
        story.effects
    );
    assert_eq!(story.effects.last(), Some(&Effect::Login("prod".into())));
    story.effects.clear();
    story.msg(Msg::LoggedIn("prod".into(), LoggedIn::Yes));
    assert_eq!(jobs(&story.effects), [&Job::SignInAgain]);
    story.msg(Msg::LoginWanted(None));
    story.done(Slot::Identity, Ok(Outcome::Identity(identity())));
    let (Screen::Wizard(before), Screen::Wizard(after)) = (&before, &story.model.screen) else {
        panic!("{:?}", story.model.screen);
    };
    let typed = |wizard: &Wizard| {
        let details = &wizard.details;
        let texts = [&details.name, &details.region, &details.s3_path].map(|field| field.text().to_owned());
        (texts, details.access, details.focus, wizard.step)
    };
    assert_eq!(typed(before), typed(after));
    // What the caller's rights show is looked at again.
    assert!(
        jobs(&story.effects)
            .iter()
            .any(|job| matches!(job, Job::Stack(_))),
        "{:?}",
        story.effects
    );
    assert_eq!(story.model.login, None);
}

#[test]
fn what_failed_for_want_of_a_sign_in_is_tried_again_once() {
    let mut story = browse_tables();
    story.msg(Msg::LoginWanted(Some("prod".into())));
    story.press("S");
    assert_eq!(story.effects.last(), Some(&Effect::Login("prod".into())));
    story.effects.clear();
    story.msg(Msg::LoggedIn("prod".into(), LoggedIn::Yes));
    story.done(Slot::Identity, Ok(Outcome::Identity(identity())));
    let browsed = |story: &Story| {
        jobs(&story.effects)
            .iter()
            .filter(|job| matches!(job, Job::Browse(_)))
            .count()
    };
    assert_eq!(browsed(&story), 1, "{:?}", story.effects);
    assert!(matches!(story.model.screen, Screen::Browse(_)));
    // Another sign-in, that nothing failed for, repeats nothing.
    story.msg(Msg::LoginWanted(None));
    story.effects.clear();
    story.msg(Msg::LoggedIn("prod".into(), LoggedIn::Yes));
    story.done(Slot::Identity, Ok(Outcome::Identity(identity())));
    assert_eq!(browsed(&story), 0, "{:?}", story.effects);
}

#[test]
fn without_anybody_to_sign_in_the_key_says_so_and_a_failure_is_said() {
    let mut story = Story::with(in_use());
    story.press("S");
    assert!(
        story
            .model
            .toast
            .as_ref()
            .unwrap()
            .line
            .contains("No profile needs")
    );
    story.msg(Msg::LoginWanted(Some("prod".into())));
    story.msg(Msg::LoggedIn("prod".into(), LoggedIn::No("Invalid grant".into())));
    assert!(
        story
            .model
            .toast
            .as_ref()
            .unwrap()
            .line
            .ends_with("Invalid grant")
    );
    assert_eq!(story.model.login.as_deref(), Some("prod"));
    // r asks again, once it was signed in elsewhere.
    story.effects.clear();
    story.press("r");
    assert!(jobs(&story.effects).contains(&&Job::SignInAgain));
}
