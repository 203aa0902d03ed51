//! Signature Version 4 of every service but S3, whose signatures s3s verifies.
//!
//! The canonical request is built here, from the request as it came; key and MAC are `aws_sigv4`'s.

use super::clock;
use super::error::AwsError;
use aws_sigv4::sign::v4::{calculate_signature, generate_signing_key};
use http::request::Parts;
use http::{HeaderMap, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use time::macros::format_description;
use time::{OffsetDateTime, PrimitiveDateTime};

const STRICT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
const PATH: &AsciiSet = &STRICT.remove(b'/');
/// How far a request's time may be from the server's, either way.
const SKEW_MS: i64 = 5 * 60 * 1000;
const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// What a signature says about itself.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) key_id: String,
    date: String,
    pub(super) region: String,
    pub(super) service: String,
    signed: Vec<String>,
    signature: String,
    amz_date: String,
    pub(super) token: Option<String>,
    /// Seconds for which a presigned address holds.
    lasts: Option<i64>,
}

/// The signature of a request: in the `Authorization` header, else in the query. `None` where there is none.
pub(super) fn scope(headers: &HeaderMap, uri: &Uri) -> Result<Option<Scope>, AwsError> {
    let header = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    };
    if let Some(authorization) = header("authorization") {
        let incomplete = |what: &str| {
            AwsError::new(
                400,
                "IncompleteSignature",
                format!("Authorization header requires '{what}' parameter."),
            )
        };
        let fields = authorization
            .strip_prefix(ALGORITHM)
            .ok_or_else(|| incomplete(ALGORITHM))?;
        let field = |name: &str| {
            fields
                .split(',')
                .find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='))
                .ok_or_else(|| incomplete(name))
        };
        let mut scope = credential(field("Credential")?).ok_or_else(|| incomplete("Credential"))?;
        scope.signed = field("SignedHeaders")?.split(';').map(str::to_owned).collect();
        scope.signature = field("Signature")?.to_owned();
        // S3 takes the `Date` header in its place, and sees to that itself.
        scope.amz_date = header("x-amz-date").unwrap_or_default();
        scope.token = header("x-amz-security-token");
        return Ok(Some(scope));
    }
    let Some(query) = uri.query().filter(|query| query.contains("X-Amz-Credential=")) else {
        return Ok(None);
    };
    let pairs: HashMap<_, _> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let pair = |name: &str| {
        pairs.get(name).cloned().ok_or_else(|| {
            AwsError::new(
                400,
                "IncompleteSignature",
                format!("AWS query-string parameters must include '{name}'."),
            )
        })
    };
    let mut scope = credential(&pair("X-Amz-Credential")?).ok_or_else(|| {
        AwsError::new(
            400,
            "IncompleteSignature",
            "X-Amz-Credential is not a credential scope.",
        )
    })?;
    scope.signed = pair("X-Amz-SignedHeaders")?
        .split(';')
        .map(str::to_owned)
        .collect();
    scope.signature = pair("X-Amz-Signature")?;
    scope.amz_date = pair("X-Amz-Date")?;
    scope.token = pairs.get("X-Amz-Security-Token").cloned();
    scope.lasts = pairs
        .get("X-Amz-Expires")
        .and_then(|seconds| seconds.parse().ok());
    Ok(Some(scope))
}

/// `KEY/20261130/us-west-2/glue/aws4_request`, read from behind, since nothing forbids a `/` in a key id.
fn credential(text: &str) -> Option<Scope> {
    let mut parts = text.rsplitn(5, '/');
    if parts.next()? != "aws4_request" {
        return None;
    }
    let service = parts.next()?.to_owned();
    let region = parts.next()?.to_owned();
    let date = parts.next()?.to_owned();
    Some(Scope {
        key_id: parts.next()?.to_owned(),
        date,
        region,
        service,
        signed: Vec::new(),
        signature: String::new(),
        amz_date: String::new(),
        token: None,
        lasts: None,
    })
}

