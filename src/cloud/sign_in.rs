//! Signing in: which credentials, which region, and one configuration for every client.

use super::aws::{Aws, Login};
use super::http::{certificates, chain};
use super::kept::{Explain, Kept};
use super::patience::{CONNECT, READ};
use super::profile::Profiles;
use super::profile_files::written;
use super::providers;
use super::remedy;
use super::settings::{Settings, StaticKeys};
use super::steps::Steps;
use super::way::{Roots, Way};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use aws_config::default_provider::credentials::DefaultCredentialsChain;
use aws_config::identity::IdentityCache;
use aws_config::provider_config::ProviderConfig;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, ConfigLoader, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_credential_types::provider::error::CredentialsError;
use aws_smithy_async::time::SharedTimeSource;
use aws_types::os_shim_internal::{Env, Fs};
use std::time::Duration;

/// How long the metadata service of a virtual machine may take: on a laptop nobody answers.
pub(super) const METADATA: Duration = Duration::from_millis(300);
/// Where STS is asked when no region is set anywhere.
const FALLBACK_REGION: &str = "us-east-1";

/// Signs in.
///
/// # Errors
/// Unknown profile, MFA, no credentials, an unreadable CA bundle.
pub(super) async fn sign_in(settings: &Settings) -> Result<Aws, Problem> {
    if settings.hermetic {
        hermetic(settings)
    } else {
        ambient(settings, &Fs::real(), &Env::real()).await
    }
}

fn hermetic(settings: &Settings) -> Result<Aws, Problem> {
    let way = Way::new(&settings.meter, Roots::Nobody, false).map_err(no_client)?;
    let keys = settings
        .keys
        .as_ref()
        .ok_or_else(|| no_credentials("only in the keys given by hand"))?;
    let (region, given) = region_or_fallback(settings.region.clone())?;
    let mut builder = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(aws_config::Region::new(region.to_string()))
        .http_client(way.client())
        .retry_config(retries(None))
        .timeout_config(timeouts())
        .identity_cache(IdentityCache::no_cache())
        .credentials_provider(SharedCredentialsProvider::new(credentials(keys)))
        .sleep_impl(aws_smithy_async::rt::sleep::TokioSleep::new())
        .time_source(settings.meter.ours().clone());
    builder.set_endpoint_url(settings.endpoint_url.clone());
    Ok(Aws::new(builder.build(), region, given, way, Login::default()))
}

async fn ambient(settings: &Settings, fs: &Fs, env: &Env) -> Result<Aws, Problem> {
    let profiles = Profiles::load(fs, env, settings.profile.as_deref()).await?;
    let ground = Ground::new(settings, profiles, env)?;
    let unread = |problem| ground.profiles.with_unread(problem);
    let kept = kept(settings, &ground, env).await.map_err(unread)?;
    // Asked for at once: who has none hears it before anything else is tried.
    kept.give().await.map_err(unread)?;
    let aws = ground.signed_in(settings, env, kept).await;
    if let Some(endpoint) = aws.endpoint("STS") {
        check_endpoint(&endpoint)?;
    }
    Ok(aws)
}

/// Nobody, with all that is known without credentials: the region and the endpoints. Keys given by hand are there always.
///
/// # Errors
/// Unknown profile, a region that is none, an unusable CA bundle.
pub(super) async fn nobody(settings: &Settings) -> Result<Aws, Problem> {
    if settings.hermetic {
        return hermetic(settings);
    }
    let (fs, env) = (Fs::real(), Env::real());
    let profiles = Profiles::load(&fs, &env, settings.profile.as_deref()).await?;
    let ground = Ground::new(settings, profiles, &env)?;
    Ok(ground.nobody(settings, &env).await)
}

/// What must be known before credentials are asked for: the profile, the region, and the way out.
pub(super) struct Ground {
    pub profiles: Profiles,
    pub region: Region,
    /// Whether it was set, rather than the one that is asked when none is.
    pub given: bool,
    /// The CA bundle, where one is set.
    pub bundle: Option<Vec<u8>>,
    way: Way,
}

