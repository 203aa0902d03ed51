//! Small strokes: lines, rules, wrapped text, text fields.

use crate::domain::text;
use crate::tui::field::Field;
use crate::tui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

/// Fills an area from top to bottom, and knows what is left of it.
pub struct Pen<'a> {
    area: Rect,
    buf: &'a mut Buffer,
}

impl<'a> Pen<'a> {
    /// A pen at the top of an area.
    pub fn new(area: Rect, buf: &'a mut Buffer) -> Self {
        Self { area, buf }
    }

    /// What is still free.
    pub fn rest(&self) -> Rect {
        self.area
    }

    /// Rows still free.
    pub fn rows(&self) -> usize {
        usize::from(self.area.height)
    }

    /// Leaves a row empty.
    pub fn skip(&mut self) {
        self.line(Line::default());
    }

    /// Goes on below rows that somebody else has drawn.
    pub fn leave(&mut self, rows: u16) {
        let rows = rows.min(self.area.height);
        self.area.y = self.area.y.saturating_add(rows);
        self.area.height -= rows;
    }

    /// Draws one row, cut at the right, which shows; false when the area is full.
    pub fn line<'l>(&mut self, line: impl Into<Line<'l>>) -> bool {
        if self.area.height == 0 {
            return false;
        }
        let line = line.into();
        self.buf
            .set_line(self.area.x, self.area.y, &line, self.area.width);
        if line.width() > usize::from(self.area.width) {
            let whole: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
            // Blanks that fill a column up are nothing that is lost.
            if text::width(whole.trim_end()) > usize::from(self.area.width) {
                self.mark(self.area.y);
            }
        }
        self.area.y = self.area.y.saturating_add(1);
        self.area.height = self.area.height.saturating_sub(1);
        true
    }

    /// Shows that a row goes on: behind its last sign, in the place of it where the row is full.
    fn mark(&mut self, y: u16) {
        let (from, to) = (self.area.left(), self.area.right());
        let symbol = |buf: &Buffer, x: u16| buf.cell((x, y)).map(|cell| cell.symbol().to_owned());
        let end = (from..to).rev().find_map(|x| {
            symbol(self.buf, x)
                .filter(|sign| sign != " ")
                .map(|sign| (x, sign))
        });
        let Some((at, sign)) = end else { return };
        let behind = at.saturating_add(u16::try_from(text::width(&sign)).unwrap_or(1));
        let x = if behind < to { behind } else { at };
        let style = self.buf.cell((at, y)).map(ratatui::buffer::Cell::style);
        if let Some(cell) = self.buf.cell_mut((x, y)) {
            cell.set_symbol("…").set_style(style.unwrap_or_default());
        }
    }

    /// Draws the rows of a sentence; where there is no room for all of them the last one shows it, and this is false.
    pub fn sentence(&mut self, rows: Vec<Line<'static>>) -> bool {
        let last = self.area.bottom().saturating_sub(1);
        let room = self.rows();
        let whole = self.lines(rows);
        if !whole && room > 0 {
            self.mark(last);
        }
        whole
    }

    /// Draws rows; false when the area is full before the last.
    pub fn lines(&mut self, lines: Vec<Line<'static>>) -> bool {
        lines.into_iter().all(|line| self.line(line))
    }

    /// Draws a text, wrapped at words, indented, a column free at the right; false when the area is full before its end.
    pub fn wrapped(&mut self, text: &str, indent: u16, style: Style) -> bool {
        let width = usize::from(self.area.width.saturating_sub(indent + 1));
        let rows = wrap(text, width).into_iter().map(|row| {
            let pad = " ".repeat(usize::from(indent));
            Line::from(vec![Span::raw(pad), Span::styled(row, style)])
        });
        self.sentence(rows.collect())
    }
}

/// A sentence behind its verdict's glyph, its later rows beneath the first word. The glyph alone has the verdict's
/// colour: a sentence in yellow or green cannot be read on every ground.
pub fn marked(
    glyph: Span<'static>,
    text: &str,
    indent: usize,
    width: usize,
    style: Style,
) -> Vec<Line<'static>> {
    let lead = text::width(&glyph.content) + 1;
    wrap(text, width.saturating_sub(indent + lead + 1))
        .into_iter()
        .enumerate()
        .map(|(index, row)| {
            let mark = if index == 0 {
                glyph.clone()
            } else {
                Span::raw(" ".repeat(lead.saturating_sub(1)))
            };
            let blank = Span::raw(" ".repeat(indent));
            Line::from(vec![blank, mark, Span::raw(" "), Span::styled(row, style)])
        })
        .collect()
}

