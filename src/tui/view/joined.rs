//! Signs that are made of several characters and that terminals do not agree upon: emoji with a joiner, a skin tone or a
//! variation selector.
//!
//! One terminal makes one picture of them, another draws each part, a third one does as it likes inside tmux; whoever
//! counts otherwise than we do pushes the rest of the row to the right, and nothing in a row can call it back.

use crate::domain::text::width;
use ratatui::buffer::Buffer;
use std::fmt::Write as _;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// Draws of each such sign only its first character, which is as wide everywhere. What [`spelled`] shows is whole.
pub fn first_only(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let symbol = cell.symbol();
        if let Some(first) = symbol.chars().next()
            && disputed(symbol)
        {
            // Where the first one is narrower than the whole, the cell beside it is blank already.
            cell.set_char(first);
        }
    }
}

/// A text whose such signs are spelled out.
pub fn spelled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.graphemes(true) {
        if !disputed(sign) {
            out.push_str(sign);
            continue;
        }
        for (place, c) in sign.chars().enumerate() {
            let draws_alone = c.width().is_some_and(|w| w > 0) && !matches!(c, '\u{1f3fb}'..='\u{1f3ff}');
            if place == 0 || draws_alone {
                out.push(c);
            } else {
                // Writing to a String cannot fail.
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
        }
    }
    out
}

/// The sign is not as wide as its characters are.
fn disputed(sign: &str) -> bool {
    let apart: usize = sign.chars().filter_map(UnicodeWidthChar::width).sum();
    sign.chars().nth(1).is_some() && apart != width(sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    fn drawn(text: &str) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, 8, 1));
        buf.set_string(0, 0, text, Style::new());
        first_only(&mut buf);
        let mut row = String::new();
        let mut skip = 0;
        for cell in &buf.content {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = width(cell.symbol()).saturating_sub(1);
            row.push_str(cell.symbol());
        }
        row
    }

    #[test]
    fn what_terminals_count_differently_is_drawn_as_what_they_all_count_alike() {
        for (text, row) in [
            ("👩\u{200d}🔬│", "👩│     "),
            ("👍\u{1f3fd}│", "👍│     "),
            ("❤\u{fe0f}│", "❤ │     "),
            ("1\u{fe0f}\u{20e3}│", "1 │     "),
            ("日本e\u{301}│", "日本e\u{301}│  "),
        ] {
            assert_eq!(drawn(text), row, "{text}");
        }
    }

    #[test]
    fn spelled_out_nothing_of_a_name_is_lost() {
        assert_eq!(spelled("a👩\u{200d}🔬"), "a👩<U+200D>🔬");
        assert_eq!(spelled("👍\u{1f3fd}"), "👍<U+1F3FD>");
        assert_eq!(spelled("❤\u{fe0f}"), "❤<U+FE0F>");
        for alike in ["orders", "日本", "e\u{301}", "🇯🇵"] {
            assert_eq!(spelled(alike), alike);
        }
        let whole = "👩\u{200d}🔬❤\u{fe0f}";
        assert_eq!(spelled(&spelled(whole)), spelled(whole));
    }
}
