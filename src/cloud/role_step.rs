//! The calls by which a profile's keys become a session, with the code of a device where the profile wants one.

use super::aws::Aws;
use super::codes::{CodeWanted, Codes};
use super::credentials::{Ask, SESSION_SECONDS, assume, session};
use crate::domain::arn::RoleArn;
use crate::domain::mfa_code::MfaCode;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::shell;
use crate::domain::region::Region;
use crate::domain::text::scrub;
use aws_credential_types::Credentials;
use aws_credential_types::credential_feature::AwsCredentialFeature as Feature;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, future};

/// How a profile's session is begun, each time anew.
#[derive(Debug)]
pub(super) struct Begin {
    /// Signed in as whoever begins it.
    pub from: Aws,
    /// The profile that wants it.
    pub profile: String,
    /// The device whose code it wants.
    pub device: Option<String>,
    /// Whoever is asked for the code.
    pub codes: Codes,
    /// The role, or a session of the keys themselves.
    pub role: Option<Role>,
    /// The region whose STS is asked.
    pub region: Region,
}

/// The role that a profile assumes.
#[derive(Debug, Clone)]
pub(super) struct Role {
    pub arn: RoleArn,
    pub external_id: Option<String>,
    pub session_name: String,
    /// How long a session may be, in seconds.
    pub seconds: i32,
    /// What is to be said of that.
    pub note: Option<String>,
}

/// What is to be said of credentials that were had all the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes(pub Vec<String>);

impl ProvideCredentials for Begin {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(async {
            self.begin().await.map_err(CredentialsError::provider_error)
        })
    }
}

impl Begin {
    async fn begin(&self) -> Result<Credentials, Problem> {
        let mut seconds = self.role.as_ref().map_or(SESSION_SECONDS, |role| role.seconds);
        let mut note = self.role.as_ref().and_then(|role| role.note.clone());
        let mut refused = None;
        loop {
            let code = match &self.device {
                Some(device) => Some((device.as_str(), self.code(device, refused.take()).await?)),
                None => None,
            };
            let problem = match self.once(code.as_ref(), seconds).await {
                Ok(mut credentials) => {
                    self.mark(&mut credentials, note).await;
                    return Ok(credentials);
                }
                Err(problem) => problem,
            };
            if code.is_some() && problem.why.contains("invalid MFA one time pass code") {
                refused =
                    Some("AWS did not take that code; each counts once, and for half a minute".to_owned());
            } else if seconds > SESSION_SECONDS && is_too_long(&problem) {
                note = Some(format!(
                    "profile {} asks for longer sessions than its role gives: they last 1 h",
                    self.profile
                ));
                seconds = SESSION_SECONDS;
                refused =
                    Some("The role gives shorter sessions than the profile asks for: one of 1 h".to_owned());
            } else {
                return Err(self.explained(problem));
            }
        }
    }

    async fn code(&self, device: &str, refused: Option<String>) -> Result<MfaCode, Problem> {
        let opens = match &self.role {
            Some(role) => role.arn.to_string(),
            None => "a session of its keys".to_owned(),
        };
        let wanted = CodeWanted {
            profile: scrub(&self.profile),
            device: scrub(device),
            opens,
            refused,
        };
        let given = self.codes.ask(wanted).await;
        given.ok_or_else(|| needs_code(&self.profile, device, self.codes.can_ask()))
    }

    /// One try, with a code where one is wanted.
    async fn once(&self, code: Option<&(&str, MfaCode)>, seconds: i32) -> Result<Credentials, Problem> {
        let (from, region) = (&self.from, &self.region);
        if let Some(role) = &self.role {
            let ask = Ask {
                role: &role.arn,
                external_id: role.external_id.as_deref(),
                session_name: &role.session_name,
                seconds,
                code,
                region,
            };
            return assume(from, &ask).await.map(|assumed| assumed.credentials);
        }
        let sent = from
            .sts(region)
            .get_session_token()
            .set_serial_number(code.map(|(device, _)| (*device).to_owned()))
            .set_token_code(code.map(|(_, code)| code.digits().to_owned()))
            .send()
            .await;
        let answer =
            sent.map_err(|error| from.problem("sts", "sts:GetSessionToken", None, region, &error))?;
        session(answer.credentials(), "sts:GetSessionToken")
    }

    /// What STS refuses of a code has a mend of its own; else it is said which profile was at it.
    fn explained(&self, mut problem: Problem) -> Problem {
        if let Some(device) = &self.device
            && problem.why.contains("MultiFactorAuthentication failed")
        {
            let detail = (*problem.detail).clone();
            return Problem::new(
                Kind::Denied,
                format!(
                    "AWS does not take codes of {device} from profile {}",
                    self.profile
                ),
                problem.why,
                "Let mfa_serial in ~/.aws/config name a device of the user whose keys these are: aws iam \
                 list-mfa-devices",
            )
            .with_detail(detail);
        }
        problem.what = scrub(&format!("Profile {}: {}", self.profile, problem.what));
        problem
    }

    /// Says in the credentials where they come from, this step with the earlier ones.
    async fn mark(&self, credentials: &mut Credentials, note: Option<String>) {
        let before = match self.from.sdk().credentials_provider() {
            Some(provider) => provider.provide_credentials().await.ok(),
            None => None,
        };
        let of = before.as_ref();
        let mut features: Vec<Feature> = of.and_then(|c| c.get_property().cloned()).unwrap_or_default();
        features.push(match &self.role {
            Some(_) => Feature::CredentialsStsAssumeRole,
            None => Feature::CredentialsStsSessionToken,
        });
        credentials.set_property(features);
        let mut notes: Notes = of.and_then(|c| c.get_property().cloned()).unwrap_or_default();
        notes.0.extend(note);
        credentials.set_property(notes);
    }
}

fn is_too_long(problem: &Problem) -> bool {
    problem.why.contains("MaxSessionDuration") || problem.why.contains("1 hour session limit")
}

/// The code was not given, or there is nobody to give it.
pub(super) fn needs_code(profile: &str, device: &str, asked: bool) -> Problem {
    let (why, first) = if asked {
        (
            "and none was given",
            "Repeat, and type the 6 digits that the device shows".to_owned(),
        )
    } else {
        (
            "and there is no terminal to ask on",
            "Run it in a terminal and type the 6 digits that the device shows".to_owned(),
        )
    };
    Problem::new(
        Kind::Denied,
        "profile needs MFA",
        format!("Profile \"{profile}\" signs in with a code of {device}, {why}"),
        format!(
            "{first}; or open a session first: aws sts get-session-token --serial-number {} --token-code CODE",
            shell(device)
        ),
    )
}
