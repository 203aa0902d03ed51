//! AssumeRole.

use crate::demo::caller::{Caller, Kind, MFA_PRESENT};
use crate::demo::error::AwsError;
use crate::demo::iam::{Role, Store};
use crate::demo::params::Params;
use crate::demo::world::{Moment, World};
use crate::demo::xml::Xml;
use crate::policy::{self, Context, Decision, Document};

const ACTION: &str = "sts:AssumeRole";
/// Longest session of any role, in seconds.
const LONGEST: i64 = 43_200;
/// Longest session that a session can begin, in seconds.
const LONGEST_CHAINED: i64 = 3_600;
/// Characters of all session policies.
const SESSION_POLICY: usize = 2_048;

/// What is asked for, checked.
struct Wanted<'a> {
    role_arn: &'a str,
    session_name: &'a str,
    external_id: Option<&'a str>,
    seconds: i64,
    policies: Vec<Document>,
    packed: Option<usize>,
    source_identity: Option<&'a str>,
}

pub(super) fn assume_role(world: &World, caller: &Caller, params: &Params) -> Result<Xml, AwsError> {
    if caller.kind == Kind::Root {
        return Err(AwsError::denied("Roles may not be assumed by root accounts."));
    }
    let moment = world.moment();
    let wanted = read(world, params)?;
    if matches!(caller.kind, Kind::Session { .. }) && wanted.seconds > LONGEST_CHAINED {
        return Err(AwsError::validation(
            "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining.",
        ));
    }
    world.change(|state| {
        let mfa = state.iam.check_code(moment, caller, params)?;
        let role = permitted(&state.iam, moment, caller, &wanted, mfa)?;
        if wanted.seconds > role.max_session {
            return Err(AwsError::validation(
                "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.",
            ));
        }
        let account = role.arn.split(':').nth(4).unwrap_or_default();
        let arn = format!(
            "arn:aws:sts::{account}:assumed-role/{}/{}",
            role.name, wanted.session_name
        );
        let user_id = format!("{}:{}", role.id, wanted.session_name);
        let session = Caller {
            arn: arn.clone(),
            account: account.to_owned(),
            key_id: String::new(),
            user_id: user_id.clone(),
            kind: Kind::Session {
                role_arn: role.arn.clone(),
                role_name: role.name.clone(),
                session_name: wanted.session_name.to_owned(),
                session_policies: wanted.policies.clone(),
            },
            // What a role's session may do never hangs on a code: AWS hands it on to the trust policy alone.
            mfa: false,
        };
        let end = moment.shown.saturating_add(wanted.seconds.saturating_mul(1000));
        let credentials = state.sessions.begin(session, moment.shown, end);
        Ok(Xml::new()
            .node("Credentials", credentials.to_xml())
            .node(
                "AssumedRoleUser",
                Xml::new().text("AssumedRoleId", user_id).text("Arn", arn),
            )
            .maybe(
                "PackedPolicySize",
                wanted.packed.map(|percent| percent.to_string()),
            )
            .maybe("SourceIdentity", wanted.source_identity))
    })
}

/// The role, if both sides let the caller in. A role that is not there is refused in the words of one that does not
/// trust: the answer tells nobody which roles exist.
fn permitted(
    iam: &Store,
    moment: Moment,
    caller: &Caller,
    wanted: &Wanted<'_>,
    mfa: bool,
) -> Result<Role, AwsError> {
    let context = Context::new()
        .maybe(MFA_PRESENT, mfa.then_some("true"))
        .maybe("sts:ExternalId", wanted.external_id)
        .maybe("sts:SourceIdentity", wanted.source_identity)
        .with("sts:RoleSessionName", wanted.session_name);
    let account = wanted.role_arn.split(':').nth(4).unwrap_or_default();
    let name = wanted.role_arn.rsplit('/').next().unwrap_or_default();
    // The whole ARN must be the role's: path and case count.
    let role = iam
        .seen_role(moment, account, name)
        .filter(|role| role.arn == wanted.role_arn);
    let answer = role.map(|role| trusts(role, caller, &context));
    let allowed = answer
        .as_ref()
        .is_some_and(|answer| answer.decision == Decision::Allow);
    let named = allowed && caller.account == account && answer.as_ref().is_some_and(|answer| answer.by_name);
    iam.authorize_with(moment, caller, ACTION, wanted.role_arn, &context, named)?;
    match role {
        Some(role) if allowed => Ok(role.clone()),
        _ => Err(AwsError::denied(policy::not_authorized(
            &caller.arn,
            ACTION,
            wanted.role_arn,
        ))),
    }
}

/// Asks the trust policy. A principal that was deleted and made again since the policy was written is another one: it
/// is then known by its unique id only.
fn trusts(role: &Role, caller: &Caller, context: &Context) -> policy::Evaluation {
    let known = caller.as_principal();
    let is_another = role
        .trusted_ids
        .get(known.principal_arn)
        .is_some_and(|id| id != caller.entity_id());
    let principal = if is_another {
        policy::Caller {
            arn: &caller.user_id,
            principal_arn: caller.entity_id(),
            ..known
        }
    } else {
        known
    };
    let context = caller.context().and(context);
    let answer = policy::evaluate(&[&role.trust], Some(&principal), ACTION, &role.arn, &context);
    for operator in &answer.unknown_operators {
        tracing::warn!(
            operator,
            role = role.arn,
            "a trust policy has a condition operator that is not known"
        );
    }
    answer
}

