//! The account that the stacks belong in is on the screen, and being in another one is said before anything is tried.

use crate::screens::draw;
use crate::screens::fixtures::{Story, catalog, connection, in_use};
use crate::support::home::Home;
use crate::support::term::key;
use crate::support::walk::Walk;
use crossterm::event::KeyCode;
use glueup::job::Outcome;
use glueup::stack;
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::theme::Theme;

#[test]
fn another_account_is_said_at_deploy_before_anything_is_tried() {
    let home = Home::new();
    let mut walk = Walk::start_with(&home, 120, 40, &[], &[]);
    walk.fill_details();
    walk.go_to_connection();
    walk.press(key::TAB);
    walk.write(&key::BACKSPACE.repeat(12));
    walk.write("5555-6666-7777");
    walk.press(key::ENTER);
    walk.wait_for("Account 5555-6666-7777");
    walk.wait_for("not in account 5555-6666-7777: you are in 0123-4567-8901");
    walk.wait_for("glueup link connection sales-prod");
    let ledger = home.records().join("demo/ledger.jsonl");
    assert_eq!(std::fs::read_to_string(ledger).unwrap_or_default(), "");
    walk.press(key::CTRL_C);
    walk.term.exit_code();
}

/// At Deploy of a connection's stack, with the link that AWS's console takes.
fn at_deploy(sign_out: Option<&str>) -> Story {
    let mut overview = in_use();
    overview.connections.truncate(1);
    overview.connections[0].connection = connection("sales-prod", false);
    overview.catalogs.truncate(1);
    overview.catalogs[0].catalog = catalog("Lake House", "read-only", false);
    overview.catalogs[0].stage = glueup::registry::Stage::Deploy;
    let mut story = Story::with(overview);
    story.enter();
    let link = stack::link::Link {
        url: "https://us-west-2.console.aws.amazon.com/cloudformation/home?region=us-west-2#/stacks/create/template".into(),
        stack_name: "glueup-connection-sales-prod".into(),
        region: "us-west-2".into(),
        template_url: None,
        sign_out_url: sign_out.map(str::to_owned),
        parameters: Default::default(),
        existing: None,
        stack_url: None,
        template: None,
    };
    story.done(Slot::Link, Ok(Outcome::Stack(stack::Outcome::Link(link))));
    story
}

#[test]
fn the_whole_link_comes_with_the_way_out_of_another_account() {
    let first = "https://signin.aws.amazon.com/oauth?Action=logout&redirect_uri=https%3A%2F%2Fus-west-2";
    for sign_out in [Some(first), None] {
        let mut story = at_deploy(sign_out);
        let shown = |story: &Story| draw::text(&draw::buffer(&story.model, &Theme::colour(), (160, 40)));
        assert!(
            shown(&story).contains("Account 0123-4567-8901"),
            "{}",
            shown(&story)
        );
        story.press("z");
        let text = shown(&story);
        assert!(text.contains("#/stacks/create/template"), "{text}");
        assert_eq!(text.contains(first), sign_out.is_some(), "{text}");
        assert_eq!(text.contains("another AWS account"), sign_out.is_some());
        story.press("y");
        let copied = story.effects.iter().rev().find_map(|effect| match effect {
            Effect::Copy(text) => Some(text.clone()),
            _ => None,
        });
        let copied = copied.unwrap();
        assert!(copied.ends_with("#/stacks/create/template"), "{copied}");
        story.key(KeyCode::Esc);
    }
}