impl Ground {
    /// # Errors
    /// A region that is none, an unusable CA bundle.
    pub(super) fn new(settings: &Settings, profiles: Profiles, env: &Env) -> Result<Self, Problem> {
        let named = var(env, "AWS_REGION")
            .or_else(|| var(env, "AWS_DEFAULT_REGION"))
            .or_else(|| profiles.get("region").map(str::to_owned))
            .map(|region| region.parse::<Region>())
            .transpose()?;
        let (region, given) = region_or_fallback(settings.region.clone().or(named))?;
        let bundle = bundle_path(&profiles, env).map(read_bundle).transpose()?;
        let way = Way::new(&settings.meter, Roots::Machine(bundle.clone()), true).map_err(no_client)?;
        Ok(Self {
            profiles,
            region,
            given,
            bundle,
            way,
        })
    }

    /// The endpoint that was set for a service, if one was; known without any credentials.
    pub(super) async fn endpoint(&self, settings: &Settings, env: &Env, service: &str) -> Option<String> {
        self.nobody(settings, env).await.endpoint(service)
    }

    async fn nobody(&self, settings: &Settings, env: &Env) -> Aws {
        self.open_as(settings, env, Login::default(), ConfigLoader::no_credentials)
            .await
    }

    /// Whoever these credentials are of.
    pub(super) async fn signed_in(&self, settings: &Settings, env: &Env, kept: Kept) -> Aws {
        let provider = SharedCredentialsProvider::new(kept.clone());
        let login = Login {
            kept: Some(kept),
            sso: self.profiles.sso_profile().filter(|_| self.profiles.counts()),
            logins: settings.logins.clone(),
        };
        self.open_as(settings, env, login, |config| {
            config.credentials_provider(provider)
        })
        .await
    }

    async fn open_as(
        &self,
        settings: &Settings,
        env: &Env,
        login: Login,
        as_who: impl FnOnce(ConfigLoader) -> ConfigLoader,
    ) -> Aws {
        let attempts = var(env, "AWS_MAX_ATTEMPTS").and_then(|number| number.trim().parse().ok());
        let mut loader = aws_config::defaults(BehaviorVersion::latest())
            .http_client(self.way.client())
            .region(aws_config::Region::new(self.region.to_string()))
            .profile_files(self.profiles.files.for_sdk())
            .profile_name(written(&self.profiles.chosen))
            .retry_config(retries(attempts))
            .timeout_config(timeouts())
            .time_source(settings.meter.ours().clone())
            .identity_cache(IdentityCache::no_cache());
        if let Some(endpoint) = &settings.endpoint_url {
            loader = loader.endpoint_url(endpoint);
        }
        let sdk = as_who(loader).load().await;
        Aws::new(sdk, self.region.clone(), self.given, self.way.clone(), login)
    }
}

/// A variable of the environment that holds something.
pub(super) fn var(env: &Env, name: &str) -> Option<String> {
    env.get(name).ok().filter(|value| !value.trim().is_empty())
}

/// The file of the CA bundle, where one is set.
pub(super) fn bundle_path(profiles: &Profiles, env: &Env) -> Option<String> {
    var(env, "AWS_CA_BUNDLE").or_else(|| profiles.get("ca_bundle").map(str::to_owned))
}

/// What is no web address would come back from the depths of the first request, in words that help nobody.
pub(super) fn check_endpoint(endpoint: &str) -> Result<(), Problem> {
    let web = endpoint.parse::<http::Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
    });
    if web {
        return Ok(());
    }
    Err(Problem::new(
        Kind::Usage,
        format!("{endpoint} is no endpoint"),
        "an endpoint is a web address: http:// or https://, and a host",
        "correct --endpoint-url or AWS_ENDPOINT_URL, such as http://127.0.0.1:4566",
    ))
}