/// A value beside its label; beneath it, indented, where it is too long for one row.
pub fn labelled(label: &str, value: &str, column: usize, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let width = width.saturating_sub(2);
    let head = Span::styled(format!(" {label:<column$}"), theme.dim);
    if column + text::width(value) <= width {
        return vec![Line::from(vec![head, Span::styled(value.to_owned(), theme.text)])];
    }
    let mut rows = vec![Line::from(head)];
    rows.extend(
        wrap(value, width.saturating_sub(2))
            .into_iter()
            .map(|row| Line::from(Span::styled(format!("   {row}"), theme.text))),
    );
    rows
}

/// Breaks a text into rows of at most `width` columns: at blanks where it can, within a long word where it must (after
/// one of `/:,` if there is one). A line break in the text stays one; blanks at the start of a line stay.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut rows = Vec::new();
    for paragraph in text.split('\n') {
        let mut row = String::new();
        let mut used = 0;
        for piece in paragraph.split_inclusive(' ') {
            let word = piece.trim_end_matches(' ');
            if used > 0 && used + text::width(word) > width {
                rows.push(std::mem::take(&mut row).trim_end().to_owned());
                used = 0;
            }
            let mut rest = piece;
            while used + text::width(rest.trim_end_matches(' ')) > width {
                let (head, tail) = rest.split_at(break_at(rest, width.saturating_sub(used)));
                row.push_str(head);
                rows.push(std::mem::take(&mut row));
                (rest, used) = (tail, 0);
            }
            row.push_str(rest);
            used += text::width(rest);
        }
        rows.push(row.trim_end().to_owned());
    }
    rows
}

/// Where to break a word that is wider than `room`: never within a grapheme, and never before the first.
fn break_at(word: &str, room: usize) -> usize {
    let mut used = 0;
    let mut end = 0;
    let mut nice = None;
    for (at, grapheme) in word.grapheme_indices(true) {
        let wide = text::width(grapheme);
        if used + wide > room && end > 0 {
            break;
        }
        used += wide;
        end = at + grapheme.len();
        if matches!(grapheme, "/" | ":" | ",") && used > room / 2 {
            nice = Some(end);
        }
    }
    nice.unwrap_or(end)
}

/// A horizontal rule over the whole width.
pub fn rule(theme: &Theme, area: Rect, buf: &mut Buffer) {
    let line = theme.glyphs.rule.repeat(usize::from(area.width));
    buf.set_stringn(area.x, area.y, line, usize::from(area.width), theme.dim);
}

/// A vertical rule over the whole height.
pub fn bar(theme: &Theme, x: u16, area: Rect, buf: &mut Buffer) {
    for y in area.y..area.bottom() {
        buf.set_stringn(x, y, theme.glyphs.bar, 1, theme.dim);
    }
}

/// The text of a field, with its caret when it has the keys; the end that is being typed stays in sight.
pub fn field(field: &Field, has_keys: bool, width: usize, theme: &Theme) -> Line<'static> {
    if !has_keys {
        return Line::from(Span::styled(
            text::cut(&text::scrub(field.text()), width),
            theme.text,
        ));
    }
    let before: String = field.text().chars().take(field.cursor()).collect();
    let after: String = field.text().chars().skip(field.cursor()).collect();
    let (before, after) = (text::scrub(&before), text::scrub(&after));
    let room = width.saturating_sub(1);
    let mut spans = Vec::new();
    let shown = if text::width(&before) > room && room > 0 {
        spans.push(Span::styled("…", theme.dim));
        text::end(&before, room - 1)
    } else {
        text::end(&before, room)
    };
    spans.push(Span::styled(shown.to_owned(), theme.text));
    let left = room.saturating_sub(spans.iter().map(Span::width).sum());
    let mut behind = after.graphemes(true);
    match behind.next() {
        // The caret lies on a letter: the letter stays readable.
        Some(under) => {
            let style = theme.text.add_modifier(ratatui::style::Modifier::REVERSED);
            spans.push(Span::styled(under.to_owned(), style));
            spans.push(Span::styled(text::cut(behind.as_str(), left), theme.text));
        }
        None => spans.push(Span::styled(theme.glyphs.caret, theme.accent)),
    }
    Line::from(spans)
}

