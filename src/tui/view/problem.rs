//! A Problem in a pane: what failed, why, the next step. Never an empty list.

use crate::domain::problem::Problem;
use crate::tui::theme::Theme;
use crate::tui::view::paint::Pen;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Draws a problem; false when the area was too small for all of it.
pub fn draw(problem: &Problem, theme: &Theme, pen: &mut Pen<'_>) -> bool {
    let what = format!("{} {}", theme.glyphs.failed, problem.what);
    pen.wrapped(&what, 1, theme.bad)
        && (problem.why.is_empty() || pen.wrapped(&problem.why, 3, theme.text))
        && (problem.next.is_empty() || pen.wrapped(&format!("Next: {}", problem.next), 3, theme.text))
        && details(problem, theme, pen)
}

fn details(problem: &Problem, theme: &Theme, pen: &mut Pen<'_>) -> bool {
    let detail = &problem.detail;
    let rows = [
        ("action", &detail.action),
        ("resource", &detail.resource),
        ("caller", &detail.caller),
        ("request", &detail.request_id),
    ];
    rows.iter()
        .filter_map(|(name, value)| value.as_ref().map(|value| (name, value)))
        .all(|(name, value)| pen.wrapped(&format!("{name:<9}{value}"), 3, theme.dim))
}

/// The line that says what is loading, since when, and how to stop it.
pub fn loading(what: &str, since: Duration, now: Duration, theme: &Theme) -> Line<'static> {
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
        Span::styled(format!("{what}, {} s", for_ms.as_secs()), theme.dim),
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
