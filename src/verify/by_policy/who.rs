//! Who might ask for a role, and what its trust policy says to them.

use crate::domain::account::AccountId;
use crate::domain::arn::{PrincipalArn, RoleArn};
use crate::domain::region::Partition;
use crate::policy::{Caller, Context, Decision, Document, Opening, evaluate};

pub(super) const ACTION: &str = "sts:AssumeRole";
pub(super) const EXTERNAL_ID: &str = "sts:ExternalId";
pub(super) const PRINCIPAL: &str = "aws:PrincipalArn";

/// Somebody who might ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::verify) struct Who {
    /// As they are called in a sentence.
    pub name: String,
    arn: String,
    principal_arn: String,
    account: String,
}

/// What they are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    /// Let in, as far as it is the trust policy's to say.
    In,
    /// Not let in; true: a statement denies it.
    Out(bool),
    /// It hangs on condition keys that only a request itself has.
    Hangs(String),
}

impl Who {
    /// A session of a role.
    pub(super) fn role(role: &RoleArn) -> Self {
        Self {
            name: role.to_string(),
            arn: format!(
                "arn:{}:sts::{}:assumed-role/{}/glueup-verify",
                role.partition(),
                role.account(),
                role.role_name()
            ),
            principal_arn: role.to_string(),
            account: role.account().to_string(),
        }
    }

    /// A principal on record; of a session its role, wherever single sign-on puts it.
    pub(in crate::verify) fn principal(principal: &PrincipalArn) -> Self {
        if let Some(role) = principal.as_role() {
            return Self::role(&role);
        }
        let mut own = principal.to_string();
        if let Some(role) = principal.role_of_session() {
            own = role.to_string();
            if role.role_name().starts_with("AWSReservedSSO_") {
                own = own.replace(":role/", ":role/aws-reserved/sso.amazonaws.com/");
            }
        }
        Self {
            name: principal.to_string(),
            arn: principal.to_string(),
            principal_arn: own,
            account: principal.account().to_string(),
        }
    }

    /// Principals of an account that nobody has heard of: a role's session and a user.
    pub(super) fn anybody(partition: Partition, account: &str, name: &str) -> [Self; 2] {
        let principal = |kind: &str| format!("arn:{partition}:iam::{account}:{kind}/glueup_probe");
        let who = |arn: String, principal_arn: String| Self {
            name: name.to_owned(),
            arn,
            principal_arn,
            account: account.to_owned(),
        };
        [
            who(
                format!("arn:{partition}:sts::{account}:assumed-role/glueup_probe/x"),
                principal("role"),
            ),
            who(principal("user"), principal("user")),
        ]
    }

    /// Those whom a statement narrows itself to by patterns: one of each.
    pub(super) fn narrowed(opening: &Opening<'_>) -> Vec<Self> {
        let one = |pattern: &str| {
            let own = pattern.replace(['*', '?'], "x");
            let account = own.split(':').nth(4)?.to_owned();
            Some(Self {
                name: pattern.to_owned(),
                arn: own.clone(),
                principal_arn: own,
                account,
            })
        };
        opening.wanted(PRINCIPAL).filter_map(one).collect()
    }

    pub(super) fn caller(&self) -> Caller<'_> {
        Caller {
            arn: &self.arn,
            principal_arn: &self.principal_arn,
            account: &self.account,
        }
    }

    pub(super) fn context(&self, external_id: Option<&str>) -> Context {
        let kind = if self.principal_arn.contains(":user/") {
            "User"
        } else {
            "AssumedRole"
        };
        Context::new()
            .with(PRINCIPAL, &self.principal_arn)
            .with("aws:PrincipalAccount", &self.account)
            .with("aws:PrincipalType", kind)
            .with("aws:SecureTransport", "true")
            .maybe(EXTERNAL_ID, external_id)
    }

    /// What a trust policy tells them, with this external id or none.
    pub(super) fn ask(&self, trust: &Document, role: &RoleArn, external_id: Option<&str>) -> Told {
        let (caller, context) = (self.caller(), self.context(external_id));
        let answer = evaluate(&[trust], Some(&caller), ACTION, role.as_str(), &context);
        let hangs = |keys: Vec<&str>| {
            let mut keys: Vec<&str> = keys
                .into_iter()
                .filter(|key| !key.eq_ignore_ascii_case(EXTERNAL_ID))
                .collect();
            keys.sort_unstable();
            keys.dedup();
            (!keys.is_empty()).then(|| Told::Hangs(keys.join(", ")))
        };
        match answer.decision {
            Decision::Allow => Told::In,
            Decision::ExplicitDeny => {
                let by = answer.statement.map(|at| at.index).unwrap_or_default();
                hangs(trust.lacking(by, &context)).unwrap_or(Told::Out(true))
            }
            Decision::NoMatch => {
                let almost = trust
                    .openings(ACTION)
                    .filter(|opening| opening.names(&caller))
                    .filter_map(|opening| opening.hangs_on(&context, EXTERNAL_ID))
                    .flatten()
                    .collect();
                hangs(almost).unwrap_or(Told::Out(false))
            }
        }
    }

    /// The statements that name them.
    pub(super) fn openings<'a>(&'a self, trust: &'a Document) -> impl Iterator<Item = Opening<'a>> {
        trust
            .openings(ACTION)
            .filter(|opening| opening.names(&self.caller()))
    }
}

/// The account of an account id or of its root, as a trust policy writes them.
pub(super) fn account_of(named: &str) -> Option<String> {
    let id = match named.strip_suffix(":root") {
        Some(front) => front.rsplit(':').next()?,
        None => named,
    };
    id.parse::<AccountId>().ok().map(|id| id.to_string())
}

/// The external ids that a statement asks for.
pub(super) fn external_ids<'a>(opening: &Opening<'a>) -> Vec<&'a str> {
    opening.wanted(EXTERNAL_ID).collect()
}

/// The same, as far as they are patterns.
pub(super) fn external_patterns<'a>(opening: &Opening<'a>) -> Vec<&'a str> {
    opening.patterns(EXTERNAL_ID).collect()
}
