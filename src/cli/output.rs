//! What a verb writes: lines and JSON on stdout, messages on stderr, and how it ends early.

use crate::domain::invalid::Invalid;
use crate::domain::problem::{Kind, Problem};
use crate::domain::text;
use std::io::{self, Write};

/// Why a verb ended early.
#[derive(Debug)]
pub enum Stop {
    /// Something is wrong.
    Problem(Box<Problem>),
    /// Whoever read our output has gone, as `head` does: nothing is wrong.
    ClosedPipe,
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}

impl From<Invalid> for Stop {
    fn from(invalid: Invalid) -> Self {
        Problem::from(invalid).into()
    }
}

impl From<io::Error> for Stop {
    /// An error of writing our own output.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::ClosedPipe;
        }
        Problem::new(
            Kind::Internal,
            "the output could not be written",
            error.to_string(),
            "check the disk and the permissions of what the output goes to",
        )
        .into()
    }
}

/// Standard output, buffered: a listing of a million lines is not a million writes.
pub struct Out {
    sink: io::BufWriter<Box<dyn Write + Send>>,
}

impl Out {
    /// Writes to `sink`.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        Self {
            sink: io::BufWriter::with_capacity(64 * 1024, Box::new(sink)),
        }
    }

    /// Writes one line.
    ///
    /// # Errors
    /// [`Stop::ClosedPipe`] once the reader has gone.
    pub fn line(&mut self, line: &str) -> Result<(), Stop> {
        self.sink.write_all(line.as_bytes())?;
        self.sink.write_all(b"\n")?;
        Ok(())
    }

    /// Writes `bytes` as they are.
    ///
    /// # Errors
    /// As [`Out::line`].
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        Ok(self.sink.write_all(bytes)?)
    }

    /// Hands everything written so far to the reader.
    ///
    /// # Errors
    /// As [`Out::line`].
    pub fn flush(&mut self) -> Result<(), Stop> {
        Ok(self.sink.flush()?)
    }
}

/// No column is padded beyond this: one name of 255 characters would push all others' cells out of sight.
const WIDEST: usize = 48;

/// Aligns rows: every cell but the last of a row is padded to its column, two blanks between.
///
/// `widths` keeps the widest cell of each column seen so far, so that a listing that comes page by page stays aligned
/// as far as it can be known.
pub fn align(rows: &[Vec<String>], widths: &mut Vec<usize>) -> Vec<String> {
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            let width = text::width(cell).min(WIDEST);
            match widths.get_mut(at) {
                Some(known) => *known = width.max(*known),
                None => widths.push(width),
            }
        }
    }
    rows.iter().map(|row| join(row, widths)).collect()
}

fn join(row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (at, (cell, width)) in row.iter().zip(widths).enumerate() {
        line.push_str(cell);
        if at + 1 < row.len() {
            line.extend(std::iter::repeat_n(
                ' ',
                width.saturating_sub(text::width(cell)) + 2,
            ));
        }
    }
    line.trim_end().to_owned()
}

/// The lines in which a person reads a problem.
pub fn problem_lines(problem: &Problem) -> Vec<String> {
    let mut lines = vec![format!("glueup: {}", problem.what)];
    for (label, body) in [("why", &problem.why), ("next", &problem.next)] {
        for (at, line) in body.lines().enumerate() {
            lines.push(if at == 0 {
                format!("  {label:<8}  {line}")
            } else {
                format!("            {line}")
            });
        }
    }
    let detail = &problem.detail;
    let parts = [
        ("action", &detail.action),
        ("resource", &detail.resource),
        ("caller", &detail.caller),
        ("request", &detail.request_id),
    ];
    for (label, part) in parts {
        if let Some(part) = part {
            lines.push(format!("  {label:<8}  {part}"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter()
            .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
            .collect()
    }

    #[test]
    fn columns_are_aligned_by_what_the_terminal_shows() {
        let lines = align(
            &rows(&[&["a", "b"], &["日本", "c"], &["long name", ""]]),
            &mut Vec::new(),
        );
        assert_eq!(lines, ["a          b", "日本       c", "long name"]);
    }

    #[test]
    fn one_very_long_name_does_not_widen_the_rows_of_others() {
        let long = "n".repeat(255);
        let lines = align(&rows(&[&[&long, "x"], &["a", "b"]]), &mut Vec::new());
        assert_eq!(lines[0], format!("{long}  x"));
        assert_eq!(lines[1], format!("a{}b", " ".repeat(49)));
    }

    #[test]
    fn a_later_page_keeps_the_columns_of_the_first() {
        let mut widths = Vec::new();
        align(&rows(&[&["twelve chars", "x"]]), &mut widths);
        assert_eq!(align(&rows(&[&["a", "b"]]), &mut widths), ["a             b"]);
    }

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut out = Out::new(Gone);
        out.line("x").unwrap();
        assert!(matches!(out.flush(), Err(Stop::ClosedPipe)));
    }
}
