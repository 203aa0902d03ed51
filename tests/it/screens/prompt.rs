//! What the Deploy step asks for: a service role for CloudFormation, and a permissions boundary for the connection's role.

use super::draw::{buffer, text};
use super::fixtures::*;
use super::states::build::*;
use crossterm::event::KeyCode;
use glueup::domain::problem::{Kind, Problem};
use glueup::job::{Job, Outcome};
use glueup::setup::{self, NewConnection};
use glueup::stack::Request;
use glueup::tui::effect::{Effect, Slot};
use glueup::tui::theme::Theme;
use glueup::tui::update::command_lines;

const ROLE: &str = "arn:aws:iam::012345678901:role/for-cloudformation";
const POLICY: &str = "arn:aws:iam::012345678901:policy/house-rules";

/// The screen as one line, as it is read.
fn read(story: &Story) -> String {
    let screen = text(&buffer(&story.model, &Theme::colour(), (80, 24)));
    screen.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn jobs(story: &Story) -> Vec<(Slot, &Job)> {
    story
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Run(ticket, job) => Some((ticket.slot, &**job)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_service_role_is_named_looked_at_and_used() {
    let mut story = deploy_waiting();
    assert_eq!(
        command_lines(&story.model),
        ["glueup deploy connection sales-prod"]
    );
    story.press("s");
    assert!(read(&story).contains("SERVICE ROLE"), "{}", read(&story));
    // While it is typed, no letter is a key of the step.
    story.effects.clear();
    story.press("Dq").enter();
    assert!(jobs(&story).is_empty(), "{:?}", story.effects);
    assert!(
        read(&story).contains("SERVICE ROLE") && read(&story).contains("arn:aws:iam::"),
        "{}",
        read(&story)
    );
    story.key(KeyCode::Backspace).key(KeyCode::Backspace);
    story.press(ROLE).enter();
    let looks = jobs(&story).into_iter().any(|(slot, job)| {
        slot == Slot::Preflight
            && matches!(job, Job::Stack(Request::Preflight { role_arn: Some(arn), .. }) if arn == ROLE)
    });
    assert!(looks, "{:?}", story.effects);
    let screen = read(&story);
    assert!(
        screen.contains(&format!("CloudFormation works with the service role {ROLE}")),
        "{screen}"
    );
    assert_eq!(
        command_lines(&story.model),
        [format!("glueup deploy connection sales-prod --role-arn {ROLE}")]
    );
    story.effects.clear();
    story.press("D");
    let deploys = jobs(&story).into_iter().any(
        |(_, job)| matches!(job, Job::Stack(Request::Deploy { role_arn: Some(arn), .. }) if arn == ROLE),
    );
    assert!(deploys, "{:?}", story.effects);
}

#[test]
fn a_service_role_is_offered_where_rights_lack_and_may_be_taken_back() {
    let mut story = deploy_waiting();
    let offer = "s names a service role";
    assert!(!read(&story).contains(offer));
    let lacks = Problem::new(
        Kind::CheckFailed,
        "it failed",
        "no right",
        "deploy with a service role (--role-arn)",
    );
    story.press("D");
    story.done(Slot::Write, Err(lacks));
    assert!(read(&story).contains(offer), "{}", read(&story));
    story.press("s").press(ROLE).enter();
    assert!(!read(&story).contains(offer));
    // Given up, the one before stays; emptied, there is none.
    story.press("s").key(KeyCode::End).press("x").key(KeyCode::Esc);
    assert!(command_lines(&story.model)[0].ends_with(ROLE));
    story.press("s");
    for _ in 0..ROLE.len() {
        story.key(KeyCode::Backspace);
    }
    story.enter();
    assert_eq!(
        command_lines(&story.model),
        ["glueup deploy connection sales-prod"]
    );
}

#[test]
fn a_boundary_is_offered_where_it_is_demanded_and_goes_on_record() {
    let mut story = deploy_waiting();
    let offer = "b names the permissions boundary";
    assert!(!read(&story).contains(offer));
    let demanded = Problem::new(Kind::CheckFailed, "it failed", "explicit deny", "")
        .with_steps("name it:\nglueup connection set sales-prod --permissions-boundary ARN");
    story.press("D");
    story.done(Slot::Write, Err(demanded));
    assert!(read(&story).contains(offer), "{}", read(&story));
    story.press("b");
    assert!(read(&story).contains("PERMISSIONS BOUNDARY"));
    story.press("no arn").enter();
    assert!(read(&story).contains("PERMISSIONS BOUNDARY"));
    for _ in 0.."no arn".len() {
        story.key(KeyCode::Backspace);
    }
    story.effects.clear();
    story.press(POLICY).enter();
    let wanted = NewConnection {
        permissions_boundary: Some(POLICY.into()),
        ..NewConnection::named("sales-prod".parse().unwrap())
    };
    let records = jobs(&story)
        .into_iter()
        .any(|(_, job)| matches!(job, Job::Setup(setup::Request::SetConnection(new)) if **new == wanted));
    assert!(records, "{:?}", story.effects);
    // The step goes on where it was; the catalog's record is not written anew.
    let before = jobs(&story).len();
    let changed = glueup::registry::Connection {
        permissions_boundary: Some(POLICY.parse().unwrap()),
        ..connection("sales-prod", false)
    };
    let outcome = setup::Outcome::Connection(Box::new(changed.clone()), Vec::new());
    story.done(Slot::Write, Ok(Outcome::Setup(outcome)));
    let begun: Vec<Slot> = jobs(&story)
        .into_iter()
        .skip(before)
        .map(|(slot, _)| slot)
        .collect();
    for slot in [Slot::Overview, Slot::Watch, Slot::Preflight] {
        assert!(begun.contains(&slot), "{begun:?}");
    }
    assert!(!begun.contains(&Slot::Write), "{begun:?}");
    let mut overview = in_use();
    overview.connections.truncate(1);
    overview.connections[0].connection = changed;
    overview.catalogs.drain(..2);
    story.records(overview);
    let screen = read(&story);
    assert!(
        screen.contains(&format!("The role gets the permissions boundary {POLICY}")),
        "{screen}"
    );
}
