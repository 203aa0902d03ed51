//! The second pass: from the outer bracket inwards, each level walked once.

use super::scan::{Scanned, scan};
use super::{DEPTH, Field, HiveType, Unreadable, words};

/// As much of a name as an error repeats.
const SHOWN: usize = 40;

pub(super) fn read(text: &str) -> Result<HiveType, Unreadable> {
    let scanned = scan(text)?;
    let end = scanned.chars.len();
    kind(&scanned, 0, end, 0)
}

fn refused<T>(offset: usize, why: impl Into<String>) -> Result<T, Unreadable> {
    Err(Unreadable {
        offset,
        why: why.into(),
    })
}

/// A type in `from..to`.
fn kind(text: &Scanned, from: usize, to: usize, depth: usize) -> Result<HiveType, Unreadable> {
    let (start, end) = text.trimmed(from, to);
    if start == end {
        return refused(start, "expected a type");
    }
    let Some(open) = bracket(text, start, end)? else {
        return Ok(words::leaf(&text.text(start, end)));
    };
    // The first pass has paired every bracket.
    let close = text.partner(open).unwrap_or(end);
    if close + 1 < end {
        let (rest, _) = text.trimmed(close + 1, end);
        return refused(
            rest,
            format!("unexpected {} after the type", shown(text, rest, end)),
        );
    }
    if depth >= DEPTH {
        return Ok(HiveType::Deep(text.text(start, end)));
    }
    let (head, head_end) = text.trimmed(start, open);
    let inside = open + 1;
    let word = text.text(head, head_end).to_lowercase();
    let parts = |least: usize, most: usize, says: &str| {
        let parts = parts(text, inside, close);
        if (least..=most).contains(&parts.len()) {
            return parts
                .into_iter()
                .map(|(from, to)| kind(text, from, to, depth + 1))
                .collect::<Result<Vec<_>, _>>();
        }
        refused(inside, format!("{says}, found {}", parts.len()))
    };
    match word.as_str() {
        "array" => {
            let mut parts = parts(1, 1, "expected the one type of its elements")?.into_iter();
            match parts.next() {
                Some(element) => Ok(HiveType::Array(Box::new(element))),
                None => refused(inside, "expected a type"),
            }
        }
        "map" => {
            let mut parts = parts(2, 2, "expected the types of key and value")?.into_iter();
            match (parts.next(), parts.next()) {
                (Some(key), Some(value)) => Ok(HiveType::Map(Box::new(key), Box::new(value))),
                _ => refused(inside, "expected a type"),
            }
        }
        "uniontype" => Ok(HiveType::Union(parts(1, usize::MAX, "expected its branches")?)),
        "struct" => fields(text, inside, close, depth).map(HiveType::Struct),
        _ => Ok(HiveType::Unknown(text.text(start, end))),
    }
}

/// The first `<` of the level; an error for a separator before it, which no type has.
fn bracket(text: &Scanned, start: usize, end: usize) -> Result<Option<usize>, Unreadable> {
    let mut index = start;
    while index < end {
        match text.at(index) {
            Some('<') => return Ok(Some(index)),
            Some(c @ (':' | ',')) => return refused(index, format!("unexpected '{c}'")),
            _ => index = text.next(index),
        }
    }
    Ok(None)
}

/// The stretches between the commas of a level; none for a level with nothing but blanks.
fn parts(text: &Scanned, from: usize, to: usize) -> Vec<(usize, usize)> {
    let (start, end) = text.trimmed(from, to);
    if start == end {
        return Vec::new();
    }
    let (mut parts, mut begin, mut index) = (Vec::new(), from, from);
    while index < to {
        if text.at(index) == Some(',') {
            parts.push((begin, index));
            begin = index + 1;
        }
        index = text.next(index);
    }
    parts.push((begin, to));
    parts
}

fn fields(text: &Scanned, from: usize, to: usize, depth: usize) -> Result<Vec<Field>, Unreadable> {
    parts(text, from, to)
        .into_iter()
        .map(|(from, to)| field(text, from, to, depth))
        .collect()
}

/// `name:type`. A name may hold colons: the last one of the level is the one that a whole type follows, since no type
/// has a colon outside its brackets.
fn field(text: &Scanned, from: usize, to: usize, depth: usize) -> Result<Field, Unreadable> {
    let (start, end) = text.trimmed(from, to);
    if start == end {
        return refused(start, "expected a field");
    }
    let quoted = text.partner(start).filter(|_| text.at(start) == Some('`'));
    let colon = match quoted {
        Some(close) => {
            let (colon, _) = text.trimmed(close + 1, end);
            Some(colon).filter(|colon| *colon < end && text.at(*colon) == Some(':'))
        }
        None => last_colon(text, start, end),
    };
    let Some(colon) = colon else {
        let after = quoted.map_or(end, |close| close + 1);
        return refused(after, format!("expected ':' after {}", shown(text, start, after)));
    };
    let name = match quoted {
        Some(close) => text.text(start + 1, close).replace("``", "`"),
        None => {
            let (from, to) = text.trimmed(start, colon);
            text.text(from, to)
        }
    };
    if name.is_empty() {
        return refused(start, "expected a field name before ':'");
    }
    let (end, comment) = comment(text, colon + 1, end);
    let (end, required) = not_null(text, colon + 1, end);
    Ok(Field {
        ambiguous: name.contains([':', ',', '<', '>', '`']),
        name,
        kind: kind(text, colon + 1, end, depth + 1)?,
        comment,
        required,
    })
}

fn last_colon(text: &Scanned, start: usize, end: usize) -> Option<usize> {
    let (mut last, mut index) = (None, start);
    while index < end {
        if text.at(index) == Some(':') {
            last = Some(index);
        }
        index = text.next(index);
    }
    last
}

/// Takes `COMMENT '…'` off the end of a field.
fn comment(text: &Scanned, from: usize, to: usize) -> (usize, Option<String>) {
    let mut index = from;
    while index < to {
        if text.at(index) == Some('\'')
            && let Some(close) = text.partner(index)
            && close + 1 == to
        {
            // The first pass has seen the word before the quote.
            let (_, word) = text.trimmed(from, index);
            let said = unescaped(&text.text(index + 1, close));
            return (
                text.trimmed(from, word.saturating_sub("comment".len())).1,
                Some(said),
            );
        }
        index = text.next(index);
    }
    (to, None)
}

fn unescaped(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => said.extend(chars.next()),
            '\'' if chars.peek() == Some(&'\'') => {
                chars.next();
                said.push('\'');
            }
            c => said.push(c),
        }
    }
    said
}

/// Takes `NOT NULL` off the end of a field.
fn not_null(text: &Scanned, from: usize, to: usize) -> (usize, bool) {
    let without = |end: usize, word: &str| {
        let (_, end) = text.trimmed(from, end);
        let start = end.checked_sub(word.len()).filter(|start| *start > from)?;
        (text.text(start, end).eq_ignore_ascii_case(word)).then_some(start)
    };
    let blank_before = |index: usize| {
        index
            .checked_sub(1)
            .and_then(|i| text.at(i))
            .is_some_and(char::is_whitespace)
    };
    without(to, "null")
        .filter(|null| blank_before(*null))
        .and_then(|null| without(null, "not"))
        .filter(|not| blank_before(*not))
        .map_or((to, false), |not| (text.trimmed(from, not).1, true))
}

fn shown(text: &Scanned, from: usize, to: usize) -> String {
    let (from, to) = text.trimmed(from, to);
    if to - from > SHOWN {
        return format!("'{}…'", text.text(from, from + SHOWN));
    }
    format!("'{}'", text.text(from, to))
}
