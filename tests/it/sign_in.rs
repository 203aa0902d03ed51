//! Signing in from the environment: the real program in a clean home says what is missing, and says it soon.

use crate::support::home::Home;
use crate::support::term::{Term, key};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// Takes connections and stays silent, as a firewall makes the metadata service of a laptop look.
pub fn silent() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming().flatten() {
            count.fetch_add(1, Ordering::SeqCst);
            kept.push(stream);
        }
    });
    (address, asked)
}

/// How long the fastest of a few runs takes: a busy machine makes runs slower, never faster.
fn fastest(home: &Home) -> Duration {
    let times = (0..4).map(|_| {
        let begun = Instant::now();
        let ran = home.glueup(&LS).exits(4);
        let first = ran.stderr.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("glueup: no credentials found (looked in environment, profile default"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("glueup demo"), "{}", ran.stderr);
        begun.elapsed()
    });
    times.min().unwrap()
}

#[test]
fn without_credentials_it_says_where_it_looked_although_nobody_answers_for_the_machine() {
    let home = home();
    let plain = fastest(&home);
    let (address, asked) = silent();
    let home = home
        .without("AWS_EC2_METADATA_DISABLED")
        .with("AWS_EC2_METADATA_SERVICE_ENDPOINT", address);
    let waiting = fastest(&home);
    assert!(asked.load(Ordering::SeqCst) >= 4, "the service was never asked");
    let more = waiting.saturating_sub(plain);
    assert!(more < Duration::from_millis(900), "{plain:?} and {waiting:?}");

    // The terminal is drawn before anybody is asked, and says the same.
    let mut term = Term::start(&home, 100, 30, &[], &[]);
    term.wait_for("lake");
    term.wait_for("no credentials found");
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
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
