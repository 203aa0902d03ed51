//! What the profile files say, before the chain is asked: it falls through an unknown profile and ignores
//! `mfa_serial` without a word.

use super::profile_files::{Files, meant, written};
use super::sign_in::var;
use super::steps::{Leaf, Steps, setting};
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::shell;
use crate::domain::text::{nearest, scrub};
use aws_config::profile::{Profile, ProfileSet};
use aws_types::os_shim_internal::{Env, Fs};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The profile files and the chosen profile.
#[derive(Debug, Clone)]
pub(super) struct Profiles {
    /// The files, as they are given to the SDK.
    pub files: Arc<Files>,
    set: ProfileSet,
    /// The chosen profile's name.
    pub chosen: String,
    /// True when the command line named it.
    pub asked_for: bool,
    /// True when the environment holds keys, which beat every profile that the command line does not name.
    pub keys_in_env: bool,
}

/// How a profile signs in through IAM Identity Center.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SignOn {
    /// The profile that says so: the chosen one, or the one that its role starts from.
    pub profile: String,
    /// What the file of the token is called after: the name of the `sso-session`, else the start URL.
    pub called: String,
}

impl Profiles {
    /// Reads the files and chooses: the command line's profile, else the environment's, else `default`.
    pub(super) async fn load(fs: &Fs, env: &Env, asked: Option<&str>) -> Result<Self, Problem> {
        let from_env = ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"]
            .iter()
            .filter_map(|name| env.get(name).ok())
            .find(|name| !name.trim().is_empty());
        let named = asked.map(str::to_owned).or(from_env);
        let files = Files::read(fs, env).await;
        let chosen = named.as_deref().map(|name| written(name).into_owned());
        let set = aws_config::profile::load(fs, env, &files.for_sdk(), chosen.map(Into::into)).await;
        let set = match set {
            Ok(set) => set,
            Err(why) => return Err(broken(&files, fs, env, super::http::chain(&why)).await),
        };
        let profiles = Self {
            chosen: meant(set.selected_profile()).into_owned(),
            asked_for: asked.is_some(),
            keys_in_env: var(env, "AWS_ACCESS_KEY_ID").is_some()
                && var(env, "AWS_SECRET_ACCESS_KEY").is_some(),
            set,
            files: Arc::new(files),
        };
        if named.is_some() && profiles.counts() {
            profiles.check_known()?;
        }
        Ok(profiles)
    }

    /// Whether the chosen profile decides who we are: keys in the environment beat one that only the environment names.
    pub(super) fn counts(&self) -> bool {
        self.asked_for || !self.keys_in_env
    }

    /// How the chosen profile, or the one that its role starts from, signs in through IAM Identity Center, if it does.
    pub(super) fn sign_on(&self) -> Option<SignOn> {
        let Leaf::Sso(profile) = Steps::of(self).ok()??.leaf else {
            return None;
        };
        let token = setting(profile, "sso_session").or(setting(profile, "sso_start_url"))?;
        Some(SignOn {
            profile: called(profile).into_owned(),
            called: token.to_owned(),
        })
    }

    /// A setting of the chosen profile.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        setting(self.profile()?, key)
    }

    pub(super) fn profile(&self) -> Option<&Profile> {
        self.named(&self.chosen)
    }

    /// Another profile of the files, by name.
    pub(super) fn named(&self, name: &str) -> Option<&Profile> {
        self.set.get_profile(&written(name))
    }

    /// Whether there is a section of this name for AWS SSO.
    pub(super) fn has_sso_session(&self, name: &str) -> bool {
        self.set.sso_session(&written(name)).is_some()
    }

    /// The sections for AWS SSO, in order.
    pub(super) fn sso_sessions(&self) -> Vec<Cow<'_, str>> {
        let known: BTreeSet<Cow<'_, str>> = self.set.sso_sessions().map(meant).collect();
        known.into_iter().collect()
    }

    /// A setting of a section for AWS SSO.
    pub(super) fn sso_setting(&self, session: &str, key: &str) -> Option<&str> {
        let value = self.set.sso_session(&written(session))?.get(key)?.trim();
        Some(value).filter(|value| !value.is_empty())
    }

    /// The profile that `aws sso login` signs in, where the chosen one starts from there.
    pub(super) fn sso_profile(&self) -> Option<String> {
        self.sign_on().map(|sign_on| sign_on.profile)
    }

    /// A problem of a profile, which may be one of a file that could not be read.
    pub(super) fn with_unread(&self, mut problem: Problem) -> Problem {
        if let Some(unread) = self.files.unread()
            && matches!(problem.kind, Kind::Denied | Kind::NotFound | Kind::Usage)
            // What a service has answered has nothing to do with it.
            && problem.detail.is_empty()
            && problem.login.is_none()
            && !problem.why.contains(&unread)
        {
            problem.why = scrub(&format!("{unread}. {}", problem.why));
        }
        problem
    }

    fn check_known(&self) -> Result<(), Problem> {
        if self.profile().is_some() {
            return Ok(());
        }
        let known: BTreeSet<Cow<'_, str>> = self.set.profiles().map(meant).collect();
        let mut why = if known.is_empty() {
            format!("There is no profile in {}", self.files.places())
        } else {
            format!(
                "Known profiles: {}",
                known.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ")
            )
        };
        if let Some(unread) = self.files.unread() {
            return Err(Problem::new(
                Kind::Usage,
                format!("The AWS profile \"{}\" was not found", self.chosen),
                unread,
                "Let that file be read (ls -l shows whose it is), then repeat",
            ));
        }
        let quoted = self.files.quoted("profile", &self.chosen);
        let next = match (quoted, nearest(&self.chosen, known.iter().map(AsRef::as_ref))) {
            (Some(quoted), _) => {
                why = quoted;
                "Put the quotes there in ~/.aws/config".to_owned()
            }
            (None, Some(near)) => format!("Did you mean --profile {}?", shell(near)),
            (None, None) => format!(
                "Choose a known profile, or make one: aws configure --profile {}",
                shell(&self.chosen)
            ),
        };
        Err(Problem::new(
            Kind::NotFound,
            format!("There is no AWS profile \"{}\"", self.chosen),
            why,
            next,
        ))
    }
}

