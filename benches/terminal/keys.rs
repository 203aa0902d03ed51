//! Key to frame: from the write of a key to the last byte of the frame that shows what it did.

use crate::numbers::{Times, table};
use crate::pty::{Program, installed, shows};
use crate::support::demo::Demo;
use crate::support::home::{GLUEUP, Home};
use glueup::domain::amount;
use std::fs;
use std::time::Duration;

/// Presses of one kind in each run.
const PRESSES: usize = 200;
/// What is typed into the filter, a letter at a time, and deleted again.
const WORDS: [&str; 6] = ["42", "007", "t_9", "123", "31415", "zz"];
/// So often: of fewer presses the slowest in a hundred would be the slowest.
const ROUNDS: usize = 3;
/// A list that fits on few screens, to see what the length costs.
const SHORT: u64 = 100;

pub mod key {
    pub const UP: &str = "\x1b[A";
    pub const DOWN: &str = "\x1b[B";
    pub const END: &str = "\x1b[F";
    pub const TOP: &str = "\x1b[H";
    pub const BACKSPACE: &str = "\x7f";
    pub const ESC: &str = "\x1b";
}

/// The pauses between presses: as fast as a held key and slower, never in step with anything.
struct Pauses(u64);

impl Pauses {
    fn next(&mut self) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Duration::from_micros(25_000 + (self.0 >> 33) % 35_000)
    }
}

/// What is measured, in the order of the table.
struct Subjects {
    named: Vec<(String, Times)>,
}

impl Subjects {
    fn run(&mut self) {
        self.named.iter_mut().for_each(|(_, times)| times.run());
    }

    fn of(&mut self, name: &str) -> &mut Times {
        let at = self.named.iter().position(|(n, _)| n == name);
        let at = at.unwrap_or_else(|| {
            let mut times = Times::default();
            times.run();
            self.named.push((name.to_owned(), times));
            self.named.len() - 1
        });
        &mut self.named[at].1
    }
}

pub fn measure(runs: usize, tables: u64) {
    let home = Home::new();
    let list = home.path().join("names.txt");
    let names: String = (0..tables).map(|n| format!("{}\n", name(n))).collect();
    fs::write(&list, names).unwrap();
    let list = list.display().to_string();
    let long = Lake::new(tables);
    let short = Lake::new(SHORT);
    let mut subjects = Subjects { named: Vec::new() };
    let mut memory: [Vec<u64>; 2] = Default::default();
    for run in 0..runs {
        eprintln!("keys: run {} of {runs}", run + 1);
        subjects.run();
        let pauses = &mut Pauses(run as u64 + 1);
        echo(&home, &mut subjects, pauses);
        vim(&home, &list, &mut subjects, pauses);
        less(&home, &list, &mut subjects, pauses);
        fzf(&home, &list, &mut subjects, pauses);
        memory[0].push(short.measure(&mut subjects, pauses));
        memory[1].push(long.measure(&mut subjects, pauses));
    }
    report(&subjects, runs);
    let [few, many] = memory.map(median);
    println!(
        "\nMemory of `glueup`: {} MiB with {SHORT} tables listed, {} MiB with {}: {} bytes for each further table.",
        few / 1024,
        many / 1024,
        amount::count(tables),
        many.saturating_sub(few) * 1024 / tables.saturating_sub(SHORT).max(1)
    );
}

fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values[values.len() / 2]
}

fn report(subjects: &Subjects, runs: usize) {
    let floor = &subjects.named[0].1;
    let rows: Vec<Vec<String>> = subjects
        .named
        .iter()
        .filter(|(_, times)| !times.is_empty())
        .map(|(name, times)| {
            vec![
                name.clone(),
                times.count().to_string(),
                times.spread(0.5),
                times.spread(0.99),
                times.worst(),
                times.ratio(floor, 0.5),
            ]
        })
        .collect();
    let head = ["", "presses", "p50, ms", "p99, ms", "worst, ms", "p50 ÷ echo"];
    table(&format!("Key to frame ({runs} runs)"), &head, &rows);
}

fn name(number: u64) -> String {
    format!("t_{number:09}")
}

