//! What IAM has written down about the connection's role, read with the rights of whoever keeps its account, once a
//! ladder.

use super::super::climb::Climb;
use super::super::rung::Verdict;
use super::grants::{self, Grants};
use crate::cloud::iam::Iam;
use crate::cloud::{Aws, is_access_denied, is_not_found};
use crate::domain::problem::{Detail, Kind, Problem};
use crate::domain::quote::operand;
use crate::policy::Document;
use tokio::sync::OnceCell;

/// What has been read so far. Signing in and asking IAM are large futures: boxed, so that a rung that waits for them does
/// not carry them on its stack.
#[derive(Default)]
pub(in crate::verify) struct Books {
    reader: OnceCell<Result<Reader, Problem>>,
    trust: OnceCell<Result<Document, Problem>>,
    grants: OnceCell<Result<Grants, Problem>>,
}

/// Who reads them.
pub(in crate::verify) struct Reader {
    /// The caller in the role's account.
    pub aws: Aws,
    /// Its IAM.
    pub iam: Iam,
}

impl Books {
    /// Who can read them, if anybody.
    pub(in crate::verify) async fn reader(&self, climb: &Climb) -> Result<&Reader, &Problem> {
        let reader = self.reader.get_or_init(|| Box::pin(reader(climb))).await;
        reader.as_ref()
    }

    /// The role's trust policy.
    pub(in crate::verify) async fn trust(&self, climb: &Climb) -> Result<&Document, &Problem> {
        let reader = self.reader(climb).await?;
        let trust = self.trust.get_or_init(|| Box::pin(trust(climb, reader))).await;
        trust.as_ref()
    }

    /// What the simulator says of all that a ladder asks.
    pub(super) async fn grants(&self, climb: &Climb) -> Result<&Grants, &Problem> {
        let reader = self.reader(climb).await?;
        let grants = self
            .grants
            .get_or_init(|| Box::pin(grants::ask(climb, reader)))
            .await;
        grants.as_ref()
    }
}

/// The caller, or whoever deploys in the role's account: IAM shows a role to its own account only. A ladder that is
/// climbed by use asks no second profile to sign in, which may want a code, for the few parts that it lacks.
async fn reader(climb: &Climb) -> Result<Reader, Problem> {
    let account = climb.role.account();
    let mut aws = climb.aws.clone();
    let mut identity = aws.identity_near(&climb.region).await?;
    if identity.account != account
        && climb.by_policy.initialized()
        && let Some(profile) = &climb.connection.deploy_profile
    {
        aws = climb.session.deployer(Some(profile)).await?;
        identity = aws.identity_near(&climb.region).await?;
    }
    if identity.account != account {
        return Err(Problem::new(
            Kind::Denied,
            format!("IAM shows {} to its own account only", climb.role.role_name()),
            format!(
                "the role is in {}, {} is in {}",
                account.grouped(),
                identity.arn,
                identity.account.grouped()
            ),
            format!("Verify with a profile of account {}", account.grouped()),
        )
        .with_detail(Detail {
            caller: Some(identity.arn),
            ..Detail::default()
        }));
    }
    let iam = aws.iam(climb.role.partition());
    Ok(Reader { aws, iam })
}

async fn trust(climb: &Climb, reader: &Reader) -> Result<Document, Problem> {
    let role = reader.iam.role(&climb.role).await?;
    if role.arn != climb.role.as_str() {
        return Err(Problem::new(
            Kind::NotFound,
            format!("There is no role {}", climb.role),
            format!("the role of that name is {}", role.arn),
            "",
        )
        .with_steps(&format!(
            "Put its true ARN on record:\nglueup connection set {}",
            operand(
                climb.connection.name.as_str(),
                &format!("--role-arn {}", role.arn)
            ),
        ))
        .with_detail(Detail {
            code: Some("NoSuchEntity".to_owned()),
            ..Detail::default()
        }));
    }
    Ok(Document::read(&role.trust))
}

/// A rung whose books could not be read: skipped, with what would open them. A role that is not there is a failure.
pub(super) fn unread(climb: &Climb, problem: &Problem) -> Verdict {
    if is_not_found(problem) {
        return Verdict::refused(problem);
    }
    let detail = &problem.detail;
    let mut next = problem.next.clone();
    if is_access_denied(problem) {
        next = format!("{next}\n{}", super::verifier_hint(climb));
    }
    Verdict {
        next: Some(next).filter(|next| !next.is_empty()),
        caller: detail.caller.clone(),
        action: detail.action.clone(),
        resource: detail.resource.clone(),
        ..Verdict::unproven(problem)
    }
}
