//! Objects in S3: listed, read, written.

use super::aws::Aws;
use super::problem::{has_code, is_elsewhere};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::{AccessPointArn, resource};
use crate::domain::text::scrub;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::EncodingType;
use bytes::Bytes;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::ops::RangeInclusive;

/// S3 in one region, seen by one caller.
#[derive(Debug, Clone)]
pub struct S3 {
    aws: Aws,
    region: Region,
    pub(super) client: aws_sdk_s3::Client,
}

/// An object in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Its key, raw.
    pub key: String,
    /// Its size in bytes.
    pub size: u64,
}

/// A listing, or its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// The objects, by key.
    pub objects: Vec<Object>,
    /// True when there are more than were asked for.
    pub truncated: bool,
}

impl S3 {
    pub(super) fn new(aws: Aws, region: &Region) -> Self {
        let config = aws_sdk_s3::config::Builder::from(aws.sdk())
            .retry_classifier(aws.renewal())
            .region(aws_sdk_s3::config::Region::new(region.to_string()))
            .force_path_style(aws.path_style())
            // The ARN of an access point says in which region it is.
            .use_arn_region(true)
            .build();
        Self {
            aws,
            region: region.clone(),
            client: aws_sdk_s3::Client::from_conf(config),
        }
    }

    /// The region that is asked.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// What is asked about a bucket, asked again in its own region where S3 says that it is in another one; and the S3 that
    /// answered.
    pub async fn of_bucket<T, F>(self, bucket: &str, ask: impl Fn(Self) -> F) -> (Self, Result<T, Problem>)
    where
        F: Future<Output = Result<T, Problem>>,
    {
        let answer = ask(self.clone()).await;
        if let Err(problem) = &answer
            && is_elsewhere(problem)
            && let Ok(Some(own)) = self.bucket_region(bucket).await
        {
            let there = self.aws.s3(&own);
            let answer = ask(there.clone()).await;
            return (there, answer);
        }
        (self, answer)
    }

    /// The region a bucket is in; `None` when the answer does not tell. S3 tells it also to those it denies access.
    ///
    /// # Errors
    /// `NotFound` for a bucket that does not exist; a denial only where it does not tell the region.
    pub async fn bucket_region(&self, bucket: &str) -> Result<Option<Region>, Problem> {
        match self.client.head_bucket().bucket(bucket).send().await {
            Ok(answer) => Ok(answer.bucket_region().and_then(|region| region.parse().ok())),
            Err(error) => {
                let told = error
                    .raw_response()
                    .and_then(|answer| answer.headers().get("x-amz-bucket-region"))
                    .and_then(|region| region.parse().ok());
                match told {
                    Some(region) => Ok(Some(region)),
                    None => Err(self.problem("s3:ListBucket", bucket, "", &error)),
                }
            }
        }
    }

    /// The policy of a bucket; `None` where it has none. S3 shows it to the bucket's own account only.
    ///
    /// # Errors
    /// Whatever S3 answers: a missing `s3:GetBucketPolicy` is a denial; a document that is no JSON.
    pub async fn bucket_policy(&self, bucket: &str) -> Result<Option<Value>, Problem> {
        const ACTION: &str = "s3:GetBucketPolicy";
        let sent = self.client.get_bucket_policy().bucket(bucket).send().await;
        let answer = sent.map_err(|error| self.problem(ACTION, bucket, "", &error));
        match answer {
            Err(problem) if has_code(&problem, "NoSuchBucketPolicy") => Ok(None),
            Err(problem) => Err(problem),
            Ok(answer) => {
                let read = serde_json::from_str(answer.policy().unwrap_or_default());
                read.map(Some).map_err(|why| {
                    Problem::new(
                        Kind::CheckFailed,
                        format!("The policy of {bucket} could not be read"),
                        format!("it is no JSON: {why}"),
                        "",
                    )
                })
            }
        }
    }

