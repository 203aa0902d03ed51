//! Leaving the screen to `aws sso login`: the AWS CLI knows every way of it, and keeps the token where the SDK looks.

use crate::cloud::sso_login;
use crate::domain::text::scrub;
use crate::tui::msg::LoggedIn;
use crate::tui::signals::{self, Asked, Signals};
use std::io::{self, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// Bytes of its last words that are kept.
const LAST_WORDS: usize = 2_000;
/// How long a Ctrl-C that ended the program may take to reach us as well.
const ECHO: Duration = Duration::from_millis(50);

/// The program's name.
pub(super) const AWS_CLI: &str = if cfg!(windows) { "aws.exe" } else { "aws" };

/// How it ended, and what was asked of us meanwhile, where that is to end.
pub(super) struct Left {
    pub ended: LoggedIn,
    pub asked: Option<Asked>,
}

/// Runs it on the terminal, which has been given back. Ctrl-C ends it alone; Ctrl-Z stops us with it.
pub(super) async fn run(program: &Path, profile: &str, signals: &mut Signals) -> io::Result<Left> {
    writeln!(
        io::stdout(),
        "glueup: {} (Ctrl-C leaves it and comes back)",
        scrub(&sso_login(Some(profile)))
    )?;
    let spawned = tokio::process::Command::new(program)
        .args(["sso", "login", "--profile", profile])
        .stdin(keys())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(why) => return Ok(left(LoggedIn::No(why.to_string()), None)),
    };
    let words = tokio::spawn(handed_on(child.stderr.take()));
    let status = loop {
        tokio::select! {
            status = child.wait() => break status?,
            asked = signals.next() => match asked {
                // The terminal has sent it to the program too.
                Asked::End(2) | Asked::Resume => {}
                Asked::Suspend if signals::has_shell() => {
                    if let asked @ Asked::End(_) = signals.stop().await? {
                        return Ok(left(LoggedIn::No("stopped".to_owned()), Some(asked)));
                    }
                }
                Asked::Suspend => {}
                asked @ Asked::End(_) => return Ok(left(LoggedIn::No("stopped".to_owned()), Some(asked))),
            },
        }
    };
    tokio::time::sleep(ECHO).await;
    signals.forget_interrupts();
    if status.success() {
        return Ok(left(LoggedIn::Yes, None));
    }
    // A descendant that lives on may hold the pipe.
    let said = tokio::time::timeout(ECHO, words).await;
    let said = said.ok().and_then(Result::ok).unwrap_or_default();
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    Ok(left(
        LoggedIn::No(last.map_or_else(|| status.to_string(), scrub)),
        None,
    ))
}

fn left(ended: LoggedIn, asked: Option<Asked>) -> Left {
    Left { ended, asked }
}

/// Shows what it says, as it says it, and keeps the end of it.
async fn handed_on(from: Option<tokio::process::ChildStderr>) -> String {
    let mut kept = Vec::new();
    let mut bytes = [0; 1024];
    if let Some(mut from) = from {
        while let Ok(n @ 1..) = from.read(&mut bytes).await {
            let new = bytes.get(..n).unwrap_or_default();
            // Nobody can be told that the terminal is gone.
            let _ = io::stderr().write_all(new);
            kept.extend_from_slice(new);
            let over = kept.len().saturating_sub(LAST_WORDS);
            kept.drain(..over);
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// The terminal as its keys' reader finds it: ours never waits, which few programs are made for.
#[cfg(unix)]
fn keys() -> Stdio {
    use rustix::fs::{Mode, OFlags, open};
    let opened = rustix::termios::ttyname(rustix::stdio::stdin(), Vec::new())
        .and_then(|name| open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()));
    opened.map_or_else(|_| Stdio::inherit(), Stdio::from)
}

#[cfg(not(unix))]
fn keys() -> Stdio {
    Stdio::inherit()
}
