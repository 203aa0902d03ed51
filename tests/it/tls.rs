//! A proxy that inspects TLS: its certificate is named, and trusted once a bundle holds it.

use crate::support::fake::{self, recorded};
use crate::support::home::Home;
use crate::support::inspect::{self, Proxy};
use glueup::demo::{Handle, Options, start};
use std::time::{Duration, Instant};

/// A home with these records and the keys of the demo's admin.
fn home(demo: &Handle) -> Home {
    let home = Home::new()
        .with("AWS_REGION", &demo.region)
        .with("AWS_ACCESS_KEY_ID", &demo.admin.id)
        .with("AWS_SECRET_ACCESS_KEY", &demo.admin.secret);
    home.record_lake(&["--trust", "arn:aws:iam::012345678901:user/admin"]);
    home
}

/// Writes the bundle into a home, and sets it.
fn with_bundle(home: Home) -> Home {
    let bundle = home.path().join("bundle.pem");
    std::fs::write(&bundle, inspect::bundle()).unwrap();
    home.with("AWS_CA_BUNDLE", bundle.display().to_string())
}

/// Deploys the records and climbs the ladder: STS, Glue, S3, CloudFormation, and the doors that no client of the SDK
/// leads to, each go the way that this home says.
fn climbs(home: &Home) {
    home.glueup(&["deploy", "connection", "sales", "--yes"]).ok();
    home.glueup(&["deploy", "catalog", "lake", "--yes"]).ok();
    let report = home.glueup(&["--output", "json", "verify", "lake"]).json();
    for rung in report["rungs"].as_array().unwrap() {
        let answer = rung["answer"].as_str().unwrap_or_default();
        assert!(!answer.contains("certificate"), "{rung}");
    }
    assert_ne!(report["verdict"], "failed", "{report}");
}

#[test]
fn the_issuer_that_is_not_trusted_is_named_and_a_bundle_of_several_lets_every_client_through() {
    let demo = start(Options::default()).unwrap();
    let home = home(&demo).with("AWS_ENDPOINT_URL", inspect::endpoint(&demo.endpoint_url));
    let ls = ["ls", "lake", "--as-caller"];
    let begun = Instant::now();
    let ran = home.glueup(&ls).exits(5);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    for said in ["is not trusted", "issuer CN=Corp Root", "AWS_CA_BUNDLE"] {
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
    let home = with_bundle(home);
    assert!(home.glueup(&ls).ok().stdout.contains("sales"));
    climbs(&home);
}

/// The proxy may open what goes to one service alone.
#[test]
fn whichever_service_shows_another_issuer_it_is_named() {
    let demo = start(Options::default()).unwrap();
    let inspected = inspect::endpoint(&demo.endpoint_url);
    let plain = home(&demo).with("AWS_ENDPOINT_URL", &demo.endpoint_url);
    plain.glueup(&["deploy", "connection", "sales", "--yes"]).ok();
    plain.glueup(&["deploy", "catalog", "lake", "--yes"]).ok();
    let mut home = plain;
    for (service, verb) in [
        ("STS", &["verify", "lake"] as &[&str]),
        ("GLUE", &["verify", "lake"]),
        ("S3", &["verify", "lake"]),
        ("CLOUDFORMATION", &["deploy", "catalog", "lake", "--yes"]),
        ("IAM", &["preflight", "lake"]),
    ] {
        let variable = format!("AWS_ENDPOINT_URL_{service}");
        home.set(&variable, &inspected);
        let begun = Instant::now();
        let ran = home.glueup(verb);
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "{service}: {:?}",
            begun.elapsed()
        );
        let said = format!("{}{}", ran.stdout, ran.stderr);
        for word in ["is not trusted", "issuer CN=Corp Root", "AWS_CA_BUNDLE"] {
            assert!(said.contains(word), "{service}: no {word}: {said}");
        }
        home = home.without(&variable);
    }
}

/// The way that a company's machine goes: no endpoint is set, and everything leaves through the proxy.
#[test]
fn every_service_is_reached_through_the_proxy() {
    let demo = start(Options::default()).unwrap();
    let proxy = Proxy::start(&demo.endpoint_url);
    let home = with_bundle(home(&demo))
        .with("HTTPS_PROXY", &proxy.url)
        .with("NO_PROXY", "169.254.169.254");
    climbs(&home);
    home.glueup(&["preflight", "lake"]);
    let asked = proxy.asked();
    for host in [
        "sts.us-west-2.amazonaws.com",
        "glue.us-west-2.amazonaws.com",
        "acme-lake.s3.us-west-2.amazonaws.com",
        "cloudformation.us-west-2.amazonaws.com",
        "iam.amazonaws.com",
    ] {
        let line = format!("CONNECT {host}:443 HTTP/1.1");
        assert!(asked.contains(&line), "no {line} in {asked:#?}");
    }
    // Nothing goes there without a tunnel, and nothing that only this machine can answer.
    assert!(
        asked.iter().all(|line| line.starts_with("CONNECT ")),
        "{asked:#?}"
    );
}

/// Whoever looks for credentials asks the machine's metadata service, and never by a proxy, with NO_PROXY or without.
#[test]
fn the_metadata_service_is_never_asked_through_a_proxy() {
    for excepted in ["169.254.169.254", ""] {
        let proxy = fake::glue(vec![]);
        let home = recorded("aws", "us-west-2", false)
            .without("AWS_ACCESS_KEY_ID")
            .without("AWS_SECRET_ACCESS_KEY")
            .without("AWS_EC2_METADATA_DISABLED")
            .with("HTTPS_PROXY", proxy.url())
            .with("HTTP_PROXY", proxy.url())
            .with("NO_PROXY", excepted);
        let ran = home.glueup(&["ls", "lake"]);
        let asked = proxy.asked();
        let strays: Vec<_> = asked
            .iter()
            .filter(|asked| asked.target.contains("169.254"))
            .collect();
        assert!(strays.is_empty(), "{strays:?}");
        assert!(ran.stderr.contains("instance metadata"), "{}", ran.stderr);
    }
}
