//! Access points: S3 Control's few calls for them, and what they are to the rest of S3.
//!
//! A request by an alias is served from the bucket behind it and judged by the access point's ARN; the bucket's own policy may
//! still deny it, and opens the access point to nobody.

use super::store::{Index, Store};
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::world::World;
use crate::demo::xml::Xml;
use crate::demo::{REGION, Request};
use crate::domain::region::Partition;
use crate::domain::s3_path::{AccessPointArn, resource};
use crate::policy::Context;
use http::Method;
use s3s::{S3Error, S3ErrorCode, S3Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Where S3 Control's calls are.
pub const PATH: &str = "/v20180820/";
/// Whose account is asked.
const ACCOUNT: &str = "x-amz-account-id";

/// An access point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// The account that made it.
    pub account: String,
    /// Its region, the bucket's.
    pub region: String,
    /// The bucket behind it.
    pub bucket: String,
}

impl Point {
    /// Its ARN.
    pub fn arn(&self) -> String {
        let Self {
            name,
            account,
            region,
            ..
        } = self;
        format!("arn:aws:s3:{region}:{account}:accesspoint/{name}")
    }

    /// Its alias: 34 characters that nobody can guess, as far as that matters here.
    pub fn alias(&self) -> String {
        let hash: String = hex::encode(Sha256::digest(self.arn())).chars().take(34).collect();
        let head: String = self.name.chars().take(20).collect();
        format!("{}-{hash}-s3alias", head.trim_end_matches('-'))
    }
}

/// How a policy names a bucket or a key that a request names, and how one of the bucket behind it does.
pub fn resources(index: &Index, bucket: &str, key: &str) -> (String, String) {
    match index.points.get(bucket) {
        Some(point) => (
            resource(Partition::Aws, &point.arn(), key),
            resource(Partition::Aws, &point.bucket, key),
        ),
        None => {
            let own = resource(Partition::Aws, bucket, key);
            (own.clone(), own)
        }
    }
}

/// What an access point is not asked for: what is of the bucket itself.
///
/// # Errors
/// As S3 refuses it.
pub fn check_operation(index: &Index, bucket: &str, operation: &str) -> S3Result<()> {
    const OF_BUCKET: [&str; 6] = [
        "CreateBucket",
        "DeleteBucket",
        "PutBucketPolicy",
        "DeleteBucketPolicy",
        "GetBucketEncryption",
        "PutBucketEncryption",
    ];
    match index.points.contains_key(bucket) && OF_BUCKET.contains(&operation) {
        true => Err(S3Error::with_message(
            S3ErrorCode::MethodNotAllowed,
            "The specified method is not allowed against this resource.",
        )),
        false => Ok(()),
    }
}

/// Whether a request is S3 Control's.
pub fn is_control(request: &http::request::Parts) -> bool {
    request.uri.path().starts_with(PATH) && request.headers.contains_key(ACCOUNT)
}

/// Answers S3 Control.
///
/// # Errors
/// As S3 Control answers them.
pub fn handle(world: &World, caller: &Caller, region: &str, request: &Request) -> Result<String, AwsError> {
    let header = request
        .headers()
        .get(ACCOUNT)
        .and_then(|value| value.to_str().ok());
    let account = header.unwrap_or_default();
    let name = request
        .uri()
        .path()
        .strip_prefix(PATH)
        .and_then(|path| path.strip_prefix("accesspoint/"));
    let Some(name) = name else {
        return Err(AwsError::unknown_action(request.uri().path()));
    };
    if account != caller.account {
        return Err(AwsError::denied("Access Denied"));
    }
    let point = |bucket: &str| Point {
        name: name.to_owned(),
        account: account.to_owned(),
        region: region.to_owned(),
        bucket: bucket.to_owned(),
    };
    let ask = |action: &str| world.authorize(caller, action, &point("").arn(), &Context::new());
    match *request.method() {
        Method::PUT => {
            ask("s3:CreateAccessPoint")?;
            let body = String::from_utf8_lossy(request.body());
            let bucket = between(&body, "<Bucket>", "</Bucket>").unwrap_or_default();
            let made = create(&world.s3, point(bucket))?;
            let inner = Xml::new()
                .text("AccessPointArn", made.arn())
                .text("Alias", made.alias());
            Ok(whole("CreateAccessPointResult", inner))
        }
        Method::GET => {
            ask("s3:GetAccessPoint")?;
            let index = world.s3.lock();
            let found = index.points.values().find(|found| found.arn() == point("").arn());
            let Some(found) = found else {
                return Err(AwsError::new(
                    404,
                    "NoSuchAccessPoint",
                    "The specified accesspoint does not exist",
                ));
            };
            let owner = index
                .buckets
                .get(&found.bucket)
                .map(|bucket| bucket.owner.clone());
            let inner = Xml::new()
                .text("Name", &found.name)
                .text("Bucket", &found.bucket)
                .text("NetworkOrigin", "Internet")
                .text("Alias", found.alias())
                .text("AccessPointArn", found.arn())
                .maybe("BucketAccountId", owner);
            Ok(whole("GetAccessPointResult", inner))
        }
        _ => Err(AwsError::unknown_action(request.method().as_str())),
    }
}

fn create(store: &Store, point: Point) -> Result<Point, AwsError> {
    let mut index = store.lock();
    if point.arn().parse::<AccessPointArn>().is_err() {
        return Err(AwsError::new(
            400,
            "InvalidRequest",
            "The access point name is not valid.",
        ));
    }
    let Some(bucket) = index.buckets.get(&point.bucket) else {
        return Err(AwsError::new(
            404,
            "NoSuchBucket",
            "The specified bucket does not exist",
        ));
    };
    // A seeded bucket that nobody gave a region is in the demo's own.
    let of_bucket = if bucket.region.is_empty() {
        REGION
    } else {
        &bucket.region
    };
    if of_bucket != point.region {
        return Err(AwsError::new(
            400,
            "InvalidRequest",
            "The bucket is in another Region.",
        ));
    }
    if index.points.contains_key(&point.alias()) {
        return Err(AwsError::new(
            409,
            "AccessPointAlreadyOwnedByYou",
            "Your previous request to create the named accesspoint succeeded and you already own it.",
        ));
    }
    match index.create_point(point.clone()) {
        Ok(()) => Ok(point),
        Err(why) => Err(AwsError::internal(why.to_string())),
    }
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once(end).map(|(inner, _)| inner)
}

fn whole(name: &str, inner: Xml) -> String {
    let namespace = "http://awss3control.amazonaws.com/doc/2018-08-20/";
    let inner = inner.as_str();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{name} xmlns=\"{namespace}\">{inner}</{name}>")
}
