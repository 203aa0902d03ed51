//! The Iceberg REST endpoint of Glue. The SDK does not know it: requests are signed by its signer and sent on its way.
//!
//! See <https://docs.aws.amazon.com/glue/latest/dg/connect-glu-iceberg-rest.html>.

use super::aws::Aws;
use super::failure::{Call, Cause};
use super::http::{Trouble, chain};
use super::problem::problem;
use crate::domain::account::AccountId;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::text::scrub;
use aws_credential_types::Credentials;
use aws_credential_types::provider::ProvideCredentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorSettings, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use http_body_util::BodyExt;
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(3);
/// How long an answer may take to begin.
const READ: Duration = Duration::from_secs(20);
/// How often a request is sent in all, where the service is busy.
const TRIES: u32 = 3;

/// The REST endpoint in one region, seen by one caller.
#[derive(Debug, Clone)]
pub struct Rest {
    aws: Aws,
    region: Region,
    connector: SharedHttpConnector,
}

/// What a failed request came to.
enum Failed {
    /// The service is busy or failed on its own side: worth another try.
    Busy(Problem),
    /// Another try would answer the same.
    Final(Problem),
}

impl Rest {
    pub(super) fn new(aws: Aws, region: &Region) -> Self {
        let settings = HttpConnectorSettings::builder()
            .connect_timeout(CONNECT)
            .read_timeout(READ)
            .build();
        let connector = aws.way().connector(&settings);
        Self {
            aws,
            region: region.clone(),
            connector,
        }
    }

    /// The address, as engines are given it: `https://glue.REGION.amazonaws.com/iceberg`, or below the endpoint that
    /// was set.
    pub fn uri(&self) -> String {
        let base = self.aws.endpoint("GLUE").unwrap_or_else(|| {
            format!(
                "https://glue.{}.{}",
                self.region,
                self.region.partition().dns_suffix()
            )
        });
        format!("{}/iceberg", base.trim_end_matches('/'))
    }

    /// The path prefix of the requests about an account's own catalog, from `GET /v1/config`.
    ///
    /// # Errors
    /// Whatever the endpoint answers: a missing `glue:GetCatalog` is a denial.
    pub async fn config(&self, account: &AccountId) -> Result<String, Problem> {
        let path = format!("/v1/config?warehouse={account}");
        let answer = self.get("glue:GetCatalog", "catalog", &path).await?;
        let given = |of: &str| answer.pointer(&format!("/{of}/prefix"))?.as_str().map(scrub);
        Ok(given("overrides")
            .or_else(|| given("defaults"))
            .unwrap_or_else(|| format!("catalogs/{account}")))
    }

    /// The first page of namespaces below such a prefix.
    ///
    /// # Errors
    /// Whatever the endpoint answers: a missing `glue:GetDatabases` is a denial.
    pub async fn namespaces(&self, prefix: &str) -> Result<Vec<String>, Problem> {
        let path = format!("/v1/{}/namespaces", prefix.trim_matches('/'));
        let answer = self.get("glue:GetDatabases", "catalog", &path).await?;
        let rows = answer.get("namespaces").and_then(Value::as_array);
        Ok(rows
            .into_iter()
            .flatten()
            .filter_map(|parts| {
                let parts = parts.as_array()?.iter().filter_map(Value::as_str);
                Some(parts.map(scrub).collect::<Vec<_>>().join("."))
            })
            .collect())
    }

    async fn get(&self, action: &'static str, resource: &str, path: &str) -> Result<Value, Problem> {
        let mut tries = 1;
        loop {
            match self.once(action, resource, path).await {
                Ok(answer) => return Ok(answer),
                Err(Failed::Final(problem)) => return Err(problem),
                Err(Failed::Busy(problem)) if tries >= TRIES => return Err(problem),
                Err(Failed::Busy(_)) => {
                    tokio::time::sleep(Duration::from_millis(200) * 2_u32.pow(tries)).await;
                    tries += 1;
                }
            }
        }
    }

