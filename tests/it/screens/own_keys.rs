//! Who has keys of their own is told those: no sentence on the screen names a key of the built-in table.

use super::draw::{buffer, text};
use super::fixtures::*;
use super::states::build::*;
use super::states::{all, story};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use glueup::tui::keymap::{Action, Context, Keymap};
use glueup::tui::msg::Msg;
use glueup::tui::theme::Theme;

const CONTEXTS: [Context; 12] = [
    Context::Code,
    Context::Dialog,
    Context::Overlay,
    Context::Field,
    Context::Choice,
    Context::Filter,
    Context::Home,
    Context::Connection,
    Context::Deploy,
    Context::Verify,
    Context::Browse,
    Context::Global,
];

fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Each action on `alt-` and a letter, in the order of the table; those that work everywhere on the last ones.
fn own() -> Keymap {
    let built_in = Keymap::load(None).unwrap();
    let mut yaml = String::new();
    for context in CONTEXTS {
        yaml += &format!("{}:\n", kebab(&format!("{context:?}")));
        let letters: Vec<char> = match context {
            Context::Global => ('a'..='z').rev().collect(),
            _ => ('a'..='z').collect(),
        };
        for (binding, letter) in built_in.bindings(context).iter().zip(letters) {
            let action = kebab(&format!("{:?}", binding.action));
            yaml += &format!("  - {{action: {action}, keys: [alt-{letter}]}}\n");
        }
    }
    Keymap::load(Some(&yaml)).unwrap()
}

/// The word for an action's own key.
fn word(context: Context, action: Action) -> String {
    let word = own().word(context, action);
    assert!(word.starts_with("alt-"), "{context:?} {action:?}: {word}");
    word
}

fn with_own_keys(mut story: Story) -> Story {
    story.model.keymap = own();
    // What was said before was said with the keys of then.
    story.model.toast = None;
    story.model.log.clear();
    story
}

/// Presses the own key of an action.
fn act(story: &mut Story, context: Context, action: Action) {
    let letter = word(context, action).chars().last().unwrap();
    story.msg(Msg::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::ALT)));
}

fn said(story: &Story) -> String {
    story.model.toast.as_ref().unwrap().line.clone()
}

/// A key of the built-in table.
fn is_built_in(word: &str) -> bool {
    let named = ["enter", "esc", "tab", "space", "F1", "F2", "^c"];
    let mut chars = word.chars();
    let letter = matches!((chars.next(), chars.next()), (Some(c), None) if c.is_ascii_alphabetic() || "?!".contains(c));
    letter || named.iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// What reads like a sentence about a key of the built-in table: `r looks`, `(y)`.
fn about_built_in(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.windows(2).filter(|pair| {
        let verb = pair[1].trim_end_matches(['.', ',', ';', ':']);
        let is_verb = verb.len() > 3 && verb.ends_with('s') && verb.chars().all(|c| c.is_ascii_lowercase());
        is_verb && is_built_in(pair[0])
    });
    let bracketed = words.iter().filter(|word| {
        let inner = word.strip_prefix('(').and_then(|rest| rest.split(')').next());
        inner.is_some_and(is_built_in)
    });
    pairs
        .map(|pair| pair.join(" "))
        .chain(bracketed.map(ToString::to_string))
        .collect()
}

#[test]
fn no_screen_tells_a_key_that_the_own_table_has_taken_away() {
    let mut wrong = Vec::new();
    // The help was written when it was opened.
    for (name, story) in all().into_iter().filter(|(name, _)| *name != "help") {
        let story = with_own_keys(story);
        for size in [(60, 15), (80, 24), (140, 50)] {
            let drawn = text(&buffer(&story.model, &Theme::mono(), size));
            wrong.extend(about_built_in(&drawn).into_iter().map(|told| (name, size, told)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_sentence_about_a_built_in_key_is_known_for_one() {
    assert_eq!(
        about_built_in("Stopped. r climbs again, the log (L) has it: Enter goes on."),
        ["r climbs", "Enter goes", "(L)"]
    );
    assert_eq!(about_built_in("alt-r climbs, a role is made (alt-x)."), [""; 0]);
}

#[test]
fn the_steps_tell_the_own_keys() {
    let drawn = |name: &str| {
        let story = with_own_keys(story(name));
        let rows = text(&buffer(&story.model, &Theme::mono(), (120, 40)));
        rows.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let deploy = |action| word(Context::Deploy, action);
    let waiting = drawn("deploy waiting");
    for (action, title) in [
        (Action::OpenBrowser, "Open in AWS Console"),
        (Action::Template, "Download template"),
        (Action::DeployHere, "Deploy from here"),
    ] {
        let row = format!("{} {title}", deploy(action));
        assert!(waiting.contains(&row), "{row}: {waiting}");
    }
    for (name, told) in [
        (
            "deploy in review",
            format!(
                "{} takes it up, {} deletes it.",
                deploy(Action::DeployHere),
                deploy(Action::DeleteStack)
            ),
        ),
        (
            "deploy outdated",
            format!("{} shows what changes", deploy(Action::DeployHere)),
        ),
        (
            "verify stopped",
            format!("{} climbs again.", word(Context::Verify, Action::Again)),
        ),
        (
            "home stale",
            format!("{} tries again.", word(Context::Home, Action::Refresh)),
        ),
        (
            "home empty",
            format!(
                "{} connect a Glue catalog",
                word(Context::Home, Action::NewCatalog)
            ),
        ),
    ] {
        let screen = drawn(name);
        assert!(screen.contains(&told), "{name}, {told}: {screen}");
    }
}

#[test]
fn what_is_said_tells_the_own_keys() {
    let deploy = |action| word(Context::Deploy, action);
    let mut waiting = with_own_keys(deploy_waiting());
    act(&mut waiting, Context::Deploy, Action::Continue);
    let (here, console) = (deploy(Action::DeployHere), deploy(Action::OpenBrowser));
    assert_eq!(
        said(&waiting),
        format!("The stacks come first: {here} deploys from here, {console} opens the console.")
    );
    waiting.model.surroundings.no_browser = Some("No browser here".into());
    act(&mut waiting, Context::Deploy, Action::OpenBrowser);
    let copy = word(Context::Overlay, Action::Copy);
    assert_eq!(
        said(&waiting),
        format!("No browser here: copy the link ({copy}) and open it where a browser is.")
    );
    let mut done = with_own_keys(story("deploy done"));
    act(&mut done, Context::Deploy, Action::OpenBrowser);
    let on = deploy(Action::Continue);
    assert_eq!(
        said(&done),
        format!("Both stacks are made: {on} goes on to Verify.")
    );
    act(&mut done, Context::Deploy, Action::Template);
    assert_eq!(
        said(&done),
        format!("Both stacks are made: {on} goes on to Verify.")
    );
}
