//! Each break as a screen: where the pointer stands, what the panes say, and what the whole rung says on a key.

use super::Expected;
use crate::screens::draw::{SIZES, buffer, text};
use crate::screens::fixtures::Story;
use crate::screens::states::ladder::verify_started;
use crossterm::event::KeyCode;
use glueup::job::{Event, Outcome, Update};
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::theme::Theme;
use glueup::verify::{self, Report, Rung};

/// What two texts have in common however they are broken into rows.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The wizard after this ladder.
fn story(report: &Report) -> Story {
    let mut story = verify_started();
    let ids = report.rungs.iter().map(|rung| rung.id).collect();
    story.event(
        Slot::Verify,
        Event::Update(Update::Verify(verify::Update::Planned(ids))),
    );
    story.done(Slot::Verify, Ok(Outcome::Verify(Box::new(report.clone()))));
    story
}

fn drawn(story: &Story, size: (u16, u16)) -> String {
    text(&buffer(&story.model, &Theme::colour(), size))
}

/// What stands between the rules of head and foot.
fn body(screen: &str) -> Vec<&str> {
    let rows: Vec<&str> = screen.lines().collect();
    let rule = |row: &&str| row.starts_with("──");
    let first = rows.iter().position(rule).unwrap();
    let last = rows.iter().rposition(rule).unwrap();
    rows[first + 1..last].to_vec()
}

/// All that the text over the screen says in a window, read by scrolling from its top to its end.
fn scrolled(story: &mut Story, size: (u16, u16)) -> String {
    let mut rows: Vec<String> = Vec::new();
    loop {
        let screen = drawn(story, size);
        let shown = body(&screen);
        let at = story.model.overlay.as_ref().unwrap().scroll;
        story.key(KeyCode::Down);
        if story.model.overlay.as_ref().unwrap().scroll == at {
            rows.extend(shown.into_iter().map(ToOwned::to_owned));
            return rows.join("\n");
        }
        rows.push(shown[0].to_owned());
    }
}

/// The row of the rung under the pointer.
fn pointed(screen: &str) -> &str {
    let row = screen
        .lines()
        .find(|row| row.contains('▸') && !row.contains("glueup ▸"));
    row.unwrap_or_else(|| panic!("no pointer:\n{screen}"))
}

/// In every window the failed rung is under the pointer with its answer, and a key shows its cause and its whole next
/// step; another copies the commands of it.
#[track_caller]
pub fn assert_shown(expected: &Expected, report: &Report) {
    let failed = report.first_failed().unwrap();
    assert_json(report, failed);
    for size in SIZES {
        let mut story = story(report);
        story.model.size = size;
        let screen = drawn(&story, size);
        let at = format!("{} at {size:?}", expected.name);
        let row = pointed(&screen);
        assert!(
            row.contains(failed.id.title()) && row.contains("failed"),
            "{at}:\n{screen}"
        );
        if size.0 >= 80 {
            let beside: String = body(&screen)
                .iter()
                .filter_map(|row| row.split_once('│'))
                .map(|(_, detail)| squeezed(detail))
                .collect();
            let told = squeezed(&format!("{}: {}", failed.status, failed.answer));
            assert!(beside.contains(&told), "{at}: {told}\n{screen}");
            let next = squeezed(failed.next.as_deref().unwrap());
            let begin: String = next.chars().take(20).collect();
            assert!(
                beside.contains(&format!("Next:{begin}")),
                "{at}: {begin}\n{screen}"
            );
        }
        let commands = failed.commands();
        assert_eq!(
            drawn(&story, (120, 40)).contains("copy next step"),
            !commands.is_empty(),
            "{at}"
        );
        assert_copied(&mut story, failed, &at);
        story.enter();
        let whole = squeezed(&scrolled(&mut story, size));
        for line in
            std::iter::once(failed.answer.as_str()).chain(failed.next.iter().flat_map(|next| next.lines()))
        {
            assert!(whole.contains(&squeezed(line)), "{at}: {line}\n{whole}");
        }
    }
}

#[track_caller]
fn assert_copied(story: &mut Story, failed: &Rung, at: &str) {
    story.press("c");
    let commands = failed.commands();
    match story.effects.last() {
        Some(Effect::Copy(text)) => assert_eq!(text, &commands.join("\n"), "{at}"),
        _ => assert!(commands.is_empty(), "{at}: nothing was copied"),
    }
}

/// What the verb prints with `--output json` says the same.
#[track_caller]
fn assert_json(report: &Report, failed: &Rung) {
    let json = serde_json::to_value(report).unwrap();
    let rungs = json["rungs"].as_array().unwrap();
    let printed = rungs.iter().find(|rung| rung["status"] == "failed").unwrap();
    assert_eq!(json["verdict"], "failed");
    assert_eq!(printed["id"], failed.id.as_str());
    assert_eq!(printed["answer"], failed.answer.as_str());
    assert_eq!(printed["next"].as_str(), failed.next.as_deref());
}
