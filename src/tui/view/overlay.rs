//! A text over the screen, with nothing beside it.

use crate::domain::text;
use crate::tui::model::Overlay;
use crate::tui::theme::Theme;
use crate::tui::view::paint::{Pen, wrap};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// A text over the whole screen; wrapped, without frame characters, so that a mouse can select it.
pub fn text(overlay: &Overlay, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let end = end(overlay, area);
    let mut pen = Pen::new(area, buf);
    for row in rows(overlay, area.width)
        .into_iter()
        .skip(overlay.scroll.min(end))
    {
        let style = if overlay.headings.contains(&row) {
            theme.heading
        } else {
            theme.text
        };
        if !pen.line(Line::from(Span::styled(row, style))) {
            break;
        }
    }
}

/// How far a text can be scrolled in an area.
pub fn end(overlay: &Overlay, area: Rect) -> usize {
    rows(overlay, area.width)
        .len()
        .saturating_sub(usize::from(area.height))
}

/// The rows of a text at a width: a value goes on beneath itself, an indented line goes on indented, one at the edge goes
/// on at the edge, as a link must.
fn rows(overlay: &Overlay, width: u16) -> Vec<String> {
    let width = usize::from(width);
    let mut rows = Vec::new();
    for line in overlay.body.split('\n') {
        if text::width(line) <= width {
            rows.push(line.to_owned());
            continue;
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        let label = value(line).map(|(head, tail)| (head, tail, text::width(head)));
        let (head, tail, hang) = label.filter(|(_, _, hang)| *hang <= width / 2).unwrap_or((
            "",
            line,
            if indent == 0 { 0 } else { indent + 2 },
        ));
        for (index, row) in wrap(tail, width.saturating_sub(hang)).into_iter().enumerate() {
            let lead = " ".repeat(hang);
            rows.push(if index == 0 { head } else { &lead }.to_owned() + &row);
        }
    }
    rows
}

/// A line that is a label, some blanks and a value, cut before the value.
fn value(line: &str) -> Option<(&str, &str)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let rest = line.get(indent..)?;
    let label = rest.find("  ")?;
    let blanks = rest.get(label..)?;
    let at = indent + label + blanks.len() - blanks.trim_start_matches(' ').len();
    line.split_at_checked(at)
}
