//! What the SDK says about a failed call, taken apart into plain data.

use super::http::{Trouble, chain};
use crate::domain::problem::Problem;
use aws_credential_types::provider::error::CredentialsError;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::{ConnectorError, SdkError};
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use std::error::Error;

/// The call that was made.
#[derive(Debug, Clone, Default)]
pub(super) struct Call {
    /// `sts`, `glue`, `s3`, `iam` or `cloudformation`.
    pub service: &'static str,
    /// The IAM action, such as `glue:GetDatabases`.
    pub action: &'static str,
    /// The ARN acted upon, as far as it is known beforehand.
    pub resource: Option<String>,
    /// The caller's ARN, as far as it is known.
    pub caller: Option<String>,
    /// The region asked.
    pub region: String,
}

/// Why it failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cause {
    /// The service answered with an error.
    Service {
        /// Its code; absent where an answer has no body, as to HEAD.
        code: Option<String>,
        /// Its words.
        message: Option<String>,
        /// The HTTP status.
        status: Option<u16>,
        /// Its id of the request.
        request_id: Option<String>,
    },
    /// No connection, or none that lasted.
    Unreachable(Trouble, String),
    /// No answer in time.
    Timeout(String),
    /// The credentials could not be had or renewed; the words of the provider.
    Credentials(String),
    /// The same, and what is to be said of it is known already.
    Told(Box<Problem>),
    /// An answer that is not AWS's, such as a proxy's page.
    Strange(String),
    /// The request could not even be built.
    Unbuilt(String),
}

impl Cause {
    /// Takes an SDK error apart.
    pub(super) fn of<E>(error: &SdkError<E, HttpResponse>) -> Self
    where
        E: ProvideErrorMetadata + Error + 'static,
    {
        match error {
            SdkError::ServiceError(service) => {
                let raw = service.raw();
                let meta = service.err().meta();
                let header = |name: &str| raw.headers().get(name).map(str::to_owned);
                let status = raw.status();
                let said = service.err().code().is_some() || service.err().message().is_some();
                let kind = header("content-type").unwrap_or_default();
                // AWS refuses with a code, and says yes in the form that was asked for: a page is from somebody else.
                if !said && (status.is_success() || kind.starts_with("text/html")) {
                    return Self::Strange(format!("HTTP {}, {kind}", status.as_u16()));
                }
                Self::Service {
                    code: service.err().code().map(bare_code),
                    message: service.err().message().map(str::to_owned),
                    status: Some(raw.status().as_u16()),
                    request_id: meta
                        .extra("aws_request_id")
                        .map(str::to_owned)
                        .or_else(|| header("x-amzn-requestid"))
                        .or_else(|| header("x-amz-request-id")),
                }
            }
            other if told(other).is_some() => told(other).map_or_else(
                || Self::Credentials(chain(other)),
                |problem| Self::Told(Box::new(problem)),
            ),
            other if credentials_error(other).is_some() => {
                Self::Credentials(credentials_error(other).unwrap_or_default())
            }
            SdkError::TimeoutError(_) => Self::Timeout(chain(error)),
            SdkError::DispatchFailure(failure) => match failure.as_connector_error() {
                Some(why) => {
                    let words = words_of(why);
                    Self::Unreachable(Trouble::of(&words), words)
                }
                None => Self::Unreachable(Trouble::Other, chain(error)),
            },
            SdkError::ResponseError(answer) => Self::Strange(format!(
                "HTTP {}: {}",
                answer.raw().status().as_u16(),
                chain(error)
            )),
            _ => Self::Unbuilt(chain(error)),
        }
    }
}

impl Cause {
    /// No credentials, in the words of their provider.
    pub(super) fn of_credentials(why: &CredentialsError) -> Self {
        match told(why) {
            Some(problem) => Self::Told(Box::new(problem)),
            None => Self::Credentials(chain(why)),
        }
    }
}

/// The Problem among the causes of an error: a provider of ours has said what is to be said.
pub(super) fn told(error: &(dyn Error + 'static)) -> Option<Problem> {
    let mut at = Some(error);
    while let Some(error) = at {
        if let Some(problem) = error.downcast_ref::<Problem>() {
            return Some(problem.clone());
        }
        at = error.source();
    }
    None
}

/// The causes without the SDK's own word for the sort of error, which means something else to users.
pub(super) fn words_of(error: &ConnectorError) -> String {
    let words = chain(error);
    match words.split_once(": ") {
        Some(("user error" | "io error" | "other error" | "timeout", rest)) => rest.to_owned(),
        _ => words,
    }
}

/// JSON services may write their code as `com.amazonaws.glue#Code` or `Code:http://…`.
fn bare_code(code: &str) -> String {
    let code = code.rsplit('#').next().unwrap_or(code);
    code.split(':').next().unwrap_or(code).trim().to_owned()
}

/// The words of a credentials provider among the causes of an error.
fn credentials_error(error: &(dyn Error + 'static)) -> Option<String> {
    let mut at = Some(error);
    while let Some(error) = at {
        if let Some(found) = error.downcast_ref::<CredentialsError>() {
            return Some(chain(found));
        }
        at = error.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sdks_word_for_the_sort_of_error_is_left_out() {
        let error = ConnectorError::user("tcp connect error".into());
        assert_eq!(words_of(&error), "tcp connect error");
    }

    #[test]
    fn codes_lose_their_namespace() {
        for given in [
            "AccessDeniedException",
            "com.amazonaws.glue#AccessDeniedException",
            "AccessDeniedException:http://x/",
        ] {
            assert_eq!(bare_code(given), "AccessDeniedException");
        }
    }
}
