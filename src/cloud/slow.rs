//! A time in which AWS slows us: how often calls were repeated in it, and how long it lasts already.

use std::fmt;
use std::time::{Duration, Instant};

/// A spell is over when a call was answered and none was slowed or repeated for so long: other calls may still wait for
/// their next try.
const QUIET: Duration = Duration::from_secs(2);
/// And when nothing was heard of it for so long: whoever waited has given up.
const STALE: Duration = Duration::from_secs(30);

/// What calls wait for, as [`super::Meter`] shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slow {
    /// True where AWS asked us to slow down, false where an answer failed to come.
    pub throttled: bool,
    /// How often a call was repeated since.
    pub retries: u32,
    /// Since when, in tenths of a second.
    pub tenths: u64,
}

impl Slow {
    /// What it is, without how long.
    pub fn what(self) -> &'static str {
        match self.throttled {
            true => "slowed by AWS",
            false => "AWS does not answer",
        }
    }
}

impl fmt::Display for Slow {
    /// `slowed by AWS (retry 3, 2.1 s)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.what();
        let (whole, tenth) = (self.tenths / 10, self.tenths % 10);
        match self.retries {
            0 => write!(f, "{what} ({whole}.{tenth} s)"),
            retries => write!(f, "{what} (retry {retries}, {whole}.{tenth} s)"),
        }
    }
}

/// What happened in the spell that lasts, or in the last one.
#[derive(Debug, Default)]
pub(super) struct Spell(Option<Events>);

#[derive(Debug)]
struct Events {
    begun: Instant,
    last: Instant,
    throttled: bool,
    retries: u32,
    answered: bool,
}

impl Spell {
    /// AWS asked us to slow down.
    pub(super) fn slowed(&mut self, now: Instant) {
        self.at(now).throttled = true;
    }

    /// A call goes out once more.
    pub(super) fn repeated(&mut self, now: Instant) {
        let events = self.at(now);
        events.retries = events.retries.saturating_add(1);
    }

    /// A call was answered.
    pub(super) fn answered(&mut self, now: Instant) {
        if let Some(events) = &mut self.0 {
            events.answered = true;
        }
        self.end(now);
    }

    /// What to show of it.
    pub(super) fn slow(&mut self, now: Instant) -> Option<Slow> {
        self.end(now);
        let events = self.0.as_ref()?;
        let lasts = now.saturating_duration_since(events.begun);
        Some(Slow {
            throttled: events.throttled,
            retries: events.retries,
            tenths: u64::try_from(lasts.as_millis() / 100).unwrap_or(u64::MAX),
        })
    }

    fn end(&mut self, now: Instant) {
        let over = |events: &Events| {
            let quiet = now.saturating_duration_since(events.last);
            quiet >= STALE || events.answered && quiet >= QUIET
        };
        if self.0.as_ref().is_some_and(over) {
            self.0 = None;
        }
    }

    fn at(&mut self, now: Instant) -> &mut Events {
        self.end(now);
        let events = self.0.get_or_insert(Events {
            begun: now,
            last: now,
            throttled: false,
            retries: 0,
            answered: false,
        });
        events.last = now;
        events.answered = false;
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(begun: Instant, millis: u64) -> Instant {
        begun + Duration::from_millis(millis)
    }

    #[test]
    fn a_spell_counts_its_repetitions_and_ends_when_answers_come_again() {
        let (mut spell, begun) = (Spell::default(), Instant::now());
        assert_eq!(spell.slow(begun), None);
        spell.slowed(begun);
        assert_eq!(spell.slow(begun).unwrap().to_string(), "slowed by AWS (0.0 s)");
        for n in 1..=3 {
            spell.repeated(after(begun, n * 700));
        }
        let told = spell.slow(after(begun, 2_150)).unwrap();
        assert_eq!(told.to_string(), "slowed by AWS (retry 3, 2.1 s)");
        // One answer does not end it: others may wait for their next try.
        spell.answered(after(begun, 2_200));
        assert!(spell.slow(after(begun, 3_000)).is_some());
        assert_eq!(spell.slow(after(begun, 4_200)), None);
        // While nobody has answered it lasts.
        spell.slowed(after(begun, 9_000));
        let told = spell.slow(after(begun, 20_000)).unwrap();
        assert_eq!((told.retries, told.tenths), (0, 110));
        assert_eq!(spell.slow(after(begun, 39_000)), None);
    }

    #[test]
    fn who_does_not_answer_is_not_said_to_slow_us() {
        let (mut spell, begun) = (Spell::default(), Instant::now());
        spell.repeated(begun);
        let told = spell.slow(after(begun, 3_000)).unwrap();
        assert_eq!(told.to_string(), "AWS does not answer (retry 1, 3.0 s)");
    }
}
