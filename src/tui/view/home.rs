//! The home screen: catalogs and connections, each with its last verdict; or what glueup does, when there is nothing yet.

use crate::domain::amount;
use crate::domain::problem::Problem;
use crate::domain::text::{cut, scrub, sentence, width};
use crate::registry::{Grant, Verdict};
use crate::setup::{CatalogRow, ConnectionRow, StorageRow};
use crate::stack::Target;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{HomeRow, Model, Remote};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{Pen, marked, window, wrap};
use crate::tui::view::standing::{of_connection, seen, state, waiting};
use crate::tui::view::start::first_start;
use crate::tui::view::{NARROW, THREE_PANES, TWO_PANES, problem};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Rows that the list has in any window, beneath a blank one.
const LIST_ROWS: usize = 3;

/// Draws the home screen.
pub fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut pen = Pen::new(area, buf);
    match &model.overview {
        Remote::Failed {
            problem,
            previous: None,
            ..
        } => {
            pen.skip();
            problem::draw(model, problem, theme, &mut pen);
            return;
        }
        Remote::Idle | Remote::Loading { previous: None, .. } => {
            let since = model.overview.loading_since().unwrap_or(model.now.since_start);
            let leave = model.keymap.word(Context::Global, Action::QuitNow);
            pen.line(problem::loading(
                "reading the records",
                &format!("{leave} leaves"),
                since,
                model.now.since_start,
                theme,
            ));
            return;
        }
        _ => {}
    }
    if let Remote::Failed { problem, .. } = &model.identity {
        // The list keeps a row for its heading and one for the row under the pointer, at least.
        let room = pen.rows().saturating_sub(LIST_ROWS);
        let width = usize::from(pen.rest().width);
        pen.lines(problem::rows(model, problem, theme, width, room));
        pen.skip();
    }
    if model.overview.is_stale()
        && let Some(problem) = model.overview.problem()
    {
        stale(model, problem, theme, &mut pen);
    }
    let Some(records) = model.records() else { return };
    let columns = usize::from(area.width);
    for broken in &records.broken {
        let glyph = Span::styled(theme.glyphs.failed, theme.bad);
        let problem = &broken.problem;
        let text = format!("{}: {} {}", broken.file.display(), problem.what, problem.next);
        pen.lines(marked(glyph, text.trim_end(), 1, columns, theme.text));
    }
    if !records.broken.is_empty() {
        pen.skip();
    }
    if model.home_rows().is_empty() {
        first_start(model, theme, &mut pen);
        return;
    }
    rows(model, theme, &mut pen);
}

/// The records are shown as they were last read; why, and since when.
fn stale(model: &Model, problem: &Problem, theme: &Theme, pen: &mut Pen<'_>) {
    let as_of = model
        .overview
        .as_of()
        .map(|at| format!("as of {}, not read again: ", model.clock_at(at)))
        .unwrap_or_default();
    let glyph = Span::styled(theme.glyphs.warning, theme.warn);
    let columns = usize::from(pen.rest().width);
    let again = model.keymap.word(Context::Home, Action::Refresh);
    let text = format!("{as_of}{} {again} tries again.", sentence(&problem.what));
    pen.lines(marked(glyph, &text, 1, columns, theme.text));
    if pen.rows() > 12 {
        pen.skip();
    }
}

/// Columns that a verdict has, where the window has them.
const VERDICT: usize = 26;
/// Rows that a verdict may take.
const MOST_VERDICT_ROWS: usize = 4;

#[derive(Clone, Copy)]
struct Columns {
    name: usize,
    place: usize,
    access: usize,
    tables: usize,
    verdict: usize,
    /// Rows that a verdict may take.
    verdict_rows: usize,
}

