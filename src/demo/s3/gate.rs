//! Who may do it. Asked before the operation and before its body is read: a refused write stores nothing.
//!
//! `s3s` has verified the signature by then, but not the session token, and not the time.

use super::{errors, points, through};
use crate::demo::caller::Caller;
use crate::demo::clock;
use crate::demo::error::AwsError;
use crate::demo::world::World;
use crate::domain::region::Partition;
use crate::domain::s3_path::resource;
use crate::policy::{self, Context, Decision, Document};
use s3s::access::{S3Access, S3AccessContext};
use s3s::auth::{S3Auth, SecretKey};
use s3s::dto::{CopyObjectInput, CopySource};
use s3s::path::S3Path;
use s3s::{S3Error, S3ErrorCode, S3Request, S3Result, s3_error};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use time::PrimitiveDateTime;
use time::macros::format_description;

/// How far a request's time may be off, in milliseconds.
const MAX_SKEW: u64 = 15 * 60 * 1000;

/// The secrets of the access keys.
pub struct Secrets(Arc<World>);

impl Secrets {
    /// The secrets of a world.
    pub fn new(world: Arc<World>) -> Self {
        Self(world)
    }
}

#[async_trait::async_trait]
impl S3Auth for Secrets {
    async fn get_secret_key(&self, access_key: &str) -> S3Result<SecretKey> {
        let key = self.0.key(access_key);
        key.map(|key| key.secret.into()).ok_or_else(|| {
            s3_error!(
                InvalidAccessKeyId,
                "The AWS Access Key Id you provided does not exist in our records."
            )
        })
    }
}

/// The policy gate.
pub struct Gate(Arc<World>);

impl Gate {
    /// The gate of a world.
    pub fn new(world: Arc<World>) -> Self {
        Self(world)
    }
}

#[async_trait::async_trait]
impl S3Access for Gate {
    async fn check(&self, cx: &mut S3AccessContext<'_>) -> S3Result<()> {
        let query: BTreeMap<String, String> =
            form_urlencoded::parse(cx.uri().query().unwrap_or_default().as_bytes())
                .into_owned()
                .collect();
        let header = |name: &str| cx.headers().get(name).and_then(|value| value.to_str().ok());
        let credentials = cx.credentials().ok_or_else(|| errors::denied("Access Denied"))?;
        let token = header("x-amz-security-token").or(query.get("X-Amz-Security-Token").map(String::as_str));
        let caller = identify(&self.0, &credentials.access_key, token)?;
        check_time(&self.0, header("x-amz-date"))?;

        let (bucket, key) = match cx.s3_path() {
            S3Path::Root => ("", ""),
            S3Path::Bucket { bucket } => (&**bucket, ""),
            S3Path::Object { bucket, key } => (&**bucket, &**key),
        };
        let operation = cx.s3_op().name();
        let Some(rule) = rule(operation) else {
            return Err(errors::denied(format!(
                "The operation {operation} is not served here"
            )));
        };
        // Bucket names are nobody's secret: a missing one is said to be missing before anybody is refused.
        if !bucket.is_empty() && operation != "CreateBucket" {
            let index = self.0.s3.lock();
            index.bucket(bucket)?;
            points::check_operation(&index, bucket, operation)?;
        }
        if let Rule::Ask(action) = rule {
            let context = Context::new()
                .maybe(
                    "s3:prefix",
                    query.get("prefix").filter(|_| action == "s3:ListBucket"),
                )
                .maybe(
                    "s3:delimiter",
                    query.get("delimiter").filter(|_| action == "s3:ListBucket"),
                )
                .maybe(
                    "s3:max-keys",
                    query.get("max-keys").filter(|_| action == "s3:ListBucket"),
                );
            authorize(&self.0, &caller, action, bucket, key, &context)?;
            if action == "s3:GetObject" {
                hide_missing(&self.0, &caller, bucket, key)?;
            }
        }
        cx.extensions_mut().insert(caller);
        Ok(())
    }

    async fn copy_object(&self, request: &mut S3Request<CopyObjectInput>) -> S3Result<()> {
        let caller = caller(request)?;
        let CopySource::Bucket { bucket, key, .. } = &request.input.copy_source else {
            return Err(s3_error!(
                NotImplemented,
                "Only a bucket and key can be copied from"
            ));
        };
        self.0.s3.lock().bucket(bucket)?;
        authorize(&self.0, &caller, "s3:GetObject", bucket, key, &Context::new())?;
        hide_missing(&self.0, &caller, bucket, key)
    }
}

