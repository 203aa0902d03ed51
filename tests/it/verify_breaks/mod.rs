//! Many ways to break a connection, each with the rung that must fail, the cause that must be named, and the next step.
//! Either the embedded AWS refuses by its own evaluation (*enforced*), or a server before it answers in AWS's words
//! (*canned*), for what no emulator evaluates.

mod canned;
mod shown;
pub use canned::through;
pub mod enforced;
mod stores;
mod unsaid;

use crate::verify::rung;
use glueup::domain::status::Status::{Failed, Passed, Skipped};
use glueup::verify::{Report, RungId};

/// What Verify must make of it.
pub struct Expected {
    pub name: &'static str,
    pub rung: RungId,
    /// Words of the answer.
    pub cause: &'static str,
    /// Words of the next step.
    pub next: &'static str,
}

/// The first failed rung is the one expected, says why and what next; below it nothing failed, and nothing that stands on
/// it is said to work.
#[track_caller]
fn assert_found(expected: &Expected, report: &Report) {
    let name = expected.name;
    let first = report.first_failed();
    let first = first.unwrap_or_else(|| panic!("{name}: nothing failed: {report:#?}"));
    assert_eq!(first.id, expected.rung, "{name}: {report:#?}");
    assert!(first.answer.contains(expected.cause), "{name}: {first:#?}");
    let next = first.next.as_deref().unwrap_or_default();
    assert!(next.contains(expected.next), "{name}: {first:#?}");
    let trust = [RungId::Reach, RungId::Identity, RungId::Broker, RungId::Role];
    if trust.contains(&expected.rung) {
        for above in report.rungs.iter().filter(|rung| rung.id > expected.rung) {
            assert_eq!(above.status, Skipped, "{name}: {above:#?}");
            assert!(above.answer.starts_with("not tried: "), "{name}: {above:#?}");
        }
    } else {
        // What was proven at the door stays proven.
        assert_eq!(rung(report, RungId::Role).status, Passed, "{name}: {report:#?}");
    }
    for failed in report.rungs.iter().filter(|rung| rung.status == Failed) {
        assert!(failed.next.is_some(), "{name}: no next step: {failed:#?}");
    }
    shown::assert_shown(expected, report);
}
