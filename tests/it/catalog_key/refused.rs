//! A key that refuses, as Verify finds it.

use super::{KEY, encrypted, record, with_key};
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{add_catalog, add_connection, new_catalog, new_connection, set_catalog};
use crate::support::fake::{Asked, Reply};
use crate::support::iam;
use crate::support::jobs::{World, setup};
use crate::verify::{deployed, report, rung, verify};
use crate::verify_breaks::through;
use crate::verify_by_policy::vendors;
use crate::verify_limits::{hand_made, reads, right_trust, with};
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Failed, Passed, Skipped, Warning};
use glueup::registry::{Catalog, Connection};
use glueup::setup::{NewOrganization, Request as Setup};
use glueup::verify::RungId;
use serde_json::json;

#[tokio::test]
async fn a_key_that_refuses_is_named_with_the_commands_that_open_it() {
    let world = World::start();
    let session = deployed(&world).await;
    encrypted(&world, KEY).await;
    let ran = yes(&session, verify()).await;
    let found = report(&ran);
    let databases = rung(found, RungId::Databases);
    assert_eq!(databases.status, Failed, "{databases:#?}");
    assert!(
        databases.answer.starts_with(&format!(
            "The encryption key {KEY} refused glue:GetDatabases (no identity-based policy allows it)"
        )),
        "{databases:#?}"
    );
    assert_eq!(
        (databases.action.as_deref(), databases.resource.as_deref()),
        (Some("kms:Decrypt"), Some(KEY))
    );
    // Nothing is empty, and nothing is missing.
    let all = serde_json::to_string(found).unwrap();
    assert!(
        !all.contains("visible") && !all.contains("Not found") && !all.contains("no database"),
        "{all}"
    );
    assert_eq!(rung(found, RungId::Tables).status, Skipped);
    let rest = rung(found, RungId::Rest);
    assert_eq!(rest.status, Failed, "{rest:#?}");
    let commands: Vec<&str> = databases.next.as_deref().unwrap().lines().skip(1).collect();
    assert_eq!(
        commands,
        [
            format!("glueup catalog set 'Lake House' --catalog-kms-key {KEY}"),
            "glueup deploy catalog 'Lake House'".to_owned()
        ]
    );

    // As printed: the record is outdated, says why, and then all is well.
    set_catalog(&session, with_key(KEY)).await;
    assert!(!record(&world).deployed);
    let ran = yes(&session, verify()).await;
    let problem = ran.problem();
    assert!(
        problem.why.contains("was made for no KMS key for the catalog")
            && problem
                .why
                .contains(&format!("the KMS key {KEY} for the catalog")),
        "{problem:?}"
    );
    let ran = yes(&session, deploy(catalog())).await;
    ran.deployed();
    let will = ran.asks[0].will.join("\n");
    assert!(
        will.contains(&format!("change CatalogKmsKeyArn from nothing to {KEY}"))
            && will.contains("DecryptCatalog: the Data Catalog is encrypted with this key"),
        "{will}"
    );
    assert!(record(&world).deployed);
    let ran = yes(&session, verify()).await;
    for id in [RungId::Databases, RungId::Tables, RungId::Rest] {
        assert_eq!(rung(report(&ran), id).status, Passed, "{:#?}", report(&ran));
    }
}

