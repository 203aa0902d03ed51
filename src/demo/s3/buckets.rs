//! Buckets: head, make, remove, list, their policies and their default encryption.

use super::clock_time;
use super::errors;
use super::store::Store;
use crate::demo::caller::Caller;
use s3s::dto::{
    Bucket as BucketRow, BucketLocationConstraint, CreateBucketInput, CreateBucketOutput,
    GetBucketEncryptionOutput, GetBucketLocationOutput, GetBucketPolicyOutput, HeadBucketOutput,
    ListBucketsOutput, Owner, PutBucketEncryptionInput, ServerSideEncryption, ServerSideEncryptionByDefault,
    ServerSideEncryptionConfiguration, ServerSideEncryptionRule,
};
use s3s::{S3Error, S3ErrorCode, S3Result};

/// The region whose buckets have no location constraint.
const CLASSIC: &str = "us-east-1";

/// HeadBucket.
pub fn head(store: &Store, bucket: &str) -> S3Result<HeadBucketOutput> {
    let region = store.lock().bucket(bucket)?.region.clone();
    Ok(HeadBucketOutput {
        bucket_region: Some(region),
        ..HeadBucketOutput::default()
    })
}

/// GetBucketLocation.
pub fn location(store: &Store, bucket: &str) -> S3Result<GetBucketLocationOutput> {
    let region = store.lock().bucket(bucket)?.region.clone();
    let location_constraint = Some(region)
        .filter(|region| region != CLASSIC)
        .map(BucketLocationConstraint::from);
    Ok(GetBucketLocationOutput { location_constraint })
}

/// CreateBucket, in the region of its constraint.
pub fn create(
    store: &Store,
    input: CreateBucketInput,
    caller: &Caller,
    now: i64,
) -> S3Result<CreateBucketOutput> {
    let constraint = input
        .create_bucket_configuration
        .and_then(|made| made.location_constraint);
    let region = constraint.map_or_else(|| CLASSIC.to_owned(), |region| region.as_str().to_owned());
    let mut index = store.lock();
    match index.buckets.get(&input.bucket) {
        Some(bucket) if bucket.owner == caller.account => Err(S3Error::with_message(
            S3ErrorCode::BucketAlreadyOwnedByYou,
            "Your previous request to create the named bucket succeeded and you already own it.",
        )),
        Some(_) => Err(S3Error::with_message(
            S3ErrorCode::BucketAlreadyExists,
            "The requested bucket name is not available. The bucket namespace is shared by all users of the system. \
             Please select a different name and try again.",
        )),
        None => {
            index.create_bucket(&input.bucket, &region, &caller.account, now)?;
            Ok(CreateBucketOutput {
                location: Some(format!("/{}", input.bucket)),
            })
        }
    }
}

/// DeleteBucket.
pub fn delete(store: &Store, bucket: &str) -> S3Result<()> {
    let mut index = store.lock();
    if !index.bucket(bucket)?.objects.is_empty() {
        return Err(S3Error::with_message(
            S3ErrorCode::BucketNotEmpty,
            "The bucket you tried to delete is not empty",
        ));
    }
    index.delete_bucket(bucket)
}

/// ListBuckets: those of the caller's account.
pub fn list(store: &Store, caller: &Caller) -> ListBucketsOutput {
    let index = store.lock();
    let ours = index
        .buckets
        .iter()
        .filter(|(_, bucket)| bucket.owner == caller.account);
    let rows = ours.map(|(name, bucket)| BucketRow {
        name: Some(name.clone()),
        creation_date: Some(clock_time(bucket.created)),
        bucket_region: Some(bucket.region.clone()),
    });
    ListBucketsOutput {
        buckets: Some(rows.collect()),
        owner: Some(Owner {
            id: Some(caller.account.clone()),
            ..Owner::default()
        }),
        ..ListBucketsOutput::default()
    }
}

/// GetBucketPolicy.
pub fn policy(store: &Store, bucket: &str) -> S3Result<GetBucketPolicyOutput> {
    match &store.lock().bucket(bucket)?.policy {
        Some(policy) => Ok(GetBucketPolicyOutput {
            policy: Some(policy.to_string()),
        }),
        None => Err(S3Error::with_message(
            S3ErrorCode::NoSuchBucketPolicy,
            "The bucket policy does not exist",
        )),
    }
}

/// PutBucketPolicy.
pub fn put_policy(store: &Store, bucket: &str, text: &str) -> S3Result<()> {
    let policy: serde_json::Value =
        serde_json::from_str(text).map_err(|why| errors::malformed_policy(why.to_string()))?;
    if policy.get("Statement").is_none() {
        return Err(errors::malformed_policy("Missing required field Statement"));
    }
    store.lock().set_policy(bucket, Some(policy))
}

/// GetBucketEncryption: each bucket has one, S3's own keys where nothing else was asked for (so since 2023).
pub fn encryption(store: &Store, bucket: &str) -> S3Result<GetBucketEncryptionOutput> {
    let key = store.lock().bucket(bucket)?.kms_key.clone();
    let algorithm = match key {
        Some(_) => ServerSideEncryption::AWS_KMS,
        None => ServerSideEncryption::AES256,
    };
    let rule = ServerSideEncryptionRule {
        apply_server_side_encryption_by_default: Some(ServerSideEncryptionByDefault {
            kms_master_key_id: key,
            sse_algorithm: ServerSideEncryption::from_static(algorithm),
        }),
        ..ServerSideEncryptionRule::default()
    };
    Ok(GetBucketEncryptionOutput {
        server_side_encryption_configuration: Some(ServerSideEncryptionConfiguration { rules: vec![rule] }),
    })
}

/// PutBucketEncryption.
pub fn put_encryption(store: &Store, input: PutBucketEncryptionInput) -> S3Result<()> {
    let mut rules = input.server_side_encryption_configuration.rules.into_iter();
    let by_default = rules.find_map(|rule| rule.apply_server_side_encryption_by_default);
    let key = by_default.and_then(|default| default.kms_master_key_id);
    store.lock().set_kms_key(&input.bucket, key)
}
