//! The way that requests to S3 take from here, as far as it can be seen: the policy of a VPC endpoint counts for those alone
//! who come through one.

use super::aws::Aws;
use super::checkup;
use super::http::{host_of, is_near};
use crate::domain::region::Region;
use crate::domain::s3_path::AccessPointArn;
use crate::domain::text::scrub;
use aws_types::os_shim_internal::Env;
use std::net::IpAddr;
use std::time::Duration;

/// How long a name may take to resolve.
const PATIENCE: Duration = Duration::from_secs(2);

/// What was seen.
struct Path {
    /// Whether the metadata service of a virtual machine answers.
    in_aws: bool,
    host: String,
    /// The proxy that leads there.
    proxy: Option<String>,
    /// The first address of the host; `None` where it was not learned.
    address: Option<IpAddr>,
}

impl Aws {
    /// The way to a bucket from here, in words; `None` where it ends on this machine.
    pub async fn path_to_s3(&self, bucket: &str, region: &Region) -> Option<String> {
        let own = self.endpoint("S3");
        let url = own.unwrap_or_else(|| {
            let suffix = region.partition().dns_suffix();
            let point = bucket.parse::<AccessPointArn>().ok();
            let of_point = |at: &AccessPointArn| {
                let (name, account, region) = (at.name(), at.account(), at.region());
                format!("https://{name}-{account}.s3-accesspoint.{region}.{suffix}")
            };
            if let Some(point) = &point {
                return of_point(point);
            }
            match self.path_style() || bucket.contains('.') {
                true => format!("https://s3.{region}.{suffix}"),
                false => format!("https://{bucket}.s3.{region}.{suffix}"),
            }
        });
        let host = host_of(&url);
        if is_near(&host) {
            return None;
        }
        let proxy = self.way().proxy(&url);
        let env = Env::real();
        let (in_aws, address) = tokio::join!(checkup::is_virtual_machine(&env), async {
            match &proxy {
                // The proxy resolves it.
                Some(_) => None,
                None => address_of(&host).await,
            }
        });
        let path = Path {
            in_aws,
            host: scrub(&host),
            proxy,
            address,
        };
        Some(path.in_words())
    }
}

async fn address_of(host: &str) -> Option<IpAddr> {
    let found = tokio::time::timeout(PATIENCE, tokio::net::lookup_host((host, 443))).await;
    found.ok()?.ok()?.next().map(|address| address.ip())
}

impl Path {
    fn in_words(&self) -> String {
        let here = match self.in_aws {
            true => "this machine is in AWS (its metadata service answers)",
            false => "this machine seems to be outside of AWS (no metadata service answers)",
        };
        let host = &self.host;
        let there = match (&self.proxy, self.address) {
            (Some(proxy), _) => format!("{host} is reached through the proxy {proxy}"),
            (None, None) => format!("the address of {host} is not known"),
            (None, Some(address)) if is_private(address) => {
                format!("{host} is at {address}, a private address, as a VPC endpoint has")
            }
            (None, Some(address)) if self.in_aws => format!(
                "{host} is at {address}, a public address, which a gateway endpoint of the VPC would not change"
            ),
            (None, Some(address)) => {
                format!("{host} is at {address}, a public address: no VPC endpoint is on the way from here")
            }
        };
        format!("{here}, {there}")
    }
}

/// True for an address that is none of the open network (RFC 1918, RFC 6598, RFC 4193).
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [first, second, ..] = v4.octets();
            v4.is_private() || v4.is_link_local() || first == 100 && second & 0b1100_0000 == 64
        }
        IpAddr::V6(v6) => v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_is_told_as_far_as_it_is_seen() {
        let path = |in_aws, proxy: Option<&str>, address: Option<&str>| {
            Path {
                in_aws,
                host: "b.s3.us-west-2.amazonaws.com".to_owned(),
                proxy: proxy.map(str::to_owned),
                address: address.map(|address| address.parse().unwrap()),
            }
            .in_words()
        };
        for (words, said) in [
            (
                path(true, None, Some("10.0.3.4")),
                "10.0.3.4, a private address, as a VPC endpoint has",
            ),
            (
                path(true, None, Some("52.218.1.2")),
                "which a gateway endpoint of the VPC would not change",
            ),
            (
                path(false, None, Some("52.218.1.2")),
                "no VPC endpoint is on the way from here",
            ),
            (
                path(true, None, Some("52.218.1.2")),
                "its metadata service answers",
            ),
            (path(false, None, None), "is not known"),
            (path(false, None, None), "no metadata service answers"),
            (
                path(false, Some("http://p:3128 (HTTPS_PROXY)"), None),
                "reached through the proxy http://p:3128 (HTTPS_PROXY)",
            ),
        ] {
            assert!(words.contains(said), "{said}: {words}");
        }
    }

    #[test]
    fn addresses_of_ones_own_network_are_private() {
        for address in [
            "10.0.0.1",
            "172.31.9.9",
            "192.168.1.1",
            "100.64.0.1",
            "169.254.1.1",
            "fd00::1",
        ] {
            assert!(is_private(address.parse().unwrap()), "{address}");
        }
        for address in ["52.218.1.2", "172.32.0.1", "100.128.0.1", "2600:1f00::1"] {
            assert!(!is_private(address.parse().unwrap()), "{address}");
        }
    }
}
