//! The schema pane: what the table is, where it lies, and its columns as a tree.

use crate::browse::TableRow;
use crate::domain::kind::{Note, TableKind};
use crate::domain::moment::Moment;
use crate::domain::schema::{Source, ToldBy};
use crate::domain::text::{cut, cut_middle, scrub, sentence, width};
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{Browse, Listing, Model, Pane, SchemaView};
use crate::tui::theme::Theme;
use crate::tui::view::columns::{Shape, Tree};
use crate::tui::view::paint::{Pen, marked, wrap};
use crate::tui::view::{problem, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Rows that a description takes; the zoom has all of it.
const DESCRIPTION: usize = 2;

/// Between two facts in a row.
const SEPARATOR: &str = " · ";

/// Rows below which the columns need those of the description and the location, which the zoom has too.
const ROOMY: u16 = 12;

/// Draws the pane. What the listing knows about the table stands there at once; the columns come beneath it.
pub fn draw(model: &Model, browse: &Browse, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut pen = Pen::new(area, buf);
    let Some(table) = browse.tables.value().and_then(Listing::selected) else {
        pen.line(Line::from(Span::styled(" SCHEMA", theme.heading)));
        return;
    };
    let style = if browse.pane == Pane::Schema {
        theme.selected
    } else {
        theme.heading
    };
    let room = usize::from(area.width.saturating_sub(2));
    let view = browse.schema_of(&table.name);
    let what = words::kind(table, view);
    let name = cut(
        &scrub(&table.name),
        room.saturating_sub(width(&what) + 2).max(room / 2),
    );
    pen.line(Line::from(vec![
        Span::styled(format!(" {name}  "), style),
        Span::styled(cut(&what, room.saturating_sub(width(&name) + 2)), theme.dim),
    ]));
    if let Some(problem) = browse.schema_problem(&table.name) {
        problem::draw(model, problem, theme, &mut pen);
        return;
    }
    let loading = browse.schema.loading_since();
    let status = match (view, loading) {
        (None, Some(since)) => {
            problem::loading("reading the schema", "", since, model.now.since_start, theme)
        }
        _ => Line::default(),
    };
    let page = Page {
        now: model.now.wall,
        theme,
        zoom: model.keymap.word(Context::Browse, Action::Zoom),
        columns: usize::from(area.width),
        roomy: area.height >= ROOMY,
    };
    let mut lines = page.about(table, view);
    match view {
        Some(view) => lines.extend(page.schema(view, loading.is_some())),
        None => {
            lines.push(status);
            lines.extend(table.notes.iter().flat_map(|note| page.warning(&note.text)));
        }
    }
    let room = pen.rows();
    let from = view
        .map_or(0, |view| view.scroll)
        .min(lines.len().saturating_sub(room));
    let below = lines.len().saturating_sub(from + room);
    let mut lines: Vec<_> = lines.into_iter().skip(from).take(room).collect();
    if below > 0
        && let Some(last) = lines.last_mut()
    {
        *last = Line::from(Span::styled(format!(" … {} more", below + 1), theme.dim));
    }
    pen.lines(lines);
}

/// The row of the column that was looked for, counted from the pane's first: the pane is scrolled there.
pub fn place(model: &Model, browse: &Browse, area: Rect) -> Option<usize> {
    let table = browse.tables.value().and_then(Listing::selected)?;
    let view = browse.schema_of(&table.name)?;
    let page = Page {
        now: model.now.wall,
        theme: &Theme::mono(),
        zoom: model.keymap.word(Context::Browse, Action::Zoom),
        columns: usize::from(area.width),
        roomy: area.height >= ROOMY,
    };
    let about = page.about(table, Some(view)).len();
    let loading = browse.schema.loading_since().is_some();
    let (_, found) = page.schema_and_place(view, loading);
    Some(about + found?)
}

/// How far the pane can be scrolled at this size.
pub fn end(model: &Model, browse: &Browse, area: Rect) -> usize {
    let Some(table) = browse.tables.value().and_then(Listing::selected) else {
        return 0;
    };
    let Some(view) = browse.schema_of(&table.name) else {
        return 0;
    };
    let page = Page {
        now: model.now.wall,
        theme: &Theme::mono(),
        zoom: model.keymap.word(Context::Browse, Action::Zoom),
        columns: usize::from(area.width),
        roomy: area.height >= ROOMY,
    };
    let loading = browse.schema.loading_since().is_some();
    let lines = page.about(table, Some(view)).len() + page.schema(view, loading).len();
    // The name keeps its row.
    lines.saturating_sub(usize::from(area.height.saturating_sub(1)))
}

struct Page<'a> {
    now: Moment,
    theme: &'a Theme,
    /// The key that shows the whole of it.
    zoom: String,
    columns: usize,
    /// There are rows for more than the columns.
    roomy: bool,
}

