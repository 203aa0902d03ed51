//! What is said when the command line itself cannot be understood, or asks for help.

use crate::domain::problem::{Kind, Problem};
use crate::domain::text;
use clap::error::ContextValue;
use std::ffi::OsString;
use std::io::Write;

/// Writes the parser's help (stdout) or complaint (stderr); returns the exit code.
///
/// With `--output json` on the line, however broken the rest, the last line of stderr is the JSON error.
pub fn refuse(error: &clap::Error, arguments: &[OsString]) -> u8 {
    let rendered = rendered(error);
    if !error.use_stderr() {
        // Help into a pipe that nobody reads to its end is no failure.
        let _ = std::io::stdout().write_all(rendered.as_bytes());
        return 0;
    }
    // Nobody can be told that stderr is gone.
    let mut stderr = std::io::stderr();
    let _ = stderr.write_all(rendered.as_bytes());
    let problem = problem(&rendered);
    if wants_json(arguments) {
        let _ = writeln!(stderr, "{}", serde_json::json!({ "error": problem }));
    }
    problem.exit_code()
}

/// What the parser says. It repeats what was typed, whose line ends must not pass for the parser's own.
fn rendered(error: &clap::Error) -> String {
    let mut rendered = error.render().to_string();
    for (_, value) in error.context() {
        if let ContextValue::String(typed) = value
            && typed.contains(char::is_control)
        {
            rendered = rendered.replace(typed.as_str(), &text::scrub(typed));
        }
    }
    clean(&rendered)
}

/// The parser repeats what was typed: line ends are its own, every other control character is not.
fn clean(rendered: &str) -> String {
    rendered
        .split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => text::scrub(line) + "\n",
            None => text::scrub(line),
        })
        .collect()
}

fn problem(rendered: &str) -> Problem {
    // The complaint may take several lines, such as a list of what is missing; an empty one ends it.
    let lines: Vec<&str> = rendered
        .lines()
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    let said = lines.join(" ");
    let what = said.strip_prefix("error: ").unwrap_or(&said);
    Problem::new(
        Kind::Usage,
        what,
        "the command line cannot be understood",
        "glueup --help shows what can be given",
    )
}

fn wants_json(arguments: &[OsString]) -> bool {
    let follows = arguments
        .windows(2)
        .any(|pair| matches!(pair, [flag, form] if flag == "--output" && form == "json"));
    follows || arguments.iter().any(|argument| argument == "--output=json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::Parser;

    fn rendered(line: &[&str]) -> String {
        super::rendered(&Cli::try_parse_from(line).unwrap_err())
    }

    #[test]
    fn a_wrong_word_is_named_with_its_reason_and_shape() {
        let text = rendered(&["glueup", "connection", "add", "--name", "n", "--account-id", "12"]);
        assert!(
            text.contains("--account-id") && text.contains("12 digits"),
            "{text}"
        );
    }

    #[test]
    fn all_of_a_long_complaint_is_the_problem() {
        let missing = problem(&rendered(&["glueup", "catalog", "add"]));
        assert!(missing.what.contains("--name"), "{}", missing.what);
        let typed = problem(&rendered(&["glueup", "catalog", "add", "--name", "a\nb"]));
        assert!(typed.what.contains("more than one line"), "{}", typed.what);
    }

    #[test]
    fn what_was_typed_cannot_steer_the_terminal() {
        let text = rendered(&["glueup", "ve\u{202e}ri\u{1b}[2Jfy\u{7}"]);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        assert!(text.contains("ve<U+202E>ri"), "{text:?}");
    }

    #[test]
    fn a_line_end_in_a_word_does_not_cut_the_reason_off() {
        for name in ["two\nlines", "two\r\n\r\nlines\n"] {
            let text = rendered(&["glueup", "connection", "add", "--name", name]);
            let what = problem(&text).what;
            for word in ["two", "lines", "--name", "more than one line", "Expected: "] {
                assert!(what.contains(word), "{what:?}");
            }
        }
    }

    #[test]
    fn json_is_asked_for_in_either_spelling() {
        let wants = |line: &str| wants_json(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(wants("glueup --output json nonsense"));
        assert!(wants("glueup nonsense --output=json"));
        assert!(!wants("glueup --output text json"));
    }
}
