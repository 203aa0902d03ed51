//! Who is blamed for a right that nobody asked for: the policy that gives it, and no other.

use super::{CATALOG, allow, part};
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::add_catalog;
use crate::support::iam;
use crate::support::jobs::{World, setup};
use crate::verify::{deployed, report, rung, verify};
use crate::verify_breaks::through;
use crate::verify_by_policy::{refuses, vendors};
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Failed, Passed};
use glueup::registry::{Catalog, Holder};
use glueup::setup::{NewCatalog, NewStorage, Request as Setup};
use glueup::stack::Target;
use glueup::verify::RungId;
use serde_json::{Value, json};

fn command(world: &World, words: &[&str]) {
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let role = stored.role_arn.clone().unwrap();
    let mut all = vec!["aws", "iam", words[0], "--role-name", role.role_name()];
    all.extend(&words[1..]);
    let all: Vec<String> = all.into_iter().map(str::to_owned).collect();
    iam::run(&world.demo, &all);
}

fn put_stray(world: &World, statements: &[Value]) {
    let document = json!({"Version": "2012-10-17", "Statement": statements}).to_string();
    let words = ["put-role-policy", "--policy-name", "stray", "--policy-document"];
    command(world, &[&words[..], &[document.as_str()]].concat());
}

#[tokio::test]
async fn the_policy_that_opens_another_database_is_blamed_and_not_the_one_that_is_right() {
    for by_use in [true, false] {
        let world = World::start();
        let session = match by_use {
            true => recorded(&world).await,
            false => vendors(&world).await,
        };
        let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
        let changed = Catalog {
            databases: vec!["sales".into()],
            ..stored.record.clone()
        };
        world.home.update(&stored, changed).unwrap();
        yes(&session, deploy(connection())).await.deployed();
        yes(&session, deploy(catalog())).await.deployed();
        let logs = allow(&["logs:*"], &["*"]);
        put_stray(&world, &[allow(&["glue:GetTable"], &[CATALOG]), logs.clone()]);
        let ran = yes(&session, verify()).await;
        let beside = rung(report(&ran), RungId::Neighbour);
        assert_eq!(part(beside, "another database").status, Failed, "{beside:#?}");
        let next = beside.next.as_deref().unwrap();
        assert!(
            next.contains("The role's policy stray allows glue:GetTable"),
            "{next}"
        );
        assert!(!next.contains("as its stack made it"), "{next}");
        let commands = iam::commands(next);
        assert_eq!(commands.len(), 1, "{next}");
        let left: Value = serde_json::from_str(commands[0].last().unwrap()).unwrap();
        assert_eq!(left["Statement"], json!([logs]), "{next}");
        iam::run(&world.demo, &commands[0]);
        let ran = yes(&session, verify()).await;
        assert_eq!(report(&ran).first_failed(), None);
    }
}

/// A policy that opens much is told in a sentence that can be read: each action once, and of many the first.
#[tokio::test]
async fn much_that_is_open_is_said_in_short() {
    let world = World::start();
    let session = deployed(&world).await;
    put_stray(&world, &[allow(&["s3:*", "glue:*"], &["*"])]);
    let ran = yes(&session, verify()).await;
    for (id, allowed) in [
        (
            RungId::Write,
            "s3:PutObject, glue:CreateTable, glue:UpdateTable, glue:DeleteTable and 2 more",
        ),
        (
            RungId::Neighbour,
            "s3:ListBucket, s3:PutObject, s3:GetObject, s3:DeleteObject and glue:GetTable",
        ),
    ] {
        let open = rung(report(&ran), id);
        let first = open.next.as_deref().unwrap().lines().next().unwrap();
        let said = format!(
            "The role's policy stray allows {allowed} beyond what Lake House asks for. It does so here:"
        );
        assert_eq!(first, said, "{open:#?}");
        assert!(open.answer.split(", ").count() <= 7, "{}", open.answer);
    }
    let beside = rung(report(&ran), RungId::Neighbour);
    assert!(beside.answer.ends_with("and 5 more"), "{}", beside.answer);
}

#[tokio::test]
async fn a_grant_that_does_not_ask_for_it_is_not_blamed() {
    let world = World::start();
    let session = deployed(&world).await;
    let new = NewStorage {
        name: "raw".parse().unwrap(),
        s3_path: Some("s3://acme-lake/warehouse/raw".parse().unwrap()),
        access_point: Default::default(),
        access: Some(Access::ReadWrite),
        connection: Some("sales".parse().unwrap()),
        kms_key: None,
    };
    setup(&session, Setup::AddStorage(new)).await;
    let raw = Target::Grant(Holder::Storage("raw".parse().unwrap()));
    yes(&session, deploy(raw)).await.deployed();
    // What is asked for below the prefix is not covered by a grant of a part of it.
    let ran = yes(&session, verify()).await;
    assert_eq!(rung(report(&ran), RungId::Write).status, Passed);
    put_stray(
        &world,
        &[allow(&["s3:PutObject"], &["arn:aws:s3:::acme-lake/warehouse/*"])],
    );
    let blind = through(&world, refuses("SimulatePrincipalPolicy"));
    for (session, blames) in [
        (&blind, "A policy of the role allows"),
        (&session, "policy stray allows"),
    ] {
        let ran = yes(session, verify()).await;
        let write = rung(report(&ran), RungId::Write);
        assert_eq!(part(write, "s3:PutObject").status, Failed, "{write:#?}");
        let next = write.next.as_deref().unwrap();
        assert!(next.contains(blames) && !next.contains("also serves"), "{next}");
    }
}

#[tokio::test]
async fn the_policy_of_another_grant_that_somebody_changed_is_put_back() {
    let world = World::start();
    let session = deployed(&world).await;
    let other = NewCatalog {
        s3_path: Some("s3://acme-lake/second".parse().unwrap()),
        ..crate::setup::new_catalog("Second", "sales")
    };
    add_catalog(&session, other).await;
    let second = Holder::Catalog("Second".parse().unwrap());
    yes(&session, deploy(Target::Grant(second.clone())))
        .await
        .deployed();
    let stack = world.home.grant(&second).unwrap().stack_name.to_string();
    let wide = json!({"Version": "2012-10-17", "Statement": [allow(&["glue:*"], &[CATALOG])]});
    let words = ["put-role-policy", "--policy-name", &stack, "--policy-document"];
    command(&world, &[&words[..], &[&wide.to_string()]].concat());
    let ran = yes(&session, verify()).await;
    let next = rung(report(&ran), RungId::Write).next.clone().unwrap();
    assert!(
        next.contains("The policy of Second was changed; as its stack made it:"),
        "{next}"
    );
    for command in iam::commands(&next) {
        iam::run(&world.demo, &command);
    }
    let ran = yes(&session, verify()).await;
    assert_eq!(report(&ran).first_failed(), None);
}
