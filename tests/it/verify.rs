//! The ladder on an embedded AWS: each rung can truly fail, and says why.

use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::support::jobs::{Ran, World};
use glueup::cloud::stacks::{NewStack, Template};
use glueup::domain::problem::Kind;
use glueup::domain::status::Status::{Failed, Passed, Skipped, Warning};
use glueup::job::{Job, Outcome, Update};
use glueup::registry::{Catalog, Connection, Subject};
use glueup::session::Session;
use glueup::verify::{Report, Request, Rung, RungId, Status, Update as Told};
use serde_json::json;
use std::time::{Duration, Instant};

pub fn verify() -> Job {
    Job::Verify(Request::Grant(glueup::registry::Holder::Catalog(
        "Lake House".parse().unwrap(),
    )))
}

pub fn report(ran: &Ran) -> &Report {
    match &ran.end {
        Ok(Outcome::Verify(report)) => report,
        other => panic!("{other:?}"),
    }
}

pub fn told(ran: &Ran) -> Vec<&Told> {
    ran.updates
        .iter()
        .map(|update| match update {
            Update::Verify(told) => told,
            other => panic!("{other:?}"),
        })
        .collect()
}

pub fn rung(report: &Report, id: RungId) -> &Rung {
    report.rungs.iter().find(|rung| rung.id == id).unwrap()
}

fn statuses(report: &Report) -> Vec<(&'static str, Status)> {
    report
        .rungs
        .iter()
        .map(|rung| (rung.id.as_str(), rung.status))
        .collect()
}

