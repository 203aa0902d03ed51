//! A list to choose from, over the browser.

use crate::domain::amount::count;
use crate::domain::text::{cut, scrub, width};
use crate::tui::model::listing::Needle;
use crate::tui::model::{Menu, MenuOf};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{self, Pen, window};
use crate::tui::view::rows::marked;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// The columns that labels take, at most, where something stands beside them.
const LABELS: usize = 40;

/// Draws the list: what was typed, how many fit, and the rows.
pub fn draw(menu: &Menu, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut pen = Pen::new(area, buf);
    let list = &menu.list;
    let number = |n: usize| count(u64::try_from(n).unwrap_or(u64::MAX));
    let many = match list.filtered_by() {
        Some(_) => format!("{} of {}", number(list.shown()), number(list.len())),
        None => number(list.len()),
    };
    let room = usize::from(area.width).saturating_sub(width(&many) + 6);
    let mut spans = vec![Span::styled(" / ", theme.accent)];
    spans.extend(paint::field(&menu.field, true, room, theme).spans);
    spans.push(Span::styled(format!("  {many}"), theme.dim));
    pen.line(Line::from(spans));
    let at_named = menu.marked_name().is_some();
    if let Some(place) = &menu.named {
        let pointer = if at_named { theme.glyphs.pointer } else { " " };
        let style = if at_named { theme.selected } else { theme.text };
        let table = place.table.as_deref().unwrap_or_default();
        let label = scrub(&format!("{}.{table}", place.database));
        let room = usize::from(area.width).saturating_sub(14);
        pen.line(Line::from(vec![
            Span::styled(format!(" {pointer} {}", cut(&label, room)), style),
            Span::styled("  as typed", theme.dim),
        ]));
    }
    let from = window(list.place(), list.shown(), pen.rows());
    let shown = || (from..list.shown()).map_while(|place| Some((place, list.row(place)?)));
    let widest = shown()
        .take(pen.rows())
        .map(|(_, entry)| width(&scrub(&entry.label)))
        .max();
    let room = usize::from(area.width.saturating_sub(4));
    let labels = widest.unwrap_or(0).min(LABELS.max(room / 2)).min(room);
    let mut needle = list.filtered_by().map(Needle::new);
    for (place, entry) in shown() {
        let here = place == list.place() && !at_named;
        let pointer = if here { theme.glyphs.pointer } else { " " };
        let style = if here { theme.selected } else { theme.text };
        let label = cut(&scrub(&entry.label), labels);
        let gap = " ".repeat(labels.saturating_sub(width(&label)) + 2);
        let detail = cut(&entry.detail, room.saturating_sub(labels + 2));
        let mut spans = vec![Span::styled(format!(" {pointer} "), style)];
        spans.extend(marked(&label, &entry.label, needle.as_mut(), style, theme));
        spans.push(Span::styled(format!("{gap}{detail}"), theme.dim));
        if !pen.line(Line::from(spans)) {
            break;
        }
    }
    if list.shown() == 0 && menu.named.is_none() {
        let text = match menu.of {
            MenuOf::Places => {
                "Nothing listed so far fits. A whole name, database.table, leads there all the same."
            }
            MenuOf::Copies | MenuOf::Columns | MenuOf::Prefixes => "Nothing here fits.",
        };
        pen.wrapped(text, 1, theme.text);
    }
}
