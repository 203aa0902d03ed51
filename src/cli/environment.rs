//! What the program is told by its surroundings, read once and passed down, so that nothing below asks the environment.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

/// The surroundings of one run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// Standard input is a terminal.
    pub stdin_is_terminal: bool,
    /// Standard output is a terminal.
    pub stdout_is_terminal: bool,
    /// Standard error is a terminal.
    pub stderr_is_terminal: bool,
    /// `NO_COLOR` is set to something (<https://no-color.org>).
    pub no_color: bool,
    /// `GLUEUP_HOME`: where the records are.
    pub home: Option<PathBuf>,
    /// The directory in which the platform wants an application's data, as far as it is known.
    pub data_dir: Option<PathBuf>,
}

impl Environment {
    /// Reads the surroundings of this process.
    pub fn read() -> Self {
        Self {
            stdin_is_terminal: std::io::stdin().is_terminal(),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
            no_color: std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()),
            home: std::env::var_os("GLUEUP_HOME")
                .filter(|v| !v.is_empty())
                .map(PathBuf::from),
            data_dir: data_dir(std::env::consts::OS, &|name| std::env::var_os(name)),
        }
    }

    /// True when a person can be asked: the question is written to stderr, the answer read from stdin.
    pub fn can_ask(&self) -> bool {
        self.stdin_is_terminal && self.stderr_is_terminal
    }

    /// Where the records are when the command line does not say so.
    pub fn default_home(&self) -> Option<PathBuf> {
        let data = || self.data_dir.as_ref().map(|dir| dir.join("glueup"));
        self.home.clone().or_else(data)
    }
}

/// The data directory of an operating system: the XDG base directory on Unix, and its equivalents.
fn data_dir(os: &str, var: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| var(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    match os {
        "windows" => set("APPDATA"),
        "macos" => set("HOME").map(|home| home.join("Library/Application Support")),
        // The XDG specification: a relative path is invalid and is to be ignored.
        _ => set("XDG_DATA_HOME")
            .filter(|dir| dir.is_absolute())
            .or_else(|| set("HOME").map(|home| home.join(".local/share"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dir(os: &str, vars: &[(&str, &str)]) -> Option<PathBuf> {
        data_dir(os, &|name| {
            vars.iter()
                .find(|(n, _)| *n == name)
                .map(|(_, v)| OsString::from(v))
        })
    }

    #[test]
    fn the_data_directory_is_the_platforms() {
        type Case = (
            &'static str,
            &'static [(&'static str, &'static str)],
            Option<&'static str>,
        );
        let cases: [Case; 7] = [
            ("linux", &[("HOME", "/home/u")], Some("/home/u/.local/share")),
            (
                "linux",
                &[("HOME", "/home/u"), ("XDG_DATA_HOME", "/data")],
                Some("/data"),
            ),
            (
                "linux",
                &[("HOME", "/home/u"), ("XDG_DATA_HOME", "")],
                Some("/home/u/.local/share"),
            ),
            (
                "linux",
                &[("HOME", "/home/u"), ("XDG_DATA_HOME", "data")],
                Some("/home/u/.local/share"),
            ),
            (
                "macos",
                &[("HOME", "/Users/u")],
                Some("/Users/u/Library/Application Support"),
            ),
            (
                "windows",
                &[("APPDATA", "C:/Users/u/AppData")],
                Some("C:/Users/u/AppData"),
            ),
            ("linux", &[], None),
        ];
        for (os, vars, want) in cases {
            assert_eq!(dir(os, vars), want.map(PathBuf::from), "{os} {vars:?}");
        }
    }
}
