//! A signed-in caller, and the clients it opens.

use super::access_points::AccessPoints;
use super::checkup::Provenance;
use super::console::{self, Console};
use super::credentials::{Again, Hop, RENEW_BEFORE};
use super::failure::{Call, Cause};
use super::glue::Glue;
use super::http::{SIGNED_WITH, host_of, is_loopback};
use super::iam::Iam;
use super::kept::{Explain, Kept};
use super::logins::Logins;
use super::meter::Meter;
use super::problem::{has_expired, problem};
use super::remedy;
use super::renewal::Renewal;
use super::rest::Rest;
use super::s3::S3;
use super::settings::Settings;
use super::stacks::Stacks;
use super::way::Way;
use crate::domain::account::AccountId;
use crate::domain::problem::Problem;
use crate::domain::region::{Partition, Region};
use crate::domain::text::scrub;
use aws_config::SdkConfig;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use aws_types::service_config::ServiceConfigKey;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// Who the caller is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The caller's ARN, in clean text.
    pub arn: String,
    /// Its account.
    pub account: AccountId,
    /// Its partition.
    pub partition: Partition,
    /// The region that was set; `None` when none was.
    pub region: Option<Region>,
}

/// A signed-in caller. A clone is the same caller, with the same connections and the same cached credentials.
#[derive(Clone)]
pub struct Aws(Arc<Inner>);

struct Inner {
    sdk: SdkConfig,
    region: Region,
    region_given: bool,
    way: Way,
    login: Login,
    identity: OnceCell<Identity>,
}

/// How the caller stays signed in.
#[derive(Clone, Default)]
pub(super) struct Login {
    /// What renews the credentials; `None` where they are keys.
    pub kept: Option<Kept>,
    /// The profile that `aws sso login` signs in, where one does.
    pub sso: Option<String>,
    /// Who hears that it has to.
    pub logins: Logins,
}

impl Login {
    fn explain(&self) -> Explain {
        let sso = self.sso.clone();
        Explain::new(&self.logins, sso.clone(), move |why| {
            remedy::unusable(why, None, sso.as_deref())
        })
    }
}

impl Aws {
    pub(super) fn new(sdk: SdkConfig, region: Region, region_given: bool, way: Way, login: Login) -> Self {
        Self(Arc::new(Inner {
            sdk,
            region,
            region_given,
            way,
            login,
            identity: OnceCell::new(),
        }))
    }

    /// Signs in. Asks for credentials, but makes no call to AWS yet.
    ///
    /// # Errors
    /// Unknown profile, a profile that needs MFA, no credentials, an unusable CA bundle.
    pub async fn sign_in(settings: &Settings) -> Result<Self, Problem> {
        super::sign_in::sign_in(settings).await
    }

    /// Nobody, with all that is known without credentials: the region and the endpoints.
    ///
    /// # Errors
    /// Unknown profile, a region that is none, an unusable CA bundle.
    pub async fn nobody(settings: &Settings) -> Result<Self, Problem> {
        super::sign_in::nobody(settings).await
    }

    /// Who the caller is: asks STS once.
    ///
    /// # Errors
    /// Whatever STS answers.
    pub async fn identity(&self) -> Result<Identity, Problem> {
        self.identity_near(&self.0.region).await
    }

    /// Who the caller is, asked in the region of the work at hand when none was set: credentials of China or GovCloud
    /// are unknown to the STS of every other partition.
    ///
    /// # Errors
    /// Whatever STS answers.
    pub async fn identity_near(&self, region: &Region) -> Result<Identity, Problem> {
        let region = self.sts_region(region);
        self.0
            .identity
            .get_or_try_init(|| self.ask_who(region))
            .await
            .cloned()
    }

    /// Where STS is asked for work in `region`: there, unless a region was set.
    pub fn sts_region<'a>(&'a self, region: &'a Region) -> &'a Region {
        if self.0.region_given {
            &self.0.region
        } else {
            region
        }
    }

    async fn ask_who(&self, region: &Region) -> Result<Identity, Problem> {
        let answer = self
            .sts(region)
            .get_caller_identity()
            .send()
            .await
            .map_err(|error| self.problem("sts", "sts:GetCallerIdentity", None, region, &error))?;
        self.identity_of(
            answer.arn().unwrap_or_default(),
            answer.account().unwrap_or_default(),
        )
    }