/// A table is encrypted by itself: one that was written after the key was changed has another key than the rest.
#[tokio::test]
async fn a_table_behind_another_key_is_neither_missing_nor_empty() {
    let world = World::start();
    deployed(&world).await;
    let other = KEY.replace("1111", "9999");
    let words = format!(
        "User: arn:aws:sts::012345678901:assumed-role/engine/s is not authorized to perform: kms:Decrypt on resource: \
         {other} because no identity-based policy allows the kms:Decrypt action (Service: AWSKMS; Status Code: 400; Error \
         Code: AccessDeniedException; Request ID: 0; Proxy: null)"
    );
    let session = through(&world, move |asked: &Asked| {
        (asked.action() == "GetTables").then(|| Reply::error(400, "GlueEncryptionException", &words))
    });
    let ran = yes(&session, verify()).await;
    let tables = rung(report(&ran), RungId::Tables);
    assert_eq!(tables.status, Failed, "{tables:#?}");
    assert!(tables.answer.contains(&other), "{tables:#?}");
    assert!(
        tables
            .next
            .as_deref()
            .unwrap()
            .contains(&format!("--catalog-kms-key {other}\n")),
        "{tables:#?}"
    );

    // A key that is disabled is no right that lacks; which it is, the settings say.
    encrypted(&world, KEY).await;
    let session = through(&world, |asked: &Asked| {
        let disabled = || Reply::error(400, "GlueEncryptionException", "The key is disabled.");
        (asked.action() == "GetDatabases").then(disabled)
    });
    let ran = yes(&session, verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    assert_eq!(databases.status, Failed, "{databases:#?}");
    assert!(
        databases.answer.contains("The key is disabled.") && databases.answer.ends_with(KEY),
        "{databases:#?}"
    );
}

#[tokio::test]
async fn the_keeper_of_a_role_is_given_the_whole_policy_with_the_key() {
    let world = World::start();
    let session = recorded(&world).await;
    hand_made(
        &world,
        &session,
        "theirs",
        right_trust(&world),
        &reads(),
        Access::ReadOnly,
    )
    .await;
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let adopted = Connection {
        adopted: true,
        ..stored.record.clone()
    };
    world.home.update(&stored, adopted).unwrap();
    encrypted(&world, KEY).await;
    let ran = yes(&session, verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    let next = databases.next.as_deref().unwrap();
    assert!(
        next.contains(&format!(
            "glueup catalog set 'Lake House' --catalog-kms-key {KEY}\n"
        )),
        "{next}"
    );
    assert!(!next.contains("glueup deploy"), "{next}");
    let commands = iam::commands(next);
    assert_eq!(commands.len(), 1, "{next}");
    iam::run(&world.demo, &commands[0]);
    let ran = yes(&session, verify()).await;
    assert_eq!(
        rung(report(&ran), RungId::Databases).status,
        Passed,
        "{:#?}",
        report(&ran)
    );
}

#[tokio::test]
async fn a_deny_of_the_roles_own_policies_is_said_to_be_one() {
    let world = World::start();
    let session = recorded(&world).await;
    let deny = json!({"Effect": "Deny", "Action": "kms:*", "Resource": "*"});
    hand_made(
        &world,
        &session,
        "denied",
        right_trust(&world),
        &with(deny),
        Access::ReadOnly,
    )
    .await;
    set_catalog(&session, with_key(KEY)).await;
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let taken = Catalog {
        deployed: true,
        ..stored.record.clone()
    };
    world.home.update(&stored, taken).unwrap();
    encrypted(&world, KEY).await;
    let ran = yes(&session, verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    let next = databases.next.as_deref().unwrap();
    assert!(
        next.contains(&format!("Take the statement that denies kms:Decrypt on {KEY}")),
        "{databases:#?}"
    );
}

#[tokio::test]
async fn a_ladder_by_policy_looks_at_the_key_of_the_catalog_too() {
    let world = World::start();
    let session = vendors(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    encrypted(&world, KEY).await;
    let ran = yes(&session, verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    assert_eq!(databases.status, Warning, "{databases:#?}");
    assert!(
        databases.answer.contains(&format!(
            "no policy of the role allows kms:Decrypt with the key {KEY}"
        )),
        "{databases:#?}"
    );
    let next = databases.next.as_deref().unwrap();
    assert!(
        next.contains(&format!("--catalog-kms-key {KEY}\nglueup deploy")),
        "{next}"
    );
    set_catalog(&session, with_key(KEY)).await;
    yes(&session, deploy(catalog())).await.deployed();
    let ran = yes(&session, verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    assert_eq!(databases.status, Passed, "{databases:#?}");
    let words = format!("and kms:Decrypt with the key {KEY}, as far as the key's own policy says the same");
    assert!(databases.answer.ends_with(&words), "{databases:#?}");
}

#[tokio::test]
async fn a_platform_that_never_lists_learns_of_the_key_too() {
    let world = World::start();
    let session = world.admin();
    let new = NewOrganization {
        platform: Some("chalk".into()),
        ..NewOrganization::default()
    };
    setup(&session, Setup::Init(new)).await;
    add_connection(&session, new_connection("sales")).await;
    add_catalog(&session, new_catalog("Lake House", "sales")).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    encrypted(&world, KEY).await;
    let ran = yes(&session, verify()).await;
    let tables = rung(report(&ran), RungId::Tables);
    assert_eq!(tables.status, Warning, "{tables:#?}");
    assert!(tables.answer.contains(KEY), "{tables:#?}");
    assert!(
        tables.next.as_deref().unwrap().contains("--catalog-kms-key"),
        "{tables:#?}"
    );
}
