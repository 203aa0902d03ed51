//! What the YAML reader says, in users' words, and how to mend it.

/// The line to look at, the reason, and the mend.
pub(super) fn words(reason: &str, text: &str, line: u64) -> (u64, String, String) {
    let reason = strip_position(reason);
    let lower = reason.to_lowercase();
    let key = nth(text, line).split_once(':').map_or("", |(key, _)| key.trim());
    let said = |next: String| (line, reason.to_owned(), next);
    if lower.starts_with("duplicate") {
        let why = if key.is_empty() {
            "a key stands there twice".to_owned()
        } else {
            format!("{key} stands there twice")
        };
        return (
            line,
            why,
            format!("Keep one of the two (line {line} is the second)"),
        );
    }
    if lower.contains("found a tab") || lower.contains("tabs disallowed") {
        // The reader points at the value that it was reading; the tab is there or on the next line.
        let line = if nth(text, line).contains('\t') {
            line
        } else {
            line + 1
        };
        return (
            line,
            reason.to_owned(),
            format!("Line {line}: use blanks, not tabs"),
        );
    }
    let null = lower.starts_with("cannot deserialize null into string");
    let why = if null {
        "the value is empty or null, and text is needed"
    } else {
        reason
    };
    if key == "account_id" {
        let next =
            format!("Line {line}: put the account ID in quotes, all 12 digits: account_id: \"012345678901\"");
        return (line, why.to_owned(), next);
    }
    if null {
        return (
            line,
            why.to_owned(),
            format!("Line {line}: put the value in quotes"),
        );
    }
    if lower.starts_with("unknown field") {
        return said(format!("Line {line}: correct the name of the key, or remove it"));
    }
    if lower.starts_with("missing field") {
        return said("Add the key that is missing".to_owned());
    }
    said(format!(
        "Mend line {line}, or restore the file from git or a copy"
    ))
}

/// A line, counted from 1.
pub(super) fn nth(text: &str, line: u64) -> &str {
    let index = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    text.lines().nth(index).unwrap_or("")
}

/// The position is said once, in front.
fn strip_position(reason: &str) -> &str {
    let end = reason
        .find(" at line ")
        .or_else(|| reason.find(" (line "))
        .unwrap_or(reason.len());
    let reason = reason.get(..end).unwrap_or(reason);
    reason.strip_prefix("error: ").unwrap_or(reason)
}
