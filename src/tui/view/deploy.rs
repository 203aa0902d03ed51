//! Step 3: the two stacks, the three ways to make them, and the events as they come.

use crate::domain::amount::counted;
use crate::domain::finding::Check;
use crate::domain::status::Status;
use crate::domain::text::{cut, sentence, width};
use crate::stack::link::Link;
use crate::tui::effect::Slot;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{DeployStep, Dialog, DialogFor, Half, Model, Remote, Wizard};
use crate::tui::theme::Theme;
use crate::tui::update::{is_outdated, left_over, own_write, stack_names, stack_place};
use crate::tui::view::paint::{Pen, marked, wrap};
use crate::tui::view::{NARROW, events, problem, prompt};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Draws the step.
pub fn draw(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let step = &wizard.deploy;
    let mut pen = Pen::new(area, buf);
    let roomy = area.height >= 17;
    let narrow = area.width < NARROW;
    if roomy {
        pen.skip();
    }
    // The smallest window has no row to spare; its problem would name the account.
    if roomy || !narrow {
        place(model, theme, &mut pen);
    }
    stacks(model, step, theme, &mut pen);
    beside(model, step, narrow, theme, &mut pen);
    if let Some(asked) = &step.prompt {
        if !narrow {
            pen.skip();
        }
        prompt::draw(asked, theme, &mut pen);
        return;
    }
    if let Some(problem) = &step.problem {
        if !narrow {
            pen.skip();
        }
        problem::draw(model, problem, theme, &mut pen);
    }
    if step.half != Half::Done && step.problem.is_none() {
        if !narrow {
            pen.skip();
        }
        ways(model, step, theme, &mut pen);
    }
    if !narrow {
        for line in prompt::offers(model, step) {
            pen.wrapped(&line, 3, theme.text);
        }
    }
    if roomy {
        pen.skip();
    }
    events::draw(model, step, theme, &mut pen);
}

/// Where the stacks belong: the account that the browser, too, must be signed in to.
fn place(model: &Model, theme: &Theme, pen: &mut Pen<'_>) {
    let Some((account, region)) = stack_place(model) else {
        return;
    };
    let mut spans = vec![Span::styled(
        format!(" Account {}", account.grouped()),
        theme.heading,
    )];
    spans.push(Span::styled(format!("  {region}"), theme.dim));
    pen.line(Line::from(spans));
}

/// What is to be known of stacks that are there and grant something else than is asked for.
fn beside(model: &Model, step: &DeployStep, narrow: bool, theme: &Theme, pen: &mut Pen<'_>) {
    // In a small window a problem needs the room more.
    if narrow && step.problem.is_some() {
        return;
    }
    let columns = usize::from(pen.rest().width);
    let here = model.keymap.word(Context::Deploy, Action::DeployHere);
    let mut say = |text: String| {
        let glyph = Span::styled(theme.glyphs.warning, theme.warn);
        pen.sentence(marked(glyph, &text, 3, columns, theme.text));
    };
    if step.half == Half::Access && is_outdated(model) {
        say(if narrow {
            format!("2 grants what was asked for before: {here} updates it.")
        } else {
            format!(
                "The access stack is there, and grants what was asked for before: {here} shows what changes, and asks."
            )
        });
    }
    if let Some((principal, _)) = &step.again {
        say(if narrow {
            "IAM does not know yet whom the role is to trust".to_owned()
        } else {
            format!(
                "IAM does not know {principal} yet, which may have been made a moment ago: it is tried again."
            )
        });
    }
    for stack in left_over(model) {
        say(if narrow {
            format!("still grants: {stack}")
        } else {
            format!("{stack}, of an earlier setting, still grants: {here} offers to delete it at the end.")
        });
    }
}

