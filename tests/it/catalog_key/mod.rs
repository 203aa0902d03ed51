//! A Data Catalog whose metadata are encrypted with a KMS key: the key is found, asked for, and named where it refuses.

mod refused;

use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::encryption::{advice_in, check};
use crate::setup::{new_catalog, set_catalog};
use crate::stacks::in_the_browser;
use crate::support::demo::Demo;
use crate::support::fake::{Asked, Reply};
use crate::support::jobs::{World, run};
use crate::verify_breaks::through;
use aws_config::BehaviorVersion;
use aws_sdk_glue::config::{Credentials, Region};
use aws_sdk_glue::types::{CatalogEncryptionMode, DataCatalogEncryptionSettings, EncryptionAtRest};
use aws_smithy_http_client::Builder;
use glueup::domain::finding::Check;
use glueup::domain::problem::Kind;
use glueup::domain::status::Status::{Passed, Skipped, Warning};
use glueup::job::Job;
use glueup::registry::Catalog;
use glueup::report::Answer;
use glueup::session::Session;
use glueup::setup::NewCatalog;
use glueup::stack::{Advice, Request};
use serde_json::{Value, json};

const KEY: &str = "arn:aws:kms:us-west-2:012345678901:key/11112222-3333-4444-5555-666677778888";
/// Which operation tells how the catalog is encrypted.
const SETTINGS: &str = "GetDataCatalogEncryptionSettings";
const ID: &str = "11112222-3333-4444-5555-666677778888";

fn glue(endpoint: &str, id: &str, secret: &str) -> aws_sdk_glue::Client {
    let config = aws_sdk_glue::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(endpoint)
        .credentials_provider(Credentials::new(id, secret, None, None, "test"))
        .region(Region::new("us-west-2"))
        .http_client(Builder::new().build_http())
        .build();
    aws_sdk_glue::Client::from_conf(config)
}

/// Sets how the catalog is encrypted, as its owner does.
async fn encrypt(client: &aws_sdk_glue::Client, mode: &str, key: Option<&str>) {
    let at_rest = EncryptionAtRest::builder()
        .catalog_encryption_mode(CatalogEncryptionMode::from(mode))
        .set_sse_aws_kms_key_id(key.map(str::to_owned))
        .build()
        .unwrap();
    let settings = DataCatalogEncryptionSettings::builder()
        .encryption_at_rest(at_rest)
        .build();
    client
        .put_data_catalog_encryption_settings()
        .data_catalog_encryption_settings(settings)
        .send()
        .await
        .unwrap();
}

async fn encrypted(world: &World, key: &str) {
    let keys = &world.demo.admin;
    let client = glue(&world.demo.endpoint_url, &keys.id, &keys.secret);
    encrypt(&client, "SSE-KMS", Some(key)).await;
}

fn record(world: &World) -> Catalog {
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    stored.record.clone()
}

/// A change of the catalog that names its key.
fn with_key(key: &str) -> NewCatalog {
    NewCatalog {
        region: None,
        s3_path: None,
        access: None,
        connection: None,
        catalog_kms_key: Some(key.to_owned()),
        ..new_catalog("Lake House", "sales")
    }
}

async fn advice(session: &Session) -> Advice {
    advice_in(session, Some("us-west-2")).await
}

async fn preflight(session: &Session) -> Check {
    check(session, "catalog-encryption").await
}

