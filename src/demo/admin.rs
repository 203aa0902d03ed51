//! The admin path `/_glueup`: where the console is, and the knobs. It is not signed, so it answers this machine's
//! programs only, not a web page that was made to ask.

use super::world::World;
use super::{Request, Response, TEMPLATES_BUCKET, console};
use http::{Method, StatusCode, header};
use serde_json::{Value, json};

/// The admin path; everything below it is the admin's too.
pub(super) const PATH: &str = "/_glueup";

/// Answers a request to the admin path.
pub(super) fn handle(world: &World, request: &Request) -> Response {
    match (request.method(), request.uri().path()) {
        (&Method::GET, PATH) => json_answer(StatusCode::OK, &about(world)),
        (&Method::GET, "/_glueup/knobs") => json_answer(StatusCode::OK, &world.knobs.to_json()),
        (&Method::PUT, "/_glueup/knobs") => {
            let turned = serde_json::from_slice::<Value>(request.body())
                .map_err(|why| why.to_string())
                .and_then(|wanted| world.knobs.turn(&wanted));
            match turned {
                Ok(()) => json_answer(StatusCode::OK, &world.knobs.to_json()),
                Err(why) => json_answer(StatusCode::BAD_REQUEST, &json!({"error": why})),
            }
        }
        (_, PATH | "/_glueup/knobs") => json_answer(
            StatusCode::METHOD_NOT_ALLOWED,
            &json!({"error": "GET, or PUT for knobs"}),
        ),
        _ => json_answer(StatusCode::NOT_FOUND, &json!({"error": "no such path"})),
    }
}

fn about(world: &World) -> Value {
    let endpoint = world.endpoint();
    json!({
        "console_url": format!("{endpoint}{}", console::PATH),
        "template_base_url": format!("{endpoint}/{TEMPLATES_BUCKET}/"),
        "templates_bucket": TEMPLATES_BUCKET,
        "region": super::REGION,
        "account_id": super::CUSTOMER_ACCOUNT,
        "broker_account_id": super::BROKER_ACCOUNT,
        "broker_role_arn": super::broker_role_arn(),
        "vendor_role_arn": super::vendor_role_arn(),
    })
}

/// A JSON answer.
fn json_answer(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(format!("{value}\n").into());
    *response.status_mut() = status;
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static("application/json"),
    );
    response
}

/// Whether an unsigned request may be answered. A page of another site can make a browser send requests here: it then
/// carries an `Origin` of its own, or, where the site's name was pointed at 127.0.0.1, a `Host` that is not loopback's.
pub(super) fn is_ours(headers: &http::HeaderMap) -> bool {
    text(headers, header::HOST).is_some_and(is_loopback) && origin_is_ours(headers)
}

/// Whether the request has no `Origin`, as programs send it, or the server's own, as the console's page sends it.
pub(super) fn origin_is_ours(headers: &http::HeaderMap) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    let origin = text(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
    match (origin, text(headers, header::HOST)) {
        (Some(origin), Some(host)) => is_loopback(host) && origin.eq_ignore_ascii_case(host),
        _ => false,
    }
}

fn text(headers: &http::HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let name = name.to_ascii_lowercase();
    matches!(name.as_str(), "127.0.0.1" | "localhost" | "::1") || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_are_ours() {
        for ours in [
            "127.0.0.1:4566",
            "localhost",
            "LOCALHOST:1",
            "[::1]:80",
            "glue.us-west-2.localhost:4566",
        ] {
            assert!(is_loopback(ours), "{ours}");
        }
        for foreign in [
            "evil.example",
            "127.0.0.1.evil.example:80",
            "localhost.evil.example",
            "",
            "10.0.0.1:80",
        ] {
            assert!(!is_loopback(foreign), "{foreign}");
        }
    }

    #[test]
    fn a_foreign_page_is_refused() {
        let mut headers = http::HeaderMap::new();
        headers.insert("host", header::HeaderValue::from_static("127.0.0.1:4566"));
        assert!(is_ours(&headers));
        headers.insert("origin", header::HeaderValue::from_static("https://evil.example"));
        assert!(!is_ours(&headers));
        headers.insert("origin", header::HeaderValue::from_static("null"));
        assert!(!is_ours(&headers));
        headers.insert(
            "origin",
            header::HeaderValue::from_static("http://127.0.0.1:4566"),
        );
        assert!(is_ours(&headers));
        headers.insert(
            "origin",
            header::HeaderValue::from_static("http://127.0.0.1:3000"),
        );
        assert!(!is_ours(&headers), "another program of this machine");
        headers.remove("origin");
        headers.insert("host", header::HeaderValue::from_static("rebound.example:4566"));
        assert!(!is_ours(&headers));
    }
}