fn rows(model: &Model, theme: &Theme, pen: &mut Pen<'_>) {
    let all = model.home_rows();
    let total = usize::from(pen.rest().width);
    let longest = all.iter().map(|row| width(&name(row))).max().unwrap_or(0);
    let wide = total >= usize::from(TWO_PANES);
    let columns = Columns {
        name: 0,
        place: if total >= usize::from(NARROW) { 15 } else { 0 },
        access: if wide { 11 } else { 0 },
        tables: if total >= usize::from(THREE_PANES) { 9 } else { 0 },
        verdict: 0,
        verdict_rows: 1,
    };
    let taken = 3 + 2 + columns.place + 1 + columns.access + columns.tables + 3;
    // One long name must not take what all rows have to say.
    let most = total.saturating_sub(taken + VERDICT).clamp(14, 28);
    let name = longest.clamp(10, most);
    let columns = Columns {
        name,
        verdict: total.saturating_sub(taken + name),
        ..columns
    };
    let selected = model.home_index();
    // A verdict takes as many rows as there are to spare, of all rows alike, so that nothing moves with the pointer.
    let most = if all.len() < pen.rows() {
        MOST_VERDICT_ROWS
    } else {
        1
    };
    let lines = (1..=most)
        .rev()
        .map(|verdict_rows| {
            let columns = Columns {
                verdict_rows,
                ..columns
            };
            lines(model, &all, &columns, theme)
        })
        .find(|lines| lines.len() <= pen.rows())
        .unwrap_or_else(|| lines(model, &all, &columns, theme));
    let at = lines
        .iter()
        .position(|(index, _)| *index == Some(selected))
        .unwrap_or_default();
    let height = pen.rows();
    // A row for what lies below, where a list of so few rows can spare it.
    let spare = usize::from(height > LIST_ROWS && lines.len() > height);
    // The heading over the first row is in sight with it.
    let from = match selected {
        0 => 0,
        _ => window(at, lines.len(), height - spare),
    };
    let shown = if from + height - spare < lines.len() {
        height - spare
    } else {
        height
    };
    let from = from.min(lines.len().saturating_sub(shown));
    let below = below(&all, lines.get(from + shown..).unwrap_or_default());
    pen.lines(
        lines
            .into_iter()
            .skip(from)
            .take(shown)
            .map(|(_, line)| line)
            .collect(),
    );
    if let Some(text) = below {
        pen.line(Line::from(Span::styled(format!("   {text}"), theme.dim)));
    }
}

/// How many rows lie below those that are shown, and what begins there; nothing where none does.
fn below(all: &[HomeRow<'_>], hidden: &[(Option<usize>, Line<'_>)]) -> Option<String> {
    let first = hidden.iter().find_map(|(index, _)| *index)?;
    let rest = all.get(first..).unwrap_or_default();
    let kinds: Vec<&str> = [
        (
            "storage",
            rest.iter().any(|row| matches!(row, HomeRow::Storage(_))),
        ),
        (
            "connections",
            rest.iter().any(|row| matches!(row, HomeRow::Connection(_))),
        ),
    ]
    .into_iter()
    .filter_map(|(kind, is_there)| is_there.then_some(kind))
    .collect();
    let more = format!("… {} more below", rest.len());
    Some(match kinds.as_slice() {
        [] => more,
        kinds => format!("{more}, with {}", kinds.join(" and ")),
    })
}

/// The rows of the list, each with the place of what it belongs to; headings belong to nothing.
fn lines(
    model: &Model,
    all: &[HomeRow<'_>],
    columns: &Columns,
    theme: &Theme,
) -> Vec<(Option<usize>, Line<'static>)> {
    let selected = model.home_index();
    let mut lines: Vec<(Option<usize>, Line<'static>)> = Vec::new();
    for (index, row) in all.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| all.get(before));
        let first = before.is_none_or(|before| std::mem::discriminant(before) != std::mem::discriminant(row));
        if before.is_some() && first {
            lines.push((None, Line::default()));
        }
        if first {
            lines.push((None, heading(row, columns, model.overview.is_stale(), theme)));
        }
        let rows = match row {
            HomeRow::Catalog(row) => catalog(model, row, columns, theme),
            HomeRow::Storage(row) => storage(model, row, columns, theme),
            HomeRow::Connection(row) => connection(model, row, columns, theme),
        };
        for (place, line) in rows.into_iter().enumerate() {
            let here = index == selected && place == 0;
            let pointer = if here { theme.glyphs.pointer } else { " " };
            let mut spans = vec![Span::styled(format!(" {pointer} "), theme.selected)];
            let mut cells = line.spans.into_iter();
            if let Some(name) = cells.next() {
                let style = if here { theme.selected } else { theme.text };
                spans.push(Span::styled(name.content, style));
            }
            spans.extend(cells);
            lines.push((Some(index), Line::from(spans)));
        }
    }
    lines
}

fn name(row: &HomeRow<'_>) -> String {
    match row {
        HomeRow::Catalog(row) => scrub(row.catalog.name.as_str()),
        HomeRow::Storage(row) => scrub(row.storage.name.as_str()),
        HomeRow::Connection(row) => scrub(row.connection.name.as_str()),
    }
}

fn pad(text: &str, columns: usize) -> String {
    let cut = cut(text, columns);
    let blanks = columns.saturating_sub(width(&cut));
    cut + &" ".repeat(blanks)
}

