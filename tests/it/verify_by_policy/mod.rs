//! When the broker role is a vendor's: nobody here can take the second hop, and the ladder is judged by policy.

mod bucket;
mod by_use;
mod obstacles;
mod places;
mod trust;
mod verifier;

use crate::deploy::{catalog, connection, deploy, yes};
use crate::setup::{add_catalog, add_connection, new_catalog, new_connection};
use crate::support::fake::{Asked, Reply};
use crate::support::jobs::{World, setup};
use crate::verify::{report, rung, verify};
use crate::verify_breaks::through;
use crate::verify_limits::{CATALOG, allow, hand_made, holes, inventory, part, reads, right_trust};
use glueup::demo::Options;
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Failed, Passed, Skipped, Warning};
use glueup::registry::{Holder, Subject};
use glueup::session::Session;
use glueup::setup::{NewOrganization, NewStorage, Request as Setup};
use glueup::stack::Target;
use glueup::verify::{Basis, Report, RungId};
use serde_json::{Value, json};

/// An organization on Wherobots, whose broker role only Wherobots can assume.
pub async fn vendors(world: &World) -> Session {
    let session = world.admin();
    let new = NewOrganization {
        platform: Some("wherobots".into()),
        edition: Some("Professional".into()),
        broker_role_arn: Some(world.demo.vendor_role_arn.parse().unwrap()),
        ..NewOrganization::default()
    };
    setup(&session, Setup::Init(new)).await;
    add_connection(&session, new_connection("sales")).await;
    add_catalog(&session, new_catalog("Lake House", "sales")).await;
    session
}

/// The same document with the vendor's role in place of the organization's own.
fn vendors_own(world: &World, document: &Value) -> Value {
    let text = document.to_string();
    let text = text.replace(&world.demo.broker_role_arn, &world.demo.vendor_role_arn);
    serde_json::from_str(&text).unwrap()
}

async fn judged(session: &Session) -> Report {
    report(&yes(session, verify()).await).clone()
}

#[track_caller]
fn assert_judged(report: &Report) {
    let json = serde_json::to_value(report).unwrap();
    for rung in json["rungs"].as_array().unwrap() {
        let tried = ["reach", "identity", "broker"].contains(&rung["id"].as_str().unwrap());
        assert_eq!(rung["basis"], if tried { "use" } else { "policy" }, "{rung:#}");
    }
    for rung in &report.rungs {
        let by = if rung.id > RungId::Broker {
            Basis::Policy
        } else {
            Basis::Use
        };
        assert_eq!(rung.basis, by, "{rung:#?}");
        assert!(
            rung.parts
                .iter()
                .all(|part| part.status == Skipped || part.basis == by),
            "{rung:#?}"
        );
    }
}

