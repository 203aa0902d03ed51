//! What is told beside the lists: counts, databases that may not be read, and when what was typed is kept.

use super::draw::{buffer, text};
use super::fixtures::*;
use super::states::build::*;
use glueup::browse;
use glueup::job::{Event, Job, Outcome, Update};
use glueup::setup::{self, Request};
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::model::Writing;
use glueup::tui::theme::Theme;

fn drawn(story: &Story) -> String {
    text(&buffer(&story.model, &Theme::colour(), (160, 40)))
}

#[test]
fn home_shows_how_many_tables_were_counted_and_that_there_are_more() {
    for (counted, more, shown) in [
        (Some(1_204), false, " 1,204  "),
        (Some(800), true, " 800+  "),
        (None, false, " —  "),
    ] {
        let mut overview = in_use();
        let verdict = overview.catalogs[0].verdict.as_mut().unwrap();
        (verdict.tables, verdict.more_tables) = (counted, more);
        let screen = drawn(&Story::with(overview));
        let row = screen.lines().find(|line| line.contains("Lake House")).unwrap();
        assert!(row.contains(shown), "{screen}");
    }
}

#[test]
fn a_database_that_may_not_be_read_is_told_beside_the_others() {
    let mut story = browse_started();
    let rows = browse::Update::Databases(vec![database("sales")]);
    let unreadable = browse::Update::Unreadable {
        database: "ra\u{202e}w".into(),
        problem: Box::new(denied()),
    };
    for update in [rows, unreadable] {
        story.event(Slot::Databases, Event::Update(Update::Browse(update)));
    }
    let screen = drawn(&story);
    assert!(screen.contains("sales"), "{screen}");
    assert!(screen.contains("ra<U+202E>w cannot be read: denied"), "{screen}");
}

#[test]
fn what_is_being_recorded_is_not_kept_as_half_typed_meanwhile() {
    let mut story = connection_form();
    story.done(Slot::Draft, Ok(Outcome::Setup(setup::Outcome::Draft)));
    story.press("sales");
    story.effects.clear();
    story.model.writing = Some(Writing {
        what: "recording the catalog".into(),
        stack: None,
    });
    let kept = |story: &Story| {
        story
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Run(_, job) if matches!(**job, Job::Setup(Request::SaveDraft(_)))))
    };
    for _ in 0..5 {
        story.wait(1);
        assert!(!kept(&story), "{:?}", story.effects);
    }
    story.model.writing = None;
    story.wait(1).wait(1);
    assert!(kept(&story), "{:?}", story.effects);
}

#[test]
fn a_key_that_works_on_another_screen_says_where_and_a_stray_one_says_nothing() {
    let mut story = Story::with(in_use());
    let said = |story: &Story| story.model.log.back().map(|(_, line)| line.clone());
    story.press("[");
    assert_eq!(
        said(&story).as_deref(),
        Some("[ does nothing here. It works in the browser (back).")
    );
    story.press("y");
    let all = said(&story).unwrap();
    assert!(
        all.starts_with("y does nothing here. It works in the browser (copy name), in Connection")
            && all.ends_with(" and in Verify (copy report)."),
        "{all}"
    );
    let before = story.model.log.len();
    for stray in ["Q", "#", "h"] {
        story.press(stray);
    }
    assert_eq!(story.model.log.len(), before, "{:?}", said(&story));
    let mut story = browse_schema();
    story.press("w");
    assert_eq!(
        said(&story).as_deref(),
        Some("w does nothing here. It works in Verify (do not wait).")
    );
    // A letter of a text is one.
    story.press(":").press("w");
    let before = story.model.log.len();
    story.press("B");
    assert_eq!(story.model.log.len(), before);
}
