//! Hop 2 must fail with a wrong external id, and with none: a role that may be had without it can be misused through
//! anyone whom its trust policy names (the confused deputy).
//!
//! STS does not mind a superfluous id, so that the role can be assumed with the right one proves nothing about this.

use super::super::by_policy;
use super::super::climb::{Climb, SESSION_NAME};
use super::super::mend;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use super::super::tries::Part;
use crate::cloud::{Hop, Tried};
use crate::domain::external_id::ExternalId as Id;
use crate::domain::status::Status;
use crate::setup::random;
use async_trait::async_trait;

/// See the module.
pub(in crate::verify) struct ExternalId;

const ACTION: &str = "sts:AssumeRole";

#[async_trait]
impl Probe for ExternalId {
    fn id(&self) -> RungId {
        RungId::ExternalId
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Role]
    }

    fn is_trust(&self) -> bool {
        true
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        let wrong = match random::external_id() {
            Ok(id) => id,
            Err(problem) => return Verdict::refused(&problem),
        };
        let (wrong, none, others) = tokio::join!(
            Part::of(
                RungId::ExternalId,
                "with a random external ID",
                attempt(climb, Some(wrong))
            ),
            Part::of(RungId::ExternalId, "with no external ID", attempt(climb, None)),
            by_policy::trusted_besides(climb),
        );
        let let_in = |part: &Part| part.verdict.status == Status::Failed;
        let refused = |part: &Part| part.verdict.status == Status::Passed;
        let verdict = match (let_in(&wrong), let_in(&none)) {
            (false, false) if let_in(&others) || (refused(&wrong) && refused(&none)) => {
                refused_to_us(&others)
            }
            (false, false) => Verdict::warning(
                "Not proven: AWS did not answer the question",
                "Verify again; the single tries say what came in between",
            ),
            (wrong, _) => {
                let how = if wrong {
                    "a random external ID"
                } else {
                    "no external ID"
                };
                let widest = match others.verdict.answer.contains(by_policy::EVERYBODY) {
                    true => format!("{}. ", others.verdict.answer),
                    false => String::new(),
                };
                let mut verdict = Verdict::hole(
                    format!(
                        "{widest}The role let us in with {how}: whoever can make a trusted principal act for them could \
                         read this data (confused deputy)"
                    ),
                    mend::trust(climb).await,
                );
                verdict.caller = climb.first().caller();
                verdict
            }
        };
        verdict
            .of(climb.first().caller(), ACTION, climb.role.as_str())
            .made_of(vec![wrong, none, others])
    }
}

/// We are refused; what is written about the others decides.
fn refused_to_us(others: &Part) -> Verdict {
    const US: &str = "Refused with a random external ID and with none, as it should be";
    let Verdict {
        status, answer, next, ..
    } = &others.verdict;
    match status {
        Status::Passed => Verdict::passed(US),
        Status::Skipped => Verdict::passed(format!("{US}; not proven: {}", others.title)),
        Status::Warning => Verdict::warning(format!("{US}. {answer}"), next.clone().unwrap_or_default()),
        Status::Failed => Verdict::failed_for(answer.clone()),
    }
}

/// One try that should be refused.
async fn attempt(climb: &Climb, external_id: Option<Id>) -> Verdict {
    let hop = Hop {
        role_arn: climb.role.clone(),
        external_id,
        session_name: SESSION_NAME.to_owned(),
        region: climb.region.clone(),
    };
    let caller = climb.first().caller();
    // A session that was let in is dropped unused.
    let tried = Tried::of(climb.first().assume(&hop).await);
    let next = match &tried {
        Tried::Allowed => mend::trust(climb).await,
        _ => String::new(),
    };
    let verdict = Verdict::of_forbidden(&tried, "Let in: credentials were issued", next, "Refused");
    verdict.of(caller, ACTION, climb.role.as_str())
}