#[tokio::test]
async fn what_is_as_asked_is_green_by_policy_with_few_calls() {
    let world = World::start();
    let session = vendors(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let report = judged(&session).await;
    assert_judged(&report);
    let statuses: Vec<_> = report.rungs.iter().map(|rung| (rung.id, rung.status)).collect();
    for (id, status) in statuses {
        let wanted = match id {
            RungId::Broker => Skipped,
            // The lake has tables elsewhere.
            RungId::Locations => Warning,
            _ => Passed,
        };
        assert_eq!(status, wanted, "{:#?}", rung(&report, id));
    }
    let broker = rung(&report, RungId::Broker);
    assert!(broker.answer.starts_with("Wherobots' own role"), "{broker:#?}");
    let next = broker.next.as_deref().unwrap();
    assert!(
        next.contains("glueup connection set sales --verifier arn:aws:iam::012345678901:user/admin"),
        "{next}"
    );
    assert!(
        report
            .sentence
            .starts_with("By policy, not by use. Read-only: 9 things would work, 3 would be refused"),
        "{}",
        report.sentence
    );
    assert_eq!(report.verdict, Warning);
    // Who we are, hop 1, the trust policy, the bucket's, the databases, six questions to the simulator, and the tables of
    // eight databases.
    assert!(report.calls <= 20, "{} calls", report.calls);
    let probes = world.home.probes().unwrap().entries;
    assert!(probes.is_empty(), "{probes:?}");
    assert!(
        world
            .home
            .verdict(&Subject::Connection("sales".parse().unwrap()))
            .is_some()
    );
}

#[tokio::test]
async fn read_write_must_be_allowed_by_policy_too() {
    let world = World::start();
    let session = vendors(&world).await;
    let trust = vendors_own(&world, &right_trust(&world));
    hand_made(
        &world,
        &session,
        "few",
        trust.clone(),
        &reads(),
        Access::ReadWrite,
    )
    .await;
    let report = judged(&session).await;
    let write = rung(&report, RungId::Write);
    assert_eq!(write.status, Failed, "{write:#?}");
    assert!(write.parts.iter().all(|part| part.status == Failed), "{write:#?}");
    let mut all = reads();
    all.push(allow(&["glue:*"], &[CATALOG]));
    all.push(allow(&["s3:*Object"], &["arn:aws:s3:::acme-lake/warehouse/*"]));
    hand_made(&world, &session, "all", trust, &all, Access::ReadWrite).await;
    let report = judged(&session).await;
    let write = rung(&report, RungId::Write);
    assert_eq!(write.status, Passed, "{write:#?}");
    assert_eq!(part(write, "s3:DeleteObject").answer, "Would be allowed");
    assert_eq!(report.first_failed(), None);
}

#[tokio::test]
async fn each_hole_is_found_by_policy() {
    let world = World::start();
    let session = vendors(&world).await;
    let admin = session.aws().await.unwrap();
    let before = inventory(&admin).await;
    for hole in holes(&world) {
        let trust = hole.trust.clone().unwrap_or_else(|| right_trust(&world));
        let trust = vendors_own(&world, &trust);
        hand_made(&world, &session, hole.name, trust, &hole.statements, hole.access).await;
        let report = judged(&session).await;
        assert_judged(&report);
        let failed = rung(&report, hole.rung);
        assert_eq!(failed.status, Failed, "{}: {report:#?}", hole.name);
        let found = part(failed, hole.part);
        assert_eq!(found.status, Failed, "{}: {failed:#?}", hole.name);
        let next = failed.next.as_deref().unwrap_or_default();
        assert!(next.contains(hole.next), "{}: {next}", hole.name);
        assert_eq!(report.verdict, Failed, "{}", hole.name);
        assert!(
            report.sentence.starts_with("By policy, not as asked: "),
            "{}",
            report.sentence
        );
        for id in [RungId::Role, RungId::Databases, RungId::List, RungId::Read] {
            assert_eq!(rung(&report, id).status, Passed, "{}: {report:#?}", hole.name);
        }
        if hole.rung == RungId::ExternalId {
            assert_eq!(rung(&report, RungId::Write).status, Passed, "{report:#?}");
            assert_eq!(rung(&report, RungId::Neighbour).status, Passed, "{report:#?}");
        } else {
            assert_eq!(rung(&report, RungId::ExternalId).status, Passed, "{report:#?}");
        }
    }
    assert_eq!(inventory(&admin).await, before);
    assert!(world.home.ledger().entries().unwrap().is_empty());
}

#[tokio::test]
async fn a_condition_that_only_a_request_can_meet_is_not_taken_for_a_refusal() {
    let world = World::start();
    let session = vendors(&world).await;
    let mut statements = reads();
    statements[2]["Condition"] = json!({"StringEquals": {"aws:SourceVpce": "vpce-1"}});
    let mut put = allow(&["s3:PutObject"], &["*"]);
    put["Condition"] = json!({"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}});
    statements.push(put);
    let trust = vendors_own(&world, &right_trust(&world));
    hand_made(&world, &session, "hangs", trust, &statements, Access::ReadOnly).await;
    let report = judged(&session).await;
    let read = rung(&report, RungId::Read);
    assert_eq!(read.status, Skipped, "{read:#?}");
    assert!(
        read.answer.contains("s3:GetObject hangs on aws:SourceVpce"),
        "{read:#?}"
    );
    let put = part(rung(&report, RungId::Write), "s3:PutObject");
    assert_eq!(put.status, Skipped, "{put:#?}");
    assert!(put.answer.contains("aws:SourceIp"), "{put:#?}");
    assert_eq!(report.verdict, Warning, "{}", report.sentence);
}

pub fn refuses(action: &'static str) -> impl Fn(&Asked) -> Option<Reply> + Send + Sync {
    move |asked| {
        (asked.action() == action).then(|| {
            let words = format!(
                "User: arn:aws:iam::012345678901:user/admin is not authorized to perform: iam:{action} on resource: \
                 arn:aws:iam::012345678901:role/r because no identity-based policy allows the iam:{action} action"
            );
            Reply::query_error(403, "AccessDenied", &words)
        })
    }
}

#[tokio::test]
async fn who_may_not_read_the_policies_is_told_what_to_allow() {
    let world = World::start();
    let session = vendors(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    for (action, shut, open) in [
        ("GetRole", RungId::Role, RungId::Read),
        ("SimulatePrincipalPolicy", RungId::Read, RungId::Role),
    ] {
        let report = judged(&through(&world, refuses(action))).await;
        let rung_shut = rung(&report, shut);
        assert_eq!(rung_shut.status, Skipped, "{rung_shut:#?}");
        assert!(
            rung_shut
                .answer
                .contains(&format!("not proven: Denied: iam:{action}")),
            "{rung_shut:#?}"
        );
        let next = rung_shut.next.as_deref().unwrap();
        assert!(next.starts_with(&format!("Allow iam:{action} on ")), "{next}");
        assert!(next.contains("--verifier"), "{next}");
        assert_eq!(rung(&report, open).status, Passed, "{report:#?}");
        assert_eq!(report.verdict, Warning, "{}", report.sentence);
        assert!(report.sentence.contains("not proven: "), "{}", report.sentence);
    }
}

#[tokio::test]
async fn iam_is_asked_of_the_roles_own_account_only() {
    let world = World::with(Options::default());
    let session = vendors(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let report = judged(&world.caller(&world.demo.outsider)).await;
    let role = rung(&report, RungId::Role);
    assert_eq!(role.status, Skipped, "{role:#?}");
    assert!(role.answer.contains("to its own account only"), "{role:#?}");
    assert!(
        role.next
            .as_deref()
            .unwrap()
            .contains("profile of account 0123-4567-8901"),
        "{role:#?}"
    );
    assert_eq!(report.verdict, Warning);
}

#[tokio::test]
async fn a_storage_integration_is_judged_by_policy_too() {
    let world = World::start();
    let session = vendors(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let new = NewStorage {
        name: "raw".parse().unwrap(),
        s3_path: Some("s3://acme-lake/warehouse".parse().unwrap()),
        access_point: Default::default(),
        access: Some(Access::ReadWrite),
        connection: Some("sales".parse().unwrap()),
        kms_key: None,
    };
    setup(&session, Setup::AddStorage(new)).await;
    let holder = Holder::Storage("raw".parse().unwrap());
    yes(&session, deploy(Target::Grant(holder.clone())))
        .await
        .deployed();
    let request = glueup::verify::Request::Grant(holder);
    let report = report(&yes(&session, glueup::job::Job::Verify(request)).await).clone();
    assert_judged(&report);
    assert_eq!(report.verdict, Passed, "{report:#?}");
    let write = rung(&report, RungId::Write);
    assert_eq!(write.parts.len(), 2, "{write:#?}");
    assert_eq!(
        part(rung(&report, RungId::Neighbour), "a Glue database").status,
        Passed
    );
}

#[tokio::test]
async fn a_verifier_that_gets_in_does_not_hide_that_the_broker_does_not() {
    let world = World::start();
    let session = vendors(&world).await;
    let id = right_trust(&world)["Statement"][0]["Condition"].clone();
    let me = "arn:aws:iam::012345678901:user/admin";
    let statement = |who: &str| json!({"Effect": "Allow", "Principal": {"AWS": who}, "Action": "sts:AssumeRole", "Condition": id});
    let broker = world.demo.vendor_role_arn.clone();
    for (name, statements, status) in [
        ("both", vec![statement(&broker), statement(me)], Passed),
        ("verifier-alone", vec![statement(me)], Failed),
    ] {
        let trust = json!({"Version": "2012-10-17", "Statement": statements});
        hand_made(&world, &session, name, trust, &reads(), Access::ReadOnly).await;
        let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
        let changed = glueup::registry::Connection {
            verifier: Some(me.parse().unwrap()),
            ..stored.record.clone()
        };
        world.home.update(&stored, changed).unwrap();
        let report = judged(&session).await;
        let role = rung(&report, RungId::Role);
        assert_eq!((role.status, role.basis), (status, Basis::Use), "{role:#?}");
        let part = part(role, "the broker role");
        assert_eq!((part.status, part.basis), (status, Basis::Policy), "{role:#?}");
        if status == Failed {
            assert!(role.answer.contains("does not name"), "{role:#?}");
        }
    }
}
