//! Deploying: the stack room on an embedded AWS that really makes and refuses stacks.

use crate::setup::{add_catalog, add_connection, new_catalog, new_connection, set_catalog};
use crate::support::jobs::{Ran, World, run, setup};
use glueup::domain::access::Access;
use glueup::domain::arn::RoleArn;
use glueup::domain::problem::Kind;
use glueup::job::Job;
use glueup::report::Answer;
use glueup::session::Session;
use glueup::setup::{NewCatalog, NewConnection, NewOrganization, Request as Setup};
use glueup::stack::{Request, Target, Update};

pub fn connection() -> Target {
    Target::Connection("sales".parse().unwrap())
}

pub fn catalog() -> Target {
    Target::Grant(glueup::registry::Holder::Catalog("Lake House".parse().unwrap()))
}

pub fn deploy(target: Target) -> Job {
    Job::Stack(Request::Deploy {
        target,
        role_arn: None,
        take_over: true,
    })
}

/// A home with a broker, a connection and a catalog, nothing deployed.
pub async fn recorded(world: &World) -> Session {
    let session = world.admin();
    let broker: RoleArn = world.demo.broker_role_arn.parse().unwrap();
    let new = NewOrganization {
        broker_role_arn: Some(broker),
        ..NewOrganization::default()
    };
    setup(&session, Setup::Init(new)).await;
    add_connection(&session, new_connection("sales")).await;
    add_catalog(&session, new_catalog("Lake House", "sales")).await;
    session
}

pub async fn yes(session: &Session, job: Job) -> Ran {
    run(session, job, |_| Answer::Yes).await
}

#[tokio::test]
async fn both_stacks_are_created_after_a_yes_and_once_only() {
    let world = World::start();
    let session = recorded(&world).await;
    let ran = yes(&session, deploy(connection())).await;
    let state = ran.deployed();
    assert_eq!(state.status, "CREATE_COMPLETE");
    let told = ran.told();
    assert!(
        matches!(told[0], Update::LookingIn { account, region, stack }
            if account.as_str() == "012345678901" && region.as_str() == "us-west-2" && stack == "glueup-connection-sales"),
        "{:?}",
        told[0]
    );
    assert!(told.iter().any(|u| matches!(u, Update::Event(e) if e.resource_type == "AWS::IAM::Role" && e.status == "CREATE_COMPLETE")));
    let ask = &ran.asks[0];
    assert!(
        ask.acknowledge.as_deref().unwrap().contains("CAPABILITY_IAM"),
        "{ask:?}"
    );
    assert!(ask.title.contains("0123-4567-8901"), "{}", ask.title);
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    assert_eq!(
        stored.role_arn.as_ref().unwrap().as_str(),
        state.outputs["RoleArn"]
    );
    assert_eq!(stored.stack_id.as_deref(), Some(state.id.as_str()));

    let ran = yes(&session, deploy(catalog())).await;
    ran.deployed();
    assert!(
        ran.asks[0]
            .will
            .iter()
            .any(|line| line.contains("list and read below s3://acme-lake/warehouse/"))
    );
    assert!(
        world
            .home
            .catalog(&"Lake House".parse().unwrap())
            .unwrap()
            .deployed
    );

    let again = yes(&session, deploy(catalog())).await;
    again.deployed();
    assert!(again.asks.is_empty(), "{:?}", again.asks);
    assert!(
        again
            .told()
            .iter()
            .any(|u| matches!(u, Update::Note(n) if n.contains("nothing to do")))
    );

    let ledger = world.home.ledger().entries().unwrap();
    let lines: Vec<_> = ledger
        .iter()
        .map(|e| (e.intent.action.as_str(), e.outcome.as_deref()))
        .collect();
    assert_eq!(
        lines,
        [
            ("CreateChangeSet", Some("done")),
            ("ExecuteChangeSet", Some("done")),
            ("CreateChangeSet", Some("done")),
            ("ExecuteChangeSet", Some("done"))
        ]
    );
}

