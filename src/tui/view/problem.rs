//! A Problem in a pane: what failed, why, the next step. Never an empty list.

use crate::domain::problem::Problem;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::Model;
use crate::tui::theme::Theme;
use crate::tui::view::paint::{Pen, labelled, marked, wrap};
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Draws a problem. Where there is no room for all of it, the detail goes first, then the why; the last row says where
/// it stands whole.
pub fn draw(model: &Model, problem: &Problem, theme: &Theme, pen: &mut Pen<'_>) {
    let (width, room) = (usize::from(pen.rest().width), pen.rows());
    pen.lines(rows(model, problem, theme, width, room));
}

/// The rows of a problem where there is room for so many.
pub fn rows(
    model: &Model,
    problem: &Problem,
    theme: &Theme,
    width: usize,
    room: usize,
) -> Vec<Line<'static>> {
    let glyph = Span::styled(theme.glyphs.failed, theme.bad);
    let what = marked(glyph, &problem.what, 1, width, theme.heading);
    let say = |text: &str| -> Vec<Line<'static>> {
        let rows = wrap(text, width.saturating_sub(4)).into_iter();
        rows.map(|row| Line::from(Span::styled(format!("   {row}"), theme.text)))
            .collect()
    };
    let said = |text: &str, lead: &str| {
        if text.is_empty() {
            Vec::new()
        } else {
            say(&format!("{lead}{text}"))
        }
    };
    let (why, next) = (said(&problem.why, ""), said(&problem.next, "Next: "));
    let log = model.keymap.word(Context::Global, Action::Log);
    let more = vec![Line::from(Span::styled(
        format!("   … the log ({log}) has all of it"),
        theme.dim,
    ))];
    let versions = [
        [what.as_slice(), &why, &next, &details(problem, theme, width)].concat(),
        [what.as_slice(), &why, &next].concat(),
        [what.as_slice(), &next, &more].concat(),
    ];
    if let Some(rows) = versions.into_iter().find(|rows| rows.len() <= room) {
        return rows;
    }
    let first = [what, next].concat().into_iter().take(room.saturating_sub(1));
    first.chain(more).take(room).collect()
}

fn details(problem: &Problem, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let detail = &problem.detail;
    let details = [
        ("action", &detail.action),
        ("resource", &detail.resource),
        ("caller", &detail.caller),
        ("request", &detail.request_id),
    ];
    let mut rows = Vec::new();
    for (name, value) in details {
        if let Some(value) = value {
            for row in labelled(name, value, 9, width.saturating_sub(2), theme) {
                rows.push(Line::from([vec![Span::raw("  ")], row.spans].concat()));
            }
        }
    }
    rows
}

/// The line that says what is loading and since when, and how to stop it, where a key does and where there is room.
pub fn loading(what: &str, stop: &str, since: Duration, now: Duration, theme: &Theme) -> Line<'static> {
    let for_ms = now.saturating_sub(since);
    if for_ms < crate::tui::model::PATIENCE {
        return Line::default();
    }
    let frames = theme.glyphs.spinner;
    let step = usize::try_from(for_ms.as_millis() / crate::tui::model::SPIN.as_millis().max(1)).unwrap_or(0);
    let frame = frames
        .get(step % frames.len().max(1))
        .copied()
        .unwrap_or_default();
    Line::from(vec![
        Span::styled(format!(" {frame} "), theme.accent),
        Span::styled(format!("{what}, {} s  {stop}", for_ms.as_secs()), theme.dim),
    ])
}

/// The spinner's glyph of this moment.
pub fn spinner(now: Duration, theme: &Theme) -> &'static str {
    let frames = theme.glyphs.spinner;
    let step = usize::try_from(now.as_millis() / crate::tui::model::SPIN.as_millis().max(1)).unwrap_or(0);
    frames
        .get(step % frames.len().max(1))
        .copied()
        .unwrap_or_default()
}
