//! The embedded AWS, asked by the Rust SDK and as a program that is killed.

use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::http;
use aws_credential_types::Credentials;
use aws_sdk_sts::config::{BehaviorVersion, Region, retry::RetryConfig};
use aws_sdk_sts::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_sts::operation::RequestId;
use aws_smithy_http_client::Builder;
use glueup::demo::{self, Handle, Options};
use std::time::{Duration, Instant};

type Sts = aws_sdk_sts::Client;

fn sts(aws: &Handle, id: &str, secret: &str, token: Option<&str>) -> Sts {
    client(&aws.endpoint_url, id, secret, token)
}

fn client(endpoint: &str, id: &str, secret: &str, token: Option<&str>) -> Sts {
    let config = aws_sdk_sts::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-west-2"))
        .endpoint_url(endpoint)
        .credentials_provider(Credentials::new(
            id,
            secret,
            token.map(str::to_owned),
            None,
            "test",
        ))
        .retry_config(RetryConfig::disabled())
        .http_client(Builder::new().build_http())
        .build();
    Sts::from_conf(config)
}

fn admin(aws: &Handle) -> Sts {
    sts(aws, &aws.admin.id, &aws.admin.secret, None)
}

fn code<T, E: ProvideErrorMetadata>(answer: Result<T, SdkError<E>>) -> String {
    match answer {
        Ok(_) => "allowed".to_owned(),
        Err(error) => error.code().unwrap_or("no code").to_owned(),
    }
}

fn knobs(endpoint: &str, wanted: &str) {
    let address = endpoint.trim_start_matches("http://");
    let answer = http::request(address, "PUT", "/_glueup/knobs", &[], wanted.as_bytes()).unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
}

async fn broker(aws: &Handle) -> aws_sdk_sts::types::Credentials {
    let answer = admin(aws)
        .assume_role()
        .role_arn(&aws.broker_role_arn)
        .role_session_name("test")
        .send()
        .await;
    answer.unwrap().credentials.unwrap()
}

#[tokio::test]
async fn principals_are_told_apart_by_their_keys() {
    let aws = demo::start(Options::default()).unwrap();
    let me = admin(&aws).get_caller_identity().send().await.unwrap();
    assert_eq!(me.arn(), Some("arn:aws:iam::012345678901:user/admin"));
    assert_eq!(me.account(), Some("012345678901"));
    assert!(me.request_id().is_some());
    let hop = |id: &str, secret: &str| {
        let call = sts(&aws, id, secret, None).assume_role();
        call.role_arn(&aws.broker_role_arn)
            .role_session_name("test")
            .send()
    };
    assert_eq!(code(hop(&aws.engine.id, &aws.engine.secret).await), "allowed");
    assert_eq!(
        code(hop(&aws.outsider.id, &aws.outsider.secret).await),
        "AccessDenied"
    );
    assert_eq!(
        code(hop(&aws.engine.id, &aws.admin.secret).await),
        "SignatureDoesNotMatch"
    );
    assert_eq!(
        code(hop("AKIANOBODY", &aws.admin.secret).await),
        "InvalidClientTokenId"
    );
    aws.shutdown();
}

