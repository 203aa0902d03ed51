//! The next step where S3 refused what goes through an access point: its own policy has a say, and the bucket's.

use super::RefusedBy;
use crate::domain::s3_path::AccessPointArn;

/// What stands in the ARN of an access point.
const MARK: &str = ":accesspoint/";

/// What to do about it; `None` where it is about something else, or where what is said of a bucket holds too.
pub(super) fn denial(by: RefusedBy, explicit: bool, action: &str, on: &str, who: &str) -> Option<String> {
    let arn = point(on).filter(|_| action.starts_with("s3:"))?;
    let show = show(arn);
    Some(match by {
        RefusedBy::Resource => {
            let verb = if explicit { "denies" } else { "does not allow" };
            format!(
                "The policy of the access point {arn}, or of its bucket, {verb} {action}: whoever keeps them must let {who} \
                 through{show}"
            )
        }
        RefusedBy::Unsaid => format!(
            "One of:\n1. no policy of {who} allows {action} on {on}\n2. the policy of the access point, of its bucket, of a VPC \
             endpoint on the way, or of the organization refuses it, or the access point takes requests from one VPC only{show}"
        ),
        _ => return None,
    })
}

/// The access point that an object's ARN or path begins with.
fn point(on: &str) -> Option<&str> {
    let (front, behind) = on.split_once(MARK)?;
    let name = behind.split('/').next().unwrap_or_default();
    on.get(..front.len() + MARK.len() + name.len())
}

/// The command that shows its policy.
fn show(arn: &str) -> String {
    match arn.parse::<AccessPointArn>() {
        Ok(arn) => format!(
            ":\naws s3control get-access-point-policy --account-id {} --name {} --query Policy --output text",
            arn.account(),
            arn.name()
        ),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_access_point_refuses_leads_to_its_policy_and_its_buckets() {
        let on = "arn:aws:s3:us-west-2:012345678901:accesspoint/finance/object/w/k";
        let told = |by, explicit| denial(by, explicit, "s3:GetObject", on, "the role r");
        let denied = told(RefusedBy::Resource, true).unwrap();
        assert!(
            denied.starts_with("The policy of the access point arn:aws:s3:us-west-2:012345678901:accesspoint/finance, or of its bucket, denies")
                && denied.contains("--account-id 012345678901 --name finance"),
            "{denied}"
        );
        assert!(
            told(RefusedBy::Unsaid, false)
                .unwrap()
                .contains("from one VPC only:\naws s3control")
        );
        // What the role's own policies lack is theirs.
        assert_eq!(told(RefusedBy::Identity, false), None);
        let bucket = "arn:aws:s3:::acme-lake/k";
        assert_eq!(
            denial(RefusedBy::Resource, true, "s3:GetObject", bucket, "r"),
            None
        );
    }
}
