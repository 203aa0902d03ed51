//! Start to first frame.

use crate::numbers::{Times, table};
use crate::pty::{Program, installed};
use crate::support::home::{GLUEUP, Home};
use std::fs;

/// Starts of each program in each run.
const STARTS: usize = 20;

struct Subject {
    name: &'static str,
    words: Vec<String>,
    /// What its first whole frame says at its end; without it, the program's end is waited for.
    says: Option<&'static str>,
    times: Times,
}

fn subject(name: &'static str, words: &[&str], says: Option<&'static str>) -> Subject {
    Subject {
        name,
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        says,
        times: Times::default(),
    }
}

fn subjects(text: &str) -> Vec<Subject> {
    let mut all = vec![
        subject("`true`, start to end", &["true"], None),
        subject("`glueup`", &[GLUEUP], Some("q quit")),
        subject(
            "`glueup demo`, its AWS included",
            &[GLUEUP, "demo"],
            Some("q quit"),
        ),
        subject("`glueup --help`, start to end", &[GLUEUP, "--help"], None),
        subject(
            "`glueup quote`, start to end",
            &[GLUEUP, "quote", "my table"],
            None,
        ),
    ];
    // vim without a swap file: one left by a killed vim would make the next ask
    for (name, words, says) in [
        ("`less` on a small file", vec!["less", text], "(END)"),
        ("`htop`", vec!["htop"], "F10"),
        ("`vim -u NONE`", vec!["vim", "-n", "-u", "NONE", text], "140"),
        ("`vim`", vec!["vim", "-n", text], "140"),
        ("`mc`", vec!["mc"], "10"),
    ] {
        if installed(words[0]) {
            all.push(subject(name, &words, Some(says)));
        } else {
            eprintln!("skipped: {} is not installed", words[0]);
        }
    }
    all
}

pub fn measure(runs: usize) {
    let home = Home::new();
    let text = home.path().join("text.txt");
    fs::write(&text, "a line\n".repeat(20)).unwrap();
    let mut subjects = subjects(&text.display().to_string());
    // what is read from the disk for the first time would count as the first run's
    once(&home, &mut subjects);
    for run in 0..runs {
        eprintln!("start: run {} of {runs}", run + 1);
        subjects.iter_mut().for_each(|subject| subject.times.run());
        for _ in 0..STARTS {
            once(&home, &mut subjects);
        }
    }
    let floor = &subjects[0].times;
    let rows: Vec<Vec<String>> = subjects
        .iter()
        .map(|subject| {
            vec![
                subject.name.to_owned(),
                subject.times.spread(0.5),
                subject.times.spread(0.9),
                subject.times.ratio(floor, 0.5),
            ]
        })
        .collect();
    let title = format!("Start to first frame ({runs} runs of {STARTS} starts each)");
    table(&title, &["", "p50, ms", "p90, ms", "p50 ÷ `true`"], &rows);
}

fn once(home: &Home, subjects: &mut [Subject]) {
    for subject in subjects {
        let words: Vec<&str> = subject.words.iter().map(String::as_str).collect();
        let mut program = Program::start(home, &words);
        let at = match subject.says {
            Some(says) => program.until_text(says),
            None => program.ended(),
        };
        if subject.times.has_begun() {
            subject.times.push(at - program.started);
        }
    }
}
