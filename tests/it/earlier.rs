//! A record that is deleted and added again under its name, while its stack stays: taken over or deleted, after a
//! question that says whose it may be.

use crate::change_sets::leave;
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{add_catalog, add_connection, new_catalog, new_connection};
use crate::stacks::in_the_browser;
use crate::support::demo::Demo;
use crate::support::jobs::{World, run, setup};
use glueup::cloud::stacks::StackDescription;
use glueup::domain::problem::Kind;
use glueup::job::Job;
use glueup::registry::{Holder, Home};
use glueup::report::{Answer, Ask};
use glueup::session::Session;
use glueup::setup::Request as Setup;
use glueup::stack::{Request, Target, Update};

const STACK: &str = "glueup-connection-sales";

/// A deploy as `--yes` alone asks for it.
fn plain(target: Target) -> Job {
    Job::Stack(Request::Deploy {
        target,
        role_arn: None,
        take_over: false,
    })
}

fn delete(target: Target, take_over: bool) -> Job {
    Job::Stack(Request::Delete {
        target,
        take_over,
        retain: false,
    })
}

async fn described(session: &Session, name: &str) -> Option<StackDescription> {
    let aws = session.aws().await.unwrap();
    let stacks = aws.stacks(&"us-west-2".parse().unwrap());
    loop {
        match stacks.describe(name).await.unwrap() {
            Some(stack) if stack.status.ends_with("_IN_PROGRESS") => {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            found => return found,
        }
    }
}

/// The connection's record is deleted and added again, under its name; answers the external ID of before.
async fn connection_again(world: &World, session: &Session) -> String {
    let name = || "sales".parse().unwrap();
    let before = world.home.connection(&name()).unwrap().external_id.to_string();
    for holder in world.home.bound(&name()).unwrap() {
        let Holder::Catalog(lake) = holder else {
            panic!("{holder:?}")
        };
        setup(session, Setup::DeleteCatalog(lake)).await;
    }
    setup(session, Setup::DeleteConnection(name())).await;
    add_connection(session, new_connection("sales")).await;
    add_catalog(session, new_catalog("Lake House", "sales")).await;
    before
}

fn says(ask: &Ask, words: &str) -> bool {
    ask.title.contains(words) || ask.will.iter().any(|line| line.contains(words))
}

#[tokio::test]
async fn a_connection_that_is_added_again_takes_its_stack_over_after_a_question_that_says_so() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let old = connection_again(&world, &session).await;
    let stored = || world.home.connection(&"sales".parse().unwrap()).unwrap();
    let new = stored().external_id.to_string();
    let before = described(&session, STACK).await.unwrap();
    let lines = world.home.ledger().entries().unwrap().len();

    // Nobody who waits for it is led on, and --yes alone takes nothing from anybody.
    for job in [Job::Stack(Request::Watch(connection())), plain(connection())] {
        let ran = yes(&session, job).await;
        let problem = ran.problem();
        assert_eq!(problem.exit_code(), 1, "{problem:?}");
        assert!(
            problem.what.contains("an earlier record of that name"),
            "{problem:?}"
        );
        assert!(
            problem.why.contains(&old) && problem.why.contains("colleague"),
            "{problem:?}"
        );
        assert!(
            problem.next.contains("glueup deploy connection sales"),
            "{problem:?}"
        );
        assert!(
            problem.next.contains("glueup stack delete connection sales"),
            "{problem:?}"
        );
        assert!(ran.asks.is_empty());
    }
    let ran = run(&session, deploy(connection()), |_| Answer::No).await;
    assert_eq!(ran.problem().kind, Kind::Interrupted);
    assert_eq!(ran.asks.len(), 1);
    assert_eq!(described(&session, STACK).await.unwrap(), before);
    assert_eq!(
        world.home.ledger().entries().unwrap().len(),
        lines,
        "not even a change set"
    );

    let ran = yes(&session, deploy(connection())).await;
    ran.deployed();
    let ask = &ran.asks[0];
    assert_eq!(ask.yes, "Take it over");
    for words in [
        "an earlier record of that name",
        "colleague",
        &old,
        &new,
        "take the access from",
    ] {
        assert!(says(ask, words), "{words}: {ask:?}");
    }
    // What CloudFormation makes of it is shown and acknowledged as ever.
    assert_eq!(ran.asks[1].yes, "Update stack");
    assert!(ran.asks[1].acknowledge.is_some());
    let after = described(&session, STACK).await.unwrap();
    assert_eq!(after.id, before.id);
    assert_eq!(after.parameters["ExternalId"], new);
    assert_eq!(after.tags["glueup:record"], format!("sales/{}", stored().id));
    assert_eq!(
        stored().role_arn.as_ref().unwrap().as_str(),
        after.outputs["RoleArn"]
    );

    // From now on it is this record's.
    let again = yes(&session, plain(connection())).await;
    again.deployed();
    assert!(again.asks.is_empty(), "{:?}", again.asks);
    let ran = yes(&session, delete(connection(), false)).await;
    assert!(ran.end.is_ok(), "{:?}", ran.end);
    assert!(!says(&ran.asks[0], "earlier"), "{:?}", ran.asks);
    assert_eq!(described(&session, STACK).await, None);
}

