//! Multipart uploads. An unknown upload id is answered 404 after the policy gate: a probe for write permission that
//! can never write.

use super::body::Body;
use super::checksums::{Sums, Wanted, md5};
use super::clock_time;
use super::conditions::{Conditions, strong};
use super::errors;
use super::objects::content_encoding;
use super::store::{Facts, Index, Object, Store};
use futures_util::StreamExt;
use s3s::dto::{
    AbortMultipartUploadInput, CompleteMultipartUploadInput, CompleteMultipartUploadOutput,
    CreateMultipartUploadInput, CreateMultipartUploadOutput, ListMultipartUploadsInput,
    ListMultipartUploadsOutput, ListPartsInput, ListPartsOutput, MultipartUpload, Part as PartRow,
    UploadPartInput, UploadPartOutput,
};
use s3s::{S3Error, S3ErrorCode, S3Request, S3Result, s3_error};
use std::collections::BTreeMap;

/// Smallest part but the last, in bytes.
const MIN_PART: u64 = 5 << 20;

/// An upload in progress.
#[derive(Debug)]
pub struct Upload {
    bucket: String,
    key: String,
    begun: i64,
    facts: Facts,
    parts: BTreeMap<i32, Part>,
}

#[derive(Clone, Debug)]
struct Part {
    body: Body,
    md5: String,
    sums: Sums,
    modified: i64,
}

fn upload<'a>(index: &'a mut Index, id: &str, bucket: &str, key: &str) -> S3Result<&'a mut Upload> {
    let found = index.uploads.get_mut(id);
    found
        .filter(|upload| upload.bucket == bucket && upload.key == key)
        .ok_or_else(errors::no_upload)
}

/// CreateMultipartUpload.
pub fn create(
    store: &Store,
    input: CreateMultipartUploadInput,
    now: i64,
) -> S3Result<CreateMultipartUploadOutput> {
    let mut index = store.lock();
    index.bucket(&input.bucket)?;
    let id = crate::demo::ids::uuid();
    let facts = Facts {
        content_type: input.content_type,
        content_encoding: input
            .content_encoding
            .and_then(|encoding| content_encoding(&encoding)),
        metadata: input.metadata,
        ..Facts::default()
    };
    let (bucket, key) = (input.bucket.clone(), input.key.clone());
    index.uploads.insert(
        id.clone(),
        Upload {
            bucket,
            key,
            begun: now,
            facts,
            parts: BTreeMap::new(),
        },
    );
    Ok(CreateMultipartUploadOutput {
        bucket: Some(input.bucket),
        key: Some(input.key),
        upload_id: Some(id),
        ..CreateMultipartUploadOutput::default()
    })
}

/// UploadPart. The upload must exist before the body is read.
pub async fn put_part(
    store: &Store,
    request: S3Request<UploadPartInput>,
    now: i64,
) -> S3Result<UploadPartOutput> {
    let wanted = Wanted::new(&request.headers, request.trailing_headers);
    let mut input = request.input;
    upload(&mut store.lock(), &input.upload_id, &input.bucket, &input.key)?;
    if !(1..=10_000).contains(&input.part_number) {
        return Err(errors::invalid(
            "Part number must be an integer between 1 and 10000, inclusive",
        ));
    }
    let received = store.bodies().receive(input.body.take(), wanted).await?;
    let part = Part {
        body: received.body,
        md5: received.md5,
        sums: received.sums,
        modified: now,
    };
    let answer = UploadPartOutput {
        e_tag: Some(strong(&part.md5)),
        checksum_crc32: part.sums.crc32.clone(),
        checksum_crc32c: part.sums.crc32c.clone(),
        checksum_crc64nvme: part.sums.crc64nvme.clone(),
        checksum_sha1: part.sums.sha1.clone(),
        checksum_sha256: part.sums.sha256.clone(),
        ..UploadPartOutput::default()
    };
    let mut index = store.lock();
    upload(&mut index, &input.upload_id, &input.bucket, &input.key)?
        .parts
        .insert(input.part_number, part);
    Ok(answer)
}

