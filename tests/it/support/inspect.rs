//! Who inspects TLS on the way to the embedded AWS: in AWS's place, or as the proxy that leads there.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The certificate of 127.0.0.1 and of the hosts of AWS in us-west-2, issued by `Corp Root`; both hold from 2020 to 2120.
const LEAF: &str = "MIIB3zCCAYWgAwIBAgIBAjAKBggqhkjOPQQDAjAoMRIwEAYDVQQKDAlBY21lIENvcnAxEjAQBgNVBAMMCUNvcnAgUm9vdDAgFw0y\
    MDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGjEYMBYGA1UEAwwPYXdzIGJlaGluZCBBY21lMFkwEwYHKoZIzj0CAQYIKoZI\
    zj0DAQcDQgAECrOHAg0fUZGBe3bJjiF3zhmpDkgVBBQLywdjMRXsieoQ6Fq/7QwfPpqLViUXMtQ3vyp4bldpttkIEabc3mwYX6OB\
    qzCBqDBbBgNVHREEVDBShwR/AAABghFpYW0uYW1hem9uYXdzLmNvbYIZKi51cy13ZXN0LTIuYW1hem9uYXdzLmNvbYIcKi5zMy51\
    cy13ZXN0LTIuYW1hem9uYXdzLmNvbTAJBgNVHRMEAjAAMB0GA1UdDgQWBBQyoN/Rbs+iglFxg7DIbYCe21N/5zAfBgNVHSMEGDAW\
    gBRVAOkeFfWGfA/4JtPWmjfKNdw3PzAKBggqhkjOPQQDAgNIADBFAiAFFwceIpE68wBxLWmHosBx/2ijV6ieRMKnat8AIy+roAIh\
    APYfux19jUIxRdCEqMD/PEBjwQPomHLydawL9FK947pB";
/// `Corp Root` of `Acme Corp`.
const ROOT: &str = "MIIBcjCCARmgAwIBAgIBATAKBggqhkjOPQQDAjAoMRIwEAYDVQQKDAlBY21lIENvcnAxEjAQBgNVBAMMCUNvcnAgUm9vdDAgFw0y\
    MDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKDESMBAGA1UECgwJQWNtZSBDb3JwMRIwEAYDVQQDDAlDb3JwIFJvb3QwWTAT\
    BgcqhkjOPQIBBggqhkjOPQMBBwNCAATlNox8/CZ0lDjVP8jWaGDDeac6sqiHQwbdcBq0sW2oLEb7HL4auFSrZnwN1pfkf7zseHFj\
    /8HRTlCPjMuS9z9LozIwMDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBRVAOkeFfWGfA/4JtPWmjfKNdw3PzAKBggqhkjOPQQD\
    AgNHADBEAiBKQBcdtbVonBBSuPZ7uctYPTHGDoT7FPbqvjk9dZyXEQIgAT+51GYMUF/IJrNiOpaNP9hd/+ktnGD88oJQUA8Fkaw=";
/// What belongs to the first. It opens nothing but the servers of these tests.
const LEAF_PRIVATE: &str = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZq3ubJwy8s7kjW11veb9JYB0/CGh9+DiIHES04n0Tq2hRANCAAQK\
    s4cCDR9RkYF7dsmOIXfOGakOSBUEFAvLB2MxFeyJ6hDoWr/tDB8+motWJRcy1De/KnhuV2m22QgRptzebBhf";

/// A PEM file of two certificates, a comment before each; the root comes last.
pub fn bundle() -> String {
    format!("{}{}", pem(LEAF), pem(ROOT))
}

/// Stands in AWS's place: shows its certificate, and hands every request on to `behind`. Its address.
pub fn endpoint(behind: &str) -> String {
    let (config, behind) = (config(), of_url(behind));
    let address = serve(move |stream| hand_on(stream, config.clone(), &behind));
    format!("https://{address}")
}

/// A proxy that opens what goes through it.
pub struct Proxy {
    /// Its address.
    pub url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// It leads to `behind` whatever host is asked for.
    pub fn start(behind: &str) -> Proxy {
        let (config, behind) = (config(), of_url(behind));
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = asked.clone();
        let address = serve(move |mut stream| {
            let head = head(&mut stream)?;
            kept.lock()
                .unwrap()
                .push(head.lines().next().unwrap_or_default().to_owned());
            stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
            hand_on(stream, config.clone(), &behind)
        });
        let url = format!("http://{address}");
        Proxy { url, asked }
    }

    /// The first lines of what it was asked, such as `CONNECT glue.us-west-2.amazonaws.com:443 HTTP/1.1`.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(each: impl Fn(TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let each = Arc::new(each);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let each = each.clone();
            std::thread::spawn(move || each(stream).ok());
        }
    });
    address
}

fn of_url(url: &str) -> String {
    url.strip_prefix("http://").unwrap().to_owned()
}

fn config() -> Arc<ServerConfig> {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(bytes(LEAF_PRIVATE)));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(bytes(LEAF))], key)
        .unwrap();
    Arc::new(config)
}

fn bytes(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

/// All lines up to the empty one.
fn head(stream: &mut TcpStream) -> std::io::Result<String> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte)? == 1 {
        head.extend(byte);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
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