/// The name of a profile.
pub(super) fn called(profile: &Profile) -> Cow<'_, str> {
    meant(profile.name())
}

/// A file with a mistake in it: which, and where.
async fn broken(files: &Files, fs: &Fs, env: &Env, words: String) -> Problem {
    let mut why = words;
    for (path, alone) in files.each() {
        if let Err(error) = aws_config::profile::load(fs, env, &alone, None).await {
            let said = super::http::chain(&error);
            // The SDK has no path to say.
            let said = said.split_once("error parsing  on ").map_or(&*said, |(_, at)| at);
            why = format!("{}: {}", path.display(), said.replace(":\n  ", ": "));
            break;
        }
    }
    Problem::new(
        Kind::Usage,
        "The AWS profile files cannot be read",
        why,
        "Mend ~/.aws/config or ~/.aws/credentials at that place",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "[default]\nregion = eu-west-1\n\n[profile prod]\nregion=us-west-2\nsso_session = s\n\n\
        [profile base]\naws_access_key_id=a\naws_secret_access_key=b\n\n\
        [profile careful]\nrole_arn=arn:aws:iam::012345678901:role/x\nsource_profile=base\n\
        mfa_serial=arn:aws:iam::012345678901:mfa/me\n\n\
        [profile onward]\nrole_arn=arn:aws:iam::012345678901:role/y\nsource_profile=careful\n\n\
        [profile through]\nrole_arn=arn:aws:iam::012345678901:role/y\nsource_profile=prod\n\n\
        [profile own]\nrole_arn=arn:aws:iam::012345678901:role/y\nsource_profile=own\nsso_session = s\n\n\
        [profile both]\nsso_session = s\naws_access_key_id=a\naws_secret_access_key=b\n\n\
        [profile keyed]\nrole_arn=arn:aws:iam::012345678901:role/y\nsource_profile=both\n\n\
        [profile old]\nsso_start_url = https://acme.awsapps.com/start\n\n\
        [profile loop]\nrole_arn=arn:aws:iam::012345678901:role/y\nsource_profile=loop\n";

    async fn load(vars: &[(&str, &str)], asked: Option<&str>) -> Result<Profiles, Problem> {
        let mut env = vec![("HOME", "/home/me")];
        env.extend_from_slice(vars);
        Profiles::load(
            &Fs::from_slice(&[("/home/me/.aws/config", CONFIG)]),
            &Env::from_slice(&env),
            asked,
        )
        .await
    }

    #[tokio::test]
    async fn the_command_line_beats_the_environment() {
        let profiles = load(&[("AWS_PROFILE", "base")], Some("prod")).await.unwrap();
        assert_eq!(
            (profiles.chosen.as_str(), profiles.get("region")),
            ("prod", Some("us-west-2"))
        );
        let profiles = load(&[("AWS_DEFAULT_PROFILE", "prod")], None).await.unwrap();
        assert_eq!(profiles.chosen, "prod");
        let profiles = load(&[], None).await.unwrap();
        assert_eq!(
            (profiles.chosen.as_str(), profiles.get("region")),
            ("default", Some("eu-west-1"))
        );
    }

    #[tokio::test]
    async fn an_unknown_profile_is_named_with_the_known_ones() {
        let problem = load(&[], Some("prd")).await.unwrap_err();
        assert_eq!(problem.kind, Kind::NotFound);
        assert_eq!(problem.what, "There is no AWS profile \"prd\"");
        assert!(problem.why.contains("base, both, careful"), "{}", problem.why);
        assert_eq!(problem.next, "Did you mean --profile prod?");
        assert!(load(&[("AWS_PROFILE", "prd")], None).await.is_err());
        let keys = [
            ("AWS_PROFILE", "prd"),
            ("AWS_ACCESS_KEY_ID", "a"),
            ("AWS_SECRET_ACCESS_KEY", "b"),
        ];
        assert!(load(&keys, None).await.is_ok());
    }

    #[tokio::test]
    async fn single_sign_on_is_found_also_behind_a_role() {
        for (name, profile, called) in [
            ("prod", "prod", "s"),
            ("through", "prod", "s"),
            ("old", "old", "https://acme.awsapps.com/start"),
            ("own", "own", "s"),
        ] {
            let found = load(&[], Some(name)).await.unwrap().sign_on().unwrap();
            assert_eq!((found.profile.as_str(), found.called.as_str()), (profile, called));
        }
        // The keys of a source come before whatever else it says.
        for name in ["base", "loop", "keyed"] {
            assert_eq!(load(&[], Some(name)).await.unwrap().sign_on(), None);
        }
    }

    #[tokio::test]
    async fn a_broken_file_says_where() {
        let fs = Fs::from_slice(&[("/home/me/.aws/config", "[default\nx")]);
        let problem = Profiles::load(&fs, &Env::from_slice(&[("HOME", "/home/me")]), None)
            .await
            .unwrap_err();
        assert_eq!(problem.kind, Kind::Usage);
        assert!(problem.why.contains("config"), "{}", problem.why);
    }
}
