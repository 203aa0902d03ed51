//! The ladder and time: clocks that are off, IAM that spreads, and a user who has seen enough.

use crate::cli_journey;
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{new_catalog, new_connection, set_catalog};
use crate::support::between::before;
use crate::support::demo::Demo;
use crate::support::fake::Reply;
use crate::support::jobs::{Ran, World, setup};
use crate::support::term::Term;
use crate::support::{http, iam};
use crate::verify::{deployed, report, rung, told, verify};
use glueup::demo::Options;
use glueup::domain::access::Access;
use glueup::domain::problem::Kind;
use glueup::domain::status::Status::{Failed, Passed, Warning};
use glueup::job::{self, Event, Outcome, Update};
use glueup::setup::{NewCatalog, NewConnection, Request as Setup};
use glueup::verify::{RungId, Update as Told};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_wrong_clock_is_a_warning_and_then_a_failure() {
    for (offset, status) in [(200, Warning), (600, Failed)] {
        let world = World::with(Options {
            clock_offset: offset,
            ..Options::default()
        });
        let session = deployed(&world).await;
        let ran = yes(&session, verify()).await;
        let reach = rung(report(&ran), RungId::Reach);
        assert_eq!(reach.status, status, "{reach:?}");
        assert!(reach.answer.contains("min behind"), "{reach:?}");
    }
}

#[tokio::test]
async fn while_iam_spreads_a_denial_is_tried_again() {
    let world = World::with(Options {
        iam_delay: Duration::from_secs(4),
        ..Options::default()
    });
    let session = deployed(&world).await;
    let ran = yes(&session, verify()).await;
    let report = report(&ran);
    assert_eq!(report.first_failed(), None, "{report:#?}");
    let told = told(&ran);
    let waited: Vec<_> = told
        .iter()
        .filter(|t| matches!(t, Told::Spreading { seconds: 4, .. }))
        .collect();
    assert!(!waited.is_empty(), "{told:?}");
    assert!(
        report
            .rungs
            .iter()
            .any(|rung| rung.answer.contains("IAM was still spreading")),
        "{report:#?}"
    );
}

/// Takes the policy of the catalog's stack from its role, as somebody does by hand.
fn take_policy(world: &World) {
    let connection = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let catalog = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let role = connection.role_arn.as_ref().unwrap().role_name();
    let words = [
        "aws",
        "iam",
        "delete-role-policy",
        "--role-name",
        role,
        "--policy-name",
        catalog.stack_name.as_str(),
    ];
    iam::run(&world.demo, &words.map(str::to_owned));
}

/// Who will not wait gets each verdict as it is, and is told that it may still change.
#[tokio::test]
async fn nobody_has_to_wait_for_iam_to_spread() {
    let world = World::start();
    let session = deployed(&world).await;
    take_policy(&world);
    let mut running = job::start(&session, verify());
    let mut waits = 0;
    let report = loop {
        match running.next().await.unwrap() {
            Event::Update(Update::Verify(Told::Spreading { .. })) => {
                waits += 1;
                running.hurrier().cancel();
            }
            Event::Done(Ok(Outcome::Verify(report))) => break report,
            Event::Done(other) => panic!("{other:?}"),
            _ => {}
        }
    };
    let failed = report.first_failed().unwrap();
    assert!(
        failed
            .answer
            .ends_with("(not waited for: IAM may still be spreading)"),
        "{failed:#?}"
    );
    // Rungs that are climbed side by side may have begun to wait; none of them does so twice.
    assert!(waits <= report.rungs.len(), "{waits}");
    let before_the_first = {
        let mut running = job::start(&session, verify());
        running.hurrier().cancel();
        let mut waits = 0;
        while let Some(event) = running.next().await {
            waits += usize::from(matches!(
                event,
                Event::Update(Update::Verify(Told::Spreading { .. }))
            ));
        }
        waits
    };
    assert_eq!(before_the_first, 0);
}