fn read<'a>(world: &World, params: &'a Params) -> Result<Wanted<'a>, AwsError> {
    let mut faults = Vec::new();
    let mut fault = |field: &str, value: &str, constraint: &str| {
        faults.push(format!(
            "Value '{value}' at '{field}' failed to satisfy constraint: Member must {constraint}"
        ));
    };
    let role_arn = params.require("RoleArn")?;
    let session_name = params.require("RoleSessionName")?;
    let external_id = params.get("ExternalId");
    let source_identity = params.get("SourceIdentity");
    let seconds = params.number("DurationSeconds")?.unwrap_or(3_600);

    let mut text = |field: &str, value: &str, bounds: (usize, usize), others: &str, pattern: &str| {
        let length = value.chars().count();
        if length < bounds.0 {
            fault(
                field,
                value,
                &format!("have length greater than or equal to {}", bounds.0),
            );
        }
        if length > bounds.1 {
            fault(
                field,
                value,
                &format!("have length less than or equal to {}", bounds.1),
            );
        }
        if !value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || others.contains(c))
        {
            fault(
                field,
                value,
                &format!("satisfy regular expression pattern: {pattern}"),
            );
        }
    };
    text(
        "roleSessionName",
        session_name,
        (2, 64),
        "_+=,.@-",
        "[\\w+=,.@-]*",
    );
    if let Some(id) = external_id {
        text("externalId", id, (2, 1224), "_+=,.@:/-", "[\\w+=,.@:\\/-]*");
    }
    if let Some(identity) = source_identity {
        text("sourceIdentity", identity, (2, 64), "_+=,.@-", "[\\w+=,.@-]*");
    }
    if role_arn.chars().count() < 20 {
        fault("roleArn", role_arn, "have length greater than or equal to 20");
    }
    if seconds < 900 {
        fault(
            "durationSeconds",
            &seconds.to_string(),
            "have value greater than or equal to 900",
        );
    }
    if seconds > LONGEST {
        fault(
            "durationSeconds",
            &seconds.to_string(),
            &format!("have value less than or equal to {LONGEST}"),
        );
    }
    match faults.len() {
        0 => {}
        1 => {
            return Err(AwsError::validation(format!(
                "1 validation error detected: {}",
                faults.join("; ")
            )));
        }
        n => {
            return Err(AwsError::validation(format!(
                "{n} validation errors detected: {}",
                faults.join("; ")
            )));
        }
    }
    let parts: Vec<&str> = role_arn.splitn(6, ':').collect();
    let is_role = matches!(parts.as_slice(), ["arn", _, "iam", "", account, rest]
        if account.len() == 12 && rest.starts_with("role/"));
    if !is_role {
        return Err(AwsError::validation(format!("{role_arn} is invalid")));
    }
    let (policies, packed) = session_policies(world, params)?;
    Ok(Wanted {
        role_arn,
        session_name,
        external_id,
        seconds,
        policies,
        packed,
        source_identity,
    })
}

/// The inline session policy and the managed ones, and how much of the room they take, in percent.
fn session_policies(world: &World, params: &Params) -> Result<(Vec<Document>, Option<usize>), AwsError> {
    let arns: Vec<String> = params
        .structs("PolicyArns")
        .iter()
        .filter_map(|arn| arn.get("arn").map(str::to_owned))
        .collect();
    let mut documents = Vec::new();
    let mut size = arns.iter().map(String::len).sum::<usize>();
    if let Some(text) = params.get("Policy").filter(|text| !text.is_empty()) {
        if text.chars().count() > SESSION_POLICY {
            return Err(AwsError::validation(format!(
                "1 validation error detected: Value at 'policy' failed to satisfy constraint: Member must have \
                 length less than or equal to {SESSION_POLICY}"
            )));
        }
        size += text.chars().count();
        let document = Document::parse(text, policy::Kind::Identity)
            .map_err(|why| AwsError::new(400, "MalformedPolicyDocument", why.to_string()))?;
        documents.push(document);
    }
    if arns.len() > 10 {
        return Err(AwsError::validation(
            "1 validation error detected: Value at 'policyArns' failed to satisfy constraint: Member must have \
             length less than or equal to 10",
        ));
    }
    if size > SESSION_POLICY {
        return Err(AwsError::new(
            400,
            "PackedPolicyTooLarge",
            format!(
                "Packed size of session policies consumes {}% of allotted space.",
                size * 100 / SESSION_POLICY
            ),
        ));
    }
    for arn in &arns {
        let document = world.read(|state| state.iam.managed(arn).map(|policy| policy.document().cloned()))?;
        documents.extend(document);
    }
    let packed = (!documents.is_empty()).then(|| (size * 100).div_ceil(SESSION_POLICY));
    Ok((documents, packed))
}

/// The words for a duration that no session can have.
pub(super) fn duration_out_of_bounds(seconds: i64, longest: i64) -> AwsError {
    let bound = if seconds < 900 {
        "greater than or equal to 900"
    } else {
        "less than or equal to "
    };
    let longest = if seconds < 900 {
        String::new()
    } else {
        longest.to_string()
    };
    AwsError::validation(format!(
        "1 validation error detected: Value '{seconds}' at 'durationSeconds' failed to satisfy constraint: Member must \
         have value {bound}{longest}"
    ))
}
