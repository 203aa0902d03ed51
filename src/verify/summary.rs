//! The verdict on the whole ladder, and its sentence.

use super::ladder::short;
use super::report::{Basis, Rung, RungId};
use crate::domain::access::Access;
use crate::domain::status::Status;

/// The worst of the rungs that were tried. Where neither the role's door nor what it may read could be judged at all,
/// that is worth a warning: nothing is proven then.
pub(super) fn verdict(rungs: &[Rung]) -> Status {
    let any = |status| rungs.iter().any(|rung| rung.status == status);
    if any(Status::Failed) {
        Status::Failed
    } else if any(Status::Warning) || rungs.iter().any(is_blind) {
        Status::Warning
    } else {
        Status::Passed
    }
}

/// One sentence for people. `access` is the catalog's; a connection has none.
pub(super) fn sentence(rungs: &[Rung], access: Option<Access>) -> String {
    let by_policy = rungs
        .iter()
        .any(|rung| rung.id == RungId::Role && rung.basis == Basis::Policy);
    if let Some(first) = rungs.iter().find(|rung| rung.status == Status::Failed) {
        return format!(
            "{}: {} failed. {}",
            match (is_limit(first.id), by_policy) {
                (true, false) => "Connected, but not as asked",
                (false, false) => "Not connected",
                (true, true) => "By policy, not as asked",
                (false, true) => "By policy, not connected",
            },
            short(first.id),
            stopped(&first.answer)
        );
    }
    let held = |rung: &&Rung| matches!(rung.status, Status::Passed | Status::Warning);
    // What should be refused and was not proven to be neither works nor is refused.
    let (limits, rest): (Vec<&Rung>, Vec<&Rung>) = rungs
        .iter()
        .filter(held)
        .partition(|rung| refuses(rung.id, access));
    let refused = limits.iter().filter(|rung| rung.status == Status::Passed).count();
    let works = rest.len();
    // Proven is what was tried; what policies say is said otherwise.
    let tried = |part: &Rung| part.status == Status::Passed && part.basis == Basis::Use;
    let proven = rungs.iter().any(|rung| {
        let by_use = rung.parts.iter().any(tried) || (rung.parts.is_empty() && tried(rung));
        rung.id == RungId::Write && rung.status == Status::Passed && by_use
    });
    let level = match access {
        Some(access) => {
            let name = match access {
                Access::ReadOnly => "Read-only",
                Access::ReadWrite => "Read-write",
            };
            format!("{name}{}: ", if proven && !by_policy { ", proven" } else { "" })
        }
        None => String::new(),
    };
    let mut text = match (works, by_policy) {
        (1, false) => "1 thing works".to_owned(),
        (number, false) => format!("{number} things work"),
        (1, true) => "1 thing would work".to_owned(),
        (number, true) => format!("{number} things would work"),
    };
    match (refused, by_policy) {
        (0, _) => {}
        (1, false) => text.push_str(", 1 is refused, as it should be"),
        (number, false) => text.push_str(&format!(", {number} are refused, as they should be")),
        (1, true) => text.push_str(", 1 would be refused, as it should be"),
        (number, true) => text.push_str(&format!(", {number} would be refused, as they should be")),
    }
    let warned: Vec<&str> = rungs
        .iter()
        .filter(|rung| rung.status == Status::Warning)
        .map(|rung| short(rung.id))
        .collect();
    if !warned.is_empty() {
        text.push_str(&format!(", with a word of caution on {}", warned.join(", ")));
    }
    if !by_policy {
        return format!("Connected. {level}{text}.");
    }
    let open: Vec<&str> = rungs
        .iter()
        .filter(|rung| rung.basis == Basis::Policy && rung.status == Status::Skipped)
        .map(|rung| short(rung.id))
        .collect();
    if !open.is_empty() {
        text.push_str(&format!("; not proven: {}", open.join(", ")));
    }
    format!("By policy, not by use. {level}{text}.")
}

/// A rung without which nothing is known of the role: its door, and what it may read.
fn is_blind(rung: &Rung) -> bool {
    let judged = rung.basis == Basis::Policy && matches!(rung.id, RungId::Role | RungId::Read);
    judged && rung.status == Status::Skipped
}

