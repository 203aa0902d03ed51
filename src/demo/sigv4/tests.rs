//! Requests signed by the SDK's own signer.

use super::*;
use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SignatureLocation, SigningSettings, sign};
use aws_sigv4::sign::v4;
use http::Request;
use proptest::prelude::*;
use std::time::Duration;

const SECRET: &str = "demo/secret+key/for+the/tests/only/00001";
const NOW: i64 = 1_796_026_500_000;

struct Signed {
    parts: Parts,
    body: Vec<u8>,
}

fn signed(address: &str, body: &[u8], token: Option<&str>, lasts: Option<u64>) -> Signed {
    let identity = Credentials::new("AKIATEST", SECRET, token.map(str::to_owned), None, "test").into();
    let mut settings = SigningSettings::default();
    if let Some(seconds) = lasts {
        settings.signature_location = SignatureLocation::QueryParams;
        settings.expires_in = Some(Duration::from_secs(seconds));
    }
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region("us-west-2")
        .name("glue")
        .time(clock::from_millis(NOW))
        .settings(settings)
        .build()
        .unwrap()
        .into();
    let headers = [("host", "127.0.0.1:4566"), ("x-amz-target", "AWSGlue.GetTables")];
    let request =
        SignableRequest::new("POST", address, headers.into_iter(), SignableBody::Bytes(body)).unwrap();
    let (instructions, _) = sign(request, &params).unwrap().into_parts();
    let mut request = Request::builder().method("POST").uri(address);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let mut request = request.body(()).unwrap();
    instructions.apply_to_request_http1x(&mut request);
    Signed {
        parts: request.into_parts().0,
        body: body.to_vec(),
    }
}

impl Signed {
    fn verify(&self, secret: &str, now: i64) -> Result<(), AwsError> {
        let scope = scope(&self.parts.headers, &self.parts.uri)?.unwrap();
        verify(&self.parts, &self.body, &scope, secret, now)
    }

    fn said(&self, now: i64) -> String {
        self.verify(SECRET, now).unwrap_err().message
    }
}

const PLAIN: &str = "http://127.0.0.1:4566/";

#[test]
fn the_scope_is_read_from_the_header_and_from_the_address() {
    for lasts in [None, Some(60)] {
        let request = signed(PLAIN, b"{}", Some("tok/en+=="), lasts);
        let scope = scope(&request.parts.headers, &request.parts.uri)
            .unwrap()
            .unwrap();
        assert_eq!(
            (scope.key_id.as_str(), scope.region.as_str()),
            ("AKIATEST", "us-west-2")
        );
        assert_eq!(
            (scope.service.as_str(), scope.token.as_deref()),
            ("glue", Some("tok/en+=="))
        );
        assert_eq!(request.verify(SECRET, NOW), Ok(()));
    }
}

#[test]
fn an_unsigned_request_has_no_scope_and_a_torn_one_is_refused() {
    let mut headers = HeaderMap::new();
    let uri: Uri = "http://127.0.0.1/lake?list-type=2".parse().unwrap();
    assert!(scope(&headers, &uri).unwrap().is_none());
    for torn in [
        "AWS4-HMAC-SHA256",
        "Basic eDp5",
        "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=x",
    ] {
        headers.insert("authorization", torn.parse().unwrap());
        assert_eq!(
            scope(&headers, &uri).unwrap_err().code,
            "IncompleteSignature",
            "{torn}"
        );
    }
}

#[test]
fn nothing_of_a_signed_request_can_be_changed() {
    let request = || {
        signed(
            "http://127.0.0.1:4566/iceberg/v1/config?warehouse=1",
            b"{}",
            Some("t"),
            None,
        )
    };
    assert_eq!(
        request().verify("another", NOW).unwrap_err().code,
        "SignatureDoesNotMatch"
    );
    let mut changed = request();
    changed.body = b"{ }".to_vec();
    assert!(changed.verify(SECRET, NOW).is_err());
    for uri in [
        "/iceberg/v1/config?warehouse=2",
        "/iceberg/v1/config",
        "/iceberg/v1/other?warehouse=1",
    ] {
        let mut changed = request();
        changed.parts.uri = uri.parse().unwrap();
        assert!(changed.verify(SECRET, NOW).is_err(), "{uri}");
    }
    for header in ["host", "x-amz-target", "x-amz-security-token"] {
        let mut changed = request();
        changed.parts.headers.insert(header, "changed".parse().unwrap());
        assert!(changed.verify(SECRET, NOW).is_err(), "{header}");
        changed.parts.headers.remove(header);
        assert!(changed.verify(SECRET, NOW).is_err(), "{header}");
    }
    let mut changed = request();
    changed.parts.headers.remove("x-amz-date");
    assert_eq!(
        changed.verify(SECRET, NOW).unwrap_err().code,
        "IncompleteSignature"
    );
    let mut changed = request();
    changed.parts.method = http::Method::PUT;
    assert!(changed.verify(SECRET, NOW).is_err());
}

#[test]
fn a_request_is_good_for_five_minutes_either_way() {
    let request = signed(PLAIN, b"{}", None, None);
    assert_eq!(request.verify(SECRET, NOW + SKEW_MS), Ok(()));
    assert_eq!(request.verify(SECRET, NOW - SKEW_MS), Ok(()));
    assert_eq!(
        request.said(NOW + SKEW_MS + 1000),
        "Signature expired: 20261130T081500Z is now earlier than 20261130T081501Z (20261130T082001Z - 5 min.)"
    );
    assert_eq!(
        request.said(NOW - SKEW_MS - 1000),
        "Signature not yet current: 20261130T081500Z is still later than 20261130T081459Z (20261130T080959Z + 5 min.)"
    );
    let presigned = signed(PLAIN, b"{}", None, Some(3600));
    assert_eq!(presigned.verify(SECRET, NOW + 3_600_000), Ok(()));
    assert!(presigned.said(NOW + 3_601_000).starts_with("Signature expired"));
}

proptest! {
    #[test]
    fn whatever_the_sdk_signs_is_understood(
        segments in prop::collection::vec("[a-z%~: +ü\u{1f}]{0,5}", 0..4),
        pairs in prop::collection::vec(("[a-z-]{1,4}", "[a-z/=%+: ü]{0,6}"), 0..4),
        body in prop::collection::vec(any::<u8>(), 0..40),
        presigned in any::<bool>(),
    ) {
        let path: String = segments
            .iter()
            .map(|segment| format!("/{}", utf8_percent_encode(segment, STRICT)))
            .collect();
        let query: Vec<String> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, STRICT)))
            .collect();
        let path = if path.is_empty() { "/".to_owned() } else { path };
        let address = format!("http://127.0.0.1:4566{path}?{}", query.join("&"));
        let request = signed(&address, &body, None, presigned.then_some(60));
        prop_assert_eq!(request.verify(SECRET, NOW), Ok(()), "{}", address);
        prop_assert!(request.verify("another", NOW).is_err());
    }

    #[test]
    fn no_header_makes_it_panic(authorization in "[ -~]{0,60}", date in "[ -~]{0,20}") {
        let uri: Uri = "/".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("authorization", format!("AWS4-HMAC-SHA256 {authorization}").parse().unwrap());
        headers.insert("x-amz-date", date.parse().unwrap());
        if let Ok(Some(scope)) = scope(&headers, &uri) {
            let (parts, ()) = Request::new(()).into_parts();
            prop_assert!(verify(&parts, b"", &scope, SECRET, NOW).is_err());
        }
    }
}
