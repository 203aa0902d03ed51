//! Requests to services that the program has no client of the SDK for: signed by the SDK's signer, sent on its way.

use super::aws::Aws;
use super::failure::{Call, Cause, words_of};
use super::http::{SIGNED_WITH, Trouble, chain};
use super::patience::READ;
use super::problem::is_throttled;
use crate::domain::problem::Problem;
use crate::domain::text::scrub;
use aws_credential_types::Credentials;
use aws_credential_types::provider::ProvideCredentials;
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SigningSettings,
    UriPathNormalizationMode, sign,
};
use aws_sigv4::sign::v4;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorSettings, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::retry::RetryConfig;
use bytes::Bytes;
use http_body_util::BodyExt;

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
    /// The headers that say what is sent, or what is wanted back: `accept`, `content-type`, `x-amz-target`.
    pub headers: &'a [(&'a str, &'a str)],
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
    fn is_busy(&self) -> bool {
        self.status == 429 || self.status >= 500 && self.status != 501
    }
}

impl Sender {
    pub(super) fn new(aws: Aws) -> Self {
        let mut settings = HttpConnectorSettings::builder();
        if let Some(timeouts) = aws.sdk().timeout_config() {
            settings.set_connect_timeout(timeouts.connect_timeout());
            settings.set_read_timeout(timeouts.read_timeout());
        }
        let connector = aws.way().connector(&settings.build());
        Self { aws, connector }
    }

    /// Who asks.
    pub(super) fn aws(&self) -> &Aws {
        &self.aws
    }

    /// Sends a request, where the service is busy as often and as patiently as the clients of the SDK send theirs, and
    /// once more where the credentials have ended; `read` tells what an answer says.
    ///
    /// # Errors
    /// No credentials, no connection, no answer, whatever `read` finds wrong with it.
    pub(super) async fn ask<T>(
        &self,
        call: &Call,
        outgoing: &Outgoing<'_>,
        read: impl Fn(&Answer) -> Result<T, Cause> + Send,
    ) -> Result<T, Problem> {
        let again = self.aws.sdk().retry_config();
        let tries = again.map_or(1, RetryConfig::max_attempts);
        let mut attempt = 1;
        loop {
            let (busy, signed_with, cause) = match self.send(outgoing, attempt, tries).await {
                Ok(answer) => match read(&answer) {
                    Ok(said) => return Ok(said),
                    Err(cause) => (answer.is_busy(), answer.header(SIGNED_WITH), cause),
                },
                Err(cause) => (false, None, cause),
            };
            let problem = self.aws.told(call, cause, signed_with.as_deref());
            let renewed = attempt == 1 && self.aws.is_renewed(&problem, signed_with.as_deref());
            if attempt >= tries || !(busy || renewed || is_throttled(&problem)) {
                return Err(problem);
            }
            if let Some(again) = again.filter(|_| !renewed) {
                let wait = again.initial_backoff() * 2_u32.saturating_pow(attempt - 1);
                tokio::time::sleep(wait.mul_f64(chance()).min(again.max_backoff())).await;
            }
            attempt += 1;
        }
    }

    /// Signs and sends once; an answer of whatever status is an answer.
    ///
    /// # Errors
    /// No credentials, no connection, no answer.
    pub(super) async fn once(&self, outgoing: &Outgoing<'_>) -> Result<Answer, Cause> {
        self.send(outgoing, 1, 1).await
    }

    /// The same as nobody: what everybody may, nobody has to sign for.
    ///
    /// # Errors
    /// No connection, no answer.
    pub(super) async fn unsigned(&self, outgoing: &Outgoing<'_>) -> Result<Answer, Cause> {
        self.carry(request(outgoing)?).await
    }

    /// Signs and sends; an answer of whatever status is an answer.
    async fn send(&self, outgoing: &Outgoing<'_>, attempt: u32, tries: u32) -> Result<Answer, Cause> {
        let mut request = self.signed(outgoing).await?;
        // Not signed, as the SDK does not sign it: by it the meter knows a repetition.
        request
            .headers_mut()
            .insert("amz-sdk-request", format!("attempt={attempt}; max={tries}"));
        self.carry(request).await
    }

