//! Rules about a text as such: its length, its words, the lints it turns on.

use super::Breach;
use regex::Regex;

/// From this many lines on a file is long.
const LONG: usize = 400;
/// How many long files the house bears.
const AT_MOST: usize = 5;

/// `sizes`: files with their lines. `listed`: a line a file, its path, then why it is one file all the same.
pub fn long_files(sizes: &[(String, usize)], listed: &str) -> Vec<Breach> {
    let entries: Vec<(usize, &str, &str)> = listed
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'))
        .map(|(n, l)| {
            let (path, reason) = l.split_once(char::is_whitespace).unwrap_or((l, ""));
            (n + 1, path, reason.trim())
        })
        .collect();
    let list = "tests/it/house/long_files.txt";
    let breach = |file: &str, line, why: String| Breach {
        file: file.to_string(),
        line,
        why,
    };
    let mut out = Vec::new();
    for (line, path, reason) in &entries {
        match sizes.iter().find(|(name, _)| name == path) {
            None => out.push(breach(list, *line, format!("{path} is not there"))),
            Some((_, lines)) if *lines <= LONG => {
                out.push(breach(
                    list,
                    *line,
                    format!("{path} has {lines} lines only: take it off the list"),
                ));
            }
            Some(_) if reason.len() < 20 => out.push(breach(list, *line, format!("{path} has no reason"))),
            Some(_) => {}
        }
    }
    if entries.len() > AT_MOST {
        out.push(breach(
            list,
            1,
            format!(
                "{} long files are listed, at most {AT_MOST} may be",
                entries.len()
            ),
        ));
    }
    for (name, lines) in sizes.iter().filter(|(_, lines)| *lines > LONG) {
        if !entries.iter().any(|(_, path, _)| path == name) {
            out.push(breach(
                name,
                LONG,
                format!("{lines} lines: split it by purpose, or list it with a reason"),
            ));
        }
    }
    out
}

/// Paths that exist on this machine only, and marks of unfinished work. `places` are folders of this machine: the
/// home of whoever works here, the folder of the project.
pub fn unfit_words(file: &str, text: &str, places: &[String]) -> Vec<Breach> {
    let place = |p: &String| format!(r"(^|[^\w.~}}/-]){}(/|$)", regex::escape(p.trim_end_matches('/')));
    let mut rules: Vec<(String, &str)> = places
        .iter()
        .filter(|p| p.len() > 1)
        .map(|p| (place(p), "a path of one machine"))
        .collect();
    // put together here, so that this file itself does not hold it
    rules.push((
        ["\\b(TO", "DO|FIX", "ME|X", "XX)\\b"].concat(),
        "a mark of unfinished work",
    ));
    let nameless = r"(?i)(^|[^\w/#])issue\s+#?\d+\b";
    rules.push((
        nameless.into(),
        "a number that means nothing to a reader of this text",
    ));
    let rules: Vec<(Regex, &str)> = rules
        .into_iter()
        .map(|(p, why)| (Regex::new(&p).unwrap(), why))
        .collect();
    let mut out = Vec::new();
    for (n, line) in text.lines().enumerate() {
        for (pattern, why) in &rules {
            if let Some(found) = pattern.find(line) {
                let why = format!("{why}: `{}`", found.as_str().trim());
                out.push(Breach {
                    file: file.to_string(),
                    line: n + 1,
                    why,
                });
            }
        }
    }
    out
}

/// Whether the module refuses, by lint, what `clippy.toml` lists: files, clocks, environment, network, processes.
pub fn denies_outside_world(text: &str) -> bool {
    let attribute = Regex::new(r"(?m)^#!\[deny\(([^)]*)\)\]").unwrap();
    let denied: String = attribute
        .captures_iter(text)
        .map(|c| c[1].to_string())
        .collect::<Vec<_>>()
        .join(",");
    ["clippy::disallowed_methods", "clippy::disallowed_types"]
        .iter()
        .all(|lint| denied.contains(lint))
}