    async fn once(&self, action: &'static str, resource: &str, path: &str) -> Result<Value, Failed> {
        let call = Call {
            service: "glue",
            action,
            resource: self.aws.arn_in_account("glue", &self.region, resource),
            caller: self.aws.caller(),
            region: self.region.to_string(),
        };
        let failed = |cause| problem(&call, cause, self.aws.meter().reading().skew_seconds);
        let request = self
            .signed(path)
            .await
            .map_err(|cause| Failed::Final(failed(cause)))?;
        let answer = async {
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
            Ok::<_, Cause>((status, headers, body))
        };
        let (status, headers, body) = answer.await.map_err(|cause| Failed::Final(failed(cause)))?;
        let json = serde_json::from_slice::<Value>(&body);
        if (200..300).contains(&status) {
            return json.map_err(|why| {
                Failed::Final(failed(Cause::Strange(format!("HTTP {status}, no JSON: {why}"))))
            });
        }
        let header = |name: &str| headers.get(name).map(scrub);
        let (code, message) = said(json.as_ref().ok(), header("x-amzn-errortype"));
        let problem = failed(Cause::Service {
            code: code.or_else(|| by_status(status).map(str::to_owned)),
            message,
            status: Some(status),
            request_id: header("x-amzn-requestid"),
        });
        Err(if status == 429 || status >= 500 && status != 501 {
            Failed::Busy(problem)
        } else {
            Failed::Final(problem)
        })
    }

    async fn signed(&self, path: &str) -> Result<HttpRequest, Cause> {
        let unbuilt = |why: &dyn std::fmt::Display| Cause::Unbuilt(why.to_string());
        let url = format!("{}{path}", self.uri());
        let request = http::Request::get(&url)
            .header("accept", "application/json")
            .body(SdkBody::empty())
            .map_err(|why| unbuilt(&why))?;
        let mut request = HttpRequest::try_from(request).map_err(|why| unbuilt(&why))?;
        let identity = self.credentials().await?.into();
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(self.region.as_str())
            .name("glue")
            .time(SystemTime::now())
            .settings(SigningSettings::default())
            .build()
            .map_err(|why| unbuilt(&why))?
            .into();
        let headers = [("accept", "application/json")];
        let signable = SignableRequest::new("GET", &url, headers.into_iter(), SignableBody::Bytes(&[]))
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
                .map_err(|why| Cause::Credentials(chain(&why))),
            None => Err(Cause::Credentials("no credentials".to_owned())),
        }
    }
}

/// The code and the words of a refusal. Iceberg's own errors are `{"error": {"message", "type", "code"}}`; what AWS
/// refuses before that, a signature or a token, is `{"message"}` with the code in a header.
fn said(body: Option<&Value>, header: Option<String>) -> (Option<String>, Option<String>) {
    let text = |path: &str| body?.pointer(path)?.as_str().map(scrub);
    let message = text("/error/message")
        .or_else(|| text("/message"))
        .or_else(|| text("/Message"));
    let code = header
        .map(|code| code.split(':').next().unwrap_or_default().to_owned())
        .or_else(|| text("/error/type"))
        .or_else(|| text("/__type").map(|code| code.rsplit('#').next().unwrap_or_default().to_owned()))
        .filter(|code| !code.is_empty());
    let code = match code.as_deref() {
        // The words of the REST specification for what AWS calls otherwise.
        Some("ForbiddenException" | "NotAuthorizedException" | "Forbidden") => {
            Some("AccessDeniedException".to_owned())
        }
        Some(_) => code,
        None => {
            let lower = message.as_deref().unwrap_or_default().to_ascii_lowercase();
            let known = [
                ("expired", "ExpiredTokenException"),
                ("security token", "UnrecognizedClientException"),
                ("signature", "InvalidSignatureException"),
            ];
            known
                .iter()
                .find(|(word, _)| lower.contains(word))
                .map(|(_, code)| (*code).to_owned())
        }
    };
    (code, message)
}

fn by_status(status: u16) -> Option<&'static str> {
    Some(match status {
        401 | 403 => "AccessDeniedException",
        404 => "NotFound",
        429 => "TooManyRequestsException",
        503 => "ServiceUnavailable",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_shapes_of_errors_are_read() {
        let icebergs = json!({"error": {"message": "no", "type": "ForbiddenException", "code": 403}});
        let aws = json!({"message": "The security token included in the request is invalid."});
        let expired = json!({"message": "The security token included in the request is expired"});
        let typed = json!({"__type": "com.amazonaws.glue#AccessDeniedException", "Message": "no"});
        for (body, header, code) in [
            (&icebergs, None, "AccessDeniedException"),
            (&aws, None, "UnrecognizedClientException"),
            (&expired, None, "ExpiredTokenException"),
            (&typed, None, "AccessDeniedException"),
            (
                &aws,
                Some("InvalidSignatureException:http://internal"),
                "InvalidSignatureException",
            ),
        ] {
            let (found, message) = said(Some(body), header.map(str::to_owned));
            assert_eq!(found.as_deref(), Some(code), "{body}");
            assert!(message.is_some(), "{body}");
        }
        assert_eq!(said(None, None), (None, None));
    }
}
