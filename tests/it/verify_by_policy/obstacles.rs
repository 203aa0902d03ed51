//! What keeps something from being allowed, by policy: each obstacle has a mend of its own, and what a request alone
//! decides is not taken for decided.

use super::{judged, vendors, vendors_own};
use crate::deploy::{catalog, connection, deploy, yes};
use crate::support::iam;
use crate::support::jobs::World;
use crate::verify::rung;
use crate::verify_limits::{CATALOG, allow, hand_made, part, reads, right_trust, with};
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Failed, Passed, Skipped, Warning};
use glueup::registry::Catalog;
use glueup::verify::RungId;
use serde_json::json;

fn run(world: &World, words: &[&str]) {
    let all = ["aws", "iam"].iter().chain(words);
    let all: Vec<String> = all.map(|word| (*word).to_owned()).collect();
    iam::run(&world.demo, &all);
}

#[tokio::test]
async fn what_a_boundary_keeps_out_is_not_mended_by_a_policy() {
    let world = World::start();
    let session = vendors(&world).await;
    let trust = vendors_own(&world, &right_trust(&world));
    hand_made(&world, &session, "bounded", trust, &reads(), Access::ReadOnly).await;
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let role = stored.role_arn.clone().unwrap();
    let bound = json!({"Version": "2012-10-17", "Statement": [allow(&["s3:*"], &["*"])]}).to_string();
    run(
        &world,
        &[
            "create-policy",
            "--policy-name",
            "bound",
            "--policy-document",
            &bound,
        ],
    );
    run(
        &world,
        &[
            "put-role-permissions-boundary",
            "--role-name",
            role.role_name(),
            "--permissions-boundary",
            "arn:aws:iam::012345678901:policy/bound",
        ],
    );
    let report = judged(&session).await;
    let databases = rung(&report, RungId::Databases);
    assert_eq!(databases.status, Failed, "{databases:#?}");
    assert!(
        databases.answer.contains("the role's permissions boundary"),
        "{databases:#?}"
    );
    let next = databases.next.as_deref().unwrap();
    assert!(next.contains("in the permissions boundary of arn:"), "{next}");
    assert!(!next.contains("put-role-policy"), "{next}");
}

