//! The terminal, and what can be reached through it: a browser, the clipboard, colours.

use crate::domain::finding::Finding;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// What is known of the terminal; read once by the front, which knows the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terminal {
    /// What is written is seen in a terminal.
    pub is_there: bool,
    /// `TERM`.
    pub term: Option<String>,
    /// `COLORTERM`.
    pub colorterm: Option<String>,
    /// No colours are wanted: by `NO_COLOR`, or by `--no-color`.
    pub no_color: bool,
    /// The locale's characters are UTF-8.
    pub unicode: bool,
    /// It is inside tmux.
    pub in_tmux: bool,
    /// It is at the other end of an SSH connection.
    pub over_ssh: bool,
    /// A browser has a display to open on.
    pub has_display: bool,
    /// `PATH`, where openers are looked for.
    pub search_path: Option<OsString>,
}

impl Terminal {
    /// The program of this name on the search path.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        std::env::split_paths(self.search_path.as_ref()?)
            .map(|folder| folder.join(name))
            .find(|file| is_program(file))
    }

    fn is_dumb(&self) -> bool {
        self.term.as_deref() == Some("dumb")
    }
}

const NO_TERMINAL: &str = "there is no terminal to look at: the output goes elsewhere";
const OF_THE_LINK: &str = "the link is always shown whole, to be copied";

/// Which command would be asked to open a link. Nothing is opened.
pub(super) fn browser(terminal: &Terminal) -> Finding {
    if terminal.over_ssh {
        return Finding::skipped(format!("over SSH none is opened: {OF_THE_LINK}"));
    }
    if !terminal.has_display {
        return Finding::skipped(format!("there is no display here: {OF_THE_LINK}"));
    }
    let programs: Vec<String> = open::commands("https://aws.amazon.com/")
        .iter()
        .map(|command| command.get_program().to_string_lossy().into_owned())
        .collect();
    let found = programs.iter().find(|program| is_there(program, terminal));
    match (found, programs.first()) {
        (Some(found), Some(first)) if found == first => Finding::passed(format!("{found} would be asked")),
        (Some(found), _) => Finding::passed(format!("{found} would be asked: no other opener is there")),
        (None, _) => Finding::warning(
            format!("none of {} is there: {OF_THE_LINK}", programs.join(", ")),
            "sudo apt install xdg-utils",
        ),
    }
}

/// Whether a program can be started by its name.
fn is_there(program: &str, terminal: &Terminal) -> bool {
    if Path::new(program).is_absolute() || cfg!(windows) {
        return true;
    }
    terminal.program(program).is_some()
}

fn is_program(file: &Path) -> bool {
    let Ok(found) = std::fs::metadata(file) else {
        return false;
    };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    found.is_file() && may_run
}

/// By which way a text would get to the clipboard. Nothing is copied.
pub(super) async fn clipboard(terminal: &Terminal) -> Finding {
    if !terminal.is_there {
        return Finding::skipped(NO_TERMINAL);
    }
    if terminal.is_dumb() {
        return Finding::skipped("TERM=dumb: this terminal takes no such request");
    }
    let unseen = "whether the terminal does it cannot be seen";
    if !terminal.in_tmux {
        let way = if terminal.over_ssh { ", over SSH too" } else { "" };
        return Finding::passed(format!("the terminal is asked (OSC 52{way}); {unseen}"));
    }
    let (wrapped, taken) = tokio::join!(
        tmux_says(&["show", "-Av", "allow-passthrough"]),
        tmux_says(&["show", "-sv", "set-clipboard"])
    );
    through_tmux(wrapped.as_deref(), taken.as_deref())
}

/// What tmux's `allow-passthrough` and `set-clipboard` let through; `None` where it has no such option.
fn through_tmux(wrapped: Option<&str>, taken: Option<&str>) -> Finding {
    let asked = |way| {
        Finding::passed(format!(
            "the terminal is asked through tmux (OSC 52{way}); whether the terminal does it cannot be seen"
        ))
    };
    match (wrapped, taken) {
        // What programs in it copy is taken by tmux, which hands it to the terminal.
        (_, Some("on")) => asked(""),
        // Before 3.3 tmux has no such option, and always lets the wrapper through.
        (None | Some("on" | "all"), _) => asked(" in a wrapper"),
        (Some(_), _) => Finding::warning(
            "tmux takes nothing from programs and lets nothing through to the terminal: its set-clipboard is not on, \
             and its allow-passthrough is off, so that nothing is copied",
            "tmux set -g set-clipboard on",
        ),
    }
}

