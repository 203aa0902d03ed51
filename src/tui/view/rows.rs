//! The rows of the browser's lists.

use crate::browse::{DatabaseRow, TableRow};
use crate::domain::text::{cut, scrub, width};
use crate::tui::model::listing::Needle;
use crate::tui::theme::Theme;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

/// A name with the letters that the filter matched. A name that had to be scrubbed is shown without marks: its letters
/// do not stand where the filter found them.
pub fn marked(
    shown: &str,
    name: &str,
    needle: Option<&mut Needle>,
    style: Style,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let whole = || vec![Span::styled(shown.to_owned(), style)];
    let Some(needle) = needle.filter(|_| name.starts_with(shown.trim_end_matches('…'))) else {
        return whole();
    };
    let places = needle.matched(name);
    shown
        .graphemes(true)
        .enumerate()
        .map(|(place, letter)| {
            let hit = u32::try_from(place).is_ok_and(|place| places.binary_search(&place).is_ok());
            Span::styled(
                letter.to_owned(),
                if hit { style.patch(theme.matched) } else { style },
            )
        })
        .collect()
}

/// A database: its name, and where a link leads.
pub fn database_line(row: &DatabaseRow, room: usize, theme: &Theme) -> Line<'static> {
    let name = scrub(&row.name);
    match &row.link {
        // That two names look alike is the one oddity that must be seen from the list.
        None if row.notes.iter().any(|note| note.code == "not-nfc") => Line::from(vec![
            Span::styled(cut(&name, room.saturating_sub(2)), theme.text),
            Span::styled(format!(" {}", theme.glyphs.warning), theme.warn),
        ]),
        None => Line::from(Span::styled(cut(&name, room), theme.text)),
        Some(link) => {
            let target = format!(" → {}", scrub(&link.to_string()));
            // The name comes first; of its target as much as fits, at least its sign.
            let name_room = room.saturating_sub(width(&target).min(5));
            let name = cut(&name, name_room);
            let left = room.saturating_sub(width(&name));
            Line::from(vec![
                Span::styled(name, theme.text),
                Span::styled(cut(&target, left), theme.dim),
            ])
        }
    }
}

/// Columns of a table's kind: the sign that something is odd about it, and the word.
const KIND: usize = 11;
/// A note is begun beside the kind only where so much of it can be read.
const NOTE: usize = 12;

/// A table: its name, what it is, and what is odd about it.
pub fn table_line(row: &TableRow, room: usize, theme: &Theme) -> Line<'static> {
    // The kinds stand in one column, whatever the names.
    let kind_room = (room * 2 / 5).clamp(KIND, 32);
    let name_room = room.saturating_sub(kind_room + 1);
    let name = cut(&scrub(&row.name), name_room);
    let pad = name_room.saturating_sub(width(&name));
    let (sign, beside) = match (&row.link, row.notes.first()) {
        (Some(link), _) => (" ", scrub(&link.to_string())),
        (None, Some(note)) => (theme.glyphs.warning, note.text.clone()),
        (None, None) => (" ", String::new()),
    };
    let kind = match &row.link {
        Some(_) => "→",
        None => row.kind.label(),
    };
    let mut spans = vec![
        Span::styled(name, theme.text),
        Span::raw(" ".repeat(pad + 1)),
        Span::styled(sign, theme.warn),
        Span::styled(format!(" {kind}"), theme.dim),
    ];
    let joint = if row.link.is_some() { " " } else { ": " };
    let left = kind_room.saturating_sub(2 + width(kind) + width(joint));
    if row.link.is_some() || (left >= NOTE && !beside.is_empty()) {
        spans.push(Span::styled(format!("{joint}{}", cut(&beside, left)), theme.dim));
    }
    Line::from(spans)
}
