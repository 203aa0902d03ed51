//! What can be turned while the server runs.

use super::Options;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Latency, throttling, the spreading of IAM changes and the clock.
#[derive(Debug, Default)]
pub struct Knobs {
    latency_ms: AtomicU64,
    throttle: AtomicU64,
    iam_delay_ms: AtomicU64,
    clock_offset_s: AtomicI64,
    served: AtomicU64,
}

impl Knobs {
    /// The knobs as the options set them.
    pub fn new(options: &Options) -> Self {
        let knobs = Self::default();
        knobs.latency_ms.store(whole_millis(options.latency), Relaxed);
        knobs
            .throttle
            .store(options.throttle.map_or(0, u64::from), Relaxed);
        knobs.iam_delay_ms.store(whole_millis(options.iam_delay), Relaxed);
        knobs.clock_offset_s.store(options.clock_offset, Relaxed);
        knobs
    }

    /// How long each answer waits.
    pub fn latency(&self) -> Duration {
        Duration::from_millis(self.latency_ms.load(Relaxed))
    }

    /// How long a change of IAM is not yet seen, in milliseconds.
    pub fn iam_delay_ms(&self) -> i64 {
        i64::try_from(self.iam_delay_ms.load(Relaxed)).unwrap_or(i64::MAX)
    }

    /// How far the server's clock is ahead of the machine's, in seconds.
    pub fn clock_offset_s(&self) -> i64 {
        self.clock_offset_s.load(Relaxed)
    }

    /// Counts a request; true for each Nth one, which is to be throttled.
    pub fn throttles(&self) -> bool {
        let every = self.throttle.load(Relaxed);
        let number = self.served.fetch_add(1, Relaxed) + 1;
        every > 0 && number.is_multiple_of(every)
    }

    /// The knobs as the admin path shows them.
    pub fn to_json(&self) -> Value {
        json!({
            "latency_ms": self.latency_ms.load(Relaxed),
            "throttle": self.throttle.load(Relaxed),
            "iam_delay_s": self.iam_delay_ms.load(Relaxed) as f64 / 1000.0,
            "clock_offset_s": self.clock_offset_s.load(Relaxed),
        })
    }

    /// Turns the knobs that are named and leaves the others. Says which one cannot be turned so, and turns none then.
    pub fn turn(&self, wanted: &Value) -> Result<(), String> {
        let Some(wanted) = wanted.as_object() else {
            return Err("a JSON object of knobs is needed".to_owned());
        };
        let mut turns: Vec<(&AtomicU64, u64)> = Vec::new();
        let mut offset = None;
        for (name, value) in wanted {
            let bad = || format!("{name}: {value} does not fit");
            match name.as_str() {
                "latency_ms" => turns.push((&self.latency_ms, value.as_u64().ok_or_else(bad)?)),
                "throttle" => {
                    turns.push((
                        &self.throttle,
                        if value.is_null() {
                            0
                        } else {
                            value.as_u64().ok_or_else(bad)?
                        },
                    ));
                }
                "iam_delay_s" => {
                    let seconds = value
                        .as_f64()
                        .filter(|s| (0.0..=1e9).contains(s))
                        .ok_or_else(bad)?;
                    turns.push((&self.iam_delay_ms, whole_millis(Duration::from_secs_f64(seconds))));
                }
                "clock_offset_s" => {
                    // A hundred years either way: enough for any test, and every date stays one that can be written.
                    offset = Some(
                        value
                            .as_i64()
                            .filter(|s| s.abs() <= 3_155_760_000)
                            .ok_or_else(bad)?,
                    );
                }
                _ => return Err(format!("{name}: no such knob")),
            }
        }
        for (knob, value) in turns {
            knob.store(value, Relaxed);
        }
        if let Some(offset) = offset {
            self.clock_offset_s.store(offset, Relaxed);
        }
        Ok(())
    }
}

fn whole_millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_knob_turns_none() {
        let knobs = Knobs::default();
        assert!(knobs.turn(&json!({"latency_ms": 5, "latency": 1})).is_err());
        assert!(knobs.turn(&json!({"latency_ms": -5})).is_err());
        assert_eq!(knobs.latency(), Duration::ZERO);
        assert!(
            knobs
                .turn(&json!({"latency_ms": 5, "iam_delay_s": 1.5, "clock_offset_s": -60}))
                .is_ok()
        );
        assert_eq!(knobs.latency(), Duration::from_millis(5));
        assert_eq!(knobs.iam_delay_ms(), 1500);
        assert_eq!(knobs.clock_offset_s(), -60);
    }

    #[test]
    fn each_nth_request_is_throttled() {
        let knobs = Knobs::new(&Options {
            throttle: Some(3),
            ..Options::default()
        });
        let seen: Vec<bool> = (0..6).map(|_| knobs.throttles()).collect();
        assert_eq!(seen, [false, false, true, false, false, true]);
    }
}
