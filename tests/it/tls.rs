//! A proxy that inspects TLS: its certificate is named, and trusted once a bundle holds it.

use crate::support::home::Home;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glueup::demo::{Options, start};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The certificate of 127.0.0.1, issued by `Corp Root`; both hold from 2020 to 2120.
const LEAF: &str = "MIIBijCCATGgAwIBAgIBAjAKBggqhkjOPQQDAjAoMRIwEAYDVQQKDAlBY21lIENvcnAxEjAQBgNVBAMMCUNvcnAgUm9vdDAgFw0y\
    MDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJMTI3LjAuMC4xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD\
    QgAEls/LttXwmTvBvvoB7dj6HMrF5MqvI16ZhssfmzMmZ/BMJdiZWnvgbTRLGAjUzYXw8SNG8HAi6gw1y5mX2A0Wy6NeMFwwDwYD\
    VR0RBAgwBocEfwAAATAJBgNVHRMEAjAAMB0GA1UdDgQWBBQRdrw3b8sEo6Su92imQ2vRmFXAHDAfBgNVHSMEGDAWgBTXWTwKt8QG\
    Ycwx+NSbLg+hDK6sfTAKBggqhkjOPQQDAgNHADBEAiBC66UyUzevXFS1KJLb3sfzevtSgMTToFdpoH0hH1iu2wIgTkbsKpWdCBmb\
    UW7wxYy83zO1ilSERbULRMK6q5GycYA=";
/// `Corp Root` of `Acme Corp`.
const ROOT: &str = "MIIBcjCCARmgAwIBAgIBATAKBggqhkjOPQQDAjAoMRIwEAYDVQQKDAlBY21lIENvcnAxEjAQBgNVBAMMCUNvcnAgUm9vdDAgFw0y\
    MDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKDESMBAGA1UECgwJQWNtZSBDb3JwMRIwEAYDVQQDDAlDb3JwIFJvb3QwWTAT\
    BgcqhkjOPQIBBggqhkjOPQMBBwNCAAQLsPp89dZZqZV/mWi2BRb3gZlvVlxy34m4JhmIa9hWJRbNVApdOJRAZc6dmrvmde+c6vlF\
    jsw3fu+IDmbcXRAFozIwMDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBTXWTwKt8QGYcwx+NSbLg+hDK6sfTAKBggqhkjOPQQD\
    AgNHADBEAiBTNgitGo2Mrpfh/3A+9sH3lo/JEhiaAxwS3GLjf82LLAIgAYmluCu7yToeHSQp2Y+tIVlLGa9kAOoJd4BnsdbCmb4=";
/// What belongs to the first. It opens nothing but this test's server.
const LEAF_PRIVATE: &str = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgao+MFoiomhnQMuZ3HYT8vZJDGvu1wRCFcrWASt0AiSqhRANCAASW\
    z8u21fCZO8G++gHt2PocysXkyq8jXpmGyx+bMyZn8Ewl2Jlae+BtNEsYCNTNhfDxI0bwcCLqDDXLmZfYDRbL";

fn bytes(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

/// Hands every request on to `behind`, and shows the certificate first.
fn inspecting(behind: &str) -> String {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(bytes(LEAF_PRIVATE)));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(bytes(LEAF))], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let behind = behind.strip_prefix("http://").unwrap().to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (config, behind) = (config.clone(), behind.clone());
            std::thread::spawn(move || hand_on(stream, config, &behind).ok());
        }
    });
    format!("https://{address}")
}

fn hand_on(mut outer: TcpStream, config: Arc<ServerConfig>, behind: &str) -> std::io::Result<()> {
    let mut tls = ServerConnection::new(config).unwrap();
    let mut plain = Stream::new(&mut tls, &mut outer);
    let mut reader = BufReader::new(&mut plain);
    let (mut request, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if !line.to_ascii_lowercase().starts_with("connection:") {
            request.push_str(&line);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    drop(reader);
    let mut inner = TcpStream::connect(behind)?;
    write!(inner, "{request}Connection: close\r\n\r\n")?;
    inner.write_all(&body)?;
    let mut answer = Vec::new();
    inner.read_to_end(&mut answer)?;
    plain.write_all(&answer)?;
    plain.flush()?;
    plain.conn.send_close_notify();
    plain.conn.complete_io(plain.sock).map(drop)
}

fn pem(certificate: &str) -> String {
    let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----");
    let lines: Vec<&str> = certificate
        .as_bytes()
        .chunks(64)
        .map(|c| std::str::from_utf8(c).unwrap())
        .collect();
    format!("# a comment\n{begin}\n{}\n{end}\n", lines.join("\n"))
}

#[test]
fn the_issuer_that_is_not_trusted_is_named_and_a_bundle_of_several_lets_every_client_through() {
    let demo = start(Options::default()).unwrap();
    let endpoint = inspecting(&demo.endpoint_url);
    let home = Home::new()
        .with("AWS_ENDPOINT_URL", &endpoint)
        .with("AWS_REGION", &demo.region)
        .with("AWS_ACCESS_KEY_ID", &demo.admin.id)
        .with("AWS_SECRET_ACCESS_KEY", &demo.admin.secret);
    home.record_lake(&["--trust", "arn:aws:iam::012345678901:user/admin"]);
    let ls = ["ls", "lake", "--as-caller"];
    let begun = Instant::now();
    let ran = home.glueup(&ls).exits(5);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    for said in ["is not trusted", "issuer CN=Corp Root", "AWS_CA_BUNDLE"] {
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
    // Another root first, and a comment before each.
    std::fs::write(
        home.path().join("bundle.pem"),
        format!("{}{}", pem(LEAF), pem(ROOT)),
    )
    .unwrap();
    let bundle = home.path().join("bundle.pem").display().to_string();
    let home = home.with("AWS_CA_BUNDLE", bundle);
    assert!(home.glueup(&ls).ok().stdout.contains("sales"));
    home.glueup(&["deploy", "connection", "sales", "--yes"]).ok();
    home.glueup(&["deploy", "catalog", "lake", "--yes"]).ok();
    // STS, Glue, S3 and the doors that no client of the SDK leads to: each rung goes that way.
    let report = home.glueup(&["--output", "json", "verify", "lake"]).json();
    for rung in report["rungs"].as_array().unwrap() {
        let answer = rung["answer"].as_str().unwrap_or_default();
        assert!(!answer.contains("certificate"), "{rung}");
    }
    assert_ne!(report["verdict"], "failed", "{report}");
}