fn stacks(model: &Model, step: &DeployStep, theme: &Theme, pen: &mut Pen<'_>) {
    let (connection, catalog) = stack_names(model);
    let wide = usize::from(pen.rest().width);
    let narrow = pen.rest().width < NARROW;
    let rows = [
        ("1", "Connection stack", connection, Half::Connection),
        ("2", "Access stack", catalog, Half::Access),
    ];
    // In a small window a problem needs the room more than what comes after it.
    let pressed = narrow && step.problem.is_some();
    for (number, title, name, half) in rows {
        if pressed && step.half != half {
            continue;
        }
        let (state, style) = state(model, step, half, theme);
        let name = name.unwrap_or_default();
        let here = step.half == half;
        let lead = if narrow {
            format!(" {number} {title}")
        } else {
            format!(" {number} of 2  {title:<18}")
        };
        let room = wide.saturating_sub(lead.len() + width(&state) + 2);
        let shown = if narrow { String::new() } else { cut(&name, room) };
        let gap = room.saturating_sub(width(&shown)) + 1;
        pen.line(Line::from(vec![
            Span::styled(lead, if here { theme.heading } else { theme.text }),
            Span::styled(shown, theme.text),
            Span::raw(" ".repeat(gap)),
            Span::styled(state, style),
        ]));
        if narrow && here && !pressed {
            let name = cut(&name, wide.saturating_sub(4));
            pen.line(Line::from(Span::styled(format!("   {name}"), theme.dim)));
        }
    }
}

fn state(model: &Model, step: &DeployStep, half: Half, theme: &Theme) -> (String, Style) {
    // What is worked on once both are made is the catalog's.
    let worked_on = step.problem.is_some() || (own_write(model) && model.dialog.is_none());
    let current = match step.half {
        Half::Done if worked_on => Half::Access,
        current => current,
    };
    let made = match half {
        Half::Connection => current != Half::Connection,
        _ => current == Half::Done,
    };
    if made {
        return (format!("{} made", theme.glyphs.passed), theme.good);
    }
    if current != half {
        return (format!("{} to come", theme.glyphs.waiting), theme.dim);
    }
    if step.problem.is_some() {
        return (format!("{} failed", theme.glyphs.failed), theme.bad);
    }
    // Nobody is at work on it: it waits for somebody to execute or delete what was begun.
    if step.status.as_deref() == Some(events::REVIEW) && !own_write(model) {
        return (format!("{} in review", theme.glyphs.waiting), theme.text);
    }
    // Nothing is done before the answer.
    let asks = |dialog: &Dialog| dialog.answers == DialogFor::Job(Slot::Write);
    if own_write(model) && model.dialog.as_ref().is_some_and(asks) {
        return (format!("{} asks you", theme.glyphs.waiting), theme.text);
    }
    if let Some((_, seconds)) = &step.again {
        return (
            format!("{} again in {seconds} s", theme.glyphs.waiting),
            theme.accent,
        );
    }
    let at_work = step.status.as_ref().is_some_and(|s| s.ends_with("IN_PROGRESS"));
    if at_work || own_write(model) {
        let seconds = model.now.since_start.saturating_sub(step.since).as_secs();
        let frame = problem::spinner(model.now.since_start, theme);
        return (format!("{frame} {seconds} s"), theme.accent);
    }
    if half == Half::Access && is_outdated(model) {
        return (format!("{} to update", theme.glyphs.waiting), theme.text);
    }
    if model.slots.is_running(Slot::Watch) {
        return (format!("{} waiting", theme.glyphs.waiting), theme.text);
    }
    (format!("{} not made", theme.glyphs.waiting), theme.dim)
}

