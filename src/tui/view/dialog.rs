//! A question over the screen, in a border where there is room for one.

use crate::domain::text;
use crate::tui::model::{Dialog, DialogFor};
use crate::tui::theme::Theme;
use crate::tui::view::NARROW;
use crate::tui::view::paint::{self, Pen, wrap};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

/// A question with its two buttons. In a small window the border goes, and what it will do is scrolled; the question,
/// the box to be ticked and the buttons are always there.
pub fn draw(dialog: &Dialog, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let Parts {
        bordered,
        edge,
        width,
        title,
        says,
        wants,
        spare,
    } = parts(dialog, theme, area);
    let gaps = usize::from(!says.is_empty()) + usize::from(!wants.is_empty()) + 1;
    let airy = spare >= says.len() + gaps;
    let says = if says.len() > spare {
        scrolled(says, dialog.scroll, spare, theme)
    } else {
        says
    };
    let mut rows: Vec<Line<'static>> = Vec::new();
    for part in [title, says, wants, vec![buttons(dialog, theme)]] {
        if airy && !rows.is_empty() && !part.is_empty() {
            rows.push(Line::default());
        }
        rows.extend(part);
    }
    let height = u16::try_from(rows.len())
        .unwrap_or(u16::MAX)
        .saturating_add(2 * edge)
        .min(area.height);
    let frame = Rect {
        x: area.x + area.width.saturating_sub(width) / 2,
        y: area.y + area.height.saturating_sub(height) / 2,
        width,
        height,
    };
    // Whole rows are cleared: cut-off letters of the screen beneath are not left beside the question. Without a border
    // nothing of that screen is left: it could not be told from the question.
    let cleared = if bordered {
        Rect {
            x: area.x,
            width: area.width,
            ..frame
        }
    } else {
        area
    };
    Clear.render(cleared, buf);
    if bordered {
        Block::bordered().border_style(theme.accent).render(frame, buf);
    } else if frame.y > area.y {
        let above = Rect {
            y: frame.y - 1,
            height: 1,
            ..frame
        };
        paint::rule(theme, above, buf);
    }
    let content = Rect {
        x: frame.x + edge + 1,
        y: frame.y + edge,
        width: frame.width.saturating_sub(2 * edge + 2),
        height: frame.height.saturating_sub(2 * edge),
    };
    // What does not fit even so is cut above the buttons.
    let cut = rows.len().saturating_sub(usize::from(content.height));
    Pen::new(content, buf).lines(rows.split_off(cut));
}

/// How far what it will do can be scrolled in this place.
pub fn end(dialog: &Dialog, area: Rect) -> usize {
    let parts = parts(dialog, &Theme::mono(), area);
    let shown = parts.spare.saturating_sub(1);
    if parts.says.len() > parts.spare {
        parts.says.len().saturating_sub(shown)
    } else {
        0
    }
}

struct Parts {
    bordered: bool,
    edge: u16,
    width: u16,
    title: Vec<Line<'static>>,
    says: Vec<Line<'static>>,
    wants: Vec<Line<'static>>,
    /// Rows for what it says.
    spare: usize,
}

fn parts(dialog: &Dialog, theme: &Theme, area: Rect) -> Parts {
    let bordered = area.height >= 14 && area.width >= NARROW;
    let edge: u16 = if bordered { 1 } else { 0 };
    let width = if bordered {
        area.width.saturating_sub(2).min(76)
    } else {
        area.width
    };
    let inner = usize::from(width.saturating_sub(2 * edge + 2));
    let mut title = Vec::new();
    paragraph(&mut title, &dialog.ask.title, inner, "", theme.heading);
    let says = says(dialog, theme, inner);
    let wants = wants(dialog, theme, inner);
    let room = usize::from(area.height.saturating_sub(2 * edge)).saturating_sub(1);
    let spare = room.saturating_sub(title.len() + wants.len());
    Parts {
        bordered,
        edge,
        width,
        title,
        says,
        wants,
        spare,
    }
}

/// What a yes will do, and what it will not.
fn says(dialog: &Dialog, theme: &Theme, inner: usize) -> Vec<Line<'static>> {
    let mut says = Vec::new();
    if dialog.answers == DialogFor::Acknowledge {
        for line in &dialog.ask.will {
            paragraph(&mut says, line, inner, "", theme.text);
        }
    } else {
        labelled(&mut says, "Will", &dialog.ask.will, inner, theme);
        labelled(&mut says, "Will not", &dialog.ask.will_not, inner, theme);
    }
    says
}

/// As many rows as there is room for, and how to see the others.
fn scrolled(rows: Vec<Line<'static>>, scroll: usize, room: usize, theme: &Theme) -> Vec<Line<'static>> {
    let shown = room.saturating_sub(1);
    let from = scroll.min(rows.len().saturating_sub(shown));
    let below = rows.len().saturating_sub(from + shown);
    let mut part: Vec<Line<'static>> = rows.into_iter().skip(from).take(shown).collect();
    if room > 0 {
        let line = if below > 0 {
            format!("… {below} more: pgdn")
        } else {
            "… back: pgup".to_owned()
        };
        part.push(Line::from(Span::styled(line, theme.dim)));
    }
    part
}

/// What must be done before a yes counts: a box to tick, a text to type.
fn wants(dialog: &Dialog, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut rows = Vec::new();
    if let Some(box_text) = &dialog.ask.acknowledge {
        let [on, off] = theme.glyphs.check;
        let mark = if dialog.ticked { on } else { off };
        let style = if dialog.ticked { theme.text } else { theme.accent };
        rows.extend(paint::marked(
            Span::styled(mark, style),
            box_text,
            0,
            width + 1,
            theme.text,
        ));
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

/// A list of sentences, each beside its label's column; the label stands before the first, and above it where the
/// window is narrow.
fn labelled(rows: &mut Vec<Line<'static>>, label: &str, sentences: &[String], width: usize, theme: &Theme) {
    const COLUMN: usize = 10;
    let narrow = width < usize::from(NARROW) - 4;
    let column = if narrow { 2 } else { COLUMN };
    let mut lead = format!("{label:<COLUMN$}");
    if narrow && !sentences.is_empty() {
        rows.push(Line::from(Span::styled(label.to_owned(), theme.dim)));
        lead = " ".repeat(column);
    }
    // Where there are several, it is seen where each begins.
    let mark = if sentences.len() > 1 { "· " } else { "" };
    for sentence in sentences {
        let wrapped = wrap(sentence, width.saturating_sub(column + text::width(mark)));
        for (index, row) in wrapped.into_iter().enumerate() {
            let mark = if index == 0 {
                mark.to_owned()
            } else {
                " ".repeat(text::width(mark))
            };
            rows.push(Line::from(vec![
                Span::styled(lead + &mark, theme.dim),
                Span::styled(row, theme.text),
            ]));
            lead = " ".repeat(column);
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