/// A rung that fails when the role may do too much, not too little.
fn is_limit(id: RungId) -> bool {
    matches!(id, RungId::ExternalId | RungId::Write | RungId::Neighbour)
}

/// A rung that passes by being refused.
fn refuses(id: RungId, access: Option<Access>) -> bool {
    match id {
        RungId::ExternalId | RungId::Neighbour => true,
        RungId::Write => access == Some(Access::ReadOnly),
        _ => false,
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
    use super::super::rung::Verdict;
    use super::*;

    fn rungs(of: &[(RungId, Status)]) -> Vec<Rung> {
        of.iter()
            .map(|(id, status)| {
                let mut rung = Verdict::passed("an answer").into_rung(*id, 1);
                rung.parts = vec![rung.clone()];
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
    fn what_is_refused_as_it_should_be_is_counted_apart() {
        let green = rungs(&[
            (RungId::Role, Status::Passed),
            (RungId::ExternalId, Status::Passed),
            (RungId::Write, Status::Passed),
            (RungId::Neighbour, Status::Skipped),
        ]);
        assert_eq!(
            sentence(&green, Some(Access::ReadOnly)),
            "Connected. Read-only, proven: 1 thing works, 2 are refused, as they should be."
        );
        assert_eq!(
            sentence(&green, Some(Access::ReadWrite)),
            "Connected. Read-write, proven: 2 things work, 1 is refused, as it should be."
        );
        let mut judged = green;
        judged[2].parts[0].basis = Basis::Policy;
        assert!(sentence(&judged, Some(Access::ReadWrite)).starts_with("Connected. Read-write: 2 things"));
    }

    #[test]
    fn what_was_judged_by_policy_does_not_say_that_it_was_used() {
        let judged = |of: &[(RungId, Status)]| {
            let mut rungs = rungs(of);
            for rung in rungs.iter_mut().filter(|rung| rung.id > RungId::Broker) {
                rung.basis = Basis::Policy;
            }
            rungs
        };
        let (passed, skipped) = (Status::Passed, Status::Skipped);
        let green = judged(&[
            (RungId::Reach, passed),
            (RungId::Broker, skipped),
            (RungId::Role, passed),
            (RungId::ExternalId, passed),
            (RungId::Read, passed),
            (RungId::Write, passed),
            (RungId::Locations, skipped),
        ]);
        assert_eq!(verdict(&green), passed);
        assert_eq!(
            sentence(&green, Some(Access::ReadOnly)),
            "By policy, not by use. Read-only: 3 things would work, 2 would be refused, as they should be; not proven: \
             table locations."
        );
        let blind = judged(&[
            (RungId::Identity, passed),
            (RungId::Role, skipped),
            (RungId::Read, skipped),
        ]);
        assert_eq!(verdict(&blind), Status::Warning);
        assert!(
            sentence(&blind, None).contains("not proven: hop 2"),
            "{}",
            sentence(&blind, None)
        );
        let wide = judged(&[(RungId::Role, passed), (RungId::Write, Status::Failed)]);
        assert_eq!(
            sentence(&wide, Some(Access::ReadOnly)),
            "By policy, not as asked: write failed. an answer."
        );
    }

    #[test]
    fn a_hole_does_not_say_that_nothing_is_connected() {
        let open = rungs(&[
            (RungId::Role, Status::Passed),
            (RungId::ExternalId, Status::Failed),
        ]);
        assert_eq!(
            sentence(&open, None),
            "Connected, but not as asked: the external ID failed. an answer."
        );
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
    fn what_was_not_proven_to_be_refused_does_not_count_as_working() {
        let warned = rungs(&[
            (RungId::Role, Status::Passed),
            (RungId::Write, Status::Warning),
            (RungId::Neighbour, Status::Passed),
        ]);
        assert_eq!(
            sentence(&warned, Some(Access::ReadOnly)),
            "Connected. Read-only: 1 thing works, 1 is refused, as it should be, with a word of caution on write."
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
