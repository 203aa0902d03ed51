//! Stopped by a key, by a signal, by one that cannot be caught: the shell finds its terminal, and the program its screen.

use super::{FIRST, assert_given_back, demo, leave};
use crate::support::home::{GLUEUP, Home};
use crate::support::term::{Term, key};
use rustix::process::{Pid, Signal, kill_process};

#[test]
fn it_suspends_to_the_shell_and_comes_back() {
    let home = Home::new();
    let envs = [("PS1", "shell> "), ("GLUEUP", GLUEUP)];
    let mut term = Term::start_program(&home, 80, 24, "bash", &["--norc", "--noprofile", "-i"], &envs);
    term.wait_for("shell> ");
    term.keys("\"$GLUEUP\" demo\r");
    term.wait_for(FIRST);
    for _ in 0..2 {
        term.keys(key::CTRL_Z);
        term.wait_for("Stopped");
        assert!(!term.screen(vt100::Screen::alternate_screen));
        term.keys("echo the shell ans''wers\r");
        term.wait_for("the shell answers");
        term.keys("fg\r");
        term.wait_for(FIRST);
        term.wait("raw mode", Term::is_raw);
    }
    // Sent to the background it may not have the terminal: it stops again, and leaves the shell alone.
    term.keys(key::CTRL_Z);
    term.wait_for("Stopped");
    term.keys("clear; bg\r");
    term.wait_for("demo &");
    term.keys("sleep 0.3; clear; jobs\r");
    term.wait_for("Stopped");
    assert!(!term.screen(vt100::Screen::alternate_screen));
    term.keys("fg\r");
    term.wait_for(FIRST);
    term.wait("raw mode", Term::is_raw);
    term.keys("q");
    term.wait_gone(FIRST);
    term.keys("exit 9\r");
    assert_eq!(term.exit_code(), 9);
    assert_given_back(&term);
}

#[test]
fn while_it_is_suspended_the_terminal_is_as_it_was() {
    let home = Home::new();
    // A shell that leaves the terminal's settings alone: what it finds is what the program left.
    let script = "set -m; \"$GLUEUP\" demo; echo \"stopped $?\"; read go; fg >/dev/null; echo \"ended $?\"";
    let mut term = Term::start_program(&home, 80, 24, "sh", &["-c", script], &[("GLUEUP", GLUEUP)]);
    term.wait_for(FIRST);
    term.keys(key::CTRL_Z);
    term.wait_for(&stopped());
    assert_given_back(&term);
    term.resize(100, 30);
    term.keys("\n");
    term.wait_for(FIRST);
    term.wait("raw mode", Term::is_raw);
    assert!(term.screen(vt100::Screen::bracketed_paste));
    // Drawn anew and at the new size: the foot is where the window now ends.
    term.wait("foot in the last row", |t| {
        t.text().lines().nth(29).is_some_and(|row| row.contains("q quit"))
    });
    term.keys("q");
    term.wait_for("ended 0");
    term.exit_code();
    assert_given_back(&term);
}

/// What the shells of these tests say of a stopped job: 128 and the number of the signal, which is the one that cannot be
/// caught.
fn stopped() -> String {
    format!("stopped {}", 128 + Signal::STOP.as_raw())
}

/// A shell that runs the program as a job, writes its id to the file `pid`, and goes on once a line is typed.
fn in_a_job(home: &Home) -> (Term, Pid) {
    let script = "set -m; sh -c 'echo $$ >pid; exec \"$GLUEUP\" demo'; echo \"stopped $?\"; read go; fg >/dev/null; \
                  echo \"ended $?\"";
    let term = Term::start_program(home, 80, 24, "sh", &["-c", script], &[("GLUEUP", GLUEUP)]);
    term.wait_for(FIRST);
    let id = std::fs::read_to_string(home.path().join("pid")).unwrap();
    let id = Pid::from_raw(id.trim().parse().unwrap()).unwrap();
    (term, id)
}

#[test]
fn a_stop_from_outside_gives_the_terminal_back_first() {
    let home = Home::new();
    let (mut term, id) = in_a_job(&home);
    kill_process(id, Signal::TSTP).unwrap();
    term.wait_for(&stopped());
    assert_given_back(&term);
    term.keys("\n");
    term.wait_for(FIRST);
    term.wait("raw mode", Term::is_raw);
    assert!(term.screen(vt100::Screen::alternate_screen));
    term.keys("q");
    term.wait_for("ended 0");
    term.exit_code();
    assert_given_back(&term);
}

#[test]
fn a_wrapper_that_waits_for_it_is_stopped_too() {
    let home = Home::new();
    // The inner shell has no job control: it shares the job, and would wait for ever for a program that stopped alone.
    let script = "set -m; sh -c '\"$GLUEUP\" demo; exit $?'; echo \"stopped $?\"; read go; fg >/dev/null; echo \"ended $?\"";
    let mut term = Term::start_program(&home, 80, 24, "sh", &["-c", script], &[("GLUEUP", GLUEUP)]);
    term.wait_for(FIRST);
    term.keys(key::CTRL_Z);
    // Its shell has stopped by the very signal, and found the terminal given back.
    term.wait_for(&format!("stopped {}", 128 + Signal::TSTP.as_raw()));
    assert_given_back(&term);
    term.keys("\n");
    term.wait_for(FIRST);
    term.wait("raw mode", Term::is_raw);
    term.keys("q");
    term.wait_for("ended 0");
}

#[test]
fn after_a_stop_that_cannot_be_caught_the_terminal_is_taken_over_again() {
    let home = Home::new();
    let (mut term, id) = in_a_job(&home);
    kill_process(id, Signal::STOP).unwrap();
    // The shell speaks into what was left on the screen, and its `read` gathers a line.
    term.wait_for(&stopped());
    term.keys("\n");
    term.wait("raw mode", Term::is_raw);
    term.wait_gone(&stopped());
    term.wait_for(FIRST);
    term.keys("q");
    term.wait_for("ended 0");
}

#[test]
fn where_no_shell_waits_nothing_stops() {
    let home = Home::new();
    let mut term = demo(&home, 80, 24);
    term.wait_for(FIRST);
    term.keys(key::CTRL_Z);
    term.wait_for("no shell waits behind glueup");
    term.signal(Signal::TSTP);
    term.keys("?");
    term.wait_for("Everywhere");
    assert!(term.is_raw());
    leave(term);
}