    /// The KMS key that encrypts what lies below a prefix, as S3 names it; `None`: a key of S3's own. Asked of one object, and
    /// where there is none, of what the bucket does by default: that is asked by its `own` name, since no access point shows it.
    ///
    /// # Errors
    /// Whatever S3 answers to both: missing rights are a denial.
    pub async fn kms_key(&self, bucket: &str, prefix: &str, own: &str) -> Result<Option<String>, Problem> {
        let first = self
            .list(bucket, prefix, 1)
            .await
            .map(|found| found.objects.into_iter().next());
        if let Ok(Some(object)) = first {
            let sent = self
                .client
                .head_object()
                .bucket(bucket)
                .key(&object.key)
                .send()
                .await;
            if let Ok(head) = sent
                && let Some(key) = head.ssekms_key_id
            {
                return Ok(Some(scrub(&key)));
            }
        }
        const ACTION: &str = "s3:GetEncryptionConfiguration";
        let sent = self.client.get_bucket_encryption().bucket(own).send().await;
        let answer = match sent.map_err(|error| self.problem(ACTION, own, "", &error)) {
            Err(problem) if has_code(&problem, "ServerSideEncryptionConfigurationNotFoundError") => {
                return Ok(None);
            }
            answer => answer?,
        };
        let rules = answer.server_side_encryption_configuration.map(|all| all.rules);
        let mut rules = rules.unwrap_or_default().into_iter();
        let by_default = rules.find_map(|rule| rule.apply_server_side_encryption_by_default);
        Ok(by_default
            .and_then(|default| default.kms_master_key_id)
            .map(|key| scrub(&key)))
    }

    /// The first `max` objects below a prefix, by key. It is empty or ends in a slash: others would show what lies beside it,
    /// and be refused where only what is below is granted.
    ///
    /// # Errors
    /// Whatever S3 answers.
    pub async fn list(&self, bucket: &str, prefix: &str, max: usize) -> Result<Listing, Problem> {
        self.list_after(bucket, prefix, None, max).await
    }

    /// Whether there is an object of this key, by the listing of the folder that it is in.
    ///
    /// # Errors
    /// Whatever S3 answers.
    pub async fn is_listed(&self, bucket: &str, key: &str) -> Result<bool, Problem> {
        let folder = key
            .rfind('/')
            .map_or("", |slash| key.get(..=slash).unwrap_or_default());
        let mut before = key.to_owned();
        before.pop();
        // What lies between the two begins like the key itself: hardly ever anything.
        let found = self.list_after(bucket, folder, Some(before), 10).await?;
        Ok(found.objects.iter().any(|object| object.key == key))
    }

    async fn list_after(
        &self,
        bucket: &str,
        prefix: &str,
        after: Option<String>,
        max: usize,
    ) -> Result<Listing, Problem> {
        let mut listing = Listing::default();
        let mut token = None;
        loop {
            let room = max.saturating_sub(listing.objects.len()).min(1_000);
            let answer = self
                .client
                .list_objects_v2()
                .bucket(bucket)
                .prefix(prefix)
                .max_keys(i32::try_from(room).unwrap_or(1_000))
                // A key may hold what XML cannot: without this one such key would hide all others.
                .encoding_type(EncodingType::Url)
                .set_continuation_token(token)
                .set_start_after(after.clone())
                .send()
                .await
                .map_err(|error| self.problem("s3:ListBucket", bucket, "", &error))?;
            // Not every store that speaks S3's language knows the encoding.
            let encoded = answer.encoding_type == Some(EncodingType::Url);
            listing.objects.extend(
                answer
                    .contents
                    .unwrap_or_default()
                    .into_iter()
                    .filter_map(|object| {
                        let key = object.key?;
                        Some(Object {
                            key: if encoded { decoded(&key) } else { key },
                            size: u64::try_from(object.size.unwrap_or(0)).unwrap_or(0),
                        })
                    }),
            );
            token = answer.next_continuation_token.filter(|token| !token.is_empty());
            listing.truncated = token.is_some();
            if token.is_none() || listing.objects.len() >= max {
                return Ok(listing);
            }
        }
    }

    /// A whole object.
    ///
    /// # Errors
    /// Whatever S3 answers; a missing key is a denial for whoever may not list.
    pub async fn get(&self, bucket: &str, key: &str) -> Result<Bytes, Problem> {
        self.fetch(bucket, key, None).await
    }