#[tokio::test]
async fn the_key_is_found_and_not_asked_for() {
    let world = World::start();
    let session = recorded(&world).await;
    let plain = advice(&session).await;
    assert_eq!((plain.catalog_encryption, plain.catalog_kms_key), (None, None));
    assert_eq!(preflight(&session).await.finding.status, Passed);

    // By its id alone, it is one of the catalog's account and region.
    for name in [KEY, ID] {
        encrypted(&world, name).await;
        let found = advice(&session).await;
        assert_eq!(found.catalog_kms_key.as_ref().map(AsRef::as_ref), Some(KEY));
        let (good, line) = found.catalog_encryption.unwrap();
        assert!(
            good && line.contains("the catalog is encrypted by a KMS key"),
            "{line}"
        );
    }
    let check = preflight(&session).await;
    assert_eq!(check.finding.status, Warning, "{check:?}");
    let next = check.finding.next.unwrap();
    assert!(
        next.ends_with(&format!(
            "glueup catalog set 'Lake House' --catalog-kms-key {KEY}"
        )),
        "{next}"
    );
    set_catalog(&session, with_key(KEY)).await;
    assert_eq!(preflight(&session).await.finding.status, Passed);

    // Glue's own key, and one that Glue uses by a role of its own, ask callers for nothing.
    let keys = &world.demo.admin;
    let client = glue(&world.demo.endpoint_url, &keys.id, &keys.secret);
    for (mode, key) in [("SSE-KMS", None), ("SSE-KMS-WITH-SERVICE-ROLE", Some(KEY))] {
        encrypt(&client, mode, key).await;
        assert_eq!(advice(&session).await.catalog_kms_key, None, "{mode}");
    }
    // An alias is no ARN, and who may not look is told so.
    let aliased = through(&world, |asked: &Asked| {
        (asked.action() == SETTINGS).then(|| {
            Reply::json(&json!({"DataCatalogEncryptionSettings": {"EncryptionAtRest": {
                "CatalogEncryptionMode": "SSE-KMS", "SseAwsKmsKeyId": "alias/lake"}}}))
        })
    });
    let found = advice(&aliased).await;
    assert_eq!(found.catalog_kms_key, None);
    assert!(!found.catalog_encryption.unwrap().0);
    let unseen = through(&world, |asked: &Asked| {
        (asked.action() == SETTINGS).then(|| Reply::error(400, "AccessDeniedException", "no"))
    });
    assert_eq!(preflight(&unseen).await.finding.status, Skipped);
    assert_eq!(advice(&unseen).await.catalog_encryption, None);
}

/// On the console's page the key has a field of its own.
#[tokio::test]
async fn a_key_that_was_given_by_hand_is_kept_after_a_yes_and_typed_over_after_a_no() {
    for (parameter, keeps) in [
        ("CatalogKmsKeyArn", true),
        ("KmsKeyArn", true),
        ("CatalogKmsKeyArn", false),
    ] {
        let world = World::start();
        let session = recorded(&world).await;
        yes(&session, deploy(connection())).await.deployed();
        in_the_browser(&session, catalog(), |name, ours| match name {
            _ if name == parameter => KEY.to_owned(),
            _ => ours,
        })
        .await;
        let ran = yes(&session, Job::Stack(Request::Watch(catalog()))).await;
        let problem = ran.problem();
        assert_eq!(problem.kind, Kind::CheckFailed);
        assert!(
            problem.next.contains("asks whether to keep the key"),
            "{problem:?}"
        );

        let ran = run(&session, deploy(catalog()), |ask| {
            if ask.yes == "Keep the key" && !keeps {
                Answer::No
            } else {
                Answer::Yes
            }
        })
        .await;
        ran.deployed();
        let first = &ran.asks[0];
        assert!(
            first.yes == "Keep the key" && first.will[0].contains(KEY),
            "{first:?}"
        );
        let stacks = crate::change_sets::stacks(&session).await;
        let made = record(&world).stack_name.to_string();
        let parameters = stacks.describe(&made).await.unwrap().unwrap().parameters;
        let on_record = match parameter {
            "KmsKeyArn" => record(&world).kms_key,
            _ => record(&world).catalog_kms_key,
        };
        let on_record = on_record.map(|key| key.to_string()).unwrap_or_default();
        assert_eq!(parameters[parameter], on_record, "{parameter}");
        assert_eq!(on_record, if keeps { KEY } else { "" }, "{parameter}");
        assert!(record(&world).deployed);
        // Settled: it is not asked again.
        let ran = yes(&session, deploy(catalog())).await;
        assert!(ran.asks.is_empty(), "{:?}", ran.asks);
    }
}

