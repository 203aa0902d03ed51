//! Which probes a Verify has made, for whoever finds their denials in CloudTrail.

use super::report::{Basis, Report, Rung, RungId};
use crate::domain::access::Access;
use crate::domain::moment::Moment;
use crate::domain::status::Status;
use crate::registry::Probe;
use crate::registry::ledger::Intent;

/// The probes among a report's single tries, oldest first; `access` is the catalog's.
pub(super) fn of(report: &Report, access: Option<Access>) -> Vec<Probe> {
    let parts = report.rungs.iter().flat_map(|rung| rung.parts.iter());
    // What a policy was asked was not tried.
    let tried = parts.filter(|part| part.basis == Basis::Use);
    let mut probes: Vec<Probe> = tried.filter_map(|part| probe(part, access, report.at)).collect();
    // Rungs are climbed side by side.
    probes.sort_by_key(|probe| probe.at);
    probes
}

fn probe(part: &Rung, access: Option<Access>, end: Moment) -> Option<Probe> {
    let wants_refusal = match part.id {
        RungId::Write => access == Some(Access::ReadOnly),
        _ => true,
    };
    let outcome = match part.status {
        Status::Passed if wants_refusal => "AccessDenied".to_owned(),
        Status::Passed => "allowed".to_owned(),
        Status::Failed if wants_refusal => "allowed".to_owned(),
        Status::Failed => "AccessDenied".to_owned(),
        // Without a request id nothing was sent, or nothing answered.
        _ => part.request_id.as_ref().map(|_| part.answer.clone())?,
    };
    let (service, action) = part.action.as_deref()?.split_once(':')?;
    Some(Probe {
        at: part.at.unwrap_or(end),
        intent: Intent {
            service: service.to_owned(),
            action: action.to_owned(),
            resource: part.resource.clone().unwrap_or_default(),
        },
        outcome,
        request_id: part.request_id.clone(),
    })
}
