//! Service roles: who is given one needs no right on what the stack makes. CloudFormation works with the role's rights, and the
//! caller must be allowed to pass it on.
//!
//! A stack keeps its role: whoever may work on the stack later works with it too, also without the right to pass it. See
//! <https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-iam-servicerole.html>.

use super::model::Stack;
use crate::demo::caller::{Caller, Kind};
use crate::demo::error::AwsError;
use crate::demo::iam;
use crate::demo::ids;
use crate::demo::params::Params;
use crate::demo::world::{Moment, World};
use crate::policy::{self, Context, Decision};

const SERVICE: &str = "cloudformation.amazonaws.com";

/// The role that a request names, which its caller must be allowed to pass.
pub(super) fn passed(world: &World, caller: &Caller, params: &Params) -> Result<Option<String>, AwsError> {
    let Some(arn) = params.get("RoleARN").filter(|arn| !arn.is_empty()) else {
        return Ok(None);
    };
    let account = match arn.splitn(6, ':').collect::<Vec<_>>().as_slice() {
        ["arn", _, "iam", "", account, rest] if rest.starts_with("role/") => (*account).to_owned(),
        _ => return Err(AwsError::validation(format!("{arn} is not a valid RoleARN"))),
    };
    if account != caller.account {
        return Err(AwsError::denied("Cross-account pass role is not allowed."));
    }
    let context = Context::new().with("iam:PassedToService", SERVICE);
    world.authorize(caller, "iam:PassRole", arn, &context)?;
    Ok(Some(arn.to_owned()))
}

/// Who works on a stack: the role that was passed, else the one that it keeps, else the caller.
pub(super) fn worker(
    iam: &iam::Store,
    moment: Moment,
    caller: &Caller,
    stack: &Stack,
    passed: Option<&String>,
) -> Result<Caller, AwsError> {
    let Some(arn) = passed.or(stack.role.as_ref()) else {
        return Ok(caller.clone());
    };
    let name = arn.rsplit('/').next().unwrap_or_default();
    let role = iam
        .seen_role(moment, &caller.account, name)
        .filter(|role| role.arn == *arn && trusts(role, stack));
    let role =
        role.ok_or_else(|| AwsError::validation(format!("Role {arn} is invalid or cannot be assumed")))?;
    let session_name = "AWSCloudFormation";
    Ok(Caller {
        arn: format!(
            "arn:aws:sts::{}:assumed-role/{name}/{session_name}",
            caller.account
        ),
        account: caller.account.clone(),
        key_id: ids::unique("ASIA"),
        user_id: format!("{}:{session_name}", role.id),
        kind: Kind::Session {
            role_arn: arn.clone(),
            role_name: name.to_owned(),
            session_name: session_name.to_owned(),
            session_policies: Vec::new(),
        },
        mfa: false,
    })
}

/// Whether a role lets CloudFormation assume it for a stack.
fn trusts(role: &iam::Role, stack: &Stack) -> bool {
    let service = policy::Caller {
        arn: SERVICE,
        principal_arn: SERVICE,
        account: "",
    };
    let context = Context::new()
        .with("aws:SourceAccount", &stack.account)
        .with("aws:SourceArn", &stack.id);
    let answer = policy::evaluate(
        &[&role.trust],
        Some(&service),
        "sts:AssumeRole",
        &role.arn,
        &context,
    );
    answer.decision == Decision::Allow
}
