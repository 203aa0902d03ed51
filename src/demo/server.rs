//! The one port: tells the services apart by the signature's scope, and writes their answers in their protocols.

use super::caller::Caller;
use super::error::AwsError;
use super::params::Params;
use super::world::World;
use super::xml::Xml;
use super::{Request, Response, admin, clock, cloudformation, console, glue, iam, ids, s3, sigv4, sts};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use s3s::service::S3Service;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;

type HttpRequest = http::Request<Incoming>;
type HttpResponse = http::Response<s3s::Body>;

/// Largest request of any service but S3, which streams. CloudFormation's templates end at 1 MB.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// Serves until it is told to stop.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    world: Arc<World>,
    mut stopped: watch::Receiver<bool>,
) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(why) => {
            tracing::error!(%why, "the embedded AWS cannot listen");
            return;
        }
    };
    cloudformation::resume(&world);
    let s3 = s3::service(world.clone());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|stop| *stop) => return,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(why) => {
                // Out of file handles, mostly: wait for some to come back instead of spinning.
                tracing::warn!(%why, "a connection was not accepted");
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            }
        };
        // Small answers must not wait for the other side's acknowledgement.
        let _ = stream.set_nodelay(true);
        let (world, s3) = (world.clone(), s3.clone());
        tokio::spawn(async move {
            let service = hyper::service::service_fn(move |request| {
                let (world, s3) = (world.clone(), s3.clone());
                async move { Ok::<_, Infallible>(answer(&world, &s3, request).await) }
            });
            let connection = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new())
                .http1_only()
                .serve_connection(TokioIo::new(stream), service)
                .await;
            if let Err(why) = connection {
                tracing::debug!(%why, "a connection ended early");
            }
        });
    }
}

async fn answer(world: &Arc<World>, s3: &S3Service, request: HttpRequest) -> HttpResponse {
    let id = ids::uuid();
    let mut response = route(world, s3, request, &id).await;
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert("x-amzn-requestid", id.clone());
        headers.insert("x-amz-request-id", id);
    }
    if let Ok(date) = HeaderValue::from_str(&clock::http_date(world.now())) {
        headers.insert(header::DATE, date);
    }
    response
}

async fn route(world: &Arc<World>, s3: &S3Service, request: HttpRequest, id: &str) -> HttpResponse {
    let scope = match sigv4::scope(request.headers(), request.uri()) {
        Ok(scope) => scope,
        Err(error) => return protocol_of(request.headers(), None).error(&error, id),
    };
    let ours = match scope {
        None => request.uri().path().starts_with("/_"),
        Some(_) => false,
    };
    if ours {
        return local(world, request).await;
    }
    let service = scope.as_ref().map(|scope| scope.service.clone());
    let protocol = protocol_of(request.headers(), service.as_deref());
    if !admin::origin_is_ours(request.headers()) {
        return protocol.error(
            &AwsError::denied("Requests of a web page are not answered here"),
            id,
        );
    }
    let latency = world.knobs.latency();
    if !latency.is_zero() {
        tokio::time::sleep(latency).await;
    }
    if world.knobs.throttles() {
        return protocol.error(&protocol.too_many(), id);
    }
    let (parts, body) = request.into_parts();
    let control = s3::points::is_control(&parts);
    let request = HttpRequest::from_parts(parts, body);
    let Some(scope) = scope.filter(|scope| scope.service != "s3" || control) else {
        return match s3.call(request.map(s3s::Body::from)).await {
            Ok(response) => response,
            Err(why) => {
                tracing::warn!(?why, "S3 failed inside");
                Protocol::S3.error(
                    &AwsError::internal("We encountered an internal error. Please try again."),
                    id,
                )
            }
        };
    };
    match signed(world, request, &scope, id).await {
        Ok(response) => response,
        Err(error) => protocol.error(&error, id),
    }
}

/// The console and the admin path.
async fn local(world: &Arc<World>, request: HttpRequest) -> HttpResponse {
    if !admin::is_ours(request.headers()) {
        let body = "Only programs and pages of this machine are answered here.\n";
        return with_type(
            StatusCode::FORBIDDEN,
            "text/plain; charset=utf-8",
            body.to_owned(),
        );
    }
    match collect(request).await {
        Ok(request) => {
            let path = request.uri().path();
            let response = if path == admin::PATH || path.starts_with("/_glueup/") {
                admin::handle(world, &request)
            } else {
                console::handle(world, &request)
            };
            response.map(s3s::Body::from)
        }
        Err(error) => with_type(
            StatusCode::BAD_REQUEST,
            "text/plain; charset=utf-8",
            error.message,
        ),
    }
}

