//! Head, stepper and where the foot stands: where I am, who I am, what to press.

use crate::domain::text::{cut, scrub, width};
use crate::tui::keymap::Action;
use crate::tui::model::{Model, Remote, Screen, Step, Wizard};
use crate::tui::theme::Theme;
use crate::tui::update::contexts;
use crate::tui::view::paint::{both_ends, rule, wrap};
use crate::tui::view::{NARROW, SMALLEST, foot};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// What head and foot leave of a window.
pub fn body(model: &Model, area: Rect) -> Rect {
    let stepper = matches!(model.screen, Screen::Wizard(_)) && model.overlay.is_none();
    let top = if stepper { 3 } else { 2 };
    let toast = u16::try_from(toast(model, area).len()).unwrap_or(1).max(1);
    Rect {
        y: area.y.saturating_add(top),
        height: area.height.saturating_sub(top + 1 + toast),
        ..area
    }
}

/// The rows of what is said at the foot: as many as it needs, up to a quarter of the window. What has no room there is in
/// the log, and the last row says so.
fn toast(model: &Model, area: Rect) -> Vec<String> {
    let Some(toast) = &model.toast else {
        return Vec::new();
    };
    let columns = usize::from(area.width.saturating_sub(2));
    let mut rows = wrap(&scrub(&toast.line), columns);
    let most = usize::from((area.height / 4).max(1));
    if rows.len() > most {
        let rest = rows.split_off(most - 1).join(" ");
        let key = contexts(model)
            .into_iter()
            .find_map(|place| model.keymap.key(place, Action::Log));
        let tail = key.map(|key| format!(" {} has all of it", key.in_words()));
        let tail = tail.unwrap_or_default();
        rows.push(cut(&rest, columns.saturating_sub(width(&tail))) + &tail);
    }
    rows
}

/// Says, calmly, that the window is too small.
pub fn too_small(theme: &Theme, area: Rect, buf: &mut Buffer) {
    let (columns, rows) = SMALLEST;
    let whole = format!(
        "window too small (now {}×{}, needs {columns}×{rows})",
        area.width, area.height
    );
    let short = format!("window too small (now {}×{})", area.width, area.height);
    let cells = usize::from(area.width);
    let line = [whole, short, "too small".to_owned()]
        .into_iter()
        .find(|l| width(l) <= cells)
        .unwrap_or_default();
    let x = area.x
        + area
            .width
            .saturating_sub(u16::try_from(width(&line)).unwrap_or(0))
            / 2;
    let y = area.y + area.height / 2;
    if area.height > 0 {
        buf.set_stringn(x, y, line, cells, theme.text);
    }
}

/// Replaces what a terminal without Unicode cannot draw; letters of foreign names become `?`.
pub fn ascii(area: Rect, buf: &mut Buffer) {
    for y in area.y..area.bottom() {
        for x in area.x..area.right() {
            let Some(cell) = buf.cell_mut((x, y)) else {
                continue;
            };
            if cell.symbol().is_ascii() {
                continue;
            }
            let plain = match cell.symbol() {
                "…" => "~",
                "·" | "─" | "—" => "-",
                "→" => ">",
                "←" => "<",
                "↑" => "^",
                "↓" => "v",
                "×" => "x",
                "⏎" => "<",
                "│" => "|",
                "┌" | "┐" | "└" | "┘" => "+",
                _ => "?",
            };
            cell.set_symbol(plain);
        }
    }
}

/// Draws the frame and returns what is left for the screen.
pub fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) -> Rect {
    let row = |y: u16| Rect {
        y: area.y.saturating_add(y),
        height: 1,
        ..area
    };
    let identity = who(model, theme, area.width);
    let room = usize::from(area.width.saturating_sub(3)).saturating_sub(identity.width());
    both_ends(&here(model, theme, room), &identity, inset(row(0)), buf);
    if let Screen::Wizard(wizard) = &model.screen
        && model.overlay.is_none()
    {
        let line = stepper(wizard, theme, area.width);
        buf.set_line(area.x + 1, row(1).y, &line, area.width.saturating_sub(1));
        rule(theme, row(2), buf);
    } else {
        rule(theme, row(1), buf);
    }
    let bottom = area.height.saturating_sub(1);
    let upper = row(bottom.saturating_sub(1));
    let said = toast(model, area);
    if said.is_empty() {
        rule(theme, upper, buf);
    }
    for (above, line) in (0..).zip(said.iter().rev()) {
        let line = Line::from(Span::styled(line.clone(), theme.accent));
        buf.set_line(area.x + 1, upper.y.saturating_sub(above), &line, area.width);
    }
    if model.toast.is_none()
        && let Some(line) =
            foot::signed_out(model, theme, area.width).or_else(|| foot::at_work(model, theme, area.width))
    {
        buf.set_line(area.x + 1, upper.y, &line, area.width.saturating_sub(1));
    }
    let spent = foot::spent(model, theme, area.width);
    let right_width = u16::try_from(spent.width()).unwrap_or(0);
    let room = usize::from(area.width.saturating_sub(right_width).saturating_sub(4));
    both_ends(&foot::hints(model, theme, room), &spent, inset(row(bottom)), buf);
    body(model, area)
}

fn inset(area: Rect) -> Rect {
    Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    }
}

/// What stands behind the catalog's name where it is read without the connection's role.
const OWN_RIGHTS: &str = "(own rights)";

