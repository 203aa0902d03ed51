//! Signing in from the environment: the real program in a clean home says what is missing, and says it soon.

use crate::support::home::Home;
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// A home with one catalog, so that a listing needs AWS.
fn home() -> Home {
    let home = Home::new();
    let trust = "arn:aws:iam::012345678901:role/engine";
    let connection = [
        "connection",
        "add",
        "--name",
        "sales",
        "--account-id",
        "012345678901",
        "--trust",
        trust,
    ];
    home.glueup(&connection).ok();
    home.glueup(&[
        "catalog",
        "add",
        "--name",
        "lake",
        "--region",
        "us-west-2",
        "--s3-path",
        "s3://acme-lake/wh",
        "--access",
        "read-only",
        "--connection",
        "sales",
    ])
    .ok();
    home
}

const LS: [&str; 3] = ["ls", "lake", "--as-caller"];

#[test]
fn without_credentials_it_says_where_it_looked_although_nobody_answers_for_the_machine() {
    // A metadata service that takes the connection and stays silent, as a firewall makes it look.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let home = home().with("AWS_EC2_METADATA_SERVICE_ENDPOINT", address);
    let begun = Instant::now();
    let ran = home.glueup(&LS).exits(4);
    assert!(
        ran.stderr
            .contains("no credentials found (looked in environment, profile default"),
        "{}",
        ran.stderr
    );
    assert!(
        begun.elapsed() < Duration::from_millis(2_500),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn an_unknown_profile_is_said_by_name() {
    let ran = home()
        .glueup(&["--profile", "prd", "ls", "lake", "--as-caller"])
        .exits(3);
    assert!(
        ran.stderr.contains("There is no AWS profile \"prd\""),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_proxy_that_is_not_there_and_a_bundle_without_a_certificate_are_named() {
    let keys = |home: Home| {
        home.with("AWS_ACCESS_KEY_ID", "a")
            .with("AWS_SECRET_ACCESS_KEY", "b")
    };
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let ran = keys(home())
        .with("HTTPS_PROXY", format!("http://{closed}"))
        .glueup(&LS)
        .exits(5);
    assert!(ran.stderr.contains("HTTPS_PROXY"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("user error"), "{}", ran.stderr);
    let ran = keys(home())
        .with("AWS_CA_BUNDLE", "/dev/null")
        .glueup(&LS)
        .exits(2);
    assert!(ran.stderr.contains("It holds no certificate"), "{}", ran.stderr);
}
