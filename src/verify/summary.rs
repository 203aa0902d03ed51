//! The verdict on the whole ladder, and its sentence.

use super::ladder::short;
use super::report::Rung;
use crate::domain::access::Access;
use crate::domain::status::Status;

/// The worst of the rungs that were tried.
pub(super) fn verdict(rungs: &[Rung]) -> Status {
    let any = |status| rungs.iter().any(|rung| rung.status == status);
    if any(Status::Failed) {
        Status::Failed
    } else if any(Status::Warning) {
        Status::Warning
    } else {
        Status::Passed
    }
}

/// One sentence for people. `access` is the catalog's; a connection has none.
pub(super) fn sentence(rungs: &[Rung], access: Option<Access>) -> String {
    if let Some(first) = rungs.iter().find(|rung| rung.status == Status::Failed) {
        return format!(
            "Not connected: {} failed. {}",
            short(first.id),
            stopped(&first.answer)
        );
    }
    let level = match access {
        Some(Access::ReadOnly) => "Read-only: ",
        Some(Access::ReadWrite) => "Read-write: ",
        None => "",
    };
    let works = match rungs
        .iter()
        .filter(|rung| matches!(rung.status, Status::Passed | Status::Warning))
        .count()
    {
        1 => "1 thing works".to_owned(),
        number => format!("{number} things work"),
    };
    let warned: Vec<&str> = rungs
        .iter()
        .filter(|rung| rung.status == Status::Warning)
        .map(|rung| short(rung.id))
        .collect();
    if warned.is_empty() {
        format!("Connected. {level}{works}.")
    } else {
        format!(
            "Connected. {level}{works}, with a word of caution on {}.",
            warned.join(", ")
        )
    }
}

fn stopped(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with(['.', '!', '?']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::RungId;
    use super::super::rung::Verdict;
    use super::*;

    fn rungs(of: &[(RungId, Status)]) -> Vec<Rung> {
        of.iter()
            .map(|(id, status)| {
                let mut rung = Verdict::passed("an answer").into_rung(*id, 1);
                rung.status = *status;
                rung
            })
            .collect()
    }

    #[test]
    fn green_counts_what_works() {
        let green = rungs(&[
            (RungId::Reach, Status::Passed),
            (RungId::Broker, Status::Skipped),
            (RungId::Role, Status::Passed),
        ]);
        assert_eq!(verdict(&green), Status::Passed);
        assert_eq!(
            sentence(&green, Some(Access::ReadOnly)),
            "Connected. Read-only: 2 things work."
        );
        assert_eq!(sentence(&green, None), "Connected. 2 things work.");
    }

    #[test]
    fn a_warning_is_named_and_counts_as_working() {
        let warned = rungs(&[
            (RungId::Role, Status::Passed),
            (RungId::Databases, Status::Warning),
        ]);
        assert_eq!(verdict(&warned), Status::Warning);
        assert_eq!(
            sentence(&warned, Some(Access::ReadWrite)),
            "Connected. Read-write: 2 things work, with a word of caution on databases."
        );
    }

    #[test]
    fn a_failure_names_the_first_failed_rung() {
        let failed = rungs(&[
            (RungId::Reach, Status::Warning),
            (RungId::Role, Status::Failed),
            (RungId::Databases, Status::Skipped),
            (RungId::List, Status::Failed),
        ]);
        assert_eq!(verdict(&failed), Status::Failed);
        assert_eq!(
            sentence(&failed, Some(Access::ReadOnly)),
            "Not connected: hop 2 failed. an answer."
        );
    }
}
