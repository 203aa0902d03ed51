//! The metadata service of a virtual machine: it must not keep those waiting who have none.

use super::super::sign_in::{METADATA, var};
use crate::domain::finding::Finding;
use crate::domain::text::scrub;
use aws_smithy_http_client::Connector;
use aws_smithy_runtime_api::client::http::HttpConnector;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use aws_types::os_shim_internal::Env;
use std::time::Instant;

/// Where it is on every virtual machine of EC2, without a name and without a proxy.
pub(super) const ADDRESS: &str = "http://169.254.169.254";
/// Where somebody has put another one.
const OWN: &str = "AWS_EC2_METADATA_SERVICE_ENDPOINT";

/// Whether one answers: then this is a virtual machine of AWS, or a container on one.
pub(in crate::cloud) async fn is_virtual_machine(env: &Env) -> bool {
    !is_off(env) && answered(&address(env)).await.is_some()
}

pub(super) async fn check(env: &Env) -> Finding {
    if is_off(env) {
        return Finding::skipped("it is switched off: AWS_EC2_METADATA_DISABLED=true");
    }
    let own = var(env, OWN);
    let address = address(env);
    let begun = Instant::now();
    let status = answered(&address).await;
    let shown = scrub(&address);
    if let Some(status) = status {
        return Finding::passed(format!(
            "{shown} answers in {} ms (HTTP {status})",
            begun.elapsed().as_millis()
        ));
    }
    if own.is_some() {
        return Finding::warning(
            format!("nobody answers at {shown} within {} ms", METADATA.as_millis()),
            "unset AWS_EC2_METADATA_SERVICE_ENDPOINT",
        );
    }
    Finding::passed(format!(
        "nobody answers at {shown} within {} ms, as on any machine outside EC2; nothing waits longer for it",
        METADATA.as_millis()
    ))
}

fn is_off(env: &Env) -> bool {
    var(env, "AWS_EC2_METADATA_DISABLED").is_some_and(|off| off.eq_ignore_ascii_case("true"))
}

/// Where it is by these settings.
fn address(env: &Env) -> String {
    let ipv6 =
        var(env, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE").is_some_and(|m| m.eq_ignore_ascii_case("ipv6"));
    match var(env, OWN) {
        Some(own) => own.trim_end_matches('/').to_owned(),
        None if ipv6 => "http://[fd00:ec2::254]".to_owned(),
        None => ADDRESS.to_owned(),
    }
}

async fn answered(address: &str) -> Option<u16> {
    let status = tokio::time::timeout(METADATA, status(address)).await;
    status.ok().flatten()
}

/// Any answer will do: whoever wants a token first says 401.
async fn status(address: &str) -> Option<u16> {
    let request = http::Request::get(format!("{address}/latest/meta-data/")).body(SdkBody::empty());
    let request = HttpRequest::try_from(request.ok()?).ok()?;
    let answer = Connector::builder().build_http().call(request).await;
    answer.ok().map(|answer| answer.status().as_u16())
}
