//! What the program is told by its surroundings, read once and passed down, so that nothing below asks the environment.

use crate::doctor::Terminal;
use crate::domain::text;
use crate::registry::Places;
use std::ffi::OsString;
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
    /// The terminal says that it can neither move its cursor nor colour (`TERM=dumb`).
    pub dumb_terminal: bool,
    /// `TERM`, in clean text.
    pub term: Option<String>,
    /// `COLORTERM`, in clean text.
    pub colorterm: Option<String>,
    /// `NO_COLOR` is set to something (<https://no-color.org>).
    pub no_color: bool,
    /// The locale's characters are UTF-8.
    pub unicode: bool,
    /// The terminal is inside tmux.
    pub in_tmux: bool,
    /// The session came in over SSH.
    pub over_ssh: bool,
    /// A browser has a display to open on; always true where the system has one by itself.
    pub has_display: bool,
    /// Where programs are looked for: `PATH`.
    pub search_path: Option<OsString>,
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
            dumb_terminal: std::env::var_os("TERM").is_some_and(|term| term == "dumb"),
            term: clean("TERM"),
            colorterm: clean("COLORTERM"),
            no_color: std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()),
            unicode: unicode(&|name| std::env::var_os(name)),
            in_tmux: is_set("TMUX"),
            over_ssh: is_set("SSH_TTY") || is_set("SSH_CONNECTION"),
            has_display: cfg!(not(all(unix, not(target_os = "macos"))))
                || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"]
                    .into_iter()
                    .any(is_set),
            search_path: std::env::var_os("PATH"),
            places: Places {
                flag: None,
                glueup_home: std::env::var_os("GLUEUP_HOME"),
                xdg_data_home: std::env::var_os("XDG_DATA_HOME"),
                home: std::env::var_os("HOME"),
                app_data: std::env::var_os("APPDATA"),
            },
        }
    }

    /// True when a screen can be drawn and its keys be read.
    pub fn can_draw(&self) -> bool {
        self.stdin_is_terminal && self.stdout_is_terminal && !self.dumb_terminal
    }

    /// What is known of the terminal that the output goes to; `no_color` when the command line wants none.
    pub fn terminal(&self, no_color: bool) -> Terminal {
        Terminal {
            is_there: self.stdout_is_terminal,
            term: self.term.clone(),
            colorterm: self.colorterm.clone(),
            no_color: no_color || self.no_color,
            unicode: self.unicode,
            in_tmux: self.in_tmux,
            over_ssh: self.over_ssh,
            has_display: self.has_display,
            search_path: self.search_path.clone(),
        }
    }

    /// True when a person can be asked: the question is written to stderr, the answer read from stdin.
    pub fn can_ask(&self) -> bool {
        self.stdin_is_terminal && self.stderr_is_terminal
    }
}

fn clean(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?;
    Some(text::scrub(&value.to_string_lossy()))
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Whether the locale's characters are UTF-8: the first of LC_ALL, LC_CTYPE and LANG that is set decides, as POSIX has it.
/// Without any of them modern terminals draw UTF-8 all the same.
fn unicode(var: &dyn Fn(&str) -> Option<OsString>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(var)
        .find(|value| !value.is_empty());
    locale.is_none_or(|value| {
        let value = value.to_string_lossy().to_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_that_is_set_says_whether_characters_are_utf_8() {
        let cases: [(&[(&str, &str)], bool); 5] = [
            (&[], true),
            (&[("LANG", "C")], false),
            (&[("LANG", "de_DE.UTF-8")], true),
            (&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")], false),
            (&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")], true),
        ];
        for (vars, want) in cases {
            let var = |name: &str| {
                vars.iter()
                    .find(|(n, _)| *n == name)
                    .map(|(_, v)| OsString::from(v))
            };
            assert_eq!(unicode(&var), want, "{vars:?}");
        }
    }
}
