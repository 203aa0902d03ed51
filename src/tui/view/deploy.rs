//! Step 3: the two stacks, the three ways to make them, and the events as they come.

use crate::domain::text::{cut, scrub};
use crate::stack::StackEvent;
use crate::tui::effect::Slot;
use crate::tui::model::{DeployStep, Half, Model, Remote, Wizard};
use crate::tui::theme::Theme;
use crate::tui::update::stack_names;
use crate::tui::view::paint::Pen;
use crate::tui::view::problem;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Draws the step.
pub fn draw(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let step = &wizard.deploy;
    let mut pen = Pen::new(area, buf);
    let roomy = area.height >= 18;
    if roomy {
        pen.skip();
    }
    stacks(model, step, theme, &mut pen);
    if let Some(problem) = &step.problem {
        pen.skip();
        problem::draw(problem, theme, &mut pen);
    }
    if step.half != Half::Done && step.problem.is_none() {
        pen.skip();
        ways(model, step, theme, &mut pen);
    }
    if roomy {
        pen.skip();
    }
    events(step, theme, &mut pen);
}

fn stacks(model: &Model, step: &DeployStep, theme: &Theme, pen: &mut Pen<'_>) {
    let (connection, catalog) = stack_names(model);
    let wide = usize::from(pen.rest().width);
    let rows = [
        ("1 of 2", "Connection stack", connection, Half::Connection),
        ("2 of 2", "Access stack", catalog, Half::Catalog),
    ];
    for (number, title, name, half) in rows {
        let (state, style) = state(model, step, half, theme);
        let name = name.unwrap_or_default();
        let state_width = crate::domain::text::width(&state);
        let lead = format!(" {number}  {title:<18}");
        let room = wide.saturating_sub(lead.len() + state_width + 3);
        let shown = cut(&name, room);
        let gap = room.saturating_sub(crate::domain::text::width(&shown)) + 1;
        let here = step.half == half;
        let line = Line::from(vec![
            Span::styled(lead, if here { theme.heading } else { theme.text }),
            Span::styled(shown, theme.text),
            Span::raw(" ".repeat(gap)),
            Span::styled(state, style),
        ]);
        pen.line(line);
    }
}

fn state(model: &Model, step: &DeployStep, half: Half, theme: &Theme) -> (String, Style) {
    let made = match half {
        Half::Connection => step.half != Half::Connection,
        _ => step.half == Half::Done,
    };
    if made {
        return (format!("{} made", theme.glyphs.passed), theme.good);
    }
    if step.half != half {
        return (format!("{} to come", theme.glyphs.waiting), theme.dim);
    }
    if step.problem.is_some() {
        return (format!("{} failed", theme.glyphs.failed), theme.bad);
    }
    let at_work = step.status.as_ref().is_some_and(|s| s.ends_with("IN_PROGRESS"));
    if at_work || model.slots.is_running(Slot::Write) {
        let seconds = model.now.since_start.saturating_sub(step.since).as_secs();
        let frame = problem::spinner(model.now.since_start, theme);
        return (format!("{frame} {seconds} s"), theme.accent);
    }
    if model.slots.is_running(Slot::Watch) {
        return (format!("{} waiting for it", theme.glyphs.waiting), theme.dim);
    }
    (format!("{} not made", theme.glyphs.waiting), theme.dim)
}

fn ways(model: &Model, step: &DeployStep, theme: &Theme, pen: &mut Pen<'_>) {
    let refused = model.refusal();
    let console = match &step.link {
        Remote::Ready { value, .. } if value.template_url.is_none() => {
            "opens the create-stack page; t writes the file and its parameters to paste".to_owned()
        }
        Remote::Ready { .. } => "you review and press Create stack there".to_owned(),
        Remote::Failed { problem, .. } => format!("not here: {} {}", problem.why, problem.next),
        _ => "making the link".to_owned(),
    };
    let rows = [
        (
            "o",
            "Open in AWS Console",
            console,
            matches!(step.link, Remote::Failed { .. }),
        ),
        (
            "t",
            "Download template",
            "for your security team; come back when it is made".to_owned(),
            false,
        ),
        (
            "D",
            "Deploy from here",
            "shows what it will do, then asks for your yes".to_owned(),
            false,
        ),
    ];
    for (key, title, words, grey) in rows {
        let grey = grey || (refused.is_some() && key != "t");
        let style = if grey { theme.dim } else { theme.text };
        let mut lines =
            crate::tui::view::paint::wrap(&words, usize::from(pen.rest().width.saturating_sub(31)).max(12))
                .into_iter();
        pen.line(Line::from(vec![
            Span::styled(format!("   {key}  "), if grey { theme.dim } else { theme.accent }),
            Span::styled(format!("{title:<23}"), style),
            Span::styled(lines.next().unwrap_or_default(), theme.dim),
        ]));
        for line in lines {
            pen.line(Line::from(vec![
                Span::raw(" ".repeat(29)),
                Span::styled(line, theme.dim),
            ]));
        }
    }
    if let Some(refusal) = refused {
        pen.wrapped(
            &format!("You may watch and verify. To deploy: {refusal}."),
            3,
            theme.warn,
        );
    }
}

fn events(step: &DeployStep, theme: &Theme, pen: &mut Pen<'_>) {
    let mut spans = vec![Span::styled(" EVENTS (newest first)", theme.heading)];
    if let Some((account, region)) = &step.looking_in {
        spans.push(Span::styled(
            format!("   account {} · {region}", account.grouped()),
            theme.dim,
        ));
    }
    pen.line(Line::from(spans));
    if step.events.is_empty() {
        let line = match (&step.status, step.half) {
            (_, Half::Done) => "both stacks are made",
            (None, _) => "the stack is not there yet; it shows up here by itself, whoever makes it",
            (Some(_), _) => "no event yet",
        };
        pen.wrapped(line, 2, theme.dim);
        return;
    }
    for event in step.events.iter().skip(step.scroll) {
        if !pen.line(event_line(event, theme, usize::from(pen.rest().width))) {
            return;
        }
        if let Some(reason) = &event.reason
            && event.status.ends_with("FAILED")
        {
            pen.wrapped(reason, 12, theme.bad);
        }
    }
}

fn event_line(event: &StackEvent, theme: &Theme, columns: usize) -> Line<'static> {
    let style = if event.status.ends_with("FAILED") || event.status.contains("ROLLBACK") {
        theme.bad
    } else if event.status.ends_with("COMPLETE") {
        theme.good
    } else {
        theme.text
    };
    let kind = event
        .resource_type
        .strip_prefix("AWS::CloudFormation::")
        .unwrap_or(&event.resource_type);
    let name_width = columns.saturating_sub(11 + 20 + 22).clamp(8, 36);
    let name = cut(&scrub(&event.logical_id), name_width);
    Line::from(vec![
        Span::styled(format!("  {}  ", event.at.clock()), theme.dim),
        Span::styled(format!("{name:<name_width$} "), theme.text),
        Span::styled(format!("{:<20} ", cut(kind, 20)), theme.dim),
        Span::styled(event.status.clone(), style),
    ])
}
