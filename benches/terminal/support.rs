//! The tests' ways to a clean home and to an embedded AWS of its own.
#![allow(dead_code, reason = "the tests need more of it")]

#[path = "../../tests/it/support/demo.rs"]
pub mod demo;
#[path = "../../tests/it/support/home.rs"]
pub mod home;

use std::time::{Duration, Instant};

/// How long something may take that should come at once.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Asks `ready` again and again until it answers; `what` and `seen()` explain a timeout.
pub fn wait_for<T>(what: &str, seen: impl Fn() -> String, mut ready: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = ready() {
            return found;
        }
        assert!(Instant::now() < end, "no {what}; there is:\n{}", seen());
        std::thread::sleep(Duration::from_millis(15));
    }
}