impl Page<'_> {
    fn room(&self) -> usize {
        self.columns.saturating_sub(2)
    }

    fn say(&self, text: &str, style: Style) -> Vec<Line<'static>> {
        wrap(text, self.room())
            .into_iter()
            .map(|row| Line::from(Span::styled(format!(" {row}"), style)))
            .collect()
    }

    fn warning(&self, text: &str) -> Vec<Line<'static>> {
        let glyph = Span::styled(self.theme.glyphs.warning, self.theme.warn);
        marked(glyph, text, 1, self.columns, self.theme.text)
    }

    /// What the table is and where it lies.
    fn about(&self, table: &TableRow, view: Option<&SchemaView>) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        if let Some(description) = table.description.as_ref().filter(|_| self.roomy) {
            let mut rows = wrap(&words::prose(description).replace('\n', " "), self.room());
            if rows.len() > DESCRIPTION {
                let rest = rows.split_off(DESCRIPTION - 1).join(" ");
                rows.push(cut(&rest, self.room()));
            }
            lines.extend(rows.iter().flat_map(|row| self.say(row, self.theme.text)));
        }
        if let Some(link) = &table.link {
            lines.extend(self.say(&format!("→ {}", scrub(&link.to_string())), self.theme.text));
        }
        if let Some(location) = words::location(table, view).filter(|_| self.roomy) {
            lines.extend(self.say(&cut_middle(location, self.room()), self.theme.dim));
        }
        let held = view.and_then(|view| view.schema.statistics.as_ref());
        if let Some(held) = held.filter(|_| self.roomy) {
            let sign = match held.told_by {
                ToldBy::Snapshot => "",
                // Whoever counted may have done so long ago.
                ToldBy::Parameters => "~",
            };
            let text = format!("{sign}{}", held.in_words().join(SEPARATOR));
            lines.extend(self.say(&cut(&text, self.room()), self.theme.dim));
        }
        lines
    }

    fn schema(&self, view: &SchemaView, loading: bool) -> Vec<Line<'static>> {
        self.schema_and_place(view, loading).0
    }

    /// The rows, and which of them is the column that was looked for.
    fn schema_and_place(&self, view: &SchemaView, loading: bool) -> (Vec<Line<'static>>, Option<usize>) {
        let mut found = None;
        let (theme, schema) = (self.theme, &view.schema);
        let room = self.room();
        let written = schema
            .snapshot
            .as_ref()
            .and_then(|snapshot| snapshot.at)
            .map(|at| format!(", written {}", at.relative(self.now)))
            .unwrap_or_default();
        let shape = Shape::of(schema, room);
        let mut lines = match (schema.source, loading, &view.metadata_problem) {
            (_, _, Some(problem)) => {
                // AWS's own words are long, and are not what the pane is looked at for.
                let what = format!("{} {} says why.", sentence(&problem.what), self.zoom);
                let mut rows = self.warning(&what);
                if schema.kind != TableKind::ResourceLink {
                    rows.extend(self.say("Glue's columns, which may be old:", theme.heading));
                }
                rows
            }
            (Source::Glue, true, None) => {
                let what = match schema.kind {
                    TableKind::ResourceLink => "the table that it leads to is on its way",
                    TableKind::Delta => "Glue's columns; the Delta log is on its way",
                    _ => "Glue's columns; the Iceberg schema is on its way",
                };
                self.say(what, theme.dim)
            }
            (Source::Glue, false, None) => self.say(&format!("Glue's columns{written}"), theme.dim),
            (Source::DeltaLog, _, None) => self.say(&format!("columns of the Delta log{written}"), theme.dim),
            (Source::Iceberg, _, None) => self.say(&format!("Iceberg schema{written}"), theme.dim),
        };
        // What a column's own note says beneath the columns need not stand here too.
        let of_column = |note: &&Note| schema.columns.iter().any(|column| column.has_note(note.code));
        // Where a link leads stands above.
        let is_said = |note: &&Note| of_column(note) || note.code == "links-to";
        for note in schema.notes.iter().filter(|note| !is_said(note)) {
            lines.extend(self.warning(&note.text));
        }
        lines.push(if shape.starred {
            let legend = "* required";
            Line::from(Span::styled(format!(" {legend:>room$}"), theme.dim))
        } else {
            Line::default()
        });
        // A link has none of its own.
        let is_unread =
            schema.kind == TableKind::ResourceLink && (loading || view.metadata_problem.is_some());
        if schema.columns.is_empty() && !is_unread {
            lines.push(Line::from(Span::styled(" 0 columns", theme.dim)));
        }
        for column in &schema.columns {
            let mut tree = Tree {
                shape: &shape,
                theme,
                wanted: view.found.as_deref(),
                found: &mut found,
                lines: &mut lines,
            };
            tree.grow(column, &column.name, "", "");
        }
        let partitions = words::partitions(schema)
            .into_iter()
            .map(|text| (text, "partition"));
        let sort = schema.sort.iter().map(|field| (field.to_string(), "sort order"));
        for (text, what) in partitions.chain(sort) {
            let text = cut(&text, shape.names);
            let gap = " ".repeat(shape.names.saturating_sub(width(&text)) + 2);
            lines.push(Line::from(vec![
                Span::styled(format!(" {text}{gap}"), theme.text),
                Span::styled(what, theme.dim),
            ]));
        }
        let refs: Vec<String> = schema.named_refs().map(ToString::to_string).collect();
        if !refs.is_empty() {
            lines.extend(self.say(&refs.join(SEPARATOR), theme.dim));
        }
        let noted = words::column_notes(&schema.columns);
        if !noted.is_empty() {
            lines.push(Line::default());
            lines.extend(noted.iter().flat_map(|note| self.warning(note)));
        }
        for view in &schema.views {
            lines.push(Line::default());
            lines.extend(self.say(&words::view_heading(view), theme.heading));
            lines.extend(view.sql.lines().flat_map(|line| self.say(line, theme.text)));
        }
        if !schema.history.is_empty() {
            lines.push(Line::default());
            lines.push(Line::from(Span::styled(
                format!(" older columns: {}", schema.history.len()),
                theme.dim,
            )));
            for column in &schema.history {
                let name = cut(&column.name, shape.names);
                let gap = " ".repeat(shape.names.saturating_sub(width(&name)) + 2);
                // That it is no more is what the heading says; that it has another name now is not.
                let renamed = column.notes.iter().find(|note| note.code == "renamed-column");
                let renamed = renamed.map(|note| format!("  {}", note.text)).unwrap_or_default();
                let text = format!(" {name}{gap}{}{renamed}", column.type_text);
                lines.push(Line::from(Span::styled(cut(&text, room + 1), theme.dim)));
            }
        }
        (lines, found)
    }
}
