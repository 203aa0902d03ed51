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
            "Check HTTPS_PROXY and NO_PROXY",
        ),
        Trouble::Other => (
            format!("No connection to {place}"),
            "Check the network and the proxy (HTTPS_PROXY, NO_PROXY), then try again",
        ),
    };
    Told(Kind::Unreachable, what, words.to_owned(), next.to_owned())
}
