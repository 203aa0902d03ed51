//! What the browser makes is watched; what was made is deleted; links and files lead elsewhere.

use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{add_catalog, add_connection, new_catalog, new_connection};
use crate::support::jobs::{World, run};
use glueup::cloud::stacks::{NewStack, Template};
use glueup::domain::access::Access;
use glueup::domain::problem::Kind;
use glueup::job::{Job, Outcome};
use glueup::report::Answer;
use glueup::session::Session;
use glueup::setup::{NewCatalog, NewConnection};
use glueup::stack::{self, Request, Target, Update};

/// What a template request answers: name, body, parameters.
pub async fn template(session: &Session, target: Target) -> (String, String, Vec<(String, String)>) {
    match yes(session, Job::Stack(Request::Template(target)))
        .await
        .end
        .unwrap()
    {
        Outcome::Stack(stack::Outcome::Template {
            body,
            parameters,
            stack_name,
        }) => (stack_name, body, parameters),
        other => panic!("{other:?}"),
    }
}

/// Creates a stack as the browser does: no tags, the parameters of the link, changed by `change`.
pub async fn in_the_browser(session: &Session, target: Target, change: impl Fn(&str, String) -> String) {
    let (name, body, parameters) = template(session, target).await;
    let aws = session.aws().await.unwrap();
    let stacks = aws.stacks(&"us-west-2".parse().unwrap());
    let parameters = parameters
        .into_iter()
        .map(|(k, v)| {
            let v = change(&k, v);
            (k, v)
        })
        .collect();
    stacks
        .create(NewStack {
            name,
            template: Template::Body(body),
            parameters,
            tags: Vec::new(),
            capability: Some("CAPABILITY_IAM".to_owned()),
            role_arn: None,
            token: None,
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_stack_made_in_the_browser_is_noticed_and_its_outputs_are_read() {
    let world = World::start();
    let session = recorded(&world).await;
    let other = world.admin();
    let watching = yes(&session, Job::Stack(Request::Watch(connection())));
    let browser = async {
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        in_the_browser(&other, connection(), |_, value| value).await;
    };
    let (ran, ()) = tokio::join!(watching, browser);
    let told = ran.told();
    assert_eq!(
        told.iter().filter(|u| matches!(u, Update::NotThere)).count(),
        1,
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|u| matches!(u, Update::Status(s) if s == "CREATE_COMPLETE")),
        "{told:?}"
    );
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    assert_eq!(
        stored.role_arn.as_ref().unwrap().as_str(),
        ran.deployed().outputs["RoleArn"]
    );
    // Made by a link, so without tags: its parameters say that it is ours.
    let again = yes(&session, deploy(connection())).await;
    assert!(again.asks.is_empty(), "{:?}", again.asks);
    again.deployed();
}

#[tokio::test]
async fn stacks_are_deleted_in_order_and_the_records_know_it() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let ran = yes(
        &session,
        Job::Stack(Request::Delete {
            target: connection(),
            take_over: true,
            retain: false,
        }),
    )
    .await;
    assert!(ran.problem().why.contains("Lake House"), "{:?}", ran.problem());
    for target in [catalog(), connection()] {
        let ran = yes(
            &session,
            Job::Stack(Request::Delete {
                target,
                take_over: true,
                retain: false,
            }),
        )
        .await;
        assert!(
            matches!(&ran.end, Ok(Outcome::Stack(stack::Outcome::Deleted(_)))),
            "{:?}",
            ran.end
        );
        assert_eq!(ran.asks.len(), 1);
    }
    assert!(
        !world
            .home
            .catalog(&"Lake House".parse().unwrap())
            .unwrap()
            .deployed
    );
    assert_eq!(
        world.home.connection(&"sales".parse().unwrap()).unwrap().role_arn,
        None
    );
    // Gone already, and the records know it.
    for target in [catalog(), connection()] {
        let ran = yes(
            &session,
            Job::Stack(Request::Delete {
                target,
                take_over: true,
                retain: false,
            }),
        )
        .await;
        assert_eq!(ran.problem().exit_code(), 3, "{:?}", ran.end);
        assert!(ran.asks.is_empty());
    }
}

#[tokio::test]
async fn the_demos_link_leads_to_its_console_with_every_parameter() {
    let world = World::start();
    let session = recorded(&world).await;
    let ran = yes(&session, Job::Stack(Request::Link(connection()))).await;
    let Ok(Outcome::Stack(stack::Outcome::Link(link))) = ran.end else {
        panic!("{:?}", ran.end)
    };
    assert!(link.url.starts_with(&world.demo.console_url), "{}", link.url);
    let template_url = link.template_url.unwrap();
    assert!(template_url.starts_with(&world.demo.endpoint_url) && template_url.ends_with("connection.yaml"));
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    assert_eq!(link.parameters["ExternalId"], stored.external_id.as_str());
    assert!(
        link.url
            .contains(&format!("param_ExternalId={}", stored.external_id))
    );
}

#[tokio::test]
async fn a_saved_template_is_never_written_over_another_file() {
    let world = World::start();
    let session = recorded(&world).await;
    let path = world.folder().join("review.yaml");
    let save = || Job::Stack(Request::Save(connection(), Some(path.clone())));
    yes(&session, save()).await.end.unwrap();
    let note = std::fs::read_to_string(world.folder().join("review.parameters.json")).unwrap();
    let note: serde_json::Value = serde_json::from_str(&note).unwrap();
    assert_eq!(note[0]["ParameterKey"], "AccountId");
    yes(&session, save())
        .await
        .end
        .expect("the same text once more is no change");
    std::fs::write(&path, "mine\n").unwrap();
    let ran = yes(&session, save()).await;
    assert!(
        ran.problem().what.contains("not overwritten"),
        "{:?}",
        ran.problem()
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine\n");
}

#[tokio::test]
async fn advice_tells_what_is_there_from_what_is_not() {
    let world = World::start();
    let session = world.admin();
    let outsider = world.caller(&world.demo.outsider);
    let about = |region: Option<&str>, path: &str| {
        Job::Stack(Request::Advise {
            region: region.map(|region| region.parse().unwrap()),
            s3_path: path.parse().unwrap(),
        })
    };
    let advise = |path: &str| about(Some("us-west-2"), path);
    let ran = yes(&session, advise("s3://acme-lake/warehouse")).await;
    let Ok(Outcome::Stack(stack::Outcome::Advice(advice))) = ran.end else {
        panic!("{:?}", ran.end)
    };
    assert_eq!(
        advice.bucket,
        [(true, "bucket acme-lake is there, in us-west-2".to_owned())]
    );
    let (good, catalog) = advice.catalog.unwrap();
    assert!(good && catalog.contains("databases"), "{catalog}");
    // Where no catalog is asked for, none is looked at, and no region is the bucket's.
    let ran = yes(&session, about(None, "s3://acme-lake/warehouse")).await;
    let Ok(Outcome::Stack(stack::Outcome::Advice(advice))) = ran.end else {
        panic!("{:?}", ran.end)
    };
    let there = (true, "bucket acme-lake is there, in us-west-2".to_owned());
    assert_eq!((advice.bucket, advice.catalog), (vec![there], None));
    let ran = yes(&session, advise("s3://no-such-bucket-anywhere")).await;
    let Ok(Outcome::Stack(stack::Outcome::Advice(advice))) = ran.end else {
        panic!("{:?}", ran.end)
    };
    assert_eq!(
        advice.bucket,
        [(false, "there is no bucket no-such-bucket-anywhere".to_owned())]
    );
    let ran = yes(&outsider, advise("s3://acme-lake/warehouse")).await;
    let Ok(Outcome::Stack(stack::Outcome::Advice(advice))) = ran.end else {
        panic!("{:?}", ran.end)
    };
    let (good, catalog) = advice.catalog.unwrap();
    assert!(!good && catalog.contains("not allowed to look"), "{catalog}");
}

#[tokio::test]
async fn a_template_is_published_once_after_a_yes() {
    let world = World::start();
    let session = recorded(&world).await;
    let publish = |bucket: &str| {
        Job::Stack(Request::Publish {
            target: connection(),
            bucket: bucket.to_owned(),
        })
    };
    let ran = run(&session, publish("acme-lake"), |_| Answer::No).await;
    assert_eq!(ran.problem().kind, Kind::Interrupted);
    assert!(world.home.published().is_empty());
    let ran = yes(&session, publish("acme-lake")).await;
    let Ok(Outcome::Stack(stack::Outcome::Published(url))) = ran.end else {
        panic!("{:?}", ran.end)
    };
    let key = url
        .strip_prefix(&format!("{}/acme-lake/", world.demo.endpoint_url))
        .unwrap();
    let aws = session.aws().await.unwrap();
    let body = aws
        .s3(&"us-west-2".parse().unwrap())
        .get("acme-lake", key)
        .await
        .unwrap();
    assert!(body.starts_with(b"AWSTemplateFormatVersion"));
    assert_eq!(world.home.published()["connection.yaml"].url, url);
    let ledger = world.home.ledger().entries().unwrap();
    assert_eq!(ledger[0].intent.action, "PutObject");
    let again = yes(&session, publish("acme-lake")).await;
    assert!(again.end.is_ok() && again.asks.is_empty(), "{:?}", again.end);
    let ran = yes(&session, publish("no-such-bucket-anywhere")).await;
    assert_eq!(ran.problem().kind, Kind::NotFound);
}

#[tokio::test]
async fn a_watch_can_be_stopped_and_changes_nothing() {
    let world = World::start();
    let session = recorded(&world).await;
    let mut running = glueup::job::start(&session, Job::Stack(Request::Watch(connection())));
    let stop = running.canceller();
    while let Some(event) = running.next().await {
        match event {
            glueup::job::Event::Update(glueup::job::Update::Stack(Update::NotThere)) => stop.cancel(),
            glueup::job::Event::Done(end) => {
                assert_eq!(end.unwrap_err().exit_code(), 130);
                return;
            }
            _ => {}
        }
    }
    panic!("a job ends with Done");
}

#[tokio::test]
async fn an_adopted_role_is_never_given_a_stack() {
    let world = World::start();
    let session = world.admin();
    let role = "arn:aws:iam::012345678901:role/lake-reader".parse().unwrap();
    add_connection(
        &session,
        NewConnection {
            role_arn: Some(role),
            ..new_connection("sales")
        },
    )
    .await;
    add_catalog(&session, new_catalog("Lake House", "sales")).await;
    for target in [connection(), catalog()] {
        for job in [
            deploy(target.clone()),
            Job::Stack(Request::Watch(target.clone())),
            Job::Stack(Request::Link(target.clone())),
        ] {
            let ran = yes(&session, job).await;
            assert!(
                ran.problem().why.contains("never changes it"),
                "{:?}",
                ran.problem()
            );
        }
    }
    let ran = yes(
        &session,
        Job::Stack(Request::Delete {
            target: connection(),
            take_over: true,
            retain: false,
        }),
    )
    .await;
    assert_eq!(ran.problem().exit_code(), 3, "{:?}", ran.problem());
    // For whoever keeps the role.
    let ran = yes(&session, Job::Stack(Request::Template(catalog()))).await;
    assert!(ran.end.is_ok(), "{:?}", ran.end);
}

#[tokio::test]
async fn a_policy_that_the_role_has_no_room_for_is_refused_before_anything_is_made() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let databases = (0..50).map(|n| format!("db{n:02}")).collect();
    let wide = NewCatalog {
        access: Some(Access::ReadWrite),
        databases,
        ..new_catalog("wide", "sales")
    };
    add_catalog(&session, wide).await;
    let ran = yes(
        &session,
        deploy(Target::Grant(glueup::registry::Holder::Catalog(
            "wide".parse().unwrap(),
        ))),
    )
    .await;
    let problem = ran.problem();
    assert_eq!(
        problem.what, "the role has no room for this policy",
        "{problem:?}"
    );
    assert!(
        problem.why.contains("10240") && ran.asks.is_empty(),
        "{problem:?}"
    );
}

#[tokio::test]
async fn every_permission_is_shown_with_its_why() {
    let world = World::start();
    let session = recorded(&world).await;
    let catalog = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let connection = world.home.connection(&catalog.connection).unwrap();
    let lines = stack::grant::policy_in_words(&glueup::registry::Grant::from(&catalog.record), &connection);
    let all = lines.join("\n");
    assert!(all.contains("on arn:aws:s3:::acme-lake/warehouse/*"), "{all}");
    assert!(
        all.contains("on arn:aws:glue:us-west-2:012345678901:database/*"),
        "{all}"
    );
    assert!(
        all.contains(r#"only if {"StringLike":{"s3:prefix":["warehouse/","warehouse/*"]}}"#),
        "{all}"
    );
    assert!(
        !all.contains("not explained") && !all.contains("s3:PutObject"),
        "{all}"
    );
    drop(session);
}
