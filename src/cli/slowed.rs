//! The one line that says, while it is so, that AWS slows the work. It is for whoever looks at the terminal, and goes again.

use crate::cloud::Reading;
use std::io::Write;
use std::time::Duration;

/// How often it is looked.
pub const EVERY: Duration = Duration::from_millis(250);
/// Back to the line's beginning, and what stands in it goes.
const CLEAR: &str = "\r\u{1b}[2K";

/// The line on stderr.
#[derive(Debug)]
pub struct StatusLine {
    /// Whether somebody looks at it.
    seen: bool,
    shown: bool,
}

impl StatusLine {
    /// Nothing is shown where `seen` is false.
    pub fn new(seen: bool) -> Self {
        Self { seen, shown: false }
    }

    /// Shows what is so now.
    pub fn show(&mut self, reading: &Reading, to: &mut impl Write) {
        match reading.slow.filter(|_| self.seen) {
            Some(slow) => {
                self.shown = true;
                // Nobody can be told that stderr is gone.
                let _ = write!(to, "{CLEAR}{slow}").and_then(|()| to.flush());
            }
            None => self.clear(to),
        }
    }

    /// Takes it away: something else is about to be written there.
    pub fn clear(&mut self, to: &mut impl Write) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(to, "{CLEAR}").and_then(|()| to.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloud::Slow;

    #[test]
    fn it_comes_and_goes_in_one_row_and_only_where_it_is_seen() {
        let slow = Reading {
            slow: Some(Slow {
                throttled: true,
                retries: 3,
                tenths: 21,
            }),
            ..Reading::default()
        };
        let mut to = Vec::new();
        let mut line = StatusLine::new(true);
        line.show(&Reading::default(), &mut to);
        line.clear(&mut to);
        assert_eq!(to, b"");
        line.show(&slow, &mut to);
        line.show(&slow, &mut to);
        line.show(&Reading::default(), &mut to);
        line.clear(&mut to);
        let once = "\r\u{1b}[2Kslowed by AWS (retry 3, 2.1 s)";
        assert_eq!(String::from_utf8(to).unwrap(), format!("{once}{once}\r\u{1b}[2K"));
        let mut to = Vec::new();
        StatusLine::new(false).show(&slow, &mut to);
        assert_eq!(to, b"");
    }
}
