//! The bucket's policy, and the key of its objects, beside the role's own policies.

use super::{judged, vendors, vendors_own};
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::support::fake::Reply;
use crate::support::jobs::World;
use crate::verify::rung;
use crate::verify_breaks::through;
use crate::verify_limits::{hand_made, part, reads, right_trust, with};
use glueup::domain::access::Access;
use glueup::domain::status::Status::{Failed, Passed, Skipped, Warning};
use glueup::registry::Catalog;
use glueup::verify::{Basis, RungId};
use serde_json::{Value, json};

async fn put(world: &World, statements: Value) {
    let policy = json!({"Version": "2012-10-17", "Statement": statements});
    let put = world.s3().put_bucket_policy();
    let sent = put.bucket("acme-lake").policy(policy.to_string()).send();
    sent.await.unwrap();
}

#[tokio::test]
async fn what_the_buckets_policy_says_counts_beside_the_roles_own() {
    let world = World::start();
    let session = vendors(&world).await;
    let trust = vendors_own(&world, &right_trust(&world));
    hand_made(&world, &session, "role", trust, &reads(), Access::ReadOnly).await;
    let role = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let role = role.role_arn.clone().unwrap().to_string();
    let below = "arn:aws:s3:::acme-lake/warehouse/*";
    // As nearly every bucket has it.
    let insecure = json!({"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": below,
        "Condition": {"Bool": {"aws:SecureTransport": "false"}}});
    put(&world, json!([insecure])).await;
    let report = judged(&session).await;
    assert_eq!(report.first_failed(), None);
    assert_eq!(rung(&report, RungId::Read).status, Passed);

    let denied =
        json!({"Effect": "Deny", "Principal": {"AWS": role}, "Action": "s3:GetObject", "Resource": below});
    put(&world, json!([insecure, denied])).await;
    let report = judged(&session).await;
    let read = rung(&report, RungId::Read);
    assert_eq!(read.status, Failed, "{read:#?}");
    assert!(
        read.answer.ends_with("the bucket's policy denies it"),
        "{read:#?}"
    );
    let next = read.next.as_deref().unwrap();
    assert!(
        next.starts_with(
            "The policy of the bucket acme-lake denies s3:GetObject: whoever keeps the bucket must let "
        ) && next.ends_with("\naws s3api get-bucket-policy --bucket acme-lake --query Policy --output text"),
        "{next}"
    );
    assert!(!next.contains("put-role-policy"), "{next}");
    assert_eq!(rung(&report, RungId::List).status, Passed);

    let network = json!({"Effect": "Deny", "Principal": "*", "Action": "s3:GetObject", "Resource": below,
        "Condition": {"StringNotEquals": {"aws:SourceVpce": "vpce-1"}}});
    put(&world, json!([network])).await;
    let report = judged(&session).await;
    let read = rung(&report, RungId::Read);
    assert_eq!(read.status, Skipped, "{read:#?}");
    assert!(read.answer.contains("hangs on aws:SourceVpce"), "{read:#?}");

    let gives = |condition: Value| {
        json!({"Effect": "Allow", "Principal": {"AWS": role}, "Action": "s3:PutObject", "Resource": below,
            "Condition": condition})
    };
    put(&world, json!([gives(json!({}))])).await;
    let report = judged(&session).await;
    let write = rung(&report, RungId::Write);
    let stray = part(write, "s3:PutObject");
    assert_eq!((stray.status, stray.basis), (Failed, Basis::Policy), "{write:#?}");
    assert!(
        stray.answer.ends_with("by the policy of the bucket"),
        "{write:#?}"
    );
    let next = write.next.as_deref().unwrap();
    assert!(
        next.ends_with("aws s3api get-bucket-policy --bucket acme-lake --query Policy --output text"),
        "{next}"
    );
    put(
        &world,
        json!([gives(json!({"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}}))]),
    )
    .await;
    let write = rung(&judged(&session).await, RungId::Write).clone();
    assert_eq!(part(&write, "s3:PutObject").status, Skipped, "{write:#?}");
}

#[tokio::test]
async fn a_buckets_policy_that_is_not_shown_is_said_to_be_open() {
    let world = World::start();
    let session = vendors(&world).await;
    let trust = vendors_own(&world, &right_trust(&world));
    hand_made(&world, &session, "role", trust, &reads(), Access::ReadOnly).await;
    let blind = through(&world, |asked| {
        let policy = asked.method == "GET" && asked.target.contains("?policy");
        policy.then(|| Reply::s3_error(403, "AccessDenied", "Access Denied"))
    });
    let report = judged(&blind).await;
    let unshown =
        "as far as the role's own policies go; the bucket's policy was not shown (Denied: s3:GetBucketPolicy";
    for id in [RungId::List, RungId::Read] {
        let rung = rung(&report, id);
        assert_eq!(rung.status, Skipped, "{rung:#?}");
        assert!(
            rung.answer.starts_with("not proven: would be allowed"),
            "{rung:#?}"
        );
        assert!(rung.answer.contains(unshown), "{rung:#?}");
    }
    for (id, title) in [
        (RungId::Write, "s3:PutObject"),
        (RungId::Write, "s3:DeleteObject"),
        (RungId::Neighbour, "read beside the prefix"),
    ] {
        let rung = rung(&report, id);
        assert_eq!(rung.status, Warning, "{rung:#?}");
        let next = rung.next.as_deref().unwrap();
        assert!(
            next.contains("get-bucket-policy --bucket acme-lake --query Policy"),
            "{next}"
        );
        let of_s3 = |part: &&glueup::verify::Rung| part.title.contains(title);
        let part = rung.parts.iter().find(of_s3).unwrap();
        assert_eq!(part.status, Skipped, "{part:#?}");
        assert!(
            part.answer.starts_with("not proven: would be refused"),
            "{part:#?}"
        );
        assert!(part.answer.contains(unshown), "{part:#?}");
    }
}

#[tokio::test]
async fn whether_the_role_may_use_the_key_of_the_objects_is_judged_too() {
    let world = World::start();
    let session = vendors(&world).await;
    let stored = world.home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let key = "arn:aws:kms:us-west-2:012345678901:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    let changed = Catalog {
        kms_key: Some(key.parse().unwrap()),
        ..stored.record.clone()
    };
    world.home.update(&stored, changed).unwrap();
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let read = rung(&judged(&session).await, RungId::Read).clone();
    assert_eq!(read.status, Passed, "{read:#?}");
    let words = format!("and kms:Decrypt with the key {key}, as far as the key's own policy says the same");
    assert!(read.answer.ends_with(&words), "{read:#?}");

    let trust = vendors_own(&world, &right_trust(&world));
    hand_made(
        &world,
        &session,
        "no-key",
        trust.clone(),
        &reads(),
        Access::ReadOnly,
    )
    .await;
    let read = rung(&judged(&session).await, RungId::Read).clone();
    assert_eq!(read.status, Warning, "{read:#?}");
    assert!(
        read.answer.contains("no policy of the role allows kms:Decrypt"),
        "{read:#?}"
    );
    let deny = json!({"Effect": "Deny", "Action": "kms:*", "Resource": "*"});
    hand_made(&world, &session, "denied", trust, &with(deny), Access::ReadOnly).await;
    let read = rung(&judged(&session).await, RungId::Read).clone();
    assert_eq!(
        (read.status, read.action.as_deref()),
        (Failed, Some("kms:Decrypt")),
        "{read:#?}"
    );
}

#[tokio::test]
async fn by_use_too_the_buckets_policy_is_pointed_at() {
    let world = World::start();
    let session = recorded(&world).await;
    hand_made(
        &world,
        &session,
        "used",
        right_trust(&world),
        &reads(),
        Access::ReadOnly,
    )
    .await;
    let role = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let role = role.role_arn.clone().unwrap().to_string();
    let of = |effect: &str, actions: &[&str]| {
        json!([{"Effect": effect, "Principal": {"AWS": role}, "Action": actions,
            "Resource": "arn:aws:s3:::acme-lake/warehouse/*"}])
    };
    put(&world, of("Allow", &["s3:PutObject", "s3:DeleteObject"])).await;
    let write = rung(&judged(&session).await, RungId::Write).clone();
    assert_eq!((write.status, write.basis), (Failed, Basis::Use), "{write:#?}");
    let next = write.next.as_deref().unwrap();
    assert!(
        next.starts_with("The policy of the bucket names the role"),
        "{next}"
    );
    assert!(!next.contains("list-role-policies"), "{next}");

    put(&world, of("Deny", &["s3:GetObject"])).await;
    let read = rung(&judged(&session).await, RungId::Read).clone();
    assert_eq!((read.status, read.basis), (Failed, Basis::Use), "{read:#?}");
    let next = read.next.as_deref().unwrap();
    assert!(
        next.starts_with("The policy of the bucket acme-lake denies s3:GetObject: "),
        "{next}"
    );
    assert!(
        next.contains("get-bucket-policy --bucket acme-lake --query"),
        "{next}"
    );
}