    fn identity_of(&self, arn: &str, account: &str) -> Result<Identity, Problem> {
        let account = account.parse::<AccountId>()?;
        let partition = partition_of(arn).unwrap_or_else(|| self.0.region.partition());
        Ok(Identity {
            arn: scrub(arn),
            account,
            partition,
            region: self.0.region_given.then(|| self.0.region.clone()),
        })
    }

    /// Where the credentials in use came from, and until when they hold.
    ///
    /// # Errors
    /// When they have ended and cannot be had again.
    pub async fn provenance(&self) -> Result<Provenance, Problem> {
        let provider = self.0.sdk.credentials_provider();
        let given = match &provider {
            Some(provider) => provider.provide_credentials().await,
            None => Err(CredentialsError::not_loaded_no_source()),
        };
        given
            .map(|credentials| Provenance::of(&credentials))
            .map_err(|why| remedy::unusable(&why, None, self.0.login.sso.as_deref()))
    }

    /// The region of what has none of its own.
    pub fn region(&self) -> &Region {
        &self.0.region
    }

    /// The caller's partition, as far as it is known, else the region's.
    pub fn partition(&self) -> Partition {
        self.0
            .identity
            .get()
            .map_or_else(|| self.0.region.partition(), |identity| identity.partition)
    }

    /// Counts what goes out.
    pub fn meter(&self) -> &Meter {
        self.0.way.meter()
    }

    /// The caller's ARN, once it is known.
    pub fn caller(&self) -> Option<String> {
        self.0.identity.get().map(|identity| identity.arn.clone())
    }

    /// Assumes a role in the STS of the hop's region, for at most an hour. The session renews itself.
    ///
    /// # Errors
    /// Whatever STS answers; four causes share one denial, see [`super::is_access_denied`].
    pub async fn assume(&self, hop: &Hop) -> Result<Self, Problem> {
        let assumed = hop.take(self).await?;
        let again = Again {
            from: self.clone(),
            hop: hop.clone(),
        };
        let kept = Kept::new(
            SharedCredentialsProvider::new(again),
            RENEW_BEFORE,
            self.meter().clone(),
            self.0.login.explain(),
            Some(assumed.credentials),
        );
        let sdk = self
            .0
            .sdk
            .to_builder()
            .region(aws_config::Region::new(hop.region.to_string()))
            .credentials_provider(SharedCredentialsProvider::new(kept.clone()))
            .build();
        let login = Login {
            kept: Some(kept),
            ..self.0.login.clone()
        };
        let session = Self::new(sdk, hop.region.clone(), true, self.0.way.clone(), login);
        if let Some(arn) = &assumed.arn
            && let Ok(identity) = session.identity_of(arn, hop.role_arn.account().as_str())
        {
            // Just made, so nobody else can have set it.
            let _ = session.0.identity.set(identity);
        }
        Ok(session)
    }

    /// Glue in a region.
    pub fn glue(&self, region: &Region) -> Glue {
        Glue::new(self.clone(), region)
    }

    /// The access points of a region.
    pub fn access_points(&self, region: &Region) -> AccessPoints {
        AccessPoints::new(self.clone(), region)
    }

    /// S3 in a region.
    pub fn s3(&self, region: &Region) -> S3 {
        S3::new(self.clone(), region)
    }

    /// The Iceberg REST endpoint of Glue in a region.
    pub fn rest(&self, region: &Region) -> Rest {
        Rest::new(self.clone(), region)
    }

    /// IAM of a partition: it is one for all regions.
    pub fn iam(&self, partition: Partition) -> Iam {
        Iam::new(self.clone(), partition)
    }

    /// CloudFormation in a region.
    pub fn stacks(&self, region: &Region) -> Stacks {
        Stacks::new(self.clone(), region)
    }

    /// Where the console of this endpoint is.
    ///
    /// # Errors
    /// When there is none, with the reason.
    pub async fn console(&self) -> Result<Console, Problem> {
        console::find(self.endpoint("CLOUDFORMATION").as_deref(), &self.0.region).await
    }