#[tokio::test]
async fn a_no_changes_nothing() {
    let world = World::start();
    let session = recorded(&world).await;
    let ran = run(&session, deploy(connection()), |_| Answer::No).await;
    assert_eq!(ran.problem().kind, Kind::Interrupted);
    let aws = session.aws().await.unwrap();
    let stacks = aws.stacks(&"us-west-2".parse().unwrap());
    assert_eq!(stacks.describe("glueup-connection-sales").await.unwrap(), None);
    assert!(world.home.ledger().entries().unwrap().is_empty());
}

#[tokio::test]
async fn a_catalog_waits_for_its_connection() {
    let world = World::start();
    let session = recorded(&world).await;
    for job in [
        deploy(catalog()),
        Job::Stack(Request::Link(catalog())),
        Job::Stack(Request::Watch(catalog())),
    ] {
        let ran = yes(&session, job).await;
        assert_eq!(ran.problem().kind, Kind::CheckFailed);
        assert!(
            ran.problem().next.contains("deploy connection sales"),
            "{:?}",
            ran.problem()
        );
    }
}

#[tokio::test]
async fn the_wrong_account_is_said_before_anything_is_tried() {
    let world = World::start();
    let session = world.admin();
    let far = NewConnection {
        account_id: Some("555566667777".parse().unwrap()),
        ..new_connection("sales")
    };
    add_connection(&session, far).await;
    for job in [
        deploy(connection()),
        Job::Stack(Request::Watch(connection())),
        Job::Stack(Request::Delete {
            target: connection(),
            take_over: true,
            retain: false,
        }),
        Job::Stack(Request::Publish {
            target: connection(),
            bucket: "acme-lake".into(),
        }),
    ] {
        let shown = format!("{job:?}");
        let ran = yes(&session, job).await;
        let problem = ran.problem();
        assert_eq!(
            (problem.kind, problem.exit_code()),
            (Kind::CheckFailed, 1),
            "{shown}"
        );
        assert_eq!(
            problem.what, "not in account 5555-6666-7777: you are in 0123-4567-8901",
            "{shown}"
        );
        assert!(
            problem.next.contains("--profile") && problem.next.contains("glueup link connection sales"),
            "{problem:?}"
        );
        assert!(ran.asks.is_empty(), "{shown}");
    }
    assert!(world.home.ledger().entries().unwrap().is_empty());
}

#[tokio::test]
async fn a_user_may_not_deploy_or_delete() {
    let world = World::start();
    let session = recorded(&world).await;
    world.admins(&["arn:aws:iam::*:user/boss"]);
    let publish = Request::Publish {
        target: connection(),
        bucket: "acme-lake".into(),
    };
    for job in [
        deploy(connection()),
        Job::Stack(Request::Delete {
            target: connection(),
            take_over: true,
            retain: false,
        }),
        Job::Stack(publish),
    ] {
        let ran = yes(&session, job).await;
        assert_eq!(ran.problem().exit_code(), 4, "{:?}", ran.problem());
        assert!(ran.asks.is_empty());
    }
}

/// A connection whose role cannot be made: its permissions boundary does not exist.
async fn failed(world: &World) -> (Session, Ran) {
    let session = world.admin();
    let new = NewConnection {
        permissions_boundary: Some("arn:aws:iam::012345678901:policy/no-such-boundary".into()),
        ..new_connection("sales")
    };
    add_connection(&session, new).await;
    let ran = yes(&session, deploy(connection())).await;
    (session, ran)
}

