//! The browser: databases, tables and the schema of the table under the pointer, in one, two or three panes.

use crate::browse::TableRow;
use crate::domain::amount;
use crate::domain::text::{cut, scrub, sentence, width};
use crate::tui::keymap::{Action, Context};
use crate::tui::model::listing::Needle;
use crate::tui::model::{Browse, Listing, Model, Pane, Remote};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{self, Pen, bar, window};
use crate::tui::view::rows::{database_line, marked, table_line};
use crate::tui::view::{THREE_PANES, TWO_PANES, menu, problem, schema};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Draws the browser.
pub fn draw(model: &Model, browse: &Browse, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if let Some(list) = &browse.menu {
        menu::draw(list, theme, area, buf);
        return;
    }
    for (pane, area, rule) in panes(browse, area) {
        match pane {
            Pane::Databases => databases(model, browse, theme, area, buf),
            Pane::Tables => tables(model, browse, theme, area, buf),
            Pane::Schema => schema::draw(model, browse, theme, area, buf),
        }
        if rule {
            bar(theme, area.right(), area, buf);
        }
    }
}

/// How far the schema can be scrolled in a browser of this area.
pub fn schema_end(model: &Model, browse: &Browse, area: Rect) -> usize {
    panes(browse, area)
        .into_iter()
        .find(|(pane, ..)| *pane == Pane::Schema)
        .map_or(0, |(_, area, _)| schema::end(model, browse, area))
}

/// The row of the schema in which the column stands that was looked for.
pub fn schema_place(model: &Model, browse: &Browse, area: Rect) -> Option<usize> {
    let panes = panes(browse, area);
    let (_, area, _) = panes.into_iter().find(|(pane, ..)| *pane == Pane::Schema)?;
    let room = usize::from(area.height.saturating_sub(1));
    let end = schema::end(model, browse, area);
    let place = schema::place(model, browse, area)?;
    // A third of the pane above it says where it belongs.
    Some(place.saturating_sub(room / 3).min(end))
}

/// Which panes are shown, where, and whether a rule stands at their right.
pub(super) fn panes(browse: &Browse, area: Rect) -> Vec<(Pane, Rect, bool)> {
    let part = |x: u16, width: u16| Rect {
        x: area.x.saturating_add(x),
        width,
        ..area
    };
    if area.width >= THREE_PANES {
        let (first, second) = (area.width / 5, area.width * 2 / 5);
        let third = area.width.saturating_sub(first + second + 2);
        return vec![
            (Pane::Databases, part(0, first), true),
            (Pane::Tables, part(first + 1, second), true),
            (Pane::Schema, part(first + second + 2, third), false),
        ];
    }
    if area.width >= TWO_PANES {
        let half = area.width / 2;
        let rest = area.width.saturating_sub(half + 1);
        return if browse.pane == Pane::Databases {
            vec![
                (Pane::Databases, part(0, half), true),
                (Pane::Tables, part(half + 1, rest), false),
            ]
        } else {
            vec![
                (Pane::Tables, part(0, half), true),
                (Pane::Schema, part(half + 1, rest), false),
            ]
        };
    }
    vec![(browse.pane, area, false)]
}

/// A pane's head: its name, how many, and the filter.
fn head<T: crate::tui::model::Named>(
    name: &str,
    pane: Pane,
    model: &Model,
    browse: &Browse,
    remote: &Remote<Listing<T>>,
    theme: &Theme,
    pen: &mut Pen<'_>,
) {
    let style = match (remote.is_stale(), browse.pane == pane) {
        (true, _) => theme.dim,
        (false, true) => theme.selected,
        (false, false) => theme.heading,
    };
    let mut spans = vec![Span::styled(format!(" {name}"), style)];
    if let Some(list) = remote.value() {
        let number = |n: usize| amount::count(u64::try_from(n).unwrap_or(u64::MAX));
        let shown = match (list.filtered_by(), list.only()) {
            (None, None) => format!("  {}", number(list.len())),
            _ => format!("  {} of {}", number(list.shown()), number(list.len())),
        };
        spans.push(Span::styled(shown, theme.dim));
        if let Some(only) = list.only() {
            spans.push(Span::styled(format!("  only {}", only.in_words()), theme.accent));
        }
        if !list.is_sifted() {
            spans.push(Span::styled(", still looking", theme.dim));
        }
        if !list.is_complete() {
            spans.push(Span::styled(", still listing", theme.dim));
        }
        if remote.is_stale() {
            let as_of = remote.as_of().map(|at| model.clock_at(at));
            let as_of = as_of.map_or_else(|| "not whole".to_owned(), |clock| format!("as of {clock}"));
            spans.push(Span::styled(format!("  {} ", theme.glyphs.warning), theme.warn));
            spans.push(Span::styled(as_of, theme.text));
        }
    }
    pen.line(Line::from(spans));
    if let Some((_, field)) = browse.filter.as_ref().filter(|(p, _)| *p == pane) {
        let room = usize::from(pen.rest().width.saturating_sub(4));
        let mut spans = vec![Span::styled(" / ", theme.accent)];
        spans.extend(paint::field(field, browse.filtering, room, theme).spans);
        pen.line(Line::from(spans));
    }
}

