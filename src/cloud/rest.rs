//! The Iceberg REST endpoint of Glue. The SDK does not know it: requests are signed by its signer and sent on its way.
//!
//! See <https://docs.aws.amazon.com/glue/latest/dg/connect-glu-iceberg-rest.html>.

use super::aws::Aws;
use super::failure::{Call, Cause};
use super::signed::{Answer, Outgoing, Sender};
use crate::domain::account::AccountId;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::text::scrub;
use serde_json::Value;

/// The REST endpoint in one region, seen by one caller.
#[derive(Debug, Clone)]
pub struct Rest {
    sender: Sender,
    region: Region,
}

impl Rest {
    pub(super) fn new(aws: Aws, region: &Region) -> Self {
        Self {
            sender: Sender::new(aws),
            region: region.clone(),
        }
    }

    /// The address, as engines are given it: `https://glue.REGION.amazonaws.com/iceberg`, or below the endpoint that
    /// was set.
    pub fn uri(&self) -> String {
        let base = self.sender.aws().endpoint("GLUE").unwrap_or_else(|| {
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
        let aws = self.sender.aws();
        let call = Call {
            service: "glue",
            action,
            resource: aws.arn_in_account("glue", &self.region, resource),
            caller: aws.caller(),
            region: self.region.to_string(),
        };
        let outgoing = Outgoing {
            method: "GET",
            url: &format!("{}{path}", self.uri()),
            headers: &[("accept", "application/json")],
            body: "",
            service: "glue",
            region: self.region.as_str(),
        };
        self.sender.ask(&call, &outgoing, read).await
    }
}

/// What an answer says.
fn read(answer: &Answer) -> Result<Value, Cause> {
    let json = serde_json::from_slice::<Value>(&answer.body);
    let status = answer.status;
    if answer.is_success() {
        return json.map_err(|why| Cause::Strange(format!("HTTP {status}, no JSON: {why}")));
    }
    let (code, message) = said(json.as_ref().ok(), answer.header("x-amzn-errortype"));
    Err(Cause::Service {
        code: code.or_else(|| by_status(status).map(str::to_owned)),
        message,
        status: Some(status),
        request_id: answer.header("x-amzn-requestid"),
    })
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
