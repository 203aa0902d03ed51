//! The one HTTP client of the program, metered; what goes through a proxy and what does not.
//!
//! What leads to this machine itself never goes through a proxy, whatever the environment says.

use super::issuer::Issuers;
use super::meter::Meter;
use super::pace::{Paces, is_slowing};
use super::patience::{Patience, READ, SILENCE, THROUGH, place_of};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
    SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::date_time::{DateTime, Format};
use http_body_util::BodyExt;
use std::error::Error;

/// A header that is put on each answer: the id of the access key that its request was signed with. A late refusal of old
/// keys is told from one of those that have taken their place.
pub(super) const SIGNED_WITH: &str = "x-glueup-signed-with";
/// Another one: the number of the attempt that it answers.
pub(super) const ATTEMPT: &str = "x-glueup-attempt";

#[derive(Debug)]
pub(super) struct Metered {
    pub direct: SharedHttpClient,
    pub outward: SharedHttpClient,
    pub meter: Meter,
    pub issuers: Issuers,
    pub patience: Patience,
    pub paces: Paces,
}

impl HttpClient for Metered {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(MeteredConnector {
            direct: self.direct.http_connector(settings, components),
            outward: self.outward.http_connector(settings, components),
            meter: self.meter.clone(),
            issuers: self.issuers.clone(),
            patience: self.patience.clone(),
            paces: self.paces.clone(),
        })
    }
}

#[derive(Debug)]
pub(super) struct MeteredConnector {
    pub direct: SharedHttpConnector,
    pub outward: SharedHttpConnector,
    pub meter: Meter,
    pub issuers: Issuers,
    pub patience: Patience,
    pub paces: Paces,
}

impl HttpConnector for MeteredConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let attempt = attempt(&request);
        let host = host_of(request.uri());
        let inner = if is_near(&host) {
            self.direct.clone()
        } else {
            self.outward.clone()
        };
        let (meter, issuers) = (self.meter.clone(), self.issuers.clone());
        let (patience, pace) = (self.patience.clone(), self.paces.at(&place_of(request.uri())));
        let signed_with = signed_with(&request);
        HttpConnectorFuture::new(async move {
            let url = request.uri().to_owned();
            let _permit = pace.enter().await;
            meter.sent(attempt);
            let answer = patience.wait(&url, attempt, inner.call(request)).await;
            let mut response = match answer {
                Ok(response) => response,
                Err(error) => {
                    let error = final_if_hopeless(error, attempt);
                    return Err(named(error, &url, &issuers, &patience).await);
                }
            };
            let status = response.status();
            let slowing = match tokio::time::timeout(READ, is_slowing(&mut response)).await {
                Ok(slowing) => slowing.map_err(ConnectorError::io)?,
                // Whoever waits for this permit has waited as long.
                Err(_) => return Err(patience.broken_off(&url, status.as_u16())),
            };
            meter.answered(response.status().is_success(), slowing);
            if slowing {
                pace.slow();
            } else {
                pace.hasten();
            }
            response.headers_mut().remove(SIGNED_WITH);
            response.headers_mut().insert(ATTEMPT, attempt.to_string());
            if let Some(key) = signed_with {
                // A key that is no header value signs nothing.
                let _ = response.headers_mut().try_insert(SIGNED_WITH, key);
            }
            // The metadata service's clock is this machine's own.
            if !is_link_local(&host)
                && let Some(date) = response.headers().get("date")
                && let Ok(date) = DateTime::from_str(date, Format::HttpDate)
            {
                meter.clock(date.secs(), meter.ours().now());
            }
            Ok(match response.body().content_length() {
                Some(bytes) => {
                    meter.read(bytes);
                    response
                }
                None => response.map(|body| counted(body, meter.clone())),
            })
        })
    }
}

/// Counts a body whose length is not known beforehand while it is read.
fn counted(body: SdkBody, meter: Meter) -> SdkBody {
    SdkBody::from_body_1_x(body.map_frame(move |frame| {
        if let Some(data) = frame.data_ref() {
            meter.read(data.len() as u64);
        }
        frame
    }))
}

