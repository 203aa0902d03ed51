//! From a profile to whatever gives its credentials: the SDK's providers where they begin, and each role on the way.

use super::credentials::RENEW_BEFORE;
use super::kept::{Explain, Kept};
use super::profile::{Profiles, called};
use super::program::Program;
use super::remedy;
use super::role_step::{Begin, Role};
use super::settings::Settings;
use super::sign_in::{Ground, METADATA};
use super::steps::{Leaf, Steps, setting};
use crate::domain::arn::RoleArn;
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::shell;
use aws_config::ecs::EcsCredentialsProvider;
use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::imds::credentials::ImdsCredentialsProvider;
use aws_config::profile::{Profile, ProfileFileCredentialsProvider};
use aws_config::provider_config::ProviderConfig;
use aws_config::sso::SsoCredentialsProvider;
use aws_credential_types::Credentials;
use aws_credential_types::credential_feature::AwsCredentialFeature as Feature;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_credential_types::provider::error::CredentialsError;
use aws_types::os_shim_internal::Env;
use std::time::Duration;

/// Where credentials begin they are renewed so long before they end, as the SDK does.
pub(super) const BEFORE: Duration = Duration::from_secs(300);
/// A session that costs its holder a code is used nearly to its end.
const BEFORE_A_CODE: Duration = Duration::from_secs(60);
/// Longest session that a role can give, in seconds.
const LONGEST: i32 = 43_200;
/// How long a program may take to give credentials: it may open a browser, or ask a person.
const PROGRAM: Duration = Duration::from_secs(60);

/// What gives the credentials of the chosen profile, by the steps that it names.
///
/// # Errors
/// Settings that cannot be used; a code is wanted and there is nobody to ask.
pub(super) async fn of_profile(
    ground: &Ground,
    settings: &Settings,
    env: &Env,
    config: &ProviderConfig,
    steps: &Steps<'_>,
) -> Result<Kept, Problem> {
    let profiles = &ground.profiles;
    if let Some((profile, device)) = steps.wants_code()
        && !settings.codes.can_ask()
    {
        return Err(super::role_step::needs_code(&profile, device, false));
    }
    let explain = explain(settings, profiles);
    let keep = |source, before| Kept::new(source, before, settings.meter.clone(), explain.clone(), None);
    let mut kept = keep(begin(profiles, config, steps.leaf)?, BEFORE);
    let mut opened = steps.device_of_keys();
    if let (Some(device), Leaf::Keys(profile)) = (opened, steps.leaf) {
        let begin = Begin {
            from: ground.signed_in(settings, env, kept).await,
            profile: called(profile).into_owned(),
            device: Some(device.to_owned()),
            codes: settings.codes.clone(),
            role: None,
            region: ground.region.clone(),
        };
        kept = keep(SharedCredentialsProvider::new(begin), BEFORE_A_CODE);
    }
    for (index, profile) in steps.roles.iter().enumerate() {
        let role = role(
            profile,
            index == 0 && steps.begins_with_keys() && opened.is_none(),
        )?;
        let own_region = role.arn.partition().a_region().filter(|_| !ground.given);
        // A code opens one session: whoever holds that one is not asked for the same device's again.
        let device = setting(profile, "mfa_serial").filter(|device| opened != Some(device));
        let before = if device.is_some() {
            BEFORE_A_CODE
        } else {
            RENEW_BEFORE
        };
        opened = opened.or(device);
        let begin = Begin {
            from: ground.signed_in(settings, env, kept).await,
            profile: called(profile).into_owned(),
            device: device.map(str::to_owned),
            codes: settings.codes.clone(),
            role: Some(role),
            region: own_region.unwrap_or_else(|| ground.region.clone()),
        };
        kept = keep(SharedCredentialsProvider::new(begin), before);
    }
    Ok(kept)
}

/// What is to be said when a profile's credentials cannot be had.
fn explain(settings: &Settings, profiles: &Profiles) -> Explain {
    let (chosen, sso) = (profiles.chosen.clone(), profiles.sso_profile());
    Explain::new(&settings.logins, sso.clone(), move |why| match why {
        CredentialsError::CredentialsNotLoaded(_) => Problem::new(
            Kind::Denied,
            format!("no credentials found (looked in profile {chosen})"),
            super::http::chain(why),
            format!(
                "Sign in: aws configure --profile {}, or {}",
                shell(&chosen),
                remedy::sso_login(Some(&chosen))
            ),
        ),
        _ => remedy::unusable(why, Some(&chosen), sso.as_deref()),
    })
}

fn begin(
    profiles: &Profiles,
    config: &ProviderConfig,
    leaf: Leaf<'_>,
) -> Result<SharedCredentialsProvider, Problem> {
    Ok(match leaf {
        Leaf::Keys(profile) => SharedCredentialsProvider::new(keys(profile)?),
        Leaf::Sso(profile) => SharedCredentialsProvider::new(sso(profiles, config, profile)?),
        Leaf::Process(profile, command) => {
            SharedCredentialsProvider::new(Program::new(&called(profile), command, PROGRAM))
        }
        Leaf::Source(profile, named) => source(config, profile, named)?,
        Leaf::Sdk(profile) => {
            let provider = ProfileFileCredentialsProvider::builder()
                .configure(config)
                .profile_files(profiles.files.for_sdk())
                .profile_name(profile.name())
                .build();
            SharedCredentialsProvider::new(provider)
        }
    })
}

