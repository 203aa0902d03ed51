//! A stack that is deleted behind our back, and one that is made while nobody watches.

use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{add_catalog, new_catalog};
use crate::stacks::in_the_browser;
use crate::support::fake::Reply;
use crate::support::jobs::{World, run, setup};
use crate::verify::{deployed, report, rung, verify};
use crate::verify_breaks::through;
use glueup::domain::access::Access;
use glueup::domain::status::Status;
use glueup::job::{Job, Outcome, Update};
use glueup::registry::{Grant, Holder, Stage, stage};
use glueup::report::Answer;
use glueup::session::Session;
use glueup::setup::{NewStorage, Request as Setup};
use glueup::stack::look::Sight;
use glueup::stack::{self, Request, Target};
use glueup::verify::RungId;
use std::time::Duration;

const ROLE_STACK: &str = "glueup-connection-sales";

/// Deletes a stack as somebody does in the console; answers when it is gone.
pub async fn deleted(session: &Session, name: &str) {
    let stacks = crate::change_sets::stacks(session).await;
    stacks.delete(name, None).await.unwrap();
    while stacks.describe(name).await.unwrap().is_some() {
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

pub fn grant(world: &World) -> Grant {
    Grant::from(&world.home.catalog(&"Lake House".parse().unwrap()).unwrap().record)
}

fn stage_of(world: &World) -> Stage {
    let serving = world.home.connection(&"sales".parse().unwrap()).unwrap();
    stage(&grant(world), Some(&serving), None)
}

pub async fn looked(session: &Session) -> Vec<Sight> {
    // Whoever has not signed in looks at nothing.
    session.aws().await.unwrap().identity().await.unwrap();
    let ran = run(session, Job::Stack(Request::Look), |ask| panic!("{ask:?}")).await;
    assert!(
        matches!(ran.end, Ok(Outcome::Stack(stack::Outcome::Looked))),
        "{:?}",
        ran.end
    );
    let sights = ran.updates.into_iter().map(|update| match update {
        Update::Stack(stack::Update::Sight(sight)) => sight,
        other => panic!("{other:?}"),
    });
    sights.collect()
}

/// The same, without what was seen on its way.
async fn settled(session: &Session) -> Vec<Sight> {
    let mut sights = looked(session).await;
    sights.retain(|sight| !matches!(sight, Sight::Stands(..)));
    sights
}

#[tokio::test]
async fn verify_says_that_the_policys_stack_is_gone_and_deploying_makes_it_again() {
    let world = World::start();
    let session = deployed(&world).await;
    let name = grant(&world).stack_name;
    deleted(&session, name.as_str()).await;
    let ran = yes(&session, verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    assert_eq!(databases.status, Status::Failed, "{databases:#?}");
    let gone = format!("The stack {name} is gone (deleted 20");
    assert!(databases.answer.starts_with(&gone), "{databases:#?}");
    assert_eq!(
        databases.next.as_deref(),
        Some("Its stack is gone: deploy it again\nglueup deploy catalog 'Lake House'")
    );
    // No hand-made policy is offered for what a deployment brings back, at no rung.
    for rung in &report(&ran).rungs {
        let next = rung.next.as_deref().unwrap_or_default();
        assert!(!next.contains("put-role-policy"), "{rung:#?}");
    }
    assert_eq!(stage_of(&world), Stage::Deploy);
    assert_eq!(grant(&world).stack_id, None);
    let ran = yes(&session, deploy(catalog())).await;
    assert_eq!(ran.deployed().status, "CREATE_COMPLETE");
    assert_eq!(stage_of(&world), Stage::Verify);
    let ran = yes(&session, verify()).await;
    assert_ne!(report(&ran).verdict, Status::Failed, "{:#?}", report(&ran));
}

#[tokio::test]
async fn verify_says_that_the_roles_stack_is_gone_and_both_are_made_again() {
    let world = World::start();
    let session = deployed(&world).await;
    deleted(&session, grant(&world).stack_name.as_str()).await;
    deleted(&session, ROLE_STACK).await;
    let ran = yes(&session, verify()).await;
    let role = rung(report(&ran), RungId::Role);
    assert!(
        role.answer
            .starts_with("The stack glueup-connection-sales is gone (deleted 20"),
        "{role:#?}"
    );
    assert_eq!(
        role.next.as_deref(),
        Some("Its stack is gone: deploy it again\nglueup deploy connection sales")
    );
    let serving = world.home.connection(&"sales".parse().unwrap()).unwrap();
    assert_eq!((&serving.role_arn, &serving.stack_id), (&None, &None));
    assert_eq!(stage_of(&world), Stage::Deploy);
    for target in [connection(), catalog()] {
        assert_eq!(stage_of(&world), Stage::Deploy);
        yes(&session, deploy(target)).await.deployed();
    }
    let ran = yes(&session, verify()).await;
    assert_ne!(report(&ran).verdict, Status::Failed, "{:#?}", report(&ran));
}

#[tokio::test]
async fn who_deleted_it_is_said_where_cloudtrail_shows_it() {
    let world = World::start();
    let session = deployed(&world).await;
    let name = grant(&world).stack_name.to_string();
    deleted(&session, &name).await;
    let told = serde_json::json!({
        "requestParameters": {"stackName": name},
        "userIdentity": {"arn": "arn:aws:iam::012345678901:user/bob"},
    });
    let events = serde_json::json!({"Events": [{"Username": "bob", "CloudTrailEvent": told.to_string()}]});
    let session = through(&world, move |asked| {
        asked
            .header("x-amz-target")
            .ends_with(".LookupEvents")
            .then(|| Reply::json(&events))
    });
    let ran = yes(&session, verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    assert!(
        databases
            .answer
            .contains(" UTC by arn:aws:iam::012345678901:user/bob). "),
        "{databases:#?}"
    );
}

#[tokio::test]
async fn who_may_not_look_at_stacks_changes_nothing() {
    let world = World::start();
    let session = deployed(&world).await;
    let before = grant(&world);
    deleted(&session, before.stack_name.as_str()).await;
    let session = through(&world, |asked| {
        let denied = "User: arn:aws:iam::012345678901:user/admin is not authorized to perform: \
                      cloudformation:DescribeStacks on resource: * because no identity-based policy allows the \
                      cloudformation:DescribeStacks action";
        (asked.action() == "DescribeStacks").then(|| Reply::query_error(403, "AccessDenied", denied))
    });
    let ran = yes(&session, verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    assert_eq!(databases.status, Status::Failed);
    assert!(!databases.answer.contains("is gone"), "{databases:#?}");
    assert_eq!(looked(&session).await, []);
    assert_eq!(grant(&world), before);
}

#[tokio::test]
async fn a_look_at_all_finds_what_is_gone_and_what_was_made_and_is_quiet_about_the_rest() {
    let world = World::start();
    let session = deployed(&world).await;
    let storage = || Target::Grant(Holder::Storage("raw".parse().unwrap()));
    let raw = NewStorage {
        name: "raw".parse().unwrap(),
        s3_path: Some("s3://acme-lake/raw".parse().unwrap()),
        access_point: Default::default(),
        access: Some(Access::ReadOnly),
        connection: Some("sales".parse().unwrap()),
        kms_key: None,
    };
    setup(&session, Setup::AddStorage(raw)).await;
    assert_eq!(looked(&session).await, [], "all is as the records say");

    let stack = grant(&world).stack_name;
    deleted(&session, stack.as_str()).await;
    in_the_browser(&session, storage(), |_, value| value).await;
    // Each is told as it comes.
    let mut sights = settled(&session).await;
    sights.sort_by_key(|sight| matches!(sight, Sight::Made(_)));
    let [Sight::Gone(gone), Sight::Made(made)] = sights.as_slice() else {
        panic!("{sights:?}")
    };
    assert_eq!(
        (&gone.target, &gone.stack, gone.anew),
        (&catalog(), &stack, false)
    );
    assert!(gone.at.is_some());
    assert_eq!(*made, storage());
    assert_eq!(stage_of(&world), Stage::Deploy);
    let raw = world.home.storage(&"raw".parse().unwrap()).unwrap();
    assert!(raw.deployed && raw.stack_id.is_some());
    assert_eq!(settled(&session).await, []);
}

#[tokio::test]
async fn a_stack_that_another_one_has_taken_the_place_of_is_gone_by_as_well() {
    let world = World::start();
    let session = deployed(&world).await;
    let before = grant(&world);
    deleted(&session, before.stack_name.as_str()).await;
    in_the_browser(&session, catalog(), |_, value| value).await;
    let sights = settled(&session).await;
    assert_eq!(sights.last(), Some(&Sight::Made(catalog())), "{sights:?}");
    let after = grant(&world);
    assert!(after.deployed);
    assert_ne!(after.stack_id, before.stack_id);

    // One that grants something else is not taken for it.
    deleted(&session, before.stack_name.as_str()).await;
    in_the_browser(&session, catalog(), |name, value| match name {
        "Prefix" => "elsewhere/".to_owned(),
        _ => value,
    })
    .await;
    let sights = settled(&session).await;
    let [Sight::Gone(gone), Sight::Unlike(target)] = sights.as_slice() else {
        panic!("{sights:?}")
    };
    assert_eq!(*target, catalog());
    assert!(
        gone.anew && gone.words().ends_with("another one has its name"),
        "{gone:?}"
    );
    assert_eq!(stage_of(&world), Stage::Deploy);
}

#[tokio::test]
async fn a_stack_that_was_begun_before_a_crash_is_followed_to_its_end() {
    let world = World::start();
    let session = recorded(&world).await;
    add_catalog(&session, new_catalog("Other", "sales")).await;
    // As a killed program leaves it: CloudFormation has been told, the record knows nothing.
    let stacks = crate::change_sets::stacks(&session).await;
    let template = yes(&session, Job::Stack(Request::Template(connection()))).await;
    let Ok(Outcome::Stack(stack::Outcome::Template {
        body,
        parameters,
        stack_name,
    })) = template.end
    else {
        panic!("no template")
    };
    stacks
        .create(glueup::cloud::stacks::NewStack {
            name: stack_name,
            template: glueup::cloud::stacks::Template::Body(body),
            parameters,
            tags: Vec::new(),
            capability: Some("CAPABILITY_IAM".to_owned()),
            role_arn: None,
            token: None,
        })
        .await
        .unwrap();
    let sights = looked(&session).await;
    let (last, before) = sights.split_last().unwrap();
    assert_eq!(*last, Sight::Made(connection()));
    for sight in before {
        assert_eq!(
            *sight,
            Sight::Stands(connection(), "CREATE_IN_PROGRESS".to_owned())
        );
    }
    assert!(!before.is_empty(), "it was seen at work");
    assert!(
        world
            .home
            .connection(&"sales".parse().unwrap())
            .unwrap()
            .role_arn
            .is_some()
    );
    let ran = run(&session, Job::Stack(Request::Watch(connection())), |_| Answer::No).await;
    ran.deployed();
}
