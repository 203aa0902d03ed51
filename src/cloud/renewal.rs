//! Credentials that AWS calls ended before their time: the call is made once more, with others.

use super::http::{ATTEMPT, SIGNED_WITH};
use super::kept::Kept;
use super::problem::ENDED;
use aws_smithy_runtime_api::client::interceptors::context::InterceptorContext;
use aws_smithy_runtime_api::client::retries::classifiers::{ClassifyRetry, RetryAction};
use aws_smithy_types::retry::ErrorKind;
use std::time::Duration;

/// Tells the clients of the SDK to try again once, where somebody renews what they sign with.
#[derive(Debug)]
pub(super) struct Renewal(pub Option<Kept>);

impl ClassifyRetry for Renewal {
    fn classify_retry(&self, of: &InterceptorContext) -> RetryAction {
        let (Some(kept), Some(answer)) = (&self.0, of.response()) else {
            return RetryAction::NoActionIndicated;
        };
        // What comes of the other ones is final. Credentials are looked at before a status is written: an answer that is
        // good refuses none, and a page of tables is not searched for the words of it.
        let is_first = answer.headers().get(ATTEMPT) == Some("1");
        if !is_first || answer.status().is_success() {
            return RetryAction::NoActionIndicated;
        }
        let header = answer.headers().get("x-amzn-errortype").unwrap_or_default();
        let body = answer.body().bytes().unwrap_or_default();
        let says_so = ENDED
            .iter()
            .any(|code| header.contains(code) || holds(body, code.as_bytes()));
        if !says_so {
            return RetryAction::NoActionIndicated;
        }
        let Some(key) = answer.headers().get(SIGNED_WITH) else {
            return RetryAction::NoActionIndicated;
        };
        kept.forget(key);
        RetryAction::retryable_error_with_explicit_delay(ErrorKind::TransientError, Duration::ZERO)
    }

    fn name(&self) -> &'static str {
        "credentials that ended"
    }
}

fn holds(body: &[u8], word: &[u8]) -> bool {
    body.windows(word.len()).any(|part| part == word)
}
