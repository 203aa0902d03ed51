//! A record that is changed after its stack was made: the stack grants what it granted until it is deployed again.

use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{add_catalog, new_catalog, set_catalog};
use crate::support::jobs::{World, run};
use crate::verify::{deployed, report, rung, verify};
use glueup::cloud::stacks::{NewStack, Template};
use glueup::domain::access::Access;
use glueup::job::{Event, Job, Outcome, Update};
use glueup::registry::{Catalog, Grant, Holder, Stage, stage};
use glueup::report::Answer;
use glueup::session::Session;
use glueup::setup::NewCatalog;
use glueup::stack::{self, Request, Target, Update as Told};
use glueup::verify::{RungId, Status};
use std::time::Duration;

fn keep() -> NewCatalog {
    NewCatalog {
        region: None,
        s3_path: None,
        access: None,
        connection: None,
        ..new_catalog("Lake House", "sales")
    }
}

fn record(world: &World) -> Catalog {
    world.home.catalog(&"Lake House".parse().unwrap()).unwrap().record
}

fn stage_of(world: &World) -> Stage {
    let catalog = record(world);
    let serving = world.home.connection(&catalog.connection).unwrap();
    stage(&Grant::from(&catalog), Some(&serving), None)
}

async fn moved(session: &Session) {
    let moved = NewCatalog {
        s3_path: Some("s3://acme-lake/other".parse().unwrap()),
        ..keep()
    };
    set_catalog(session, moved).await;
}

/// What a watching job says until it has looked at the stack, and for a while after that: it must not end.
async fn watched(session: &Session) -> Vec<String> {
    let mut running = glueup::job::start(session, Job::Stack(Request::Watch(catalog())));
    let mut notes = Vec::new();
    let look = async {
        while let Some(event) = running.next().await {
            match event {
                Event::Update(Update::Stack(Told::Note(line))) => notes.push(line),
                Event::Done(end) => panic!("it must wait: {end:?}"),
                _ => {}
            }
        }
    };
    assert!(tokio::time::timeout(Duration::from_secs(2), look).await.is_err());
    notes
}

#[tokio::test]
async fn a_change_leads_back_to_deploy_and_the_stack_of_before_is_not_taken_for_the_right_one() {
    let changes: [(NewCatalog, &str); 2] = [
        (
            NewCatalog {
                s3_path: Some("s3://acme-lake/other".parse().unwrap()),
                ..keep()
            },
            "was made for s3://acme-lake/warehouse/, the record asks for s3://acme-lake/other/",
        ),
        (
            NewCatalog {
                databases: vec!["sales".to_owned()],
                ..keep()
            },
            "was made for all databases, the record asks for the database sales",
        ),
    ];
    for (change, told) in changes {
        let world = World::start();
        let session = deployed(&world).await;
        assert_eq!(stage_of(&world), Stage::Verify);
        set_catalog(&session, change).await;
        assert_eq!(stage_of(&world), Stage::Deploy);
        assert!(Grant::from(&record(&world)).is_made() && Grant::from(&record(&world)).is_outdated());

        // It grants what it did: that can be read meanwhile.
        let list = glueup::browse::Request::DatabaseNames {
            catalog: "Lake House".parse().unwrap(),
            as_caller: false,
        };
        let ran = yes(&session, Job::Browse(list)).await;
        assert!(ran.end.is_ok(), "{:?}", ran.end);

        let notes = watched(&session).await;
        assert_eq!(notes.len(), 1, "once is enough: {notes:?}");
        assert!(notes[0].contains(told), "{notes:?}");
        assert_eq!(stage_of(&world), Stage::Deploy);
        // A link makes new stacks only.
        let ran = yes(&session, Job::Stack(Request::Link(catalog()))).await;
        assert!(ran.problem().what.contains("no link"), "{:?}", ran.problem());
        let preflight = Request::Preflight {
            target: catalog(),
            role_arn: None,
        };
        let ran = yes(&session, Job::Stack(preflight)).await;
        let Ok(Outcome::Stack(stack::Outcome::Preflight(checks))) = &ran.end else {
            panic!("{:?}", ran.end)
        };
        assert!(
            checks.iter().any(|check| check.finding.answer.contains(told)),
            "{checks:#?}"
        );
        let ran = yes(&session, verify()).await;
        let problem = ran.problem();
        assert!(problem.why.contains(told), "{problem:?}");
        assert!(
            problem.next.contains("glueup deploy catalog 'Lake House'"),
            "{problem:?}"
        );

        let ran = yes(&session, deploy(catalog())).await;
        assert_eq!(ran.deployed().status, "UPDATE_COMPLETE");
        assert_eq!(stage_of(&world), Stage::Verify);
        let ran = run(&session, Job::Stack(Request::Watch(catalog())), |_| Answer::No).await;
        ran.deployed();
    }
}