/// The SDK numbers its attempts in a header of its own; whoever sends none tries once.
fn attempt(request: &HttpRequest) -> u32 {
    request
        .headers()
        .get("amz-sdk-request")
        .and_then(|header| {
            header
                .split(';')
                .find_map(|part| part.trim().strip_prefix("attempt="))
        })
        .and_then(|number| number.parse().ok())
        .unwrap_or(1)
}

/// The id of the access key in a signature: `AWS4-HMAC-SHA256 Credential=AKIA…/20260401/…`.
fn signed_with(request: &HttpRequest) -> Option<String> {
    let (_, scope) = request
        .headers()
        .get("authorization")?
        .split_once("Credential=")?;
    scope.split('/').next().map(str::to_owned)
}

/// A name that does not resolve, a closed port and an untrusted certificate will not mend themselves within seconds:
/// the first two get one more try, the last none, whatever the retry strategy would allow. Of silence see [`Patience`].
fn final_if_hopeless(error: ConnectorError, attempt: u32) -> ConnectorError {
    if !error.is_io() && !error.is_other() {
        return error;
    }
    let hopeless = match Trouble::of(&chain(&error)) {
        Trouble::Certificate => true,
        Trouble::Name | Trouble::Refused | Trouble::Proxy => attempt > 1,
        Trouble::Silent | Trouble::Other => false,
    };
    if hopeless {
        ConnectorError::user(error.into_source())
    } else {
        error
    }
}

/// An issuer that is not known is named: it tells whose proxy stands between. So is a proxy that led nowhere.
async fn named(error: ConnectorError, url: &str, issuers: &Issuers, patience: &Patience) -> ConnectorError {
    let words = super::failure::words_of(&error);
    if !words.contains("UnknownIssuer") {
        let told = patience.by_proxy(words.clone(), url);
        let is_new = error.is_user() && Trouble::of(&words) == Trouble::Proxy && told != words;
        return if is_new {
            ConnectorError::user(told.into())
        } else {
            error
        };
    }
    match issuers.of(url).await {
        Some(name) => ConnectorError::user(format!("{words}: its issuer {name} is not trusted here").into()),
        None => error,
    }
}

/// What kept a connection from being made, as far as the error's words tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The host name does not resolve.
    Name,
    /// Nobody listens there.
    Refused,
    /// The server's certificate is not trusted.
    Certificate,
    /// The proxy refused or could not be reached.
    Proxy,
    /// Nothing was heard in time.
    Silent,
    /// Something else.
    Other,
}

impl Trouble {
    /// Reads it from the joined words of an error and its causes.
    pub(super) fn of(words: &str) -> Self {
        // Before these words stands the host, and a bucket may have any name.
        if let Some((_, way)) = words.split_once(SILENCE) {
            return match way.contains(THROUGH) {
                true => Self::Proxy,
                false => Self::Silent,
            };
        }
        let words = words.to_ascii_lowercase();
        let any = |needles: &[&str]| needles.iter().any(|n| words.contains(n));
        if any(&["invalid peer certificate", "unknownissuer", "certificate"]) {
            Self::Certificate
        } else if any(&["proxy", "tunnel"]) {
            Self::Proxy
        } else if any(&[
            "dns error",
            "failed to lookup address",
            "name or service not known",
            "nodename nor",
        ]) {
            Self::Name
        } else if words.contains("connection refused") {
            Self::Refused
        } else {
            Self::Other
        }
    }
}

/// An error and its causes in one line, each said once.
pub(super) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !next.is_empty() && !words.contains(&next) {
            words.push_str(": ");
            words.push_str(&next);
        }
        cause = error.source();
    }
    words
}

/// The host of a URL, without port and brackets; empty when there is none.
pub(super) fn host_of(url: &str) -> String {
    let Some(uri) = url.parse::<http::Uri>().ok() else {
        return String::new();
    };
    uri.host()
        .unwrap_or_default()
        .trim_matches(['[', ']'])
        .to_ascii_lowercase()
}

/// True for this machine itself.
pub(super) fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

fn is_link_local(host: &str) -> bool {
    match host.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V4(address)) => address.is_link_local(),
        Ok(std::net::IpAddr::V6(address)) => host == "fd00:ec2::254" || address.is_unicast_link_local(),
        Err(_) => false,
    }
}

