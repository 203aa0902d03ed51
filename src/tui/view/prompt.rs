//! The text that the Deploy step asks for, and when to offer that.

use crate::domain::problem::Problem;
use crate::domain::status::Status;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{DeployStep, Half, Model, Prompt, PromptFor};
use crate::tui::theme::Theme;
use crate::tui::update::boundary;
use crate::tui::view::paint::{self, Pen, marked};
use ratatui::text::{Line, Span};

/// Draws what is asked for.
pub fn draw(prompt: &Prompt, theme: &Theme, pen: &mut Pen<'_>) {
    let (heading, why, example) = match prompt.of {
        PromptFor::ServiceRole => (
            "SERVICE ROLE",
            "CloudFormation works with its rights instead of yours; you must be allowed to pass it. The stack keeps it. \
             Empty: your own rights.",
            "arn:aws:iam::012345678901:role/NAME",
        ),
        PromptFor::Boundary => (
            "PERMISSIONS BOUNDARY",
            "The managed policy that your account asks for on new roles. It stands in the connection's record.",
            "arn:aws:iam::012345678901:policy/NAME",
        ),
    };
    let width = usize::from(pen.rest().width);
    pen.line(Line::from(Span::styled(format!("   {heading}"), theme.heading)));
    let mut spans = vec![Span::styled(
        format!(" {} ARN ", theme.glyphs.pointer),
        theme.selected,
    )];
    spans.extend(paint::field(&prompt.field, true, width.saturating_sub(8), theme).spans);
    if let Some(example) = paint::example(&prompt.field, example, theme) {
        spans.push(Span::raw(" "));
        spans.push(example);
    }
    pen.line(Line::from(spans));
    if let Some(invalid) = prompt.error() {
        let glyph = Span::styled(theme.glyphs.failed, theme.bad);
        pen.sentence(marked(glyph, &invalid.to_string(), 3, width, theme.text));
    }
    // Last, since a small window may have no room for it.
    pen.wrapped(why, 3, theme.dim);
}

/// What is named already, and what to name where that is likely to help.
pub fn offers(model: &Model, step: &DeployStep) -> Vec<String> {
    let key = |action| model.keymap.word(Context::Deploy, action);
    let (service, bound) = (key(Action::ServiceRole), key(Action::Boundary));
    let mut lines = Vec::new();
    let checks = step.preflight.value().map(Vec::as_slice).unwrap_or_default();
    let fails = |id: &str| {
        let mut failed = checks
            .iter()
            .filter(|check| check.finding.status == Status::Failed);
        failed.any(|check| check.id == id)
    };
    let nexts = checks.iter().filter_map(|check| check.finding.next.as_deref());
    let next = |problem: &Problem, flag: &str| problem.next.contains(flag);
    let wants = |flag: &str| step.problem.as_ref().is_some_and(|problem| next(problem, flag));
    match &step.role_arn {
        Some(arn) => lines.push(format!(
            "CloudFormation works with the service role {arn}; {service} changes it."
        )),
        None if wants("--role-arn") || (step.problem.is_none() && fails("iam")) => lines.push(format!(
            "{service} names a service role, with whose rights CloudFormation works instead."
        )),
        None => {}
    }
    if step.half != Half::Connection {
        return lines;
    }
    let flag = "--permissions-boundary";
    match boundary(model) {
        Some(arn) => lines.push(format!(
            "The role gets the permissions boundary {arn}; {bound} changes it."
        )),
        None if wants(flag) || nexts.into_iter().any(|next| next.contains(flag)) => lines.push(format!(
            "{bound} names the permissions boundary that your account asks for."
        )),
        None => {}
    }
    lines
}
