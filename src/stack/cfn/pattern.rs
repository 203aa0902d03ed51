//! `AllowedPattern`, a regular expression in Java's dialect, read by Rust's.

use super::TemplateError;
use regex::Regex;

/// Whether the whole of `value` matches. Java's `\w`, `\d` and `\s` are ASCII, Rust's are not: they are written out.
pub(super) fn matches(pattern: &str, value: &str) -> Result<bool, TemplateError> {
    let regex = Regex::new(&format!(r"\A(?:{})\z", ascii_classes(pattern))).map_err(|_| {
        TemplateError::format(format!(
            "the AllowedPattern {pattern} is not a regular expression"
        ))
    })?;
    Ok(regex.is_match(value))
}

fn ascii_classes(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('w') => out.push_str("[A-Za-z0-9_]"),
            Some('W') => out.push_str("[^A-Za-z0-9_]"),
            Some('d') => out.push_str("[0-9]"),
            Some('D') => out.push_str("[^0-9]"),
            Some('s') => out.push_str(r"[ \t\n\x0B\f\r]"),
            Some('S') => out.push_str(r"[^ \t\n\x0B\f\r]"),
            // Java allows a backslash before any character that is no letter; Rust only before some.
            Some(c) if c.is_ascii_alphanumeric() => out.extend(['\\', c]),
            Some(c) => out.push_str(&regex::escape(&c.to_string())),
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_value_must_match_and_classes_are_ascii() {
        for (pattern, value, expected) in [
            (r"^\d{12}$", "012345678901", true),
            (r"^\d{12}$", "012345678901\n", false),
            (r"\d{12}", "x012345678901", false),
            (r"^\d{12}$", "٠12345678901", false),
            (r"^[\w+=,.@:/-]+$", "gu-1,x@y:z/_", true),
            (r"^[\w+=,.@:\/-]+$", "a/b", true),
            (r"^[\w+=,.@:/-]+$", "é", false),
            (r"^[\w+=,.@:/-]+$", "a b", false),
            (r"^$|^([^*?$]|\$\{[*?$]\})*/$", "", true),
            (r"^$|^([^*?$]|\$\{[*?$]\})*/$", "a/${*}b/", true),
            (r"^$|^([^*?$]|\$\{[*?$]\})*/$", "a/*/", false),
            (r"^$|^([^*?$]|\$\{[*?$]\})*/$", "a/b", false),
            (r"^$|^([^*?$]|\$\{[*?$]\})*/$", "a/${aws:username}/", false),
            (r"^/([!-~]+/)?$", "/", true),
            (r"^/([!-~]+/)?$", "/a/b/", true),
            (r"^/([!-~]+/)?$", "a/", false),
        ] {
            assert_eq!(matches(pattern, value).unwrap(), expected, "{pattern} {value:?}");
        }
    }

    #[test]
    fn a_broken_pattern_is_an_error_not_a_match() {
        assert!(matches("[", "x").is_err());
    }
}
