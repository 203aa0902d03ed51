//! How AWS is to be reached.

use super::codes::Codes;
use super::logins::Logins;
use super::meter::Meter;
use crate::domain::region::Region;
use std::fmt;

/// An access key given by hand rather than found by the chain. Its secret never shows in `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct StaticKeys {
    /// The key's id, not secret.
    pub access_key_id: String,
    /// The secret.
    pub secret_access_key: String,
    /// The token of a session.
    pub session_token: Option<String>,
}

impl fmt::Debug for StaticKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticKeys")
            .field("access_key_id", &self.access_key_id)
            .finish_non_exhaustive()
    }
}

/// How AWS is to be reached: what the command line says; the environment and the profiles say the rest.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The profile by name; it then beats keys in the environment, as in the AWS CLI.
    pub profile: Option<String>,
    /// The region, for what has none of its own.
    pub region: Option<Region>,
    /// One endpoint for all services.
    pub endpoint_url: Option<String>,
    /// Keys given by hand; the chain is then not asked.
    pub keys: Option<StaticKeys>,
    /// True: no environment variable, no file and no metadata service is looked at. Profiles then do not exist.
    pub hermetic: bool,
    /// Counts what goes out, by a clock of its own.
    pub meter: Meter,
    /// Whoever can be asked for the code of an MFA device.
    pub codes: Codes,
    /// Whose sign-in through AWS SSO has run out.
    pub logins: Logins,
}

impl Settings {
    /// For the embedded AWS: deaf to every ambient AWS setting.
    pub fn demo(
        endpoint: impl Into<String>,
        region: Region,
        access_key_id: impl Into<String>,
        secret_access_key: impl Into<String>,
    ) -> Self {
        Self {
            profile: None,
            region: Some(region),
            endpoint_url: Some(endpoint.into()),
            keys: Some(StaticKeys {
                access_key_id: access_key_id.into(),
                secret_access_key: secret_access_key.into(),
                session_token: None,
            }),
            hermetic: true,
            meter: Meter::default(),
            codes: Codes::default(),
            logins: Logins::default(),
        }
    }

    /// The same, signed in with another profile. Hermetic settings stay as they are: there are no profiles.
    #[must_use]
    pub fn with_profile(&self, profile: &str) -> Self {
        let mut changed = self.clone();
        if !self.hermetic {
            changed.profile = Some(profile.to_owned());
            changed.keys = None;
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_show() {
        let settings = Settings::demo(
            "http://127.0.0.1:1",
            "us-west-2".parse().unwrap(),
            "AKIAEXAMPLE",
            "s3cr3t",
        );
        let shown = format!("{settings:?}");
        assert!(
            shown.contains("AKIAEXAMPLE") && !shown.contains("s3cr3t"),
            "{shown}"
        );
    }

    #[test]
    fn another_profile_drops_keys_given_by_hand() {
        let mut settings = Settings::demo("http://127.0.0.1:1", "us-west-2".parse().unwrap(), "a", "b");
        assert!(settings.with_profile("p").keys.is_some());
        settings.hermetic = false;
        let other = settings.with_profile("p");
        assert_eq!((other.profile.as_deref(), other.keys), (Some("p"), None));
    }
}
