//! Sessions of roles: asked for, and renewed.

use super::aws::Aws;
use crate::domain::arn::RoleArn;
use crate::domain::external_id::ExternalId;
use crate::domain::mfa_code::MfaCode;
use crate::domain::moment::Moment;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, future};
use std::error::Error;
use std::fmt;
use std::time::{Duration, SystemTime};

/// A role session is asked for at most this long, in seconds: AWS allows no more when one role assumes the next.
pub(super) const SESSION_SECONDS: i32 = 3_600;
/// Sessions are renewed at four fifths of their life.
pub(super) const RENEW_BEFORE: Duration = Duration::from_secs(720);

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

impl Hop {
    /// Assumes the role as `from`.
    pub(super) async fn take(&self, from: &Aws) -> Result<Assumed, Problem> {
        let ask = Ask {
            role: &self.role_arn,
            external_id: self.external_id.as_ref().map(ExternalId::as_str),
            session_name: &self.session_name,
            seconds: SESSION_SECONDS,
            code: None,
            region: &self.region,
        };
        assume(from, &ask).await
    }
}

/// What a role is assumed with.
pub(super) struct Ask<'a> {
    pub role: &'a RoleArn,
    pub external_id: Option<&'a str>,
    /// Made to fit STS's charset.
    pub session_name: &'a str,
    /// How long the session may be, in seconds.
    pub seconds: i32,
    /// A device, and what it shows.
    pub code: Option<&'a (&'a str, MfaCode)>,
    /// The region whose STS is asked.
    pub region: &'a Region,
}

/// A session as STS gave it.
pub(super) struct Assumed {
    pub credentials: Credentials,
    /// The session's own ARN.
    pub arn: Option<String>,
}

/// Assumes a role as `from`.
pub(super) async fn assume(from: &Aws, ask: &Ask<'_>) -> Result<Assumed, Problem> {
    let output = from
        .sts(ask.region)
        .assume_role()
        .role_arn(ask.role.as_str())
        .set_external_id(ask.external_id.map(str::to_owned))
        .role_session_name(session_name(ask.session_name))
        .duration_seconds(ask.seconds)
        .set_serial_number(ask.code.map(|(device, _)| (*device).to_owned()))
        .set_token_code(ask.code.map(|(_, code)| code.digits().to_owned()))
        .send()
        .await
        .map_err(|error| {
            let role = Some(ask.role.to_string());
            from.problem("sts", "sts:AssumeRole", role, ask.region, &error)
        })?;
    Ok(Assumed {
        credentials: session(output.credentials(), &format!("sts:AssumeRole of {}", ask.role))?,
        arn: output.assumed_role_user().map(|user| user.arn().to_owned()),
    })
}

/// The credentials that STS answered with; `call` says to what.
pub(super) fn session(
    given: Option<&aws_sdk_sts::types::Credentials>,
    call: &str,
) -> Result<Credentials, Problem> {
    let given = given.ok_or_else(|| {
        Problem::new(
            Kind::Unreachable,
            "STS answered without credentials",
            call,
            "Check the endpoint URL: this does not look like AWS",
        )
    })?;
    Ok(Credentials::new(
        given.access_key_id(),
        given.secret_access_key(),
        Some(given.session_token().to_owned()),
        SystemTime::try_from(*given.expiration()).ok(),
        "glueup",
    ))
}

/// Assumes the same role again whenever it is asked.
#[derive(Debug)]
pub(super) struct Again {
    pub from: Aws,
    pub hop: Hop,
}

impl ProvideCredentials for Again {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(async {
            self.hop
                .take(&self.from)
                .await
                .map(|assumed| assumed.credentials)
                .map_err(CredentialsError::provider_error)
        })
    }
}

/// Credentials had ended when they were given.
#[derive(Debug)]
pub(super) struct Ended(pub SystemTime);

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = Moment::from(time::OffsetDateTime::from(self.0));
        write!(f, "they ended at {} UTC", end.date_and_clock())
    }
}

impl Error for Ended {}

/// Fits a name to STS's charset and length (2 to 64).
pub(super) fn session_name(name: &str) -> String {
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

    #[test]
    fn session_names_fit() {
        assert_eq!(session_name("glueup-verify"), "glueup-verify");
        assert_eq!(session_name("Lake House/日本"), "Lake-House---");
        assert_eq!(session_name("x").len(), 2);
        assert_eq!(session_name(&"y".repeat(100)).len(), 64);
    }
}
