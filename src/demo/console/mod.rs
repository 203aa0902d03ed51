//! The console page of the embedded AWS: a quick-create page that a real browser can click through.
//!
//! The page is static; its script reads the link's fragment and asks the JSON paths below [`API`], which act with the
//! rights of whom the page says is signed in. The server's door has refused pages of other sites already; the header
//! that the paths ask for cannot be sent by a page of another port without the browser asking first, which is not
//! answered.

mod api;

use super::clock;
use super::world::World;
use super::{CUSTOMER_ACCOUNT, REGION, Request, Response, TEMPLATES_BUCKET};
use crate::stack::template::TemplateKind;
use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};
use serde_json::{Value, json};
use std::sync::Arc;

/// Path of the console.
pub const PATH: &str = "/_console";
/// Below it are the paths that the page's script asks.
const API: &str = "/_console/api/";
/// The header that the script sends with each request.
const HEADER: &str = "x-glueup-console";

const PAGE: &str = include_str!("../../../assets/console/index.html");
const SCRIPT: &str = include_str!("../../../assets/console/console.js");
const ICON: &str = include_str!("../../../assets/console/icon.svg");
const STYLE: &str = include_str!("../../../assets/console/console.css");
/// Nothing from elsewhere, nothing inline, no frame around the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers an unsigned request to a path that starts with `/_` and is not the admin path.
pub fn handle(world: &Arc<World>, request: &Request) -> Response {
    let path = request.uri().path();
    if let Some(name) = path.strip_prefix(API) {
        if !request.headers().contains_key(HEADER) {
            return answer(
                StatusCode::FORBIDDEN,
                &json!({"error": {"code": "Forbidden", "message": format!(
                    "These paths are for the console's page: the header {HEADER} is missing"
                )}}),
            );
        }
        return api::handle(world, request, name);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return text(
            StatusCode::METHOD_NOT_ALLOWED,
            "text/plain; charset=utf-8",
            "GET only\n",
        );
    }
    match path {
        "/_console/console.js" => text(StatusCode::OK, "text/javascript; charset=utf-8", SCRIPT),
        "/_console/icon.svg" => text(StatusCode::OK, "image/svg+xml", ICON),
        "/_console/console.css" => text(StatusCode::OK, "text/css; charset=utf-8", STYLE),
        // The fragment decides what the page shows.
        PATH | "/_console/" | "/_console/cloudformation/home" | "/_console/cloudformation" => {
            text(StatusCode::OK, "text/html; charset=utf-8", PAGE)
        }
        _ => text(
            StatusCode::NOT_FOUND,
            "text/plain; charset=utf-8",
            "no such page\n",
        ),
    }
}

/// Puts the templates where the console's links find them: a bucket that everybody may read, as a platform publishes
/// its own, so that a user of the wrong account gets as far as the template's rule.
pub(super) fn seed_templates(world: &World) {
    let made = clock::millis(std::time::SystemTime::UNIX_EPOCH);
    world
        .s3
        .seed_bucket(TEMPLATES_BUCKET, REGION, CUSTOMER_ACCOUNT, made);
    if let Some(bucket) = world.s3.lock().buckets.get_mut(TEMPLATES_BUCKET) {
        bucket.policy = Some(json!({"Version": "2012-10-17", "Statement": [{
            "Sid": "TemplatesAreNoSecret", "Effect": "Allow", "Principal": "*", "Action": "s3:GetObject",
            "Resource": format!("arn:aws:s3:::{TEMPLATES_BUCKET}/*"),
        }]}));
    }
    for kind in TemplateKind::ALL {
        world.s3.seed(
            TEMPLATES_BUCKET,
            &kind.object_key(),
            Bytes::from_static(kind.text().as_bytes()),
            made,
        );
    }
}

fn text(status: StatusCode, content_type: &'static str, body: &'static str) -> Response {
    with_headers(status, content_type, Response::new(body.into()))
}

fn answer(status: StatusCode, value: &Value) -> Response {
    with_headers(
        status,
        "application/json",
        Response::new(value.to_string().into()),
    )
}

fn with_headers(status: StatusCode, content_type: &'static str, mut response: Response) -> Response {
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
