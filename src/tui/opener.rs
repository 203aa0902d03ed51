//! Asks the system to open a link in a browser. That one has opened is more than anybody can know.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long an opener is watched: one that cannot do it says so within this time.
const WATCHED: Duration = Duration::from_millis(250);
/// Between two looks at it.
const LOOK: Duration = Duration::from_millis(10);

/// Asks for a link to be opened; answers who was asked.
///
/// On Windows Subsystem for Linux `wslview` comes before PowerShell: it is there to open links in the browser of Windows,
/// and starts in a fraction of the time.
///
/// # Errors
/// When nobody takes the link.
pub fn open(url: &str) -> io::Result<String> {
    let usual = open::commands(url);
    if in_wsl(&usual) && asked(wslview(url)).is_ok() {
        return Ok("wslview".to_owned());
    }
    let name = usual
        .first()
        .map(|command| command.get_program().to_string_lossy().into_owned())
        .unwrap_or_else(|| "the system".to_owned());
    open::that_detached(url).map(|()| name)
}

/// True where Linux would open links through Windows.
fn in_wsl(usual: &[Command]) -> bool {
    let first = usual.first().map(|command| Path::new(command.get_program()));
    cfg!(target_os = "linux")
        && first
            .and_then(Path::file_stem)
            .is_some_and(|stem| stem.eq_ignore_ascii_case("powershell"))
}

/// The link is one argument, as it is: no shell of either system reads it.
fn wslview(url: &str) -> Command {
    let mut command = Command::new("wslview");
    command.arg(url);
    command
}

/// Starts an opener, away from the terminal.
///
/// # Errors
/// When it is not there, or fails at once.
fn asked(mut command: Command) -> io::Result<()> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let until = Instant::now() + WATCHED;
    while Instant::now() < until {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(io::Error::other(status.to_string())),
            None => std::thread::sleep(LOOK),
        }
    }
    // It is still at it: somebody has to take note of its end, or it stays a zombie.
    std::thread::spawn(move || child.wait());
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_where_powershell_would_be_asked_wslview_is_asked_first() {
        let of = |program: &str| vec![Command::new(program), Command::new("xdg-open")];
        assert_eq!(
            in_wsl(&of(
                "/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe"
            )),
            cfg!(target_os = "linux")
        );
        assert!(!in_wsl(&of("xdg-open")));
        assert!(!in_wsl(&[]));
        let url = "https://example.com/?a=b&c=d e";
        let command = wslview(url);
        assert_eq!(command.get_args().collect::<Vec<_>>(), [url]);
    }

    #[test]
    fn an_opener_that_fails_at_once_is_not_said_to_be_asked() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        assert!(asked(shell("exit 0")).is_ok());
        assert!(asked(shell("exit 3")).is_err());
        assert!(asked(Command::new("glueup-no-such-opener")).is_err());
        let begun = Instant::now();
        assert!(asked(shell("sleep 1")).is_ok());
        assert!(
            begun.elapsed() < Duration::from_millis(900),
            "it is not waited for"
        );
    }
}