/// tmux's own word; `None` where it has none.
async fn tmux_says(words: &[&str]) -> Option<String> {
    let mut tmux = tokio::process::Command::new("tmux");
    tmux.args(words)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let output = tokio::time::timeout(Duration::from_secs(1), tmux.output())
        .await
        .ok()?
        .ok()?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !said.is_empty()).then_some(said)
}

/// What the screens can be drawn with.
pub(super) fn colours(terminal: &Terminal) -> Finding {
    if !terminal.is_there {
        return Finding::skipped(NO_TERMINAL);
    }
    let named = |name: &str, value: &Option<String>| match value {
        Some(value) => format!("{name}={value}"),
        None => format!("{name} is not set"),
    };
    let said = format!(
        "{}, {}",
        named("TERM", &terminal.term),
        named("COLORTERM", &terminal.colorterm)
    );
    match terminal.term.as_deref() {
        None | Some("") => {
            return Finding::warning(
                "TERM is not set: programs guess what this is",
                "export TERM=xterm-256color",
            );
        }
        Some("dumb") => {
            return Finding::warning(
                "TERM=dumb: no screen can be drawn, only verbs work",
                "export TERM=xterm-256color",
            );
        }
        Some(_) => {}
    }
    if !terminal.unicode {
        return Finding::warning(
            format!("{said}; the locale's characters are not UTF-8, so signs are drawn in ASCII"),
            "export LC_ALL=C.UTF-8",
        );
    }
    if terminal.no_color {
        return Finding::passed(format!("none, as asked (NO_COLOR, or --no-color); {said}"));
    }
    Finding::passed(format!("the sixteen of the terminal's own palette; {said}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::status::Status;

    fn terminal() -> Terminal {
        Terminal {
            is_there: true,
            term: Some("xterm-256color".into()),
            unicode: true,
            has_display: true,
            ..Terminal::default()
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_opener_that_is_there_is_named_and_none_over_ssh() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let at = Terminal {
            search_path: Some(dir.path().into()),
            ..terminal()
        };
        let none = browser(&at);
        assert_eq!(none.status, Status::Warning, "{none:?}");
        let put = |name: &str, mode| {
            std::fs::write(dir.path().join(name), "").unwrap();
            std::fs::set_permissions(dir.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
        };
        put("xdg-open", 0o644);
        put("gio", 0o755);
        let found = browser(&at);
        assert_eq!(found.status, Status::Passed);
        assert!(found.answer.starts_with("gio would be asked"), "{found:?}");
        for away in [
            Terminal {
                over_ssh: true,
                ..at.clone()
            },
            Terminal {
                has_display: false,
                ..at
            },
        ] {
            assert_eq!(browser(&away).status, Status::Skipped);
        }
    }

    #[test]
    fn tmux_lets_a_copy_through_by_either_of_two_ways() {
        for (wrapped, taken, status) in [
            (Some("off"), Some("external"), Status::Warning),
            (Some("off"), Some("on"), Status::Passed),
            (Some("on"), Some("external"), Status::Passed),
            (Some("all"), Some("off"), Status::Passed),
            (None, Some("external"), Status::Passed),
        ] {
            let found = through_tmux(wrapped, taken);
            assert_eq!(found.status, status, "{wrapped:?} {taken:?} {found:?}");
        }
    }

    #[test]
    fn colours_follow_the_terminal_and_the_wish() {
        let cases = [
            (terminal(), Status::Passed, "sixteen"),
            (
                Terminal {
                    no_color: true,
                    ..terminal()
                },
                Status::Passed,
                "none, as asked",
            ),
            (
                Terminal {
                    term: None,
                    ..terminal()
                },
                Status::Warning,
                "TERM is not set",
            ),
            (
                Terminal {
                    term: Some("dumb".into()),
                    ..terminal()
                },
                Status::Warning,
                "no screen",
            ),
            (
                Terminal {
                    unicode: false,
                    ..terminal()
                },
                Status::Warning,
                "ASCII",
            ),
            (
                Terminal {
                    is_there: false,
                    ..terminal()
                },
                Status::Skipped,
                "no terminal",
            ),
        ];
        for (terminal, status, word) in cases {
            let found = colours(&terminal);
            assert_eq!(found.status, status, "{found:?}");
            assert!(found.answer.contains(word), "{found:?}");
            assert_eq!(found.next.is_some(), status == Status::Warning);
        }
    }
}
