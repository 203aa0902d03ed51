//! One object at a time: get, head, put, copy, delete.

use super::checksums::{Sums, Wanted};
use super::clock_time;
use super::conditions::{Conditions, range, strong};
use super::errors;
use super::store::{Facts, Object, Store};
use s3s::dto::{
    CopyObjectInput, CopyObjectOutput, CopyObjectResult, CopySource, DeleteObjectsOutput, DeletedObject,
    Error, GetObjectInput, GetObjectOutput, HeadObjectInput, HeadObjectOutput, MetadataDirective,
    PutObjectInput, PutObjectOutput,
};
use s3s::{S3Error, S3ErrorCode, S3Request, S3Result};

/// GetObject.
pub async fn get(store: &Store, input: GetObjectInput) -> S3Result<GetObjectOutput> {
    let object = store.lock().object(&input.bucket, &input.key)?.clone();
    let Object { body, facts } = object;
    Conditions {
        if_match: input.if_match,
        if_none_match: input.if_none_match,
    }
    .allow_read(&facts.etag)?;
    let (bytes, content_range) = range(input.range, body.len())?;
    let asked = input.checksum_mode.is_some_and(|mode| mode.as_str() == "ENABLED");
    // The checksums are of the whole object: with a part of it a client would take them for the part's.
    let sums = if asked && content_range.is_none() {
        facts.sums
    } else {
        Sums::default()
    };
    Ok(GetObjectOutput {
        content_length: i64::try_from(bytes.end - bytes.start).ok(),
        body: Some(body.read(bytes).await?),
        content_range,
        accept_ranges: Some("bytes".to_owned()),
        e_tag: Some(strong(&facts.etag)),
        last_modified: Some(clock_time(facts.modified)),
        content_type: input.response_content_type.or(facts.content_type),
        content_encoding: input.response_content_encoding.or(facts.content_encoding),
        content_disposition: input.response_content_disposition,
        metadata: facts.metadata,
        checksum_crc32: sums.crc32,
        checksum_crc32c: sums.crc32c,
        checksum_crc64nvme: sums.crc64nvme,
        checksum_sha1: sums.sha1,
        checksum_sha256: sums.sha256,
        ..GetObjectOutput::default()
    })
}

/// HeadObject.
pub fn head(store: &Store, input: HeadObjectInput) -> S3Result<HeadObjectOutput> {
    let object = store.lock().object(&input.bucket, &input.key)?.clone();
    let Object { body, facts } = object;
    Conditions {
        if_match: input.if_match,
        if_none_match: input.if_none_match,
    }
    .allow_read(&facts.etag)?;
    let asked = input.checksum_mode.is_some_and(|mode| mode.as_str() == "ENABLED");
    let sums = if asked { facts.sums } else { Sums::default() };
    Ok(HeadObjectOutput {
        content_length: i64::try_from(body.len()).ok(),
        accept_ranges: Some("bytes".to_owned()),
        e_tag: Some(strong(&facts.etag)),
        last_modified: Some(clock_time(facts.modified)),
        content_type: facts.content_type,
        content_encoding: facts.content_encoding,
        metadata: facts.metadata,
        checksum_crc32: sums.crc32,
        checksum_crc32c: sums.crc32c,
        checksum_crc64nvme: sums.crc64nvme,
        checksum_sha1: sums.sha1,
        checksum_sha256: sums.sha256,
        ..HeadObjectOutput::default()
    })
}