/// CompleteMultipartUpload. The upload stays as it is when this is refused.
pub async fn complete(
    store: &Store,
    input: CompleteMultipartUploadInput,
    now: i64,
) -> S3Result<CompleteMultipartUploadOutput> {
    let named = input
        .multipart_upload
        .and_then(|upload| upload.parts)
        .unwrap_or_default();
    let (mut facts, parts) = {
        let mut index = store.lock();
        let upload = upload(&mut index, &input.upload_id, &input.bucket, &input.key)?;
        (upload.facts.clone(), upload.parts.clone())
    };
    if named.is_empty() {
        return Err(S3Error::with_message(
            S3ErrorCode::MalformedXML,
            "You must specify at least one part",
        ));
    }
    let mut chosen = Vec::new();
    let mut before = 0;
    for part in &named {
        let number = part.part_number.unwrap_or_default();
        if number <= before {
            return Err(s3_error!(
                InvalidPartOrder,
                "The list of parts was not in ascending order."
            ));
        }
        before = number;
        let held = parts.get(&number);
        let held = held.filter(|held| part.e_tag.as_ref().is_none_or(|etag| etag.value() == held.md5));
        chosen.push(held.ok_or_else(|| {
            s3_error!(
                InvalidPart,
                "One or more of the specified parts could not be found."
            )
        })?);
    }
    let small = chosen.iter().rev().skip(1).any(|part| part.body.len() < MIN_PART);
    if small {
        return Err(s3_error!(
            EntityTooSmall,
            "Your proposed upload is smaller than the minimum allowed size"
        ));
    }
    let mut sink = store.bodies().create().await?;
    let mut digests = Vec::new();
    for part in &chosen {
        let mut bytes = part.body.read(0..part.body.len()).await?;
        while let Some(chunk) = bytes.next().await {
            sink.write(&chunk.map_err(errors::incomplete)?).await?;
        }
        digests.extend(hex::decode(&part.md5).unwrap_or_default());
    }
    facts.etag = format!("{}-{}", md5(&digests), chosen.len());
    facts.modified = now;
    let etag = strong(&facts.etag);
    let object = Object {
        body: sink.finish().await?,
        facts,
    };
    let conditions = Conditions {
        if_match: input.if_match,
        if_none_match: input.if_none_match,
    };
    let mut index = store.lock();
    upload(&mut index, &input.upload_id, &input.bucket, &input.key)?;
    index.put(&input.bucket, &input.key, object, &conditions)?;
    index.uploads.remove(&input.upload_id);
    Ok(CompleteMultipartUploadOutput {
        bucket: Some(input.bucket),
        key: Some(input.key),
        e_tag: Some(etag),
        ..CompleteMultipartUploadOutput::default()
    })
}

/// AbortMultipartUpload.
pub fn abort(store: &Store, input: &AbortMultipartUploadInput) -> S3Result<()> {
    let mut index = store.lock();
    upload(&mut index, &input.upload_id, &input.bucket, &input.key)?;
    index.uploads.remove(&input.upload_id);
    Ok(())
}

/// ListParts, in one page: an upload of the demo has few.
pub fn list_parts(store: &Store, input: ListPartsInput) -> S3Result<ListPartsOutput> {
    let mut index = store.lock();
    let upload = upload(&mut index, &input.upload_id, &input.bucket, &input.key)?;
    let rows = upload.parts.iter().map(|(number, part)| PartRow {
        part_number: Some(*number),
        e_tag: Some(strong(&part.md5)),
        size: i64::try_from(part.body.len()).ok(),
        last_modified: Some(clock_time(part.modified)),
        ..PartRow::default()
    });
    Ok(ListPartsOutput {
        parts: Some(rows.collect()),
        bucket: Some(input.bucket),
        key: Some(input.key),
        upload_id: Some(input.upload_id),
        is_truncated: Some(false),
        ..ListPartsOutput::default()
    })
}

/// ListMultipartUploads, in one page.
pub fn list_uploads(store: &Store, input: ListMultipartUploadsInput) -> S3Result<ListMultipartUploadsOutput> {
    let index = store.lock();
    index.bucket(&input.bucket)?;
    let prefix = input.prefix.clone().unwrap_or_default();
    let ours = index
        .uploads
        .iter()
        .filter(|(_, upload)| upload.bucket == input.bucket);
    let mut rows: Vec<MultipartUpload> = ours
        .filter(|(_, upload)| upload.key.starts_with(&prefix))
        .map(|(id, upload)| MultipartUpload {
            key: Some(upload.key.clone()),
            upload_id: Some(id.clone()),
            initiated: Some(clock_time(upload.begun)),
            ..MultipartUpload::default()
        })
        .collect();
    rows.sort_by(|a, b| (&a.key, &a.upload_id).cmp(&(&b.key, &b.upload_id)));
    Ok(ListMultipartUploadsOutput {
        uploads: Some(rows).filter(|rows| !rows.is_empty()),
        bucket: Some(input.bucket),
        prefix: input.prefix,
        is_truncated: Some(false),
        ..ListMultipartUploadsOutput::default()
    })
}