#[tokio::test]
async fn a_catalog_that_grants_the_same_as_before_is_marked_as_its_records() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let name = || "Lake House".parse().unwrap();
    setup(&session, Setup::DeleteCatalog(name())).await;
    add_catalog(&session, new_catalog("Lake House", "sales")).await;

    let watched = yes(&session, Job::Stack(Request::Watch(catalog()))).await;
    watched.deployed();
    let told = |ran: &crate::support::jobs::Ran, words: &str| {
        let said = |u: &&Update| matches!(u, Update::Note(note) if note.contains(words));
        assert!(ran.told().iter().any(said), "{:?}", ran.told());
    };
    told(&watched, "an earlier record of that name");

    // Only the mark changes, and with it nobody's access: the question is asked, and --yes answers it.
    let ran = yes(&session, plain(catalog())).await;
    ran.deployed();
    assert_eq!(ran.asks[0].yes, "Take it over");
    assert!(!says(&ran.asks[0], "take the access"), "{:?}", ran.asks[0]);
    told(&ran, "it is taken over");
    let stored = world.home.catalog(&name()).unwrap();
    let stack = described(&session, stored.stack_name.as_str()).await.unwrap();
    assert!(stack.tags["glueup:record"].ends_with(&stored.id), "{stack:?}");
    let ran = yes(&session, delete(catalog(), false)).await;
    assert!(ran.end.is_ok(), "{:?}", ran.end);
}

#[tokio::test]
async fn a_colleagues_stack_is_deleted_only_after_a_question_that_names_what_is_lost() {
    let world = World::start();
    let session = recorded(&world).await;
    // A colleague, whose home has the same organization, has a connection of the same name.
    let theirs = Session::new(
        Home::at(world.folder().join("colleague")),
        (*session.settings).clone(),
    );
    add_connection(&theirs, new_connection("sales")).await;
    yes(&theirs, deploy(connection())).await.deployed();
    let stored = theirs.home.connection(&"sales".parse().unwrap()).unwrap();

    let ran = yes(&session, delete(connection(), false)).await;
    let problem = ran.problem();
    assert_eq!(problem.exit_code(), 1);
    assert!(problem.what.contains(&stored.id), "{problem:?}");
    assert!(problem.next.contains("--take-over"), "{problem:?}");
    assert!(ran.asks.is_empty());
    let ran = run(&session, delete(connection(), true), |_| Answer::No).await;
    assert_eq!(ran.problem().kind, Kind::Interrupted);
    let ask = &ran.asks[0];
    let id = stored.external_id.to_string();
    for words in ["an earlier record of that name", "colleague", &id, &stored.id] {
        assert!(says(ask, words), "{words}: {ask:?}");
    }
    assert!(described(&session, STACK).await.is_some());
    let ran = yes(&session, delete(connection(), true)).await;
    assert!(ran.end.is_ok(), "{:?}", ran.end);
    assert_eq!(described(&session, STACK).await, None);
    // And then the name is free.
    yes(&session, plain(connection())).await.deployed();
}

