//! The ladder and time: clocks that are off, IAM that spreads, and a user who has seen enough.

use crate::deploy::yes;
use crate::support::iam;
use crate::support::jobs::World;
use crate::verify::{deployed, report, rung, told, verify};
use glueup::demo::Options;
use glueup::domain::problem::Kind;
use glueup::domain::status::Status::{Failed, Warning};
use glueup::job::{self, Event, Outcome, Update};
use glueup::verify::{RungId, Update as Told};
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
