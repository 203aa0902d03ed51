//! The columns of a schema as a tree, in a pane of any width.

use crate::domain::kind::Note;
use crate::domain::schema::{Column, Schema};
use crate::domain::text::{cut, width};
use crate::tui::theme::Theme;
use crate::tui::view::words;
use ratatui::text::{Line, Span};

/// How the columns share the pane: names, types, and whether a column may be null.
pub struct Shape {
    /// The columns that names take.
    pub names: usize,
    room: usize,
    /// The word `required` would take its room from the types: a star stands for it.
    pub starred: bool,
}

impl Shape {
    /// Measures a schema for a pane of so many columns.
    pub fn of(schema: &Schema, room: usize) -> Self {
        let most = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
        let names = most(&mut schema.columns.iter().map(|c| name_width(c, 0)))
            .max(most(&mut words::partitions(schema).iter().map(|p| width(p))))
            .max(most(
                &mut schema.sort.iter().map(|field| width(&field.to_string())),
            ))
            .max(most(&mut schema.history.iter().map(|c| width(&c.name))));
        let types = most(&mut schema.columns.iter().map(type_width));
        let required = schema.columns.iter().any(any_required);
        let word = width(mark(false, true, false));
        let sign = if words::column_notes(&schema.columns).is_empty() {
            0
        } else {
            2
        };
        let starred = required && names.max(4) + 2 + types + word + sign > room;
        // The types have what they need first, but two fifths are the names.
        let beside = types + 2 + sign + if starred { 2 } else { word };
        let names = names.min((room * 2 / 5).max(room.saturating_sub(beside))).max(4);
        Self { names, room, starred }
    }
}

/// The columns as they are drawn, one beneath the other.
pub struct Tree<'a> {
    /// How they share the pane.
    pub shape: &'a Shape,
    /// The theme.
    pub theme: &'a Theme,
    /// The dotted path of the column that was looked for, and the row in which it stands.
    pub wanted: Option<&'a str>,
    /// That row.
    pub found: &'a mut Option<usize>,
    /// The rows so far.
    pub lines: &'a mut Vec<Line<'static>>,
}

impl Tree<'_> {
    /// Draws a column and what is beneath it.
    pub fn grow(&mut self, column: &Column, path: &str, lead: &str, below: &str) {
        let (shape, theme) = (self.shape, self.theme);
        let [branch, last] = theme.glyphs.branch;
        let name = cut(&format!("{lead}{}", column.name), shape.names);
        let gap = shape.names.saturating_sub(width(&name)) + 2;
        let mark = mark(column.key, column.required, shape.starred);
        let sign = if column.notes.is_empty() { 0 } else { 2 };
        let left = shape.room.saturating_sub(width(&name) + gap + width(mark) + sign);
        let unread = |note: &Note| matches!(note.code, "unparsed-type" | "unknown-type");
        let style = if column.notes.iter().any(unread) {
            theme.bad
        } else {
            theme.accent
        };
        let named = if self.wanted == Some(path) {
            *self.found = Some(self.lines.len());
            theme.selected
        } else {
            theme.text
        };
        let mut spans = vec![
            Span::styled(format!(" {name}"), named),
            Span::raw(" ".repeat(gap)),
            Span::styled(cut(column.short_type(), left), style),
            Span::styled(mark, theme.dim),
        ];
        // What it is about is said beneath the columns: beside them there is no room for a sentence.
        if !column.notes.is_empty() {
            spans.push(Span::styled(format!(" {}", theme.glyphs.warning), theme.warn));
        }
        self.lines.push(Line::from(spans));
        let count = column.children.len();
        for (index, child) in column.children.iter().enumerate() {
            let is_last = index + 1 == count;
            let own = format!("{below}{}", if is_last { last } else { branch });
            let under = format!("{below}{}", if is_last { "  " } else { theme.glyphs.bar_gap() });
            self.grow(child, &format!("{path}.{}", child.name), &own, &under);
        }
    }
}

fn mark(key: bool, required: bool, starred: bool) -> &'static str {
    match (key, required, starred) {
        (true, _, _) => "  key",
        (false, true, true) => " *",
        (false, true, false) => "  required",
        (false, false, _) => "",
    }
}

fn any_required(column: &Column) -> bool {
    (column.required && !column.key) || column.children.iter().any(any_required)
}

fn type_width(column: &Column) -> usize {
    let own = width(column.short_type());
    column.children.iter().map(type_width).max().unwrap_or(0).max(own)
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