fn heading(row: &HomeRow<'_>, columns: &Columns, stale: bool, theme: &Theme) -> Line<'static> {
    let (what, place, access, tables) = match row {
        HomeRow::Catalog(_) => ("CATALOGS", "region", "access", "tables"),
        HomeRow::Storage(_) => ("STORAGE", "connection", "access", ""),
        HomeRow::Connection(_) => ("CONNECTIONS", "account", "bound", ""),
    };
    let style = if stale { theme.dim } else { theme.heading };
    Line::from(vec![
        Span::styled(pad(&format!(" {what}"), columns.name + 3), style),
        Span::styled(format!("  {}", pad(place, columns.place)), theme.dim),
        Span::styled(format!(" {}", pad(access, columns.access)), theme.dim),
        Span::styled(right(tables, columns.tables), theme.dim),
        Span::styled("  last verified", theme.dim),
    ])
}

fn right(text: &str, columns: usize) -> String {
    if columns == 0 {
        String::new()
    } else {
        format!("{text:>columns$}")
    }
}

fn storage(model: &Model, row: &StorageRow, columns: &Columns, theme: &Theme) -> Vec<Line<'static>> {
    let storage = &row.storage;
    let state = state(
        model,
        &Grant::from(storage),
        row.stage,
        row.verdict.as_ref(),
        theme,
    );
    let lead = vec![
        Span::raw(pad(&scrub(storage.name.as_str()), columns.name)),
        Span::raw(format!(
            "  {}",
            pad(&scrub(storage.connection.as_str()), columns.place)
        )),
        Span::raw(format!(" {}", pad(&storage.access.to_string(), columns.access))),
        Span::raw(right("", columns.tables)),
    ];
    with_state(lead, state, columns, theme)
}

fn catalog(model: &Model, row: &CatalogRow, columns: &Columns, theme: &Theme) -> Vec<Line<'static>> {
    let catalog = &row.catalog;
    let state = state(
        model,
        &Grant::from(catalog),
        row.stage,
        row.verdict.as_ref(),
        theme,
    );
    let tables = row
        .verdict
        .as_ref()
        .and_then(Verdict::tables_text)
        .unwrap_or_else(|| "—".to_owned());
    let lead = vec![
        Span::raw(pad(&scrub(catalog.name.as_str()), columns.name)),
        Span::raw(format!("  {}", pad(catalog.region.as_str(), columns.place))),
        Span::raw(format!(" {}", pad(&catalog.access.to_string(), columns.access))),
        Span::raw(right(&tables, columns.tables)),
    ];
    with_state(lead, state, columns, theme)
}

fn connection(model: &Model, row: &ConnectionRow, columns: &Columns, theme: &Theme) -> Vec<Line<'static>> {
    let state = if row.connection.role_arn.is_none() {
        let target = Target::Connection(row.connection.name.clone());
        match seen(model, &target) {
            Some(seen) => waiting(&format!("its stack is {seen}"), theme),
            None => waiting("its role is not made yet", theme),
        }
    } else {
        of_connection(model, row, theme)
    };
    let bound = row.catalogs.len().saturating_add(row.storages.len());
    let bound = amount::count(u64::try_from(bound).unwrap_or(0));
    let lead = vec![
        Span::raw(pad(&scrub(row.connection.name.as_str()), columns.name)),
        Span::raw(format!(
            "  {}",
            pad(&row.connection.account_id.grouped(), columns.place)
        )),
        Span::raw(format!(" {}", pad(&format!("{bound:>8}"), columns.access))),
        Span::raw(right("", columns.tables)),
    ];
    with_state(lead, state, columns, theme)
}

/// A row with its verdict at the right; a long one takes a second row there, and is cut after that.
fn with_state(
    lead: Vec<Span<'static>>,
    (glyph, text): (Span<'static>, String),
    columns: &Columns,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let room = columns.verdict.saturating_sub(2);
    let mut rows = wrap(&text, room);
    let last = columns.verdict_rows.saturating_sub(1);
    if rows.len() > columns.verdict_rows {
        let rest = rows.split_off(last).join(" ");
        rows.push(cut(&rest, room));
    }
    let blank: usize = lead.iter().map(Span::width).sum();
    let mut lead = Some(lead);
    rows.into_iter()
        .map(|row| {
            let mut spans = lead.take().map_or_else(
                || vec![Span::raw(" ".repeat(blank + 4))],
                |mut spans| {
                    spans.extend([Span::raw("  "), glyph.clone(), Span::raw(" ")]);
                    spans
                },
            );
            spans.push(Span::styled(row, theme.text));
            Line::from(spans)
        })
        .collect()
}