fn ways(model: &Model, step: &DeployStep, theme: &Theme, pen: &mut Pen<'_>) {
    let refused = model.refusal();
    let key = |action| model.keymap.word(Context::Deploy, action);
    let console = match &step.link {
        Remote::Ready { value, .. } => browser(value, &key(Action::Template)),
        Remote::Failed { problem, .. } => {
            format!("not here: {} {}", sentence(&problem.why), problem.next)
        }
        _ => "making the link".to_owned(),
    };
    let rows = [
        (
            Action::OpenBrowser,
            "Open in AWS Console",
            console,
            matches!(step.link, Remote::Failed { .. }),
        ),
        (
            Action::Template,
            "Download template",
            "for your security team; come back when it is made".to_owned(),
            false,
        ),
        (
            Action::DeployHere,
            "Deploy from here",
            "shows what it will do, then asks for your yes".to_owned(),
            false,
        ),
    ];
    let narrow = pen.rest().width < NARROW;
    // The built-in keys are one letter each; own ones may be longer.
    let keys = rows
        .iter()
        .map(|(action, ..)| width(&key(*action)))
        .max()
        .unwrap_or(0);
    let room = usize::from(pen.rest().width).saturating_sub(29 + keys);
    for (action, title, words, grey) in rows {
        let grey = grey || (refused.is_some() && action != Action::Template);
        if narrow && refused.is_some() && grey {
            continue;
        }
        let style = if grey { theme.dim } else { theme.text };
        let mut lines = if narrow { Vec::new() } else { wrap(&words, room) }.into_iter();
        pen.line(Line::from(vec![
            Span::styled(
                format!("   {:<keys$}  ", key(action)),
                if grey { theme.dim } else { theme.accent },
            ),
            Span::styled(format!("{title:<22}"), style),
            Span::styled(lines.next().unwrap_or_default(), theme.dim),
        ]));
        for line in lines {
            pen.line(Line::from(vec![
                Span::raw(" ".repeat(27 + keys)),
                Span::styled(line, theme.dim),
            ]));
        }
    }
    if refused.is_none() {
        preflight(model, step, narrow, theme, pen);
    }
    if let Some(refusal) = refused {
        let glyph = Span::styled(theme.glyphs.warning, theme.warn);
        let text = format!("You may watch and verify. To deploy: {refusal}.");
        let columns = usize::from(pen.rest().width);
        pen.sentence(marked(glyph, &text, 3, columns, theme.text));
    }
}

/// What the browser way does, and what was found before it.
fn browser(link: &Link, file: &str) -> String {
    if let Some(existing) = &link.existing {
        let another = existing.another.iter().map(|said| format!(". {said}"));
        return format!(
            "opens the page of what is there: {}{}",
            existing.answer,
            another.collect::<String>()
        );
    }
    if link.template_url.is_none() {
        return format!("opens the create-stack page; {file} writes the file and its parameters to paste");
    }
    let press = "you review and press Create stack there";
    match &link.template {
        Some(template) if template.status != Status::Passed => {
            format!("{press}; the template: {}", template.answer)
        }
        _ => press.to_owned(),
    }
}

/// Whether the caller can deploy from here: in a word where nothing is wrong, else what is.
fn preflight(model: &Model, step: &DeployStep, narrow: bool, theme: &Theme, pen: &mut Pen<'_>) {
    let Some(checks) = step.preflight.value() else {
        return;
    };
    let of = |status| checks.iter().find(|check| check.finding.status == status);
    let key = model.keymap.word(Context::Deploy, Action::Checks);
    let said = |check: &Check| {
        let answer = check.finding.answer.lines().next().unwrap_or_default();
        format!("{}: {answer}. {key} shows all.", check.title)
    };
    let (glyph, text) = match (of(Status::Failed), of(Status::Warning)) {
        (Some(check), _) if narrow => {
            let glyph = Span::styled(theme.glyphs.failed, theme.bad);
            (glyph, format!("{} ({key} shows it)", check.title))
        }
        (Some(check), _) => (Span::styled(theme.glyphs.failed, theme.bad), said(check)),
        (None, Some(check)) if !narrow => (Span::styled(theme.glyphs.warning, theme.warn), said(check)),
        _ if narrow => return,
        _ => {
            let passed = checks
                .iter()
                .filter(|check| check.finding.status == Status::Passed);
            let passed = counted(u64::try_from(passed.count()).unwrap_or(0), "check", "checks");
            let glyph = Span::styled(theme.glyphs.passed, theme.good);
            let unknown = match of(Status::Skipped) {
                Some(check) => format!(", {} not known", check.title),
                None => String::new(),
            };
            let text = format!("preflight: {passed} passed{unknown}; {key} shows all");
            (glyph, text)
        }
    };
    let columns = usize::from(pen.rest().width);
    pen.sentence(marked(glyph, &text, 3, columns, theme.text));
}