async fn signed(
    world: &Arc<World>,
    request: HttpRequest,
    scope: &sigv4::Scope,
    id: &str,
) -> Result<HttpResponse, AwsError> {
    let request = collect(request).await?;
    let key = world.usable_key(&scope.key_id, scope.token.as_deref())?;
    let (parts, body) = request.into_parts();
    sigv4::verify(&parts, &body, scope, &key.secret, world.now())?;
    let request = Request::from_parts(parts, body);
    let (caller, region) = (&key.caller, scope.region.as_str());
    match scope.service.as_str() {
        "glue" if request.headers().contains_key("x-amz-target") => {
            let answer = glue_json(world, caller, region, &request)?;
            Ok(with_type(
                StatusCode::OK,
                "application/x-amz-json-1.1",
                answer.to_string(),
            ))
        }
        // The requests to S3 itself never come here.
        "s3" => {
            let answer = s3::points::handle(world, caller, region, &request)?;
            Ok(with_type(StatusCode::OK, "application/xml", answer))
        }
        "glue" => glue::rest(world, caller, region, &request).map(|response| response.map(s3s::Body::from)),
        service => {
            let mut params = Params::parse(request.uri().query().unwrap_or_default().as_bytes());
            params.extend(request.body());
            let answer = match service {
                "sts" => sts::handle(world, caller, &params),
                "iam" => iam::handle(world, caller, &params),
                "cloudformation" => cloudformation::handle(world, caller, region, &params),
                other => Err(AwsError::new(
                    400,
                    "InvalidAction",
                    format!("The service {other} does not exist here"),
                )),
            }?;
            Ok(query_answer(service, params.action(), answer, id))
        }
    }
}

fn glue_json(
    world: &Arc<World>,
    caller: &Caller,
    region: &str,
    request: &Request,
) -> Result<Value, AwsError> {
    let target = request
        .headers()
        .get("x-amz-target")
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let operation = target.strip_prefix("AWSGlue.").ok_or_else(|| {
        AwsError::new(
            400,
            "UnknownOperationException",
            format!("No such target: {target}"),
        )
    })?;
    let body = if request.body().is_empty() {
        json!({})
    } else {
        serde_json::from_slice(request.body())
            .map_err(|why| AwsError::new(400, "SerializationException", why.to_string()))?
    };
    glue::handle(world, caller, region, operation, &body)
}

async fn collect(request: HttpRequest) -> Result<Request, AwsError> {
    let (parts, body) = request.into_parts();
    let body = Limited::new(body, MAX_BODY).collect().await.map_err(|why| {
        AwsError::new(
            413,
            "RequestEntityTooLarge",
            format!("The request's body cannot be read: {why}"),
        )
    })?;
    Ok(Request::from_parts(parts, body.to_bytes()))
}

/// How a service writes.
#[derive(Clone, Copy)]
enum Protocol {
    /// XML in the namespace of a query service.
    Query(&'static str),
    /// JSON with `__type`.
    Json,
    /// S3's XML.
    S3,
}

fn protocol_of(headers: &HeaderMap, service: Option<&str>) -> Protocol {
    match service {
        Some("s3") => Protocol::S3,
        Some(service @ ("sts" | "iam" | "cloudformation")) => Protocol::Query(namespace(service)),
        // Glue, and every newer service.
        Some(_) => Protocol::Json,
        None if headers.contains_key("x-amz-target") => Protocol::Json,
        None => Protocol::S3,
    }
}

fn namespace(service: &str) -> &'static str {
    match service {
        "iam" => "https://iam.amazonaws.com/doc/2010-05-08/",
        "cloudformation" => "http://cloudformation.amazonaws.com/doc/2010-05-15/",
        _ => "https://sts.amazonaws.com/doc/2011-06-15/",
    }
}

impl Protocol {
    fn too_many(self) -> AwsError {
        match self {
            Self::S3 => AwsError::new(503, "SlowDown", "Please reduce your request rate."),
            Self::Query(_) | Self::Json => AwsError::new(400, "Throttling", "Rate exceeded"),
        }
    }

    fn error(self, error: &AwsError, id: &str) -> HttpResponse {
        let status = StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let sender = if status.is_server_error() {
            "Receiver"
        } else {
            "Sender"
        };
        match self {
            Self::Query(namespace) => {
                let inner = Xml::new()
                    .node(
                        "Error",
                        Xml::new()
                            .text("Type", sender)
                            .text("Code", &error.code)
                            .text("Message", &error.message),
                    )
                    .text("RequestId", id);
                let body = format!(
                    "<ErrorResponse xmlns=\"{namespace}\">{}</ErrorResponse>",
                    inner.as_str()
                );
                with_type(status, "text/xml", body)
            }
            Self::Json => {
                let status = if status.is_server_error() {
                    status
                } else {
                    StatusCode::BAD_REQUEST
                };
                let code = error.json_code();
                // Glue writes `Message` for its own exceptions and `message` for the front door's; clients read both.
                let body = json!({"__type": code, "message": error.message, "Message": error.message});
                let mut response = with_type(status, "application/x-amz-json-1.1", body.to_string());
                if let Ok(code) = HeaderValue::from_str(code) {
                    response.headers_mut().insert("x-amzn-errortype", code);
                }
                response
            }
            Self::S3 => {
                let inner = Xml::new()
                    .text("Code", &error.code)
                    .text("Message", &error.message)
                    .text("RequestId", id);
                let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
                with_type(
                    status,
                    "application/xml",
                    format!("{declaration}<Error>{}</Error>", inner.as_str()),
                )
            }
        }
    }
}

fn query_answer(service: &str, action: &str, answer: Xml, id: &str) -> HttpResponse {
    let inner = Xml::new()
        .node(&format!("{action}Result"), answer)
        .node("ResponseMetadata", Xml::new().text("RequestId", id));
    let namespace = namespace(service);
    let body = format!(
        "<{action}Response xmlns=\"{namespace}\">{}</{action}Response>",
        inner.as_str()
    );
    with_type(StatusCode::OK, "text/xml", body)
}

fn with_type(status: StatusCode, content_type: &'static str, body: String) -> HttpResponse {
    let mut response = Response::new(Bytes::from(body)).map(s3s::Body::from);
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
