//! The KMS key of a bucket is found with the caller's own rights, so that nobody has to know it.

use crate::deploy::{recorded, yes};
use crate::support::fake::{Asked, Reply};
use crate::support::jobs::World;
use crate::verify_breaks::through;
use aws_sdk_s3::types::{
    ServerSideEncryption, ServerSideEncryptionByDefault, ServerSideEncryptionConfiguration,
    ServerSideEncryptionRule,
};
use glueup::domain::finding::Check;
use glueup::domain::status::Status;
use glueup::job::{Job, Outcome};
use glueup::registry::{Catalog, Holder};
use glueup::session::Session;
use glueup::stack::{self, Advice, Request, Target};

const KEY: &str = "arn:aws:kms:us-west-2:012345678901:key/11112222-3333-4444-5555-666677778888";

/// Gives the lake a default encryption by this key, as its owner does.
async fn encrypt(world: &World, key: &str) {
    let by_default = ServerSideEncryptionByDefault::builder()
        .sse_algorithm(ServerSideEncryption::AwsKms)
        .kms_master_key_id(key)
        .build()
        .unwrap();
    let rule = ServerSideEncryptionRule::builder()
        .apply_server_side_encryption_by_default(by_default)
        .build();
    let all = ServerSideEncryptionConfiguration::builder()
        .rules(rule)
        .build()
        .unwrap();
    let put = world.s3().put_bucket_encryption().bucket("acme-lake");
    put.server_side_encryption_configuration(all)
        .send()
        .await
        .unwrap();
}

async fn advice(session: &Session) -> Advice {
    advice_in(session, None).await
}

/// What the caller's own rights show of Details; a region, where the catalog is looked at too.
pub async fn advice_in(session: &Session, region: Option<&str>) -> Advice {
    let ask = Job::Stack(Request::Advise {
        region: region.map(|region| region.parse().unwrap()),
        s3_path: "s3://acme-lake/warehouse".parse().unwrap(),
    });
    match yes(session, ask).await.end {
        Ok(Outcome::Stack(stack::Outcome::Advice(advice))) => advice,
        other => panic!("{other:?}"),
    }
}

async fn preflight(session: &Session) -> Check {
    check(session, "encryption").await
}

/// One of the checks before the catalog is deployed.
pub async fn check(session: &Session, id: &str) -> Check {
    let ask = Job::Stack(Request::Preflight {
        target: Target::Grant(Holder::Catalog("Lake House".parse().unwrap())),
        role_arn: None,
    });
    let Ok(Outcome::Stack(stack::Outcome::Preflight(checks))) = yes(session, ask).await.end else {
        panic!("no preflight")
    };
    checks.into_iter().find(|check| check.id == id).unwrap()
}

#[tokio::test]
async fn the_default_key_of_a_bucket_is_found_and_put_on_record_as_printed() {
    let world = World::start();
    let session = recorded(&world).await;
    let plain = advice(&session).await;
    assert_eq!((plain.encryption, plain.kms_key), (None, None));
    assert_eq!(preflight(&session).await.finding.status, Status::Passed);

    encrypt(&world, KEY).await;
    let found = advice(&session).await;
    assert_eq!(found.kms_key.as_ref().map(AsRef::as_ref), Some(KEY));
    assert!(found.encryption.unwrap().1.contains("by a KMS key"));
    let check = preflight(&session).await;
    assert_eq!(check.finding.status, Status::Warning);
    let next = check.finding.next.unwrap();
    assert!(
        next.ends_with(&format!("glueup catalog set 'Lake House' --kms-key {KEY}")),
        "{next}"
    );
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let with_key = Catalog {
        kms_key: Some(KEY.parse().unwrap()),
        ..stored.record.clone()
    };
    world.home.update(&stored, with_key).unwrap();
    assert_eq!(preflight(&session).await.finding.status, Status::Passed);

    // An alias is no ARN: nothing is put on record, and how its ARN is found is said.
    encrypt(&world, "alias/lake").await;
    let alias = advice(&session).await;
    assert_eq!(alias.kms_key, None);
    assert!(!alias.encryption.unwrap().0);
    // S3's own KMS key asks nobody for a right.
    encrypt(&world, "arn:aws:kms:us-west-2:012345678901:alias/aws/s3").await;
    assert_eq!(advice(&session).await.encryption, None);
}

/// What a bucket does by default says nothing of an object that was put with another key.
#[tokio::test]
async fn the_key_of_an_object_counts_more_than_the_buckets_default() {
    let world = World::start();
    recorded(&world).await;
    let session = through(&world, |asked: &Asked| {
        (asked.method == "HEAD" && asked.target.contains("/acme-lake/warehouse/")).then(|| Reply {
            status: 200,
            kind: HEAD,
            body: String::new(),
        })
    });
    let found = advice(&session).await;
    assert_eq!(found.kms_key.as_ref().map(AsRef::as_ref), Some(KEY));
}

/// The headers of an object that was put with a key of its own: the type, and what follows it.
const HEAD: &str = "binary/octet-stream\r\nx-amz-server-side-encryption: aws:kms\r\n\
                    x-amz-server-side-encryption-aws-kms-key-id: \
                    arn:aws:kms:us-west-2:012345678901:key/11112222-3333-4444-5555-666677778888";

#[tokio::test]
async fn who_may_not_look_is_told_that_nothing_is_known() {
    let world = World::start();
    recorded(&world).await;
    let session = through(&world, |asked: &Asked| {
        asked
            .target
            .contains("acme-lake")
            .then(|| Reply::s3_error(403, "AccessDenied", "Access Denied"))
    });
    let check = preflight(&session).await;
    assert_eq!(check.finding.status, Status::Skipped);
    assert!(check.finding.answer.starts_with("not seen: "), "{check:?}");
    assert_eq!(advice(&session).await.encryption, None);
}

/// A bucket is asked in its own region, whichever the catalog is in.
#[tokio::test]
async fn the_key_of_a_bucket_in_another_region_is_found_there() {
    let world = World::start();
    recorded(&world).await;
    encrypt(&world, KEY).await;
    for code in ["PermanentRedirect", "AuthorizationHeaderMalformed"] {
        let session = through(&world, move |asked: &Asked| {
            let of_bucket = asked.target.starts_with("/acme-lake");
            (of_bucket && asked.region() != "eu-west-1").then(|| Reply {
                kind: "application/xml\r\nx-amz-bucket-region: eu-west-1",
                ..Reply::s3_error(
                    if code == "PermanentRedirect" { 301 } else { 400 },
                    code,
                    "elsewhere",
                )
            })
        });
        let found = advice(&session).await;
        assert!(found.bucket[0].1.contains("in eu-west-1"), "{found:?}");
        assert_eq!(found.kms_key.as_ref().map(AsRef::as_ref), Some(KEY), "{code}");
        let check = preflight(&session).await;
        assert_eq!(check.finding.status, Status::Warning, "{code}: {check:?}");
        assert!(check.finding.next.unwrap().contains(KEY));
    }
    // Where the region is not told, the answer stays what it was.
    let lost = through(&world, |asked: &Asked| {
        let of_bucket = asked.target.starts_with("/acme-lake");
        of_bucket.then(|| Reply::s3_error(301, "PermanentRedirect", "elsewhere"))
    });
    let check = preflight(&lost).await;
    assert!(check.finding.answer.contains("is not in us-west-2"), "{check:?}");
}
