//! Where credentials came from, and until when they hold.

use super::super::profile::Profiles;
use super::super::remedy::span;
use super::super::role_step::Notes;
use super::super::sign_in::var;
use crate::domain::finding::Finding;
use crate::domain::moment::Moment;
use aws_credential_types::Credentials;
use aws_credential_types::credential_feature::AwsCredentialFeature as Feature;
use aws_types::os_shim_internal::Env;

/// Where credentials came from, and until when they hold. Nothing of the credentials themselves is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    features: Vec<Feature>,
    ends: Option<Moment>,
    temporary: bool,
    notes: Vec<String>,
}

/// Credentials that nobody renews are worth a word when they end within this many seconds.
const SOON: i64 = 900;

impl Provenance {
    pub(in crate::cloud) fn of(credentials: &Credentials) -> Self {
        Self {
            features: credentials
                .get_property::<Vec<Feature>>()
                .cloned()
                .unwrap_or_default(),
            ends: credentials
                .expiry()
                .map(|end| Moment::from(time::OffsetDateTime::from(end))),
            temporary: credentials.session_token().is_some(),
            notes: credentials
                .get_property::<Notes>()
                .map(|notes| notes.0.clone())
                .unwrap_or_default(),
        }
    }

    fn has(&self, feature: &Feature) -> bool {
        self.features.contains(feature)
    }

    /// In words; `profile` is the chosen one.
    fn source(&self, profile: &str) -> String {
        // The SDK names every step; the most telling one comes first here.
        let steps: [(&Feature, String); 7] = [
            (
                &Feature::CredentialsEnvVars,
                "the environment (AWS_ACCESS_KEY_ID)".to_owned(),
            ),
            (
                &Feature::CredentialsImds,
                "the role of this virtual machine".to_owned(),
            ),
            (&Feature::CredentialsHttp, "the role of this container".to_owned()),
            (
                &Feature::CredentialsProcess,
                format!("the credential_process of profile {profile}"),
            ),
            (&Feature::CredentialsSso, format!("AWS SSO, by profile {profile}")),
            (
                &Feature::CredentialsProfileStsWebIdToken,
                "a web identity token".to_owned(),
            ),
            (&Feature::CredentialsProfile, format!("profile {profile}")),
        ];
        let from = steps
            .into_iter()
            .find(|(feature, _)| self.has(feature))
            .map_or_else(|| "keys given by hand".to_owned(), |(_, words)| words);
        if self.has(&Feature::CredentialsStsAssumeRole) {
            format!("{from}, through a role")
        } else {
            from
        }
    }

    /// What is to be said of them.
    pub(super) fn finding(&self, profiles: Option<&Profiles>, env: &Env, now: Moment) -> Finding {
        let by_hand = self.has(&Feature::CredentialsEnvVars);
        let Some(profiles) = profiles else {
            return Finding::passed("the keys of the demo, which do not end");
        };
        let source = self.source(&profiles.chosen);
        // What fills the environment often says there when it ends; the SDK does not look.
        let told = || var(env, "AWS_CREDENTIAL_EXPIRATION").and_then(|end| end.parse::<Moment>().ok());
        let ends = self.ends.or_else(|| by_hand.then(told).flatten());
        let drop = "unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN";
        let again = if by_hand {
            format!("Get new ones where these came from; or, to use a profile: {drop}")
        } else {
            "Sign in again as this profile wants it, then repeat".to_owned()
        };
        let said = match ends {
            Some(end) => {
                let left = end.seconds_since(now);
                let (at, amount) = (end.date_and_clock(), span(left.unsigned_abs()));
                if left <= 0 {
                    return Finding::failed(format!("from {source}; ended at {at} UTC, {amount} ago"), again);
                }
                let said = format!("from {source}; until {at} UTC, {amount} more");
                if by_hand && left < SOON {
                    return Finding::warning(said, again);
                }
                said
            }
            None if self.temporary => format!("from {source}; temporary, and when they end is not said"),
            None => format!("from {source}; they do not end"),
        };
        let said = std::iter::once(&said).chain(&self.notes).cloned();
        let said = said.collect::<Vec<_>>().join("; ");
        let unheard = ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"]
            .into_iter()
            .find(|name| by_hand && var(env, name).is_some());
        match unheard {
            Some(name) => Finding::warning(format!("{said}; they come before {name}"), drop),
            None => Finding::passed(said),
        }
    }
}
