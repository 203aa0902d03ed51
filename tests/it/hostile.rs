//! What a hostile or merely foreign catalog can do to a terminal: nothing. Judged on the raw bytes and on the cells.

use crate::support::PATIENCE;
use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::term::{Term, key};
use crate::support::walk::{ACCOUNT, Walk, ready_home};
use std::time::{Duration, Instant};

/// Private modes that the program may switch: the cursor, the alternate screen, bracketed paste, and on the way out
/// every way of catching the mouse (off only).
const MODES: [&str; 9] = [
    "?25h", "?25l", "?1049h", "?1049l", "?2004h", "?2004l", "?1006l", "?1015l", "?1003l",
];
const MOUSE_OFF: [&str; 2] = ["?1002l", "?1000l"];

/// Characters that steer a terminal or a reader's eye, and that the program never has a reason to send.
pub fn steers(c: char) -> bool {
    matches!(c, '\0'..='\u{1a}' | '\u{1c}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
        || matches!(
            c,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{206a}'..='\u{206f}')
        || matches!(
            c,
            '\u{61c}' | '\u{200c}' | '\u{ad}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// Reads the stream as a terminal would; the first thing in it that is not the program's own is the complaint.
pub fn judge(raw: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(raw).map_err(|why| why.to_string())?;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let seen = rest.chars().take(40).collect::<String>();
        rest = &rest[c.len_utf8()..];
        if c != '\x1b' {
            if steers(c) {
                return Err(format!("a control character: {seen:?}"));
            }
            continue;
        }
        let Some(sequence) = rest.strip_prefix('[') else {
            return Err(format!("an escape that is no control sequence: {seen:?}"));
        };
        let end = sequence
            .find(|c: char| ('@'..='~').contains(&c))
            .ok_or_else(|| format!("an endless sequence: {seen:?}"))?;
        let (whole, after) = sequence.split_at(end + 1);
        rest = after;
        let ours = match &whole[end..] {
            "H" | "J" | "K" => true,
            "m" => styles(&whole[..end]),
            _ => MODES.contains(&whole) || MOUSE_OFF.contains(&whole),
        };
        if !ours {
            return Err(format!("a sequence that is not ours: {seen:?}"));
        }
    }
    Ok(())
}

/// Colours, bold, dim, underlined, reversed and their undoing; nothing blinks or hides.
fn styles(parameters: &str) -> bool {
    let mut numbers = parameters.split(';');
    while let Some(number) = numbers.next() {
        match number {
            // crossterm names one of the sixteen colours by its place in the palette
            "38" | "48" => {
                let indexed = numbers.next() == Some("5");
                let place = numbers.next().and_then(|n| n.parse::<u8>().ok());
                if !indexed || place.is_none_or(|n| n > 15) {
                    return false;
                }
            }
            "" | "0" | "1" | "2" | "4" | "7" | "22" | "24" | "27" | "39" | "49" | "59" => {}
            _ => return false,
        }
    }
    true
}

#[test]
fn the_judge_of_bytes_knows_good_from_bad() {
    for good in [
        "plain 日本 👩\u{200d}🔬",
        "\x1b[2;3H\x1b[1;38;5;6mx\x1b[0m\x1b[?25l",
    ] {
        assert_eq!(judge(good.as_bytes()), Ok(()));
    }
    for bad in [
        "\x1b]52;c;ZXZpbA==\x07",
        "\x1b]0;owned\x07",
        "\x1b[31mred",
        "\x1b[8mhidden",
        "\x1b[5mblinks",
        "\u{9b}2J",
        "a\u{202e}b",
        "zero\u{200b}width",
        "\u{2067}isolated\u{2069}",
        "\x1bPq#0\x1b\\",
        "line\nline",
        "\x1b[?1000h",
        "\x1bc",
        "\x1b[6n",
    ] {
        assert!(judge(bad.as_bytes()).is_err(), "{bad:?}");
    }
}

/// Waits until nothing has been sent for `still`.
#[track_caller]
fn wait_quiet(term: &Term, still: Duration) {
    let end = Instant::now() + PATIENCE;
    let (mut sent, mut since) = (term.raw().len(), Instant::now());
    while since.elapsed() < still {
        assert!(
            Instant::now() < end,
            "it never rests; the last bytes: {:?}",
            String::from_utf8_lossy(&term.raw()[sent.saturating_sub(200)..])
        );
        std::thread::sleep(Duration::from_millis(10));
        let now = term.raw().len();
        if now != sent {
            (sent, since) = (now, Instant::now());
        }
    }
}

/// The columns of the vertical rules must be the same in every row between head and foot, and nothing of what was drawn
/// wider than planned may be left: vt100 draws the parts of a joined emoji one by one, as many terminals do.
#[track_caller]
fn rules(term: &Term, expected: usize) {
    assert!(!term.text().contains('🔬'), "{}", term.text());
    let rows: Vec<Vec<u16>> = term.screen(|screen| {
        let (rows, cols) = screen.size();
        (2..u16::from(rows) - 2)
            .map(|row| {
                let is_rule = |col: &u16| screen.cell(row, *col).is_some_and(|cell| cell.contents() == "│");
                (0..u16::from(cols)).filter(is_rule).collect()
            })
            .collect()
    });
    assert_eq!(rows[0].len(), expected, "{}", term.text());
    assert!(
        rows.iter().all(|row| *row == rows[0]),
        "{rows:?}\n{}",
        term.text()
    );
}

/// Closes the text that lies over the screen, once it is there. An Esc with a letter right behind it would be that letter
/// with Alt.
#[track_caller]
fn close(term: &mut Term) {
    term.wait_for("esc close");
    term.keys(key::ESC);
    term.wait_gone("esc close");
}

/// Opens the browser on the database `odd`.
fn browse_odd(home: &Home, cols: u16, rows: u16) -> Term {
    let mut term = Term::start(home, cols, rows, &[], &[]);
    term.wait_for(ACCOUNT);
    term.wait_for("CONNECTIONS");
    term.keys("b");
    term.wait_for("weather");
    rules(&term, if cols >= 100 { 2 } else { 1 });
    term.keys("/");
    term.keys("odd");
    term.wait_for("1 of 11");
    term.keys(key::ENTER);
    // The description of the database, whole.
    term.keys("z");
    term.wait_for("␛[31m");
    close(&mut term);
    term.keys(key::ENTER);
    term.wait_for("café");
    term
}

#[test]
fn a_hostile_catalog_sends_nothing_to_the_terminal_and_columns_stay_straight() {
    let demo = Demo::start(&[]);
    let home = ready_home(&demo);
    for (cols, rows, bars) in [(100, 30, 2), (80, 24, 1)] {
        let mut term = browse_odd(&home, cols, rows);
        for _ in 0..40 {
            term.keys(key::DOWN);
            wait_quiet(&term, Duration::from_millis(60));
            rules(&term, bars);
        }
        term.keys("/");
        term.keys("escape");
        term.wait_for("escape_bytes");
        term.keys(key::ENTER);
        term.wait_for("a<U+202E>b");
        rules(&term, bars);
        term.keys("z");
        term.wait_for("zero<U+200B>width");
        term.wait_for("␛[31mescape");
        close(&mut term);
        term.keys(key::ENTER);
        term.keys("!");
        term.wait_for("glueup schema");
        close(&mut term);
        // Back from the schema, in which / looks for a column.
        term.keys("h");
        for hostile in ["bidi", "c1"] {
            term.keys("/");
            term.keys(&"\x7f".repeat(12));
            term.keys(hostile);
            term.wait_for("1 of ");
            term.keys(key::ENTER);
            wait_quiet(&term, Duration::from_millis(60));
            rules(&term, bars);
        }
        term.keys(key::CTRL_C);
        assert_eq!(term.exit_code(), 0);
        assert_eq!(judge(&term.raw()), Ok(()));
    }
}

#[test]
fn wide_joined_and_combined_characters_keep_the_columns_straight() {
    let demo = Demo::start(&[]);
    let home = ready_home(&demo);
    for (cols, rows, bars) in [(100, 30, 2), (80, 24, 1)] {
        let mut term = browse_odd(&home, cols, rows);
        for name in ["日本語", "café", "①"] {
            term.keys("/");
            term.keys(&"\x7f".repeat(12));
            term.keys(name);
            wait_quiet(&term, Duration::from_millis(100));
            term.keys(key::ENTER);
            wait_quiet(&term, Duration::from_millis(100));
            rules(&term, bars);
        }
        term.wait_for("幅の広い列");
        // Back among all tables: nothing is left of what was drawn there before.
        term.keys("/");
        term.keys(key::ESC);
        wait_quiet(&term, Duration::from_millis(100));
        rules(&term, bars);
    }
}

#[test]
fn what_is_pasted_into_a_field_steers_nothing() {
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.press("n");
    walk.wait_for("S3 path");
    walk.term.paste("La\u{9b}31mke\u{202e}\u{7}x");
    walk.press(key::TAB);
    walk.press(key::TAB);
    walk.term.paste("s3://bu\x1b]52;c;ZXZpbA==\x07cket/\u{202e}x");
    walk.press(key::TAB);
    // The message names what was given.
    walk.wait_for("bucket");
    walk.press(key::ENTER);
    wait_quiet(&walk.term, Duration::from_millis(300));
    walk.press(key::CTRL_C);
    walk.term.exit_code();
    assert_eq!(judge(&walk.term.raw()), Ok(()));
}

/// The parameters of every style sequence in the stream.
fn style_numbers(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let sequences = text.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| ('@'..='~').contains(&c))?;
        rest[end..].starts_with('m').then(|| rest[..end].to_owned())
    });
    sequences
        .flat_map(|s| s.split(';').map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn without_colour_only_weight_and_reversal_are_left() {
    let colours = |raw: &[u8]| -> Vec<u16> {
        let numbers = style_numbers(raw).into_iter().filter_map(|n| n.parse().ok());
        numbers
            .filter(|n| matches!(n, 30..=38 | 40..=48 | 90..=97 | 100..=107))
            .collect()
    };
    let demo = Demo::start(&[]);
    let home = ready_home(&demo);
    let through = |envs: &[(&str, &str)]| {
        let mut term = Term::start(&home, 100, 30, &[], envs);
        term.wait_for(ACCOUNT);
        term.wait_for("CONNECTIONS");
        term.keys("v");
        term.wait_for("Connected.");
        term.keys("b");
        term.wait_for("weather");
        term.keys("q");
        term.wait_for("CATALOGS");
        // Where the pointer stands is told apart without colour too: no empty style sequence undoes the reversal.
        let reversed = term.screen(|screen| {
            let (rows, _) = screen.size();
            let pointed = (0..u16::from(rows)).find(|row| {
                let cell = screen.cell(*row, 1);
                cell.is_some_and(|cell| cell.contents() == "▸")
            });
            screen.cell(pointed.unwrap(), 3).is_some_and(vt100::Cell::inverse)
        });
        assert_eq!(reversed, !envs.is_empty(), "{}", term.text());
        term.keys(key::CTRL_C);
        term.exit_code();
        term.raw()
    };
    assert!(!colours(&through(&[])).is_empty());
    assert_eq!(colours(&through(&[("NO_COLOR", "1")])), [] as [u16; 0]);
}

#[test]
fn while_nothing_happens_nothing_is_sent() {
    let demo = Demo::start(&[]);
    let home = ready_home(&demo);
    let mut term = Term::start(&home, 100, 30, &[], &[]);
    term.wait_for(ACCOUNT);
    let still = Duration::from_secs(2);
    wait_quiet(&term, still);
    for (keys, shown) in [
        ("v", "Connected."),
        ("b", "weather"),
        ("?", "the whole of what is selected"),
    ] {
        term.keys(keys);
        term.wait_for(shown);
        wait_quiet(&term, still);
    }
    close(&mut term);
    term.keys("q");
    term.wait_for("CONNECTIONS");
    term.keys("n");
    term.wait_for("S3 path");
    term.keys("x");
    wait_quiet(&term, still);
    term.keys(key::CTRL_C);
    term.exit_code();
}
