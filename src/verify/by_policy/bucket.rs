//! What the policy of the granted bucket says to the role, by our own evaluator: IAM's simulator takes the policy of a resource
//! for users only.

use super::super::climb::Climb;
use super::super::place::Place;
use super::books::Reader;
use super::said::{Refuser, Said};
use super::who::Who;
use crate::cloud::iam::Obstacle;
use crate::cloud::s3::S3;
use crate::domain::s3_path::resource;
use crate::policy::{Decision, Document, evaluate};
use crate::registry::Grant;

/// The bucket's policy.
pub(super) enum Bucket {
    /// As it is written down; `None` where there is none.
    Seen(Option<Document>),
    /// Why it was not shown.
    Unseen(String),
}

/// Asks for it in the role's account: S3 shows it to the bucket's own account only, so that what is seen belongs to both.
pub(super) async fn look(climb: &Climb, reader: &Reader, grant: &Grant) -> Bucket {
    let bucket = grant.s3_path.policy_bucket();
    if grant.s3_path.point().is_some() && grant.s3_path.own_bucket().is_none() {
        // It names the bucket, and which one that is, nobody here knows.
        return Bucket::Unseen(format!(
            "the bucket behind {} is not on record",
            grant.s3_path.stands_on()
        ));
    }
    let s3 = reader.aws.s3(climb.bucket_region());
    let ask = |s3: S3| async move { s3.bucket_policy(bucket).await };
    match s3.of_bucket(bucket, ask).await.1 {
        Ok(policy) => Bucket::Seen(policy.as_ref().map(Document::read)),
        Err(problem) => Bucket::Unseen(problem.what),
    }
}

impl Bucket {
    /// Whether it gives the role this right by name, whatever the role's own policies say.
    pub(super) fn gives(&self, climb: &Climb, action: &str, place: &Place) -> bool {
        let nothing = Said::Refused {
            on: String::new(),
            why: Refuser::Principal(Obstacle::Lacking),
            by: Vec::new(),
        };
        matches!(
            self.beside(climb, action, place, nothing),
            Said::Allowed { bucket: true, .. }
        )
    }

    /// What the role's own policies say, and the bucket's beside them: in one account either may allow it, and either deny.
    pub(super) fn beside(&self, climb: &Climb, action: &str, place: &Place, said: Said) -> Said {
        let (bucket, key) = match place {
            Place::Object(bucket, key) => (bucket, key.as_str()),
            Place::Keys(bucket, _) => (bucket, ""),
            _ => return said,
        };
        let path = climb.grant.as_ref().map(|grant| &grant.s3_path);
        let Some(path) = path.filter(|path| path.bucket() == bucket || path.own_bucket() == Some(bucket))
        else {
            return said;
        };
        // Through an access point too it is the bucket that it speaks of.
        let through = path.point().is_some() && path.goes_by(bucket);
        let on = resource(climb.role.partition(), path.policy_bucket(), key);
        let policy = match self {
            Self::Seen(Some(policy)) => policy,
            Self::Seen(None) => return said,
            Self::Unseen(why) => {
                let may_differ = match &said {
                    Said::Allowed { .. } => true,
                    Said::Refused { why, .. } => why.yields(),
                    Said::Open { .. } | Said::Nothing { .. } | Said::Unshown { .. } => false,
                };
                return match may_differ {
                    true => Said::Unshown {
                        own: Box::new(said),
                        why: why.clone(),
                    },
                    false => said,
                };
            }
        };
        let who = Who::role(&climb.role);
        let (caller, mut context) = (who.caller(), who.context(None));
        for (key, value) in place.context() {
            context = context.with(key, value);
        }
        let answer = evaluate(&[policy], Some(&caller), action, &on, &context);
        let joined = |mut keys: Vec<&str>| {
            keys.sort_unstable();
            keys.dedup();
            keys.join(", ")
        };
        if answer.decision == Decision::ExplicitDeny {
            let by = answer.statement.map(|at| at.index).unwrap_or_default();
            let keys = joined(policy.lacking(by, &context));
            return match keys.is_empty() {
                true => Said::Refused {
                    on: place.text(climb),
                    why: Refuser::Bucket,
                    by: Vec::new(),
                },
                false => Said::Open { keys },
            };
        }
        let Said::Refused { why, .. } = &said else {
            return said;
        };
        // What denies it, and what binds the whole account, counts whatever the bucket says. What asks an access point is not
        // let in by the bucket alone.
        if through || !why.yields() {
            return said;
        }
        if answer.decision == Decision::Allow && answer.by_name {
            return Said::Allowed {
                on: place.text(climb),
                by: Vec::new(),
                keys: String::new(),
                bucket: true,
            };
        }
        let keys = joined(policy.hangs_on(&caller, action, &on, &context).collect());
        match keys.is_empty() {
            true => said,
            false => Said::Open { keys },
        }
    }
}
