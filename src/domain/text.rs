//! Text from outside, made safe to draw, measured in columns, and cut without splitting a character.

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Makes text from outside (names, comments, messages of AWS) safe for a terminal: nothing in it can move the
/// cursor, recolour, copy, or reorder what stands beside it.
///
/// C0 controls become their pictures (`␛`, `␊`), C1 controls, bidirectional marks, invisible and zero-width
/// characters are spelled out (`<U+202E>`). A joiner inside an emoji stays, since it is part of what is seen.
pub fn scrub(text: &str) -> String {
    if text.chars().all(|c| matches!(c, ' '..='~')) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\u{7f}' => out.push('␡'),
            '\u{200d}' if before.is_some_and(emoji) && chars.peek().copied().is_some_and(emoji) => {
                out.push(c)
            }
            c if invisible(c) => {
                // Writing to a String cannot fail.
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

/// Pictographs and what may stand between them and a joiner (skin tones, the emoji variation selector).
fn emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

/// Characters that draw nothing, break the line, or change the order of their neighbours.
fn invisible(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'
        | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character may not stand in a single line that a user types: controls, line ends, bidirectional marks.
pub(crate) fn unfit_for_a_name(c: char) -> bool {
    c.is_control() || (invisible(c) && !matches!(c, '\u{200c}' | '\u{200d}' | '\u{e0100}'..='\u{e01ef}'))
}

/// How many terminal columns a text takes, character by character as a terminal draws it.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.graphemes(true).map(|g| g.width()).sum()
}

/// With a full stop at its end.
pub fn sentence(text: &str) -> String {
    match text.trim_end() {
        text if text.ends_with(['.', '!', '?']) => text.to_owned(),
        text => format!("{text}."),
    }
}

/// `text` as the beginning of a sentence: its first letter, where ASCII has a capital for it, is one.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Cuts a text to at most `cols` columns, with `…` at the end when something was cut.
pub fn cut(text: &str, cols: usize) -> String {
    if width(text) <= cols {
        return text.to_owned();
    }
    if cols == 0 {
        return String::new();
    }
    let mut out = start(text, cols - 1);
    out.push('…');
    out
}

/// Cuts a text to at most `cols` columns by leaving out its middle, so that both ends of an ARN or path are seen.
pub fn cut_middle(text: &str, cols: usize) -> String {
    if width(text) <= cols {
        return text.to_owned();
    }
    if cols < 3 {
        return cut(text, cols);
    }
    let room = cols - 1;
    let mut out = start(text, room - room / 2);
    out.push('…');
    out.push_str(end(text, room / 2));
    out
}

/// The longest end of a text that takes at most `cols` columns.
pub fn end(text: &str, cols: usize) -> &str {
    let mut used = 0;
    let mut from = text.len();
    for (at, g) in text.grapheme_indices(true).rev() {
        used += g.width();
        if used > cols {
            break;
        }
        from = at;
    }
    text.get(from..).unwrap_or_default()
}

/// The longest start of a text that takes at most `cols` columns.
fn start(text: &str, cols: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for g in text.graphemes(true) {
        used += g.width();
        if used > cols {
            break;
        }
        out.push_str(g);
    }
    out
}

/// What names are sorted by, as people read them: letters of either case side by side, and the exact text where two
/// differ in nothing else.
pub fn order(name: &str) -> (String, String) {
    (name.to_lowercase(), name.to_owned())
}

/// The candidate written most like `given`, when it is near enough to have been meant (a third of its letters).
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (distance(&given, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance * 3 <= candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edits (insert, delete, replace, swap of neighbours counts two) from one text to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        let mut left = i + 1;
        next.push(left);
        for (y, pair) in b.iter().zip(row.windows(2)) {
            let (diagonal, above) = match pair {
                [diagonal, above] => (*diagonal, *above),
                _ => break,
            };
            left = (diagonal + usize::from(x != *y)).min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hostile_text_becomes_visible() {
        assert_eq!(scrub("\u{1b}]52;c;ZXZpbA==\u{7}"), "␛]52;c;ZXZpbA==␇");
        assert_eq!(scrub("a\u{202e}b"), "a<U+202E>b");
        assert_eq!(scrub("\u{9b}2J"), "<U+009B>2J");
        assert_eq!(scrub("two\nlines\tand\u{7f}"), "two␊lines␉and␡");
        assert_eq!(scrub("zero\u{200b}width\u{feff}"), "zero<U+200B>width<U+FEFF>");
        assert_eq!(scrub("a\u{200d}b"), "a<U+200D>b");
        assert_eq!(scrub("tag\u{e0041}"), "tag<U+E0041>");
    }

    #[test]
    fn honest_text_stays() {
        for text in [
            "",
            "plain",
            "日本語",
            "naïve",
            "e\u{301}",
            "👩\u{200d}🔬",
            "❤\u{fe0f}\u{200d}🔥",
            "①±",
        ] {
            assert_eq!(scrub(text), text);
        }
    }

    #[test]
    fn widths_and_cuts_count_columns() {
        assert_eq!(width("日本語"), 6);
        assert_eq!(width("👩\u{200d}🔬"), 2);
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(cut("👩\u{200d}🔬x", 2), "…");
        assert_eq!(cut_middle("arn:aws:iam::012345678901:role/x", 11), "arn:a…ole/x");
        assert_eq!(cut_middle("abcdef", 2), "a…");
        assert_eq!(
            (end("abcdef", 3), end("日本語", 5), end("abc", 9)),
            ("def", "本語", "abc")
        );
        assert_eq!(
            (end("👩\u{200d}🔬", 1), end("xe\u{301}", 1), end("", 3)),
            ("", "e\u{301}", "")
        );
    }

    #[test]
    fn names_are_sorted_as_people_read_them() {
        let mut names = [
            "b",
            "Zoo",
            "a b",
            "B",
            "a",
            "Ärger",
            "Lake House",
            "lake",
            "ärger",
        ];
        names.sort_by_key(|name| order(name));
        assert_eq!(
            names,
            [
                "a",
                "a b",
                "B",
                "b",
                "lake",
                "Lake House",
                "Zoo",
                "Ärger",
                "ärger"
            ]
        );
    }

    #[test]
    fn the_nearest_word_is_offered_only_when_near() {
        assert_eq!(
            nearest("lake-huose", ["lake-house", "weather"]),
            Some("lake-house")
        );
        assert_eq!(nearest("zzz", ["lake-house", "weather"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    proptest! {
        #[test]
        fn scrubbed_text_holds_nothing_that_steers(text in any::<String>()) {
            let clean = scrub(&text);
            prop_assert!(clean.chars().all(|c| !c.is_control()));
            prop_assert_eq!(scrub(&clean), clean);
        }

        #[test]
        fn cuts_fit(text in "\\PC{0,40}", cols in 0usize..30) {
            prop_assert!(width(&cut(&text, cols)) <= cols);
            prop_assert!(width(&cut_middle(&text, cols)) <= cols);
        }

        /// What is left are whole characters as people see them: the first ones, and of a cut middle the last ones, too.
        #[test]
        fn cuts_split_no_character(text in "(\\PC|e\u{301}|👩\u{200d}🔬|👍\u{1f3fd}|①|日|[a-z]){0,12}", cols in 0usize..20) {
            let seen: Vec<&str> = text.graphemes(true).collect();
            let whole = |cut: &str, ends: usize| {
                (0..=seen.len()).any(|n| (0..=ends.min(seen.len() - n)).any(|m| {
                    cut == format!("{}…{}", seen[..n].concat(), seen[seen.len() - m..].concat())
                }))
            };
            for (cut, ends) in [(cut(&text, cols), 0), (cut_middle(&text, cols), seen.len())] {
                prop_assert!(cut == text || cut.is_empty() || whole(&cut, ends), "{:?} of {:?}", cut, text);
            }
        }
    }
}
