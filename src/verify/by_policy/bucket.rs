//! What the policy of the granted bucket, or of the access point and its bucket, says to the role, by our own evaluator: IAM's
//! simulator takes the policy of a resource for users only.
//!
//! Through an access point both must permit it, the access point and the bucket, and what either denies is denied. See
//! <https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html>.

use super::super::climb::Climb;
use super::super::place::Place;
use super::books::Reader;
use super::said::{Refuser, Said};
use super::who::Who;
use crate::cloud::iam::Obstacle;
use crate::cloud::s3::S3;
use crate::cloud::{NO_POINT, has_code};
use crate::domain::problem::Problem;
use crate::domain::s3_path::{AccessPointArn, resource};
use crate::policy::{Decision, Document, evaluate};
use crate::registry::Grant;
use serde_json::Value;

/// Condition keys of requests that come through an access point, and of no others.
const OF_POINTS: [&str; 3] = [
    "s3:DataAccessPointArn",
    "s3:DataAccessPointAccount",
    "s3:AccessPointNetworkOrigin",
];

/// A policy as it is written down, `None` where there is none; or why it was not shown.
type Shown = Result<Option<Document>, String>;

/// The policies of what was granted.
pub(super) struct Bucket {
    /// Of the bucket.
    bucket: Shown,
    /// Of the access point, where the way leads through one.
    point: Option<Shown>,
    /// True where S3 says that there is no such access point.
    absent: bool,
}

/// One of them, for one question.
struct Layer<'a> {
    policy: &'a Shown,
    refuser: Refuser,
    /// What this policy calls the resource.
    on: String,
}

/// Asks for them in the role's account: S3 shows them to the bucket's and the access point's own account only, so that what is
/// seen belongs to all.
pub(super) async fn look(climb: &Climb, reader: &Reader, grant: &Grant) -> Bucket {
    let path = &grant.s3_path;
    let of_bucket = async {
        let Some(bucket) = path.own_bucket() else {
            // It names the bucket, and which one that is, nobody here knows.
            return Err(format!("the bucket behind {} is not on record", path.stands_on()));
        };
        let s3 = reader.aws.s3(climb.bucket_region());
        let ask = |s3: S3| async move { s3.bucket_policy(bucket).await };
        shown(s3.of_bucket(bucket, ask).await.1)
    };
    let of_point = async {
        let point = path.point()?;
        let points = reader.aws.access_points(point.arn.region());
        let read = points.policy(&point.arn).await;
        let absent = read.as_ref().is_err_and(|problem| has_code(problem, NO_POINT));
        Some((absent, shown(read)))
    };
    let (bucket, point) = tokio::join!(of_bucket, of_point);
    let (absent, point) = point.map_or((false, None), |(absent, shown)| (absent, Some(shown)));
    Bucket {
        bucket,
        point,
        absent,
    }
}

fn shown(read: Result<Option<Value>, Problem>) -> Shown {
    match read {
        Ok(policy) => Ok(policy.as_ref().map(Document::read)),
        Err(problem) => Err(problem.what),
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

    /// What the role's own policies say, and these beside them: in one account either may allow it, and each deny.
    pub(super) fn beside(&self, climb: &Climb, action: &str, place: &Place, said: Said) -> Said {
        let Some((layers, through)) = self.layers(climb, place) else {
            return said;
        };
        // Whoever allows it, nothing is there.
        if self.absent && through.is_some() {
            return Said::Refused {
                on: place.told(climb),
                why: Refuser::NoAccessPoint,
                by: Vec::new(),
            };
        }
        let who = Who::role(&climb.role);
        let (caller, mut context) = (who.caller(), who.context(None));
        for (key, value) in place.context() {
            context = context.with(key, value);
        }
        if let Some(arn) = through {
            context = context
                .with("s3:DataAccessPointArn", arn.to_string())
                .with("s3:DataAccessPointAccount", arn.account().as_str());
        }
        // Who asks the bucket by its own name has no such keys, and that is known.
        let is_known =
            |key: &&str| through.is_none() && OF_POINTS.iter().any(|of| of.eq_ignore_ascii_case(key));
        let joined = |mut keys: Vec<&str>| {
            keys.retain(|key| !is_known(key));
            keys.sort_unstable();
            keys.dedup();
            keys.join(", ")
        };
        let (mut unshown, mut gives, mut hangs) = (None, true, Vec::new());
        for layer in &layers {
            let policy = match layer.policy {
                Ok(Some(policy)) => policy,
                Ok(None) => {
                    gives = false;
                    continue;
                }
                Err(why) => {
                    unshown.get_or_insert(why);
                    continue;
                }
            };
            let answer = evaluate(&[policy], Some(&caller), action, &layer.on, &context);
            if answer.decision == Decision::ExplicitDeny {
                let by = answer.statement.map(|at| at.index).unwrap_or_default();
                let keys = joined(policy.lacking(by, &context));
                return match keys.is_empty() {
                    true => Said::Refused {
                        on: place.told(climb),
                        why: layer.refuser,
                        by: Vec::new(),
                    },
                    false => Said::Open { keys },
                };
            }
            // A bucket lets everybody through who comes by its access points; by name is who those let in.
            let by_name = answer.by_name || through.is_some() && layer.refuser == Refuser::Bucket;
            gives &= answer.decision == Decision::Allow && by_name;
            hangs.extend(policy.hangs_on(&caller, action, &layer.on, &context));
        }
        if let Some(why) = unshown {
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
        let Said::Refused { why, .. } = &said else {
            return said;
        };
        // What denies it, and what binds the whole account, counts whatever these say.
        if !why.yields() {
            return said;
        }
        if gives {
            return Said::Allowed {
                on: place.told(climb),
                by: Vec::new(),
                keys: String::new(),
                bucket: true,
            };
        }
        let keys = joined(hangs);
        match keys.is_empty() {
            true => said,
            false => Said::Open { keys },
        }
    }

    /// The policies that count at a place, and the access point that the way leads through; `None` where they are not known.
    fn layers<'a>(
        &'a self,
        climb: &'a Climb,
        place: &Place,
    ) -> Option<(Vec<Layer<'a>>, Option<&'a AccessPointArn>)> {
        let path = &climb.grant.as_ref()?.s3_path;
        let (asked, key) = match place {
            Place::Object(bucket, key) => (bucket.as_str(), key.as_str()),
            Place::Keys(bucket, _) => (bucket.as_str(), ""),
            Place::Catalog | Place::Database(_) | Place::Table(..) | Place::Key(..) | Place::Arn(_) => {
                return None;
            }
        };
        let goes_by = path.goes_by(asked);
        if !goes_by && path.own_bucket() != Some(asked) {
            return None;
        }
        let partition = climb.role.partition();
        // Where its name is not known, nor was its policy shown.
        let mut layers = vec![Layer {
            policy: &self.bucket,
            refuser: Refuser::Bucket,
            on: resource(partition, path.own_bucket().unwrap_or_default(), key),
        }];
        let through = path.point().filter(|_| goes_by).map(|point| &point.arn);
        if let (Some(policy), Some(_)) = (&self.point, through) {
            layers.push(Layer {
                policy,
                refuser: Refuser::AccessPoint,
                on: path.object_arn(partition, key),
            });
        }
        Some((layers, through))
    }
}
