//! Hop 1: the broker role can be assumed.

use super::super::by_policy;
use super::super::climb::{Climb, SESSION_NAME};
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use crate::cloud::{chain, is_access_denied};
use crate::domain::platform::BrokerOf;
use async_trait::async_trait;

/// See the module.
pub(in crate::verify) struct Broker;

#[async_trait]
impl Probe for Broker {
    fn id(&self) -> RungId {
        RungId::Broker
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Identity]
    }

    fn is_trust(&self) -> bool {
        true
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        let Some(broker) = &climb.broker else {
            return Verdict::skipped("no broker role: the caller assumes the connection role itself");
        };
        if let Some(verifier) = &climb.connection.verifier {
            return Verdict::skipped(format!(
                "not needed: the verifier {verifier} assumes the connection role itself"
            ));
        }
        let verdict = match chain::first(&climb.aws, Some(broker), &climb.region, SESSION_NAME).await {
            Ok(session) => {
                let answer = match session.caller() {
                    Some(arn) => format!("Became {arn}"),
                    None => "Assumed".to_owned(),
                };
                // A second try of this rung finds the cell set; its session is as good.
                let _ = climb.first.set(session);
                Verdict::passed(answer)
            }
            Err(problem) if is_access_denied(&problem) && climb.platform.broker_of == BrokerOf::Vendor => {
                // A second try of this rung finds the cell set already.
                let _ = climb.by_policy.set(());
                Verdict {
                    next: Some(by_policy::verifier_hint(climb)),
                    request_id: problem.detail.request_id.clone(),
                    ..Verdict::skipped(format!(
                        "{} role, which nobody else can assume: what follows is judged by policy",
                        by_policy::own(climb)
                    ))
                }
            }
            Err(problem) => Verdict::refused(&problem),
        };
        verdict.of(climb.aws.caller(), "sts:AssumeRole", broker.as_str())
    }
}