/// The floor: a program that sends back what it gets.
fn echo(home: &Home, subjects: &mut Subjects, pauses: &mut Pauses) {
    let mut program = Program::start(home, &["sh", "-c", "stty raw -echo; printf ready; exec cat"]);
    program.until_text("ready");
    for at in 0..PRESSES {
        program.rest(pauses.next());
        let letter = ["x", "y"][at % 2];
        let pressed = program.press(&format!("\r{letter}"));
        let shown = program.until(letter, |screen| shows_at_left(screen, letter));
        subjects.of("echo (`cat`)").push(shown - pressed);
    }
}

fn shows_at_left(screen: &vt100::Screen, text: &str) -> bool {
    screen.cell(0, 0).is_some_and(|cell| cell.contents() == text)
}

fn vim(home: &Home, list: &str, subjects: &mut Subjects, pauses: &mut Pauses) {
    if !installed("vim") {
        return;
    }
    let mut program = Program::start(home, &["vim", "-n", "-u", "NONE", list]);
    program.until_text(&name(0));
    program.rest(Duration::from_secs(3));
    for at in 0..PRESSES {
        program.rest(pauses.next());
        let (key, row) = [("j", 1), ("k", 0)][at % 2];
        let pressed = program.press(key);
        let shown = program.until("move", |screen| screen.cursor_position().0 == row);
        subjects
            .of("`vim -u NONE`, line down or up")
            .push(shown - pressed);
    }
}

fn less(home: &Home, list: &str, subjects: &mut Subjects, pauses: &mut Pauses) {
    if !installed("less") {
        return;
    }
    let mut program = Program::start(home, &["less", list]);
    program.until_text(&name(0));
    for at in 1..=PRESSES as u64 {
        program.rest(pauses.next());
        let pressed = program.press("j");
        let last = name(at + 38);
        let shown = program.until("line", |screen| shows(screen, &last));
        subjects.of("`less`, line down").push(shown - pressed);
    }
}

fn fzf(home: &Home, list: &str, subjects: &mut Subjects, pauses: &mut Pauses) {
    if !installed("fzf") {
        return;
    }
    let mut program = Program::start(home, &["sh", "-c", "exec fzf --no-mouse <\"$0\"", list]);
    program.until_text(&format!("> {}", name(0)));
    program.rest(Duration::from_secs(4));
    for at in 1..=PRESSES as u64 {
        program.rest(pauses.next());
        let pressed = program.press(key::UP);
        let here = format!("> {}", name(at));
        let shown = program.until(&here, |screen| shows(screen, &here));
        subjects.of("`fzf`, next row").push(shown - pressed);
    }
    let typed = |text: &str| format!("> {text}");
    typing(
        &mut program,
        "`fzf`, a letter of the filter",
        &typed,
        subjects,
        pauses,
    );
}

/// Types each of the words and deletes it again, and all of them some more times; a press is answered when the field shows it, in a row that ends so.
fn typing(
    program: &mut Program,
    subject: &str,
    field: &dyn Fn(&str) -> String,
    subjects: &mut Subjects,
    pauses: &mut Pauses,
) {
    for word in [WORDS; ROUNDS].concat() {
        let texts = (1..=word.len()).map(|n| (&word[n - 1..n], &word[..n]));
        let deleted = (0..word.len()).rev().map(|n| (key::BACKSPACE, &word[..n]));
        for (press, text) in texts.chain(deleted) {
            program.rest(pauses.next() * 2);
            let pressed = program.press(press);
            let wanted = field(text);
            let shown = program.until(&wanted, |screen| {
                screen.rows(0, 120).any(|row| {
                    row.find(&wanted).is_some_and(|at| {
                        row[at + wanted.len()..].starts_with([' ', '│']) || row.ends_with(&wanted)
                    })
                })
            });
            subjects.of(subject).push(shown - pressed);
        }
    }
}

/// An embedded AWS with so many tables in one database, and a home in which it is connected.
struct Lake {
    home: Home,
    tables: u64,
    _demo: Demo,
}

impl Lake {
    fn new(tables: u64) -> Lake {
        let demo = Demo::start(&["--tables", &tables.to_string()]);
        let home = demo.home();
        let broker = demo.field("broker_role_arn").to_owned();
        let account = demo.field("account_id").to_owned();
        for words in [
            vec!["init", "--name", "Acme", "--id", "acme", "--broker-role", &broker],
            vec!["connection", "add", "--name", "prod", "--account-id", &account],
            "catalog add --name Lake --region us-west-2 --s3-path s3://acme-lake/warehouse --access read-only \
             --connection prod"
                .split_whitespace()
                .collect(),
            vec!["deploy", "connection", "prod", "--yes"],
            vec!["deploy", "catalog", "Lake", "--yes"],
        ] {
            home.glueup(&words).ok();
        }
        Lake {
            home,
            tables,
            _demo: demo,
        }
    }

