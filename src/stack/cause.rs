//! Why a stack failed: the event that began it, and what mends it.

use crate::stack::StackEvent;

/// Why a stack failed, and what mends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// The resource that failed first: its name in the template.
    pub logical_id: String,
    /// Its type.
    pub resource_type: String,
    /// CloudFormation's reason, whole.
    pub reason: String,
    /// The next step.
    pub mend: String,
}

/// The earliest failure among `events` (in any order), without those that only follow from another.
///
/// Only the events since the last `*_IN_PROGRESS` that somebody asked for count, so that a failure of last week does not
/// explain that of today.
pub fn root_cause(events: &[StackEvent]) -> Option<Cause> {
    let mut ordered: Vec<&StackEvent> = events.iter().collect();
    ordered.sort_by_key(|e| e.at);
    let begin = ordered.iter().rposition(|e| is_begin(e)).unwrap_or(0);
    let deleting = ordered
        .get(begin)
        .is_some_and(|e| is_begin(e) && e.status == "DELETE_IN_PROGRESS");
    ordered
        .iter()
        .skip(begin)
        .find(|e| e.status.ends_with("_FAILED") && !follows_from_another(e))
        .or_else(|| {
            ordered
                .iter()
                .skip(begin)
                .find(|e| e.status.ends_with("ROLLBACK_IN_PROGRESS"))
        })
        .map(|e| {
            let reason = e
                .reason
                .clone()
                .unwrap_or_else(|| "CloudFormation gives no reason".to_owned());
            Cause {
                logical_id: e.logical_id.clone(),
                resource_type: e.resource_type.clone(),
                mend: if deleting {
                    mend_delete(&reason)
                } else {
                    mend(&reason)
                },
                reason,
            }
        })
}

/// True for the event with which somebody's create, update or delete of the stack begins.
fn is_begin(event: &StackEvent) -> bool {
    event.resource_type == "AWS::CloudFormation::Stack"
        && matches!(
            event.status.as_str(),
            "CREATE_IN_PROGRESS" | "UPDATE_IN_PROGRESS" | "DELETE_IN_PROGRESS" | "REVIEW_IN_PROGRESS"
        )
}

fn follows_from_another(event: &StackEvent) -> bool {
    event.reason.as_deref().is_some_and(|reason| {
        let reason = reason.to_ascii_lowercase();
        reason.contains("cancelled") || reason.starts_with("the following resource(s) failed")
    })
}

