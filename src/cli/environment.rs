//! What the program is told by its surroundings, read once and passed down, so that nothing below asks the environment.

use crate::registry::Places;
use std::io::IsTerminal;

/// The surroundings of one run.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Standard input is a terminal.
    pub stdin_is_terminal: bool,
    /// Standard output is a terminal.
    pub stdout_is_terminal: bool,
    /// Standard error is a terminal.
    pub stderr_is_terminal: bool,
    /// `NO_COLOR` is set to something (<https://no-color.org>).
    pub no_color: bool,
    /// Where the records may be.
    pub places: Places,
}

impl Environment {
    /// Reads the surroundings of this process.
    pub fn read() -> Self {
        Self {
            stdin_is_terminal: std::io::stdin().is_terminal(),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
            no_color: std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()),
            places: Places {
                flag: None,
                glueup_home: std::env::var_os("GLUEUP_HOME"),
                xdg_data_home: std::env::var_os("XDG_DATA_HOME"),
                home: std::env::var_os("HOME"),
                app_data: std::env::var_os("APPDATA"),
            },
        }
    }

    /// True when a person can be asked: the question is written to stderr, the answer read from stdin.
    pub fn can_ask(&self) -> bool {
        self.stdin_is_terminal && self.stderr_is_terminal
    }
}