fn databases(model: &Model, browse: &Browse, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut pen = Pen::new(area, buf);
    head(
        "DATABASES",
        Pane::Databases,
        model,
        browse,
        &browse.databases,
        theme,
        &mut pen,
    );
    let home = model.keymap.word(Context::Browse, Action::Back);
    let empty = "This catalog has no databases that the role may see: an empty catalog, another region, or Lake \
                 Formation hides them.";
    list(
        model,
        browse,
        Pane::Databases,
        &browse.databases,
        ("listing databases", &format!("{home} goes home")),
        empty,
        theme,
        &mut pen,
        |row, room| database_line(row, room, theme),
    );
}

fn tables(model: &Model, browse: &Browse, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut pen = Pen::new(area, buf);
    head(
        "TABLES",
        Pane::Tables,
        model,
        browse,
        &browse.tables,
        theme,
        &mut pen,
    );
    if let Some(list) = browse.tables.value() {
        let room = usize::from(area.width.saturating_sub(1));
        pen.line(Line::from(Span::styled(
            cut(&format!(" {}", kinds(list)), room),
            theme.dim,
        )));
    }
    let empty = "This database has no tables that the role may see.";
    list(
        model,
        browse,
        Pane::Tables,
        &browse.tables,
        ("listing tables", ""),
        empty,
        theme,
        &mut pen,
        |row, room| table_line(row, room, theme),
    );
}

/// The counts by kind: `Iceberg 31 · Hive 12 · ✗ 1`.
fn kinds(list: &Listing<TableRow>) -> String {
    let counts = list.kinds().into_iter();
    let counts: Vec<String> = counts
        .map(|(label, n)| format!("{label} {}", amount::count(n)))
        .collect();
    counts.join(" · ")
}

#[expect(
    clippy::too_many_arguments,
    reason = "one list with its states, shared by both panes"
)]
fn list<T: crate::tui::model::Named>(
    model: &Model,
    browse: &Browse,
    pane: Pane,
    remote: &Remote<Listing<T>>,
    (loading, stop): (&str, &str),
    empty: &str,
    theme: &Theme,
    pen: &mut Pen<'_>,
    draw: impl Fn(&T, usize) -> Line<'static>,
) {
    if let Some(problem) = remote.problem() {
        if remote.is_stale() {
            // The old rows are what is looked at: why they are old takes as little of their room as it can.
            let glyph = Span::styled(theme.glyphs.failed, theme.bad);
            let width = usize::from(pen.rest().width);
            let again = model.keymap.word(Context::Browse, Action::Refresh);
            let log = model.keymap.word(Context::Global, Action::Log);
            let rows = |what: &str| {
                let text = format!("{what} {again} tries again, the log ({log}) has all of it.");
                paint::marked(glyph.clone(), &text, 1, width, theme.text)
            };
            let whole = rows(&sentence(&problem.what));
            pen.lines(if whole.len() * 3 > pen.rows() {
                rows("Not listed again:")
            } else {
                whole
            });
        } else {
            problem::draw(model, problem, theme, pen);
        }
        pen.skip();
    }
    let Some(list) = remote.value() else {
        if let Some(since) = remote.loading_since() {
            // The pane's head says of what. How long it takes is said in any case.
            let narrow = usize::from(pen.rest().width) < width(loading) + 10;
            let (loading, stop) = if narrow { ("listing", "") } else { (loading, stop) };
            pen.line(problem::loading(
                loading,
                stop,
                since,
                model.now.since_start,
                theme,
            ));
        }
        return;
    };
    let filter = list.filtered_by();
    if list.shown() == 0 {
        match filter {
            Some(filter) if list.is_sifted() => {
                let clear = model.keymap.word(Context::Filter, Action::Clear);
                let line = format!("Nothing matches \"{}\": {clear} drops the filter.", scrub(filter));
                pen.wrapped(&line, 1, theme.text);
            }
            None if list.only().is_some() && list.is_sifted() => {
                let key = model.keymap.word(Context::Browse, Action::Kind);
                pen.wrapped(&format!("None of these here: {key} shows others."), 1, theme.text);
            }
            None if list.is_complete() => {
                pen.wrapped(empty, 1, theme.text);
            }
            _ => {}
        }
        return;
    }
    let at = list.place();
    let room = usize::from(pen.rest().width.saturating_sub(3));
    let from = window(at, list.shown(), pen.rows());
    let mut needle = filter.map(Needle::new);
    for place in from..list.shown() {
        let Some(row) = list.row(place) else { break };
        let here = place == at;
        let pointer = if here { theme.glyphs.pointer } else { " " };
        // The pane that has the keys has the bright pointer; in the others it is seen, too, which row was chosen.
        let chosen = if browse.pane == pane {
            theme.selected
        } else {
            theme.heading
        };
        let mut spans = vec![Span::styled(format!(" {pointer} "), chosen)];
        let mut cells = draw(row, room).spans.into_iter();
        if let Some(name) = cells.next() {
            let style = if here { chosen } else { name.style };
            spans.extend(marked(&name.content, row.name(), needle.as_mut(), style, theme));
        }
        spans.extend(cells);
        if !pen.line(Line::from(spans)) {
            break;
        }
    }
}
