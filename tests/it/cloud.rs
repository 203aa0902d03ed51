//! The cloud room against the embedded AWS: a real client, real HTTP, real refusals.

use crate::support::deployed::{Deployed, EXTERNAL_ID, settings};
use glueup::cloud::{Aws, Hop, Settings, chain, has_code, is_access_denied, is_not_found, is_throttled};
use glueup::demo::{Options, TEMPLATES_BUCKET};
use glueup::domain::problem::Kind;
use std::time::{Duration, Instant};

#[tokio::test]
async fn the_caller_is_known_and_the_meter_counts() {
    let world = Deployed::start(Options::default()).await;
    let identity = world.admin.identity().await.unwrap();
    assert_eq!(identity.account.as_str(), world.handle.account_id);
    assert!(identity.arn.ends_with(":user/admin"), "{}", identity.arn);
    assert_eq!(identity.partition.id(), "aws");
    world.admin.identity().await.unwrap();
    let reading = world.admin.meter().reading();
    assert_eq!((reading.calls, reading.retries), (1, 0));
    assert!(reading.bytes > 0);
    assert!(reading.skew_seconds.unwrap().abs() <= 2, "{reading:?}");
}

#[tokio::test]
async fn a_wrong_clock_is_measured_although_the_sdk_corrects_it() {
    let world = Deployed::start(Options {
        clock_offset: 600,
        ..Options::default()
    })
    .await;
    world.admin.identity().await.unwrap();
    let reading = world.admin.meter().reading();
    assert!(
        (595..=605).contains(&reading.skew_seconds.unwrap()),
        "{reading:?}"
    );
}

#[tokio::test]
async fn wrong_secrets_and_unknown_keys_are_denied_in_words() {
    let world = Deployed::start(Options::default()).await;
    let mut keys = world.handle.admin.clone();
    keys.secret = "wrong".into();
    let aws = Aws::sign_in(&settings(&world.handle, &keys)).await.unwrap();
    let problem = aws.identity().await.unwrap_err();
    assert_eq!(problem.kind, Kind::Denied);
    assert!(problem.what.contains("signature"), "{problem:?}");
    keys.id = "AKIANOBODYKNOWSTHIS0".into();
    let aws = Aws::sign_in(&settings(&world.handle, &keys)).await.unwrap();
    let problem = aws.identity().await.unwrap_err();
    assert_eq!(problem.what, "AWS does not know these credentials");
    let glue = aws.glue(&world.region()).databases_page(None).await.unwrap_err();
    assert_eq!(glue.kind, Kind::Denied, "{glue:?}");
}

#[tokio::test]
async fn two_hops_with_the_external_id_reach_the_role_and_nothing_less_does() {
    let world = Deployed::start(Options::default()).await;
    let role = world.connection("glueup-connection-sales").await;
    let broker = world.handle.broker_role_arn.parse().unwrap();
    let (role_arn, id, region) = (
        role.parse().unwrap(),
        EXTERNAL_ID.parse().unwrap(),
        world.region(),
    );
    world.admin.identity().await.unwrap();
    let session = chain::connect(
        &world.admin,
        Some(&broker),
        &role_arn,
        &id,
        &region,
        "glueup test",
    )
    .await
    .unwrap();
    let name = role.rsplit('/').next().unwrap();
    let arn = format!(
        "arn:aws:sts::{}:assumed-role/{name}/glueup-test",
        world.handle.account_id
    );
    assert_eq!(session.identity().await.unwrap().arn, arn);

    let wrong = "ext-another".parse().unwrap();
    let refused = chain::connect(&world.admin, Some(&broker), &role_arn, &wrong, &region, "t")
        .await
        .unwrap_err();
    assert!(is_access_denied(&refused), "{refused:?}");
    assert_eq!(refused.detail.resource.as_deref(), Some(role.as_str()));
    assert_eq!(refused.detail.action.as_deref(), Some("sts:AssumeRole"));
    let caller = refused.detail.caller.unwrap();
    assert!(caller.contains(":assumed-role/glueup-broker/"), "{caller}");

    let without = Hop {
        role_arn,
        external_id: None,
        session_name: "t".into(),
        region,
    };
    let first = chain::first(&world.admin, Some(&broker), &world.region(), "t")
        .await
        .unwrap();
    assert!(is_access_denied(&first.assume(&without).await.unwrap_err()));
    assert!(is_access_denied(&world.admin.assume(&without).await.unwrap_err()));
}

#[tokio::test]
async fn what_is_not_granted_is_denied_and_never_empty() {
    let world = Deployed::start(Options::default()).await;
    let outsider = Aws::sign_in(&settings(&world.handle, &world.handle.outsider))
        .await
        .unwrap();
    outsider.identity().await.unwrap();
    let s3 = outsider.s3(&world.region());
    let problem = s3.list(TEMPLATES_BUCKET, "", 10).await.unwrap_err();
    assert!(is_access_denied(&problem), "{problem:?}");
    assert_eq!(problem.detail.action.as_deref(), Some("s3:ListBucket"));
    let problem = outsider
        .stacks(&world.region())
        .describe("glueup-x")
        .await
        .unwrap_err();
    assert!(is_access_denied(&problem), "{problem:?}");
}

