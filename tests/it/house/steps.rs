//! A next step of several lines goes by `Problem::with_steps`: `Problem::new` takes a line end for what a name smuggled in, and
//! draws it as a sign, so that nothing of it can be pasted.

use super::Breach;

/// What makes a problem of texts that are scrubbed as one line each.
const MAKERS: [&str; 2] = ["Problem::new(", "usage("];

/// Calls of those with a line end in one of their literals.
pub fn of_several_lines(file: &str, text: &str) -> Vec<Breach> {
    let mut out = Vec::new();
    for maker in MAKERS {
        for (at, _) in text.match_indices(maker) {
            let call = call(&text[at + maker.len()..]);
            if has_line_end(call) {
                out.push(Breach {
                    file: file.to_string(),
                    line: text[..at].lines().count().max(1),
                    why: "a problem's text of several lines: give the steps to with_steps".to_string(),
                });
            }
        }
    }
    out
}

/// The arguments, up to the parenthesis that ends them.
fn call(text: &str) -> &str {
    let (mut depth, mut quoted, mut escaped) = (1, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

fn has_line_end(call: &str) -> bool {
    let mut escaped = false;
    for c in call.chars() {
        match c {
            'n' if escaped => return true,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_end_in_a_problem_is_found() {
        let bad = "fn x() {\n    Problem::new(k, \"a (b)\", \"c\", format!(\"see:\\naws {}\", f(1)))\n}";
        assert_eq!(of_several_lines("a.rs", bad)[0].line, 2);
        for good in [
            "Problem::new(k, \"a\", \"b\", \"\").with_steps(\"see:\\naws x\")",
            "Problem::new(k, \"a\\\\nb\", \"b\", \"a \\\n b\")",
        ] {
            assert_eq!(of_several_lines("a.rs", good), []);
        }
    }
}
