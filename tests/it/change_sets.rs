//! Deploying through change sets: what is shown before the yes, and what a no, a kill or an odd endpoint leaves.

use crate::cli_journey::{deployed, recorded as recorded_home};
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{new_catalog, set_catalog};
use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::jobs::{World, run};
use crate::support::term::Term;
use glueup::cloud::stacks::change_sets::Sort;
use glueup::cloud::stacks::{NewStack, Stacks, Template};
use glueup::domain::problem::Kind;
use glueup::job::{Job, Outcome};
use glueup::report::Answer;
use glueup::session::Session;
use glueup::setup::{NewCatalog, NewConnection, Request as Setup};
use glueup::stack::{self, Act, Request, Update};
use rustix::process::Signal;

pub const STACK: &str = "glueup-connection-sales";

pub async fn stacks(session: &Session) -> Stacks {
    let aws = session.aws().await.unwrap();
    aws.stacks(&"us-west-2".parse().unwrap())
}

pub fn actions(world: &World) -> Vec<String> {
    let entries = world.home.ledger().entries().unwrap();
    entries.into_iter().map(|entry| entry.intent.action).collect()
}

pub async fn moved(session: &Session, path: &str) {
    let change = NewCatalog {
        region: None,
        access: None,
        connection: None,
        s3_path: Some(path.parse().unwrap()),
        ..new_catalog("Lake House", "sales")
    };
    set_catalog(session, change).await;
}

/// Leaves a change set in the connection's stack as somebody else would, or as we would for `record`.
pub async fn leave(session: &Session, name: &str, record: Option<&str>) {
    let ran = yes(session, Job::Stack(Request::Template(connection()))).await;
    let Ok(Outcome::Stack(stack::Outcome::Template {
        body, mut parameters, ..
    })) = ran.end
    else {
        panic!("{:?}", ran.end)
    };
    if let Some(record) = record {
        for (key, value) in &mut parameters {
            if key == "Record" {
                record.clone_into(value);
            }
        }
    }
    let new = NewStack {
        name: STACK.to_owned(),
        template: Template::Body(body),
        parameters,
        tags: Vec::new(),
        capability: Some("CAPABILITY_IAM".to_owned()),
        role_arn: None,
        token: None,
    };
    let stacks = stacks(session).await;
    stacks.create_change_set(name, Sort::Create, new).await.unwrap();
    loop {
        let set = stacks.change_set(STACK, name).await.unwrap().unwrap();
        if set.status == "CREATE_COMPLETE" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_new_stack_is_shown_whole_before_anything_is_written() {
    let world = World::start();
    let session = recorded(&world).await;
    let ran = run(&session, deploy(connection()), |_| Answer::No).await;
    assert!(
        ran.problem().why.contains("nothing has been changed"),
        "{:?}",
        ran.problem()
    );
    let ask = &ran.asks[0];
    assert_eq!(ask.will[0], "+ add ConnectionRole (AWS::IAM::Role)");
    assert!(
        ask.will
            .iter()
            .any(|line| line.starts_with("NamedPrincipalsWithExternalId: ")),
        "{ask:?}"
    );
    assert!(actions(&world).is_empty());
    assert_eq!(stacks(&session).await.describe(STACK).await.unwrap(), None);

    let ran = yes(&session, deploy(connection())).await;
    let state = ran.deployed();
    assert_eq!(state.changes.len(), 1, "{state:?}");
    assert_eq!(state.changes[0].act, Act::Add);
    assert_eq!(
        ran.asks.len(),
        1,
        "what was shown is what is done: {:?}",
        ran.asks
    );
    assert_eq!(actions(&world), ["CreateChangeSet", "ExecuteChangeSet"]);
}

#[tokio::test]
async fn an_update_says_what_is_changed_and_a_no_leaves_no_trace() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    moved(&session, "s3://acme-lake/other").await;
    let ran = run(&session, deploy(catalog()), |_| Answer::No).await;
    assert_eq!(ran.problem().kind, Kind::Interrupted);
    assert!(ran.problem().why.contains("removed again"), "{:?}", ran.problem());
    assert!(
        ran.asks[0].will[0].starts_with("~ change ") && ran.asks[0].will[0].ends_with("(AWS::IAM::Policy)"),
        "{:?}",
        ran.asks[0]
    );
    assert_eq!(actions(&world)[4..], ["CreateChangeSet", "DeleteChangeSet"]);
    let stacks = stacks(&session).await;
    let name = world
        .home
        .catalog(&"Lake House".parse().unwrap())
        .unwrap()
        .stack_name
        .to_string();
    let stack = stacks.describe(&name).await.unwrap().unwrap();
    assert_eq!(
        (stack.status.as_str(), stack.parameters["Prefix"].as_str()),
        ("CREATE_COMPLETE", "warehouse/")
    );
    let left = stacks.change_sets(&name).await.unwrap();
    assert!(
        left.iter().all(|set| set.execution == "EXECUTE_COMPLETE"),
        "{left:?}"
    );

    let ran = yes(&session, deploy(catalog())).await;
    assert_eq!(ran.deployed().status, "UPDATE_COMPLETE");
    assert_eq!(ran.deployed().changes[0].act, Act::Change);
}

#[tokio::test]
async fn another_role_in_the_place_of_the_old_one_is_called_that() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let elsewhere = NewConnection {
        account_id: None,
        role_path: Some("/teams/".into()),
        ..crate::setup::new_connection("sales")
    };
    crate::support::jobs::setup(&session, Setup::SetConnection(Box::new(elsewhere))).await;
    let ran = run(&session, deploy(connection()), |_| Answer::No).await;
    assert_eq!(ran.asks[0].will[0], "± replace ConnectionRole (AWS::IAM::Role)");
}

