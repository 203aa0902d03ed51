//! The endpoint answers, and its clock agrees with ours.

use super::super::climb::Climb;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use crate::cloud::{CLOCK_NOTABLE, CLOCK_REFUSED, Reading, off_by};
use crate::domain::problem::Kind;
use async_trait::async_trait;

/// See the module.
pub(in crate::verify) struct Reach;

#[async_trait]
impl Probe for Reach {
    fn id(&self) -> RungId {
        RungId::Reach
    }

    fn is_trust(&self) -> bool {
        true
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        // Any answer will do here; what it says is the next rung's matter.
        match climb.aws.identity_near(&climb.region).await {
            Err(problem) if problem.kind == Kind::Unreachable => {
                let _ = climb.cut_off.set(problem.kind);
                Verdict::refused(&problem)
            }
            _ => clock(climb.aws.meter().reading()),
        }
        .of(
            None,
            "sts:GetCallerIdentity",
            format!("AWS STS in {}", climb.aws.sts_region(&climb.region)),
        )
    }
}

fn clock(reading: Reading) -> Verdict {
    match reading.skew_seconds {
        None => Verdict::passed("AWS answers"),
        Some(skew) if skew.abs() > CLOCK_REFUSED => Verdict::failed(
            format!("This machine's clock is {}", off_by(skew)),
            "Set the clock (an NTP service keeps it right): AWS refuses signatures that are more than 5 min off",
        ),
        Some(skew) if skew.abs() > CLOCK_NOTABLE => Verdict::warning(
            format!("AWS answers, but this machine's clock is {}", off_by(skew)),
            "Set the clock: at 5 min AWS begins to refuse",
        ),
        Some(skew) => Verdict::passed(format!("AWS answers; clocks agree to {} s", skew.abs().max(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::status::Status;

    #[test]
    fn the_clock_fails_where_aws_begins_to_refuse() {
        let verdict = |skew| {
            clock(Reading {
                skew_seconds: skew,
                ..Reading::default()
            })
        };
        assert_eq!(verdict(None).status, Status::Passed);
        assert_eq!(verdict(Some(-60)).status, Status::Passed);
        assert_eq!(verdict(Some(61)).status, Status::Warning);
        assert_eq!(verdict(Some(300)).status, Status::Warning);
        let off = verdict(Some(-600));
        assert_eq!(off.status, Status::Failed);
        assert_eq!(off.answer, "This machine's clock is 10 min ahead");
    }
}
