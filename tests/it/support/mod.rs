//! The tools of the integration tests: the real binary in a clean home, in a terminal, with its embedded AWS; a real
//! browser; and the programs of others that judge us.
#![allow(
    dead_code,
    reason = "a box of tools: not every run of the tests needs every tool"
)]

pub mod between;
pub mod demo;
pub mod deployed;
pub mod fake;
pub mod home;
pub mod http;
pub mod iam;
pub mod inspect;
pub mod jobs;
pub mod peers;
pub mod signed;
pub mod sso;
pub mod term;
pub mod walk;
pub mod webdriver;

use std::time::{Duration, Instant};

/// How long a test waits for something that should come at once. Long, because a loaded machine is not a failure.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Asks `ready` again and again until it answers; `what` and `seen()` explain a timeout.
pub fn wait_for<T>(what: &str, seen: impl Fn() -> String, mut ready: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = ready() {
            return found;
        }
        assert!(
            Instant::now() < end,
            "no {what} in {} s; there is:\n{}",
            PATIENCE.as_secs(),
            seen()
        );
        std::thread::sleep(Duration::from_millis(15));
    }
}
