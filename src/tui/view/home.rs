//! The home screen: catalogs and connections, each with its last verdict; or what glueup does, when there is nothing yet.

use crate::domain::amount;
use crate::domain::text::{cut, scrub, width};
use crate::registry::{Stage, Verdict};
use crate::setup::{CatalogRow, ConnectionRow};
use crate::tui::model::{HomeRow, Model, Remote};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{Pen, window};
use crate::tui::view::{problem, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Draws the home screen.
pub fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut pen = Pen::new(area, buf);
    match &model.overview {
        Remote::Failed {
            problem,
            previous: None,
        } => {
            pen.skip();
            problem::draw(problem, theme, &mut pen);
            return;
        }
        Remote::Idle | Remote::Loading { previous: None, .. } => {
            let since = model.overview.loading_since().unwrap_or(model.now.since_start);
            pen.line(problem::loading(
                "reading the records",
                since,
                model.now.since_start,
                theme,
            ));
            return;
        }
        _ => {}
    }
    if let Remote::Failed { problem, .. } = &model.identity {
        problem::draw(problem, theme, &mut pen);
        pen.skip();
    }
    let Some(records) = model.records() else { return };
    for broken in &records.broken {
        let line = format!(
            "{} {}: {}",
            theme.glyphs.failed,
            broken.file.display(),
            broken.problem.what
        );
        pen.wrapped(&line, 1, theme.bad);
    }
    if model.home_rows().is_empty() {
        first_start(model, theme, &mut pen);
        return;
    }
    rows(model, theme, &mut pen);
}

fn first_start(model: &Model, theme: &Theme, pen: &mut Pen<'_>) {
    pen.skip();
    for line in [
        "glueup connects an AWS Glue Data Catalog to the engines that read it.",
        "It makes the role and its policy with CloudFormation, after your yes, and nothing else.",
        "Then it proves that the access works, and that it is no wider than asked.",
    ] {
        pen.wrapped(line, 3, theme.text);
    }
    pen.skip();
    let keys = match model.refusal() {
        Some(refusal) => vec![(String::new(), format!("No catalog yet, and {refusal}."))],
        None if model.surroundings.demo => vec![
            (
                "n".to_owned(),
                "connect a Glue catalog of this embedded AWS".to_owned(),
            ),
            (
                String::new(),
                "a lake to try: s3://acme-lake/warehouse in us-west-2".to_owned(),
            ),
        ],
        None => vec![
            ("n".to_owned(), "connect a Glue catalog".to_owned()),
            (
                String::new(),
                "no AWS account? leave (q) and run: glueup demo".to_owned(),
            ),
        ],
    };
    for (key, what) in keys {
        pen.line(Line::from(vec![
            Span::raw("   "),
            Span::styled(format!("{key:<3}"), theme.accent),
            Span::styled(what, theme.text),
        ]));
    }
}

struct Columns {
    name: usize,
    place: usize,
    access: usize,
    verdict: usize,
}

fn rows(model: &Model, theme: &Theme, pen: &mut Pen<'_>) {
    let all = model.home_rows();
    let total = usize::from(pen.rest().width);
    let longest = all.iter().map(|row| width(&name(row))).max().unwrap_or(0);
    let wide = total >= 80;
    let columns = Columns {
        name: longest.clamp(10, if wide { 28 } else { 14 }),
        place: if total >= 56 { 15 } else { 0 },
        access: if wide { 11 } else { 0 },
        verdict: 0,
    };
    let columns = Columns {
        verdict: total.saturating_sub(3 + columns.name + 2 + columns.place + 1 + columns.access + 2),
        ..columns
    };
    let selected = model.home_index();
    let from = window(selected, all.len(), pen.rows().saturating_sub(3));
    let first_connection = all.iter().position(|row| matches!(row, HomeRow::Connection(_)));
    for (index, row) in all.iter().enumerate().skip(from) {
        if index == from || Some(index) == first_connection {
            pen.line(heading(row, &columns, theme));
        }
        let line = match row {
            HomeRow::Catalog(row) => catalog(model, row, &columns, theme),
            HomeRow::Connection(row) => connection(model, row, &columns, theme),
        };
        let is_selected = index == selected;
        let pointer = if is_selected { theme.glyphs.pointer } else { " " };
        let mut spans = vec![Span::styled(format!(" {pointer} "), theme.selected)];
        let mut cells = line.spans.into_iter();
        if let Some(name) = cells.next() {
            let style = if is_selected { theme.selected } else { theme.text };
            spans.push(Span::styled(name.content, style));
        }
        spans.extend(cells);
        if !pen.line(Line::from(spans)) {
            break;
        }
        if Some(index + 1) == first_connection {
            pen.skip();
        }
    }
}