#[tokio::test]
async fn a_change_that_is_taken_back_needs_no_update() {
    let world = World::start();
    let session = deployed(&world).await;
    moved(&session).await;
    let back = NewCatalog {
        s3_path: Some("s3://acme-lake/warehouse".parse().unwrap()),
        ..keep()
    };
    set_catalog(&session, back).await;
    let ran = run(&session, Job::Stack(Request::Watch(catalog())), |_| Answer::No).await;
    ran.deployed();
    assert_eq!(stage_of(&world), Stage::Verify);
}

#[tokio::test]
async fn the_stack_that_one_goes_back_to_may_be_another_than_it_was() {
    let world = World::start();
    let session = deployed(&world).await;
    let access = |access| NewCatalog {
        access: Some(access),
        ..keep()
    };
    set_catalog(&session, access(Access::ReadWrite)).await;
    moved(&session).await;
    set_catalog(&session, access(Access::ReadOnly)).await;
    assert_eq!(stage_of(&world), Stage::Deploy);
    assert!(Grant::from(&record(&world)).is_made());
    let ran = yes(&session, deploy(catalog())).await;
    assert_eq!(ran.deployed().status, "UPDATE_COMPLETE");
    assert!(
        record(&world)
            .stack_id
            .unwrap()
            .starts_with("arn:aws:cloudformation:")
    );
}

#[tokio::test]
async fn verify_names_the_stack_and_not_a_policy_beside_it() {
    let world = World::start();
    let session = deployed(&world).await;
    // As somebody does who changes the record in an editor.
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let mut changed = stored.record.clone();
    changed.s3_path = "s3://acme-lake/other".parse().unwrap();
    world.home.update(&stored, changed).unwrap();
    let ran = yes(&session, verify()).await;
    let failed: Vec<_> = report(&ran)
        .rungs
        .iter()
        .filter(|rung| rung.status == Status::Failed)
        .collect();
    assert!(!failed.is_empty(), "{:#?}", report(&ran));
    for rung in failed {
        let next = rung.next.as_deref().unwrap();
        assert_eq!(
            next,
            format!(
                "The stack {} was made for s3://acme-lake/warehouse/, the record asks for s3://acme-lake/other/: deploy \
                 again\nglueup deploy catalog 'Lake House'",
                record(&world).stack_name
            )
        );
    }
}

#[tokio::test]
async fn what_an_outdated_stack_grants_counts_on_the_role_of_others() {
    let world = World::start();
    let session = deployed(&world).await;
    let wide = Target::Grant(Holder::Catalog("Wide".parse().unwrap()));
    add_catalog(
        &session,
        NewCatalog {
            access: Some(Access::ReadWrite),
            ..new_catalog("Wide", "sales")
        },
    )
    .await;
    yes(&session, deploy(wide)).await.deployed();
    let narrower = NewCatalog {
        s3_path: Some("s3://acme-lake/other".parse().unwrap()),
        ..NewCatalog {
            name: "Wide".parse().unwrap(),
            ..keep()
        }
    };
    set_catalog(&session, narrower).await;
    let ran = yes(&session, verify()).await;
    let write = rung(report(&ran), RungId::Write);
    assert_eq!(write.status, Status::Failed, "{write:#?}");
    assert!(write.next.as_deref().unwrap().contains("Wide"), "{write:#?}");

    // Its role is not to go while the policy is on it.
    let delete = Job::Stack(Request::Delete {
        target: connection(),
        take_over: true,
        retain: false,
    });
    let ran = yes(&session, delete).await;
    assert!(ran.problem().why.contains("Wide"), "{:?}", ran.problem());
}

