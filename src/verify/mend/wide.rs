//! Who gives the role a right that was not asked for, as far as the records tell: another grant on the same connection, a
//! stack that a change left behind, or a policy that is none of ours.

use super::super::climb::Climb;
use super::super::place::Place;
use super::asked_for;
use crate::domain::quote::{operand, option, shell};
use crate::domain::s3_path::S3Path;
use crate::registry::{Grant, Holder};

/// What to do about a right that was found to be too wide.
pub(in crate::verify) fn too_wide(
    climb: &Climb,
    grant: &Grant,
    action: &'static str,
    place: &Place,
) -> String {
    // One on record explains it only where it asks for this very thing.
    let mut others = climb.others.iter();
    if let Some(other) = others.find(|other| place.is_granted(climb, other, action)) {
        let narrow = format!("{}-narrow", climb.connection.name);
        return format!(
            "The role also serves {}, which asks for {} of {}: a role is as wide as all its grants together. Give {} a \
             connection of its own:\nglueup connection add {} --account-id {}\nglueup {} set {}",
            other.holder,
            other.access,
            other.s3_path,
            grant.holder,
            option("--name", &narrow),
            climb.connection.account_id,
            grant.holder.verb(),
            operand(grant.holder.name(), &option("--connection", &narrow)),
        );
    }
    if let Some(left) = grant.left_over_stacks.first() {
        return format!(
            "The stack {} of an earlier setting still grants it. Deploying again offers to delete it:\n\
             glueup deploy {}",
            left.stack_name,
            grant.holder.command()
        );
    }
    if let Some(lines) = of_others(climb) {
        return lines;
    }
    let role = shell(climb.role.role_name());
    let beside = if climb.connection.adopted {
        format!(", which {} does not ask for", grant.holder)
    } else {
        format!(" beside the stack {}", grant.stack_name)
    };
    let mut lines = vec![format!(
        "A policy of the role allows {action}{beside}. Find it, and take that out of it:\n\
         aws iam list-role-policies --role-name {role}\n\
         aws iam list-attached-role-policies --role-name {role}"
    )];
    lines.extend(asked_for(climb));
    lines.join("\n")
}

/// The stacks on the role that grant something else than their records ask for: left behind by a change, or not yet
/// brought up to date.
fn of_others(climb: &Climb) -> Option<String> {
    let lines: Vec<String> = climb
        .others
        .iter()
        .filter_map(|other| {
            let command = other.holder.command();
            if let Some(left) = other.left_over_stacks.first() {
                return Some(format!(
                    "The stack {} of an earlier setting of {} is still on the role. Deploying that again offers to \
                     delete it:\nglueup deploy {command}",
                    left.stack_name, other.holder
                ));
            }
            other.is_outdated().then(|| {
                format!(
                    "The stack {} of {} is on the role, and grants what was asked for before. Deploy it again:\n\
                     glueup deploy {command}",
                    other.stack_name, other.holder
                )
            })
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// What to do about a right that the bucket's policy gives to the role by name: nobody else's policy takes that away.
pub(in crate::verify) fn of_bucket(path: &S3Path) -> String {
    let (what, keeper) = match path.point() {
        None => ("bucket", "the bucket"),
        Some(_) => ("access point, or of its bucket,", "it"),
    };
    format!(
        "The policy of the {what} names the role, or everybody. Whoever keeps {keeper} can take that out of it:\n{}",
        show(path)
    )
}

/// What to do where nobody showed us the bucket's policy, which may say otherwise than the role's own.
pub(in crate::verify) fn read_bucket(path: &S3Path) -> String {
    let (actions, keeper) = match path.point() {
        None => ("s3:GetBucketPolicy", "the bucket"),
        Some(_) => (
            "s3:GetAccessPointPolicy and s3:GetBucketPolicy",
            "the access point",
        ),
    };
    format!(
        "Verify again with a profile that may call {actions}, or ask whoever keeps {keeper} for:\n{}",
        show(path)
    )
}

/// What to do where there is no such access point.
pub(in crate::verify) fn no_point(path: &S3Path, holder: &Holder) -> String {
    let Some(point) = path.point() else {
        return String::new();
    };
    let (account, region, name) = (point.arn.account(), point.arn.region(), point.arn.name());
    let prefix = path.prefix();
    format!(
        "Account {} has no access point {name} in {region}. Make it again, or put one that is there on record:\n\
         aws s3control list-access-points --account-id {account} --region {region}\n\
         glueup {} set {}",
        account.grouped(),
        holder.verb(),
        operand(holder.name(), &option("--s3-path", &format!("ARN/{prefix}")))
    )
}

/// The commands that show the policies of what a path stands on.
pub(super) fn show(path: &S3Path) -> String {
    let of_bucket = |name: &str| {
        format!(
            "aws s3api get-bucket-policy --bucket {} --query Policy --output text",
            shell(name)
        )
    };
    let Some(point) = path.point() else {
        return of_bucket(path.bucket());
    };
    let of_point = format!(
        "aws s3control get-access-point-policy --account-id {} --name {} --query Policy --output text",
        point.arn.account(),
        point.arn.name()
    );
    match path.own_bucket() {
        Some(bucket) => format!("{of_point}\n{}", of_bucket(bucket)),
        None => of_point,
    }
}