/// Connection and catalog, both deployed.
pub async fn deployed(world: &World) -> Session {
    let session = recorded(world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    session
}

/// Only the connection deployed; the role gets just these statements, and the catalog is taken for deployed.
pub async fn granted(world: &World, statements: serde_json::Value) -> Session {
    let session = recorded(world).await;
    yes(&session, deploy(connection())).await.deployed();
    let role = world
        .home
        .connection(&"sales".parse().unwrap())
        .unwrap()
        .role_arn
        .clone()
        .unwrap();
    let body = json!({"Resources": {"Grant": {"Type": "AWS::IAM::Policy", "Properties": {
        "PolicyName": "grant", "Roles": [role.role_name()],
        "PolicyDocument": {"Version": "2012-10-17", "Statement": statements}}}}});
    let stacks = session.aws().await.unwrap().stacks(&"us-west-2".parse().unwrap());
    stacks
        .create(NewStack {
            name: "grant".into(),
            template: Template::Body(body.to_string()),
            parameters: vec![],
            tags: vec![],
            capability: Some("CAPABILITY_IAM".into()),
            role_arn: None,
            token: None,
        })
        .await
        .unwrap();
    let end = Instant::now() + Duration::from_secs(30);
    while stacks.describe("grant").await.unwrap().unwrap().status != "CREATE_COMPLETE" {
        assert!(Instant::now() < end, "{:?}", stacks.events("grant").await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let changed = Catalog {
        deployed: true,
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
    session
}

fn glue() -> serde_json::Value {
    json!({"Effect": "Allow", "Action": ["glue:Get*"], "Resource": "*"})
}

fn list(prefix: &str) -> serde_json::Value {
    json!({"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::acme-lake",
        "Condition": {"StringLike": {"s3:prefix": [format!("{prefix}/"), format!("{prefix}/*")]}}})
}

#[tokio::test]
async fn a_sound_catalog_is_green_in_order_and_remembered() {
    let world = World::start();
    let session = deployed(&world).await;
    let ran = yes(&session, verify()).await;
    let report = report(&ran);
    assert_eq!(
        statuses(report),
        [
            "reach",
            "identity",
            "broker",
            "role",
            "external-id",
            "databases",
            "tables",
            "rest",
            "list",
            "read",
            "write",
            "neighbour",
            "locations"
        ]
        // some tables of the lake lie outside the prefix
        .map(|id| (id, if id == "locations" { Warning } else { Passed })),
        "{report:#?}"
    );
    assert_eq!(
        report.sentence,
        "Connected. Read-only, proven: 10 things work, 3 are refused, as they should be, with a word of caution on \
         table locations."
    );
    assert_eq!(report.verdict, Warning);
    assert!((20..=40).contains(&report.calls), "{}", report.calls);
    assert!(report.bytes > 0);
    let read = rung(report, RungId::Read);
    assert!(read.answer.contains("the metadata of "), "{read:?}");
    assert!(
        read.caller.as_ref().unwrap().ends_with("/glueup-verify"),
        "{read:?}"
    );
    assert_eq!(rung(report, RungId::Databases).caller, read.caller);

    let told = told(&ran);
    assert!(
        matches!(told[0], Told::Planned(ids) if ids.len() == 13),
        "{:?}",
        told[0]
    );
    let finished: Vec<RungId> = told
        .iter()
        .filter_map(|t| {
            if let Told::Finished(rung) = t {
                Some(rung.id)
            } else {
                None
            }
        })
        .collect();
    assert!(finished.is_sorted() && finished.len() == 13, "{finished:?}");

    let probes = world.home.probes().unwrap().entries;
    let times: Vec<_> = probes.iter().map(|probe| probe.at).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert!(
        times.first() < times.last() && times.last() <= Some(&report.at),
        "each probe has its own time: {times:?}"
    );

    let verdict = world
        .home
        .verdict(&Subject::Catalog("Lake House".parse().unwrap()))
        .unwrap();
    assert_eq!(
        (verdict.verdict, verdict.sentence.as_str()),
        (Warning, report.sentence.as_str())
    );
    assert_eq!(verdict.rungs.len(), 13);
    let answer = &rung(report, RungId::Tables).answer;
    let counted = verdict.tables.unwrap();
    assert!(
        answer.contains(" in the first 8 of ") && answer.ends_with("; table locations counts all"),
        "{answer}"
    );
    let locations = &rung(report, RungId::Locations).answer;
    assert!(
        counted > 50 && locations.contains(&format!("of {counted} tables")),
        "{counted}: {locations}"
    );
    assert!(!verdict.more_tables, "all were counted");

    // The first rungs are the connection's whole ladder.
    let trust = world
        .home
        .verdict(&Subject::Connection("sales".parse().unwrap()))
        .unwrap();
    assert_eq!((trust.verdict, trust.at), (Passed, verdict.at));
    assert_eq!(
        trust.sentence,
        "Connected. 4 things work, 1 is refused, as it should be."
    );
    assert_eq!(trust.rungs, verdict.rungs[..5]);
    assert_eq!(trust.tables, None);
}

#[tokio::test]
async fn a_wrong_external_id_fails_at_hop_2_and_its_cause_is_found() {
    let world = World::start();
    let session = deployed(&world).await;
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let changed = Connection {
        external_id: "another-external-id".parse().unwrap(),
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
    let begun = Instant::now();
    let ran = yes(&session, verify()).await;
    let report = report(&ran);
    assert_eq!(report.verdict, Failed);
    assert!(
        report.sentence.starts_with("Not connected: hop 2 failed."),
        "{}",
        report.sentence
    );
    let role = rung(report, RungId::Role);
    assert_eq!(
        (role.status, role.action.as_deref()),
        (Failed, Some("sts:AssumeRole"))
    );
    let next = role.next.as_ref().unwrap();
    assert!(next.contains("the record has another-external-id"), "{next}");
    for id in [RungId::Databases, RungId::Tables, RungId::List, RungId::Read] {
        let rung = rung(report, id);
        assert_eq!(
            (rung.status, rung.answer.as_str()),
            (Skipped, "not tried: hop 2 failed"),
            "{rung:?}"
        );
    }
    assert!(
        begun.elapsed() < Duration::from_secs(3),
        "a settled cause is not waited for"
    );
}

#[tokio::test]
async fn a_caller_that_may_not_reach_the_broker_fails_at_hop_1() {
    let world = World::start();
    deployed(&world).await;
    let ran = yes(&world.caller(&world.demo.outsider), verify()).await;
    let report = report(&ran);
    assert_eq!(rung(report, RungId::Broker).status, Failed);
    assert_eq!(rung(report, RungId::Role).answer, "not tried: hop 1 failed");
    assert_eq!(rung(report, RungId::Read).answer, "not tried: hop 1 failed");
}

#[tokio::test]
async fn without_a_glue_grant_databases_fails_and_names_the_action() {
    let world = World::start();
    let statements = json!([list("warehouse"),
        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::acme-lake/warehouse/*"}]);
    let session = granted(&world, statements).await;
    let ran = yes(&session, verify()).await;
    let report = report(&ran);
    let databases = rung(report, RungId::Databases);
    assert_eq!(databases.status, Failed);
    assert_eq!(databases.action.as_deref(), Some("glue:GetDatabases"));
    assert!(
        databases
            .answer
            .contains("glue:GetDatabases on arn:aws:glue:us-west-2:012345678901:"),
        "{databases:?}"
    );
    assert!(
        databases.answer.contains("no identity-based policy"),
        "{databases:?}"
    );
    assert_eq!(rung(report, RungId::Tables).answer, "not tried: databases failed");
    assert_eq!(rung(report, RungId::List).status, Passed);
    let read = rung(report, RungId::Read);
    assert_eq!(read.status, Passed, "{read:?}");
    assert!(read.answer.contains("a listed object"), "{read:?}");
}

#[tokio::test]
async fn a_prefix_that_is_not_granted_fails_at_list() {
    let world = World::start();
    let statements = json!([glue(), list("elsewhere"),
        {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::acme-lake/warehouse/*"}]);
    let session = granted(&world, statements).await;
    let ran = yes(&session, verify()).await;
    let report = report(&ran);
    // What the catalog lacks is no fault of its connection.
    let trust = world
        .home
        .verdict(&Subject::Connection("sales".parse().unwrap()))
        .unwrap();
    assert_eq!((report.verdict, trust.verdict), (Failed, Passed));
    let list = rung(report, RungId::List);
    assert_eq!(
        (list.status, list.action.as_deref()),
        (Failed, Some("s3:ListBucket"))
    );
    // Partitions and versions, which engines call, are not in what it was given.
    assert_eq!(rung(report, RungId::Tables).status, Warning);
    assert!(
        report.sentence.contains("list below the prefix failed"),
        "{}",
        report.sentence
    );
}

#[tokio::test]
async fn objects_that_are_denied_fail_at_read() {
    let world = World::start();
    let session = granted(&world, json!([glue(), list("warehouse")])).await;
    let ran = yes(&session, verify()).await;
    let read = rung(report(&ran), RungId::Read);
    assert_eq!(
        (read.status, read.action.as_deref()),
        (Failed, Some("s3:GetObject")),
        "{read:?}"
    );
    assert!(
        read.resource.as_ref().unwrap().contains("acme-lake/warehouse/"),
        "{read:?}"
    );
}

#[tokio::test]
async fn what_is_not_deployed_says_its_stage() {
    let world = World::start();
    let session = recorded(&world).await;
    for deploy_first in [false, true] {
        if deploy_first {
            yes(&session, deploy(connection())).await.deployed();
        }
        let ran = yes(&session, verify()).await;
        let problem = ran.problem();
        assert_eq!(problem.kind, Kind::CheckFailed);
        assert!(problem.what.contains("at the stage deploy"), "{problem:?}");
        assert!(problem.next.starts_with("glueup deploy "), "{problem:?}");
    }
}

#[tokio::test]
async fn a_connection_has_the_rungs_of_trust_only() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let ran = yes(
        &session,
        Job::Verify(Request::Connection("sales".parse().unwrap())),
    )
    .await;
    let report = report(&ran);
    assert_eq!(
        statuses(report),
        ["reach", "identity", "broker", "role", "external-id"].map(|id| (id, Passed))
    );
    assert_eq!(
        report.sentence,
        "Connected. 4 things work, 1 is refused, as it should be."
    );
}
