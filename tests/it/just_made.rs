//! A role that was made seconds ago and that a connection's trust policy names: IAM refuses it for a while. And the one that
//! can never be named while the stack is made: the connection's own.

use crate::adopted::role;
use crate::deploy::{connection, deploy, yes};
use crate::setup::{add_connection, new_connection};
use crate::support::demo::Demo;
use crate::support::jobs::{Ran, World, setup};
use crate::support::term::Term;
use glueup::cloud::stacks::{NewStack, Template};
use glueup::demo::Options;
use glueup::domain::problem::Kind;
use glueup::job::{Event, Update as Told};
use glueup::registry::Connection;
use glueup::session::Session;
use glueup::setup::{NewConnection, Request as Setup};
use glueup::stack::Update;
use serde_json::json;
use std::time::Duration;

const NOBODY: &str = "arn:aws:iam::012345678901:role/nobody";

fn slow() -> World {
    World::with(Options {
        iam_delay: Duration::from_secs(8),
        ..Options::default()
    })
}

/// A role that somebody makes just now; its ARN.
async fn just_made(session: &Session, name: &str) -> String {
    let body = json!({"Resources": {"Role": {"Type": "AWS::IAM::Role", "Properties": {
        "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
            "Principal": {"AWS": "arn:aws:iam::012345678901:root"}, "Action": "sts:AssumeRole"}]}}}},
        "Outputs": {"Arn": {"Value": {"Fn::GetAtt": ["Role", "Arn"]}}}});
    let stacks = crate::change_sets::stacks(session).await;
    let new = NewStack {
        name: name.into(),
        template: Template::Body(body.to_string()),
        parameters: vec![],
        tags: vec![],
        capability: Some("CAPABILITY_IAM".into()),
        role_arn: None,
        token: None,
    };
    stacks.create(new).await.unwrap();
    loop {
        let stack = stacks.describe(name).await.unwrap().unwrap();
        if stack.status == "CREATE_COMPLETE" {
            return stack.outputs["Arn"].clone();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn trusting(arn: &str) -> NewConnection {
    NewConnection {
        trust: vec![arn.parse().unwrap()],
        ..new_connection("sales")
    }
}

/// The seconds that were counted down, and for whom.
fn counted(ran: &Ran) -> Vec<(String, u64)> {
    ran.told()
        .into_iter()
        .filter_map(|update| match update {
            Update::Again { principal, seconds } => Some((principal.clone(), *seconds)),
            _ => None,
        })
        .collect()
}

fn actions(world: &World) -> Vec<String> {
    let entries = world.home.ledger().entries().unwrap();
    entries.into_iter().map(|entry| entry.intent.action).collect()
}

#[tokio::test]
async fn a_role_of_a_moment_ago_is_waited_for_and_nothing_is_left_in_the_way() {
    let world = slow();
    let session = world.admin();
    let arn = just_made(&session, "engine").await;
    add_connection(&session, trusting(&arn)).await;
    let ran = yes(&session, deploy(connection())).await;
    assert_eq!(ran.deployed().status, "CREATE_COMPLETE");
    // One yes is for all tries.
    assert_eq!(ran.asks.len(), 1, "{:?}", ran.asks);
    let counted = counted(&ran);
    assert!(
        counted.starts_with(&[(arn.clone(), 5), (arn.clone(), 4), (arn.clone(), 3)]),
        "{counted:?}"
    );
    let said =
        |u: &&Update| matches!(u, Update::Note(n) if n.contains(&format!("IAM does not know {arn} yet")));
    assert!(ran.told().iter().any(said));
    let actions = actions(&world);
    let tries = actions.chunks(3).count();
    assert!(tries > 1, "{actions:?}");
    assert_eq!(
        actions[..3],
        ["CreateChangeSet", "ExecuteChangeSet", "DeleteStack"]
    );
    assert_eq!(
        actions[actions.len() - 2..],
        ["CreateChangeSet", "ExecuteChangeSet"]
    );
}

#[tokio::test]
async fn a_changed_trust_is_waited_for_too_and_its_stack_stays() {
    let world = slow();
    let session = world.admin();
    add_connection(&session, trusting("arn:aws:iam::012345678901:user/admin")).await;
    let before = yes(&session, deploy(connection())).await;
    let arn = just_made(&session, "engine").await;
    let change = NewConnection {
        account_id: None,
        ..trusting(&arn)
    };
    setup(&session, Setup::SetConnection(Box::new(change))).await;
    let ran = yes(&session, deploy(connection())).await;
    let state = ran.deployed();
    assert_eq!(
        (state.status.as_str(), &state.id),
        ("UPDATE_COMPLETE", &before.deployed().id)
    );
    assert_eq!(ran.asks.len(), 1, "{:?}", ran.asks);
    assert!(!counted(&ran).is_empty());
    assert!(!actions(&world).contains(&"DeleteStack".to_owned()));
}

#[tokio::test]
async fn a_principal_that_does_not_come_is_named_and_the_stacks_name_is_free() {
    let world = World::start();
    let session = world.admin();
    add_connection(&session, trusting(NOBODY)).await;
    let ran = yes(&session, deploy(connection())).await;
    let problem = ran.problem();
    assert_eq!(problem.kind, Kind::CheckFailed);
    assert_eq!(
        problem.what,
        format!("the principal {NOBODY} does not exist or is in another partition")
    );
    assert!(problem.why.contains("Invalid principal in policy"), "{problem:?}");
    assert!(
        problem
            .next
            .ends_with("\nglueup connection set sales --trust ARN\nglueup deploy connection sales"),
        "{problem:?}"
    );
    assert_eq!(ran.asks.len(), 1);
    let stacks = crate::change_sets::stacks(&session).await;
    assert_eq!(stacks.describe("glueup-connection-sales").await.unwrap(), None);
    assert_eq!(actions(&world).last().unwrap(), "DeleteStack");

    // Corrected, it is made without a word on what was.
    let change = NewConnection {
        account_id: None,
        ..trusting("arn:aws:iam::012345678901:user/admin")
    };
    setup(&session, Setup::SetConnection(Box::new(change))).await;
    let ran = yes(&session, deploy(connection())).await;
    assert_eq!(ran.deployed().status, "CREATE_COMPLETE");
    assert_eq!(ran.asks[0].yes, "Create stack");
}

#[tokio::test]
async fn who_gives_up_waiting_leaves_nothing() {
    let world = slow();
    let session = world.admin();
    add_connection(&session, trusting(NOBODY)).await;
    let mut running = glueup::job::start(&session, deploy(connection()));
    let stop = running.canceller();
    let end = loop {
        match running.next().await.expect("a job ends with Done") {
            Event::Ask(_) => running.answer(glueup::report::Answer::Yes).await,
            Event::Update(Told::Stack(Update::Again { .. })) => stop.cancel(),
            Event::Update(_) => {}
            Event::Done(end) => break end,
        }
    };
    let problem = end.unwrap_err();
    assert_eq!(problem.kind, Kind::Interrupted);
    assert!(problem.why.contains(NOBODY), "{problem:?}");
    let stacks = crate::change_sets::stacks(&session).await;
    assert_eq!(stacks.describe("glueup-connection-sales").await.unwrap(), None);
}

#[test]
fn the_command_line_waits_for_a_role_of_a_moment_ago() {
    let demo = Demo::start(&["--iam-delay", "8"]);
    let home = demo.home();
    let trust = json!({"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
        "Principal": {"AWS": "arn:aws:iam::012345678901:root"}, "Action": "sts:AssumeRole"}]});
    let arn = role(&demo, "engine", &trust);
    home.record_lake(&["--trust", &arn]);
    // In a terminal the seconds are counted down.
    let mut term = Term::start(
        &home,
        110,
        40,
        &["deploy", "connection", "sales", "--yes", "--output", "json"],
        &[],
    );
    term.wait_for(&format!("IAM does not know {arn} yet"));
    term.wait_for("next try in 5 s");
    term.wait_for("next try in 3 s");
    term.wait_for("CREATE_COMPLETE");
    assert_eq!(term.exit_code(), 0);
}

