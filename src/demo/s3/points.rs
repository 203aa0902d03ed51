//! Access points: S3 Control's few calls for them, and what they are to the rest of S3.
//!
//! A request by an alias is served from the bucket behind it; `through` says who may send one.

use super::store::{Index, Store};
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::world::World;
use crate::demo::xml::Xml;
use crate::demo::{REGION, Request};
use crate::domain::s3_path::AccessPointArn;
use crate::policy::Context;
use http::Method;
use s3s::{S3Error, S3ErrorCode, S3Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
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
    /// The VPC that alone may use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vpc: Option<String>,
    /// Its policy, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Value>,
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
    let (name, of_policy) = match name.strip_suffix("/policy") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let wanted = Point {
        name: name.to_owned(),
        account: account.to_owned(),
        region: region.to_owned(),
        bucket: String::new(),
        vpc: None,
        policy: None,
    };
    let ask = |action: &str| world.authorize(caller, action, &wanted.arn(), &Context::new());
    let body = String::from_utf8_lossy(request.body());
    match (request.method(), of_policy) {
        (&Method::PUT, false) => {
            ask("s3:CreateAccessPoint")?;
            let made = create(
                &world.s3,
                Point {
                    bucket: between(&body, "<Bucket>", "</Bucket>")
                        .unwrap_or_default()
                        .to_owned(),
                    vpc: between(&body, "<VpcId>", "</VpcId>").map(str::to_owned),
                    ..wanted
                },
            )?;
            let inner = Xml::new()
                .text("AccessPointArn", made.arn())
                .text("Alias", made.alias());
            Ok(whole("CreateAccessPointResult", inner))
        }
        (&Method::GET, false) => {
            ask("s3:GetAccessPoint")?;
            Ok(whole(
                "GetAccessPointResult",
                shown(world, &find(world, &wanted)?),
            ))
        }
        (&Method::DELETE, false) => {
            ask("s3:DeleteAccessPoint")?;
            keep(world, &find(world, &wanted)?.alias(), None)
        }
        (&Method::PUT, true) => {
            ask("s3:PutAccessPointPolicy")?;
            let text = between(&body, "<Policy>", "</Policy>").unwrap_or_default();
            let text = quick_xml::escape::unescape(text).unwrap_or_default();
            let policy: Value = serde_json::from_str(&text)
                .map_err(|why| AwsError::new(400, "MalformedPolicy", why.to_string()))?;
            let found = find(world, &wanted)?;
            let policy = Some(policy);
            keep(world, &found.alias(), Some(Point { policy, ..found }))
        }
        (&Method::GET, true) => {
            ask("s3:GetAccessPointPolicy")?;
            let policy = find(world, &wanted)?.policy.ok_or_else(|| {
                AwsError::new(
                    404,
                    "NoSuchAccessPointPolicy",
                    "The specified accesspoint policy does not exist",
                )
            })?;
            let inner = Xml::new().text("Policy", policy.to_string());
            Ok(whole("GetAccessPointPolicyResult", inner))
        }
        (method, _) => Err(AwsError::unknown_action(method.as_str())),
    }
}

fn find(world: &World, wanted: &Point) -> Result<Point, AwsError> {
    world
        .s3
        .lock()
        .points
        .get(&wanted.alias())
        .cloned()
        .ok_or_else(|| {
            AwsError::new(
                404,
                "NoSuchAccessPoint",
                "The specified accesspoint does not exist",
            )
        })
}

fn keep(world: &World, alias: &str, point: Option<Point>) -> Result<String, AwsError> {
    match world.s3.lock().set_point(alias, point) {
        Ok(()) => Ok(String::new()),
        Err(why) => Err(AwsError::internal(why.to_string())),
    }
}

fn shown(world: &World, point: &Point) -> Xml {
    let index = world.s3.lock();
    let owner = index
        .buckets
        .get(&point.bucket)
        .map(|bucket| bucket.owner.clone());
    let origin = if point.vpc.is_some() { "VPC" } else { "Internet" };
    let mut xml = Xml::new()
        .text("Name", &point.name)
        .text("Bucket", &point.bucket)
        .text("NetworkOrigin", origin);
    if let Some(vpc) = &point.vpc {
        xml = xml.node("VpcConfiguration", Xml::new().text("VpcId", vpc));
    }
    xml.text("Alias", point.alias())
        .text("AccessPointArn", point.arn())
        .maybe("BucketAccountId", owner)
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
    match index.set_point(&point.alias(), Some(point.clone())) {
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
