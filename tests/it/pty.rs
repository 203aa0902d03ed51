//! The real program in a real terminal: every size, every way out, and nothing left behind.

mod gone;
mod stops;

use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::http;
use crate::support::term::{Term, key};
use crate::support::walk::{CATALOG, CONNECTION, LAKE, Walk, ready_home};
use rustix::process::Signal;
use std::time::Duration;

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
fn a_window_that_was_small_for_a_moment_is_drawn_whole_again() {
    let home = Home::new();
    let mut term = demo(&home, 80, 24);
    term.wait_for(FIRST);
    // Whoever is stopped sees only the last size, which is the one that it knows.
    term.signal(Signal::STOP);
    term.resize(1, 1);
    term.resize(80, 24);
    assert!(!term.text().contains(FIRST));
    term.signal(Signal::CONT);
    term.wait_for(FIRST);
    leave(term);
}

#[test]
fn what_somebody_else_has_written_over_the_screen_is_drawn_over_on_request() {
    let home = Home::new();
    let mut term = demo(&home, 80, 24);
    term.wait_for(FIRST);
    // A word: blanks that stand there already are not sent.
    let word = FIRST.split(' ').next().unwrap();
    let sent = |term: &Term| String::from_utf8_lossy(&term.raw()).matches(word).count();
    let before = sent(&term);
    // Nothing has changed that the program knows of: every cell is sent all the same.
    term.keys("\x0c");
    term.wait("the screen once more", |t| sent(t) > before);
    assert!(term.text().contains(FIRST));
    leave(term);
}

#[test]
fn the_mouse_is_taken_on_request_and_given_back() {
    let home = Home::new();
    let mut term = demo(&home, 100, 30);
    term.wait_for(FIRST);
    let reports = |term: &Term| String::from_utf8_lossy(&term.raw()).contains("\x1b[?1000h\x1b[?1006h");
    assert!(!reports(&term));
    term.keys("BM");
    term.wait_for("The mouse works here now");
    assert!(reports(&term));
    term.wait_for("▸ 2024_raw");
    // The fifth database: a press of the left button in its row, and the wheel over the tables.
    term.keys("\x1b[<0;6;8M\x1b[<0;6;8m");
    term.wait_for("▸ odd");
    term.wait_for("<script>alert");
    term.keys("\x1b[<65;40;9M");
    term.wait_for("▸ <script>");
    let at = term.raw().len();
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
    assert!(String::from_utf8_lossy(&term.raw()[at..]).contains("\x1b[?1000l"));
}

/// A reader that takes the resize and forgets the key lost one in forty here: not one of these may be.
#[test]
fn no_key_is_lost_to_a_resize() {
    let home = Home::new();
    let mut term = demo(&home, 80, 24);
    term.wait_for(FIRST);
    for turn in 0..150_u16 {
        term.resize(100 + turn % 2, 30);
        std::thread::sleep(Duration::from_micros(u64::from(turn) * 37 % 600));
        term.keys("?");
        term.wait_for("Everywhere");
        term.keys("q");
        term.wait_for(FIRST);
    }
    leave(term);
}

#[test]
fn keys_by_the_thousand_and_half_a_paste_keep_nobody_waiting() {
    let home = Home::new();
    let mut term = demo(&home, 80, 24);
    term.wait_for(FIRST);
    term.keys("?");
    term.wait_for("Everywhere");
    term.keys(&"j".repeat(5_000));
    term.keys("q");
    term.wait_for(FIRST);
    term.keys("\x1b[200~half a paste");
    term.resize(90, 20);
    term.wait_for(FIRST);
    term.signal(Signal::TERM);
    assert_eq!(term.exit_code(), 143);
    assert_given_back(&term);
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
fn a_panic_gives_the_terminal_back_and_says_what_it_was() {
    let home = Home::new();
    let mut term = Term::start(&home, 80, 24, &["demo"], &[("GLUEUP_PANIC", "after-first-frame")]);
    assert_eq!(term.exit_code(), 101);
    assert_given_back(&term);
    // The report stands on the ordinary screen, where it can be read and copied.
    term.wait_for("GLUEUP_PANIC asked for this panic");
}

/// Leaves by Ctrl-C and looks at what is left behind.
#[track_caller]
fn leave(mut term: Term) {
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
    assert_given_back(&term);
}

#[test]
fn ctrl_c_leaves_at_every_screen() {
    let walks: [fn(&mut Walk); 9] = [
        |_| {},
        |walk| {
            walk.press("n");
            walk.wait_for("S3 path");
            walk.press("q");
            walk.wait_for("q█");
            assert!(walk.term.running(), "a q in a text field is a letter");
        },
        |walk| {
            walk.press("?");
            walk.wait_for("Everywhere");
        },
        |walk| {
            walk.press("L");
            walk.wait_for("Nothing has been said yet.");
        },
        |walk| {
            walk.fill_details();
            walk.go_to_connection();
        },
        Walk::go_to_deploy,
        |walk| {
            walk.go_to_deploy();
            walk.press("z");
            walk.wait_for("http://127.0.0.1");
        },
        |walk| {
            walk.go_to_deploy();
            walk.press("D");
            walk.wait_for("I acknowledge");
        },
        |walk| {
            walk.go_to_deploy();
            walk.press("q");
            walk.wait_for("CATALOGS");
            walk.press("x");
            walk.wait_for("Delete the catalog");
        },
    ];
    for go in walks {
        let home = Home::new();
        let mut walk = Walk::start(&home);
        go(&mut walk);
        leave(walk.term);
    }
}

#[test]
fn ctrl_c_leaves_while_something_loads() {
    // Longer than a test waits: whoever waited for an answer would not be gone in time.
    let forever = ["demo", "--latency", "120000"];
    let home = Home::new();
    let term = Term::start(&home, 100, 30, &forever, &[]);
    term.wait_for(FIRST);
    leave(term);

    let mut walk = Walk::over(Term::start(&home, 100, 30, &forever, &[]));
    walk.wait_for(FIRST);
    walk.press("n");
    walk.wait_for("S3 path");
    walk.write(CATALOG);
    walk.press(key::TAB);
    walk.write("us-west-2");
    walk.press(key::TAB);
    walk.write(LAKE);
    walk.press(key::TAB);
    walk.go_to_connection();
    walk.press(key::TAB);
    walk.write("012345678901");
    walk.press(key::ENTER);
    walk.wait_for("making the link");
    leave(walk.term);
}

#[test]
fn ctrl_c_leaves_while_it_verifies_and_while_it_lists() {
    let demo = Demo::start(&[]);
    let home = ready_home(&demo);
    let address = demo.endpoint().strip_prefix("http://").unwrap();
    let slow = |ms: u32| {
        let knobs = format!("{{\"latency_ms\": {ms}}}");
        let answer = http::request(address, "PUT", "/_glueup/knobs", &[], knobs.as_bytes()).unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text());
    };
    // Verify last: the wizard would come back at the next start.
    for (key, waiting) in [("b", "listing, "), ("v", "reach and clock")] {
        slow(0);
        let mut term = Term::start(&home, 100, 30, &[], &[]);
        term.wait_for(crate::support::walk::ACCOUNT);
        term.wait_for("CONNECTIONS");
        slow(120_000);
        term.keys(key);
        term.wait_for(waiting);
        leave(term);
    }
    slow(0);
}

