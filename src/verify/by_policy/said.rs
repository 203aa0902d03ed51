//! What the simulator's answers come to for one action on all the resources that it needs.

use crate::cloud::iam::{Decision, Obstacle, Simulated, Source};

/// What is said of one action on all the resources that it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    Allowed {
        on: String,
        /// The policies that decided, as far as they are named.
        by: Vec<Source>,
        /// Condition keys that a policy asks for besides: what a request has of them may still keep it out.
        keys: String,
        /// True where the bucket's policy gives it.
        bucket: bool,
    },
    Refused {
        on: String,
        why: Refuser,
        /// The policies that deny it; empty where none allows it.
        by: Vec<Source>,
    },
    /// It hangs on condition keys that only a request itself has.
    Open {
        keys: String,
    },
    Nothing {
        on: String,
    },
    /// What the role's own policies say, where the bucket's policy was not shown, for this reason: it may say otherwise.
    Unshown {
        own: Box<Said>,
        why: String,
    },
}

/// What refuses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refuser {
    /// What IAM's simulator sees.
    Principal(Obstacle),
    /// The policy of the bucket.
    Bucket,
    /// The policy of the access point.
    AccessPoint,
    /// Nobody: there is no such access point.
    NoAccessPoint,
}

impl Refuser {
    /// Whether a policy of the resource that names the role would allow it all the same.
    pub(super) fn yields(self) -> bool {
        matches!(self, Self::Principal(Obstacle::Lacking | Obstacle::Boundary))
    }
}

impl Said {
    /// The resource that decided; empty where none did.
    pub(super) fn on(&self) -> &str {
        match self {
            Self::Allowed { on, .. } | Self::Refused { on, .. } | Self::Nothing { on } => on,
            Self::Open { .. } => "",
            Self::Unshown { own, .. } => own.on(),
        }
    }
}

/// What is said of an action that needs the right on each of these; who gives it on the telling ones gives it away.
pub(super) fn said(results: &[Simulated], action: &str, needed: &[String], telling: &[String]) -> Said {
    let (mut open, mut besides): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut by: Vec<Source> = Vec::new();
    let mut last = String::new();
    for on in needed {
        let Some(result) = results
            .iter()
            .find(|result| result.action.eq_ignore_ascii_case(action) && result.resource == *on)
        else {
            return Said::Nothing { on: on.clone() };
        };
        last.clone_from(on);
        let missing = result.missing.iter().map(String::as_str);
        let keys = missing.filter(|key| matters(key, action));
        if result.decision == Decision::Allowed {
            besides.extend(keys);
            let sources = result.sources.iter().filter(|_| telling.contains(on));
            by.extend(sources.cloned());
            continue;
        }
        // A statement that denies may do so for want of a key: most operators that say "not" hold where there is none.
        let keys: Vec<&str> = keys.collect();
        if !keys.is_empty() {
            open.extend(keys);
            continue;
        }
        return Said::Refused {
            on: on.clone(),
            why: Refuser::Principal(result.obstacle()),
            by: match result.decision {
                Decision::ExplicitDeny => result.sources.clone(),
                Decision::Allowed | Decision::ImplicitDeny => Vec::new(),
            },
        };
    }
    let joined = |mut words: Vec<&str>| {
        words.sort_unstable();
        words.dedup();
        words.join(", ")
    };
    if open.is_empty() {
        by.dedup();
        Said::Allowed {
            on: last,
            by,
            keys: joined(besides),
            bucket: false,
        }
    } else {
        Said::Open { keys: joined(open) }
    }
}

/// Whether a missing condition key leaves it open. What a listing asks for is known, and a key of another service comes
/// with no request of this one.
fn matters(key: &str, action: &str) -> bool {
    let of = |text: &str| text.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let known = ["s3:prefix", "s3:delimiter", "s3:max-keys"];
    !known.iter().any(|known| key.eq_ignore_ascii_case(known)) && (of(key) == "aws" || of(key) == of(action))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(decision: Decision, missing: &[&str]) -> Simulated {
        Simulated {
            action: "s3:GetObject".to_owned(),
            resource: "x".to_owned(),
            decision,
            sources: Vec::new(),
            missing: missing.iter().map(|key| (*key).to_owned()).collect(),
            by_boundary: false,
            by_organization: false,
        }
    }

    fn of(answer: Simulated) -> Said {
        let on = ["x".to_owned()];
        said(&[answer], "s3:GetObject", &on, &on)
    }

    #[test]
    fn a_deny_for_want_of_a_key_is_not_settled() {
        let keys = |keys: &str| Said::Open {
            keys: keys.to_owned(),
        };
        let vpce = &["aws:SourceVpce"][..];
        assert_eq!(of(answer(Decision::ExplicitDeny, vpce)), keys("aws:SourceVpce"));
        assert_eq!(of(answer(Decision::ImplicitDeny, vpce)), keys("aws:SourceVpce"));
        for missing in [&[][..], &["s3:prefix"], &["ec2:Vpc"]] {
            let told = of(answer(Decision::ExplicitDeny, missing));
            assert!(
                matches!(
                    told,
                    Said::Refused {
                        why: Refuser::Principal(Obstacle::Denied),
                        ..
                    }
                ),
                "{told:?}"
            );
        }
        let bound = Simulated {
            by_boundary: true,
            ..answer(Decision::ImplicitDeny, &[])
        };
        let told = of(bound);
        assert!(
            matches!(
                told,
                Said::Refused {
                    why: Refuser::Principal(Obstacle::Boundary),
                    ..
                }
            ),
            "{told:?}"
        );
    }

    #[test]
    fn what_a_request_may_still_be_kept_out_by_is_told() {
        let told = of(answer(Decision::Allowed, &["aws:SourceIp"]));
        assert!(matches!(told, Said::Allowed { keys, .. } if keys == "aws:SourceIp"));
    }
}
