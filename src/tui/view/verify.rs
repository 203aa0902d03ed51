//! Step 4: the ladder on the left, the rung under the pointer on the right, the verdict at the end.

use crate::domain::amount;
use crate::tui::effect::Slot;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{Model, RungState, RungView, Wizard};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{Pen, bar, labelled, marked, rule, wrap};
use crate::tui::view::{TEXT_WIDTH, TWO_PANES, problem, words};
use crate::verify::{Basis, Rung, Status, is_command};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Columns of the ladder beside its detail.
const LADDER: u16 = 44;

/// Rows that a command takes in the detail at most; a key shows it whole, another copies it.
const COMMAND_ROWS: usize = 3;

/// Rows in which ladder and verdict stand whole.
const ROOMY: usize = 24;

/// Draws the step.
pub fn draw(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let step = &wizard.verify;
    if let Some(problem) = &step.problem {
        let mut pen = Pen::new(area, buf);
        pen.skip();
        problem::draw(model, problem, theme, &mut pen);
        return;
    }
    let verdict_rows = verdict(model, wizard, theme, area, buf);
    let area = Rect {
        height: area.height.saturating_sub(verdict_rows),
        ..area
    };
    let wide = area.width >= TWO_PANES;
    let ladder = Rect {
        width: if wide { LADDER } else { area.width },
        ..area
    };
    draw_ladder(model, wizard, theme, ladder, buf);
    if wide {
        bar(theme, area.x + LADDER, area, buf);
        let detail = Rect {
            x: area.x + LADDER + 1,
            width: area.width.saturating_sub(LADDER + 1).min(TEXT_WIDTH),
            ..area
        };
        if let Some(view) = step.rungs.get(step.selected) {
            draw_detail(model, view, theme, detail, buf);
        }
    }
}

/// The sentence at the foot of the screen, and after green what comes next; returns its rows.
fn verdict(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, buf: &mut Buffer) -> u16 {
    let step = &wizard.verify;
    let width = usize::from(area.width);
    let mut rows: Vec<Line<'static>> = Vec::new();
    let mut say = |glyph: Span<'static>, text: &str, style: Style| {
        rows.extend(marked(glyph, text, 1, width, style));
    };
    match &step.report {
        Some(report) => {
            let glyph = words::glyph(report.verdict, theme);
            let style = words::style(report.verdict, theme);
            say(Span::styled(glyph, style), &report.sentence, theme.heading);
            for line in words::after_verify(model, &wizard.details, report.verdict) {
                match line.strip_prefix("! ") {
                    Some(limit) => say(Span::styled(theme.glyphs.warning, theme.warn), limit, theme.text),
                    None => say(Span::raw(" "), &line, theme.text),
                }
            }
            // In a small window the ladder needs the row more.
            if usize::from(area.height) >= ROOMY {
                let spent = format!(
                    "{}, {}",
                    amount::counted(report.calls, "call", "calls"),
                    amount::size(report.bytes)
                );
                say(Span::raw(" "), &spent, theme.dim);
            }
        }
        None if model.slots.is_running(Slot::Verify) => {}
        None => {
            let again = model.keymap.word(Context::Verify, Action::Again);
            let line = format!("Stopped: there is no verdict. {again} climbs again.");
            say(Span::styled(theme.glyphs.waiting, theme.dim), &line, theme.text);
        }
    }
    let most = usize::from(area.height) / 2;
    if rows.len() > most {
        let below = rows.len() + 1 - most;
        rows.truncate(most.saturating_sub(1));
        let key = model.keymap.key(Context::Verify, Action::Zoom);
        let key = key.map(|key| format!(": {}", key.in_words())).unwrap_or_default();
        let line = format!("   … {below} more{key}");
        rows.push(Line::from(Span::styled(line, theme.dim)));
    }
    if rows.is_empty() {
        return 0;
    }
    // A line between them: else the verdict reads like one more rung.
    let height = u16::try_from(rows.len()).unwrap_or(0).saturating_add(1);
    let place = Rect {
        y: area.bottom().saturating_sub(height),
        height,
        ..area
    };
    rule(theme, place, buf);
    let mut pen = Pen::new(place, buf);
    pen.leave(1);
    pen.lines(rows);
    height
}