/// PutObject. `now` is the time that the object gets, milliseconds since 1970.
pub async fn put(store: &Store, request: S3Request<PutObjectInput>, now: i64) -> S3Result<PutObjectOutput> {
    let wanted = Wanted::new(&request.headers, request.trailing_headers);
    let mut input = request.input;
    let received = store.bodies().receive(input.body.take(), wanted).await?;
    let facts = Facts {
        etag: received.md5.clone(),
        modified: now,
        content_type: input.content_type,
        content_encoding: input
            .content_encoding
            .and_then(|encoding| content_encoding(&encoding)),
        metadata: input.metadata,
        sums: received.sums.clone(),
    };
    let conditions = Conditions {
        if_match: input.if_match,
        if_none_match: input.if_none_match,
    };
    let object = Object {
        body: received.body,
        facts,
    };
    store.lock().put(&input.bucket, &input.key, object, &conditions)?;
    Ok(PutObjectOutput {
        e_tag: Some(strong(&received.md5)),
        checksum_crc32: received.sums.crc32,
        checksum_crc32c: received.sums.crc32c,
        checksum_crc64nvme: received.sums.crc64nvme,
        checksum_sha1: received.sums.sha1,
        checksum_sha256: received.sums.sha256,
        ..PutObjectOutput::default()
    })
}

/// `aws-chunked` is of the transfer, not of the object.
pub fn content_encoding(given: &str) -> Option<String> {
    let kept: Vec<&str> = given
        .split(',')
        .map(str::trim)
        .filter(|one| *one != "aws-chunked")
        .collect();
    Some(kept.join(",")).filter(|kept| !kept.is_empty())
}

/// CopyObject.
pub async fn copy(store: &Store, input: CopyObjectInput, now: i64) -> S3Result<CopyObjectOutput> {
    let CopySource::Bucket { bucket, key, .. } = &input.copy_source else {
        return Err(S3Error::with_message(
            S3ErrorCode::NotImplemented,
            "Only a bucket and key can be copied from",
        ));
    };
    let source = store.lock().object(bucket, key)?.clone();
    let of_source = Conditions {
        if_match: input.copy_source_if_match,
        if_none_match: input.copy_source_if_none_match,
    };
    // Unlike a read, a copy answers 412 where the source is the one that was not wanted.
    of_source
        .allow_read(&source.facts.etag)
        .map_err(|_| errors::precondition())?;
    let mut facts = Facts {
        modified: now,
        ..source.facts
    };
    if input
        .metadata_directive
        .is_some_and(|directive| directive.as_str() == MetadataDirective::REPLACE)
    {
        facts.metadata = input.metadata;
        facts.content_type = input.content_type;
        facts.content_encoding = input
            .content_encoding
            .and_then(|encoding| content_encoding(&encoding));
    }
    let result = CopyObjectResult {
        e_tag: Some(strong(&facts.etag)),
        last_modified: Some(clock_time(now)),
        ..CopyObjectResult::default()
    };
    let body = store.bodies().share(&source.body).await?;
    store.lock().put(
        &input.bucket,
        &input.key,
        Object { body, facts },
        &Conditions::default(),
    )?;
    Ok(CopyObjectOutput {
        copy_object_result: Some(result),
        ..CopyObjectOutput::default()
    })
}

/// DeleteObjects: each key on its own, so that one that may not be deleted does not keep the others.
pub fn delete_many(
    store: &Store,
    bucket: &str,
    keys: Vec<String>,
    quiet: bool,
    allowed: impl Fn(&str) -> S3Result<()>,
) -> DeleteObjectsOutput {
    let (mut deleted, mut failed) = (Vec::new(), Vec::new());
    for key in keys {
        match allowed(&key).and_then(|()| store.lock().delete(bucket, &key)) {
            Ok(()) => deleted.push(DeletedObject {
                key: Some(key),
                ..DeletedObject::default()
            }),
            Err(why) => failed.push(Error {
                key: Some(key),
                code: Some(why.code().as_str().to_owned()),
                message: why.message().map(str::to_owned),
                ..Error::default()
            }),
        }
    }
    DeleteObjectsOutput {
        deleted: Some(deleted).filter(|deleted| !deleted.is_empty() && !quiet),
        errors: Some(failed).filter(|failed| !failed.is_empty()),
        ..DeleteObjectsOutput::default()
    }
}