/// What was taken off the record is not offered again.
#[tokio::test]
async fn a_key_can_be_taken_off_the_record_and_the_stack() {
    let world = World::start();
    let session = recorded(&world).await;
    set_catalog(&session, with_key(KEY)).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let without = NewCatalog {
        catalog_kms_key: None,
        without_catalog_kms_key: true,
        ..with_key(KEY)
    };
    set_catalog(&session, without).await;
    let ran = yes(&session, deploy(catalog())).await;
    ran.deployed();
    assert_eq!(ran.asks.len(), 1, "{:?}", ran.asks);
    let will = ran.asks[0].will.join("\n");
    assert!(
        will.contains(&format!("change CatalogKmsKeyArn from {KEY} to nothing")),
        "{will}"
    );
    assert_eq!(record(&world).catalog_kms_key, None);
}

#[test]
fn the_command_line_knows_the_key() {
    let demo = Demo::start(&[]);
    let home = demo.home();
    home.record_lake(&[]);
    let client = glue(
        demo.endpoint(),
        demo.field("access_key_id"),
        demo.field("secret_access_key"),
    );
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(encrypt(&client, "SSE-KMS", Some(KEY)));
    for target in ["connection sales", "catalog lake"] {
        let words: Vec<&str> = "deploy".split(' ').chain(target.split(' ')).collect();
        home.glueup(&[&words[..], &["--yes"]].concat()).ok();
    }
    // A refusal is neither an empty list nor something that is not there.
    let ran = home.glueup(&["ls", "lake", "--output", "json"]).exits(4);
    let what = ran.error()["what"].as_str().unwrap().to_owned();
    assert!(what.contains(KEY), "{what}");

    let set = |value: &str| {
        let ran = home.glueup(&[
            "catalog",
            "set",
            "lake",
            "--catalog-kms-key",
            value,
            "--output",
            "json",
        ]);
        ran.ok().json()
    };
    assert_eq!(set(KEY)["catalog_kms_key"], KEY);
    let text = home.glueup(&["catalog", "show", "lake"]).ok().stdout;
    assert!(text.contains(KEY), "{text}");
    let yaml = std::fs::read_to_string(home.records().join("catalogs/lake.yaml")).unwrap();
    assert!(yaml.contains("catalog_kms_key: "), "{yaml}");
    let add = "catalog add --name two --region us-west-2 --s3-path s3://acme-lake/raw --access read-write \
        --connection sales --catalog-kms-key";
    let add: Vec<&str> = add.split_whitespace().chain([KEY]).collect();
    home.glueup(&add).ok();
    let link = home
        .glueup(&["link", "catalog", "two", "--output", "json"])
        .ok()
        .json();
    assert_eq!(link["parameters"]["CatalogKmsKeyArn"], KEY);
    let packet = home.glueup(&["packet", "lake"]).ok().stdout;
    assert!(
        packet.contains(KEY) && packet.contains("DecryptCatalog"),
        "{packet}"
    );
    home.glueup(&["deploy", "catalog", "lake", "--yes"]).ok();
    home.glueup(&["ls", "lake"]).ok();

    assert_eq!(set("none")["catalog_kms_key"], Value::Null);
    for (wrong, word) in [
        ("alias/lake", "KMS key"),
        ("arn:aws-cn:kms:cn-north-1:012345678901:key/a", "partition"),
        ("", "catalog-kms-key"),
    ] {
        let ran = home
            .glueup(&[
                "catalog",
                "set",
                "lake",
                "--catalog-kms-key",
                wrong,
                "--output",
                "json",
            ])
            .exits(2);
        let error = ran.error().to_string();
        assert!(error.contains(word), "{error}");
    }
}
