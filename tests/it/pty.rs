//! The real program in a real terminal: every size, every way out, and nothing left behind.

use crate::support::home::Home;
use crate::support::term::{Term, key};
use rustix::process::Signal;

/// A line of the first screen in an empty demo.
const FIRST: &str = "connect a Glue catalog";

fn demo(home: &Home, cols: u16, rows: u16) -> Term {
    Term::start(home, cols, rows, &["demo"], &[])
}

/// What must have been sent before the program ends: leave the alternate screen, show the cursor, no bracketed paste.
#[track_caller]
fn assert_given_back(term: &Term) {
    let raw = String::from_utf8_lossy(&term.raw()).into_owned();
    for sequence in ["\x1b[?1049l", "\x1b[?25h", "\x1b[?2004l"] {
        assert!(raw.contains(sequence), "{sequence:?} was not sent");
    }
    assert!(!term.screen(vt100::Screen::alternate_screen));
    assert!(!term.screen(vt100::Screen::bracketed_paste));
    assert_eq!(
        term.screen(vt100::Screen::mouse_protocol_mode),
        vt100::MouseProtocolMode::None
    );
    assert!(!term.screen(vt100::Screen::hide_cursor));
    assert!(term.cooked(), "the terminal echoes again");
}

#[test]
fn it_starts_in_any_window_and_grows_with_it() {
    for (cols, rows) in [(0, 0), (1, 1), (20, 5), (40, 12), (80, 24)] {
        let home = Home::new();
        let mut term = demo(&home, cols, rows);
        term.wait("raw mode", Term::is_raw);
        if (cols, rows) == (20, 5) {
            term.wait_for("too small");
        }
        term.resize(100, 30);
        term.wait_for(FIRST);
        term.resize(1, 1);
        term.resize(80, 24);
        term.wait_for(FIRST);
        term.keys("q");
        assert_eq!(term.exit_code(), 0, "started at {cols}x{rows}");
        assert_given_back(&term);
    }
}

#[test]
fn signals_end_it_and_the_terminal_is_given_back() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let home = Home::new();
        let mut term = demo(&home, 80, 24);
        term.wait_for(FIRST);
        assert!(term.screen(vt100::Screen::alternate_screen));
        assert!(term.screen(vt100::Screen::bracketed_paste));
        assert!(term.is_raw());
        term.signal(signal);
        assert_eq!(term.exit_code(), code);
        assert_given_back(&term);
    }
}

#[test]
fn ctrl_c_ends_it_at_once_also_in_a_text_field() {
    for keys in ["", "n", "?", "L"] {
        let home = Home::new();
        let mut term = demo(&home, 80, 24);
        term.wait_for(FIRST);
        term.keys(keys);
        if keys == "n" {
            term.wait_for("Details");
            term.keys("q");
            assert!(term.running(), "a q in a text field is a letter");
        }
        term.keys(key::CTRL_C);
        term.exit_code();
        assert_given_back(&term);
    }
}

#[test]
fn it_suspends_to_the_shell_and_comes_back() {
    let home = Home::new();
    let program = crate::support::home::GLUEUP;
    let envs = [("PS1", "shell> "), ("GLUEUP", program)];
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
    term.keys("q");
    term.wait_gone(FIRST);
    term.keys("exit 9\r");
    assert_eq!(term.exit_code(), 9);
    assert_given_back(&term);
}

#[test]
fn a_paste_is_one_edit_and_a_newline_in_it_submits_nothing() {
    let home = Home::new();
    let mut term = demo(&home, 100, 30);
    term.wait_for(FIRST);
    term.keys("n");
    term.wait_for("Details");
    term.paste("Lake\nHouse");
    term.wait_for("Lake");
    assert!(
        term.text().contains("S3 path"),
        "still at Details:\n{}",
        term.text()
    );
    term.keys(key::CTRL_C);
    term.exit_code();
}

#[test]
fn without_a_terminal_and_without_a_verb_it_says_which_verb_to_use() {
    let ran = Home::new().glueup(&[]).exits(2);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("--help"), "{}", ran.stderr);
    assert!(!ran.stderr.contains('\x1b'), "{}", ran.stderr);
}
