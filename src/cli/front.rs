//! How a verb answers: lines or JSON on stdout, messages and problems on stderr, and whether anybody can be asked.

use crate::cli::args::Output;
use crate::cli::environment::Environment;
use crate::cli::output::{Out, Stop, align, problem_lines};
use crate::domain::json_text;
use crate::domain::problem::{Kind, Problem};
use crate::domain::text;
use serde::Serialize;
use std::io::Write;
use tokio_util::sync::CancellationToken;

/// The headless front of one run.
pub struct Front {
    /// The form of the answers.
    pub output: Output,
    /// The surroundings.
    pub environment: Environment,
    /// Jobs do not wait for what may change by itself.
    pub hurried: bool,
    out: Out,
    color: bool,
    interrupt: CancellationToken,
    widths: Vec<usize>,
}

/// How a job's questions are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// `--yes` was given: every question is answered with yes.
    Given,
    /// Somebody is asked on the terminal.
    Asked,
}

impl Front {
    /// A front that writes to this process's output. `interrupt` fires when the user wants to stop.
    pub fn new(
        output: Output,
        no_color: bool,
        environment: Environment,
        interrupt: CancellationToken,
    ) -> Self {
        let plain = no_color || environment.no_color || environment.dumb_terminal;
        let color = environment.stdout_is_terminal && !plain;
        Self {
            output,
            environment,
            hurried: false,
            out: Out::new(std::io::stdout()),
            color,
            interrupt,
            widths: Vec::new(),
        }
    }

    /// True when the answers are JSON.
    pub fn is_json(&self) -> bool {
        self.output == Output::Json
    }

    /// One line of text on stdout.
    ///
    /// # Errors
    /// [`Stop::ClosedPipe`] once the reader has gone.
    pub fn line(&mut self, line: &str) -> Result<(), Stop> {
        self.out.line(line)
    }

    /// Text on stdout as it is, such as a template.
    ///
    /// # Errors
    /// As [`Front::line`].
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.out.bytes(bytes)
    }

    /// Aligned rows on stdout; rows written later keep to the columns of the earlier ones.
    ///
    /// # Errors
    /// As [`Front::line`].
    pub fn rows(&mut self, rows: &[Vec<String>]) -> Result<(), Stop> {
        for line in align(rows, &mut self.widths) {
            self.out.line(&line)?;
        }
        self.out.flush()
    }

    /// Columns of the rows to come are at least this wide.
    pub fn columns(&mut self, widths: &[usize]) {
        self.widths = widths.to_vec();
    }

    /// Label and value, a line each; what is absent is left out.
    ///
    /// # Errors
    /// As [`Front::line`].
    pub fn fields(&mut self, fields: &[(&str, Option<String>)]) -> Result<(), Stop> {
        let rows: Vec<Vec<String>> = fields
            .iter()
            .filter_map(|(label, value)| Some(vec![(*label).to_owned(), value.clone()?]))
            .collect();
        for line in align(&rows, &mut Vec::new()) {
            self.out.line(&line)?;
        }
        Ok(())
    }

    /// One JSON value on one line of stdout.
    ///
    /// # Errors
    /// As [`Front::line`].
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Stop> {
        let line = serde_json::to_string(value).map_err(|e| {
            Problem::new(
                Kind::Internal,
                "the answer could not be written as JSON",
                e.to_string(),
                "report this",
            )
        })?;
        self.out.line(&json_text::safe(&line))
    }

    /// Hands everything written so far to the reader.
    ///
    /// # Errors
    /// As [`Front::line`].
    pub fn flush(&mut self) -> Result<(), Stop> {
        self.out.flush()
    }

    /// A message on stderr. It is never part of the answer.
    pub fn note(&self, message: &str) {
        // Nobody can be told that stderr is gone.
        let _ = writeln!(std::io::stderr(), "{message}");
    }

    /// How far the work is, on stderr, when a person looks at it.
    pub fn progress(&self, message: &str) {
        if self.environment.stderr_is_terminal {
            self.note(message);
        }
    }

    /// Whether a line on stderr that comes and goes is seen by somebody.
    pub fn sees_status(&self) -> bool {
        self.environment.stderr_is_terminal && !self.environment.dumb_terminal
    }

    /// A problem on stderr: for people in lines, for programs as the last line.
    pub fn problem(&self, problem: &Problem) {
        if self.is_json() {
            self.note(&serde_json::json!({ "error": problem }).to_string());
        } else {
            for line in problem_lines(problem) {
                self.note(&line);
            }
        }
    }

    /// A problem of one of several tables, on stderr, with its name.
    pub fn problem_of(&self, fqn: &str, problem: &Problem) {
        if self.is_json() {
            self.note(&serde_json::json!({ "fqn": fqn, "error": problem }).to_string());
        } else {
            self.problem(&Problem {
                what: format!("{}: {}", text::scrub(fqn), problem.what),
                ..problem.clone()
            });
        }
    }

    /// `text` in one of the terminal's colours (an SGR number), where colours are wanted.
    pub fn paint(&self, sgr: u8, text: &str) -> String {
        if self.color {
            format!("\u{1b}[{sgr}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// Says how the questions of a verb that changes AWS will be answered.
    ///
    /// # Errors
    /// When nobody can be asked and `--yes` was not given.
    pub fn consent(&self, yes: bool) -> Result<Consent, Stop> {
        if yes {
            return Ok(Consent::Given);
        }
        if self.environment.can_ask() {
            return Ok(Consent::Asked);
        }
        Err(Problem::new(
            Kind::Usage,
            "this changes AWS and needs --yes",
            "there is no terminal to ask on",
            "add --yes, or run it in a terminal to see what will be done and be asked",
        )
        .into())
    }

    /// Fires when the user wants to stop.
    pub fn interrupt(&self) -> CancellationToken {
        self.interrupt.clone()
    }

    /// Returns once the user wants to stop.
    pub async fn interrupted(&self) {
        self.interrupt.cancelled().await;
    }
}
