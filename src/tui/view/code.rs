//! The question for a code of an MFA device: what is typed shows as stars.

use crate::tui::field::Field;
use crate::tui::model::CodeForm;
use crate::tui::theme::Theme;
use crate::tui::view::NARROW;
use crate::tui::view::paint::{self, Pen, wrap};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

/// Draws it over whatever is there.
pub fn draw(form: &CodeForm, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let bordered = area.height >= 14 && area.width >= NARROW;
    let edge: u16 = u16::from(bordered);
    let width = if bordered {
        area.width.saturating_sub(2).min(76)
    } else {
        area.width
    };
    let inner = usize::from(width.saturating_sub(2 * edge + 2));
    let wanted = &form.wanted;
    let mut rows = Vec::new();
    let mut say = |text: &str, style| {
        rows.extend(
            wrap(text, inner)
                .into_iter()
                .map(|row| Line::from(Span::styled(row, style))),
        );
    };
    say(
        &format!("The profile {} signs in with a code", wanted.profile),
        theme.heading,
    );
    say(&format!("It opens {}.", wanted.opens), theme.text);
    if let Some(why) = form.said.as_ref().or(wanted.refused.as_ref()) {
        let why = why.trim_end_matches('.');
        let glyph = Span::styled(theme.glyphs.warning, theme.warn);
        rows.extend(paint::marked(glyph, &format!("{why}."), 0, inner + 1, theme.text));
    }
    let last = format!("6 digits that {} shows now:", wanted.device);
    rows.extend(
        wrap(&last, inner)
            .into_iter()
            .map(|row| Line::from(Span::styled(row, theme.text))),
    );
    rows.push(paint::field(&stars(&form.typed), true, inner, theme));
    let height = u16::try_from(rows.len()).unwrap_or(u16::MAX);
    let frame = Rect {
        x: area.x + area.width.saturating_sub(width) / 2,
        y: area.y + area.height.saturating_sub(height.saturating_add(2 * edge)) / 2,
        width,
        height: height.saturating_add(2 * edge).min(area.height),
    };
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
    }
    let content = Rect {
        x: frame.x + edge + 1,
        y: frame.y + edge,
        width: frame.width.saturating_sub(2 * edge + 2),
        height: frame.height.saturating_sub(2 * edge),
    };
    // Where not all of it fits, the line that is typed in stays.
    let cut = rows.len().saturating_sub(usize::from(content.height));
    Pen::new(content, buf).lines(rows.split_off(cut));
}

/// As many stars as there are letters.
fn stars(typed: &Field) -> Field {
    Field::with(&"*".repeat(typed.text().chars().count()))
}
