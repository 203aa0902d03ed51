//! The time by which sessions end and requests are signed.

use aws_smithy_async::time::TimeSource;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

/// The machine's clock, which a test can move. A clone is the same clock.
#[derive(Debug, Clone, Default)]
pub struct Clock(Arc<AtomicI64>);

impl Clock {
    /// Sets it so many seconds ahead of the machine's.
    pub fn set_ahead(&self, seconds: i64) {
        self.0.store(seconds, Relaxed);
    }

    /// Now.
    pub fn now(&self) -> SystemTime {
        moved(SystemTime::now(), self.0.load(Relaxed))
    }
}

impl TimeSource for Clock {
    fn now(&self) -> SystemTime {
        Self::now(self)
    }
}

pub(super) fn moved(time: SystemTime, seconds: i64) -> SystemTime {
    let span = Duration::from_secs(seconds.unsigned_abs());
    let moved = if seconds < 0 {
        time.checked_sub(span)
    } else {
        time.checked_add(span)
    };
    moved.unwrap_or(time)
}
