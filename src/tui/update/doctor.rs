//! The checks of this machine, as a text over the screen.

use crate::doctor::Request;
use crate::domain::amount::counted;
use crate::domain::finding::Check;
use crate::domain::finding::Finding;
use crate::domain::problem::Problem;
use crate::domain::status::Status;
use crate::job::{Job, Outcome};
use crate::tui::effect::{Effect, Slot};
use crate::tui::model::Model;
use crate::tui::update::overlay;

const TITLE: &str = "doctor";

/// Opens the text at once, and starts the checks.
pub fn open(model: &mut Model) -> Effect {
    overlay::show(
        model,
        TITLE,
        "Looking at the way to AWS, the terminal and the records; it takes less than five seconds."
            .to_owned(),
        None,
    );
    let request = Request {
        terminal: model.surroundings.terminal.clone(),
        // The terminal's answer would go to whoever reads the keys.
        width: Finding::skipped(
            "while this screen reads the keys the terminal cannot be asked: glueup doctor does",
        ),
    };
    model.slots.run(Slot::Doctor, Job::Doctor(Box::new(request)))
}

/// The checks have been made. Whoever has closed the text meanwhile does not get it again.
pub fn ended(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    let Some(overlay) = model.overlay.as_mut().filter(|overlay| overlay.title == TITLE) else {
        return Vec::new();
    };
    overlay.body = match result {
        Ok(Outcome::Doctor(checks)) => text(&checks),
        Ok(_) => return Vec::new(),
        Err(problem) => format!("{problem}\n{}", problem.next),
    };
    Vec::new()
}

/// What is wrong comes first: a small window shows that much.
fn text(checks: &[Check]) -> String {
    let of = |status| checks.iter().filter(move |check| check.finding.status == status);
    let count = |status| u64::try_from(of(status).count()).unwrap_or(u64::MAX);
    let (failed, warnings) = (count(Status::Failed), count(Status::Warning));
    let mut lines = vec![match (failed, warnings) {
        (0, 0) => "Nothing is wrong with this machine.".to_owned(),
        _ => format!(
            "{} failed, {}.",
            counted(failed, "check", "checks"),
            counted(warnings, "warning", "warnings")
        ),
    }];
    for status in [Status::Failed, Status::Warning, Status::Passed, Status::Skipped] {
        for check in of(status) {
            lines.push(String::new());
            lines.push(format!("{status}: {}", check.title));
            lines.extend(check.finding.answer.lines().map(str::to_owned));
            // Alone on its lines, so that it can be selected.
            if let Some(next) = &check.finding.next {
                lines.push("Next:".to_owned());
                lines.extend(next.lines().map(str::to_owned));
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_stands_first_with_its_mend() {
        let check = |title, finding| Check {
            id: title,
            title,
            finding,
        };
        let all = text(&[
            check("clock", Finding::passed("fine")),
            check("sso", Finding::failed("ended", "aws sso login --profile p")),
            check("clipboard", Finding::warning("off", "a\nb")),
            check("width", Finding::skipped("not now")),
        ]);
        let lines: Vec<&str> = all.lines().collect();
        assert_eq!(
            lines[..9],
            [
                "1 check failed, 1 warning.",
                "",
                "failed: sso",
                "ended",
                "Next:",
                "aws sso login --profile p",
                "",
                "warning: clipboard",
                "off",
            ]
        );
        assert!(all.ends_with("skipped: width\nnot now"));
        assert!(text(&[check("clock", Finding::passed("fine"))]).starts_with("Nothing is wrong"));
    }
}