fn keys(profile: &Profile) -> Result<Credentials, Problem> {
    let (Some(id), Some(secret)) = (
        setting(profile, "aws_access_key_id"),
        setting(profile, "aws_secret_access_key"),
    ) else {
        return Err(unusable(profile, "it holds half a key"));
    };
    let token = setting(profile, "aws_session_token").map(str::to_owned);
    let mut keys = Credentials::new(id, secret, token, None, "glueup");
    keys.get_property_mut_or_default::<Vec<Feature>>()
        .push(Feature::CredentialsProfile);
    Ok(keys)
}

/// AWS SSO by what the profile and its session say together: `aws configure sso`, tools beside it, and people write
/// these settings in either place.
fn sso(
    profiles: &Profiles,
    config: &ProviderConfig,
    profile: &Profile,
) -> Result<SsoCredentialsProvider, Problem> {
    let session = setting(profile, "sso_session");
    let next = format!("Run: aws configure sso --profile {}", shell(&called(profile)));
    let refuse = |why: String| {
        Err(Problem::new(
            Kind::Usage,
            format!(
                "The profile \"{}\" does not say all that AWS SSO needs",
                called(profile)
            ),
            why,
            next.clone(),
        ))
    };
    if let Some(name) = session
        && !profiles.has_sso_session(name)
    {
        if let Some(quoted) = profiles.files.quoted("sso-session", name) {
            return refuse(quoted);
        }
        let known = profiles.sso_sessions();
        let known = match known.is_empty() {
            true => "there is none at all".to_owned(),
            false => format!("there are: {}", known.join(", ")),
        };
        return refuse(format!(
            "it names [sso-session {name}], which is not in ~/.aws/config; {known}"
        ));
    }
    let either = |key: &str| {
        session
            .and_then(|name| profiles.sso_setting(name, key))
            .or_else(|| setting(profile, key))
    };
    let place = match session {
        Some(name) => format!("neither it nor [sso-session {name}] has"),
        None => "it has no".to_owned(),
    };
    let found = ["sso_region", "sso_start_url"].map(|key| (key, either(key)));
    let own = ["sso_account_id", "sso_role_name"].map(|key| (key, setting(profile, key)));
    for (key, value) in found.iter().chain(&own) {
        if value.is_none() {
            return refuse(format!("{place} {key}"));
        }
    }
    let value = |of: (&str, Option<&str>)| of.1.unwrap_or_default().to_owned();
    let ([region, start_url], [account, role]) = (found.map(value), own.map(value));
    let mut builder = SsoCredentialsProvider::builder()
        .configure(config)
        .account_id(account)
        .role_name(role)
        .start_url(start_url)
        .region(aws_config::Region::new(region));
    if let Some(name) = session {
        builder = builder.session_name(name);
    }
    Ok(builder.build())
}

fn source(
    config: &ProviderConfig,
    profile: &Profile,
    named: &str,
) -> Result<SharedCredentialsProvider, Problem> {
    Ok(match named.to_ascii_lowercase().as_str() {
        "environment" => SharedCredentialsProvider::new(EnvironmentVariableCredentialsProvider::new()),
        "ec2instancemetadata" => {
            let provider = ImdsCredentialsProvider::builder()
                .configure(config)
                .imds_client(metadata(config));
            SharedCredentialsProvider::new(provider.build())
        }
        "ecscontainer" => {
            SharedCredentialsProvider::new(EcsCredentialsProvider::builder().configure(config).build())
        }
        _ => {
            return Err(unusable(
                profile,
                &format!(
                    "credential_source {named} is none of Environment, Ec2InstanceMetadata, EcsContainer"
                ),
            ));
        }
    })
}

/// The metadata service of a virtual machine, asked once and not waited for.
pub(super) fn metadata(config: &ProviderConfig) -> aws_config::imds::Client {
    aws_config::imds::Client::builder()
        .configure(config)
        .max_attempts(1)
        .connect_timeout(METADATA)
        .read_timeout(METADATA)
        .build()
}

fn role(profile: &Profile, may_be_long: bool) -> Result<Role, Problem> {
    let arn: RoleArn = setting(profile, "role_arn").unwrap_or_default().parse()?;
    let asked: Option<i32> = match setting(profile, "duration_seconds") {
        None => None,
        Some(text) => match text.parse() {
            Ok(seconds) if (900..=LONGEST).contains(&seconds) => Some(seconds),
            _ => {
                let why = format!("duration_seconds is {text}: 900 to {LONGEST} are possible");
                return Err(unusable(profile, &why));
            }
        },
    };
    // A role that another session assumes lasts an hour at most; it is renewed.
    let longest = if may_be_long {
        LONGEST
    } else {
        super::credentials::SESSION_SECONDS
    };
    let note = asked.filter(|asked| *asked > longest).map(|_| {
        format!(
            "profile {} asks for longer sessions than a role gives to another role's session: they last 1 h",
            called(profile)
        )
    });
    Ok(Role {
        note,
        arn,
        external_id: setting(profile, "external_id").map(str::to_owned),
        session_name: setting(profile, "role_session_name")
            .unwrap_or("glueup")
            .to_owned(),
        seconds: asked.unwrap_or(super::credentials::SESSION_SECONDS).min(longest),
    })
}

fn unusable(profile: &Profile, why: &str) -> Problem {
    Problem::new(
        Kind::Usage,
        format!("The profile \"{}\" cannot be used", called(profile)),
        why,
        "Correct it in ~/.aws/config, or choose another one with --profile",
    )
}