fn name(row: &HomeRow<'_>) -> String {
    match row {
        HomeRow::Catalog(row) => scrub(row.catalog.name.as_str()),
        HomeRow::Connection(row) => scrub(row.connection.name.as_str()),
    }
}

fn pad(text: &str, columns: usize) -> String {
    let cut = cut(text, columns);
    let blanks = columns.saturating_sub(width(&cut));
    cut + &" ".repeat(blanks)
}

fn heading(row: &HomeRow<'_>, columns: &Columns, theme: &Theme) -> Line<'static> {
    let (what, place, access) = match row {
        HomeRow::Catalog(_) => ("CATALOGS", "region", "access"),
        HomeRow::Connection(_) => ("CONNECTIONS", "account", "catalogs"),
    };
    Line::from(vec![
        Span::styled(pad(&format!(" {what}"), columns.name + 3), theme.heading),
        Span::styled(format!("  {}", pad(place, columns.place)), theme.dim),
        Span::styled(format!(" {}", pad(access, columns.access)), theme.dim),
        Span::styled("  last verified", theme.dim),
    ])
}

fn catalog(model: &Model, row: &CatalogRow, columns: &Columns, theme: &Theme) -> Line<'static> {
    let catalog = &row.catalog;
    let (text, style) = match row.stage {
        Stage::Details | Stage::Connection => (
            format!("{} Connection comes next", theme.glyphs.waiting),
            theme.dim,
        ),
        Stage::Deploy => (
            format!("{} Deploy: its stack is not made yet", theme.glyphs.waiting),
            theme.dim,
        ),
        Stage::Verify | Stage::Ready => verdict(model, row.verdict.as_ref(), theme),
    };
    Line::from(vec![
        Span::raw(pad(&scrub(catalog.name.as_str()), columns.name)),
        Span::raw(format!("  {}", pad(catalog.region.as_str(), columns.place))),
        Span::raw(format!(" {}", pad(&catalog.access.to_string(), columns.access))),
        Span::styled(format!("  {}", cut(&text, columns.verdict)), style),
    ])
}

fn connection(model: &Model, row: &ConnectionRow, columns: &Columns, theme: &Theme) -> Line<'static> {
    let (text, style) = if row.connection.role_arn.is_none() {
        (
            format!("{} its role is not made yet", theme.glyphs.waiting),
            theme.dim,
        )
    } else {
        verdict(model, row.verdict.as_ref(), theme)
    };
    let bound = amount::count(u64::try_from(row.catalogs.len()).unwrap_or(0));
    Line::from(vec![
        Span::raw(pad(&scrub(row.connection.name.as_str()), columns.name)),
        Span::raw(format!(
            "  {}",
            pad(&row.connection.account_id.grouped(), columns.place)
        )),
        Span::raw(format!(" {}", pad(&format!("{bound:>8}"), columns.access))),
        Span::styled(format!("  {}", cut(&text, columns.verdict)), style),
    ])
}

fn verdict(model: &Model, verdict: Option<&Verdict>, theme: &Theme) -> (String, Style) {
    use crate::verify::Status;
    let Some(verdict) = verdict else {
        return (format!("{} not verified yet", theme.glyphs.waiting), theme.dim);
    };
    let age = verdict.at.relative(model.now.wall);
    let status = verdict.verdict;
    let glyph = words::glyph(status, theme);
    let style = words::style(status, theme);
    match status {
        Status::Passed => (format!("{glyph} {age}"), style),
        _ => (format!("{glyph} {} ({age})", verdict.sentence), style),
    }
}
