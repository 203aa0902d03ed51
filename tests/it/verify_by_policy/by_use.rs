//! What a ladder that is climbed by use asks of the policies all the same: what it cannot try.

use super::{judged, refuses};
use crate::deploy::recorded;
use crate::support::fake::Reply;
use crate::support::jobs::World;
use crate::verify::{deployed, rung};
use crate::verify_breaks::through;
use crate::verify_limits::{CATALOG, allow, hand_made, part, reads, right_trust};
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Failed, Passed, Skipped, Warning};
use glueup::verify::{Basis, RungId};

#[tokio::test]
async fn by_use_the_simulator_answers_for_what_cannot_be_tried() {
    let world = World::start();
    let session = recorded(&world).await;
    let mut statements = reads();
    statements.push(allow(&["s3:DeleteObject"], &["*"]));
    hand_made(
        &world,
        &session,
        "deletes",
        right_trust(&world),
        &statements,
        Access::ReadOnly,
    )
    .await;
    let report = judged(&session).await;
    let write = rung(&report, RungId::Write);
    assert_eq!((write.status, write.basis), (Failed, Basis::Use), "{write:#?}");
    let delete = part(write, "s3:DeleteObject");
    assert_eq!(
        (delete.status, delete.basis),
        (Failed, Basis::Policy),
        "{delete:#?}"
    );
    assert_eq!(part(write, "s3:PutObject").status, Passed);
    let report = judged(&through(&world, refuses("SimulatePrincipalPolicy"))).await;
    let delete = part(rung(&report, RungId::Write), "s3:DeleteObject");
    assert_eq!(delete.status, Skipped, "{delete:#?}");
    assert!(delete.answer.starts_with("not proven: "), "{delete:#?}");
}

#[tokio::test]
async fn by_use_deletes_are_not_proven_without_the_buckets_policy() {
    let world = World::start();
    let session = deployed(&world).await;
    let blind = through(&world, |asked| {
        let policy = asked.method == "GET" && asked.target.contains("?policy");
        policy.then(|| Reply::s3_error(403, "AccessDenied", "Access Denied"))
    });
    let report = judged(&blind).await;
    let write = rung(&report, RungId::Write);
    assert_eq!((write.status, write.basis), (Warning, Basis::Use), "{write:#?}");
    assert!(
        write
            .answer
            .ends_with("not proven: s3:DeleteObject: the bucket's policy was not shown"),
        "{write:#?}"
    );
    let next = write.next.as_deref().unwrap();
    assert!(next.contains("get-bucket-policy --bucket acme-lake"), "{next}");
    assert!(
        report.sentence.contains("with a word of caution on"),
        "{}",
        report.sentence
    );
    assert!(
        !report.sentence.contains("Read-only, proven"),
        "{}",
        report.sentence
    );
    assert_eq!(rung(&judged(&session).await, RungId::Write).status, Passed);
}

#[tokio::test]
async fn by_use_named_databases_are_asked_of_the_simulator() {
    let world = World::start();
    let session = recorded(&world).await;
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let changed = glueup::registry::Catalog {
        databases: vec!["sales".into()],
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
    let own = "arn:aws:glue:us-west-2:012345678901";
    let mut statements = reads();
    let stray = ["catalog", "database/sales", "table/sales/*"].map(|path| format!("{own}:{path}"));
    let stray: Vec<&str> = stray.iter().map(String::as_str).collect();
    statements.push(allow(&["glue:CreateTable"], &stray));
    hand_made(
        &world,
        &session,
        "named",
        right_trust(&world),
        &statements,
        Access::ReadOnly,
    )
    .await;
    let report = judged(&session).await;
    let write = rung(&report, RungId::Write);
    let create = part(write, "glue:CreateTable");
    assert_eq!(
        (create.status, create.basis),
        (Failed, Basis::Policy),
        "{write:#?}"
    );
    let drop = part(write, "glue:DeleteDatabase");
    assert_eq!((drop.status, drop.basis), (Passed, Basis::Policy), "{write:#?}");
    let blind = through(&world, refuses("SimulatePrincipalPolicy"));
    let report = judged(&blind).await;
    let create = part(rung(&report, RungId::Write), "glue:CreateTable");
    let said = "refused for an invented database; not proven for the named ones";
    assert_eq!(create.answer, said);
    // What is allowed is not said to be refused.
    let mut statements = reads();
    statements.push(allow(&["glue:*"], &[CATALOG]));
    let trust = right_trust(&world);
    hand_made(&world, &session, "wide", trust, &statements, Access::ReadWrite).await;
    let report = judged(&blind).await;
    let create = part(rung(&report, RungId::Write), "glue:CreateTable");
    let said = "allowed for an invented database; not proven for the named ones";
    assert_eq!(create.answer, said);
}