/// What gives the credentials: keys given by hand, else the profile that was asked for, else whatever is found first.
async fn kept(settings: &Settings, ground: &Ground, env: &Env) -> Result<Kept, Problem> {
    let profiles = &ground.profiles;
    let keep = |source, explain| Kept::new(source, providers::BEFORE, settings.meter.clone(), explain, None);
    if let Some(keys) = &settings.keys {
        let explain = Explain::new(&settings.logins, None, |why| remedy::unusable(why, None, None));
        return Ok(keep(SharedCredentialsProvider::new(credentials(keys)), explain));
    }
    if !profiles.asked_for {
        half_a_key(env)?;
    }
    // The region is always set: left open, the SDK asks the metadata service for it and waits three seconds.
    let region = aws_config::Region::new(ground.region.to_string());
    let config = ProviderConfig::without_region()
        .with_http_client(ground.way.client())
        .with_timeout_config(timeouts())
        .with_time_source(SharedTimeSource::new(settings.meter.ours().clone()))
        .with_region(Some(region.clone()));
    if profiles.counts()
        && let Some(steps) = Steps::of(profiles)?
    {
        return providers::of_profile(ground, settings, env, &config, &steps).await;
    }
    let (asked_for, chosen) = (profiles.asked_for, profiles.chosen.clone());
    if asked_for {
        return Err(no_credentials(&format!("profile {chosen}, which holds none")));
    }
    let chain = DefaultCredentialsChain::builder()
        .imds_client(providers::metadata(&config))
        .configure(config)
        .profile_name(&written(&chosen))
        .region(region)
        .build()
        .await;
    let off = env.get("AWS_EC2_METADATA_DISABLED");
    let metadata = match off.is_ok_and(|off| off.eq_ignore_ascii_case("true")) {
        true => "instance metadata (switched off)",
        false => "instance metadata",
    };
    let explain = Explain::new(&settings.logins, None, move |why| refused(why, &chosen, metadata));
    Ok(keep(SharedCredentialsProvider::new(chain), explain))
}

/// One half of a key without the other is passed over by the SDK, and whoever is found then is somebody else.
fn half_a_key(env: &Env) -> Result<(), Problem> {
    let [id, secret] = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
    let (there, missing) = match (var(env, id), var(env, secret)) {
        (Some(_), None) => (id, secret),
        (None, Some(_)) => (secret, id),
        _ => return Ok(()),
    };
    Err(Problem::new(
        Kind::Denied,
        format!("{there} is set, but {missing} is not"),
        "Half a key in the environment signs nobody in",
        format!("Set {missing} too; or, to use a profile: unset {there}"),
    ))
}

fn credentials(keys: &StaticKeys) -> Credentials {
    Credentials::new(
        &keys.access_key_id,
        &keys.secret_access_key,
        keys.session_token.clone(),
        None,
        "glueup",
    )
}

fn retries(attempts: Option<u32>) -> RetryConfig {
    // Standard, not adaptive: after a few throttled calls adaptive waits ten times as long.
    RetryConfig::standard()
        .with_max_attempts(attempts.unwrap_or(8).max(1))
        .with_initial_backoff(Duration::from_millis(200))
        .with_max_backoff(Duration::from_secs(5))
}

fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT)
        .read_timeout(READ)
        .build()
}

fn region_or_fallback(region: Option<Region>) -> Result<(Region, bool), Problem> {
    match region {
        Some(region) => Ok((region, true)),
        None => Ok((FALLBACK_REGION.parse()?, false)),
    }
}

pub(super) fn read_bundle(path: String) -> Result<Vec<u8>, Problem> {
    let unusable = |why: String| {
        Problem::new(
            Kind::Usage,
            format!("The CA bundle {path} cannot be used"),
            why,
            "Let AWS_CA_BUNDLE name a PEM file with at least one certificate, or unset it",
        )
    };
    let pem = std::fs::read(&path).map_err(|why| unusable(why.to_string()))?;
    if certificates(&pem) > 0 {
        Ok(pem)
    } else {
        Err(unusable("It holds no certificate".to_owned()))
    }
}

fn no_client(why: String) -> Problem {
    Problem::new(
        Kind::Internal,
        "The HTTP client could not be made",
        why,
        "Check the machine's root certificates, or set AWS_CA_BUNDLE",
    )
}

fn no_credentials(looked: &str) -> Problem {
    Problem::new(
        Kind::Denied,
        format!("no credentials found (looked in {looked})"),
        "Nothing there says who you are",
        "Sign in (aws configure, aws configure sso), choose a profile with --profile, or try glueup demo",
    )
}

fn refused(why: &CredentialsError, chosen: &str, metadata: &str) -> Problem {
    // A metadata service that refuses to answer is no source of credentials either.
    if matches!(why, CredentialsError::CredentialsNotLoaded(_)) || chain(why).contains("IMDS") {
        return no_credentials(&format!(
            "environment, profile {chosen}, web identity, container, {metadata}"
        ));
    }
    remedy::unusable(why, Some(chosen), None)
}
