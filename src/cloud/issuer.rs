//! Who has issued a certificate that is not trusted: the name tells whose proxy stands between here and AWS.

use super::http::{host_of, is_near};
use crate::domain::text::scrub;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long each step may take: the connection has failed already, this only says more of it.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest answer of a proxy that is read.
const HEAD: usize = 8_192;

/// How long what was found is said again without another look. The way to AWS may be another one then.
const AGE: Duration = Duration::from_secs(60);

/// Issuers that were looked up. Ten calls that fail at once take one look. A clone knows the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Issuers(Arc<Mutex<HashMap<String, Arc<Known>>>>);

/// What one address shows, and when it was looked at.
type Known = tokio::sync::Mutex<Option<(Instant, Option<String>)>>;

impl Issuers {
    /// The issuer that is not trusted at this address, as far as it can be learned.
    pub(super) async fn of(&self, url: &str) -> Option<String> {
        let address = url.parse::<http::Uri>().ok()?.authority()?.to_string();
        let known = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(address)
            .or_default()
            .clone();
        let mut known = known.lock().await;
        if let Some((when, name)) = known.as_ref()
            && when.elapsed() < AGE
        {
            return name.clone();
        }
        let name = of(url).await;
        *known = Some((Instant::now(), name.clone()));
        name
    }
}

/// The issuer that the last certificate shown for this address names, as `CN=Corp Root`; `None` where it cannot be
/// learned. Nothing is asked: the connection ends as soon as the certificate has been seen.
async fn of(url: &str) -> Option<String> {
    let url = url.parse::<http::Uri>().ok()?;
    let looked = tokio::task::spawn_blocking(move || shown(&url).ok().flatten());
    let shown = looked.await.ok()??;
    Some(scrub(&issuer(&shown)?))
}

/// The last certificate that is shown there.
fn shown(url: &http::Uri) -> io::Result<Option<Vec<u8>>> {
    let host = host_of(&url.to_string());
    let port = url.port_u16().unwrap_or(443);
    let proxy = match is_near(&host) {
        true => None,
        false => Matcher::from_env().intercept(url),
    };
    let mut stream = match &proxy {
        Some(proxy) => through(proxy, &host, port)?,
        None => connect(&host, port)?,
    };
    let seen = Arc::new(Seen::default());
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .dangerous()
        .with_custom_certificate_verifier(seen.clone())
        .with_no_client_auth();
    let name = ServerName::try_from(host).map_err(io::Error::other)?;
    let mut client = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
    // It ends with the refusal of whatever certificate comes.
    let _ = client.complete_io(&mut stream);
    let last = seen.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(last)
}

fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let address = (host, port).to_socket_addrs()?.next();
    let address = address.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn through(proxy: &Intercept, host: &str, port: u16) -> io::Result<TcpStream> {
    let at = proxy.uri();
    if at.scheme_str() != Some("http") {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let mut stream = connect(&host_of(&at.to_string()), at.port_u16().unwrap_or(80))?;
    write!(
        stream,
        "CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n"
    )?;
    if let Some(who) = proxy.basic_auth() {
        stream.write_all(b"Proxy-Authorization: ")?;
        stream.write_all(who.as_bytes())?;
        stream.write_all(b"\r\n")?;
    }
    stream.write_all(b"\r\n")?;
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && head.len() < HEAD && stream.read(&mut byte)? == 1 {
        head.extend(byte);
    }
    let passed = head.starts_with(b"HTTP/1.1 200") || head.starts_with(b"HTTP/1.0 200");
    if passed {
        Ok(stream)
    } else {
        Err(io::ErrorKind::ConnectionRefused.into())
    }
}

/// Sees the certificates, and trusts none.
#[derive(Debug, Default)]
struct Seen(Mutex<Option<Vec<u8>>>);

impl ServerCertVerifier for Seen {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let last = intermediates.last().unwrap_or(end_entity);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(last.to_vec());
        Err(rustls::CertificateError::UnknownIssuer.into())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Err(rustls::CertificateError::UnknownIssuer.into())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Err(rustls::CertificateError::UnknownIssuer.into())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ring::default_provider()
            .signature_verification_algorithms
            .supported_schemes()
    }
}

const SEQUENCE: u8 = 0x30;
const OBJECT: u8 = 0x06;
const VERSION: u8 = 0xa0;
/// The names of names: 2.5.4.3 and 2.5.4.10 (X.520).
const KNOWN: [(&[u8], &str); 2] = [(&[0x55, 4, 3], "CN"), (&[0x55, 4, 10], "O")];

/// The issuer of a certificate (RFC 5280 §4.1): its common name, else its organization.
fn issuer(certificate: &[u8]) -> Option<String> {
    let (_, certificate, _) = value(certificate)?;
    let (_, mut rest, _) = value(certificate)?;
    let (tag, _, after) = value(rest)?;
    if tag == VERSION {
        rest = after;
    }
    // The serial number, and the algorithm.
    let (_, _, rest) = value(rest)?;
    let (_, _, rest) = value(rest)?;
    let (tag, name, _) = value(rest)?;
    if tag != SEQUENCE {
        return None;
    }
    KNOWN.iter().find_map(|(object, word)| {
        let mut sets = name;
        while let Some((_, set, after)) = value(sets) {
            sets = after;
            let (_, pair, _) = value(set)?;
            let (tag, found, behind) = value(pair)?;
            let (_, text, _) = value(behind)?;
            if tag == OBJECT && found == *object {
                return Some(format!("{word}={}", String::from_utf8_lossy(text)));
            }
        }
        None
    })
}

/// One value of DER: its tag, what it holds, and what comes behind it.
fn value(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match usize::from(*first) {
        short @ 0..=127 => (short, rest),
        long => {
            let (length, rest) = rest.split_at_checked(long - 128)?;
            if length.len() > 4 {
                return None;
            }
            (
                length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)),
                rest,
            )
        }
    };
    let (held, behind) = rest.split_at_checked(length)?;
    Some((*tag, held, behind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[tokio::test]
    async fn ten_failures_at_once_take_one_look() {
        let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://{}/", server.local_addr().unwrap());
        let looks = Arc::new(AtomicU32::default());
        let counted = looks.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = server.accept().await {
                counted.fetch_add(1, Relaxed);
                drop(stream);
            }
        });
        let issuers = Issuers::default();
        let all = futures_util::future::join_all((0..10).map(|_| issuers.of(&url))).await;
        assert!(all.iter().all(Option::is_none));
        assert_eq!(looks.load(Relaxed), 1);
    }

    #[test]
    fn what_is_no_certificate_has_no_issuer() {
        for bytes in [
            &b""[..],
            b"\x30",
            b"\x30\x05abc",
            b"\x30\x88aaaaaaaabb",
            b"\x30\x02\x30\x00",
            &[0x30; 64],
        ] {
            assert_eq!(issuer(bytes), None, "{bytes:?}");
        }
    }
}
