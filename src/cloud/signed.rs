//! Requests to services that the program has no client of the SDK for: signed by the SDK's signer, sent on its way.

use super::aws::Aws;
use super::failure::Cause;
use super::http::{Trouble, chain};
use crate::domain::problem::Problem;
use crate::domain::text::scrub;
use aws_credential_types::Credentials;
use aws_credential_types::provider::ProvideCredentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorSettings, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body_util::BodyExt;
use std::time::Duration;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(3);
/// How long an answer may take to begin.
const READ: Duration = Duration::from_secs(20);
/// How often a request is sent in all, where the service is busy: as often as the clients of the SDK send theirs.
const TRIES: u32 = 8;
/// How long is waited at most before another try.
const LONGEST: Duration = Duration::from_secs(5);

/// Sends signed requests of one caller.
#[derive(Debug, Clone)]
pub(super) struct Sender {
    aws: Aws,
    connector: SharedHttpConnector,
}

/// A request before it is signed.
#[derive(Debug, Clone)]
pub(super) struct Outgoing<'a> {
    /// `GET`, `POST`.
    pub method: &'static str,
    /// The whole address.
    pub url: &'a str,
    /// The header that says what is sent, or what is wanted back: `accept`, `content-type`.
    pub header: (&'static str, &'static str),
    /// What is sent.
    pub body: &'a str,
    /// The name that it is signed for: `glue`.
    pub service: &'static str,
    /// The region that it is signed for.
    pub region: &'a str,
}

/// What came back, whatever its status.
pub(super) struct Answer {
    pub status: u16,
    headers: aws_smithy_runtime_api::http::Headers,
    pub body: Bytes,
}

impl Answer {
    /// A header in clean text.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name).map(scrub)
    }

    pub(super) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// True where the service is busy, or failed on its own side.
    pub(super) fn is_busy(&self) -> bool {
        self.status == 429 || self.status >= 500 && self.status != 501
    }
}

/// What a failed request came to.
pub(super) enum Failed {
    /// The service is busy or failed on its own side: worth another try.
    Busy(Problem),
    /// Another try would answer the same.
    Final(Problem),
}

/// How often something was tried.
#[derive(Default)]
pub(super) struct Tries(u32);

impl Tries {
    /// Waits before another try, where that is worth it.
    ///
    /// # Errors
    /// The problem, where another try would answer the same or was made often enough.
    pub(super) async fn again(&mut self, failed: Failed) -> Result<(), Problem> {
        self.0 += 1;
        match failed {
            Failed::Busy(_) if self.0 < TRIES => {
                let wait = Duration::from_millis(100) * 2_u32.saturating_pow(self.0);
                tokio::time::sleep(wait.min(LONGEST)).await;
                Ok(())
            }
            Failed::Busy(problem) | Failed::Final(problem) => Err(problem),
        }
    }
}

impl Sender {
    pub(super) fn new(aws: Aws) -> Self {
        let settings = HttpConnectorSettings::builder()
            .connect_timeout(CONNECT)
            .read_timeout(READ)
            .build();
        let connector = aws.way().connector(&settings);
        Self { aws, connector }
    }

    /// Who asks.
    pub(super) fn aws(&self) -> &Aws {
        &self.aws
    }

    /// Signs and sends; an answer of whatever status is an answer.
    ///
    /// # Errors
    /// No credentials, no connection, no answer.
    pub(super) async fn send(&self, outgoing: &Outgoing<'_>) -> Result<Answer, Cause> {
        let request = self.signed(outgoing).await?;
        let answer = self.connector.call(request).await.map_err(|error| {
            let words = chain(&error);
            if error.is_timeout() {
                Cause::Timeout(words)
            } else {
                Cause::Unreachable(Trouble::of(&words), words)
            }
        })?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let body = answer
            .into_body()
            .collect()
            .await
            .map_err(|error| Cause::Strange(chain(&*error)))?
            .to_bytes();
        Ok(Answer {
            status,
            headers,
            body,
        })
    }

    async fn signed(&self, outgoing: &Outgoing<'_>) -> Result<HttpRequest, Cause> {
        let unbuilt = |why: &dyn std::fmt::Display| Cause::Unbuilt(why.to_string());
        let (name, value) = outgoing.header;
        let request = http::Request::builder()
            .method(outgoing.method)
            .uri(outgoing.url)
            .header(name, value)
            .body(SdkBody::from(outgoing.body))
            .map_err(|why| unbuilt(&why))?;
        let mut request = HttpRequest::try_from(request).map_err(|why| unbuilt(&why))?;
        let identity = self.credentials().await?.into();
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(outgoing.region)
            .name(outgoing.service)
            .time(self.aws.meter().theirs())
            .settings(SigningSettings::default())
            .build()
            .map_err(|why| unbuilt(&why))?
            .into();
        let signable = SignableRequest::new(
            outgoing.method,
            outgoing.url,
            [outgoing.header].into_iter(),
            SignableBody::Bytes(outgoing.body.as_bytes()),
        )
        .map_err(|why| unbuilt(&why))?;
        let (instructions, _) = sign(signable, &params).map_err(|why| unbuilt(&why))?.into_parts();
        for (name, value) in instructions.headers() {
            request
                .headers_mut()
                .try_insert(name.to_owned(), value.to_owned())
                .map_err(|why| unbuilt(&why))?;
        }
        Ok(request)
    }

    async fn credentials(&self) -> Result<Credentials, Cause> {
        match self.aws.sdk().credentials_provider() {
            Some(provider) => provider
                .provide_credentials()
                .await
                .map_err(|why| Cause::of_credentials(&why)),
            None => Err(Cause::Credentials("no credentials".to_owned())),
        }
    }
}