#[tokio::test]
async fn a_rollback_names_the_first_cause_and_is_made_again_on_request() {
    let world = World::start();
    let (session, ran) = failed(&world).await;
    let problem = ran.problem();
    assert_eq!(problem.kind, Kind::CheckFailed);
    assert!(problem.what.contains("ROLLBACK_COMPLETE"), "{problem:?}");
    assert!(
        problem.why.contains("ConnectionRole") && problem.why.contains("no-such-boundary"),
        "{problem:?}"
    );

    // A no leaves it, and says the same.
    let ran = run(&session, deploy(connection()), |_| Answer::No).await;
    assert!(
        ran.asks[0].title.contains("no-such-boundary"),
        "{:?}",
        ran.asks[0]
    );
    assert!(ran.problem().why.contains("no-such-boundary"));

    // Mended, a yes deletes it and creates it again.
    let mended = NewConnection {
        permissions_boundary: Some("arn:aws:iam::aws:policy/AdministratorAccess".into()),
        account_id: None,
        ..new_connection("sales")
    };
    setup(&session, Setup::SetConnection(Box::new(mended))).await;
    let ran = yes(&session, deploy(connection())).await;
    assert_eq!(ran.deployed().status, "CREATE_COMPLETE");
    assert_eq!(ran.asks[0].yes, "Delete and create");
    let ledger = world.home.ledger().entries().unwrap();
    let actions: Vec<_> = ledger.iter().map(|e| e.intent.action.as_str()).collect();
    assert_eq!(
        actions,
        [
            "CreateChangeSet",
            "ExecuteChangeSet",
            "DeleteStack",
            "CreateChangeSet",
            "ExecuteChangeSet"
        ]
    );
}

#[tokio::test]
async fn a_change_of_the_path_updates_the_stack_and_says_what_changes() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let moved = NewCatalog {
        s3_path: Some("s3://acme-lake/other".parse().unwrap()),
        ..keep()
    };
    let (_, advice) = set_catalog(&session, moved).await;
    assert!(
        advice.iter().any(|line| line.contains("deploy it again")),
        "{advice:?}"
    );
    let ran = yes(&session, deploy(catalog())).await;
    assert_eq!(ran.deployed().status, "UPDATE_COMPLETE");
    assert_eq!(ran.asks.len(), 1);
    let will = &ran.asks[0].will;
    assert_eq!(will[1], "change Prefix from warehouse/ to other/", "{will:?}");
}

fn keep() -> NewCatalog {
    NewCatalog {
        region: None,
        s3_path: None,
        access: None,
        connection: None,
        ..new_catalog("Lake House", "sales")
    }
}

#[tokio::test]
async fn a_switch_of_the_access_level_offers_to_delete_the_old_stack() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let (switched, advice) = set_catalog(
        &session,
        NewCatalog {
            access: Some(Access::ReadWrite),
            ..keep()
        },
    )
    .await;
    assert!(!switched.deployed);
    let old = switched.left_over_stacks[0].stack_name.to_string();
    assert!(old.starts_with("glueup-glue-readonly-lake-house"), "{old}");
    assert!(
        advice
            .iter()
            .any(|line| line.contains(&old) && line.contains("stays")),
        "{advice:?}"
    );
    let ran = run(&session, deploy(catalog()), |ask| {
        if ask.yes == "Delete old stack" {
            Answer::No
        } else {
            Answer::Yes
        }
    })
    .await;
    ran.deployed();
    assert_eq!(
        world.home.catalog(&switched.name).unwrap().left_over_stacks.len(),
        1
    );
    let ran = yes(&session, deploy(catalog())).await;
    ran.deployed();
    assert_eq!(ran.asks.len(), 1, "{:?}", ran.asks);
    assert!(
        world
            .home
            .catalog(&switched.name)
            .unwrap()
            .left_over_stacks
            .is_empty()
    );
    let aws = session.aws().await.unwrap();
    assert_eq!(aws.stacks(&switched.region).describe(&old).await.unwrap(), None);
}

#[tokio::test]
async fn what_writes_to_a_whole_bucket_is_confirmed_by_its_name() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let wide = NewCatalog {
        access: Some(Access::ReadWrite),
        s3_path: Some("s3://acme-lake".parse().unwrap()),
        ..keep()
    };
    set_catalog(&session, wide).await;
    let ran = yes(&session, deploy(catalog())).await;
    ran.deployed();
    assert_eq!(ran.asks[0].type_to_confirm.as_deref(), Some("Lake House"));
}