/// What an operation needs.
enum Rule {
    /// This action on the bucket or the key of the path.
    Ask(&'static str),
    /// Each key is asked for when its turn comes.
    EachKey,
}

fn rule(operation: &str) -> Option<Rule> {
    Some(Rule::Ask(match operation {
        "GetObject" | "HeadObject" => "s3:GetObject",
        "PutObject" | "CopyObject" | "CreateMultipartUpload" | "UploadPart" | "CompleteMultipartUpload" => {
            "s3:PutObject"
        }
        "DeleteObject" => "s3:DeleteObject",
        "DeleteObjects" => return Some(Rule::EachKey),
        "AbortMultipartUpload" => "s3:AbortMultipartUpload",
        "ListParts" => "s3:ListMultipartUploadParts",
        "ListObjects" | "ListObjectsV2" | "HeadBucket" => "s3:ListBucket",
        "ListMultipartUploads" => "s3:ListBucketMultipartUploads",
        "GetBucketLocation" => "s3:GetBucketLocation",
        "ListBuckets" => "s3:ListAllMyBuckets",
        "CreateBucket" => "s3:CreateBucket",
        "DeleteBucket" => "s3:DeleteBucket",
        "GetBucketEncryption" => "s3:GetEncryptionConfiguration",
        "PutBucketEncryption" => "s3:PutEncryptionConfiguration",
        "GetBucketPolicy" => "s3:GetBucketPolicy",
        "PutBucketPolicy" => "s3:PutBucketPolicy",
        "DeleteBucketPolicy" => "s3:DeleteBucketPolicy",
        _ => return None,
    }))
}

/// The caller that the gate let through.
pub fn caller<T>(request: &S3Request<T>) -> S3Result<Caller> {
    request
        .extensions
        .get::<Caller>()
        .cloned()
        .ok_or_else(|| errors::denied("Access Denied"))
}

fn identify(world: &World, access_key: &str, token: Option<&str>) -> S3Result<Caller> {
    let key = world
        .key(access_key)
        .ok_or_else(|| errors::denied("Access Denied"))?;
    if key.token.as_deref() != token {
        return Err(s3_error!(
            InvalidToken,
            "The provided token is malformed or otherwise invalid."
        ));
    }
    if key.expires.is_some_and(|end| end <= world.now()) {
        return Err(s3_error!(ExpiredToken, "The provided token has expired."));
    }
    Ok(key.caller)
}

/// A presigned URL has no such header: its own end is judged by `s3s`.
fn check_time(world: &World, date: Option<&str>) -> S3Result<()> {
    let Some(date) = date else { return Ok(()) };
    let basic = format_description!("[year][month][day]T[hour][minute][second]Z");
    let signed = PrimitiveDateTime::parse(date, basic).map(|at| clock::millis(at.assume_utc().into()));
    if signed.is_ok_and(|at| at.abs_diff(world.now()) <= MAX_SKEW) {
        return Ok(());
    }
    Err(s3_error!(
        RequestTimeTooSkewed,
        "The difference between the request time and the server's time is too large."
    ))
}

/// A caller who may not list learns nothing of which keys exist: 403 instead of 404.
fn hide_missing(world: &World, caller: &Caller, bucket: &str, key: &str) -> S3Result<()> {
    if world.s3.lock().object(bucket, key).is_ok() {
        return Ok(());
    }
    authorize(world, caller, "s3:ListBucket", bucket, "", &Context::new())
}

/// What comes through an access point is judged as that. Within an account the caller's policies or the bucket's must allow it; across accounts both must. A deny of
/// either wins. See <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html>.
pub fn authorize(
    world: &World,
    caller: &Caller,
    action: &str,
    bucket: &str,
    key: &str,
    context: &Context,
) -> S3Result<()> {
    let point = world.s3.lock().points.get(bucket).cloned();
    if let Some(point) = point {
        return through::authorize(world, caller, action, &point, key, context);
    }
    let resource = match bucket {
        "" => "arn:aws:s3:::*".to_owned(),
        bucket => resource(Partition::Aws, bucket, key),
    };
    let (owner, policy) = match world.s3.lock().buckets.get(bucket) {
        Some(bucket) => (bucket.owner.clone(), bucket.policy.clone()),
        None => (caller.account.clone(), None),
    };
    let identity = world.authorize(caller, action, &resource, context);
    let said = policy.map(|policy| bucket_policy(&policy, caller, action, &resource, context));
    match said {
        Some(Decision::ExplicitDeny) => Err(errors::denied(refusal(
            caller,
            action,
            &resource,
            "with an explicit deny in a resource-based policy",
        ))),
        Some(Decision::Allow) if owner == caller.account => match identity {
            Err(error) if error.message.contains("explicit deny") => Err(from_aws(error)),
            _ => Ok(()),
        },
        Some(Decision::Allow) => identity.map_err(from_aws),
        _ if owner != caller.account => Err(errors::denied(match identity {
            Err(error) => error.message,
            Ok(()) => refusal(
                caller,
                action,
                &resource,
                &format!("because no resource-based policy allows the {action} action"),
            ),
        })),
        _ => identity.map_err(from_aws),
    }
}

pub(super) fn bucket_policy(
    policy: &Value,
    caller: &Caller,
    action: &str,
    resource: &str,
    context: &Context,
) -> Decision {
    let who = policy::Caller {
        arn: &caller.arn,
        principal_arn: caller.principal_arn(),
        account: &caller.account,
    };
    let context = caller.context().and(context);
    policy::evaluate(&[&Document::read(policy)], Some(&who), action, resource, &context).decision
}

pub(super) fn refusal(caller: &Caller, action: &str, resource: &str, why: &str) -> String {
    format!(
        "User: {} is not authorized to perform: {action} on resource: {resource} {why}",
        caller.arn
    )
}

pub(super) fn from_aws(error: AwsError) -> S3Error {
    let code = S3ErrorCode::from_bytes(error.code.as_bytes()).unwrap_or(S3ErrorCode::AccessDenied);
    S3Error::with_message(code, error.message)
}
