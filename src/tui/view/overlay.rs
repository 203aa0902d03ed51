//! What lies over the screen: a question in a border, or a text with nothing beside it.

use crate::tui::model::{Dialog, DialogFor, Overlay};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{self, Pen, wrap};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

/// A text over the whole screen; wrapped, without frame characters, so that a mouse can select it.
pub fn text(overlay: &Overlay, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let rows = wrap(&overlay.body, usize::from(area.width));
    let last = rows.len().saturating_sub(usize::from(area.height));
    let mut pen = Pen::new(area, buf);
    for row in rows.into_iter().skip(overlay.scroll.min(last)) {
        if !pen.line(Line::from(Span::styled(row, theme.text))) {
            break;
        }
    }
}

/// A question with its two buttons. In a small window what it will do is cut first; the question, the box to be ticked
/// and the buttons are not.
pub fn dialog(dialog: &Dialog, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let width = area.width.saturating_sub(2).min(76);
    let inner = usize::from(width.saturating_sub(4));
    let mut title = Vec::new();
    paragraph(&mut title, &dialog.ask.title, inner, "", theme.heading);
    let mut says = Vec::new();
    if dialog.answers == DialogFor::Acknowledge {
        for line in &dialog.ask.will {
            paragraph(&mut says, line, inner, "", theme.text);
        }
    } else {
        labelled(&mut says, "Will", &dialog.ask.will, inner, theme.text);
        labelled(&mut says, "Will not", &dialog.ask.will_not, inner, theme.dim);
    }
    let wants = wants(dialog, theme, inner);
    // Two rows of border, and the buttons.
    let room = usize::from(area.height.saturating_sub(3));
    let needed = title.len() + wants.len();
    let spare = room.saturating_sub(needed);
    let gaps = usize::from(!says.is_empty()) + usize::from(!wants.is_empty()) + 1;
    let airy = spare >= says.len() + gaps;
    if !airy && says.len() > spare {
        says.truncate(spare.saturating_sub(1));
        if spare > 0 {
            says.push(Line::from(Span::styled("…", theme.dim)));
        }
    }
    let mut rows: Vec<Line<'static>> = Vec::new();
    for part in [title, says, wants, vec![buttons(dialog, theme)]] {
        if airy && !rows.is_empty() && !part.is_empty() {
            rows.push(Line::default());
        }
        rows.extend(part);
    }
    let height = u16::try_from(rows.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let frame = Rect {
        x: area.x + area.width.saturating_sub(width) / 2,
        y: area.y + area.height.saturating_sub(height) / 2,
        width,
        height,
    };
    Clear.render(frame, buf);
    Block::bordered().border_style(theme.accent).render(frame, buf);
    let content = Rect {
        x: frame.x + 2,
        y: frame.y + 1,
        width: frame.width.saturating_sub(4),
        height: frame.height.saturating_sub(2),
    };
    // What does not fit even so is cut above the buttons.
    let cut = rows.len().saturating_sub(usize::from(content.height));
    let mut pen = Pen::new(content, buf);
    for row in rows.into_iter().skip(cut) {
        pen.line(row);
    }
}

/// What must be done before a yes counts: a box to tick, a text to type.
fn wants(dialog: &Dialog, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut rows = Vec::new();
    if let Some(box_text) = &dialog.ask.acknowledge {
        let [on, off] = theme.glyphs.check;
        let mark = if dialog.ticked { on } else { off };
        let style = if dialog.ticked { theme.text } else { theme.accent };
        paragraph(&mut rows, &format!("{mark} {box_text}"), width, "    ", style);
    }
    if let Some(want) = &dialog.ask.type_to_confirm {
        paragraph(
            &mut rows,
            &format!("Type {want} to confirm:"),
            width,
            "",
            theme.text,
        );
        rows.push(paint::field(&dialog.typed, true, width, theme));
    }
    rows
}

fn paragraph(rows: &mut Vec<Line<'static>>, text: &str, width: usize, hang: &str, style: Style) {
    for (index, row) in wrap(text, width.saturating_sub(hang.len()))
        .into_iter()
        .enumerate()
    {
        let lead = if index == 0 { "" } else { hang };
        rows.push(Line::from(Span::styled(format!("{lead}{row}"), style)));
    }
}

/// A list of sentences, each beside its label's column; the label stands before the first.
fn labelled(rows: &mut Vec<Line<'static>>, label: &str, sentences: &[String], width: usize, style: Style) {
    const COLUMN: usize = 9;
    let mut lead = format!("{label:<COLUMN$}");
    for sentence in sentences {
        for row in wrap(sentence, width.saturating_sub(COLUMN)) {
            rows.push(Line::from(Span::styled(format!("{lead}{row}"), style)));
            lead = " ".repeat(COLUMN);
        }
    }
}

fn buttons(dialog: &Dialog, theme: &Theme) -> Line<'static> {
    let marked = |text: String, is_marked: bool, enabled: bool| {
        let style = match (is_marked, enabled) {
            (true, _) => theme.demo,
            (false, true) => theme.text,
            (false, false) => theme.dim,
        };
        Span::styled(text, style)
    };
    if dialog.answers == DialogFor::Acknowledge || dialog.ask.yes.is_empty() {
        return Line::from(marked(" close ".into(), true, true));
    }
    Line::from(vec![
        marked(
            format!(" {} ", dialog.ask.yes),
            dialog.yes_marked,
            dialog.may_say_yes(),
        ),
        Span::raw("   "),
        marked(" no ".into(), !dialog.yes_marked, true),
    ])
}
