//! A rung and its report as texts: the whole over the screen, the commands of the next step and the report to be copied.

use crate::tui::model::{Model, RungState, Screen};
use crate::tui::update::{command, overlay};
use crate::tui::view::words;
use crate::verify::{Rung, Status};

/// The heading of the verdict beneath a rung.
const LADDER: &str = "The whole ladder";

/// One rung, whole.
pub fn whole(model: &mut Model) {
    let Screen::Wizard(wizard) = &model.screen else {
        return;
    };
    let Some(rung) = rung_under_pointer(model) else {
        return;
    };
    let mut lines = vec![rung_text(rung)];
    if let Some(report) = &wizard.verify.report {
        lines.extend([String::new(), LADDER.to_owned()]);
        lines.push(format!("{}: {}", report.verdict, report.sentence));
        lines.extend(words::after_verify(model, &wizard.details, report.verdict));
    }
    let title = rung.title.clone();
    let next = next_step(model);
    overlay::show(model, title, lines.join("\n"), next);
    overlay::head(model, &[LADDER]);
}

fn rung_under_pointer(model: &Model) -> Option<&Rung> {
    let Screen::Wizard(wizard) = &model.screen else {
        return None;
    };
    match &wizard.verify.rungs.get(wizard.verify.selected)?.state {
        RungState::Done(rung) => Some(rung),
        _ => None,
    }
}

/// The commands of the next step of the rung under the pointer, as a shell takes them; `None`: there are none.
pub fn next_step(model: &Model) -> Option<String> {
    let commands = rung_under_pointer(model)?.commands();
    let lines: Vec<String> = commands
        .into_iter()
        .map(|line| command::reaching(model, line))
        .collect();
    Some(lines.join("\n")).filter(|lines| !lines.is_empty())
}

/// A rung as text, whole.
fn rung_text(rung: &Rung) -> String {
    let mut lines = vec![format!("{}: {}", rung.status, rung.answer)];
    if let Some(next) = &rung.next {
        lines.push(String::new());
        lines.push(format!("Next: {next}"));
    }
    lines.push(String::new());
    let details = [
        ("caller", &rung.caller),
        ("action", &rung.action),
        ("resource", &rung.resource),
        ("request", &rung.request_id),
    ];
    for (name, value) in details {
        if let Some(value) = value {
            lines.push(format!("{name:<10}{value}"));
        }
    }
    for part in &rung.parts {
        lines.push(format!("{}  {}: {}", part.status, part.title, part.answer));
    }
    lines.join("\n")
}

/// The report as text, to be copied.
pub fn report_text(model: &Model) -> Option<String> {
    let Screen::Wizard(wizard) = &model.screen else {
        return None;
    };
    let report = wizard.verify.report.as_ref()?;
    let mut lines = vec![
        format!("{}: {}", report.name, report.sentence),
        report.at.to_string(),
    ];
    for rung in &report.rungs {
        let status = rung.status;
        lines.push(format!("{status:<8} {:<12} {}", rung.id.as_str(), rung.answer));
        if let (Status::Failed | Status::Warning, Some(next)) = (status, &rung.next) {
            lines.push(format!("Next: {next}"));
        }
    }
    Some(lines.join("\n"))
}