/// The next step for a reason, by the texts that CloudFormation and IAM are known to give.
pub fn mend(reason: &str) -> String {
    let lower = reason.to_ascii_lowercase();
    let has = |text: &str| lower.contains(text);
    let words = if has("this stack belongs in another aws account") {
        "sign in to the account that the connection names, and create the stack there"
    } else if has("already exists") {
        "something of that name was left by another stack, another region or by hand: delete or rename it, \
         then deploy again"
    } else if has("insufficient lake formation permission") {
        "Lake Formation, not IAM, refused: let a data lake administrator grant this to whoever deploys"
    } else if has("/awscloudformation is not authorized to perform") {
        "the service role that CloudFormation works with lacks this right, whoever deploys: ask whoever keeps that role to \
         allow it, or name another one (--role-arn)"
    } else if has("explicit deny in an identity-based policy") && has("iam:createrole") {
        "a policy on whoever deploys denies making this role. Where it asks for a permissions boundary on new roles, name that \
         boundary on the connection (--permissions-boundary) and deploy again; else take that Deny away, deploy with another \
         profile (--deploy-profile), or with a service role (--role-arn)"
    } else if has("explicit deny in an identity-based policy") {
        "a policy on whoever deploys (a user's, a group's or a role's own) denies this action: take that Deny away, \
         deploy with another profile (--deploy-profile), or with a service role (--role-arn)"
    } else if has("explicit deny in a service control policy") {
        "a service control policy of your organization denies this action: ask whoever keeps it. Where it asks for a \
         permissions boundary on new roles, set --permissions-boundary on the connection and deploy again"
    } else if has("explicit deny in a resource control policy") {
        "a resource control policy of your organization denies this action: ask whoever keeps it"
    } else if has("explicit deny in a session policy") {
        "the session policy of whoever deploys denies this action: sign in without it, or deploy with another profile \
         (--deploy-profile)"
    } else if has("deny in a permissions boundary") || has("no permissions boundary allows") {
        "the permissions boundary of whoever deploys does not let it do this: deploy with another profile \
         (--deploy-profile), with a service role (--role-arn), or ask whoever keeps that boundary"
    } else if has("permissions boundary") || has("explicit deny") {
        "your account requires a permissions boundary, or an organization's policy forbids it: set \
         --permissions-boundary on the connection and deploy again, or ask whoever keeps those policies"
    } else if has("not authorized to perform") || has("access denied") || has("accessdenied") {
        "whoever deploys lacks this IAM right: deploy with another profile (--deploy-profile), with a service \
         role (--role-arn), or let an administrator open the link"
    } else if has("invalid principal in policy") {
        "the trusted role does not exist, is in another partition, or was made seconds ago: check the broker \
         role and the trusted principals, then deploy again"
    } else if has("requires capabilities") {
        "the IAM acknowledgement was not ticked: tick it and create the stack again"
    } else if has("sts is not activated") {
        "switch STS on for this region in IAM, Account settings, of the account, then deploy again"
    } else if has("maximum policy size") || has("limitexceeded") {
        "the role's inline policies are full (10,240 characters): name fewer databases, or bind the catalog to a \
         second connection"
    } else if has("role with name") && has("cannot be found") || has("nosuchentity") {
        "the connection's role is gone: deploy the connection's stack again, then this one"
    } else if has("hook") {
        "a CloudFormation hook of your organization refused it: show its text to whoever keeps it"
    } else {
        "mend what the reason says, then deploy again"
    };
    words.to_owned()
}