#[tokio::test]
async fn objects_are_written_listed_read_in_part_and_missed() {
    let world = Deployed::start(Options::default()).await;
    let s3 = world.admin.s3(&world.region());
    for number in 0..5 {
        s3.put(TEMPLATES_BUCKET, &format!("a b/ü+{number}"), &b"0123456789"[..])
            .await
            .unwrap();
    }
    let listing = s3.list(TEMPLATES_BUCKET, "a b/", 3).await.unwrap();
    assert_eq!((listing.objects.len(), listing.truncated), (3, true));
    assert_eq!(
        (listing.objects[0].key.as_str(), listing.objects[0].size),
        ("a b/ü+0", 10)
    );
    let all = s3.list(TEMPLATES_BUCKET, "a b/", 100).await.unwrap();
    assert_eq!((all.objects.len(), all.truncated), (5, false));
    assert_eq!(
        &s3.get_range(TEMPLATES_BUCKET, "a b/ü+0", 2..=4).await.unwrap()[..],
        b"234"
    );
    assert_eq!(s3.get(TEMPLATES_BUCKET, "a b/ü+0").await.unwrap().len(), 10);
    assert!(s3.exists(TEMPLATES_BUCKET, "a b/ü+0").await.unwrap());
    assert!(!s3.exists(TEMPLATES_BUCKET, "a b/none").await.unwrap());
    assert!(is_not_found(&s3.get(TEMPLATES_BUCKET, "none").await.unwrap_err()));
    assert!(is_not_found(
        &s3.bucket_region("no-such-bucket-here").await.unwrap_err()
    ));
    let region = s3.bucket_region(TEMPLATES_BUCKET).await.unwrap();
    assert_eq!(region.map(|r| r.to_string()), Some(world.handle.region.clone()));
}

#[tokio::test]
async fn stacks_are_made_described_and_deleted() {
    let world = Deployed::start(Options::default()).await;
    let stacks = world.admin.stacks(&world.region());
    assert_eq!(stacks.describe("glueup-connection-none").await.unwrap(), None);
    world.connection("glueup-connection-sales").await;
    let stack = stacks.describe("glueup-connection-sales").await.unwrap().unwrap();
    assert_eq!(stack.parameters["ExternalId"], EXTERNAL_ID);
    assert!(stack.last_change().is_some());
    let events = stacks.events("glueup-connection-sales").await.unwrap();
    assert!(events.len() >= 4);
    assert_eq!(events[0].status, "CREATE_COMPLETE");
    assert!(events.is_sorted_by(|newer, older| newer.at >= older.at));
    assert!(
        stacks
            .template("glueup-connection-sales")
            .await
            .unwrap()
            .contains("AWS::IAM::Role")
    );
    let again = glueup::cloud::stacks::NewStack {
        name: "glueup-connection-sales".into(),
        template: glueup::cloud::stacks::Template::Body(r#"{"Resources":{"P":{"Type":"AWS::IAM::ManagedPolicy","Properties":{"PolicyDocument":{"Version":"2012-10-17","Statement":[]}}}}}"#.into()),
        parameters: vec![],
        tags: vec![],
        capability: Some("CAPABILITY_IAM".into()),
        role_arn: None,
        token: None,
    };
    let problem = stacks.create(again).await.unwrap_err();
    assert!(has_code(&problem, "AlreadyExistsException"), "{problem:?}");
    stacks.delete("glueup-connection-sales", None).await.unwrap();
    let end = Instant::now() + Duration::from_secs(30);
    while stacks
        .describe("glueup-connection-sales")
        .await
        .unwrap()
        .is_some()
    {
        assert!(Instant::now() < end);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn the_demo_says_where_its_console_is() {
    let world = Deployed::start(Options::default()).await;
    let console = world.admin.console().await.unwrap();
    assert_eq!(console.base, world.handle.console_url.trim_end_matches('/'));
    assert_eq!(
        console.template_base_url,
        Some(format!("{}/{TEMPLATES_BUCKET}", world.handle.endpoint_url))
    );
}

#[tokio::test]
async fn throttling_is_waited_out_and_shows() {
    let world = Deployed::start(Options {
        throttle: Some(3),
        ..Options::default()
    })
    .await;
    for number in 0..6 {
        world
            .admin
            .s3(&world.region())
            .put(TEMPLATES_BUCKET, &format!("k{number}"), "x")
            .await
            .unwrap();
    }
    assert!(world.admin.meter().reading().retries >= 2);
    let world = Deployed::start(Options {
        throttle: Some(1),
        ..Options::default()
    })
    .await;
    let problem = world
        .admin
        .stacks(&world.region())
        .describe("x")
        .await
        .unwrap_err();
    assert!(is_throttled(&problem), "{problem:?}");
    assert_eq!(problem.kind, Kind::Unreachable);
    let slow = world.admin.meter().reading().slow.unwrap();
    assert!(slow.throttled && slow.retries >= 1, "{slow}");
}

#[tokio::test]
async fn a_closed_port_is_unreachable_within_seconds() {
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let endpoint = format!("http://127.0.0.1:{port}");
    let begun = Instant::now();
    let aws = Aws::sign_in(&Settings::demo(&endpoint, "us-west-2".parse().unwrap(), "a", "b"))
        .await
        .unwrap();
    let problem = aws.identity().await.unwrap_err();
    assert_eq!(problem.kind, Kind::Unreachable);
    assert!(problem.what.starts_with("Nothing answers"), "{problem:?}");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(aws.meter().reading().calls <= 2);
}
