//! When the next frame is drawn: soon after a key, which somebody waits for, and at the pace of a screen after what comes by
//! itself.

use std::time::{Duration, Instant};

/// Frames that keys ask for are not drawn closer together than this.
const KEY: Duration = Duration::from_millis(2);
/// Nor are those of pages, events and time.
const NEWS: Duration = Duration::from_millis(16);

/// The last frame, and whether another one is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frames {
    last: Instant,
    /// So long after the last one the next is due.
    wanted: Option<Duration>,
}

impl Frames {
    /// One has just been drawn.
    pub(super) fn drawn() -> Self {
        Self {
            last: Instant::now(),
            wanted: None,
        }
    }

    /// A key or a signal may have changed the screen.
    pub(super) fn want_now(&mut self) {
        self.wanted = Some(KEY);
    }

    /// Something else may have.
    pub(super) fn want(&mut self) {
        self.wanted = self.wanted.or(Some(NEWS));
    }

    /// How long until the next one is due; `None`: none is wanted.
    pub(super) fn due(&self) -> Option<Duration> {
        self.wanted.map(|pace| pace.saturating_sub(self.last.elapsed()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_does_not_wait_for_the_pace_of_what_comes_by_itself() {
        let mut frames = Frames::drawn();
        assert_eq!(frames.due(), None);
        frames.want();
        assert_eq!(frames.wanted, Some(NEWS));
        frames.want_now();
        assert_eq!(frames.wanted, Some(KEY));
        frames.want();
        assert_eq!(
            frames.wanted,
            Some(KEY),
            "what comes after a key does not hold it up"
        );
        frames.last = frames.last.checked_sub(NEWS).unwrap();
        assert_eq!(frames.due(), Some(Duration::ZERO));
    }
}
