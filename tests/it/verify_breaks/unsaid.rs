//! S3 refuses without a word on why: what the role's own policies do not explain is not mended by them.

use super::through;
use crate::deploy::yes;
use crate::support::fake::{self, Asked, Fake, Reply};
use crate::support::home::Home;
use crate::support::jobs::World;
use crate::verify::{deployed, report, rung, verify};
use glueup::domain::status::Status::Failed;
use glueup::verify::RungId;
use serde_json::json;

fn reads_object(asked: &Asked) -> bool {
    asked.method == "GET" && asked.header("range").starts_with("bytes=")
}

fn lists_objects(asked: &Asked) -> bool {
    asked.method == "GET" && asked.target.contains("list-type=2")
}

/// What S3 says to nearly everybody.
fn denied() -> Reply {
    Reply::s3_error(403, "AccessDenied", "Access Denied")
}

/// The next step of a rung that failed, where S3 refuses what is asked so.
async fn next(world: &World, id: RungId, refused: impl Fn(&Asked) -> bool + Send + Sync + 'static) -> String {
    let session = through(world, move |asked| refused(asked).then(denied));
    let ran = yes(&session, verify()).await;
    let failed = rung(report(&ran), id);
    assert_eq!(failed.status, Failed, "{failed:#?}");
    failed.next.clone().unwrap()
}

#[track_caller]
fn causes(next: &str, expected: &[&str]) {
    let numbered: Vec<&str> = next
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    assert_eq!(numbered.len(), expected.len(), "{next}");
    for (at, (line, cause)) in numbered.iter().zip(expected).enumerate() {
        assert!(
            line.starts_with(&format!("{}. {cause}", at + 1)),
            "{cause}: {next}"
        );
    }
}

const LATER: [&str; 3] = [
    "the policy of a VPC endpoint",
    "a policy of the AWS organization (SCP or RCP)",
    "a registration of the location with Lake Formation",
];

#[tokio::test]
async fn what_the_roles_own_policies_allow_is_not_mended_by_putting_them_in_place_again() {
    let world = World::start();
    deployed(&world).await;
    let next_of_read = next(&world, RungId::Read, reads_object).await;
    assert!(
        next_of_read.starts_with("One of, since the role's own policies allow s3:GetObject there, and the bucket's does not refuse it:\n"),
        "{next_of_read}"
    );
    // The bucket has no policy, so that one is ruled out.
    let key = "the policy of the KMS key that encrypts the object";
    causes(&next_of_read, &[&[key], &LATER[..]].concat());
    let next_of_list = next(&world, RungId::List, lists_objects).await;
    causes(&next_of_list, &LATER);
    // Where the bucket's policy is not shown it may be that one.
    let unseen = |asked: &Asked| asked.target.contains("?policy") || lists_objects(asked);
    let next_unseen = next(&world, RungId::List, unseen).await;
    causes(
        &next_unseen,
        &[
            &["the policy of the bucket acme-lake, not shown here"],
            &LATER[..],
        ]
        .concat(),
    );
    let show = "aws s3api get-bucket-policy --bucket acme-lake --query Policy --output text";
    assert!(next_unseen.lines().any(|line| line == show), "{next_unseen}");
    for next in [next_of_read, next_of_list, next_unseen] {
        assert!(
            !next.contains("put-role-policy") && !next.contains("no policy of"),
            "{next}"
        );
    }
}

#[tokio::test]
async fn the_buckets_policy_is_blamed_where_it_refuses_and_where_it_hangs_on_the_network() {
    let world = World::start();
    deployed(&world).await;
    let put = async |statement: serde_json::Value| {
        let policy = json!({"Version": "2012-10-17", "Statement": [statement]}).to_string();
        let sent = world
            .s3()
            .put_bucket_policy()
            .bucket("acme-lake")
            .policy(policy)
            .send();
        sent.await.unwrap();
    };
    let below = "arn:aws:s3:::acme-lake/warehouse/*";
    put(json!({"Effect": "Deny", "Principal": "*", "Action": "s3:GetObject", "Resource": below})).await;
    let refused = next(&world, RungId::Read, |_| false).await;
    assert!(
        refused
            .starts_with("The policy of the bucket acme-lake denies s3:GetObject: whoever keeps the bucket"),
        "{refused}"
    );
    assert!(!refused.contains("put-role-policy"), "{refused}");
    put(
        json!({"Effect": "Deny", "Principal": "*", "Action": "s3:GetObject", "Resource": below,
        "Condition": {"StringNotEquals": {"aws:SourceVpce": "vpce-1"}}}),
    )
    .await;
    let hangs = next(&world, RungId::Read, reads_object).await;
    assert!(
        hangs
            .contains("1. the policy of the bucket acme-lake, where it hangs on aws:SourceVpce:\naws s3api "),
        "{hangs}"
    );
}

/// What the role's own policies lack is still mended by them.
#[tokio::test]
async fn what_the_roles_own_policies_lack_is_still_put_in_place() {
    let world = World::start();
    let session = crate::verify::granted(
        &world,
        json!([{"Effect": "Allow", "Action": ["glue:Get*"], "Resource": "*"}]),
    )
    .await;
    let ran = yes(&session, verify()).await;
    let list = rung(report(&ran), RungId::List);
    let next = list.next.as_deref().unwrap();
    assert!(next.contains("\naws iam put-role-policy"), "{list:#?}");
    assert!(list.answer.contains("no identity-based policy"), "{list:#?}");
}

/// On a virtual machine whose requests leave through a proxy: both are told.
#[test]
fn the_way_to_s3_is_told_as_far_as_it_is_known() {
    let world = fake::glue(vec![]);
    let proxy = Fake::start(|_| denied());
    let metadata = Fake::start(|_| Reply {
        status: 401,
        ..Reply::xml("")
    });
    let home = |home: Home| {
        fake::at(home, &world)
            .with("AWS_ENDPOINT_URL_S3", "http://s3.lake.test")
            .with("HTTP_PROXY", proxy.url())
    };
    let recorded = || fake::recorded("aws", "us-west-2", false);
    let next = |home: Home| {
        let report = home
            .glueup(&["--output", "json", "verify", "lake"])
            .exits(1)
            .json();
        let rungs = report["rungs"].as_array().unwrap();
        let list = rungs.iter().find(|rung| rung["id"] == "list").unwrap();
        list["next"].as_str().unwrap().to_owned()
    };
    let in_aws = home(recorded())
        .without("AWS_EC2_METADATA_DISABLED")
        .with("AWS_EC2_METADATA_SERVICE_ENDPOINT", metadata.url());
    let told = next(in_aws);
    let through = format!(
        "s3.lake.test is reached through the proxy {} (HTTP_PROXY)",
        proxy.url()
    );
    for word in ["this machine is in AWS", &through, "VPC endpoint"] {
        assert!(told.contains(word), "{word}: {told}");
    }
    let outside = next(home(recorded()));
    assert!(outside.contains("outside of AWS"), "{outside}");
}
