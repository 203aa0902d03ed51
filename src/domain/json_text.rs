//! JSON as text that is safe to draw: for terminals, and for documents that are read before they are used.

use super::text;
use serde_json::Value;

/// A value over several lines, each with what could steer a terminal or hide written as its escape. Ends a line.
pub fn pretty(value: &Value) -> String {
    // The lines of `{:#}` are JSON's own; a line end in a text is an escape already.
    let lines = format!("{value:#}");
    let mut out = String::with_capacity(lines.len() + 1);
    for line in lines.lines() {
        out.push_str(&safe(line));
        out.push('\n');
    }
    out
}

/// JSON in which every character that could steer a terminal or hide is written as its escape: the value stays exact.
pub fn safe(json: &str) -> String {
    if json.is_ascii() && !json.contains('\u{7f}') {
        return json.to_owned();
    }
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        let mut utf8 = [0; 4];
        let shown: &str = c.encode_utf8(&mut utf8);
        if c.is_ascii_graphic() || c == ' ' || text::scrub(shown) == shown {
            safe.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            safe.push_str(&format!("\\u{unit:04x}"));
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_jsons_own_and_the_value_is_kept() {
        let value = serde_json::json!({"Sid": "a\u{202e}b\nc", "Resource": ["x", "\u{9b}2J"]});
        let text = pretty(&value);
        assert_eq!(text.lines().count(), 7, "{text}");
        assert!(text.ends_with("}\n") && text.contains("\\u202e") && text.contains("\\u009b"));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn json_keeps_the_value_and_shows_no_control() {
        for name in [
            "plain",
            "日本語",
            "a\u{1b}]52;c;x\u{7}",
            "a\u{202e}b",
            "\u{9b}2J",
            "\u{7f}",
            "\u{e0041}",
            "\"\\",
        ] {
            let safe = safe(&serde_json::to_string(name).unwrap());
            assert!(safe.chars().all(|c| !c.is_control()), "{safe:?}");
            assert!(!safe.contains('\u{202e}'));
            assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), name);
        }
    }
}