/// Whole seconds until then, the begun one counted.
fn seconds_until(model: &Model, next: std::time::Duration) -> u64 {
    let left = next.saturating_sub(model.now.since_start).as_millis();
    u64::try_from(left.div_ceil(1_000)).unwrap_or(u64::MAX)
}

fn draw_ladder(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let step = &wizard.verify;
    if step.rungs.is_empty() {
        let mut pen = Pen::new(area, buf);
        if model.slots.is_running(Slot::Verify) {
            let since = model.now.since_start;
            let frame = problem::spinner(since, theme);
            pen.line(Line::from(Span::styled(
                format!(" {frame} signing in"),
                theme.dim,
            )));
        }
        return;
    }
    let mut lines: Vec<(Option<usize>, Line<'static>)> = Vec::new();
    let mut group = "";
    let groups: std::collections::BTreeSet<&str> = step.rungs.iter().map(|view| view.id.group()).collect();
    let rows = usize::from(area.height);
    // Headings help, but a rung out of sight hurts: they give way where only they are too many.
    let headed = step.rungs.len() + groups.len() <= rows || step.rungs.len() > rows;
    for (index, view) in step.rungs.iter().enumerate() {
        if headed && view.id.group() != group {
            group = view.id.group();
            lines.push((None, Line::from(Span::styled(format!(" {group}"), theme.heading))));
        }
        lines.push((
            Some(index),
            rung_line(model, index, view, step.selected == index, theme, area.width),
        ));
    }
    let at = lines
        .iter()
        .position(|(index, _)| *index == Some(step.selected))
        .unwrap_or_default();
    let from = crate::tui::view::paint::window(at, lines.len(), usize::from(area.height));
    let mut pen = Pen::new(area, buf);
    for (_, line) in lines.into_iter().skip(from) {
        if !pen.line(line) {
            break;
        }
    }
}

fn rung_line(
    model: &Model,
    index: usize,
    view: &RungView,
    here: bool,
    theme: &Theme,
    columns: u16,
) -> Line<'static> {
    let (glyph, style, right) = match &view.state {
        RungState::Waiting => (theme.glyphs.waiting, theme.dim, String::new()),
        RungState::Running(since) => {
            let seconds = model.now.since_start.saturating_sub(*since).as_secs();
            let right = if seconds > 0 {
                format!("{seconds} s")
            } else {
                String::new()
            };
            (
                problem::spinner(model.now.since_start, theme),
                theme.accent,
                right,
            )
        }
        RungState::Spreading { next, open } => (
            theme.glyphs.waiting,
            theme.warn,
            format!(
                "{}, {}",
                if *open { "still open" } else { "spreading" },
                match seconds_until(model, *next) {
                    0 => "now".to_owned(),
                    seconds => format!("{seconds} s"),
                }
            ),
        ),
        RungState::Done(rung) => (
            words::glyph(rung.status, theme),
            words::style(rung.status, theme),
            match rung.status {
                Status::Passed if rung.basis == Basis::Policy => "by policy".to_owned(),
                Status::Passed => format!("{} ms", rung.ms),
                status => status.to_string(),
            },
        ),
    };
    let pointer = if here { theme.glyphs.pointer } else { " " };
    let title_style = if here { theme.selected } else { theme.text };
    let lead = format!("{:>2} {}", index + 1, view.id.title());
    let room = usize::from(columns).saturating_sub(7 + crate::domain::text::width(&right) + 1);
    let lead = crate::domain::text::cut(&lead, room);
    let gap = room.saturating_sub(crate::domain::text::width(&lead));
    Line::from(vec![
        Span::styled(format!(" {pointer} "), theme.selected),
        Span::styled(format!("{glyph} "), style),
        Span::styled(lead, title_style),
        Span::raw(" ".repeat(gap + 1)),
        Span::styled(
            right,
            match &view.state {
                RungState::Done(rung) if rung.status == Status::Failed => style,
                RungState::Done(rung) if rung.status == Status::Warning => theme.text,
                RungState::Spreading { .. } => theme.text,
                _ => theme.dim,
            },
        ),
    ])
}

