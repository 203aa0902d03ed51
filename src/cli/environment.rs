//! What the program is told by its surroundings, read once and passed down, so that nothing below asks the environment.

use crate::doctor::Terminal;
use crate::domain::text;
use crate::registry::Places;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::net::IpAddr;

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
    /// The address of this machine as the SSH client sees it.
    pub ssh_server: Option<IpAddr>,
    /// Who is logged in here, where the name is one that a shell takes as it is.
    pub user: Option<String>,
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
            ssh_server: std::env::var("SSH_CONNECTION").ok().and_then(|v| server_of(&v)),
            user: std::env::var("USER").ok().filter(|name| is_plain(name)),
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

    /// The command that makes a loopback address of this machine reachable for the browser at the other end of the SSH
    /// session; `None` where there is no such session, or the address is none of ours.
    pub fn forwarding(&self, url: &str) -> Option<String> {
        let rest = url.strip_prefix("http://127.0.0.1:").filter(|_| self.over_ssh)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let port: u16 = rest.get(..end)?.parse().ok()?;
        let host = self.ssh_server.map_or("HOST".to_owned(), |ip| ip.to_string());
        let who = self
            .user
            .as_ref()
            .map_or(host.clone(), |user| format!("{user}@{host}"));
        Some(format!("ssh -N -L {port}:127.0.0.1:{port} {who}"))
    }

    /// True when a person can be asked: the question is written to stderr, the answer read from stdin.
    pub fn can_ask(&self) -> bool {
        self.stdin_is_terminal && self.stderr_is_terminal
    }
}

/// The third word of `SSH_CONNECTION`: client address and port, server address and port (sshd(8)).
fn server_of(connection: &str) -> Option<IpAddr> {
    connection.split_whitespace().nth(2)?.parse().ok()
}

fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(plain)
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
    fn the_port_of_a_demo_over_ssh_is_forwarded_by_one_line() {
        let over_ssh = Environment {
            over_ssh: true,
            ssh_server: server_of("203.0.113.7 50022 198.51.100.4 22"),
            user: Some("ada".to_owned()).filter(|name| is_plain(name)),
            ..Environment::default()
        };
        let console = "http://127.0.0.1:4566/_console/cloudformation/home";
        assert_eq!(
            over_ssh.forwarding(console).as_deref(),
            Some("ssh -N -L 4566:127.0.0.1:4566 ada@198.51.100.4")
        );
        assert_eq!(
            over_ssh.forwarding("https://us-west-2.console.aws.amazon.com/"),
            None
        );
        let unknown = Environment {
            ssh_server: server_of("garbage"),
            user: None,
            ..over_ssh.clone()
        };
        assert_eq!(
            unknown.forwarding(console).as_deref(),
            Some("ssh -N -L 4566:127.0.0.1:4566 HOST")
        );
        let here = Environment {
            over_ssh: false,
            ..over_ssh
        };
        assert_eq!(here.forwarding(console), None);
        assert!(!is_plain("a b") && !is_plain("-oProxyCommand=x") && !is_plain(""));
    }

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