#[test]
fn leaving_while_a_stack_is_made_is_asked_once() {
    let home = Home::new();
    let mut walk = Walk::start_with(&home, 100, 30, &["--latency", "400"], &[]);
    walk.go_to_deploy();
    walk.deploy();
    walk.press(key::CTRL_C);
    walk.wait_for("Leave while glueup is at work: deploying the stack of sales-prod?");
    // The safe answer stays, and so does the work.
    walk.press("n");
    walk.term.wait_gone("Leave while");
    walk.press(key::CTRL_C);
    walk.wait_for("Leave while");
    leave(walk.term);
}

#[test]
fn every_screen_follows_the_window() {
    let demo = Demo::start(&[]);
    let home = ready_home(&demo);
    let mut term = Term::start(&home, 80, 24, &[], &[]);
    follows(&mut term, "CONNECTIONS");
    term.keys("?");
    follows(&mut term, " keys ");
    term.keys("q");
    term.keys("x");
    follows(&mut term, "Delete the catalog");
    term.keys("n");
    term.keys("v");
    term.wait_for("Connected.");
    follows(&mut term, "Connected.");
    term.keys(key::ESC);
    follows(&mut term, "Access stack");
    term.keys("q");
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("weather");
    follows(&mut term, "DATABASES");
    term.keys(key::ENTER);
    follows(&mut term, "TABLES");
    term.keys("q");
    term.wait_for("CONNECTIONS");
    term.keys("n");
    follows(&mut term, "Details");
    leave(term);
}

/// The screen that shows `landmark` does so again after each size, and calmly says when it cannot.
#[track_caller]
fn follows(term: &mut Term, landmark: &str) {
    term.wait_for(landmark);
    for (cols, rows) in [(100, 30), (20, 5), (40, 12), (1, 1), (0, 0), (80, 24)] {
        term.resize(cols, rows);
        match (cols, rows) {
            (20, 5) => term.wait_for("too small"),
            (0 | 1, _) => assert!(term.running()),
            _ => term.wait_for(landmark),
        }
    }
}

#[test]
fn a_paste_is_one_edit_and_a_newline_in_it_submits_nothing() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    // Where no text is wanted a paste is nothing, and its letters are no keys.
    walk.term.paste("n\nq\n");
    walk.press("n");
    walk.wait_for("S3 path");
    walk.term.paste("Lake House\n");
    walk.wait_for("Lake House█");
    walk.term.paste(" one\ntwo\nthree");
    walk.wait_for("Lake Houseone█");
    walk.wait_for("The paste had 3 lines: the first was taken.");
    assert!(walk.term.text().contains("S3 path"), "{}", walk.term.text());
    leave(walk.term);
}

#[test]
fn a_paste_at_deploy_deploys_nothing() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.fill_details();
    walk.press(key::ENTER);
    walk.wait_for("NEW CONNECTION");
    walk.term.paste(&format!("{CONNECTION}\r\n"));
    walk.wait_for(&format!("{CONNECTION}█"));
    walk.press(key::ENTER);
    walk.wait_for("you review and press Create stack there");
    walk.term.paste("D\n y\n");
    // The screen answers keys in their order: whatever the paste did would be seen by now.
    walk.press("?");
    walk.wait_for("Everywhere");
    walk.press(key::ESC);
    walk.term.wait_gone("Everywhere");
    assert!(
        !walk.term.text().contains("I acknowledge"),
        "{}",
        walk.term.text()
    );
    leave(walk.term);
}

#[test]
fn without_a_terminal_and_without_a_verb_it_says_which_verb_to_use() {
    let ran = Home::new().glueup(&[]).exits(2);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("--help"), "{}", ran.stderr);
    assert!(!ran.stderr.contains('\x1b'), "{}", ran.stderr);
}
