//! The events of the stack that is being made, the newest first; or, while there are none, what is waited for.

use crate::domain::text::{cut, scrub, width};
use crate::stack::StackEvent;
use crate::tui::effect::Slot;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{DeployStep, Half, Model};
use crate::tui::theme::Theme;
use crate::tui::update::is_outdated;
use crate::tui::view::NARROW;
use crate::tui::view::paint::Pen;
use ratatui::text::{Line, Span};

/// The status of a stack in which nothing is but a change set that nobody has executed.
pub const REVIEW: &str = "REVIEW_IN_PROGRESS";

/// What has happened, or what is waited for.
pub fn draw(model: &Model, step: &DeployStep, theme: &Theme, pen: &mut Pen<'_>) {
    let narrow = pen.rest().width < NARROW;
    let heading = if narrow {
        " EVENTS"
    } else {
        " EVENTS (newest first)"
    };
    let mut spans = vec![Span::styled(heading, theme.heading)];
    if let Some((account, region)) = step.looking_in.as_ref().filter(|_| !narrow) {
        spans.push(Span::styled(
            format!("   account {} · {region}", account.grouped()),
            theme.dim,
        ));
    }
    // Where two rows are left, they are for what has happened.
    if pen.rows() > 2 {
        pen.line(Line::from(spans));
    }
    let key = |action| model.keymap.word(Context::Deploy, action);
    if step.status.as_deref() == Some(REVIEW) {
        let (up, delete) = (key(Action::DeployHere), key(Action::DeleteStack));
        let line = format!(
            "A change set waits in it, and nothing is made yet: {up} takes it up, {delete} deletes it."
        );
        pen.wrapped(&line, 1, theme.text);
    }
    if step.events.is_empty() {
        let line = match (&step.status, step.half) {
            // Nobody looks any more: nothing would show up by itself.
            _ if step.problem.is_some() && !model.slots.is_running(Slot::Watch) => {
                if step.half == Half::Done {
                    let (again, delete) = (key(Action::DeployHere), key(Action::DeleteStack));
                    &format!("{again} tries again, {delete} deletes the stack.")
                } else {
                    &format!(
                        "Not watched now: {} looks for the stack again.",
                        key(Action::Refresh)
                    )
                }
            }
            (_, Half::Done) => &format!(
                "Both stacks are made: {} goes on to Verify.",
                key(Action::Continue)
            ),
            (None, _) if narrow => "Watching: it shows up here by itself.",
            (None, _) => {
                let key = model.keymap.key(Context::Deploy, Action::Elsewhere);
                let key = key.map(|key| format!(" {} looks in all regions.", key.in_words()));
                let line = "Not there yet. It shows up here by itself, whoever makes it.";
                &format!("{line}{}", key.unwrap_or_default())
            }
            (Some(_), Half::Access) if is_outdated(model) => {
                "An update shows up here by itself, whoever makes it."
            }
            (Some(_), _) => "No event yet.",
        };
        pen.wrapped(line, 1, theme.text);
        return;
    }
    let wide = |of: fn(&StackEvent) -> &str| step.events.iter().map(|e| width(of(e))).max().unwrap_or(0);
    let (kinds, statuses) = (wide(kind).min(KINDS), wide(|event| &event.status));
    for event in step.events.iter().skip(step.scroll) {
        if !pen.line(event_line(
            event,
            kinds,
            statuses,
            theme,
            usize::from(pen.rest().width),
        )) {
            return;
        }
        if let Some(reason) = &event.reason
            && event.status.ends_with("FAILED")
        {
            pen.wrapped(reason, if narrow { 3 } else { 12 }, theme.text);
        }
    }
}

/// Columns that the kinds of resources take, at most.
const KINDS: usize = 20;

/// What a resource is, without the words that all of them begin with.
fn kind(event: &StackEvent) -> &str {
    let kind = event.resource_type.as_str();
    kind.strip_prefix("AWS::CloudFormation::")
        .or_else(|| kind.strip_prefix("AWS::"))
        .unwrap_or(kind)
}

/// An event; what is as wide in all of them is told: kinds and statuses stand in columns, the name has what is left.
fn event_line(
    event: &StackEvent,
    kinds: usize,
    statuses: usize,
    theme: &Theme,
    columns: usize,
) -> Line<'static> {
    let status = event.status.as_str();
    let style = if status.ends_with("FAILED") || status.contains("ROLLBACK") {
        theme.bad
    } else if status.ends_with("COMPLETE") && !status.starts_with("DELETE") {
        theme.good
    } else {
        theme.text
    };
    let clock = event.at.clock();
    let id = scrub(&event.logical_id);
    if columns < usize::from(NARROW) {
        let room = columns.saturating_sub(3 + width(&clock) + width(&event.status));
        let name = cut(&id, room);
        return Line::from(vec![
            Span::styled(format!(" {clock} "), theme.dim),
            Span::styled(name.clone(), theme.text),
            Span::raw(" ".repeat(room.saturating_sub(width(&name)) + 1)),
            Span::styled(event.status.clone(), style),
        ]);
    }
    let lead = format!("  {clock}  ");
    let names = columns
        .saturating_sub(width(&lead) + kinds + statuses + 5)
        .clamp(8, 40);
    let cell = |text: &str, columns: usize| {
        let text = cut(text, columns);
        let gap = " ".repeat(columns.saturating_sub(width(&text)) + 2);
        text + &gap
    };
    Line::from(vec![
        Span::styled(lead, theme.dim),
        Span::styled(cell(&id, names), theme.text),
        Span::styled(cell(kind(event), kinds), theme.dim),
        Span::styled(event.status.clone(), style),
    ])
}
