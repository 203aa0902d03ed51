//! Whether the way to AWS is free: each part looked at by itself, so that the one that is in the way is named.
//!
//! Nothing is changed by looking: no role is assumed that the profile does not need for signing in, no token is
//! renewed, and no secret gets into an answer.

mod bundle;
mod clock;
mod credentials;
mod metadata;
mod proxy;
mod sso;

use super::profile::Profiles;
use super::settings::Settings;
use super::sign_in::{Ground, check_endpoint};
use super::steps::Steps;
use crate::domain::finding::Finding;
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::domain::text::scrub;
use aws_types::os_shim_internal::{Env, Fs};

pub use credentials::Provenance;
pub(super) use metadata::is_virtual_machine;

/// The settings as they were found, ready to be looked at.
pub struct Checkup {
    settings: Settings,
    env: Env,
    fs: Fs,
    found: Found,
}

/// What there is to look at.
enum Found {
    /// Nothing but the endpoint: the embedded AWS, deaf to every setting around it.
    Hermetic,
    /// The profile files cannot be used.
    NoProfiles(Problem),
    /// The settings cannot be used as they are.
    NoGround(Box<Profiles>, Problem),
    /// The settings.
    Ground(Box<Ground>),
}

/// Why the settings around the embedded AWS are not looked at.
const HERMETIC: &str = "the demo looks at no AWS setting of this machine";

impl Checkup {
    /// Reads the environment and the profile files. Nobody is asked yet.
    pub async fn new(settings: &Settings) -> Self {
        Self::of(settings, Fs::real(), Env::real()).await
    }

    async fn of(settings: &Settings, fs: Fs, env: Env) -> Self {
        let found = if settings.hermetic {
            Found::Hermetic
        } else {
            match Profiles::load(&fs, &env, settings.profile.as_deref()).await {
                Err(problem) => Found::NoProfiles(problem),
                Ok(profiles) => match Ground::new(settings, profiles.clone(), &env) {
                    Err(problem) => Found::NoGround(Box::new(profiles), problem),
                    Ok(ground) => Found::Ground(Box::new(ground)),
                },
            }
        };
        Self {
            settings: settings.clone(),
            env,
            fs,
            found,
        }
    }

    /// Whether the endpoint answers, and how far this machine's clock is from its own.
    pub async fn clock(&self) -> Finding {
        match &self.found {
            Found::NoProfiles(problem) | Found::NoGround(_, problem) => {
                Finding::skipped(format!("nobody was asked: {}", problem.what))
            }
            Found::Hermetic => {
                let endpoint = self.settings.endpoint_url.clone().unwrap_or_default();
                clock::check(&endpoint, None, self.settings.region.as_ref()).await
            }
            Found::Ground(ground) => {
                let endpoint = self.endpoint(ground, "sts").await;
                if let Err(problem) = check_endpoint(&endpoint) {
                    return Finding::from(&problem);
                }
                clock::check(&endpoint, ground.bundle.clone(), Some(&ground.region)).await
            }
        }
    }

    /// Which proxy leads to which host.
    pub async fn proxy(&self) -> Finding {
        match &self.found {
            Found::Hermetic => Finding::skipped(HERMETIC),
            // Any host of AWS shows whether the proxy is there.
            Found::NoProfiles(_) | Found::NoGround(..) => {
                proxy::check(&self.env, &["https://sts.amazonaws.com".to_owned()]).await
            }
            Found::Ground(ground) => {
                let mut endpoints = Vec::new();
                for service in ["sts", "glue", "s3", "cloudformation"] {
                    endpoints.push(self.endpoint(ground, service).await);
                }
                proxy::check(&self.env, &endpoints).await
            }
        }
    }

    /// Whose certificates are trusted, and whether a CA bundle holds any.
    pub fn bundle(&self) -> Finding {
        match &self.found {
            Found::Hermetic => Finding::skipped("the demo speaks plain HTTP on this machine"),
            Found::NoProfiles(_) => bundle::check(None, &self.env),
            Found::NoGround(profiles, _) => bundle::check(Some(profiles), &self.env),
            Found::Ground(ground) => bundle::check(Some(&ground.profiles), &self.env),
        }
    }

    /// Whether the profile's token of AWS SSO is there and has not ended.
    pub async fn sso(&self, now: Moment) -> Finding {
        match self.token().await {
            Ok((sign_on, token)) => token.finding(&sign_on, now),
            Err(why) => Finding::skipped(why),
        }
    }

    /// Whether signing in would use nothing but what is there: an SSO token that has ended cannot be used, and one that
    /// is about to end would be exchanged for another.
    pub async fn may_sign_in(&self, now: Moment) -> bool {
        match self.token().await {
            Ok((_, token)) => token.is_good(now),
            Err(_) => true,
        }
    }

    /// The profile that signs in with a code of an MFA device, where one does.
    pub fn wants_code(&self) -> Option<String> {
        let profiles = self.profiles().filter(|profiles| profiles.counts())?;
        let steps = Steps::of(profiles).ok().flatten()?;
        steps.wants_code().map(|(profile, _)| scrub(&profile))
    }

    /// Where the credentials came from, and until when they hold.
    pub fn credentials(&self, provenance: &Provenance, now: Moment) -> Finding {
        let profiles = self.profiles();
        provenance.finding(profiles, &self.env, now)
    }

    /// Whether the metadata service of a virtual machine answers. Takes 300 ms at most.
    pub async fn metadata(&self) -> Finding {
        match &self.found {
            Found::Hermetic => Finding::skipped(HERMETIC),
            _ => metadata::check(&self.env).await,
        }
    }

    /// The address of a service, as it will be asked.
    async fn endpoint(&self, ground: &Ground, service: &str) -> String {
        let own = ground
            .endpoint(&self.settings, &self.env, &service.to_ascii_uppercase())
            .await;
        own.unwrap_or_else(|| {
            let region = &ground.region;
            format!("https://{service}.{region}.{}", region.partition().dns_suffix())
        })
    }

    fn profiles(&self) -> Option<&Profiles> {
        match &self.found {
            Found::Hermetic | Found::NoProfiles(_) => None,
            Found::NoGround(profiles, _) => Some(profiles),
            Found::Ground(ground) => Some(&ground.profiles),
        }
    }

    /// The token by which the profile signs in; else why there is none to look at.
    async fn token(&self) -> Result<(super::profile::SignOn, sso::Token), String> {
        if let Found::Hermetic = &self.found {
            return Err(HERMETIC.to_owned());
        }
        let profiles = self.profiles().ok_or("the profile files cannot be used")?;
        if !profiles.counts() {
            return Err("keys in the environment come before every profile".to_owned());
        }
        let sign_on = profiles
            .sign_on()
            .ok_or_else(|| format!("the profile {} does not sign in through SSO", profiles.chosen))?;
        let token = sso::read(&sign_on.called, &self.fs, &self.env).await;
        Ok((sign_on, token))
    }
}

#[cfg(test)]
mod tests;
