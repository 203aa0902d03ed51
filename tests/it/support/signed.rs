//! Requests to AWS as a client without an SDK would sign them: for bodies that no SDK would build.

use super::demo::Demo;
use super::http::{self, Answer};
use aws_credential_types::Credentials;
use aws_sigv4::http_request::{
    PayloadChecksumKind, PercentEncodingMode, SignableBody, SignableRequest, SigningSettings, sign,
};
use aws_sigv4::sign::v4;
use serde_json::Value;
use std::time::SystemTime;

/// Posts a body to the root of an endpoint. `scope` is the service and the region of the signature.
pub fn post(
    endpoint: &str,
    keys: (&str, &str),
    scope: (&str, &str),
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    send(endpoint, keys, scope, ("POST", "/"), headers, body)
}

/// Sends a body somewhere.
pub fn send(
    endpoint: &str,
    keys: (&str, &str),
    scope: (&str, &str),
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let url = format!("{endpoint}{path}");
    let identity = Credentials::new(keys.0, keys.1, None, None, "test").into();
    let mut settings = SigningSettings::default();
    if scope.0 == "s3" {
        settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
        settings.percent_encoding_mode = PercentEncodingMode::Single;
    }
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(scope.1)
        .name(scope.0)
        .time(SystemTime::now())
        .settings(settings)
        .build()
        .unwrap()
        .into();
    let address = endpoint.trim_start_matches("http://");
    let all = std::iter::once(("host", address)).chain(headers.iter().copied());
    let request = SignableRequest::new(method, &url, all, SignableBody::Bytes(body.as_bytes())).unwrap();
    let (signed, _) = sign(request, &params).unwrap().into_parts();
    let headers: Vec<(&str, &str)> = headers.iter().copied().chain(signed.headers()).collect();
    http::request(address, method, path, &headers, body.as_bytes()).unwrap()
}

/// Has the admin of a demo do something in Glue; answers what Glue says.
#[track_caller]
pub fn glue(demo: &Demo, operation: &str, body: &Value) -> Value {
    let target = format!("AWSGlue.{operation}");
    let headers = [
        ("content-type", "application/x-amz-json-1.1"),
        ("x-amz-target", target.as_str()),
    ];
    let keys = (demo.field("access_key_id"), demo.field("secret_access_key"));
    let answer = post(
        demo.endpoint(),
        keys,
        ("glue", demo.field("region")),
        &headers,
        &body.to_string(),
    );
    assert_eq!(answer.status, 200, "{operation} {body}: {}", answer.text());
    serde_json::from_str(&answer.text()).unwrap_or(Value::Null)
}