    async fn carry(&self, request: HttpRequest) -> Result<Answer, Cause> {
        let answer = self.connector.call(request).await.map_err(|error| {
            let words = words_of(&error);
            Cause::Unreachable(Trouble::of(&words), words)
        })?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        // What the SDK asks for it watches over itself.
        let body = tokio::time::timeout(READ, answer.into_body().collect())
            .await
            .map_err(|_| Cause::Timeout(format!("HTTP {status}, and no more in {} s", READ.as_secs())))?
            .map_err(|error| Cause::Strange(chain(&*error)))?
            .to_bytes();
        Ok(Answer {
            status,
            headers,
            body,
        })
    }

    async fn signed(&self, outgoing: &Outgoing<'_>) -> Result<HttpRequest, Cause> {
        let mut request = request(outgoing)?;
        let identity = self.credentials().await?.into();
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(outgoing.region)
            .name(outgoing.service)
            .time(self.aws.meter().theirs())
            .settings(settings(outgoing.service))
            .build()
            .map_err(|why| unbuilt(&why))?
            .into();
        let signable = SignableRequest::new(
            outgoing.method,
            outgoing.url,
            outgoing.headers.iter().copied(),
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

/// Between 0 and 1, so that callers who were slowed at once do not all come back at once.
fn chance() -> f64 {
    // Without random bytes all wait their whole time.
    getrandom::u32().map_or(1.0, |drawn| f64::from(drawn) / f64::from(u32::MAX))
}

fn unbuilt(why: &dyn std::fmt::Display) -> Cause {
    Cause::Unbuilt(why.to_string())
}

/// The request as it is before it is signed.
fn request(outgoing: &Outgoing<'_>) -> Result<HttpRequest, Cause> {
    let mut request = http::Request::builder().method(outgoing.method).uri(outgoing.url);
    for (name, value) in outgoing.headers {
        request = request.header(*name, *value);
    }
    let request = request
        .body(SdkBody::from(outgoing.body))
        .map_err(|why| unbuilt(&why))?;
    HttpRequest::try_from(request).map_err(|why| unbuilt(&why))
}

/// S3 takes a path as it is written, and wants to be told the hash of what is sent.
fn settings(service: &str) -> SigningSettings {
    let mut settings = SigningSettings::default();
    if service == "s3" {
        settings.percent_encoding_mode = PercentEncodingMode::Single;
        settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
        settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::super::aws::Login;
    use super::super::kept::Kept;
    use super::super::kept::tests::{kept, key};
    use super::super::settings::Settings;
    use super::*;
    use crate::domain::region::Partition;
    use aws_credential_types::provider::SharedCredentialsProvider;
    use std::collections::VecDeque;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// A server that answers so, one after the other, and how it is reached.
    async fn serve(answers: impl IntoIterator<Item = (u16, &'static str)>) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut answers: VecDeque<_> = answers.into_iter().collect();
        tokio::spawn(async move {
            while let Some((status, body)) = answers.pop_front() {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut asked = vec![0; 65_536];
                let _ = stream.read(&mut asked).await.unwrap();
                let length = body.len();
                let answer = format!(
                    "HTTP/1.1 {status} x\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        format!("http://{address}")
    }

    /// A caller whose credentials renew themselves.
    async fn caller(endpoint: String, kept: &Kept) -> Aws {
        let region: crate::domain::region::Region = "us-west-2".parse().unwrap();
        let aws = Aws::sign_in(&Settings::demo(endpoint, region.clone(), "a", "b")).await;
        let aws = aws.unwrap();
        let provider = SharedCredentialsProvider::new(kept.clone());
        let sdk = aws.sdk().to_builder().credentials_provider(provider).build();
        let login = Login {
            kept: Some(kept.clone()),
            ..Login::default()
        };
        Aws::new(sdk, region, true, aws.way().clone(), login)
    }

    const ENDED: &str = r#"{"__type":"ExpiredTokenException","message":"is expired"}"#;
    const ENDED_S3: &str = "<Error><Code>ExpiredToken</Code><Message>is expired</Message></Error>";
    const ENDED_XML: &str = "<ErrorResponse><Error><Code>ExpiredToken</Code><Message>is expired</Message></Error>\
                             <RequestId>r</RequestId></ErrorResponse>";

    #[tokio::test]
    async fn whichever_service_says_that_credentials_ended_is_asked_again_with_others() {
        let (kept, ..) = kept(3_600);
        let role_xml = "<GetRoleResponse><GetRoleResult><Role><Arn>a</Arn><AssumeRolePolicyDocument>{}\
                        </AssumeRolePolicyDocument></Role></GetRoleResult></GetRoleResponse>";
        let endpoint = serve([
            (400, ENDED),
            (200, r#"{"DatabaseList":[]}"#),
            (403, ENDED),
            (200, r#"{"namespaces":[]}"#),
            (403, ENDED_XML),
            (200, role_xml),
            (403, ENDED_S3),
            (200, "{}"),
            (403, ENDED),
            (403, ENDED),
        ])
        .await;
        let aws = caller(endpoint, &kept).await;
        let region = aws.region().clone();
        let role = "arn:aws:iam::012345678901:role/reader".parse().unwrap();
        assert_eq!(key(&kept).await, "k0");
        aws.glue(&region).databases_page(None).await.unwrap();
        assert_eq!(key(&kept).await, "k1");
        aws.rest(&region).namespaces("p").await.unwrap();
        assert_eq!(key(&kept).await, "k2");
        aws.iam(Partition::Aws).role(&role).await.unwrap();
        assert_eq!(key(&kept).await, "k3");
        aws.s3(&region).get("b", "k").await.unwrap();
        assert_eq!(key(&kept).await, "k4");
        // Whose other ones have ended too is told, and not tried for ever.
        let problem = aws.rest(&region).namespaces("p").await.unwrap_err();
        assert!(super::super::problem::has_expired(&problem), "{problem:?}");
        assert_eq!(key(&kept).await, "k6");
        // A date of the request that is too old says nothing of the credentials.
        assert!(!super::super::problem::has_expired(&aws.told(
            &Call::default(),
            Cause::Service {
                code: Some("RequestExpired".to_owned()),
                message: None,
                status: Some(400),
                request_id: None
            },
            Some("k6")
        )));
        assert_eq!(key(&kept).await, "k6");
    }

    #[tokio::test]
    async fn a_good_answer_that_speaks_of_ended_credentials_ends_none() {
        let (kept, ..) = kept(3_600);
        let page = r#"{"DatabaseList":[{"Name":"ExpiredToken","Description":"ExpiredTokenException"}]}"#;
        let aws = caller(serve([(200, page), (200, ENDED_S3)]).await, &kept).await;
        let region = aws.region().clone();
        let page = aws.glue(&region).databases_page(None).await.unwrap();
        assert_eq!(page.items.len(), 1);
        aws.s3(&region).get("b", "k").await.unwrap();
        assert_eq!(key(&kept).await, "k0");
        assert_eq!(aws.meter().reading().retries, 0);
    }

    #[tokio::test]
    async fn a_busy_service_is_asked_again_and_the_meter_shows_it() {
        let (kept, ..) = kept(3_600);
        let aws = caller(
            serve([(503, ""), (200, r#"{"namespaces":[["a"]]}"#)]).await,
            &kept,
        )
        .await;
        let found = aws.rest(aws.region()).namespaces("p").await.unwrap();
        assert_eq!(found, ["a"]);
        let reading = aws.meter().reading();
        assert_eq!((reading.calls, reading.retries), (2, 1));
    }

    #[tokio::test]
    async fn a_trust_policy_that_cannot_be_read_is_not_an_empty_one() {
        let (kept, ..) = kept(3_600);
        let documents = ["%7B%22Version", "null", "%5B%5D", "", "%7B%22a%22:%22%ff%22%7D"];
        let answers = documents.map(|document| {
            let role = format!(
                "<GetRoleResponse><GetRoleResult><Role><Arn>a</Arn><AssumeRolePolicyDocument>{document}\
                 </AssumeRolePolicyDocument></Role></GetRoleResult></GetRoleResponse>"
            );
            (200, &*role.leak())
        });
        let aws = caller(serve(answers).await, &kept).await;
        let role = "arn:aws:iam::012345678901:role/reader".parse().unwrap();
        for document in documents {
            let problem = aws.iam(Partition::Aws).role(&role).await.unwrap_err();
            assert_eq!(problem.why, "the trust policy is no JSON object", "{document}");
            assert_eq!(problem.detail.action.as_deref(), Some("iam:GetRole"));
        }
    }
}
