//! How long whoever is asked may take until the answer begins, and who kept us waiting.
//!
//! A host that has answered before gets the time of a busy service. One that never has may stand behind a proxy that
//! takes every connection and says nothing: which one that is must be known within ten seconds.

use super::proxies::{Proxies, Route};
use crate::domain::text::scrub;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_types::os_shim_internal::Env;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a connection may take to be made, with TLS and what a proxy does of it; with the one more try it stays within
/// ten seconds.
pub(super) const CONNECT: Duration = Duration::from_secs(3);
/// How long an answer may take to begin.
pub(super) const READ: Duration = Duration::from_secs(20);
/// How long the first answer of a host may take.
const FIRST: Duration = Duration::from_secs(8);
/// The same for a further try, since the one before has taken its time already.
const FURTHER: Duration = Duration::from_secs(5);
/// And where the same host has been silent within the last while: it has had its time.
const AGAIN: Duration = Duration::from_secs(2);
/// That while.
const LATELY: Duration = Duration::from_secs(30);
/// By these words a silence is known.
pub(super) const SILENCE: &str = "gave no answer in";
/// By these, behind a silence, that a proxy stands on the way.
pub(super) const THROUGH: &str = "asked through the proxy";

/// Who has answered already, and the proxy by which each is asked. A clone knows the same.
#[derive(Clone)]
pub(super) struct Patience(Arc<Known>);

/// What is known of a host.
#[derive(Debug, Clone, Copy)]
enum Heard {
    /// It has answered.
    Yes,
    /// It never has, and was silent when it was asked then.
    Silent(Instant),
}

struct Known {
    hosts: Mutex<HashMap<String, Heard>>,
    proxies: Option<Proxies>,
}

impl Patience {
    /// `proxied` false: no proxy at all, whatever the environment names.
    pub(super) fn new(proxied: bool) -> Self {
        Self(Arc::new(Known {
            hosts: Mutex::default(),
            proxies: proxied.then(|| Proxies::of(&Env::real())),
        }))
    }

    /// Waits for an answer as long as whoever is asked deserves; an error names it, and the proxy on the way.
    pub(super) async fn wait(
        &self,
        url: &str,
        attempt: u32,
        answer: impl Future<Output = Result<HttpResponse, ConnectorError>>,
    ) -> Result<HttpResponse, ConnectorError> {
        let place = place_of(url);
        let begun = Instant::now();
        let heard = self.hosts().get(&place).copied();
        let first = match heard {
            Some(Heard::Silent(then)) if then.elapsed() < LATELY => AGAIN,
            _ if attempt > 1 => FURTHER,
            _ => FIRST,
        };
        let answer = match heard {
            Some(Heard::Yes) => Some(answer.await),
            _ => tokio::time::timeout(first, answer).await.ok(),
        };
        let ended = match answer {
            Some(Ok(answer)) => {
                if !matches!(heard, Some(Heard::Yes)) {
                    self.hosts().insert(place, Heard::Yes);
                }
                return Ok(answer);
            }
            Some(Err(error)) if !error.is_timeout() => return Err(error),
            // One more try may find a way that is free.
            Some(Err(_)) => attempt > 1,
            // What that could have brought, this one had the time for.
            None => true,
        };
        let words = format!("{place} {SILENCE} {} s", begun.elapsed().as_secs());
        let words = self.by_proxy(words, url).into();
        if !ended {
            return Err(ConnectorError::timeout(words));
        }
        let mut hosts = self.hosts();
        if !matches!(hosts.get(&place), Some(Heard::Yes)) {
            hosts.insert(place, Heard::Silent(Instant::now()));
        }
        drop(hosts);
        Err(ConnectorError::user(words))
    }

    /// An answer of this status that has begun, and whose rest has not come within [`READ`]: it has had its time.
    pub(super) fn broken_off(&self, url: &str, status: u16) -> ConnectorError {
        let words = format!(
            "{} {SILENCE} {} s beyond HTTP {status}",
            place_of(url),
            READ.as_secs()
        );
        ConnectorError::user(self.by_proxy(words, url).into())
    }

    /// The words of a failure, and the proxy by which `url` is asked.
    pub(super) fn by_proxy(&self, words: String, url: &str) -> String {
        match self.proxy(url) {
            Some(proxy) => format!("{words}, {THROUGH} {proxy}"),
            None => words,
        }
    }

    /// The proxy by which `url` is asked, and the variable that names it.
    pub(super) fn proxy(&self, url: &str) -> Option<String> {
        match self.0.proxies.as_ref()?.route(url) {
            Route::Through { proxy, var } => Some(format!("{proxy} ({var})")),
            Route::Excepted(_) | Route::Near | Route::Direct => None,
        }
    }

    fn hosts(&self) -> MutexGuard<'_, HashMap<String, Heard>> {
        self.0.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address of a proxy may hold a password.
        f.debug_struct("Patience")
            .field("hosts", &*self.hosts())
            .finish_non_exhaustive()
    }
}

/// Host and port of a URL, without a user's name.
pub(super) fn place_of(url: &str) -> String {
    let uri = url.parse::<http::Uri>().ok();
    let authority = uri.as_ref().and_then(http::Uri::authority);
    let place = authority.map_or("", |authority| authority.as_str());
    scrub(place.rsplit('@').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_smithy_types::body::SdkBody;

    fn answer() -> HttpResponse {
        http::Response::new(SdkBody::empty()).try_into().unwrap()
    }

    #[tokio::test]
    async fn whoever_was_silent_gets_little_time_and_whoever_answered_gets_all() {
        let patience = Patience::new(false);
        let url = "http://ann@h:4566/x";
        let late = async |seconds| {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Ok(answer())
        };
        let then = Heard::Silent(Instant::now());
        patience.hosts().insert("h:4566".to_owned(), then);
        let error = patience.wait(url, 1, late(9)).await.unwrap_err();
        assert!(error.is_user(), "no further try: {error:?}");
        assert!(
            format!("{error:?}").contains("h:4566 gave no answer in 2 s"),
            "{error:?}"
        );
        patience.wait(url, 1, late(0)).await.unwrap();
        patience.wait(url, 1, late(3)).await.unwrap();
    }

    #[tokio::test]
    async fn a_connection_that_is_not_made_in_time_is_tried_once_more() {
        let patience = Patience::new(false);
        let slow = async || Err(ConnectorError::timeout("3 s".into()));
        assert!(
            patience
                .wait("http://h/", 1, slow())
                .await
                .unwrap_err()
                .is_timeout()
        );
        assert!(patience.wait("http://h/", 2, slow()).await.unwrap_err().is_user());
    }
}
