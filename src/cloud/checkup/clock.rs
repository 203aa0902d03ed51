//! The endpoint answers, and its clock agrees with ours.

use super::super::failure::{Call, Cause, words_of};
use super::super::http::Trouble;
use super::super::meter::{CLOCK_NOTABLE, CLOCK_REFUSED};
use super::super::patience::Patience;
use super::super::problem::problem;
use super::super::remedy::off_by;
use super::super::way::{Roots, once};
use crate::domain::finding::Finding;
use crate::domain::region::Region;
use crate::domain::text::scrub;
use aws_smithy_runtime_api::client::http::HttpConnector;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::date_time::{DateTime, Format};
use std::time::{Duration, Instant, SystemTime};

/// How long the endpoint may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// Asks the endpoint for its front page, which takes no credentials and tells the time.
pub(super) async fn check(endpoint: &str, bundle: Option<Vec<u8>>, region: Option<&Region>) -> Finding {
    let begun = Instant::now();
    let date = match tokio::time::timeout(PATIENCE, date_of(endpoint, bundle)).await {
        Err(_) => {
            let words = format!("no answer in {} s", PATIENCE.as_secs());
            let words = Patience::new(true).by_proxy(words, endpoint);
            Err(match Trouble::of(&words) {
                Trouble::Proxy => Cause::Unreachable(Trouble::Proxy, words),
                _ => Cause::Timeout(words),
            })
        }
        Ok(answer) => answer,
    };
    let took = begun.elapsed().as_millis();
    match date {
        Ok(date) => said(&scrub(endpoint), took, date),
        Err(cause) => unreachable(endpoint, cause, region),
    }
}

/// The server's `Date`, in seconds since 1970; `None` when it tells none.
async fn date_of(endpoint: &str, bundle: Option<Vec<u8>>) -> Result<Option<i64>, Cause> {
    let url = format!("{}/", endpoint.trim_end_matches('/'));
    let roots = if url.starts_with("http://") {
        Roots::Nobody
    } else {
        Roots::Machine(bundle)
    };
    let connector = once(&url, roots).map_err(Cause::Unbuilt)?;
    let unbuilt = |why: &dyn std::fmt::Display| Cause::Unbuilt(why.to_string());
    let request = http::Request::get(&url)
        .body(SdkBody::empty())
        .map_err(|why| unbuilt(&why))?;
    let request = HttpRequest::try_from(request).map_err(|why| unbuilt(&why))?;
    let response = connector.call(request).await.map_err(|why| {
        let words = words_of(&why);
        Cause::Unreachable(Trouble::of(&words), words)
    })?;
    let date = response.headers().get("date");
    let date = date.and_then(|date| DateTime::from_str(date, Format::HttpDate).ok());
    Ok(date.map(|date| date.secs() - ours()))
}

/// Seconds since 1970, by this machine.
fn ours() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

/// `skew`: seconds by which the server is ahead of us.
fn said(endpoint: &str, took: u128, skew: Option<i64>) -> Finding {
    let set = "sudo timedatectl set-ntp true";
    match skew {
        None => Finding::warning(
            format!("{endpoint} answers in {took} ms, and does not tell the time"),
            "Check the endpoint URL: AWS tells the time in every answer",
        ),
        Some(skew) if skew.abs() > CLOCK_REFUSED => Finding::failed(
            format!(
                "this machine's clock is {}; AWS refuses what is signed more than 5 min off",
                off_by(skew)
            ),
            set,
        ),
        Some(skew) if skew.abs() > CLOCK_NOTABLE => Finding::warning(
            format!(
                "this machine's clock is {}; AWS begins to refuse at 5 min",
                off_by(skew)
            ),
            set,
        ),
        Some(skew) => Finding::passed(format!(
            "{endpoint} answers in {took} ms; clocks agree to {} s",
            skew.abs().max(1)
        )),
    }
}

fn unreachable(endpoint: &str, cause: Cause, region: Option<&Region>) -> Finding {
    let call = Call {
        service: "sts",
        action: "sts:GetCallerIdentity",
        region: region.map(ToString::to_string).unwrap_or_default(),
        ..Call::default()
    };
    let next = match &cause {
        Cause::Unreachable(Trouble::Certificate, _) => {
            "If a proxy inspects TLS here: export AWS_CA_BUNDLE=/path/to/its/certificate.pem"
        }
        Cause::Unreachable(Trouble::Proxy, _) => {
            "Correct it: export HTTPS_PROXY=http://HOST:PORT\nor, if none is needed: unset HTTPS_PROXY ALL_PROXY"
        }
        Cause::Unreachable(Trouble::Name, _) | Cause::Timeout(_) => {
            "Check the network and the region; behind a proxy: export HTTPS_PROXY=http://HOST:PORT"
        }
        _ => "",
    };
    let problem = problem(&call, cause, None);
    let next = if next.is_empty() { &problem.next } else { next };
    Finding::failed(format!("{endpoint}: {problem}"), next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::status::Status;

    #[test]
    fn the_clock_fails_where_aws_begins_to_refuse() {
        let status = |skew| said("http://e", 3, skew).status;
        assert_eq!(status(Some(-60)), Status::Passed);
        assert_eq!(status(Some(61)), Status::Warning);
        assert_eq!(status(Some(-300)), Status::Warning);
        assert_eq!(status(Some(301)), Status::Failed);
        assert_eq!(status(None), Status::Warning);
        let off = said("http://e", 3, Some(720));
        assert!(off.answer.contains("12 min behind"), "{off:?}");
    }

    #[tokio::test]
    async fn a_closed_port_is_said_at_once() {
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let endpoint = format!("http://127.0.0.1:{port}");
        let begun = Instant::now();
        let found = check(&endpoint, None, None).await;
        assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
        assert_eq!(found.status, Status::Failed);
        assert!(found.answer.starts_with(&endpoint), "{found:?}");
        assert!(found.next.is_some());
    }
}