/// True for what no proxy can lead to: this machine, and the metadata service of this machine.
pub(super) fn is_near(host: &str) -> bool {
    is_loopback(host) || is_link_local(host)
}

/// How many certificates a CA bundle holds. A file that holds none would otherwise show as an unknown issuer, three
/// tries later.
pub(super) fn certificates(pem: &[u8]) -> usize {
    use base64::Engine;
    let text = String::from_utf8_lossy(pem);
    text.split("-----BEGIN CERTIFICATE-----")
        .skip(1)
        .filter_map(|rest| rest.split_once("-----END CERTIFICATE-----"))
        .filter(|(body, _)| {
            let body: String = body.split_whitespace().collect();
            base64::engine::general_purpose::STANDARD
                .decode(body)
                .is_ok_and(|der| der.first() == Some(&0x30) && der.len() > 64)
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_and_its_metadata_service_are_near() {
        for near in [
            "http://127.0.0.1:4566/x",
            "http://[::1]:80/",
            "http://lake.localhost:1",
            "http://169.254.169.254/",
        ] {
            assert!(is_near(&host_of(near)), "{near}");
        }
        for far in [
            "https://sts.us-west-2.amazonaws.com/",
            "http://10.0.0.1/",
            "https://localhost.evil.com/",
            "nonsense",
        ] {
            assert!(!is_near(&host_of(far)), "{far}");
        }
    }

    #[test]
    fn connection_errors_are_told_apart_by_their_words() {
        let cases = [
            (
                "client error (Connect): dns error: failed to lookup address information",
                Trouble::Name,
            ),
            (
                "client error (Connect): tcp connect error: Connection refused (os error 111)",
                Trouble::Refused,
            ),
            (
                "client error (Connect): invalid peer certificate: UnknownIssuer",
                Trouble::Certificate,
            ),
            (
                "client error (Connect): tunnel error: unsuccessful",
                Trouble::Proxy,
            ),
            ("client error (Connect): connection reset by peer", Trouble::Other),
            ("h:443 gave no answer in 3 s", Trouble::Silent),
            (
                "proxy-logs.s3.us-west-2.amazonaws.com:443 gave no answer in 8 s",
                Trouble::Silent,
            ),
            (
                "certificate-tunnel.s3.us-west-2.amazonaws.com:443 gave no answer in 8 s",
                Trouble::Silent,
            ),
            (
                "certificates.s3.us-west-2.amazonaws.com:443 gave no answer in 8 s, asked through the proxy http://p:1",
                Trouble::Proxy,
            ),
        ];
        for (words, trouble) in cases {
            assert_eq!(Trouble::of(words), trouble, "{words}");
        }
    }

    #[test]
    fn what_will_not_mend_itself_is_not_tried_again_and_again() {
        let refused = || ConnectorError::io("Connection refused (os error 111)".into());
        assert!(final_if_hopeless(refused(), 1).is_io());
        assert!(final_if_hopeless(refused(), 2).is_user());
        let untrusted = ConnectorError::io("invalid peer certificate: UnknownIssuer".into());
        assert!(final_if_hopeless(untrusted, 1).is_user());
        assert!(final_if_hopeless(ConnectorError::io("reset".into()), 5).is_io());
        assert!(final_if_hopeless(ConnectorError::timeout("slow".into()), 2).is_timeout());
    }

    #[test]
    fn a_bundle_without_a_certificate_is_noticed() {
        use base64::Engine;
        let der = [&[0x30_u8, 0x82][..], &[7; 200][..]].concat();
        let body = base64::engine::general_purpose::STANDARD.encode(der);
        let good = format!("# a comment\n-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
        assert_eq!(certificates(good.as_bytes()), 1);
        assert_eq!(certificates(format!("{good}{good}").as_bytes()), 2);
        for bad in [
            "",
            "garbage",
            "-----BEGIN CERTIFICATE-----\n????\n-----END CERTIFICATE-----",
        ] {
            assert_eq!(certificates(bad.as_bytes()), 0, "{bad}");
        }
    }
}
