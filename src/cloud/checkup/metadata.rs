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

pub(super) async fn check(env: &Env) -> Finding {
    if var(env, "AWS_EC2_METADATA_DISABLED").is_some_and(|off| off.eq_ignore_ascii_case("true")) {
        return Finding::skipped("it is switched off: AWS_EC2_METADATA_DISABLED=true");
    }
    let own = var(env, "AWS_EC2_METADATA_SERVICE_ENDPOINT");
    let ipv6 =
        var(env, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE").is_some_and(|m| m.eq_ignore_ascii_case("ipv6"));
    let address = match &own {
        Some(own) => own.trim_end_matches('/'),
        None if ipv6 => "http://[fd00:ec2::254]",
        None => ADDRESS,
    };
    let begun = Instant::now();
    let status = tokio::time::timeout(METADATA, status(address)).await;
    let shown = scrub(address);
    if let Ok(Some(status)) = status {
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

/// Any answer will do: whoever wants a token first says 401.
async fn status(address: &str) -> Option<u16> {
    let request = http::Request::get(format!("{address}/latest/meta-data/")).body(SdkBody::empty());
    let request = HttpRequest::try_from(request.ok()?).ok()?;
    let answer = Connector::builder().build_http().call(request).await;
    answer.ok().map(|answer| answer.status().as_u16())
}
