//! What the wire has carried: calls, bytes, retries, whether AWS slows us, and how far its clock is from ours.

use super::clock::{Clock, moved};
use super::slow::{Slow, Spell};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

/// AWS refuses signatures whose time is more than this many seconds from its own.
pub const CLOCK_REFUSED: i64 = 300;
/// From this many seconds on a clock is worth a word.
pub const CLOCK_NOTABLE: i64 = 60;

/// One count for everything that goes out through one HTTP client, credential providers included.
///
/// A clone counts into the same numbers.
#[derive(Clone, Default)]
pub struct Meter(Arc<Counts>);

#[derive(Default)]
struct Counts {
    calls: AtomicU64,
    bytes: AtomicU64,
    retries: AtomicU64,
    skew: AtomicI64,
    skew_known: AtomicBool,
    spell: Mutex<Spell>,
    ours: Clock,
}

/// What a [`Meter`] shows at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// Requests sent, retries among them.
    pub calls: u64,
    /// Bytes of answers read.
    pub bytes: u64,
    /// Requests that were repetitions of an earlier one.
    pub retries: u64,
    /// Seconds by which the server's clock is ahead of ours, from its last `Date`; `None` until it has answered.
    pub skew_seconds: Option<i64>,
    /// What calls wait for, while they do: AWS slows us, or does not answer.
    pub slow: Option<Slow>,
}

impl Meter {
    /// What has been counted so far.
    pub fn reading(&self) -> Reading {
        let c = &self.0;
        Reading {
            calls: c.calls.load(Relaxed),
            bytes: c.bytes.load(Relaxed),
            retries: c.retries.load(Relaxed),
            skew_seconds: c.skew_known.load(Relaxed).then(|| c.skew.load(Relaxed)),
            slow: self.spell().slow(Instant::now()),
        }
    }

    /// Our clock, beside which the server's was seen.
    pub fn ours(&self) -> &Clock {
        &self.0.ours
    }

    /// The time by AWS's clock, as far as its last answer told it.
    pub(super) fn theirs(&self) -> SystemTime {
        moved(self.0.ours.now(), self.reading().skew_seconds.unwrap_or_default())
    }

    /// The later of both clocks: by it a session is renewed, so that a clock of ours that is behind costs nothing.
    pub(super) fn later(&self) -> SystemTime {
        self.theirs().max(self.0.ours.now())
    }

    /// Whether a moment has passed by both clocks: what only a strange `Date` on the way says is not believed.
    pub(super) fn both_past(&self, end: SystemTime) -> bool {
        end <= self.theirs().min(self.0.ours.now())
    }

    /// A request goes out; `attempt` counts from 1.
    pub(super) fn sent(&self, attempt: u32) {
        self.0.calls.fetch_add(1, Relaxed);
        if attempt > 1 {
            self.0.retries.fetch_add(1, Relaxed);
            self.spell().repeated(Instant::now());
        }
    }

    /// An answer came in; `slowing` when it asks us to slow down.
    pub(super) fn answered(&self, success: bool, slowing: bool) {
        if slowing {
            self.spell().slowed(Instant::now());
        } else if success {
            self.spell().answered(Instant::now());
        }
    }

    fn spell(&self) -> MutexGuard<'_, Spell> {
        self.0.spell.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes of an answer were read.
    pub(super) fn read(&self, bytes: u64) {
        self.0.bytes.fetch_add(bytes, Relaxed);
    }

    /// The server said that it is `server` (seconds since 1970) while our clock said `ours`.
    pub(super) fn clock(&self, server: i64, ours: SystemTime) {
        let Ok(ours) = ours.duration_since(SystemTime::UNIX_EPOCH) else {
            return;
        };
        let Ok(ours) = i64::try_from(ours.as_secs()) else {
            return;
        };
        self.0.skew.store(server.saturating_sub(ours), Relaxed);
        self.0.skew_known.store(true, Relaxed);
    }
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.reading().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_clone_counts_into_the_same_numbers() {
        let meter = Meter::default();
        let other = meter.clone();
        other.sent(1);
        other.sent(2);
        other.read(40);
        let reading = meter.reading();
        assert_eq!((reading.calls, reading.retries, reading.bytes), (2, 1, 40));
        assert_eq!(reading.slow.map(|slow| slow.retries), Some(1));
        assert_eq!(reading.skew_seconds, None);
    }

    #[test]
    fn the_skew_has_a_sign() {
        let meter = Meter::default();
        let ours = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        meter.clock(1_600, ours);
        assert_eq!(meter.reading().skew_seconds, Some(600));
        meter.clock(400, ours);
        assert_eq!(meter.reading().skew_seconds, Some(-600));
    }
}