    /// A part of an object; a range beyond its end gives what there is.
    ///
    /// # Errors
    /// As [`S3::get`].
    pub async fn get_range(
        &self,
        bucket: &str,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Bytes, Problem> {
        self.fetch(
            bucket,
            key,
            Some(format!("bytes={}-{}", range.start(), range.end())),
        )
        .await
    }

    async fn fetch(&self, bucket: &str, key: &str, range: Option<String>) -> Result<Bytes, Problem> {
        let answer = self
            .client
            .get_object()
            .bucket(bucket)
            .key(key)
            .set_range(range)
            .send()
            .await
            .map_err(|error| self.problem("s3:GetObject", bucket, key, &error))?;
        answer
            .body
            .collect()
            .await
            .map(|body| body.into_bytes())
            .map_err(|why| {
                Problem::new(
                    Kind::Unreachable,
                    format!("s3://{bucket}/{key} broke off while it was read"),
                    super::http::chain(&why),
                    "Try again",
                )
            })
    }

    /// Writes an object, over an older one of the same key.
    ///
    /// # Errors
    /// Whatever S3 answers.
    pub async fn put(&self, bucket: &str, key: &str, bytes: impl Into<Bytes>) -> Result<(), Problem> {
        self.client
            .put_object()
            .bucket(bucket)
            .key(key)
            .body(ByteStream::from(bytes.into()))
            .send()
            .await
            .map(drop)
            .map_err(|error| self.problem("s3:PutObject", bucket, key, &error))
    }

    /// Whether an object exists.
    ///
    /// # Errors
    /// A denial: whoever may not list the bucket is told 403 for a missing key too.
    pub async fn exists(&self, bucket: &str, key: &str) -> Result<bool, Problem> {
        match self.client.head_object().bucket(bucket).key(key).send().await {
            Ok(_) => Ok(true),
            Err(error) if error.as_service_error().is_some_and(|error| error.is_not_found()) => Ok(false),
            Err(error) => Err(self.problem("s3:GetObject", bucket, key, &error)),
        }
    }

    pub(super) fn problem<E>(
        &self,
        action: &'static str,
        bucket: &str,
        key: &str,
        error: &SdkError<E>,
    ) -> Problem
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        // With the bucket in the path of the address there is no way to write an ARN: the SDK refuses it before it asks.
        if let Ok(point) = bucket.parse::<AccessPointArn>()
            && self.aws.path_style()
        {
            return no_alias(&point);
        }
        let arn = resource(self.region.partition(), bucket, key);
        self.aws.problem("s3", action, Some(arn), &self.region, error)
    }
}

/// What to do where only the alias of an access point can stand in the place of a bucket.
fn no_alias(point: &AccessPointArn) -> Problem {
    let (account, name) = (point.account(), point.name());
    Problem::new(
        Kind::Usage,
        format!("The alias of {point} is not on record"),
        "S3 is asked at an endpoint that was set, where only the alias can stand in the place of a bucket",
        "",
    )
    .with_steps(&format!(
        "Find it, and put it on record with --access-point-alias:\n\
         aws s3control get-access-point --account-id {account} --name {name} --query Alias --output text"
    ))
}

/// A key as it is, of one that S3 has encoded for a URL: a blank is a plus there.
fn decoded(key: &str) -> String {
    let spaced = key.replace('+', " ");
    match percent_decode_str(&spaced).decode_utf8() {
        Ok(decoded) => decoded.into_owned(),
        Err(_) => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_was_encoded_for_a_url_is_read_as_it_is() {
        for (encoded, key) in [
            ("wh/dt%3D2026/part-0.parquet", "wh/dt=2026/part-0.parquet"),
            ("a+b%2Bc%2520", "a b+c%20"),
            ("%C2%9B2J%1B%5D", "\u{9b}2J\u{1b}]"),
            ("%E6%97%A5/_*~", "日/_*~"),
            // No text: then as it came.
            ("%FF+", "%FF+"),
        ] {
            assert_eq!(decoded(encoded), key);
        }
    }
}