/// Paths of the project that a guide names, in code marks or as the target of a link, and that are not there.
pub fn lost_paths(file: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<Breach> {
    let named = r"[`(]((?:src|docs|tests|assets|templates|scripts|benches|\.ci)/[\w./-]*)";
    let named = Regex::new(named).unwrap();
    let mut out = Vec::new();
    for (n, line) in text.lines().enumerate() {
        for found in named.captures_iter(line) {
            // what a pattern such as `templates/*.yaml` begins with must be there
            let path = found[1].trim_end_matches(['/', '.']);
            if !exists(path) {
                let why = format!("{path} is not there");
                out.push(Breach {
                    file: file.to_string(),
                    line: n + 1,
                    why,
                });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(list: &[(&str, usize)]) -> Vec<(String, usize)> {
        list.iter().map(|(n, l)| (n.to_string(), *l)).collect()
    }

    #[test]
    fn a_long_file_needs_a_place_on_the_list() {
        let why = long_files(&sizes(&[("src/a.rs", 401), ("src/b.rs", 400)]), "# none\n");
        assert_eq!(why.len(), 1);
        assert_eq!(why[0].file, "src/a.rs");
        let listed = "src/a.rs  one table of the type grammar, read from top to bottom\n";
        assert_eq!(long_files(&sizes(&[("src/a.rs", 401)]), listed), []);
    }

    #[test]
    fn the_list_holds_only_long_files_with_reasons_and_at_most_five() {
        let say = |sizes: &[(String, usize)], l: &str| {
            long_files(sizes, l)
                .iter()
                .map(|b| b.why.clone())
                .collect::<Vec<_>>()
        };
        assert!(
            say(
                &sizes(&[("src/a.rs", 30)]),
                "src/a.rs it was long once, and that is why\n"
            )[0]
            .contains("take it off")
        );
        assert!(say(&sizes(&[("src/a.rs", 500)]), "src/a.rs\n")[0].contains("no reason"));
        assert!(say(&[], "src/gone.rs it was long once, and that is why\n")[0].contains("is not there"));
        let six: Vec<(String, usize)> = (0..6).map(|n| (format!("src/{n}.rs"), 500)).collect();
        let listed: String = six
            .iter()
            .map(|(n, _)| format!("{n} a reason that is long enough\n"))
            .collect();
        assert!(say(&six, &listed)[0].contains("at most 5"));
    }

    #[test]
    fn machine_paths_and_open_ends_are_found() {
        let places = ["/here/ann".to_string(), "/".to_string(), String::new()];
        for text in [
            "see /here/ann/x",
            "\"/here/ann/.cache/x\"",
            "cd /here/ann",
            &["// TO", "DO later"].concat(),
            &["fixes iss", "ue #12"].concat(),
        ] {
            assert_eq!(unfit_words("a.rs", text, &places).len(), 1, "{text}");
        }
        for text in [
            "$HOME/.cache/x",
            "/home/me/.aws/config",
            "s3://lake/here/ann/x",
            "/here/anna/x",
            "trinodb/trino#24811",
            "the issue is 3 s old",
        ] {
            assert_eq!(unfit_words("a.rs", text, &places), [], "{text}");
        }
    }

    #[test]
    fn a_guide_to_a_file_that_is_gone_is_found() {
        let text =
            "see `src/a.rs`, `templates/*.yaml`, `docs/`\nand ![x](docs/gone.png), not src/said/in/words\n";
        let there = ["src/a.rs", "templates", "docs"];
        let lost = lost_paths("README.md", text, |path| there.contains(&path));
        assert_eq!(lost.len(), 1);
        assert_eq!(
            (lost[0].line, lost[0].why.as_str()),
            (2, "docs/gone.png is not there")
        );
    }

    #[test]
    fn both_lints_must_be_denied() {
        assert!(denies_outside_world(
            "//! x\n#![deny(clippy::disallowed_methods, clippy::disallowed_types)]\n"
        ));
        assert!(!denies_outside_world("#![deny(clippy::disallowed_methods)]\n"));
        assert!(!denies_outside_world(
            "// #![deny(clippy::disallowed_methods, clippy::disallowed_types)]\n"
        ));
    }
}
