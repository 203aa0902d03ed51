//! Who the caller is.

use super::super::climb::Climb;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use crate::domain::problem::Kind;
use async_trait::async_trait;

/// See the module.
pub(in crate::verify) struct Identity;

#[async_trait]
impl Probe for Identity {
    fn id(&self) -> RungId {
        RungId::Identity
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Reach]
    }

    fn is_trust(&self) -> bool {
        true
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        const ACTION: &str = "sts:GetCallerIdentity";
        let identity = match climb.aws.identity_near(&climb.region).await {
            Ok(identity) => identity,
            Err(problem) => {
                if matches!(problem.kind, Kind::Denied | Kind::Unreachable) {
                    let _ = climb.cut_off.set(problem.kind);
                }
                return Verdict::refused(&problem).of(None, ACTION, "the caller");
            }
        };
        let (role, caller) = (climb.role.partition(), identity.partition);
        let verdict = if role == caller {
            Verdict::passed(format!(
                "{} in account {}",
                identity.arn,
                identity.account.grouped()
            ))
        } else {
            Verdict::failed(
                format!("The caller is in partition {caller}, the connection role in {role}"),
                format!("Sign in with a profile of partition {role}: no role is assumed across partitions"),
            )
        };
        verdict.of(Some(identity.arn.clone()), ACTION, identity.arn)
    }
}