    fn called(&self, what: &str) -> String {
        format!("`glueup`, {} tables: {what}", amount::count(self.tables))
    }

    /// One run: while the list comes in, and when it is whole. Answers the program's memory in KiB.
    fn measure(&self, subjects: &mut Subjects, pauses: &mut Pauses) -> u64 {
        let mut program = Program::start(&self.home, &[GLUEUP]);
        program.until_text("▸ Lake");
        program.press("b");
        program.until("databases", |screen| {
            shows(screen, "generated") && !streams(screen)
        });
        program.press("/generated");
        program.until_text("▸ generated");
        program.press("\r");
        program.press("\r");
        program.until_text(&pointed(0));
        if self.tables > SHORT {
            let moving = self.called("next row, while pages come in");
            steps(&mut program, &moving, true, subjects, pauses);
            let filter = self.called("a letter of the filter, while pages come in");
            filtering(&mut program, &filter, subjects, pauses);
            assert!(
                streams(program.screen()),
                "the list was whole too early: more --tables"
            );
        }
        program.until("whole list", |screen| !streams(screen));
        program.press(key::TOP);
        program.until_text(&pointed(0));
        let moving = self.called("next row");
        steps(&mut program, &moving, false, subjects, pauses);
        self.jumps(&mut program, subjects, pauses);
        let filter = self.called("a letter of the filter");
        filtering(&mut program, &filter, subjects, pauses);
        self.results(&mut program, subjects, pauses);
        memory(program.id())
    }

    /// From one end of the list to the other.
    fn jumps(&self, program: &mut Program, subjects: &mut Subjects, pauses: &mut Pauses) {
        for at in 0..PRESSES {
            program.rest(pauses.next());
            let (key, to) = [(key::END, self.tables - 1), (key::TOP, 0)][at % 2];
            let pressed = program.press(key);
            let shown = program.until_text(&pointed(to));
            subjects
                .of(&self.called("first row to last and back"))
                .push(shown - pressed);
        }
    }

    /// From a whole word to the whole result.
    fn results(&self, program: &mut Program, subjects: &mut Subjects, pauses: &mut Pauses) {
        for word in WORDS {
            program.rest(pauses.next());
            program.press("/");
            program.until_text(" / █");
            let hits = (0..self.tables).filter(|n| matches(word, &name(*n))).count();
            let count = |n| amount::count(n);
            let wanted = format!("{} of {}  ", count(hits as u64), count(self.tables));
            let pressed = program.press(word);
            let shown = program.until(&wanted, |screen| {
                shows(screen, &format!(" / {word}█")) && shows(screen, &wanted)
            });
            subjects
                .of(&self.called("a pasted word to its whole result"))
                .push(shown - pressed);
            program.press(key::ESC);
            program.until("no filter", |screen| !shows(screen, "█"));
        }
    }
}

/// The row under the pointer.
fn pointed(number: u64) -> String {
    format!("▸ {}", name(number))
}

fn streams(screen: &vt100::Screen) -> bool {
    shows(screen, "still listing")
}

fn steps(
    program: &mut Program,
    subject: &str,
    streaming: bool,
    subjects: &mut Subjects,
    pauses: &mut Pauses,
) {
    for at in 1..=PRESSES as u64 {
        // of the short list's rows there are fewer than presses
        let (key, to) = match at % 2 {
            _ if streaming => (key::DOWN, at),
            1 => (key::DOWN, 1),
            _ => (key::UP, 0),
        };
        program.rest(pauses.next());
        let pressed = program.press(key);
        let here = pointed(to);
        let shown = program.until_text(&here);
        subjects.of(subject).push(shown - pressed);
    }
}

fn filtering(program: &mut Program, subject: &str, subjects: &mut Subjects, pauses: &mut Pauses) {
    program.press("/");
    program.until_text(" / █");
    typing(program, subject, &|text| format!(" / {text}█"), subjects, pauses);
    program.press(key::ESC);
    program.until("no filter", |screen| !shows(screen, "█"));
}

/// Whether the letters of `word` stand in `name`, in their order.
fn matches(word: &str, name: &str) -> bool {
    let mut letters = name.chars();
    word.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

/// Resident memory of a process, in KiB.
fn memory(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}