#[tokio::test]
async fn a_deny_for_want_of_a_key_is_not_taken_for_decided() {
    let world = World::start();
    let session = vendors(&world).await;
    let trust = vendors_own(&world, &right_trust(&world));
    let guard = json!({"Effect": "Deny", "Action": "s3:*", "Resource": "*",
        "Condition": {"StringNotEquals": {"aws:SourceVpce": "vpce-1"}}});
    let mut statements = with(guard);
    statements.push(allow(&["s3:PutObject"], &["*"]));
    hand_made(
        &world,
        &session,
        "guarded",
        trust.clone(),
        &statements,
        Access::ReadOnly,
    )
    .await;
    let report = judged(&session).await;
    let read = rung(&report, RungId::Read);
    assert_eq!(read.status, Skipped, "{read:#?}");
    assert!(
        read.answer.contains("s3:GetObject hangs on aws:SourceVpce"),
        "{read:#?}"
    );
    let put = part(rung(&report, RungId::Write), "s3:PutObject");
    assert_eq!(put.status, Skipped, "{put:#?}");
    // What holds for each request of ours is known.
    let insecure = json!({"Effect": "Deny", "Action": "*", "Resource": "*",
        "Condition": {"Bool": {"aws:SecureTransport": "false"}}});
    hand_made(
        &world,
        &session,
        "tls",
        trust.clone(),
        &with(insecure),
        Access::ReadOnly,
    )
    .await;
    let report = judged(&session).await;
    let read = rung(&report, RungId::Read);
    assert_eq!(
        read.answer, "s3:GetObject would be allowed below s3://acme-lake/warehouse",
        "{read:#?}"
    );
    let write = rung(&report, RungId::Write);
    assert!(write.parts.iter().all(|part| part.status == Passed), "{write:#?}");
    // One that holds only where the key is there lets the rung pass, and is named.
    let guard = json!({"Effect": "Deny", "Action": "s3:*", "Resource": "*",
        "Condition": {"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}}});
    hand_made(
        &world,
        &session,
        "reserved",
        trust,
        &with(guard),
        Access::ReadOnly,
    )
    .await;
    let report = judged(&session).await;
    let read = rung(&report, RungId::Read);
    assert_eq!(read.status, Passed, "{read:#?}");
    assert!(
        read.answer
            .ends_with(", as far as aws:SourceIp of a request does not keep it out"),
        "{read:#?}"
    );
}

#[tokio::test]
async fn what_engines_call_is_judged_by_policy_too() {
    let world = World::start();
    let session = vendors(&world).await;
    let trust = vendors_own(&world, &right_trust(&world));
    let mut statements = reads();
    let named = [
        "glue:GetCatalog",
        "glue:GetDatabases",
        "glue:GetTables",
        "glue:GetTable",
    ];
    statements[0] = allow(&named, &[CATALOG]);
    hand_made(
        &world,
        &session,
        "few",
        trust.clone(),
        &statements,
        Access::ReadOnly,
    )
    .await;
    let tables = rung(&judged(&session).await, RungId::Tables).clone();
    assert_eq!(tables.status, Warning, "{tables:#?}");
    assert!(
        tables.answer.ends_with("would be refused: glue:GetDatabase"),
        "{tables:#?}"
    );
    // An action on databases needs no right on tables.
    let of_tables = "arn:aws:glue:us-west-2:012345678901:table/*";
    statements[0] = allow(&named, &[CATALOG]);
    statements.push(allow(&["glue:GetDatabase"], &[CATALOG]));
    statements.push(json!({"Effect": "Deny", "Action": "glue:GetDatabase", "Resource": of_tables}));
    hand_made(
        &world,
        &session,
        "databases",
        trust.clone(),
        &statements,
        Access::ReadOnly,
    )
    .await;
    let tables = rung(&judged(&session).await, RungId::Tables).clone();
    assert_eq!(tables.status, Passed, "{tables:#?}");
    // What hangs on a request is not allowed yet.
    statements.truncate(3);
    let mut hangs = allow(&["glue:GetDatabase"], &[CATALOG]);
    hangs["Condition"] = json!({"StringEquals": {"aws:SourceVpce": "vpce-1"}});
    statements.push(hangs);
    hand_made(&world, &session, "hangs", trust, &statements, Access::ReadOnly).await;
    let tables = rung(&judged(&session).await, RungId::Tables).clone();
    let engines = part(&tables, "what its engines call besides");
    assert_eq!(engines.status, Skipped, "{tables:#?}");
}

#[tokio::test]
async fn how_many_named_databases_were_judged_is_said() {
    let world = World::start();
    let session = vendors(&world).await;
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let changed = Catalog {
        databases: (0..26).map(|number| format!("d{number:02}")).collect(),
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let report = judged(&session).await;
    for id in [RungId::Databases, RungId::Tables, RungId::Write] {
        let rung = rung(&report, id);
        assert_eq!(rung.status, Passed, "{rung:#?}");
        assert!(rung.answer.contains("the first 24 of 26 databases"), "{rung:#?}");
    }
}

#[tokio::test]
async fn an_outdated_stack_is_named_by_policy_too() {
    let world = World::start();
    let session = vendors(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    // As somebody does who changes the record in an editor.
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let mut changed = stored.record.clone();
    changed.s3_path = "s3://acme-lake/other".parse().unwrap();
    world.home.update(&stored, changed).unwrap();
    let report = judged(&session).await;
    let failed = report.first_failed().unwrap();
    let next = failed.next.as_deref().unwrap();
    assert!(next.contains("was made for s3://acme-lake/warehouse/"), "{next}");
    assert!(next.ends_with("glueup deploy catalog 'Lake House'"), "{next}");
}