#[tokio::test]
async fn what_an_earlier_record_left_without_anything_in_it_is_made_anew() {
    let world = World::start();
    let session = recorded(&world).await;
    in_the_browser(&session, connection(), |name, value| match name {
        "Record" => "sales/00000000".to_owned(),
        "TrustedPrincipals" => "arn:aws:iam::012345678901:role/nobody".to_owned(),
        _ => value,
    })
    .await;
    let undone = described(&session, STACK).await.unwrap();
    assert_eq!(undone.status, "ROLLBACK_COMPLETE");
    let ran = yes(&session, plain(connection())).await;
    ran.deployed();
    assert_eq!(ran.asks[0].yes, "Delete and create");
    assert_ne!(described(&session, STACK).await.unwrap().id, undone.id);

    // The same for a change set that waits in a stack that is not made yet.
    let ran = yes(&session, delete(connection(), false)).await;
    assert!(ran.end.is_ok(), "{:?}", ran.end);
    leave(&session, "theirs", Some("sales/00000000")).await;
    let ran = yes(&session, plain(connection())).await;
    ran.deployed();
    assert_eq!(ran.asks[0].yes, "Take it over");
    assert!(!says(&ran.asks[0], "change ExternalId"), "{:?}", ran.asks[0]);
    assert_eq!(ran.asks[1].yes, "Create stack");
}

#[test]
fn the_verbs_lead_out_of_it() {
    let demo = Demo::start(&[]);
    let home = crate::cli_journey::deployed(&demo);
    let again = || {
        for arguments in [
            &["catalog", "delete", "Lake House"][..],
            &["connection", "delete", "sales-prod"],
            &[
                "connection",
                "add",
                "--name",
                "sales-prod",
                "--account-id",
                demo.field("account_id"),
            ],
        ] {
            home.glueup(arguments).ok();
        }
        home.glueup(&[
            "catalog",
            "add",
            "--name",
            "Lake House",
            "--region",
            "us-west-2",
            "--s3-path",
            "s3://acme-lake/warehouse",
            "--access",
            "read-only",
            "--connection",
            "sales-prod",
        ])
        .ok();
    };
    again();
    let deploy = &["deploy", "connection", "sales-prod", "--yes"][..];
    let refused = home.glueup(deploy).exits(1);
    assert!(
        refused
            .stderr
            .contains("deploy connection sales-prod --take-over --yes"),
        "{}",
        refused.stderr
    );
    let taken = home.glueup(&[deploy, &["--take-over"]].concat()).ok();
    assert!(taken.stderr.contains("it is taken over"), "{}", taken.stderr);
    let deploy = &["deploy", "catalog", "Lake House", "--yes"][..];
    let taken = home.glueup(deploy).ok();
    assert!(taken.stderr.contains("it is taken over"), "{}", taken.stderr);
    home.glueup(&["verify", "Lake House"]).ok();

    again();
    let delete = &["stack", "delete", "catalog", "Lake House", "--yes"][..];
    let refused = home.glueup(delete).exits(1);
    assert!(refused.stderr.contains("--take-over"), "{}", refused.stderr);
    home.glueup(&[delete, &["--take-over"]].concat()).ok();
    let delete = &[
        "stack",
        "delete",
        "connection",
        "sales-prod",
        "--yes",
        "--take-over",
    ];
    home.glueup(delete).ok();
    home.glueup(&["deploy", "connection", "sales-prod", "--yes"]).ok();
}
