//! S3's errors, worded as S3 words them. `s3s` sends no message of its own, and clients show these.

use http::StatusCode;
use s3s::{S3Error, S3ErrorCode, StdError};
use std::io;

fn error(code: S3ErrorCode, message: &'static str) -> S3Error {
    S3Error::with_message(code, message)
}

/// 404: the bucket does not exist.
pub fn no_bucket() -> S3Error {
    error(S3ErrorCode::NoSuchBucket, "The specified bucket does not exist")
}

/// 404: the key does not exist.
pub fn no_key() -> S3Error {
    error(S3ErrorCode::NoSuchKey, "The specified key does not exist.")
}

/// 404: the upload id is unknown.
pub fn no_upload() -> S3Error {
    error(
        S3ErrorCode::NoSuchUpload,
        "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.",
    )
}

/// 412: `If-Match` or `If-None-Match` did not hold.
pub fn precondition() -> S3Error {
    error(
        S3ErrorCode::PreconditionFailed,
        "At least one of the pre-conditions you specified did not hold",
    )
}

/// 304: the client's copy is still right. The code has no status of its own in `s3s`.
pub fn not_modified() -> S3Error {
    let mut error = error(S3ErrorCode::NotModified, "Not Modified");
    error.set_status_code(StatusCode::NOT_MODIFIED);
    error
}

/// 403, in the words that name who may not do what.
pub fn denied(message: impl Into<String>) -> S3Error {
    S3Error::with_message(S3ErrorCode::AccessDenied, message.into())
}

/// 400: a checksum does not fit the bytes.
pub fn bad_digest(what: &str) -> S3Error {
    S3Error::with_message(
        S3ErrorCode::BadDigest,
        format!("The {what} you specified did not match the calculated checksum."),
    )
}

/// 400 with a message.
pub fn invalid(message: impl Into<String>) -> S3Error {
    S3Error::with_message(S3ErrorCode::InvalidArgument, message.into())
}

/// 400: the text is no bucket policy.
pub fn malformed_policy(message: impl Into<String>) -> S3Error {
    S3Error::with_message(S3ErrorCode::MalformedPolicy, message.into())
}

/// 400: the body ended early or its signature broke. Keeps what `s3s` found, where it is an S3 error itself.
pub fn incomplete(cause: StdError) -> S3Error {
    match cause.downcast::<S3Error>() {
        Ok(error) => *error,
        Err(cause) => S3Error::with_message(
            S3ErrorCode::IncompleteBody,
            format!("The body could not be read: {cause}"),
        ),
    }
}

/// 500 with a message.
pub fn internal(message: &'static str) -> S3Error {
    error(S3ErrorCode::InternalError, message)
}

/// 500: the state directory failed.
pub fn io(cause: io::Error) -> S3Error {
    S3Error::with_message(
        S3ErrorCode::InternalError,
        format!("The demo's state directory failed: {cause}"),
    )
}
