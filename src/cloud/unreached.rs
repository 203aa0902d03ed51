//! Why a place of AWS was not reached, and what to do about it.

use super::http::Trouble;
use super::problem::Told;
use crate::domain::problem::{Detail, Kind};

/// Why a place of AWS was not reached.
pub(super) fn told(place: &str, trouble: Trouble, words: &str) -> Told {
    let (what, next) = match trouble {
        Trouble::Name => (
            format!("The name of {place} does not resolve"),
            "Check the network, the region's spelling and the endpoint URL",
        ),
        Trouble::Refused => (
            format!("Nothing answers where {place} should be"),
            "Check the endpoint URL and that its server runs",
        ),
        Trouble::Certificate => (
            format!("The certificate shown for {place} is not trusted"),
            "If a proxy inspects TLS here, set AWS_CA_BUNDLE to a PEM file with its certificate",
        ),
        Trouble::Proxy => (
            format!("The proxy did not lead to {place}"),
            "Correct HTTPS_PROXY or NO_PROXY, or unset them where no proxy is needed; \
             glueup doctor shows which part of the way is shut",
        ),
        Trouble::Silent => (
            format!("No answer from {place} in time"),
            "Check the network and the proxy (HTTPS_PROXY, NO_PROXY), then try again; \
             glueup doctor shows which part of the way is shut",
        ),
        Trouble::Other => (
            format!("No connection to {place}"),
            "Check the network and the proxy (HTTPS_PROXY, NO_PROXY), then try again",
        ),
    };
    Told(Kind::Unreachable, what, words.to_owned(), next.to_owned())
}

/// STS that is off in a region. In which account AWS says, else it is that of the role that was to be assumed.
pub(super) fn region_off(region: &str, message: &str, detail: &Detail) -> Told {
    let said = message.split_once("account:").map(|(_, rest)| {
        let rest = rest.trim_start();
        rest.split(|c: char| !c.is_ascii_digit())
            .next()
            .unwrap_or_default()
    });
    let of_role = detail.resource.as_deref().and_then(|arn| arn.split(':').nth(4));
    let account = said.into_iter().chain(of_role).find(|id| id.len() == 12);
    let account = account.map_or_else(|| "this account".to_owned(), |id| format!("account {id}"));
    Told(
        Kind::Denied,
        format!("STS is not active in {region} for {account}"),
        "AWS answered RegionDisabledException".to_owned(),
        format!("Activate {region} in the IAM console of {account}: Account settings, Endpoints"),
    )
}
