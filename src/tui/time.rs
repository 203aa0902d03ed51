//! Time, for the runtime alone: everything else is told it.

use crate::domain::moment::Moment;
use crate::tui::model::Now;
use std::time::{Duration, Instant, SystemTime};

/// The present moment, by both clocks.
pub(super) fn now(started: Instant) -> Now {
    let wall = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let millis = i64::try_from(wall.as_millis()).unwrap_or(i64::MAX);
    Now {
        since_start: started.elapsed(),
        wall: Moment::from_unix_millis(millis).unwrap_or(Moment::EPOCH),
    }
}

/// Waits so long; not at all costs less than the timer's one millisecond.
pub(super) async fn pause(time: Duration) {
    if time.is_zero() {
        tokio::task::yield_now().await;
    } else {
        tokio::time::sleep(time).await;
    }
}
