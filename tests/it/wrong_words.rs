//! What is typed wrong is answered with which part, why, and what it should look like; and what was typed stays.

use crate::screens::draw;
use crate::screens::fixtures::{Story, empty};
use crate::support::home::Home;
use crossterm::event::KeyCode;
use glueup::tui::effect::Effect;
use glueup::tui::model::{Screen, Step, Wizard};
use glueup::tui::theme::Theme;

/// A flag, what is given to it, which part that is, why it is wrong, and what is expected.
const WRONG: [(&str, &str, &str, &str, &str); 34] = [
    ("--account-id", "12345", "account ID", "5 digits", "12 digits"),
    (
        "--account-id",
        "12345678901",
        "account ID",
        "11 digits",
        "12 digits",
    ),
    ("--account-id", "acme-prod", "account ID", "alias", "12 digits"),
    ("--account-id", "1.2e11", "account ID", "'.'", "12 digits"),
    (
        "--role-arn",
        "arn:aws:iam::012345678901:user/ann",
        "role ARN",
        "user/",
        "role/",
    ),
    (
        "--role-arn",
        "arn:aws:iam::012345678901:role/",
        "role ARN",
        "",
        ":role/",
    ),
    ("--role-arn", "arn:aws:s3:::bucket", "role ARN", "", ":role/"),
    ("--role-arn", "arn:aws:iam::1234:role/x", "role ARN", "", ":role/"),
    ("--role-arn", "reader", "role ARN", "", "arn:aws:iam::"),
    (
        "--role-arn",
        "arn:awz:iam::012345678901:role/x",
        "role ARN",
        "partition",
        "arn:aws",
    ),
    ("--broker-role", "012345678901", "role ARN", "", "arn:aws:iam::"),
    ("--trust", "012345678901", "principal", "", "arn:aws:iam::"),
    ("--trust", "*", "principal", "", "arn:aws:iam::"),
    (
        "--trust",
        "arn:aws:iam::012345678901:group/g",
        "principal",
        "",
        "arn:aws:iam::",
    ),
    (
        "--permissions-boundary",
        "arn:aws:iam::012345678901:role/x",
        "policy ARN",
        "managed policy",
        ":policy/",
    ),
    ("--role-path", "engines", "role path", "slash", "/team/lake/"),
    ("--region", "us-wets-2", "region", "shape", "us-west-2"),
    (
        "--region",
        "us-west-2a",
        "region",
        "availability zone",
        "us-west-2",
    ),
    ("--region", "Oregon", "region", "shape", "us-west-2"),
    ("--region", "no", "region", "shape", "us-west-2"),
    (
        "--s3-path",
        "acme-lake/wh",
        "S3 path",
        "no scheme",
        "s3://acme-lake/wh",
    ),
    (
        "--s3-path",
        "s3:/acme-lake/wh",
        "S3 path",
        "scheme",
        "s3://BUCKET",
    ),
    ("--s3-path", "hdfs://name/wh", "S3 path", "not S3", "s3://BUCKET"),
    (
        "--s3-path",
        "https://acme.s3.us-west-2.amazonaws.com/wh",
        "S3 path",
        "web address",
        "s3://acme/wh",
    ),
    (
        "--s3-path",
        "arn:aws:s3:::acme/wh/*",
        "S3 path",
        "ARN",
        "s3://acme/wh/",
    ),
    ("--s3-path", "s3://Acme/wh", "S3 bucket", "capital", ""),
    ("--s3-path", "s3://acme//wh", "S3 path", "slash", "s3://acme/wh"),
    ("--s3-path", "s3://acme/wh/*", "S3 path", "pattern", "prefix"),
    ("--access", "admin", "access", "", "read-only"),
    ("--access", "write", "access", "", "read-write"),
    ("--kms-key", "alias/x", "KMS key ARN", "", ":key/"),
    (
        "--kms-key",
        "arn:aws:kms:us-west-2:012345678901:alias/x",
        "KMS key ARN",
        "alias",
        ":key/",
    ),
    ("--name", " ", "name", "empty", "1 to 64 characters"),
    (
        "--name",
        "two\nlines",
        "name",
        "more than one line",
        "1 to 64 characters",
    ),
];

