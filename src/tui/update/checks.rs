//! Checks as text for an overlay: of this machine, of whether the caller can deploy.

use crate::domain::amount::counted;
use crate::domain::finding::Check;
use crate::domain::status::Status;

/// What is wrong comes first: a small window shows that much.
pub fn text(checks: &[Check], all_well: &str) -> String {
    let of = |status| checks.iter().filter(move |check| check.finding.status == status);
    let count = |status| u64::try_from(of(status).count()).unwrap_or(u64::MAX);
    let (failed, warnings) = (count(Status::Failed), count(Status::Warning));
    let mut lines = vec![match (failed, warnings) {
        (0, 0) if count(Status::Skipped) > 0 => format!(
            "Nothing was found that is wrong; {} could not be looked at.",
            counted(count(Status::Skipped), "check", "checks")
        ),
        (0, 0) => all_well.to_owned(),
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
    use crate::domain::finding::Finding;

    #[test]
    fn what_is_wrong_stands_first_with_its_mend() {
        let check = |title, finding| Check {
            id: title,
            title,
            finding,
        };
        let all = text(
            &[
                check("clock", Finding::passed("fine")),
                check("sso", Finding::failed("ended", "aws sso login --profile p")),
                check("clipboard", Finding::warning("off", "a\nb")),
                check("width", Finding::skipped("not now")),
            ],
            "All is well.",
        );
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
        assert!(text(&[check("clock", Finding::passed("fine"))], "All is well.").starts_with("All is well."));
    }
}