/// From now on a change of IAM is seen so many seconds late.
fn spreads_in(endpoint: &str, seconds: u32) {
    let address = endpoint.trim_start_matches("http://");
    let knob = json!({"iam_delay_s": seconds}).to_string();
    let answer = http::request(address, "PUT", "/_glueup/knobs", &[], knob.as_bytes()).unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// How often a rung was waited for, and whether something was still open each time.
fn waits(ran: &Ran, id: RungId) -> Vec<bool> {
    let waited = told(ran).into_iter().filter_map(|told| match told {
        Told::Spreading {
            rung,
            seconds: 4,
            open,
        } => (*rung == id).then_some(*open),
        _ => None,
    });
    waited.collect()
}

fn read_write() -> NewCatalog {
    NewCatalog {
        access: Some(Access::ReadWrite),
        ..new_catalog("Lake House", "sales")
    }
}

/// IAM spreads both ways: what a stack has just taken away still works for a while, and so does a door that was just shut.
#[tokio::test]
async fn what_was_just_closed_is_still_open_for_a_while_and_no_failure() {
    const LATE: u32 = 6;
    let world = World::start();
    let session = recorded(&world).await;
    set_catalog(&session, read_write()).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let role = stored.role_arn.clone().unwrap();
    let open = json!({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole",
        "Principal": {"AWS": world.demo.broker_role_arn}}]});
    let words = [
        "aws",
        "iam",
        "update-assume-role-policy",
        "--role-name",
        role.role_name(),
        "--policy-document",
        &open.to_string(),
    ];
    iam::run(&world.demo, &words.map(str::to_owned));
    // All of this is older than what is seen late from here on.
    tokio::time::sleep(Duration::from_secs(u64::from(LATE))).await;
    spreads_in(&world.demo.endpoint_url, LATE);
    set_catalog(&session, new_catalog("Lake House", "sales")).await;
    yes(&session, deploy(catalog())).await.deployed();
    // The connection's stack puts the trust policy right when it changes.
    let trusting = NewConnection {
        trust: vec!["arn:aws:iam::012345678901:user/admin".parse().unwrap()],
        ..new_connection("sales")
    };
    setup(&session, Setup::SetConnection(Box::new(trusting))).await;
    yes(&session, deploy(connection())).await.deployed();
    let ran = yes(&session, verify()).await;
    let report = report(&ran);
    assert_eq!(report.first_failed(), None, "{report:#?}");
    for id in [RungId::Write, RungId::ExternalId] {
        let shut = rung(report, id);
        assert_eq!(shut.status, Passed, "{shut:#?}");
        assert!(shut.answer.ends_with("IAM was still spreading)"), "{shut:#?}");
        let waits = waits(&ran, id);
        assert!(
            !waits.is_empty() && waits.iter().all(|open| *open),
            "{id:?} {waits:?}"
        );
    }
}

/// One server of AWS knows of a change and another one does not: once is not enough for a rung that has failed.
#[tokio::test]
async fn a_rung_that_failed_once_must_pass_twice() {
    let world = World::start();
    deployed(&world).await;
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let (role, id) = (stored.role_arn.clone().unwrap(), stored.external_id.clone());
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = tries.clone();
    let fake = before(&world.demo.endpoint_url, move |asked| {
        if asked.target.ends_with("/_glueup/knobs") {
            return Some(Reply::json(&json!({ "iam_delay_s": 60 })));
        }
        let hop_2 = asked.action() == "AssumeRole"
            && asked.body.contains(role.role_name())
            && asked.body.contains(&format!("ExternalId={id}"));
        // Refused, let in, refused again, then let in for good.
        let refused = hop_2 && matches!(counted.fetch_add(1, SeqCst), 0 | 2);
        refused.then(|| {
            let words = format!(
                "User: arn:aws:sts::999988887777:assumed-role/glueup-broker/glueup-verify is not authorized to perform: \
                 sts:AssumeRole on resource: {role}"
            );
            Reply::query_error(403, "AccessDenied", &words)
        })
    });
    let ran = yes(&world.through(&fake), verify()).await;
    let report = report(&ran);
    assert_eq!(report.first_failed(), None, "{report:#?}");
    let hop_2 = rung(report, RungId::Role);
    let said = "(after 5 tries: IAM was still spreading)";
    assert!(hop_2.answer.ends_with(said), "{hop_2:#?}");
    assert_eq!(waits(&ran, RungId::Role), [false, false]);
}

/// The verb says how long it waits where somebody looks, and who will not wait need not.
#[test]
fn the_verb_says_when_it_tries_again_and_waits_only_if_it_may() {
    let demo = Demo::start(&["--iam-delay", "6"]);
    let home = cli_journey::deployed(&demo);
    let hurried = home.glueup(&["verify", "Lake House", "--no-wait"]).exits(1);
    let said = "(not waited for: IAM may still be spreading)";
    assert!(hurried.stdout.contains(said), "{}", hurried.stdout);
    let mut term = Term::start(&home, 160, 60, &["verify", "Lake House"], &[]);
    term.wait_for("still refused, IAM may still be spreading, next try in 4 s");
    assert_eq!(term.exit_code(), 0, "{}", term.text());
}

#[tokio::test]
async fn a_stopped_ladder_ends_at_once() {
    let world = World::with(Options {
        latency: Duration::from_millis(500),
        ..Options::default()
    });
    let session = deployed(&world).await;
    let begun = Instant::now();
    let mut running = job::start(&session, verify());
    let first = running.next().await;
    assert!(
        matches!(first, Some(Event::Update(Update::Verify(Told::Planned(_))))),
        "{first:?}"
    );
    running.canceller().cancel();
    loop {
        match running.next().await {
            Some(Event::Done(end)) => {
                assert_eq!(end.unwrap_err().kind, Kind::Interrupted);
                break;
            }
            Some(_) => {}
            None => panic!("no Done"),
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}