#[test]
fn a_wrong_word_on_the_command_line_is_answered_with_part_reason_and_shape() {
    let home = Home::new();
    for (flag, given, part, why, expected) in WRONG {
        let of_connection = [
            "--account-id",
            "--role-arn",
            "--broker-role",
            "--trust",
            "--role-path",
        ];
        let sort = if of_connection.contains(&flag) || flag == "--permissions-boundary" {
            "connection"
        } else {
            "catalog"
        };
        let ran = home
            .glueup(&[sort, "add", flag, given, "--output", "json"])
            .exits(2);
        assert_eq!(ran.stdout, "");
        let error = ran.error();
        let what = error["what"].as_str().unwrap();
        for word in [flag, part, why, "Expected: ", expected] {
            assert!(what.contains(word), "{flag} {given:?}: no {word:?} in {what}");
        }
        let typed = given.replace('\n', "␊");
        assert!(what.contains(&typed), "what was typed is shown: {what}");
        for field in ["why", "next"] {
            assert!(!error[field].as_str().unwrap().is_empty(), "{error}");
        }
    }
    assert!(!home.records().join("connections").exists());
    assert!(!home.records().join("catalogs").exists());
}

pub fn wizard(story: &Story) -> &Wizard {
    match &story.model.screen {
        Screen::Wizard(wizard) => wizard,
        other => panic!("{other:?}"),
    }
}

/// The words on the screen, without the line ends and margins that wrapping brings.
fn words(story: &Story) -> String {
    let text = draw::text(&draw::buffer(&story.model, &Theme::colour(), (220, 60)));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn clear(story: &mut Story, text: &str) {
    for _ in text.chars() {
        story.key(KeyCode::Backspace);
    }
}

pub fn typed(story: &Story) -> [String; 3] {
    let details = &wizard(story).details;
    [&details.name, &details.region, &details.s3_path].map(|field| field.text().to_owned())
}

#[test]
fn a_wrong_word_in_details_is_answered_under_its_field_and_stays() {
    for (flag, given, part, why, expected) in WRONG {
        let at = match flag {
            "--name" => 0,
            "--region" => 1,
            "--s3-path" => 2,
            _ => continue,
        };
        // A field holds one line.
        if given.contains('\n') {
            continue;
        }
        let mut story = Story::with(empty());
        story.press("n");
        let mut wanted = [
            "Lake".to_owned(),
            "us-west-2".to_owned(),
            "s3://acme/wh".to_owned(),
        ];
        wanted[at] = given.to_owned();
        for text in &wanted {
            let there = typed(&story)[wizard(&story).details.focus as usize].clone();
            clear(&mut story, &there);
            story.press(text).tab();
        }
        assert_eq!(typed(&story), wanted);
        story.enter();
        assert_eq!(wizard(&story).step, Step::Details, "{given}");
        assert_eq!(
            wizard(&story).details.focus as usize,
            at,
            "the bad field has the keys"
        );
        assert_eq!(typed(&story), wanted, "nothing typed is lost");
        let shown = words(&story);
        for word in [part, why] {
            assert!(shown.contains(word), "{given}: no {word:?} in {shown}");
        }
        assert!(
            expected.is_empty() || shown.contains(expected),
            "{given}: no {expected:?} in {shown}"
        );
        // Leaving and coming back loses nothing either: it is kept as a draft.
        story.key(KeyCode::Esc);
        let kept = story.effects.iter().rev().find_map(|effect| match effect {
            Effect::Run(_, job) => Some(format!("{job:?}")).filter(|job| job.contains("Draft")),
            _ => None,
        });
        assert!(kept.is_some_and(|job| job.contains(given.trim())), "{given}");
    }
}

#[test]
fn a_wrong_account_in_the_form_is_answered_under_its_field_and_stays() {
    for (flag, given, part, why, expected) in WRONG {
        if flag != "--account-id" {
            continue;
        }
        let mut story = at_form();
        story.press("sales").tab();
        clear(&mut story, "012345678901");
        story.press(given).enter();
        let form = wizard(&story).connection.form.as_ref().unwrap();
        assert_eq!((form.name.text(), form.account.text()), ("sales", given));
        let shown = words(&story);
        for word in [part, why, expected] {
            assert!(shown.contains(word), "{given}: no {word:?} in {shown}");
        }
    }
}

/// The form of a new connection, its name field with the keys.
pub fn at_form() -> Story {
    let mut story = Story::with(empty());
    story
        .press("n")
        .press("Lake")
        .tab()
        .tab()
        .press("s3://acme/wh")
        .enter();
    assert_eq!(wizard(&story).step, Step::Connection);
    assert!(wizard(&story).connection.form.is_some());
    story
}