/// What goes into a field, while nobody has been in it; it keeps its place when the caret comes.
pub fn example(field: &Field, text: &str, theme: &Theme) -> Option<Span<'static>> {
    let untouched = field.text().is_empty() && !field.was_left();
    untouched.then(|| Span::styled(text.to_owned(), theme.dim))
}

/// Left and right text on one row; the left one is cut first.
pub fn both_ends(left: &Line<'_>, right: &Line<'_>, area: Rect, buf: &mut Buffer) {
    let right_width = u16::try_from(right.width()).unwrap_or(u16::MAX).min(area.width);
    let x = area.right().saturating_sub(right_width);
    buf.set_line(
        area.x,
        area.y,
        left,
        area.width.saturating_sub(right_width.saturating_add(1)),
    );
    buf.set_line(x, area.y, right, right_width);
}

/// The first row to be drawn so that `selected` is in sight and stays away from the edge where it can.
pub fn window(selected: usize, total: usize, height: usize) -> usize {
    if total <= height {
        return 0;
    }
    selected
        .saturating_sub(height / 2)
        .min(total.saturating_sub(height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_kept_whole_where_they_fit() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a\nb", 7), ["a", "b"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("日本語日本語", 5), ["日本", "語日", "本語"]);
        assert_eq!(
            wrap("see, then glueup --profile NAME", 20),
            ["see, then glueup", "--profile NAME"]
        );
        assert_eq!(
            wrap("arn:aws:iam::012345678901:role/x", 16),
            ["arn:aws:iam::", "012345678901:", "role/x"]
        );
        assert_eq!(wrap("  indented", 20), ["  indented"]);
    }

    #[test]
    fn what_is_cut_shows_it() {
        let drawn = |lines: &[&str], sentence: bool| -> Vec<String> {
            let area = Rect::new(0, 0, 6, 2);
            let mut buf = Buffer::empty(area);
            let mut pen = Pen::new(area, &mut buf);
            let lines: Vec<Line<'static>> = lines.iter().map(|l| Line::from((*l).to_owned())).collect();
            if sentence {
                pen.sentence(lines);
            } else {
                pen.lines(lines);
            }
            let row = |y| {
                (0..6)
                    .filter_map(|x| buf.cell((x, y)).map(|c| c.symbol().to_owned()))
                    .collect()
            };
            (0..2).map(row).collect()
        };
        assert_eq!(drawn(&["abcdef", "abcdefg"], false), ["abcdef", "abcde…"]);
        assert_eq!(
            drawn(&["abc   \u{20}\u{20}", "日本語日"], false),
            ["abc   ", "日 本 … "]
        );
        // A list that goes on has its own way to show it; a sentence has none.
        assert_eq!(drawn(&["one", "two", "three"], false), ["one   ", "two   "]);
        assert_eq!(drawn(&["one", "two", "three"], true), ["one   ", "two…  "]);
        assert_eq!(drawn(&["one", "abcdef", "x"], true), ["one   ", "abcde…"]);
    }

    #[test]
    fn a_long_value_stands_under_its_label() {
        let rows = |width| -> Vec<String> {
            labelled("action", "sts:AssumeRole", 9, width, &Theme::colour())
                .iter()
                .map(ToString::to_string)
                .collect()
        };
        assert_eq!(rows(26), [" action   sts:AssumeRole"]);
        assert_eq!(rows(22), [" action   ", "   sts:AssumeRole"]);
    }

    #[test]
    fn the_window_keeps_the_selection_in_sight() {
        assert_eq!(window(0, 100, 10), 0);
        assert_eq!(window(50, 100, 10), 45);
        assert_eq!(window(99, 100, 10), 90);
        assert_eq!(window(3, 5, 10), 0);
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_asked(text in "\\PC{0,200}", width in 2usize..40) {
            for row in wrap(&text, width) {
                // One letter with its marks may be wider than the row; it is never split.
                let one = row.graphemes(true).count() <= 1;
                prop_assert!(one || text::width(&row) <= width, "{row:?}");
            }
        }

        #[test]
        fn nothing_but_blanks_is_lost(text in "\\PC{0,200}", width in 2usize..40) {
            let kept: String = wrap(&text, width).concat().split_whitespace().collect();
            let given: String = text.split_whitespace().collect();
            prop_assert_eq!(kept, given);
        }
    }
}