const OWN: &str = "arn:aws:iam::012345678901:role/glueup-connection-sales-ConnectionRole-0A1B2C3D4E5F";

#[test]
fn a_role_is_not_named_in_its_own_trust_policy_before_it_is_there() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    let add = [
        "connection",
        "add",
        "--name",
        "sales",
        "--account-id",
        "012345678901",
    ];
    let ran = home
        .glueup(&[&add[..], &["--trust", OWN, "--output", "json"]].concat())
        .exits(2);
    let error = ran.error();
    let (what, next) = (error["what"].as_str().unwrap(), error["next"].as_str().unwrap());
    assert!(what.contains("cannot trust itself before it is there"), "{error}");
    assert!(next.starts_with("leave it out and deploy; then"), "{error}");
    // The same name in another account, and a name of another connection's, are somebody else.
    for other in [
        "arn:aws:iam::999988887777:role/glueup-connection-sales-ConnectionRole-0A1B2C3D4E5F",
        "arn:aws:iam::012345678901:role/glueup-connection-sale-ConnectionRole-0A1B2C3D4E5F",
    ] {
        home.glueup(&[&add[..], &["--trust", other]].concat()).ok();
        home.glueup(&["connection", "delete", "sales"]).ok();
    }

    // As it says: in two steps it works.
    home.glueup(&add).ok();
    let set = |arns: &[&str]| {
        let flags: Vec<&str> = arns.iter().flat_map(|arn| ["--trust", arn]).collect();
        let words = [&["connection", "set", "sales"], &flags[..]].concat();
        home.glueup(&words)
    };
    set(&[OWN]).exits(2);
    home.glueup(&["deploy", "connection", "sales", "--region", "us-west-2", "--yes"])
        .ok();
    let shown = home
        .glueup(&["connection", "show", "sales", "--output", "json"])
        .ok()
        .json();
    let own = shown["role_arn"].as_str().unwrap().to_owned();
    set(&["arn:aws:iam::012345678901:user/admin", &own]).ok();
    home.glueup(&["deploy", "connection", "sales", "--yes"]).ok();

    // Once its stack is gone it is not there any more, and that is said before anything is tried.
    home.glueup(&["stack", "delete", "connection", "sales", "--yes"])
        .ok();
    let ledger = || home.glueup(&["ledger"]).ok().stdout.lines().count();
    let before = ledger();
    let said = home.glueup(&["deploy", "connection", "sales", "--yes"]).exits(2);
    assert!(
        said.stderr.contains("cannot trust itself before it is there"),
        "{}",
        said.stderr
    );
    assert_eq!(ledger(), before);
    set(&["arn:aws:iam::012345678901:user/admin"]).ok();
    home.glueup(&["deploy", "connection", "sales", "--yes"]).ok();
}

/// Deleted behind our back, the record still says that the role is there.
#[tokio::test]
async fn a_stack_that_somebody_else_deleted_is_not_made_with_its_own_role() {
    let world = World::start();
    let session = world.admin();
    add_connection(&session, trusting("arn:aws:iam::012345678901:user/admin")).await;
    yes(&session, deploy(connection())).await.deployed();
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let own = stored.role_arn.clone().unwrap().to_string().parse().unwrap();
    let changed = Connection {
        trust: vec![own],
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
    let stacks = crate::change_sets::stacks(&session).await;
    stacks.delete("glueup-connection-sales", None).await.unwrap();
    while stacks
        .describe("glueup-connection-sales")
        .await
        .unwrap()
        .is_some()
    {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let ran = yes(&session, deploy(connection())).await;
    assert_eq!(ran.problem().kind, Kind::Usage, "{:?}", ran.problem());
    assert!(ran.asks.is_empty());
}