#[tokio::test]
async fn a_session_ends_by_the_servers_clock() {
    let aws = demo::start(Options::default()).unwrap();
    let keys = broker(&aws).await;
    let ask = |token: Option<&str>| {
        let session = sts(&aws, keys.access_key_id(), keys.secret_access_key(), token);
        async move { code(session.get_caller_identity().send().await) }
    };
    assert_eq!(ask(Some(keys.session_token())).await, "allowed");
    assert_eq!(ask(Some("another")).await, "InvalidClientTokenId");
    assert_eq!(ask(None).await, "InvalidClientTokenId");
    knobs(&aws.endpoint_url, r#"{"clock_offset_s": 3700}"#);
    assert_eq!(ask(Some(keys.session_token())).await, "ExpiredToken");
    // The client's clock is an hour off now, and is told so.
    assert_eq!(
        code(admin(&aws).get_caller_identity().send().await),
        "SignatureDoesNotMatch"
    );
    let date = http::get(aws.endpoint_url.trim_start_matches("http://"), "/_glueup").unwrap();
    assert!(date.header("date").is_some());
}

#[tokio::test]
async fn latency_and_throttling_are_felt_but_not_by_the_admin_path() {
    let options = Options {
        latency: Duration::from_millis(120),
        throttle: Some(2),
        ..Options::default()
    };
    let aws = demo::start(options).unwrap();
    let started = Instant::now();
    assert_eq!(code(admin(&aws).get_caller_identity().send().await), "allowed");
    assert!(started.elapsed() >= Duration::from_millis(120));
    assert_eq!(code(admin(&aws).get_caller_identity().send().await), "Throttling");
    let address = aws.endpoint_url.trim_start_matches("http://").to_owned();
    for _ in 0..4 {
        assert_eq!(http::get(&address, "/_glueup").unwrap().status, 200);
    }
}

#[test]
fn web_pages_of_others_are_not_answered() {
    let aws = demo::start(Options::default()).unwrap();
    let address = aws.endpoint_url.trim_start_matches("http://").to_owned();
    let put = |headers: &[(&str, &str)]| {
        http::request(&address, "PUT", "/_glueup/knobs", headers, b"{\"latency_ms\": 1}")
            .unwrap()
            .status
    };
    assert_eq!(put(&[]), 200);
    assert_eq!(put(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(put(&[("Origin", "null")]), 403);
    assert_eq!(put(&[("Origin", &aws.endpoint_url)]), 200);
    let unsigned = http::get(&address, "/lake?list-type=2").unwrap();
    assert_eq!(
        (
            unsigned.status,
            unsigned.text().contains("<Code>AccessDenied</Code>")
        ),
        (403, true)
    );
}

#[test]
fn a_port_that_is_taken_is_said() {
    let aws = demo::start(Options::default()).unwrap();
    let port = aws.endpoint_url.rsplit(':').next().unwrap().parse().unwrap();
    let again = demo::start(Options {
        port: Some(port),
        ..Options::default()
    });
    assert!(
        again
            .unwrap_err()
            .to_string()
            .starts_with(&format!("port {port} of 127.0.0.1 cannot be bound"))
    );
    aws.shutdown();
    let again = demo::start(Options {
        port: Some(port),
        ..Options::default()
    });
    assert!(again.is_ok());
}

#[tokio::test]
async fn sessions_survive_a_kill_and_not_a_reset() {
    let home = Home::new();
    let demo = Demo::start_in(&home, &[]);
    let keys = client(
        demo.endpoint(),
        demo.field("access_key_id"),
        demo.field("secret_access_key"),
        None,
    )
    .assume_role()
    .role_arn(demo.field("broker_role_arn"))
    .role_session_name("test")
    .send()
    .await
    .unwrap()
    .credentials
    .unwrap();
    demo.kill();
    let ask = |endpoint: String| {
        let session = client(
            &endpoint,
            keys.access_key_id(),
            keys.secret_access_key(),
            Some(keys.session_token()),
        );
        async move { code(session.get_caller_identity().send().await) }
    };
    let demo = Demo::start_in(&home, &[]);
    assert_eq!(ask(demo.endpoint().to_owned()).await, "allowed");
    assert_eq!(demo.terminate(), Some(0));
    let demo = Demo::start_in(&home, &["--reset"]);
    assert_eq!(ask(demo.endpoint().to_owned()).await, "InvalidClientTokenId");
}

#[tokio::test]
async fn what_was_answered_survives_a_kill_in_the_middle() {
    let home = Home::new();
    let demo = Demo::start_in(&home, &[]);
    let (endpoint, role) = (
        demo.endpoint().to_owned(),
        demo.field("broker_role_arn").to_owned(),
    );
    let admin = client(
        &endpoint,
        demo.field("access_key_id"),
        demo.field("secret_access_key"),
        None,
    );
    let given = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let asking: Vec<_> = (0..4)
        .map(|_| {
            let (admin, role, given) = (admin.clone(), role.clone(), given.clone());
            tokio::spawn(async move {
                let call = || {
                    admin
                        .assume_role()
                        .role_arn(&role)
                        .role_session_name("test")
                        .send()
                };
                while let Ok(answer) = call().await {
                    given.lock().unwrap().push(answer.credentials.unwrap());
                }
            })
        })
        .collect();
    while given.lock().unwrap().len() < 20 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    demo.kill();
    for asked in asking {
        asked.await.unwrap();
    }
    let demo = Demo::start_in(&home, &[]);
    let given = given.lock().unwrap().clone();
    for keys in &given {
        let (id, secret) = (keys.access_key_id(), keys.secret_access_key());
        let session = client(demo.endpoint(), id, secret, Some(keys.session_token()));
        assert_eq!(code(session.get_caller_identity().send().await), "allowed");
    }
}

#[test]
fn a_folder_in_use_or_broken_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let options = |reset| Options {
        state_dir: Some(folder.path().to_owned()),
        reset,
        ..Options::default()
    };
    let first = demo::start(options(false)).unwrap();
    let said = demo::start(options(false)).unwrap_err().to_string();
    assert!(said.starts_with("another demo is running on "), "{said}");
    first.shutdown();
    let file = folder.path().join("account.json");
    let whole = std::fs::read(&file).unwrap();
    for broken in [&whole[..whole.len() / 2], b"[7,[]]", b"", b"\0\0\0"] {
        std::fs::write(&file, broken).unwrap();
        let said = demo::start(options(false)).unwrap_err().to_string();
        assert!(
            said.contains("account.json is broken") && said.contains("--reset"),
            "{said}"
        );
    }
    demo::start(options(true)).unwrap().shutdown();
    demo::start(options(false)).unwrap();
}

#[cfg(unix)]
#[test]
fn what_the_demo_keeps_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let demo = Demo::start_in(&home, &[]);
    let mut own = Home::new();
    for (name, value) in demo.envs() {
        own.set(name, value);
    }
    own.glueup(&["connection", "add", "--name", "c", "--account-id", "012345678901"])
        .ok();
    own.glueup(&["deploy", "connection", "c", "--region", "us-west-2", "--yes"])
        .ok();
    own.glueup(&[
        "template",
        "publish",
        "connection",
        "c",
        "--bucket",
        "acme-lake",
        "--yes",
    ])
    .ok();
    let (mut files, mut folders) = (Vec::new(), vec![home.records()]);
    let mut at = 0;
    while let Some(folder) = folders.get(at).cloned() {
        at += 1;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    assert!(
        files
            .iter()
            .any(|file| file.extension().is_some_and(|e| e == "body")),
        "{files:?}"
    );
    let mode = |path: &std::path::PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for file in &files {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    for folder in &folders {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
    }
}
