//! Credentials that are kept until they are about to end, and role sessions that renew themselves.

use super::failure::{Call, Cause};
use super::problem::problem;
use crate::domain::arn::RoleArn;
use crate::domain::external_id::ExternalId;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{
    ProvideCredentials, Result as Provided, SharedCredentialsProvider, future,
};
use std::time::{Duration, SystemTime};
use tokio::sync::Mutex;

/// A role session is asked for at most this long: AWS allows no more when one role assumes the next.
pub(super) const SESSION_SECONDS: i32 = 3_600;
/// Sessions are renewed at four fifths of their life.
pub(super) const RENEW_BEFORE: Duration = Duration::from_secs(720);

/// Asks its source only when what it has ends within `before`, so that a program behind `credential_process`, or a
/// role, is not asked by every client anew.
#[derive(Debug)]
pub(super) struct Kept {
    source: SharedCredentialsProvider,
    before: Duration,
    have: Mutex<Option<Credentials>>,
}

impl Kept {
    /// Keeps what `source` gives; `have` is what it has given already.
    pub(super) fn new(
        source: SharedCredentialsProvider,
        before: Duration,
        have: Option<Credentials>,
    ) -> Self {
        Self {
            source,
            before,
            have: Mutex::new(have),
        }
    }

    async fn give(&self) -> Provided {
        let mut have = self.have.lock().await;
        if let Some(credentials) = have.as_ref()
            && credentials
                .expiry()
                .is_none_or(|end| SystemTime::now() + self.before < end)
        {
            return Ok(credentials.clone());
        }
        let fresh = self.source.provide_credentials().await?;
        *have = Some(fresh.clone());
        Ok(fresh)
    }
}

impl ProvideCredentials for Kept {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(self.give())
    }
}

/// One step of the role chain.
#[derive(Debug, Clone)]
pub struct Hop {
    /// The role to be assumed.
    pub role_arn: RoleArn,
    /// The external id its trust policy asks for.
    pub external_id: Option<ExternalId>,
    /// The name under which the session shows in CloudTrail; made to fit AWS's charset.
    pub session_name: String,
    /// The region whose STS is asked; the session's clients start in it.
    pub region: Region,
}

/// A session as STS gave it.
pub(super) struct Assumed {
    pub credentials: Credentials,
    /// The session's own ARN.
    pub arn: Option<String>,
}

/// Assumes a role with the client's credentials.
pub(super) async fn assume(
    client: &aws_sdk_sts::Client,
    hop: &Hop,
    caller: Option<String>,
    skew: impl Fn() -> Option<i64>,
) -> Result<Assumed, Problem> {
    let call = Call {
        service: "sts",
        action: "sts:AssumeRole",
        resource: Some(hop.role_arn.to_string()),
        caller,
        region: hop.region.to_string(),
    };
    let output = client
        .assume_role()
        .role_arn(hop.role_arn.as_str())
        .set_external_id(hop.external_id.as_ref().map(|id| id.as_str().to_owned()))
        .role_session_name(session_name(&hop.session_name))
        .duration_seconds(SESSION_SECONDS)
        .send()
        .await
        .map_err(|error| problem(&call, Cause::of(&error), skew()))?;
    let arn = output.assumed_role_user().map(|user| user.arn().to_owned());
    let Some(given) = output.credentials() else {
        return Err(Problem::new(
            Kind::Unreachable,
            "STS answered without credentials",
            format!("sts:AssumeRole of {}", hop.role_arn),
            "Check the endpoint URL: this does not look like AWS",
        ));
    };
    Ok(Assumed {
        credentials: Credentials::new(
            given.access_key_id(),
            given.secret_access_key(),
            Some(given.session_token().to_owned()),
            SystemTime::try_from(*given.expiration()).ok(),
            "glueup",
        ),
        arn,
    })
}

/// Assumes the same role again whenever it is asked.
#[derive(Debug)]
pub(super) struct Again {
    pub client: aws_sdk_sts::Client,
    pub hop: Hop,
    pub caller: Option<String>,
}

impl ProvideCredentials for Again {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(async {
            assume(&self.client, &self.hop, self.caller.clone(), || None)
                .await
                .map(|assumed| assumed.credentials)
                .map_err(CredentialsError::provider_error)
        })
    }
}

/// Fits a name to STS's charset and length (2 to 64).
fn session_name(name: &str) -> String {
    let mut fit: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "_+=,.@-".contains(c) {
                c
            } else {
                '-'
            }
        })
        .take(64)
        .collect();
    while fit.len() < 2 {
        fit.push('-');
    }
    fit
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Debug, Clone)]
    struct Counting(Arc<AtomicU64>, Duration);

    impl ProvideCredentials for Counting {
        fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
        where
            Self: 'a,
        {
            let number = self.0.fetch_add(1, Ordering::Relaxed);
            let end = SystemTime::now() + self.1;
            future::ProvideCredentials::ready(Ok(Credentials::new(
                format!("k{number}"),
                "s",
                None,
                Some(end),
                "t",
            )))
        }
    }

    async fn asked_for_three(life: Duration) -> u64 {
        let count = Arc::new(AtomicU64::new(0));
        let source = SharedCredentialsProvider::new(Counting(count.clone(), life));
        let kept = Kept::new(source, RENEW_BEFORE, None);
        for _ in 0..3 {
            kept.provide_credentials().await.unwrap();
        }
        count.load(Ordering::Relaxed)
    }

    #[tokio::test]
    async fn a_source_is_asked_again_only_near_the_end() {
        assert_eq!(asked_for_three(Duration::from_secs(3_600)).await, 1);
        assert_eq!(asked_for_three(Duration::from_secs(700)).await, 3);
    }

    #[test]
    fn session_names_fit() {
        assert_eq!(session_name("glueup-verify"), "glueup-verify");
        assert_eq!(session_name("Lake House/日本"), "Lake-House---");
        assert_eq!(session_name("x").len(), 2);
        assert_eq!(session_name(&"y".repeat(100)).len(), 64);
    }
}
