//! How many requests are under way at one place at once: fewer while it slows us, more again once it does not.
//!
//! Retries alone do not help a service that has more than it bears: each caller waits, and then all of them ask again.

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body_util::BodyExt;
use std::collections::HashMap;
use std::fmt;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// So many are under way at most; the program never asks for that many by itself.
const MOST: f64 = 32.0;
/// What is refused within this time of one another was sent at the same pace, and slows it once.
const ONCE: Duration = Duration::from_millis(200);
/// An answer longer than this is no refusal, and is not held in memory to be looked at.
const LONGEST: u64 = 65_536;

/// The pace at each place. A clone keeps the same.
#[derive(Clone, Default)]
pub(super) struct Paces(Arc<Mutex<HashMap<String, Pace>>>);

impl Paces {
    /// The pace at `place`, a host with its port.
    pub(super) fn at(&self, place: &str) -> Pace {
        let mut paces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match paces.get(place) {
            Some(pace) => pace.clone(),
            None => paces.entry(place.to_owned()).or_default().clone(),
        }
    }
}

impl fmt::Debug for Paces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Paces").finish_non_exhaustive()
    }
}

/// The pace at one place.
#[derive(Clone, Default)]
pub(super) struct Pace(Arc<Lane>);

#[derive(Default)]
struct Lane {
    state: Mutex<State>,
    freed: Notify,
}

struct State {
    most: f64,
    under_way: u32,
    slowed: Option<Instant>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            most: MOST,
            under_way: 0,
            slowed: None,
        }
    }
}

/// One request under way; the next one may begin when it is dropped.
pub(super) struct Permit(Pace);

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.under_way = state.under_way.saturating_sub(1);
        drop(state);
        self.0.0.freed.notify_waiters();
    }
}

impl Pace {
    /// Waits until one more may be under way.
    pub(super) async fn enter(&self) -> Permit {
        loop {
            let mut freed = pin!(self.0.freed.notified());
            // From here on none is missed.
            freed.as_mut().enable();
            {
                let mut state = self.state();
                if f64::from(state.under_way) + 1.0 <= state.most {
                    state.under_way = state.under_way.saturating_add(1);
                    return Permit(self.clone());
                }
            }
            freed.await;
        }
    }

    /// The place had more than it bears.
    pub(super) fn slow(&self) {
        self.slow_at(Instant::now());
    }

    fn slow_at(&self, now: Instant) {
        let mut state = self.state();
        if state
            .slowed
            .is_some_and(|last| now.saturating_duration_since(last) < ONCE)
        {
            return;
        }
        state.slowed = Some(now);
        state.most = (state.most.min(f64::from(state.under_way)) / 2.0).max(1.0);
    }

    /// The place answered what it was asked.
    pub(super) fn hasten(&self) {
        let mut state = self.state();
        if state.most < MOST {
            // One more for each round of as many as are under way.
            state.most = (state.most + 1.0 / state.most).min(MOST);
            drop(state);
            self.0.freed.notify_waiters();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether this answer asks us to slow down, by its status or by its words; a short refusal is read to the end for that.
///
/// # Errors
/// When the refusal breaks off.
pub(super) async fn is_slowing(
    response: &mut HttpResponse,
) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
    let status = response.status().as_u16();
    match status {
        ..400 => return Ok(false),
        429 | 503 => return Ok(true),
        _ => {}
    }
    if response
        .body()
        .content_length()
        .is_none_or(|bytes| bytes > LONGEST)
    {
        return Ok(false);
    }
    let body = response.take_body().collect().await?.to_bytes();
    let slowing = says_so(&body);
    *response.body_mut() = SdkBody::from(body);
    Ok(slowing)
}

/// By these codes and words the services say it.
fn says_so(body: &Bytes) -> bool {
    let text = String::from_utf8_lossy(body);
    [
        "Throttl",
        "TooManyRequestsException",
        "SlowDown",
        "RequestLimitExceeded",
        "ProvisionedThroughputExceeded",
        "BandwidthLimitExceeded",
        "PriorRequestNotComplete",
        "Rate exceeded",
    ]
    .iter()
    .any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn fewer_are_under_way_while_a_place_slows_us_and_more_again_after() {
        let pace = Pace::default();
        let mut under_way = Vec::new();
        for _ in 0..8 {
            under_way.push(pace.enter().await);
        }
        let begun = Instant::now();
        pace.slow_at(begun);
        // What was sent at the same pace is refused at the same time.
        pace.slow_at(begun + Duration::from_millis(50));
        assert!(pace.enter().now_or_never().is_none());
        under_way.truncate(4);
        assert!(
            pace.enter().now_or_never().is_none(),
            "half of eight are under way"
        );
        under_way.truncate(3);
        assert!(pace.enter().now_or_never().is_some());
        for n in 1..9_u32 {
            pace.slow_at(begun + Duration::from_secs(1) * n);
        }
        under_way.clear();
        let alone = pace.enter().await;
        assert!(
            pace.enter().now_or_never().is_none(),
            "one is always let through, and one alone"
        );
        drop(alone);
        for _ in 0..1_000 {
            pace.hasten();
        }
        for _ in 0..32 {
            under_way.push(pace.enter().now_or_never().expect("it has recovered"));
        }
        assert!(pace.enter().now_or_never().is_none());
    }

    #[tokio::test]
    async fn whoever_waits_goes_on_as_soon_as_another_is_done() {
        let pace = Pace::default();
        pace.slow();
        let alone = pace.enter().await;
        let other = pace.clone();
        let waits = tokio::spawn(async move {
            let _permit = other.enter().await;
        });
        tokio::task::yield_now().await;
        assert!(!waits.is_finished());
        drop(alone);
        waits.await.unwrap();
        // A caller that is dropped while it waits leaves nothing behind.
        let alone = pace.enter().await;
        assert!(pace.enter().now_or_never().is_none());
        drop(alone);
        assert!(pace.enter().now_or_never().is_some());
    }

    #[test]
    fn each_place_has_its_own_pace() {
        let paces = Paces::default();
        paces.at("glue").slow();
        assert!(paces.at("glue").state().most < 2.0);
        assert!(paces.at("s3").state().most > 2.0);
    }

    #[tokio::test]
    async fn a_refusal_is_read_and_still_there() {
        let answer = |status: u16, body: &'static str| {
            let response = http::Response::builder().status(status).body(SdkBody::from(body));
            HttpResponse::try_from(response.unwrap()).unwrap()
        };
        for (status, body, slowing) in [
            (200, "Rate exceeded", false),
            (
                400,
                r#"{"__type":"ThrottlingException","Message":"Rate exceeded"}"#,
                true,
            ),
            (400, "<Code>Throttling</Code>", true),
            (403, r#"{"__type":"AccessDeniedException"}"#, false),
            (429, "", true),
            (503, "<Code>SlowDown</Code>", true),
            (500, "<Code>InternalError</Code>", false),
        ] {
            let mut response = answer(status, body);
            assert_eq!(
                is_slowing(&mut response).await.unwrap(),
                slowing,
                "{status} {body}"
            );
            assert_eq!(response.body().bytes(), Some(body.as_bytes()));
        }
    }
}