    /// How long after a change of IAM a denial may still be the echo of the older state: minutes on AWS, what the
    /// embedded AWS says of itself there.
    pub async fn iam_spreading(&self) -> std::time::Duration {
        console::spreading(self.endpoint("STS").as_deref()).await
    }

    pub(super) fn way(&self) -> &Way {
        &self.0.way
    }

    /// What lets a client of the SDK ask for other credentials where AWS says that these have ended.
    pub(super) fn renewal(&self) -> Renewal {
        Renewal(self.0.login.kept.clone())
    }

    pub(super) fn sdk(&self) -> &SdkConfig {
        &self.0.sdk
    }

    pub(super) fn sts(&self, region: &Region) -> aws_sdk_sts::Client {
        let config = aws_sdk_sts::config::Builder::from(&self.0.sdk)
            .retry_classifier(self.renewal())
            .region(aws_sdk_sts::config::Region::new(region.to_string()))
            .build();
        aws_sdk_sts::Client::from_conf(config)
    }

    /// The endpoint that was set for a service (`S3`, `CLOUDFORMATION`), if one was.
    pub fn endpoint(&self, service: &str) -> Option<String> {
        let sdk = &self.0.sdk;
        if sdk.get_origin("endpoint_url").is_client_config() {
            return sdk.endpoint_url().map(str::to_owned);
        }
        let own = ServiceConfigKey::builder()
            .service_id(service)
            .env("AWS_ENDPOINT_URL")
            .profile("endpoint_url")
            .build()
            .ok()
            .and_then(|key| sdk.service_config()?.load_config(key));
        own.or_else(|| sdk.endpoint_url().map(str::to_owned))
    }

    /// True when S3 must be asked with the bucket in the path: an endpoint that is not AWS's need not know
    /// `bucket.host`.
    pub(super) fn path_style(&self) -> bool {
        self.endpoint("S3").is_some_and(|endpoint| {
            let host = host_of(&endpoint);
            is_loopback(&host) || !host.contains(".amazonaws.")
        })
    }

    /// An ARN in the caller's account; `None` until the account is known.
    pub(super) fn arn_in_account(&self, service: &str, region: &Region, path: &str) -> Option<String> {
        let identity = self.0.identity.get()?;
        Some(format!(
            "arn:{}:{service}:{region}:{}:{path}",
            identity.partition.id(),
            identity.account
        ))
    }

    pub(super) fn problem<E>(
        &self,
        service: &'static str,
        action: &'static str,
        resource: Option<String>,
        region: &Region,
        error: &SdkError<E, HttpResponse>,
    ) -> Problem
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        let call = Call {
            service,
            action,
            resource,
            caller: self.caller(),
            region: region.to_string(),
        };
        let answer = error.raw_response();
        let signed_with = answer.and_then(|answer| answer.headers().get(SIGNED_WITH));
        self.told(&call, Cause::of(error), signed_with)
    }

    /// The problem of a failed call, whoever sent it; `signed_with` is the id of the access key that it was signed with,
    /// where it was answered.
    pub(super) fn told(&self, call: &Call, cause: Cause, signed_with: Option<&str>) -> Problem {
        let problem = problem(call, cause, self.meter().reading().skew_seconds);
        // Whatever the clocks say: the next call asks for new ones.
        self.is_renewed(&problem, signed_with);
        problem
    }

    /// Whether another try has other credentials than these, of which AWS said that they have ended.
    pub(super) fn is_renewed(&self, problem: &Problem, signed_with: Option<&str>) -> bool {
        let (Some(kept), Some(key), true) = (&self.0.login.kept, signed_with, has_expired(problem)) else {
            return false;
        };
        kept.forget(key);
        true
    }
}

impl std::fmt::Debug for Aws {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Aws")
            .field("caller", &self.caller())
            .field("region", &self.0.region)
            .finish_non_exhaustive()
    }
}

fn partition_of(arn: &str) -> Option<Partition> {
    arn.parse::<crate::domain::arn::AnyArn>()
        .ok()
        .map(|arn| arn.partition())
}
