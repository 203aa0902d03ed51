//! Asks the system to open a link in a browser. That one has opened is more than anybody can know.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long an opener is watched: one that cannot do it says so within this time.
const WATCHED: Duration = Duration::from_millis(400);
/// Between two looks at it.
const LOOK: Duration = Duration::from_millis(10);

/// Asks for a link to be opened; answers who was asked.
///
/// # Errors
/// When nobody takes the link: why, in words.
pub fn open(url: &str) -> Result<String, String> {
    ask(order(open::commands(url), url))
}

/// Who is asked, one after the other.
///
/// On Windows Subsystem for Linux `wslview` comes before PowerShell: it is there to open links in the browser of Windows,
/// and starts in a fraction of the time. The openers of Linux come last there: they know no browser, or one without a screen.
fn order(usual: Vec<Command>, url: &str) -> Vec<Command> {
    match in_wsl(&usual) {
        true => std::iter::once(wslview(url)).chain(usual).collect(),
        false => usual,
    }
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

/// Asks the first who can be asked; answers who that was, else why nobody could.
fn ask(commands: Vec<Command>) -> Result<String, String> {
    let (mut absent, mut failed) = (Vec::new(), Vec::new());
    for command in commands {
        let name = name(&command);
        match asked(command) {
            Ok(Asked::Taken) => return Ok(name),
            // An exit code of Windows' own opener says nothing, and the next one might open it twice.
            Ok(Asked::Failed(_)) if cfg!(windows) => return Ok(name),
            Ok(Asked::Failed(how)) => failed.push(format!("{name} {how}")),
            Err(why) if why.kind() == io::ErrorKind::NotFound => absent.push(name),
            Err(why) => failed.push(format!("{name} could not be started ({})", why.kind())),
        }
    }
    match (failed.is_empty(), absent.as_slice()) {
        (false, _) => Err(failed.join(", ")),
        (true, [first, ..]) => Err(format!(
            "nothing on this machine opens links ({first} is not there)"
        )),
        (true, []) => Err("nothing on this machine opens links".to_owned()),
    }
}

/// The program's name, without its folder and what Windows puts behind it.
fn name(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(program.as_os_str());
    name.to_string_lossy().into_owned()
}

/// How an opener took it.
enum Asked {
    /// It said yes, or is still at it.
    Taken,
    /// It said no: how, in words.
    Failed(String),
}

/// Starts an opener, away from the terminal.
///
/// # Errors
/// When it cannot be started.
fn asked(mut command: Command) -> io::Result<Asked> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let until = Instant::now() + WATCHED;
    while Instant::now() < until {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(Asked::Taken),
            Some(status) => {
                return Ok(Asked::Failed(match status.code() {
                    Some(code) => format!("ended with code {code}"),
                    None => "was ended by a signal".to_owned(),
                }));
            }
            None => std::thread::sleep(LOOK),
        }
    }
    // It is still at it: somebody has to take note of its end, or it stays a zombie.
    std::thread::spawn(move || child.wait());
    Ok(Asked::Taken)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;

    const URL: &str = "https://example.com/?a=b&c=d e#/x'y\"z$(w)";

    #[test]
    fn wslview_then_powershell_then_the_openers_of_linux() {
        let of = |programs: &[&str]| programs.iter().map(Command::new).collect::<Vec<_>>();
        let names = |commands: Vec<Command>| commands.iter().map(name).collect::<Vec<_>>();
        let windows = "/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe";
        if cfg!(target_os = "linux") {
            assert_eq!(
                names(order(of(&[windows, "xdg-open", "gio"]), URL)),
                ["wslview", "powershell", "xdg-open", "gio"]
            );
        }
        assert_eq!(names(order(of(&["xdg-open", "gio"]), URL)), ["xdg-open", "gio"]);
        assert!(order(Vec::new(), URL).is_empty());
        let command = wslview(URL);
        assert_eq!(command.get_args().collect::<Vec<_>>(), [URL]);
        // Whoever else is asked gets it whole too, as an argument of its own or in a variable: no shell splits it.
        for command in open::commands(URL) {
            let whole = |value: &std::ffi::OsStr| value == URL;
            let in_variable = command.get_envs().any(|(_, value)| value.is_some_and(whole));
            assert!(in_variable || command.get_args().any(whole), "{command:?}");
        }
    }

    /// Programs of a folder, which do what their scripts say. Each is the shell itself by another name: a program that was
    /// just written may be busy.
    fn programs(folder: &Path, scripts: &[(&str, &str)]) -> io::Result<Vec<Command>> {
        let each = scripts.iter().map(|(name, script)| {
            let file = folder.join(name);
            if !file.exists() {
                std::os::unix::fs::symlink("/bin/sh", &file)?;
            }
            let mut command = Command::new(file);
            command.arg0("sh").args(["-c", script]);
            Ok(command)
        });
        each.collect()
    }

    #[test]
    fn who_took_the_link_is_named_and_who_failed_is_told_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let of = |scripts: &[(&str, &str)]| ask(programs(folder.path(), scripts).unwrap());
        assert_eq!(of(&[("first", "exit 0"), ("second", "exit 0")]).unwrap(), "first");
        assert_eq!(
            of(&[("first", "exit 3"), ("second", "exit 0")]).unwrap(),
            "second"
        );
        assert_eq!(
            of(&[("xdg-open", "exit 3"), ("gio", "kill -9 $$")]).unwrap_err(),
            "xdg-open ended with code 3, gio was ended by a signal"
        );
        let absent = || vec![Command::new("glueup-no-opener"), Command::new("glueup-nor-this")];
        assert_eq!(
            ask(absent()).unwrap_err(),
            "nothing on this machine opens links (glueup-no-opener is not there)"
        );
        assert_eq!(
            ask(Vec::new()).unwrap_err(),
            "nothing on this machine opens links"
        );
        let mut some = absent();
        some.extend(programs(folder.path(), &[("third", "exit 0")]).unwrap());
        assert_eq!(ask(some).unwrap(), "third");
        // No program at all: said as the system says it.
        std::fs::write(folder.path().join("text"), "x").unwrap();
        let why = ask(vec![Command::new(folder.path().join("text"))]).unwrap_err();
        assert!(why == "text could not be started (permission denied)", "{why}");
    }

    #[test]
    fn an_opener_that_takes_its_time_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        assert_eq!(
            ask(programs(folder.path(), &[("slow", "sleep 3")]).unwrap()).unwrap(),
            "slow"
        );
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}
