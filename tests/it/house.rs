//! The rules of the house, checked: who imports whom, how long a file may be, what a text may not hold.
//!
//! The checkers are pure functions over text, so that each rule is also tried on a text that breaks it.

mod imports;
mod lexer;
mod modules;
mod steps;
mod texts;
mod tree;

use std::path::PathBuf;

/// One breach of a rule, worded so that the reader can go and mend it.
#[derive(Debug, PartialEq, Eq)]
struct Breach {
    file: String,
    line: usize,
    why: String,
}

impl std::fmt::Display for Breach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.why)
    }
}

fn top() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn assert_none(breaches: &[Breach]) {
    let list: Vec<String> = breaches.iter().map(ToString::to_string).collect();
    assert!(
        list.is_empty(),
        "the rules of the house are broken:\n{}",
        list.join("\n")
    );
}

#[test]
fn rooms_import_only_what_they_may() {
    let mut breaches = Vec::new();
    let files = tree::files(&top(), &["src"], &["rs"]);
    assert!(files.len() > 10, "the walk found {} files only", files.len());
    for (name, text) in files {
        breaches.extend(imports::check(&name, &text));
    }
    assert_none(&breaches);
}

#[test]
fn the_pure_rooms_deny_io_clock_and_environment() {
    let mut seen = 0;
    for room in ["domain", "tui/update", "tui/view"] {
        let candidates = [format!("src/{room}/mod.rs"), format!("src/{room}.rs")];
        let Some(text) = candidates
            .iter()
            .find_map(|c| std::fs::read_to_string(top().join(c)).ok())
        else {
            continue;
        };
        seen += 1;
        assert!(
            texts::denies_outside_world(&text),
            "src/{room}: its first lines must have `#![deny(clippy::disallowed_methods, clippy::disallowed_types)]`"
        );
    }
    assert!(seen > 0, "none of the pure rooms was found");
}

#[test]
fn long_files_are_few_and_each_has_its_reason() {
    let files = tree::files(&top(), &["src", "tests", "benches"], &["rs"]);
    let sizes: Vec<(String, usize)> = files.into_iter().map(|(n, t)| (n, t.lines().count())).collect();
    let listed = std::fs::read_to_string(top().join("tests/it/house/long_files.txt")).unwrap();
    assert_none(&texts::long_files(&sizes, &listed));
}

#[test]
fn every_file_is_part_of_a_program() {
    assert_none(&modules::unnamed(&tree::files(
        &top(),
        &["src", "tests", "benches"],
        &["rs"],
    )));
}

#[test]
fn no_text_names_a_machine_or_leaves_work_open() {
    let kinds = [
        "rs", "md", "toml", "yaml", "yml", "py", "sh", "txt", "html", "js", "css", "j2", "run", "check",
    ];
    let mut breaches = Vec::new();
    let roots = [
        "src",
        "tests",
        "benches",
        "docs",
        "templates",
        "assets",
        "scripts",
        ".ci",
        ".",
    ];
    let places = [
        top().display().to_string(),
        std::env::var("HOME").unwrap_or_default(),
    ];
    for (name, text) in tree::files(&top(), &roots, &kinds) {
        breaches.extend(texts::unfit_words(&name, &text, &places));
    }
    assert_none(&breaches);
}

#[test]
fn next_steps_of_several_lines_can_be_pasted() {
    let mut breaches = Vec::new();
    for (name, text) in tree::files(&top(), &["src"], &["rs"]) {
        breaches.extend(steps::of_several_lines(&name, &text));
    }
    assert_none(&breaches);
}

#[test]
fn the_guides_lead_to_files_that_are_there() {
    let mut breaches = Vec::new();
    for name in ["README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md"] {
        let text = std::fs::read_to_string(top().join(name)).unwrap();
        breaches.extend(texts::lost_paths(name, &text, |path| top().join(path).exists()));
    }
    assert_none(&breaches);
}
