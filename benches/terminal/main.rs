//! How fast the terminal program is, told as ratios to programs that everybody knows, measured in turns in one run.
//!
//! ```text
//! cargo bench --bench terminal                 all of it: five runs, about twenty minutes
//! cargo bench --bench terminal -- start        start to first frame only
//! cargo bench --bench terminal -- keys         key to frame only
//! cargo bench --bench terminal -- idle         what it does while nothing happens
//!     --runs N      instead of 5
//!     --tables N    instead of 1000000
//! ```
//!
//! The numbers of one machine are in `docs/BENCHMARKS.md`. Nothing is asserted: a number depends on the machine and on what else it does.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

mod idle;
mod keys;
mod numbers;
mod pty;
mod start;
mod support;

/// What to measure, and how much of it.
struct Plan {
    runs: usize,
    tables: u64,
    only: Option<String>,
}

fn plan() -> Plan {
    let mut plan = Plan {
        runs: 5,
        tables: 1_000_000,
        only: None,
    };
    // cargo adds `--bench`
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|n| n.parse().ok());
        match word.as_str() {
            "--runs" => plan.runs = number().and_then(|n| usize::try_from(n).ok()).expect("--runs N"),
            "--tables" => plan.tables = number().expect("--tables N"),
            "start" | "keys" | "idle" => plan.only = Some(word),
            _ => panic!("{word}? There are: start, keys, idle, --runs N, --tables N"),
        }
    }
    plan
}

fn main() {
    let plan = plan();
    let wanted = |part: &str| plan.only.as_deref().is_none_or(|only| only == part);
    if wanted("start") {
        start::measure(plan.runs);
    }
    if wanted("keys") {
        keys::measure(plan.runs, plan.tables);
    }
    if wanted("idle") {
        idle::measure();
    }
}
