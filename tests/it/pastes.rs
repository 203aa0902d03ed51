//! What is pasted goes into one field as one line, and submits nothing.

use crate::screens::draw;
use crate::screens::fixtures::{Story, empty, in_use};
use crate::wrong_words::{at_form, clear, typed, wizard};
use crossterm::event::KeyCode;
use glueup::tui::msg::Msg;
use glueup::tui::theme::Theme;

/// What is pasted, what a field has of it, and how many lines there were.
const PASTES: [(&str, &str, usize); 8] = [
    ("sales\n", "sales", 1),
    ("sales\r\n", "sales", 1),
    ("\n\nsales\n\n", "sales", 1),
    ("  sales  ", "sales", 1),
    ("sales\nD\ny\n", "sales", 3),
    ("sales\rq\r", "sales", 2),
    ("sa\u{1b}les\u{7}\n", "sales", 1),
    ("sa\u{9b}les\r\n\r\nrm -rf /\r\n", "sales", 2),
];

#[test]
fn a_paste_fills_one_field_and_submits_nothing() {
    type Place = (&'static str, fn() -> Story, fn(&Story) -> String);
    let places: [Place; 6] = [
        (
            "name",
            || {
                let mut story = Story::with(empty());
                story.press("n");
                story
            },
            |story| typed(story)[0].clone(),
        ),
        (
            "region",
            || {
                let mut story = Story::with(empty());
                story.press("n").tab();
                clear(&mut story, "us-west-2");
                story
            },
            |story| typed(story)[1].clone(),
        ),
        (
            "S3 path",
            || {
                let mut story = Story::with(empty());
                story.press("n").tab().tab();
                story
            },
            |story| typed(story)[2].clone(),
        ),
        ("connection name", at_form, |story| {
            wizard(story)
                .connection
                .form
                .as_ref()
                .unwrap()
                .name
                .text()
                .to_owned()
        }),
        (
            "account",
            || {
                let mut story = at_form();
                story.tab();
                clear(&mut story, "012345678901");
                story
            },
            |story| {
                wizard(story)
                    .connection
                    .form
                    .as_ref()
                    .unwrap()
                    .account
                    .text()
                    .to_owned()
            },
        ),
        (
            "what is typed to confirm",
            || {
                let mut story = Story::with(empty());
                story
                    .press("n")
                    .press("Lake")
                    .tab()
                    .tab()
                    .press("s3://acme")
                    .tab()
                    .press(" ")
                    .enter();
                assert!(story.model.dialog.is_some());
                story
            },
            |story| story.model.dialog.as_ref().unwrap().typed.text().to_owned(),
        ),
    ];
    for (place, build, field) in places {
        for (pasted, kept, lines) in PASTES {
            let mut story = build();
            let step = wizard(&story).step;
            story.effects.clear();
            story.msg(Msg::Paste(pasted.to_owned()));
            assert_eq!(field(&story), kept, "{place}: {pasted:?}");
            assert_eq!(wizard(&story).step, step, "{place}: {pasted:?}");
            assert!(story.effects.is_empty(), "{place}: {pasted:?}");
            let told = story.model.toast.as_ref().map(|toast| toast.line.clone());
            assert_eq!(
                told.is_some_and(|line| line.contains(&format!("{lines} lines"))),
                lines > 1,
                "{place}: {pasted:?}"
            );
        }
    }
    // A field beneath a text is not seen.
    let mut story = Story::with(empty());
    story
        .press("n")
        .key(KeyCode::F(1))
        .msg(Msg::Paste("sales".into()));
    assert!(story.model.overlay.is_some());
    assert_eq!(typed(&story)[0], "");
    // No field, no effect.
    for keys in ["", "?", "L"] {
        let mut story = Story::with(in_use());
        story.press(keys);
        let before = story.model.screen.clone();
        story.effects.clear();
        story.msg(Msg::Paste("q\nx\ny\n".into()));
        assert_eq!(story.model.screen, before);
        assert_eq!(
            (story.effects.as_slice(), story.model.dialog.is_some()),
            (&[][..], false)
        );
    }
}

#[test]
fn a_paste_goes_in_where_the_cursor_is_however_large_it_is() {
    let mut story = Story::with(empty());
    story.press("n").press("ad").key(KeyCode::Left);
    story.msg(Msg::Paste("bé日c".into())).press("!");
    assert_eq!(typed(&story)[0], "abé日c!d");
    story.msg(Msg::Paste("x".repeat(200_000)));
    let kept = "x".repeat(2_048 - 7);
    assert_eq!(typed(&story)[0], format!("abé日c!{kept}d"));
    let told = story.model.toast.as_ref().unwrap().line.clone();
    assert!(
        told.contains("200,000 letters: the first 2,041 were taken"),
        "{told}"
    );
    draw::buffer(&story.model, &Theme::colour(), (80, 24));
}

#[test]
fn letters_change_nothing_on_the_access_choice() {
    let mut story = Story::with(empty());
    story.press("n").press("Lake").tab().tab().tab();
    let before = (wizard(&story).details.access, wizard(&story).details.focus);
    story.press("s3://hjklqzLS");
    assert_eq!(
        (wizard(&story).details.access, wizard(&story).details.focus),
        before
    );
    assert!(story.model.overlay.is_none());
    let told = story.model.toast.as_ref().unwrap().line.clone();
    assert!(told.starts_with("Access is chosen with "), "{told}");
    story.msg(Msg::Paste("s3://acme".to_owned()));
    let told = story.model.toast.as_ref().unwrap().line.clone();
    assert!(told.starts_with("Access is chosen with "), "{told}");
    for key in [KeyCode::Right, KeyCode::Left, KeyCode::Char(' ')] {
        let before = wizard(&story).details.access;
        story.key(key);
        assert_ne!(wizard(&story).details.access, before, "{key:?}");
    }
}