#[tokio::test]
async fn what_another_catalog_left_behind_is_named() {
    let world = World::start();
    let session = deployed(&world).await;
    let wide = Target::Grant(Holder::Catalog("Wide".parse().unwrap()));
    add_catalog(
        &session,
        NewCatalog {
            access: Some(Access::ReadWrite),
            ..new_catalog("Wide", "sales")
        },
    )
    .await;
    yes(&session, deploy(wide)).await.deployed();
    let name: glueup::domain::names::CatalogName = "Wide".parse().unwrap();
    let narrower = NewCatalog {
        access: Some(Access::ReadOnly),
        name: name.clone(),
        ..keep()
    };
    set_catalog(&session, narrower).await;
    let left = world.home.catalog(&name).unwrap().left_over_stacks[0]
        .stack_name
        .to_string();
    let ran = yes(&session, verify()).await;
    let write = rung(report(&ran), RungId::Write);
    assert_eq!(write.status, Status::Failed, "{write:#?}");
    let next = write.next.as_deref().unwrap();
    assert!(
        next.contains(&left) && next.contains("glueup deploy catalog Wide"),
        "{next}"
    );
}

#[tokio::test]
async fn a_record_that_is_changed_while_its_stack_is_made_is_not_taken_for_deployed() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let home = world.home.clone();
    let ran = run(&session, deploy(catalog()), |_| {
        let stored = home.catalog(&"Lake House".parse().unwrap()).unwrap();
        let mut changed = stored.record.clone();
        changed.s3_path = "s3://acme-lake/other".parse().unwrap();
        home.update(&stored, changed).unwrap();
        Answer::Yes
    })
    .await;
    ran.deployed();
    assert_eq!(stage_of(&world), Stage::Deploy);
    assert!(Grant::from(&record(&world)).is_outdated());
}

#[tokio::test]
async fn a_level_that_is_switched_while_a_stack_is_made_leaves_that_stack_behind() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let mut running = glueup::job::start(&session, Job::Stack(Request::Watch(catalog())));
    // That there is no stack yet is said once it is watched for.
    loop {
        match running.next().await {
            Some(Event::Update(Update::Stack(Told::NotThere))) => break,
            Some(Event::Update(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    let first = record(&world);
    let made = made_after_the_switch(&session).await;
    let end = loop {
        match running.next().await {
            Some(Event::Done(end)) => break end,
            Some(_) => {}
            None => panic!("it ends with Done"),
        }
    };
    assert!(end.is_ok(), "{end:?}");
    let catalog = record(&world);
    assert_ne!(catalog.stack_name, first.stack_name);
    assert_eq!((catalog.deployed, catalog.stack_id), (false, None));
    assert_eq!(catalog.left_over_stacks.len(), 1);
    assert_eq!(catalog.left_over_stacks[0].stack_name, made);
    assert_eq!(stage_of(&world), Stage::Deploy);
}

/// The stack is made as the link says, once the record asks for another access level; answers its name.
async fn made_after_the_switch(session: &Session) -> glueup::domain::stack_name::StackName {
    let before = session.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let link = Job::Stack(Request::Template(catalog()));
    let Ok(Outcome::Stack(stack::Outcome::Template { body, parameters, .. })) = yes(session, link).await.end
    else {
        panic!("no template")
    };
    let switched = NewCatalog {
        access: Some(Access::ReadWrite),
        ..keep()
    };
    set_catalog(session, switched).await;
    let stacks = crate::change_sets::stacks(session).await;
    let new = NewStack {
        name: before.stack_name.to_string(),
        template: Template::Body(body),
        parameters,
        tags: Vec::new(),
        capability: Some("CAPABILITY_IAM".to_owned()),
        role_arn: None,
        token: None,
    };
    stacks.create(new).await.unwrap();
    before.stack_name.clone()
}
