//! Reads AWS's access-denied sentences: who was refused what, on which resource, and by which kind of policy.
//!
//! The wordings are those of the IAM manual, "Troubleshoot access denied error messages".

/// Which kind of policy refused, as far as AWS says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedBy {
    /// No policy of the caller allows it, or one denies it.
    Identity,
    /// The policy on the resource.
    Resource,
    /// The trust policy of the role.
    Trust,
    /// The caller's permissions boundary.
    Boundary,
    /// The policy passed along when the role was assumed.
    Session,
    /// A service control policy of the organization.
    Scp,
    /// A resource control policy of the organization.
    Rcp,
    /// The policy of a VPC endpoint on the way.
    VpcEndpoint,
    /// Not IAM: Lake Formation.
    LakeFormation,
    /// AWS does not say.
    Unsaid,
}

impl RefusedBy {
    /// The reason as a phrase, such as `no identity-based policy allows it`.
    pub fn phrase(self, explicit: bool) -> &'static str {
        match (self, explicit) {
            (Self::Identity, false) => "no identity-based policy allows it",
            (Self::Identity, true) => "an identity-based policy denies it",
            (Self::Resource, false) => "no resource-based policy allows it",
            (Self::Resource, true) => "a resource-based policy denies it",
            (Self::Trust, false) => "no role trust policy allows it",
            (Self::Trust, true) => "the role's trust policy denies it",
            (Self::Boundary, false) => "no permissions boundary allows it",
            (Self::Boundary, true) => "a permissions boundary denies it",
            (Self::Session, false) => "no session policy allows it",
            (Self::Session, true) => "a session policy denies it",
            (Self::Scp, false) => "no service control policy allows it",
            (Self::Scp, true) => "a service control policy denies it",
            (Self::Rcp, _) => "a resource control policy denies it",
            (Self::VpcEndpoint, false) => "no VPC endpoint policy allows it",
            (Self::VpcEndpoint, true) => "a VPC endpoint policy denies it",
            (Self::LakeFormation, _) => "Lake Formation has not granted it",
            (Self::Unsaid, _) => "AWS does not say which policy refused",
        }
    }
}

/// What a sentence of denial says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The caller's ARN.
    pub caller: Option<String>,
    /// Such as `glue:GetDatabases`.
    pub action: Option<String>,
    /// The resource's ARN.
    pub resource: Option<String>,
    /// Which kind of policy refused.
    pub by: RefusedBy,
    /// True when a policy says Deny, rather than none saying Allow.
    pub explicit: bool,
}

/// Reads a message; what it does not say stays `None`.
pub fn parse(message: &str) -> Denial {
    let lower = message.to_ascii_lowercase();
    let after = |marker: &str, stops: &[&str]| -> Option<String> {
        let at = lower.find(marker)? + marker.len();
        let rest = message.get(at..)?.trim_start();
        let lower_rest = rest.to_ascii_lowercase();
        let end = stops
            .iter()
            .filter_map(|stop| lower_rest.find(stop))
            .min()
            .unwrap_or(rest.len());
        let found = rest
            .get(..end)?
            .trim()
            .trim_matches(['"', '\''])
            .trim_end_matches(['.', ',']);
        (!found.is_empty()).then(|| found.to_owned())
    };
    let explicit = lower.contains("explicit deny");
    Denial {
        caller: after("user: ", &[" is not authorized"]).filter(|c| c.starts_with("arn:")),
        action: after("perform: ", &[" ", "\n"]).or_else(|| after("action: ", &[" ", "\n"])),
        resource: after(
            "on resource: ",
            &[" because ", " with an explicit", " (service", "\n"],
        )
        .filter(|r| r.starts_with("arn:")),
        by: refused_by(&lower),
        explicit,
    }
}