#[tokio::test]
async fn a_stack_that_an_earlier_run_left_in_review_is_deployed() {
    let world = World::start();
    let session = recorded(&world).await;
    leave(&session, "glueup-000000000000-0badcafe", None).await;
    let ran = yes(&session, deploy(connection())).await;
    assert_eq!(ran.deployed().status, "CREATE_COMPLETE");
    assert_eq!(ran.asks.len(), 1, "{:?}", ran.asks);
    // Made from another template, by its name: removed and made anew.
    assert_eq!(
        actions(&world),
        ["DeleteChangeSet", "CreateChangeSet", "ExecuteChangeSet"]
    );
}

#[tokio::test]
async fn a_stack_in_review_can_be_deleted_and_somebody_elses_is_left_alone() {
    let world = World::start();
    let session = recorded(&world).await;
    leave(&session, "mine", None).await;
    // Nobody who waits for the stack is told that it is wrong: nothing is in it yet.
    let mut watching = glueup::job::start(&session, Job::Stack(Request::Watch(connection())));
    let seen = loop {
        match watching.next().await.unwrap() {
            glueup::job::Event::Update(glueup::job::Update::Stack(Update::Status(status))) => break status,
            glueup::job::Event::Done(end) => panic!("{end:?}"),
            _ => {}
        }
    };
    assert_eq!(seen, "REVIEW_IN_PROGRESS");
    watching.canceller().cancel();
    yes(
        &session,
        Job::Stack(Request::Delete {
            target: connection(),
            take_over: true,
            retain: false,
        }),
    )
    .await
    .end
    .unwrap();
    let stacks = stacks(&session).await;
    assert_eq!(stacks.describe(STACK).await.unwrap(), None);

    leave(&session, "theirs", Some("another/12345678")).await;
    for job in [
        deploy(connection()),
        Job::Stack(Request::Delete {
            target: connection(),
            take_over: true,
            retain: false,
        }),
    ] {
        let ran = yes(&session, job).await;
        let problem = ran.problem();
        assert_eq!(problem.kind, Kind::CheckFailed, "{problem:?}");
        assert!(problem.why.contains("another/12345678"), "{problem:?}");
        assert!(ran.asks.is_empty());
    }
    assert_eq!(stacks.change_sets(STACK).await.unwrap().len(), 1);
}

