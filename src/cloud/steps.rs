//! How a profile signs in: where its credentials begin, and which roles are assumed from there.

use super::profile::{Profiles, called};
use crate::domain::problem::{Kind, Problem};
use aws_config::profile::Profile;
use std::borrow::Cow;

/// Settings that make a profile more than a place for a region.
const CREDENTIALS: [&str; 10] = [
    "role_arn",
    "aws_access_key_id",
    "credential_process",
    "credential_source",
    "login_session",
    "source_profile",
    "sso_account_id",
    "sso_session",
    "sso_start_url",
    "web_identity_token_file",
];

/// Where a profile's credentials begin, and the roles that are assumed from there.
pub(super) struct Steps<'a> {
    pub leaf: Leaf<'a>,
    /// The profiles whose roles are assumed, in this order.
    pub roles: Vec<&'a Profile>,
}

/// Where credentials begin.
#[derive(Clone, Copy)]
pub(super) enum Leaf<'a> {
    /// Keys in a profile.
    Keys(&'a Profile),
    /// AWS SSO.
    Sso(&'a Profile),
    /// A program, by the profile that names it.
    Process(&'a Profile, &'a str),
    /// `credential_source` of a profile.
    Source(&'a Profile, &'a str),
    /// Whatever the SDK makes of a profile: a web identity, a login session.
    Sdk(&'a Profile),
}

impl<'a> Steps<'a> {
    /// The steps of the chosen profile; `None` where it holds nothing about credentials.
    ///
    /// # Errors
    /// A source that does not exist, that goes round in a circle, or of which there are two or none.
    pub(super) fn of(profiles: &'a Profiles) -> Result<Option<Self>, Problem> {
        let Some(chosen) = profiles.profile() else {
            return Ok(None);
        };
        if CREDENTIALS.iter().all(|key| setting(chosen, key).is_none()) {
            return Ok(None);
        }
        let mut roles: Vec<&Profile> = Vec::new();
        let mut at = chosen;
        let leaf = loop {
            // A source's own keys come before its role, as in the AWS CLI.
            if !roles.is_empty() && has_keys(at) {
                break Leaf::Keys(at);
            }
            if setting(at, "role_arn").is_none() || setting(at, "web_identity_token_file").is_some() {
                break leaf(at);
            }
            roles.push(at);
            let (source, named) = (setting(at, "source_profile"), setting(at, "credential_source"));
            at = match (source, named) {
                (Some(source), None) if source == called(at) => break own(at)?,
                (Some(source), None) => profiles
                    .named(source)
                    .ok_or_else(|| missing(profiles, at, source))?,
                (None, Some(named)) => break Leaf::Source(at, named),
                (Some(_), Some(_)) => {
                    return Err(unclear(
                        at,
                        "it names both a source_profile and a credential_source",
                    ));
                }
                (None, None) => {
                    return Err(unclear(
                        at,
                        "it names neither a source_profile nor a credential_source",
                    ));
                }
            };
            if roles.iter().any(|seen| seen.name() == at.name()) {
                return Err(unclear(at, "its source profiles lead back to it"));
            }
        };
        roles.reverse();
        Ok(Some(Self { leaf, roles }))
    }

    /// The device that a session of the first keys is opened with: the keys' own profile names it.
    pub(super) fn device_of_keys(&self) -> Option<&'a str> {
        match self.leaf {
            // A session's keys cannot begin another one.
            Leaf::Keys(profile) if setting(profile, "aws_session_token").is_none() => {
                let is_role = self.roles.iter().any(|role| role.name() == profile.name());
                setting(profile, "mfa_serial").filter(|_| !is_role)
            }
            _ => None,
        }
    }

    /// The profile and the device that a code will be asked of, where one will.
    pub(super) fn wants_code(&self) -> Option<(Cow<'a, str>, &'a str)> {
        if let (Some(device), Leaf::Keys(profile)) = (self.device_of_keys(), self.leaf) {
            return Some((called(profile), device));
        }
        let role = |role: &&'a Profile| Some((called(role), setting(role, "mfa_serial")?));
        self.roles.iter().find_map(role)
    }

    /// Whether the first role may be assumed for longer than an hour: only by keys that are no session themselves.
    pub(super) fn begins_with_keys(&self) -> bool {
        matches!(self.leaf, Leaf::Keys(profile) if setting(profile, "aws_session_token").is_none())
    }
}

/// A setting that holds something.
pub(super) fn setting<'a>(profile: &'a Profile, key: &str) -> Option<&'a str> {
    profile.get(key).map(str::trim).filter(|value| !value.is_empty())
}

fn has_keys(profile: &Profile) -> bool {
    setting(profile, "aws_access_key_id").is_some() && setting(profile, "aws_secret_access_key").is_some()
}

/// In the SDK's order, with keys before a program, as in the AWS CLI.
fn leaf(profile: &Profile) -> Leaf<'_> {
    if setting(profile, "web_identity_token_file").is_some() {
        return Leaf::Sdk(profile);
    }
    if let Some(named) = setting(profile, "credential_source") {
        return Leaf::Source(profile, named);
    }
    if setting(profile, "sso_session")
        .or(setting(profile, "sso_start_url"))
        .is_some()
    {
        return Leaf::Sso(profile);
    }
    match setting(profile, "credential_process") {
        _ if has_keys(profile) => Leaf::Keys(profile),
        Some(command) => Leaf::Process(profile, command),
        None => Leaf::Sdk(profile),
    }
}

/// Where a role starts from the profile that it stands in.
fn own(profile: &Profile) -> Result<Leaf<'_>, Problem> {
    match leaf(profile) {
        Leaf::Sdk(_) => Err(unclear(profile, "it is its own source_profile and holds no keys")),
        leaf => Ok(leaf),
    }
}

fn missing(profiles: &Profiles, profile: &Profile, source: &str) -> Problem {
    let quoted = profiles.files.quoted("profile", source);
    Problem::new(
        Kind::NotFound,
        format!("There is no AWS profile \"{source}\""),
        format!(
            "The profile \"{}\" names it as its source_profile{}",
            called(profile),
            quoted.map(|quoted| format!("; {quoted}")).unwrap_or_default()
        ),
        "Correct source_profile in ~/.aws/config, or make that profile: aws configure --profile NAME",
    )
}

fn unclear(profile: &Profile, why: &str) -> Problem {
    Problem::new(
        Kind::Usage,
        format!(
            "The profile \"{}\" does not say where its role starts from",
            called(profile)
        ),
        why,
        "Give it one source_profile, or one credential_source, in ~/.aws/config",
    )
}
