//! A terminal that is gone: the program ends, and does not spin.

use crate::support::home::{GLUEUP, Home};
use crate::support::wait_for;
use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use std::io::Read;

/// Runs a command in a window until its first frame stands, and closes the window.
fn close_the_window(home: &Home, command: &[&str]) -> Box<dyn Child + Send + Sync> {
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut builder = CommandBuilder::from_argv(command.iter().map(Into::into).collect());
    builder.env_clear();
    for (name, value) in home.envs() {
        builder.env(name, value);
    }
    builder.env("GLUEUP", GLUEUP);
    builder.cwd(home.path());
    let child = pair.slave.spawn_command(builder).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (mut seen, mut bytes) = (0, [0; 4096]);
    while seen < 600 {
        seen += reader.read(&mut bytes).unwrap();
    }
    child
}

fn nothing_to_see() -> String {
    "no screen any more".to_owned()
}

#[test]
fn a_terminal_that_is_gone_ends_it_in_peace() {
    let home = Home::new();
    let mut child = close_the_window(&home, &[GLUEUP, "demo"]);
    let status = wait_for("end of the program", nothing_to_see, || child.try_wait().unwrap());
    assert_eq!(status.exit_code(), 129, "{status}");
}

/// A hang-up signal reaches the session of the window only. Whoever was started in another one would read a terminal
/// that is gone for ever, and find no end.
#[cfg(target_os = "linux")]
#[test]
fn it_ends_also_when_nobody_tells_it() {
    let home = Home::new();
    let script = "trap '' HUP; setsid -w \"$GLUEUP\" demo; echo $? >code";
    let mut shell = close_the_window(&home, &["sh", "-c", script]);
    wait_for("end of the shell", nothing_to_see, || shell.try_wait().unwrap());
    assert_eq!(
        std::fs::read_to_string(home.path().join("code")).unwrap(),
        "129\n"
    );
}
