//! What the program does while nothing happens: bytes to the terminal, processor time, wake-ups.

use crate::pty::Program;
use crate::support::home::{GLUEUP, Home};
use std::fs;
use std::time::Duration;

const WATCHED: Duration = Duration::from_secs(30);

pub fn measure() {
    let home = Home::new();
    for (name, words) in [("glueup", vec![GLUEUP]), ("glueup demo", vec![GLUEUP, "demo"])] {
        let mut program = Program::start(&home, &words);
        program.until_text("q quit");
        // sign-in and its spinner end first
        program.rest(Duration::from_secs(15));
        let (bytes, before) = (program.bytes, Usage::of(program.id()));
        program.rest(WATCHED);
        let after = Usage::of(program.id());
        println!(
            "\n`{name}`, idle for {} s: {} bytes drawn, {} ms of processor time, {} wake-ups.",
            WATCHED.as_secs(),
            program.bytes - bytes,
            after.ticks.saturating_sub(before.ticks) * 10,
            after.switches.saturating_sub(before.switches),
        );
    }
}

/// What the threads of a process have used.
struct Usage {
    /// Hundredths of a second.
    ticks: u64,
    /// How often one of them went to sleep.
    switches: u64,
}

impl Usage {
    fn of(id: u32) -> Usage {
        let threads = fs::read_dir(format!("/proc/{id}/task"))
            .into_iter()
            .flatten()
            .flatten();
        let (mut ticks, mut switches) = (0, 0);
        for thread in threads {
            let read = |file: &str| fs::read_to_string(thread.path().join(file)).unwrap_or_default();
            let stat = read("stat");
            // the name, in brackets, may hold blanks; user and system time are the 12th and 13th field behind it
            let fields: Vec<&str> = stat
                .rsplit(')')
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .collect();
            ticks += fields[11..13]
                .iter()
                .filter_map(|n| n.parse::<u64>().ok())
                .sum::<u64>();
            let status = read("status");
            let voluntary = status
                .lines()
                .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
            switches += voluntary.and_then(|n| n.trim().parse::<u64>().ok()).unwrap_or(0);
        }
        Usage { ticks, switches }
    }
}