fn here(model: &Model, theme: &Theme, room: usize) -> Line<'static> {
    let mut parts = vec!["glueup".to_owned()];
    match &model.screen {
        Screen::Home => {}
        Screen::Wizard(wizard) => {
            parts.push(
                wizard
                    .recorded
                    .as_ref()
                    .map_or(format!("new {}", wizard.details.kind.noun()), |holder| {
                        scrub(holder.name())
                    }),
            );
        }
        Screen::Browse(browse) => {
            let catalog = scrub(browse.catalog.as_str());
            parts.push(match browse.as_caller {
                true => format!("{catalog} {OWN_RIGHTS}"),
                false => catalog,
            });
            parts.extend(browse.open_database.as_deref().map(scrub));
        }
    }
    parts.extend(model.overlay.as_ref().map(|overlay| overlay.title.clone()));
    if let Screen::Browse(browse) = &model.screen {
        parts.extend(browse.menu.as_ref().map(|menu| menu.of.title().to_owned()));
    }
    // Where there is little room, the way here goes first: the last part says most.
    let crumb = theme.glyphs.crumb;
    let wide = |parts: &[String]| {
        parts.iter().map(|p| width(p)).sum::<usize>() + width(crumb) * parts.len().saturating_sub(1)
    };
    let mut spans = Vec::new();
    let more = format!("…{}", crumb.trim_start());
    let whole = parts.len();
    while parts.len() > 1 && wide(&parts) > room {
        // With whose rights one looks is said longer than at what.
        match parts.first_mut() {
            Some(first) if first.ends_with(OWN_RIGHTS) && first != OWN_RIGHTS => OWN_RIGHTS.clone_into(first),
            _ => {
                parts.remove(0);
            }
        }
    }
    // That something is left out is told where that takes nothing else away.
    if parts.len() < whole && wide(&parts) + width(&more) <= room {
        spans.push(Span::styled(more, theme.dim));
    }
    let last = cut(&parts.pop().unwrap_or_default(), room);
    for part in parts {
        spans.push(Span::styled(part, theme.text));
        spans.push(Span::styled(crumb, theme.dim));
    }
    spans.push(Span::styled(last, theme.heading));
    Line::from(spans)
}

fn who(model: &Model, theme: &Theme, columns: u16) -> Line<'static> {
    let mut spans = Vec::new();
    let mut parts = Vec::new();
    if let Some(records) = model.records()
        && records.organization.name != "self"
        && columns >= 80
        && !model.surroundings.demo
    {
        parts.push(scrub(&records.organization.name));
    }
    match &model.identity {
        Remote::Ready { value, .. } => {
            if let Some(with) = &model.surroundings.signed_in_with
                && columns >= 80
            {
                parts.push(scrub(with));
            }
            parts.push(value.account.grouped());
            if columns >= 60 {
                parts.extend(value.region.as_ref().map(ToString::to_string));
            }
        }
        Remote::Failed { .. } => parts.push("not signed in".to_owned()),
        _ => parts.push("signing in".to_owned()),
    }
    spans.push(Span::styled(parts.join(" · "), theme.dim));
    if model.surroundings.demo {
        spans.push(Span::raw(" "));
        spans.push(Span::styled(" demo ", theme.demo));
    }
    Line::from(spans)
}

/// The steps: with all their words where these have room, else with those of the one that counts.
fn stepper(wizard: &Wizard, theme: &Theme, columns: u16) -> Line<'static> {
    let room = usize::from(columns.saturating_sub(2));
    let words = [(5, true), (3, true), (1, true), (1, false)];
    words
        .into_iter()
        .filter(|_| columns >= NARROW)
        .map(|(joint, marks)| steps(wizard, theme, joint, true, marks))
        .find(|line| line.width() <= room)
        .unwrap_or_else(|| steps(wizard, theme, 1, false, false))
}

/// The steps, `joint` columns between two of them: `titled` with each one's word, `marked` with one at each that is stale.
fn steps(wizard: &Wizard, theme: &Theme, joint: usize, titled: bool, marked: bool) -> Line<'static> {
    let [done, at, to_come, stale] = theme.glyphs.steps;
    let mut spans = Vec::new();
    let joint = theme.glyphs.rule.repeat(joint);
    for step in Step::ALL {
        if !spans.is_empty() {
            spans.push(Span::styled(format!(" {joint} "), theme.dim));
        }
        let is_stale = wizard
            .stale_from
            .is_some_and(|from| step >= from && step <= wizard.furthest);
        let here = step == wizard.step;
        let (glyph, style): (&str, Style) = if here {
            (at, theme.selected)
        } else if is_stale {
            (stale, theme.warn)
        } else if step < wizard.step || step <= wizard.furthest {
            (done, theme.text)
        } else {
            (to_come, theme.dim)
        };
        spans.push(Span::styled(glyph, style));
        if titled || here {
            let style = if is_stale && !here { theme.text } else { style };
            spans.push(Span::styled(format!(" {}", step.title()), style));
        }
        if is_stale && !here && marked {
            spans.push(Span::styled(" (stale)", theme.text));
        }
    }
    if wizard.stale_from.is_some() && !marked {
        spans.push(Span::styled(format!("  {stale}"), theme.warn));
        spans.push(Span::styled(" stale", theme.text));
    }
    Line::from(spans)
}
