//! The first pass: which bracket closes which, and which stretches are one thing (a quoted name, a length in parentheses,
//! a comment). After it every level can be walked without looking into the levels below, so that reading stays linear.

use super::Unreadable;

/// A text with its partners.
pub(super) struct Scanned {
    /// The characters.
    pub chars: Vec<char>,
    /// For an opening character the index of the one that closes it; 0 for all others, since nothing closes at 0.
    partner: Vec<usize>,
}

impl Scanned {
    /// The character at an index.
    pub fn at(&self, index: usize) -> Option<char> {
        self.chars.get(index).copied()
    }

    /// What closes the opening character at an index.
    pub fn partner(&self, index: usize) -> Option<usize> {
        self.partner.get(index).copied().filter(|close| *close > 0)
    }

    /// The index after the character at `index`, or after what it opens.
    pub fn next(&self, index: usize) -> usize {
        self.partner(index).unwrap_or(index) + 1
    }

    /// A stretch as text.
    pub fn text(&self, from: usize, to: usize) -> String {
        self.chars.get(from..to).unwrap_or_default().iter().collect()
    }

    /// A stretch without the blanks around it.
    pub fn trimmed(&self, mut from: usize, mut to: usize) -> (usize, usize) {
        while from < to && self.at(from).is_some_and(char::is_whitespace) {
            from += 1;
        }
        while from < to && self.at(to - 1).is_some_and(char::is_whitespace) {
            to -= 1;
        }
        (from, to)
    }

    /// Whether the stretch that ends before `end` is the word, in any case, with nothing of a word before it.
    fn word_before(&self, end: usize, word: &str) -> bool {
        let mut end = end;
        while end > 0 && self.at(end - 1).is_some_and(char::is_whitespace) {
            end -= 1;
        }
        let Some(start) = end.checked_sub(word.len()) else {
            return false;
        };
        let same = self.chars.get(start..end).is_some_and(|found| {
            found
                .iter()
                .copied()
                .map(|c| c.to_ascii_lowercase())
                .eq(word.chars())
        });
        let begins = start.checked_sub(1).and_then(|before| self.at(before));
        same && begins.is_none_or(|c| c.is_whitespace() || matches!(c, '<' | ',' | ':'))
    }
}

/// Finds the partners.
pub(super) fn scan(text: &str) -> Result<Scanned, Unreadable> {
    let chars: Vec<char> = text.chars().collect();
    let partner = vec![0; chars.len()];
    let mut scanned = Scanned { chars, partner };
    // The open brackets, each with whether it is a struct's.
    let mut open: Vec<(usize, bool)> = Vec::new();
    // A name may begin here: only there is a backtick a quote.
    let mut at_name = false;
    let mut index = 0;
    while let Some(c) = scanned.at(index) {
        let in_struct = open.last().is_some_and(|(_, is_struct)| *is_struct);
        let close = match c {
            '`' if at_name => Some(
                quoted(&scanned, index, '`')
                    .ok_or_else(|| unclosed(index, "the name that begins with ` is never closed"))?,
            ),
            '\'' if in_struct && scanned.word_before(index, "comment") => Some(
                quoted(&scanned, index, '\'')
                    .ok_or_else(|| unclosed(index, "the comment is never closed"))?,
            ),
            '(' => length(&scanned, index),
            _ => None,
        };
        if let Some(close) = close {
            if let Some(slot) = scanned.partner.get_mut(index) {
                *slot = close;
            }
            at_name = false;
            index = close + 1;
            continue;
        }
        match c {
            '<' => {
                let is_struct = scanned.word_before(index, "struct");
                open.push((index, is_struct));
                at_name = is_struct;
            }
            '>' => {
                let Some((opened, _)) = open.pop() else {
                    return Err(unclosed(index, "unexpected '>'"));
                };
                if let Some(slot) = scanned.partner.get_mut(opened) {
                    *slot = index;
                }
                at_name = false;
            }
            ',' => at_name = in_struct,
            c if !c.is_whitespace() => at_name = false,
            _ => {}
        }
        index += 1;
    }
    match open.last() {
        Some((opened, _)) => Err(unclosed(*opened, "this '<' is never closed")),
        None => Ok(scanned),
    }
}

fn unclosed(offset: usize, why: &str) -> Unreadable {
    Unreadable {
        offset,
        why: why.to_owned(),
    }
}

/// The index of the closing quote; a doubled one stands for itself, and so does one after a backslash in a comment.
fn quoted(scanned: &Scanned, open: usize, quote: char) -> Option<usize> {
    let mut index = open + 1;
    while let Some(c) = scanned.at(index) {
        if c == '\\' && quote == '\'' {
            index += 2;
        } else if c != quote {
            index += 1;
        } else if scanned.at(index + 1) == Some(quote) {
            index += 2;
        } else {
            return Some(index);
        }
    }
    None
}

/// The index that closes `(10)` or `(10, 2)`. Any other parenthesis is a sign like others: it may stand in a name.
fn length(scanned: &Scanned, open: usize) -> Option<usize> {
    let mut index = open + 1;
    let mut commas = 0;
    let mut digits = 0;
    loop {
        match scanned.at(index)? {
            c if c.is_ascii_digit() => digits += 1,
            ' ' => {}
            ',' if commas == 0 && digits > 0 => {
                commas = 1;
                digits = 0;
            }
            ')' if digits > 0 => return Some(index),
            _ => return None,
        }
        index += 1;
    }
}
