//! What has been said, line by line into the log file: on a thread of its own, since a disk that hangs must not hang keys.

use crate::domain::moment::Moment;
use crate::domain::text::scrub;
use crate::registry::Home;
use crate::tui::model::Model;
use crate::tui::msg::Msg;
use std::io::Write as _;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// The way to the log file.
pub struct Journal {
    lines: Sender<(Moment, String)>,
    ended: Receiver<()>,
    /// How many of the model's lines are on their way.
    kept: u64,
}

impl Journal {
    /// A journal in this home. The file is not made before there is something to say; where it cannot be, that is told.
    pub fn open(home: Home, to_front: tokio::sync::mpsc::Sender<Msg>) -> Self {
        let (lines, waiting) = channel::<(Moment, String)>();
        let (end, ended) = channel();
        std::thread::spawn(move || {
            let mut file = None;
            for (at, line) in waiting {
                let written = match file.take().map_or_else(|| home.open_log(), Ok) {
                    Ok(mut open) => {
                        let line = format!("{at} {}\n", scrub(&line));
                        let written = open.write_all(line.as_bytes());
                        file = Some(open);
                        written
                    }
                    Err(why) => Err(why),
                };
                if let Err(why) = written {
                    // Once is enough: nobody is helped by a try for each line.
                    let _ = to_front.blocking_send(Msg::NoLog(why.to_string()));
                    break;
                }
            }
            let _ = end.send(());
        });
        Self {
            lines,
            ended,
            kept: 0,
        }
    }

    /// Passes on what has been said since it was asked last.
    pub fn keep(&mut self, model: &Model) {
        let fresh = model.noted.saturating_sub(self.kept);
        self.kept = model.noted;
        let fresh = usize::try_from(fresh).unwrap_or(usize::MAX);
        let known = model.log.len().saturating_sub(fresh);
        for (at, line) in model.log.iter().skip(known) {
            // Where the thread has ended that has been told.
            let _ = self.lines.send((*at, line.clone()));
        }
    }

    /// Waits, but not for long, until all of it is written.
    pub fn close(self, patience: Duration) {
        drop(self.lines);
        let _ = self.ended.recv_timeout(patience);
    }
}
