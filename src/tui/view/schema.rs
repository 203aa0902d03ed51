//! The schema pane: what the table is, where it lies, and its columns as a tree.

use crate::domain::schema::{Column, Source};
use crate::domain::text::{cut, cut_middle, scrub, width};
use crate::tui::model::{Browse, Model, Pane, SchemaView};
use crate::tui::theme::Theme;
use crate::tui::update::table_under_pointer;
use crate::tui::view::paint::{Pen, marked, wrap};
use crate::tui::view::{problem, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Draws the pane.
pub fn draw(model: &Model, browse: &Browse, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut pen = Pen::new(area, buf);
    let Some(table) = table_under_pointer(browse) else {
        pen.line(Line::from(Span::styled(" SCHEMA", theme.heading)));
        return;
    };
    let style = if browse.pane == Pane::Schema {
        theme.selected
    } else {
        theme.heading
    };
    let room = usize::from(area.width.saturating_sub(2));
    let view = browse.schema.value().filter(|view| view.table == table);
    let what = view.map(what).unwrap_or_default();
    let name = cut(
        &scrub(&table),
        room.saturating_sub(width(&what) + 2).max(room / 2),
    );
    pen.line(Line::from(vec![
        Span::styled(format!(" {name}  "), style),
        Span::styled(cut(&what, room.saturating_sub(width(&name) + 2)), theme.dim),
    ]));
    if let Some(problem) = browse.schema.problem() {
        problem::draw(problem, theme, &mut pen);
        return;
    }
    let Some(view) = view else {
        if let Some(since) = browse.schema.loading_since() {
            pen.line(problem::loading(
                "reading the schema",
                since,
                model.now.since_start,
                theme,
            ));
        }
        return;
    };
    let loading = browse.schema.loading_since().is_some();
    let lines = lines(model, view, loading, theme, area.width);
    let room = pen.rows();
    let from = view.scroll.min(lines.len().saturating_sub(room));
    let below = lines.len().saturating_sub(from + room);
    let mut lines: Vec<_> = lines.into_iter().skip(from).take(room).collect();
    if below > 0
        && let Some(last) = lines.last_mut()
    {
        *last = Line::from(Span::styled(format!(" … {} more", below + 1), theme.dim));
    }
    pen.lines(lines);
}

fn what(view: &SchemaView) -> String {
    let schema = &view.schema;
    match schema.format_version {
        Some(version) => format!("{} v{version}", schema.kind.label()),
        None => schema.kind.label().to_owned(),
    }
}

fn lines(model: &Model, view: &SchemaView, loading: bool, theme: &Theme, columns: u16) -> Vec<Line<'static>> {
    let schema = &view.schema;
    let room = usize::from(columns.saturating_sub(2));
    let mut lines: Vec<Line<'static>> = Vec::new();
    let warning = |text: &str| {
        let glyph = Span::styled(theme.glyphs.warning, theme.warn);
        marked(glyph, text, 1, usize::from(columns), theme.text)
    };
    let say = |text: &str, style: Style| -> Vec<Line<'static>> {
        wrap(text, room)
            .into_iter()
            .map(|row| Line::from(Span::styled(format!(" {row}"), style)))
            .collect()
    };
    if let Some(location) = &schema.location {
        lines.extend(say(&cut_middle(location, room), theme.dim));
    }
    let written = schema
        .snapshot
        .as_ref()
        .and_then(|snapshot| snapshot.at)
        .map(|at| format!(", written {}", at.relative(model.now.wall)))
        .unwrap_or_default();
    lines.extend(match (schema.source, loading, &view.metadata_problem) {
        (_, _, Some(problem)) => {
            let mut rows = warning(&format!("{} {}", words::sentence(&problem.what), problem.why));
            rows.extend(say("Glue's columns, which may be old:", theme.heading));
            rows
        }
        (Source::Glue, true, None) => say("Glue's columns; the Iceberg schema is on its way", theme.dim),
        (Source::Glue, false, None) => say("Glue's columns", theme.dim),
        (Source::Iceberg, _, None) => say(&format!("Iceberg schema{written}"), theme.dim),
    });
    for note in &schema.notes {
        lines.extend(warning(&note.text));
    }
    lines.push(Line::default());
    if schema.columns.is_empty() {
        lines.push(Line::from(Span::styled(" 0 columns", theme.dim)));
    }
    let partitions: Vec<String> = schema
        .partition
        .iter()
        .map(|field| format!("{}({})", field.transform, field.source))
        .collect();
    let names = schema.columns.iter().map(|c| name_width(c, 0));
    let names = names.chain(partitions.iter().map(|text| width(text))).max();
    let names = names.unwrap_or(0).min(room / 2).max(4);
    for column in &schema.columns {
        tree(column, "", "", names, room, theme, &mut lines);
    }
    for text in partitions {
        let text = cut(&text, names);
        let gap = " ".repeat(names.saturating_sub(width(&text)) + 2);
        lines.push(Line::from(vec![
            Span::styled(format!(" {text}{gap}"), theme.text),
            Span::styled("partition", theme.dim),
        ]));
    }
    if !schema.history.is_empty() {
        lines.push(Line::default());
        lines.push(Line::from(Span::styled(
            format!(" dropped columns: {}", schema.history.len()),
            theme.dim,
        )));
        for column in &schema.history {
            let text = format!(" {:<names$}  {}", column.name, column.type_text);
            lines.push(Line::from(Span::styled(cut(&text, room), theme.dim)));
        }
    }
    lines
}

fn name_width(column: &Column, depth: usize) -> usize {
    let own = depth * 2 + width(&column.name);
    column
        .children
        .iter()
        .map(|child| name_width(child, depth + 1))
        .max()
        .unwrap_or(0)
        .max(own)
}

fn tree(
    column: &Column,
    lead: &str,
    below: &str,
    names: usize,
    room: usize,
    theme: &Theme,
    lines: &mut Vec<Line<'static>>,
) {
    let [branch, last] = theme.glyphs.branch;
    let name = cut(&format!("{lead}{}", column.name), names.max(4));
    let gap = names.saturating_sub(width(&name)) + 2;
    // A tree shows its parts below: the whole type text would say them twice.
    let kind = if column.children.is_empty() {
        column.type_text.clone()
    } else {
        column
            .type_text
            .split(['<', '('])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let mark = match (column.key, column.required) {
        (true, _) => "  key",
        (false, true) => "  required",
        (false, false) => "",
    };
    let left = room.saturating_sub(width(&name) + gap + width(mark));
    let mut spans = vec![
        Span::styled(format!(" {name}"), theme.text),
        Span::raw(" ".repeat(gap)),
        Span::styled(cut(&kind, left), theme.accent),
        Span::styled(mark, theme.dim),
    ];
    if let Some(note) = column.notes.first() {
        spans.push(Span::styled(format!("  {} ", theme.glyphs.warning), theme.warn));
        spans.push(Span::styled(note.text.clone(), theme.text));
    }
    lines.push(Line::from(spans));
    let count = column.children.len();
    for (index, child) in column.children.iter().enumerate() {
        let is_last = index + 1 == count;
        let own = format!("{below}{}", if is_last { last } else { branch });
        let under = format!("{below}{}", if is_last { "  " } else { theme.glyphs.bar_gap() });
        tree(child, &own, &under, names, room, theme, lines);
    }
}