#[tokio::test]
async fn another_text_that_changes_nothing_is_nothing_to_do() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let stacks = stacks(&session).await;
    let now = stacks.describe(STACK).await.unwrap().unwrap();
    let text = stacks.template(STACK).await.unwrap();
    let commented = NewStack {
        name: STACK.to_owned(),
        template: Template::Body(format!("{text}\n# reviewed\n")),
        parameters: now.parameters.into_iter().collect(),
        tags: now.tags.into_iter().collect(),
        capability: Some("CAPABILITY_IAM".to_owned()),
        role_arn: None,
        token: None,
    };
    stacks.update(commented).await.unwrap();
    let ran = yes(&session, deploy(connection())).await;
    ran.deployed();
    assert!(ran.asks.is_empty(), "{:?}", ran.asks);
    let said = |u: &&Update| matches!(u, Update::Note(n) if n.contains("nothing to do"));
    assert!(ran.told().iter().any(said), "{:?}", ran.told());
    assert_eq!(actions(&world)[2..], ["CreateChangeSet", "DeleteChangeSet"]);
}

fn ledger(home: &Home) -> Vec<String> {
    let lines = home.glueup(&["ledger", "--output", "json"]).ok().json_lines();
    let action = |line: &serde_json::Value| line["intent"]["action"].as_str().unwrap().to_owned();
    lines.iter().map(action).collect()
}

#[test]
fn killed_at_the_question_the_next_run_takes_its_change_set_up() {
    let demo = Demo::start(&[]);
    let home = deployed(&demo);
    home.glueup(&[
        "catalog",
        "set",
        "Lake House",
        "--s3-path",
        "s3://acme-lake/other",
    ])
    .ok();
    let before = ledger(&home).len();
    let mut term = Term::start(&home, 120, 40, &["deploy", "catalog", "Lake House"], &[]);
    term.wait_for("~ change");
    term.wait_for("[y/N]");
    term.signal(Signal::KILL);
    term.exit_code();

    let ran = home
        .glueup(&["deploy", "catalog", "Lake House", "--yes", "--output", "json"])
        .ok();
    assert!(
        ran.stderr.contains("of an earlier run is taken up"),
        "{}",
        ran.stderr
    );
    let last = ran.json_lines().pop().unwrap();
    assert_eq!(last["stack"]["status"], "UPDATE_COMPLETE");
    assert_eq!(last["stack"]["changes"][0]["action"], "change");
    assert_eq!(ledger(&home)[before..], ["CreateChangeSet", "ExecuteChangeSet"]);
    let again = home.glueup(&["deploy", "catalog", "Lake House", "--yes"]).ok();
    assert!(again.stderr.contains("nothing to do"), "{}", again.stderr);
}

#[test]
fn a_change_set_survives_the_kill_of_the_embedded_aws() {
    let place = Home::new();
    let demo = Demo::start_in(&place, &[]);
    let home = recorded_home(&demo);
    home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
    home.glueup(&["connection", "set", "sales-prod", "--role-path", "/teams/"])
        .ok();
    let mut term = Term::start(&home, 120, 40, &["deploy", "connection", "sales-prod"], &[]);
    term.wait_for("± replace");
    term.signal(Signal::KILL);
    term.exit_code();
    demo.kill();

    let demo = Demo::start_in(&place, &[]);
    let mut home = home;
    for (name, value) in demo.envs() {
        home.set(name, value);
    }
    let ran = home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
    assert!(
        ran.stderr.contains("of an earlier run is taken up"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("± replace ConnectionRole (AWS::IAM::Role)"),
        "{}",
        ran.stdout
    );
}
