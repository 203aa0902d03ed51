//! Signing in: which credentials, which region, and one configuration for every client.

use super::aws::Aws;
use super::credentials::{Kept, RENEW_BEFORE};
use super::http::{certificates, chain};
use super::profile::Profiles;
use super::remedy;
use super::settings::{Settings, StaticKeys};
use super::way::{Roots, Way};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use aws_config::default_provider::credentials::DefaultCredentialsChain;
use aws_config::identity::IdentityCache;
use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, ConfigLoader, SdkConfig};
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_types::os_shim_internal::{Env, Fs};
use std::time::Duration;

/// How long a connection may take to be made; with the one more try it stays within ten seconds.
const CONNECT: Duration = Duration::from_millis(3_000);
/// How long an answer may take to begin.
const READ: Duration = Duration::from_secs(20);
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
        .identity_cache(identity_cache())
        .credentials_provider(SharedCredentialsProvider::new(credentials(keys)))
        .sleep_impl(aws_smithy_async::rt::sleep::TokioSleep::new())
        .time_source(aws_smithy_async::time::SystemTimeSource::new());
    builder.set_endpoint_url(settings.endpoint_url.clone());
    Ok(Aws::new(builder.build(), region, given, way))
}

async fn ambient(settings: &Settings, fs: &Fs, env: &Env) -> Result<Aws, Problem> {
    let profiles = Profiles::load(fs, env, settings.profile.as_deref()).await?;
    let ground = Ground::new(settings, profiles, env)?;
    // The region is always set: left open, the SDK asks the metadata service for it and waits three seconds.
    let region = aws_config::Region::new(ground.region.to_string());
    let provider = provider(settings, &ground.profiles, ground.way.client(), region).await;
    let first = provider
        .provide_credentials()
        .await
        .map_err(|why| refused(&why, &ground.profiles, env))?;
    let kept = Kept::new(provider, Duration::from_secs(60), Some(first));
    let credentials = SharedCredentialsProvider::new(kept);
    let aws = ground
        .open(settings, env, |config| config.credentials_provider(credentials))
        .await;
    if let Some(endpoint) = aws.endpoint("STS") {
        check_endpoint(&endpoint)?;
    }
    Ok(aws)
}

/// What must be known before credentials are asked for: the profile, the region, and the way out.
pub(super) struct Ground {
    pub profiles: Profiles,
    pub region: Region,
    given: bool,
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
        let nobody = self.open(settings, env, ConfigLoader::no_credentials).await;
        nobody.endpoint(service)
    }

    async fn open(
        &self,
        settings: &Settings,
        env: &Env,
        as_who: impl FnOnce(ConfigLoader) -> ConfigLoader,
    ) -> Aws {
        let attempts = var(env, "AWS_MAX_ATTEMPTS").and_then(|number| number.trim().parse().ok());
        let mut loader = aws_config::defaults(BehaviorVersion::latest())
            .http_client(self.way.client())
            .region(aws_config::Region::new(self.region.to_string()))
            .profile_name(&self.profiles.chosen)
            .retry_config(retries(attempts))
            .timeout_config(timeouts())
            .identity_cache(identity_cache());
        if let Some(endpoint) = &settings.endpoint_url {
            loader = loader.endpoint_url(endpoint);
        }
        let sdk = as_who(loader).load().await;
        Aws::new(sdk, self.region.clone(), self.given, self.way.clone())
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

async fn provider(
    settings: &Settings,
    profiles: &Profiles,
    http: SharedHttpClient,
    region: aws_config::Region,
) -> SharedCredentialsProvider {
    if let Some(keys) = &settings.keys {
        return SharedCredentialsProvider::new(credentials(keys));
    }
    let config = ProviderConfig::without_region()
        .with_http_client(http)
        .with_region(Some(region.clone()));
    if profiles.asked_for {
        let provider = ProfileFileCredentialsProvider::builder()
            .configure(&config)
            .profile_name(&profiles.chosen)
            .build();
        return SharedCredentialsProvider::new(provider);
    }
    let metadata = aws_config::imds::Client::builder()
        .configure(&config)
        .max_attempts(1)
        .connect_timeout(METADATA)
        .read_timeout(METADATA)
        .build();
    let chain = DefaultCredentialsChain::builder()
        .configure(config)
        .imds_client(metadata)
        .profile_name(&profiles.chosen)
        .region(region)
        .build()
        .await;
    SharedCredentialsProvider::new(chain)
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

fn identity_cache() -> impl aws_smithy_runtime_api::client::identity::ResolveCachedIdentity + 'static {
    IdentityCache::lazy()
        .buffer_time(RENEW_BEFORE)
        .load_timeout(Duration::from_secs(30))
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

fn refused(why: &CredentialsError, profiles: &Profiles, env: &Env) -> Problem {
    // A metadata service that refuses to answer is no source of credentials either.
    let nothing = matches!(why, CredentialsError::CredentialsNotLoaded(_)) || chain(why).contains("IMDS");
    if nothing && !profiles.asked_for {
        let metadata = match env.get("AWS_EC2_METADATA_DISABLED") {
            Ok(off) if off.eq_ignore_ascii_case("true") => "instance metadata (switched off)",
            _ => "instance metadata",
        };
        return no_credentials(&format!(
            "environment, profile {}, web identity, container, {metadata}",
            profiles.chosen
        ));
    }
    if let CredentialsError::CredentialsNotLoaded(_) = why {
        return Problem::new(
            Kind::Denied,
            format!("no credentials found (looked in profile {})", profiles.chosen),
            chain(why),
            format!(
                "Sign in: aws configure --profile {0}, or aws sso login --profile {0}",
                profiles.chosen
            ),
        );
    }
    remedy::unusable(why, Some(&profiles.chosen))
}
