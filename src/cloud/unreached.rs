//! Why a place of AWS was not reached, and what to do about it.

use super::http::Trouble;
use super::problem::Told;
use crate::domain::problem::Kind;

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
