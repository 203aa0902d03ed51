//! Access points of S3, as their account sees them: which bucket is behind one, and what stands for it in requests.
//!
//! Two calls, which do not pay for a client of the SDK; see
//! <https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_GetAccessPoint.html>.

use super::aws::Aws;
use super::failure::{Call, Cause};
use super::problem::has_code;
use super::signed::{Answer, Outgoing, Sender};
use crate::domain::account::AccountId;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::s3_path::{AccessPoint, AccessPointArn};
use crate::domain::text::scrub;
use serde::Deserialize;
use serde_json::Value;

/// The access points of one region, seen by one caller.
#[derive(Debug, Clone)]
pub struct AccessPoints {
    sender: Sender,
    region: Region,
}

/// An access point, as its account sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenPoint {
    /// Its ARN, its alias and its bucket.
    pub point: AccessPoint,
    /// The account of the bucket, where S3 says so.
    pub bucket_account: Option<AccountId>,
    /// The VPC that alone can use it; `None`: requests from anywhere.
    pub vpc: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Found {
    name: String,
    bucket: Option<String>,
    bucket_account_id: Option<String>,
    alias: Option<String>,
    access_point_arn: Option<String>,
    network_origin: Option<String>,
    vpc_configuration: Option<Vpc>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Vpc {
    vpc_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct FoundPolicy {
    policy: String,
}

/// S3's own errors stand alone; those of its control plane are wrapped.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Refusal {
    error: Option<Said>,
    code: Option<String>,
    message: Option<String>,
    request_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Said {
    code: Option<String>,
    message: Option<String>,
}

impl AccessPoints {
    pub(super) fn new(aws: Aws, region: &Region) -> Self {
        Self {
            sender: Sender::new(aws),
            region: region.clone(),
        }
    }

    /// The access point of that name in an account.
    ///
    /// # Errors
    /// `NotFound` where there is none; a denial to whoever may not `s3:GetAccessPoint`, as everybody in another account.
    pub async fn get(&self, account: &AccountId, name: &str) -> Result<SeenPoint, Problem> {
        let read = |answer: &Answer| self.read(account, answer);
        self.ask("s3:GetAccessPoint", account, name, "", read).await
    }

    /// The policy of an access point; `None` where it has none.
    ///
    /// # Errors
    /// As [`AccessPoints::get`], for `s3:GetAccessPointPolicy`; a document that is no JSON.
    pub async fn policy(&self, arn: &AccessPointArn) -> Result<Option<Value>, Problem> {
        let read = |answer: &Answer| {
            let (status, text) = (answer.status, String::from_utf8_lossy(&answer.body));
            if !answer.is_success() {
                return Err(refusal(answer));
            }
            let strange =
                |why: &dyn std::fmt::Display| Cause::Strange(format!("HTTP {status}, no policy: {why}"));
            let found: FoundPolicy = quick_xml::de::from_str(&text).map_err(|why| strange(&why))?;
            serde_json::from_str(&found.policy).map_err(|why| strange(&why))
        };
        let (account, name) = (arn.account(), arn.name());
        let asked = self.ask("s3:GetAccessPointPolicy", account, name, "/policy", read);
        match asked.await {
            Ok(policy) => Ok(Some(policy)),
            Err(problem) if has_code(&problem, "NoSuchAccessPointPolicy") => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    async fn ask<T>(
        &self,
        action: &'static str,
        account: &AccountId,
        name: &str,
        part: &str,
        read: impl Fn(&Answer) -> Result<T, Cause> + Send,
    ) -> Result<T, Problem> {
        let (aws, region) = (self.sender.aws(), &self.region);
        let partition = region.partition();
        let call = Call {
            service: "s3",
            action,
            resource: Some(format!(
                "arn:{partition}:s3:{region}:{account}:accesspoint/{name}"
            )),
            caller: aws.caller(),
            region: region.to_string(),
        };
        // Whose access points are meant is in the host, and in a header, which is what an endpoint of one's own goes by.
        let base = aws.endpoint("S3 Control").unwrap_or_else(|| {
            let suffix = partition.dns_suffix();
            format!("https://{account}.s3-control.{region}.{suffix}")
        });
        let outgoing = Outgoing {
            method: "GET",
            url: &format!(
                "{}/v20180820/accesspoint/{name}{part}",
                base.trim_end_matches('/')
            ),
            headers: &[("x-amz-account-id", account.as_str())],
            body: "",
            service: "s3",
            region: region.as_str(),
        };
        self.sender.ask(&call, &outgoing, read).await
    }

    fn read(&self, account: &AccountId, answer: &Answer) -> Result<SeenPoint, Cause> {
        let status = answer.status;
        let text = String::from_utf8_lossy(&answer.body);
        if answer.is_success() {
            let found: Found = quick_xml::de::from_str(&text)
                .map_err(|why| Cause::Strange(format!("HTTP {status}, no access point: {why}")))?;
            let arn = found.access_point_arn.unwrap_or_else(|| {
                let (partition, region) = (self.region.partition(), &self.region);
                format!("arn:{partition}:s3:{region}:{account}:accesspoint/{}", found.name)
            });
            let arn = arn
                .parse::<AccessPointArn>()
                .map_err(|why| Cause::Strange(format!("HTTP {status}: {why}")))?;
            let of_vpc = found.network_origin.as_deref() == Some("VPC");
            let vpc = found.vpc_configuration.and_then(|vpc| vpc.vpc_id);
            return Ok(SeenPoint {
                point: AccessPoint {
                    arn,
                    alias: found.alias.and_then(|alias| alias.parse().ok()),
                    bucket: found.bucket.and_then(|bucket| bucket.parse().ok()),
                },
                bucket_account: found.bucket_account_id.and_then(|id| id.parse().ok()),
                vpc: of_vpc.then(|| vpc.map_or_else(|| "unnamed".to_owned(), |id| scrub(&id))),
            });
        }
        Err(refusal(answer))
    }
}

/// What a refusal says.
fn refusal(answer: &Answer) -> Cause {
    let status = answer.status;
    let read = quick_xml::de::from_str::<Refusal>(&String::from_utf8_lossy(&answer.body)).ok();
    let (code, message, id) = match read {
        Some(Refusal {
            error: Some(said),
            request_id,
            ..
        }) => (said.code, said.message, request_id),
        Some(alone) => (alone.code, alone.message, alone.request_id),
        None => (None, None, None),
    };
    let by_status = match status {
        403 => Some("AccessDenied".to_owned()),
        404 => Some("NoSuchAccessPoint".to_owned()),
        _ => None,
    };
    Cause::Service {
        code: code.as_deref().map(scrub).or(by_status),
        message: message.as_deref().map(scrub),
        status: Some(status),
        request_id: id.as_deref().map(scrub),
    }
}