fn draw_detail(model: &Model, view: &RungView, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let width = usize::from(area.width);
    let mut rows = vec![Line::from(Span::styled(
        format!(" {}", view.id.title()),
        theme.heading,
    ))];
    let calmly = |text: &str| vec![Line::from(Span::styled(format!(" {text}"), theme.dim))];
    rows.extend(match &view.state {
        RungState::Done(rung) => rung_detail(rung, theme, width),
        RungState::Spreading { next, open } => {
            let what = if *open { "Still open" } else { "Denied" };
            let key = model.keymap.key(Context::Verify, Action::Hurry);
            let skip = key.map(|key| format!(" {} takes the verdict as it is.", key.in_words()));
            let when = match seconds_until(model, *next) {
                0 => "It is tried again now.".to_owned(),
                seconds => format!("The next try comes in {seconds} s."),
            };
            let text = format!(
                "{what}, but its stack changed a moment ago: IAM still spreads. {when}{}",
                skip.unwrap_or_default()
            );
            let glyph = Span::styled(theme.glyphs.waiting, theme.warn);
            marked(glyph, &text, 1, width, theme.text)
        }
        RungState::Running(_) => calmly("Under way."),
        RungState::Waiting if model.slots.is_running(Slot::Verify) => calmly("Its turn has not come."),
        RungState::Waiting => calmly("Stopped before it ended."),
    });
    let room = usize::from(area.height);
    if rows.len() > room {
        let below = rows.len() + 1 - room;
        rows.truncate(room.saturating_sub(1));
        let key = model.keymap.key(Context::Verify, Action::Zoom);
        let key = key.map(|key| format!(": {}", key.in_words())).unwrap_or_default();
        let line = format!(" … {below} more{key}");
        rows.push(Line::from(Span::styled(line, theme.dim)));
    }
    Pen::new(area, buf).lines(rows);
}

fn rung_detail(rung: &Rung, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let glyph = Span::styled(words::glyph(rung.status, theme), words::style(rung.status, theme));
    let sentence = format!("{}: {}", rung.status, rung.answer);
    let mut rows = marked(glyph, &sentence, 1, width, theme.text);
    if let Some(next) = &rung.next {
        rows.push(Line::default());
        rows.extend(next_step(next, theme, width));
    }
    // What is not as it should be comes first.
    let (calm, troubled): (Vec<&Rung>, Vec<&Rung>) = rung
        .parts
        .iter()
        .partition(|part| matches!(part.status, Status::Passed | Status::Skipped));
    rows.extend(parts(rung, &troubled, theme, width));
    rows.extend(parts(rung, &calm, theme, width));
    rows.push(Line::default());
    let basis = match (rung.status, rung.basis) {
        (Status::Skipped, _) => None,
        (_, Basis::Use) => Some("use"),
        (_, Basis::Policy) => Some("policy"),
    };
    let details = [
        ("basis", basis),
        ("caller", rung.caller.as_deref()),
        ("action", rung.action.as_deref()),
        ("resource", rung.resource.as_deref()),
        ("request", rung.request_id.as_deref()),
    ];
    for (name, value) in details {
        if let Some(value) = value {
            rows.extend(labelled(name, value, 9, width, theme));
        }
    }
    rows
}

/// The next step; of a long command only its beginning, since nobody reads a policy in a narrow column.
fn next_step(next: &str, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut rows = Vec::new();
    for line in format!("Next: {next}").lines() {
        let mut lines = wrap(line, width.saturating_sub(2));
        if lines.len() > COMMAND_ROWS && is_command(line) {
            lines.truncate(COMMAND_ROWS.saturating_sub(1));
            lines.push("…".to_owned());
        }
        rows.extend(lines);
    }
    let line = |row| Line::from(Span::styled(format!(" {row}"), theme.text));
    rows.into_iter().map(line).collect()
}

/// Some parts of a rung, below a blank row.
fn parts(rung: &Rung, parts: &[&Rung], theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let mut rows = Vec::new();
    if !parts.is_empty() {
        rows.push(Line::default());
    }
    for part in parts {
        let glyph = Span::styled(words::glyph(part.status, theme), words::style(part.status, theme));
        // Said where it is another one than the rung's.
        let by = if part.basis == Basis::Policy && rung.basis == Basis::Use && part.status != Status::Skipped
        {
            ", by policy"
        } else {
            ""
        };
        let text = format!("{}{by}: {}", part.title, part.answer);
        rows.extend(marked(glyph, &text, 1, width, theme.text));
    }
    rows
}