fn refused_by(lower: &str) -> RefusedBy {
    const PHRASES: [(&str, RefusedBy); 9] = [
        ("lake formation", RefusedBy::LakeFormation),
        ("service control policy", RefusedBy::Scp),
        ("resource control policy", RefusedBy::Rcp),
        ("permissions boundary", RefusedBy::Boundary),
        ("session policy", RefusedBy::Session),
        ("vpc endpoint policy", RefusedBy::VpcEndpoint),
        ("role trust policy", RefusedBy::Trust),
        ("identity-based policy", RefusedBy::Identity),
        ("resource-based policy", RefusedBy::Resource),
    ];
    PHRASES
        .iter()
        .find(|(phrase, _)| lower.contains(phrase))
        .map_or(RefusedBy::Unsaid, |(_, by)| *by)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLER: &str = "arn:aws:sts::123456789012:assumed-role/engine/glueup-verify";

    #[test]
    fn the_newer_wording_names_everything() {
        let denial = parse(&format!(
            "User: {CALLER} is not authorized to perform: glue:GetDatabases on resource: \
             arn:aws:glue:ap-southeast-1:123456789012:catalog because no identity-based policy allows the \
             glue:GetDatabases action"
        ));
        assert_eq!(denial.caller.as_deref(), Some(CALLER));
        assert_eq!(denial.action.as_deref(), Some("glue:GetDatabases"));
        assert_eq!(
            denial.resource.as_deref(),
            Some("arn:aws:glue:ap-southeast-1:123456789012:catalog")
        );
        assert_eq!((denial.by, denial.explicit), (RefusedBy::Identity, false));
    }

    #[test]
    fn the_older_wording_names_no_policy() {
        let denial = parse(&format!(
            "User: {CALLER} is not authorized to perform: sts:AssumeRole on resource: arn:aws:iam::1:role/x"
        ));
        assert_eq!(denial.resource.as_deref(), Some("arn:aws:iam::1:role/x"));
        assert_eq!(denial.by, RefusedBy::Unsaid);
    }

    #[test]
    fn s3_quotes_its_resources() {
        let denial = parse(&format!(
            "User: {CALLER} is not authorized to perform: s3:ListBucket on resource: \"arn:aws:s3:::lake\" because no \
             identity-based policy allows the s3:ListBucket action"
        ));
        assert_eq!(denial.resource.as_deref(), Some("arn:aws:s3:::lake"));
        let plain = parse("Access Denied");
        assert_eq!(
            (plain.caller, plain.action, plain.by),
            (None, None, RefusedBy::Unsaid)
        );
    }

    #[test]
    fn every_policy_type_is_told_apart() {
        let cases = [
            (
                "because no role trust policy allows the sts:AssumeRole action",
                RefusedBy::Trust,
                false,
            ),
            (
                "with an explicit deny in a service control policy",
                RefusedBy::Scp,
                true,
            ),
            (
                "with an explicit deny in a resource control policy",
                RefusedBy::Rcp,
                true,
            ),
            (
                "because no permissions boundary allows the glue:GetTable action",
                RefusedBy::Boundary,
                false,
            ),
            (
                "because no session policy allows the glue:GetTable action",
                RefusedBy::Session,
                false,
            ),
            (
                "because no VPC endpoint policy allows the s3:GetObject action",
                RefusedBy::VpcEndpoint,
                false,
            ),
            (
                "with an explicit deny in an identity-based policy",
                RefusedBy::Identity,
                true,
            ),
            (
                "because no resource-based policy allows the glue:GetTable action",
                RefusedBy::Resource,
                false,
            ),
        ];
        for (tail, by, explicit) in cases {
            let denial = parse(&format!(
                "User: {CALLER} is not authorized to perform: a:B on resource: arn:aws:glue:x:1:catalog {tail}"
            ));
            assert_eq!((denial.by, denial.explicit), (by, explicit), "{tail}");
            assert_eq!(
                denial.resource.as_deref(),
                Some("arn:aws:glue:x:1:catalog"),
                "{tail}"
            );
        }
    }

    #[test]
    fn lake_formation_is_not_iam() {
        let denial = parse("Insufficient Lake Formation permission(s): Required Create Database on Catalog");
        assert_eq!(denial.by, RefusedBy::LakeFormation);
        assert_eq!(denial.resource, None);
    }

    proptest::proptest! {
        #[test]
        fn any_message_can_be_read(message in ".*") {
            parse(&message);
            parse(&format!("User: {message} is not authorized to perform: {message} on resource: {message}"));
        }
    }
}