/// Verifies a signature at a time by the server's clock, in milliseconds since 1970.
pub(super) fn verify(
    parts: &Parts,
    body: &[u8],
    scope: &Scope,
    secret: &str,
    now: i64,
) -> Result<(), AwsError> {
    let refused = |message: String| AwsError::new(403, "SignatureDoesNotMatch", message);
    if scope.amz_date.is_empty() {
        return Err(AwsError::new(
            400,
            "IncompleteSignature",
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.",
        ));
    }
    let signed_at = PrimitiveDateTime::parse(
        &scope.amz_date,
        format_description!("[year][month][day]T[hour][minute][second]Z"),
    )
    .map(PrimitiveDateTime::assume_utc)
    .map_err(|_| {
        AwsError::new(
            400,
            "IncompleteSignature",
            format!(
                "Date must be in ISO-8601 'basic format'. Got '{}'.",
                scope.amz_date
            ),
        )
    })?;
    if !scope.amz_date.starts_with(&scope.date) {
        return Err(refused(format!(
            "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '{}' != '{}'",
            scope.date, scope.amz_date
        )));
    }
    in_time(scope, signed_at, now).map_err(refused)?;
    let canonical = canonical_request(parts, body, scope).map_err(refused)?;
    let to_sign = format!(
        "{ALGORITHM}\n{}\n{}/{}/{}/aws4_request\n{}",
        scope.amz_date,
        scope.date,
        scope.region,
        scope.service,
        hex::encode(Sha256::digest(canonical.as_bytes()))
    );
    let key = generate_signing_key(secret, signed_at.into(), &scope.region, &scope.service);
    if calculate_signature(key, to_sign.as_bytes()) == scope.signature {
        return Ok(());
    }
    Err(refused(
        "The request signature we calculated does not match the signature you provided. Check your AWS Secret \
         Access Key and signing method. Consult the service documentation for details."
            .to_owned(),
    ))
}

fn in_time(scope: &Scope, signed_at: OffsetDateTime, now: i64) -> Result<(), String> {
    let signed = clock::millis(signed_at.into());
    let lasts = scope
        .lasts
        .map_or(SKEW_MS, |seconds| seconds.saturating_mul(1000));
    if signed.saturating_add(lasts) < now {
        return Err(format!(
            "Signature expired: {} is now earlier than {} ({} - {} min.)",
            scope.amz_date,
            clock::basic(now.saturating_sub(lasts)),
            clock::basic(now),
            lasts / 60_000
        ));
    }
    if signed > now.saturating_add(SKEW_MS) {
        return Err(format!(
            "Signature not yet current: {} is still later than {} ({} + 5 min.)",
            scope.amz_date,
            clock::basic(now.saturating_add(SKEW_MS)),
            clock::basic(now)
        ));
    }
    Ok(())
}

fn canonical_request(parts: &Parts, body: &[u8], scope: &Scope) -> Result<String, String> {
    let mut query: Vec<(String, String)> = parts
        .uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (encoded(name), encoded(value)))
        .filter(|(name, _)| name != "X-Amz-Signature")
        .collect();
    query.sort();
    let query = query
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>()
        .join("&");

    if !scope.signed.iter().any(|name| name == "host") {
        return Err("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.".to_owned());
    }
    let mut headers = String::new();
    for name in &scope.signed {
        let values: Vec<String> = parts
            .headers
            .get_all(name.as_str())
            .iter()
            .map(|value| {
                String::from_utf8_lossy(value.as_bytes())
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        if values.is_empty() {
            return Err(format!("The signed header '{name}' is missing from the request."));
        }
        headers.push_str(&format!("{name}:{}\n", values.join(",")));
    }

    let real = hex::encode(Sha256::digest(body));
    let hash = match parts
        .headers
        .get("x-amz-content-sha256")
        .and_then(|value| value.to_str().ok())
    {
        Some("UNSIGNED-PAYLOAD") => "UNSIGNED-PAYLOAD".to_owned(),
        Some(sent) if sent != real => {
            return Err("The value of 'x-amz-content-sha256' does not match the request's body.".to_owned());
        }
        _ => real,
    };
    Ok(format!(
        "{}\n{}\n{query}\n{headers}\n{}\n{hash}",
        parts.method,
        canonical_path(parts.uri.path()),
        scope.signed.join(";")
    ))
}

/// All services but S3 normalise the path as it came and encode it once more: `%1F` is signed as `%251F`.
fn canonical_path(raw: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in raw.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            segment => kept.push(segment),
        }
    }
    let mut path = format!("/{}", kept.join("/"));
    if raw.ends_with('/') && path.len() > 1 {
        path.push('/');
    }
    utf8_percent_encode(&path, PATH).to_string()
}

fn encoded(raw: &str) -> String {
    utf8_percent_encode(&percent_decode_str(raw).decode_utf8_lossy(), STRICT).to_string()
}

#[cfg(test)]
mod tests;
