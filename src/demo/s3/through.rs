//! Who may do what through an access point.
//!
//! The request is judged as one on the access point's ARN: what the caller's own policies say of the bucket does not count.
//! Access point and bucket must both permit it. Within one account the caller's policies let it through both; whom only the access
//! point's policy lets in, the bucket's must let in too; across accounts the policies of access point and bucket must allow it.
//! A deny of any wins. See <https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html>.

use super::errors;
use super::gate::{bucket_policy, from_aws, refusal};
use super::points::Point;
use crate::demo::caller::Caller;
use crate::demo::world::World;
use crate::domain::region::Partition;
use crate::domain::s3_path::resource;
use crate::policy::{Context, Decision};
use s3s::S3Result;

/// Asks all who have a say.
pub fn authorize(
    world: &World,
    caller: &Caller,
    action: &str,
    point: &Point,
    key: &str,
    context: &Context,
) -> S3Result<()> {
    let arn = point.arn();
    let on = |name: &str| resource(Partition::Aws, name, key);
    let (resource, behind) = (on(&arn), on(&point.bucket));
    // A request of this server never comes from a VPC.
    if point.vpc.is_some() {
        return Err(errors::denied("Access Denied"));
    }
    let context = context
        .clone()
        .with("s3:DataAccessPointArn", arn)
        .with("s3:DataAccessPointAccount", point.account.clone())
        .with("s3:AccessPointNetworkOrigin", "Internet");
    let (owner, of_bucket) = match world.s3.lock().buckets.get(&point.bucket) {
        Some(bucket) => (bucket.owner.clone(), bucket.policy.clone()),
        None => return Err(errors::no_bucket()),
    };
    let identity = world.authorize(caller, action, &resource, &context);
    let said = |policy: Option<&serde_json::Value>, on: &str| {
        policy.map_or(Decision::NoMatch, |policy| {
            bucket_policy(policy, caller, action, on, &context)
        })
    };
    let by_point = said(point.policy.as_ref(), &resource);
    let by_bucket = said(of_bucket.as_ref(), &behind);
    let denied = |why: &str| Err(errors::denied(refusal(caller, action, &resource, why)));
    if [by_point, by_bucket].contains(&Decision::ExplicitDeny) {
        return denied("with an explicit deny in a resource-based policy");
    }
    let own = caller.account == point.account && caller.account == owner;
    let lets = |decision: Decision| decision == Decision::Allow;
    match identity {
        Ok(()) if own || lets(by_point) && lets(by_bucket) => Ok(()),
        Err(error) if error.message.contains("explicit deny") => Err(from_aws(error)),
        Err(_) if own && lets(by_point) && lets(by_bucket) => Ok(()),
        Err(error) => Err(from_aws(error)),
        Ok(()) => denied(&format!(
            "because no resource-based policy allows the {action} action"
        )),
    }
}
