//! How wide the terminal draws characters about which terminals differ: the terminal itself is asked where its cursor is.

use crate::cli::environment::Environment;
use crate::domain::finding::Finding;
use crate::domain::text;

/// One wide character, one of ambiguous width, and one that a joiner makes out of two.
const ASKED: [&str; 3] = ["日", "①", "👩\u{200d}🔬"];

/// Asks the terminal, when there is one that answers. Takes less than a second.
pub async fn finding(environment: &Environment) -> Finding {
    if !environment.stdin_is_terminal || !environment.stdout_is_terminal {
        return Finding::skipped("only a terminal can be asked: input or output goes elsewhere");
    }
    if environment.dumb_terminal {
        return Finding::skipped("TERM=dumb: this terminal does not tell where its cursor is");
    }
    if !environment.unicode {
        return Finding::skipped("the locale's characters are not UTF-8: signs are drawn in ASCII");
    }
    match tokio::task::spawn_blocking(asked::widths).await {
        Ok(Ok(widths)) => said(&widths),
        Ok(Err(why)) => Finding::skipped(why),
        Err(_) => Finding::skipped("the terminal could not be asked"),
    }
}

/// The columns that each took, beside those that are counted for it.
fn said(widths: &[usize]) -> Finding {
    let pairs: Vec<(&str, usize)> = ASKED.into_iter().zip(widths.iter().copied()).collect();
    let taken: Vec<String> = pairs
        .iter()
        .map(|(what, width)| format!("{what} {width}"))
        .collect();
    let off: Vec<String> = pairs
        .iter()
        .filter(|(what, width)| text::width(what) != *width)
        .map(|(what, width)| format!("{what} takes {width}, and {} is counted", text::width(what)))
        .collect();
    if off.is_empty() {
        return Finding::passed(format!("columns taken, as counted: {}", taken.join(", ")));
    }
    Finding::warning(
        format!("columns beside such names may be off: {}", off.join("; ")),
        "Set the terminal's ambiguous characters to narrow, and choose a font or a version of it that joins emoji",
    )
}

#[cfg(unix)]
mod asked {
    use super::ASKED;
    use rustix::termios::{
        LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr, tcgetpgrp,
        tcsetattr,
    };
    use std::fs::{File, OpenOptions};
    use std::io::{Read, Write};
    use std::time::{Duration, Instant};

    /// How long a terminal may take to answer; one across the world needs its time.
    const PATIENCE: Duration = Duration::from_millis(800);
    /// The longest answer is read in pieces of this many tenths of a second.
    const TENTHS: u8 = 1;
    /// "Where is the cursor?"
    const WHERE: &str = "\x1b[6n";

    /// The columns that each character takes; else why that is not known.
    pub(super) fn widths() -> Result<Vec<usize>, String> {
        // The terminal itself rather than the output: what goes there stays the answer alone.
        let tty = OpenOptions::new()
            .read(true)
            .write(true)
            .open("/dev/tty")
            .map_err(|why| format!("the terminal cannot be opened: {why}"))?;
        // Whoever changes a terminal from the background is stopped.
        if tcgetpgrp(&tty).ok() != Some(rustix::process::getpgrp()) {
            return Err("glueup runs in the background, where the terminal is not its own".to_owned());
        }
        let mut quiet = Quiet::new(tty).map_err(|why| format!("the terminal cannot be asked: {why}"))?;
        let end = Instant::now() + PATIENCE;
        let mut widths = Vec::new();
        for what in ASKED {
            let column = quiet
                .column_after(what, end)
                .map_err(|why| format!("the terminal cannot be asked: {why}"))?
                .ok_or("the terminal does not tell where its cursor is")?;
            widths.push(column.saturating_sub(1));
        }
        Ok(widths)
    }

    /// The terminal while it neither echoes nor gathers lines; dropped, it does as before.
    struct Quiet {
        tty: File,
        before: Termios,
    }

    impl Quiet {
        fn new(tty: File) -> std::io::Result<Self> {
            let before = tcgetattr(&tty)?;
            let mut quiet = before.clone();
            quiet.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
            // A read ends by itself when nothing comes.
            quiet.special_codes[SpecialCodeIndex::VMIN] = 0;
            quiet.special_codes[SpecialCodeIndex::VTIME] = TENTHS;
            tcsetattr(&tty, OptionalActions::Now, &quiet)?;
            Ok(Self { tty, before })
        }

        /// Draws `what` at the left edge, and asks for the column after it, counted from 1.
        fn column_after(&mut self, what: &str, end: Instant) -> std::io::Result<Option<usize>> {
            write!(self.tty, "\r{what}{WHERE}")?;
            self.tty.flush()?;
            let (mut answer, mut bytes) = (Vec::new(), [0; 64]);
            while Instant::now() < end {
                let read = self.tty.read(&mut bytes)?;
                answer.extend_from_slice(bytes.get(..read).unwrap_or_default());
                if let Some(column) = column(&answer) {
                    return Ok(Some(column));
                }
            }
            Ok(None)
        }
    }

    impl Drop for Quiet {
        fn drop(&mut self) {
            // Whatever fails here, the rest is still tried.
            let _ = write!(self.tty, "\r\x1b[K").and_then(|()| self.tty.flush());
            // An answer that comes late would stand on the shell's line.
            let _ = tcflush(&self.tty, QueueSelector::IFlush);
            let _ = tcsetattr(&self.tty, OptionalActions::Now, &self.before);
        }
    }

    /// The column of the first `ESC [ row ; column R`, whatever was typed before it.
    fn column(answer: &[u8]) -> Option<usize> {
        let text = String::from_utf8_lossy(answer);
        text.split("\x1b[").skip(1).find_map(|rest| {
            let (row, column) = rest.split_once('R')?.0.split_once(';')?;
            row.parse::<usize>().ok()?;
            column.parse().ok()
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_answer_is_found_among_what_was_typed() {
            assert_eq!(column(b"ls\x1b[A\x1b[24;3R"), Some(3));
            for not_yet in [&b""[..], b"\x1b[24;", b"\x1b[24;3", b"R;R", b"\x1b[;R"] {
                assert_eq!(column(not_yet), None, "{not_yet:?}");
            }
        }
    }
}

#[cfg(not(unix))]
mod asked {
    pub(super) fn widths() -> Result<Vec<usize>, String> {
        Err("on this system the terminal is not asked".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::status::Status;

    #[test]
    fn what_differs_from_the_count_is_named() {
        let fine = said(&[2, 1, 2]);
        assert_eq!(fine.status, Status::Passed, "{fine:?}");
        let off = said(&[2, 2, 4]);
        assert_eq!(off.status, Status::Warning);
        assert!(
            off.answer.contains("① takes 2, and 1 is counted") && !off.answer.contains('日'),
            "{off:?}"
        );
    }
}