/// The next step when it is the delete of a stack that failed.
pub fn mend_delete(reason: &str) -> String {
    let lower = reason.to_ascii_lowercase();
    let has = |text: &str| lower.contains(text);
    let words = if has("must delete policies first") || has("must detach all policies first") {
        "the role has policies that this stack did not make: delete the stacks that put them there (the CloudFormation \
         console of each region lists them), or take off in the IAM console what was put on by hand; then delete this \
         stack again"
    } else if has("/awscloudformation is not authorized to perform") {
        "the service role that CloudFormation works with lacks this right, whoever deletes: ask whoever keeps that role to \
         allow it, then delete the stack again"
    } else if has("not authorized to perform") || has("access denied") || has("accessdenied") {
        "whoever deletes lacks this IAM right: delete with another profile (--deploy-profile on the connection), or let \
         an administrator delete the stack in the CloudFormation console"
    } else {
        "mend what the reason says, then delete it again"
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::moment::Moment;

    fn event(second: i64, logical: &str, kind: &str, status: &str, reason: Option<&str>) -> StackEvent {
        StackEvent {
            id: format!("{second}"),
            at: Moment::from_unix_millis(second * 1000).unwrap(),
            logical_id: logical.to_owned(),
            resource_type: kind.to_owned(),
            status: status.to_owned(),
            reason: reason.map(ToOwned::to_owned),
        }
    }

    #[test]
    fn the_earliest_failure_is_the_cause_and_a_cancelled_one_is_not() {
        let stack = "AWS::CloudFormation::Stack";
        let events = [
            event(
                9,
                "s",
                stack,
                "ROLLBACK_IN_PROGRESS",
                Some("The following resource(s) failed to create: [A, B]"),
            ),
            event(
                8,
                "B",
                "AWS::IAM::Policy",
                "CREATE_FAILED",
                Some("Resource creation cancelled"),
            ),
            event(
                7,
                "A",
                "AWS::IAM::Role",
                "CREATE_FAILED",
                Some("Invalid principal in policy: \"AWS\":\"x\""),
            ),
            event(3, "A", "AWS::IAM::Role", "CREATE_IN_PROGRESS", None),
            event(2, "s", stack, "CREATE_IN_PROGRESS", Some("User Initiated")),
        ];
        let cause = root_cause(&events).unwrap();
        assert_eq!(cause.logical_id, "A");
        assert!(cause.mend.contains("broker role"), "{}", cause.mend);
    }

    #[test]
    fn a_cancelled_resource_that_comes_first_in_time_is_still_passed_over() {
        let events = [
            event(2, "s", "AWS::CloudFormation::Stack", "CREATE_IN_PROGRESS", None),
            event(
                3,
                "B",
                "AWS::IAM::Policy",
                "CREATE_FAILED",
                Some("Resource creation cancelled"),
            ),
            event(4, "A", "AWS::IAM::Role", "CREATE_FAILED", Some("already exists")),
        ];
        assert_eq!(root_cause(&events).unwrap().logical_id, "A");
    }

    #[test]
    fn a_failure_of_an_earlier_update_does_not_explain_todays() {
        let stack = "AWS::CloudFormation::Stack";
        let events = [
            event(1, "A", "AWS::IAM::Role", "UPDATE_FAILED", Some("old")),
            event(5, "s", stack, "UPDATE_IN_PROGRESS", Some("User Initiated")),
            event(6, "A", "AWS::IAM::Role", "UPDATE_FAILED", Some("new")),
        ];
        assert_eq!(root_cause(&events).unwrap().reason, "new");
    }

    #[test]
    fn what_keeps_a_stack_from_going_does_not_lead_to_a_deploy() {
        let stack = "AWS::CloudFormation::Stack";
        let reason = "Resource handler returned message: \"Cannot delete entity, must delete policies first. (Service: \
                      Iam, Status Code: 409, Request ID: 1)\" (HandlerErrorCode: GeneralServiceException)";
        let failing = |reason| {
            [
                event(1, "s", stack, "CREATE_IN_PROGRESS", Some("User Initiated")),
                event(5, "s", stack, "DELETE_IN_PROGRESS", Some("User Initiated")),
                event(6, "Role", "AWS::IAM::Role", "DELETE_FAILED", Some(reason)),
                event(
                    7,
                    "s",
                    stack,
                    "DELETE_FAILED",
                    Some("The following resource(s) failed to delete: [Role]."),
                ),
            ]
        };
        let cause = root_cause(&failing(reason)).unwrap();
        assert_eq!(cause.logical_id, "Role");
        assert!(
            cause.mend.contains("delete the stacks that put them there"),
            "{}",
            cause.mend
        );
        for reason in [
            reason,
            "is not authorized to perform: iam:DeleteRole",
            "whatever else",
        ] {
            let mend = root_cause(&failing(reason)).unwrap().mend;
            assert!(
                mend.contains("delete") && !mend.contains("deploy again"),
                "{mend}"
            );
        }
    }

    #[test]
    fn a_deny_leads_to_the_kind_of_policy_that_it_stands_in() {
        let refused = |with: &str| {
            mend(&format!(
                "User: arn:aws:iam::012345678901:user/a is not authorized to perform: iam:PutRolePolicy on resource: \
                 role r {with}"
            ))
        };
        let own =
            refused("with an explicit deny in an identity-based policy: arn:aws:iam::012345678901:policy/no");
        assert!(
            own.contains("take that Deny away") && !own.contains("boundary"),
            "{own}"
        );
        for (with, kind) in [
            ("service control policy", "service control policy"),
            ("resource control policy", "resource control policy"),
            ("session policy", "session policy"),
            ("permissions boundary", "permissions boundary of whoever deploys"),
        ] {
            let words = refused(&format!("with an explicit deny in a {with}"));
            assert!(words.contains(kind), "{with}: {words}");
        }
        let words = refused("because no permissions boundary allows the iam:PutRolePolicy action");
        assert!(
            words.contains("permissions boundary of whoever deploys"),
            "{words}"
        );
    }

    #[test]
    fn a_refusal_with_an_explicit_deny_leads_to_the_boundary() {
        let reason = "User: arn:aws:iam::012345678901:user/a is not authorized to perform: iam:CreateRole on \
                      resource: x with an explicit deny in a service control policy";
        assert!(mend(reason).contains("--permissions-boundary"));
        let plain = "User: x is not authorized to perform: iam:PutRolePolicy on resource: role y";
        assert!(mend(plain).contains("--deploy-profile"));
    }
}
