//! What the boto3 script beside these tests cannot ask: races, other accounts, time.

use super::{admin, code, message, outsider, session, status};
use crate::support::http;
use aws_sdk_s3::Client;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::{CompletedMultipartUpload, CompletedPart};
use aws_types::SdkConfig;
use glueup::demo::{self, Options};
use serde_json::json;
use std::time::Duration;

const LAKE: &str = "acme-lake";

fn s3(config: &SdkConfig) -> Client {
    Client::new(config)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_conditional_writers_exactly_one_wins() {
    let aws = demo::start(Options::default()).unwrap();
    let client = s3(&admin(&aws));
    let put = |n: u8| {
        let put = client
            .put_object()
            .bucket(LAKE)
            .key("warehouse/race")
            .if_none_match("*");
        tokio::spawn(put.body(vec![n; 700_000].into()).send())
    };
    let writers: Vec<_> = (0..8).map(put).collect();
    let mut winner = None;
    for (n, writer) in writers.into_iter().enumerate() {
        let answer = writer.await.unwrap();
        match code(&answer).as_str() {
            "allowed" => assert_eq!(winner.replace(n), None, "two won"),
            other => assert_eq!((other, status(&answer)), ("PreconditionFailed", 412)),
        }
    }
    let held = client
        .get_object()
        .bucket(LAKE)
        .key("warehouse/race")
        .send()
        .await
        .unwrap();
    let bytes = held.body.collect().await.unwrap().into_bytes();
    assert!(bytes.iter().all(|byte| usize::from(*byte) == winner.unwrap()));
}

#[tokio::test]
async fn a_part_of_an_invented_upload_tells_whether_writing_is_allowed() {
    let aws = demo::start(Options::default()).unwrap();
    let probe = |client: Client| async move {
        let part = client
            .upload_part()
            .bucket(LAKE)
            .key("warehouse/never")
            .upload_id("invented")
            .part_number(1);
        let answer = part.body(ByteStream::from_static(b"")).send().await;
        (status(&answer), code(&answer))
    };
    let write = session(
        &aws,
        "writer",
        json!([{"Effect": "Allow", "Action": "s3:PutObject", "Resource": "arn:aws:s3:::acme-lake/warehouse/*"}]),
    );
    let read = session(
        &aws,
        "reader",
        json!([{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::acme-lake/warehouse/*"}]),
    );
    let (write, read) = (write.await, read.await);
    assert_eq!(probe(s3(&write)).await, (404, "NoSuchUpload".to_owned()));
    assert_eq!(probe(s3(&read)).await, (403, "AccessDenied".to_owned()));
    let get = |key: &str| s3(&read).get_object().bucket(LAKE).key(key).send();
    let missing = get("warehouse/never").await;
    assert_eq!(status(&missing), 403);
    assert!(
        message(&missing).contains("s3:ListBucket on resource: arn:aws:s3:::acme-lake because no identity")
    );
    assert_eq!(code(&get("archive/README.txt").await), "AccessDenied");
    assert_eq!(
        code(&get("warehouse/../archive/README.txt").await),
        "AccessDenied"
    );
    assert_eq!(status(&get("warehouse/raw/partners/partners.csv").await), 200);
}

#[tokio::test]
async fn another_accounts_bucket_needs_its_policy_too() {
    let aws = demo::start(Options::default()).unwrap();
    let owner = s3(&admin(&aws));
    let stranger = session(
        &aws,
        "stranger",
        json!([{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]),
    );
    let partner = owner
        .get_object()
        .bucket("acme-partner")
        .key("shared/prices.csv")
        .send()
        .await;
    assert_eq!(code(&partner), "AccessDenied");
    assert!(
        message(&partner).contains("no resource-based policy"),
        "{}",
        message(&partner)
    );
    // In the same account a policy of the bucket suffices, and its deny wins over everything.
    let key = "warehouse/raw/partners/partners.csv";
    let policy = json!({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::444455556666:user/outsider"},
         "Action": "s3:GetObject", "Resource": "arn:aws:s3:::acme-lake/*"},
        {"Effect": "Deny", "Principal": "*", "Action": "s3:DeleteObject", "Resource": "arn:aws:s3:::acme-lake/*"},
    ]});
    owner
        .put_bucket_policy()
        .bucket(LAKE)
        .policy(policy.to_string())
        .send()
        .await
        .unwrap();
    let outside = s3(&outsider(&aws))
        .get_object()
        .bucket(LAKE)
        .key(key)
        .send()
        .await;
    assert_eq!(
        code(&outside),
        "AccessDenied",
        "the outsider's own policies allow nothing"
    );
    let stranger = s3(&stranger.await);
    assert_eq!(
        status(&stranger.get_object().bucket(LAKE).key(key).send().await),
        200
    );
    let deleted = stranger.delete_object().bucket(LAKE).key(key).send().await;
    assert!(
        message(&deleted).contains("explicit deny in a resource-based policy"),
        "{}",
        message(&deleted)
    );
}

#[tokio::test]
async fn a_session_ends_and_a_clock_is_judged_by_the_servers() {
    let aws = demo::start(Options::default()).unwrap();
    let all = json!([{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]);
    let keys = session(&aws, "short", all).await;
    // A new client each time: one that was told a time corrects its own for good.
    let list = || s3(&keys).list_objects_v2().bucket(LAKE).max_keys(1).send();
    assert_eq!(code(&list().await), "allowed");
    let address = aws.endpoint_url.trim_start_matches("http://").to_owned();
    let turn = |offset: i64| {
        let knob = json!({"clock_offset_s": offset}).to_string();
        assert_eq!(
            http::request(&address, "PUT", "/_glueup/knobs", &[], knob.as_bytes())
                .unwrap()
                .status,
            200
        );
    };
    turn(3700);
    assert_eq!(code(&list().await), "ExpiredToken");
    assert_eq!(
        code(&s3(&admin(&aws)).list_buckets().send().await),
        "RequestTimeTooSkewed"
    );
    turn(0);
    assert_eq!(code(&list().await), "allowed");
}

#[tokio::test]
async fn presigned_streamed_and_in_parts() {
    let aws = demo::start(Options::default()).unwrap();
    let client = s3(&admin(&aws));
    let begun = client
        .create_multipart_upload()
        .bucket(LAKE)
        .key("warehouse/a b+c=%2F")
        .send()
        .await
        .unwrap();
    let id = begun.upload_id().unwrap();
    let mut parts = Vec::new();
    for (number, len) in [(1, 5 << 20), (2, 1000)] {
        let part = client
            .upload_part()
            .bucket(LAKE)
            .key("warehouse/a b+c=%2F")
            .upload_id(id)
            .part_number(number);
        let sent = part.body(vec![number as u8; len].into()).send().await.unwrap();
        let part = CompletedPart::builder()
            .part_number(number)
            .set_e_tag(sent.e_tag().map(str::to_owned));
        parts.push(part.build());
    }
    let all = CompletedMultipartUpload::builder().set_parts(Some(parts)).build();
    let complete = client
        .complete_multipart_upload()
        .bucket(LAKE)
        .key("warehouse/a b+c=%2F")
        .upload_id(id);
    let done = complete.multipart_upload(all).send().await.unwrap();
    assert!(done.e_tag().unwrap().ends_with("-2\""));

    let for_a_minute = PresigningConfig::expires_in(Duration::from_secs(60)).unwrap();
    let get = client
        .get_object()
        .bucket(LAKE)
        .key("warehouse/a b+c=%2F")
        .range("bytes=5242878-5242881");
    let url = get.presigned(for_a_minute).await.unwrap();
    let path = url.uri().strip_prefix(aws.endpoint_url.as_str()).unwrap();
    let headers: Vec<(&str, &str)> = url.headers().collect();
    let answer = http::request(
        aws.endpoint_url.trim_start_matches("http://"),
        "GET",
        path,
        &headers,
        b"",
    )
    .unwrap();
    assert_eq!(answer.status, 206, "{}", answer.text());
    assert_eq!(
        answer.header("content-range"),
        Some("bytes 5242878-5242881/5243880")
    );
}
