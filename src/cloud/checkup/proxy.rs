//! Which proxy leads to which host, and whether somebody is there.

use super::super::http::host_of;
use super::super::proxies::{Proxies, Route};
use super::metadata::ADDRESS;
use crate::domain::finding::Finding;
use crate::domain::text::scrub;
use aws_types::os_shim_internal::Env;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a proxy may take to be reached.
const PATIENCE: Duration = Duration::from_secs(2);

/// Says the way to each endpoint, and whether the proxies on it are there.
pub(super) async fn check(env: &Env, endpoints: &[String]) -> Finding {
    let proxies = Proxies::of(env);
    if let Some(name) = proxies.broken.first() {
        return Finding::failed(
            format!("{name} names no proxy, and is passed over"),
            format!("export {name}=http://HOST:PORT\nor, if none is needed: unset {name}"),
        );
    }
    if proxies.https.is_none() && proxies.http.is_none() {
        return Finding::passed("no proxy is set: everything goes directly");
    }
    let mut ways: BTreeMap<Route, Vec<String>> = BTreeMap::new();
    for endpoint in endpoints {
        let hosts = ways.entry(proxies.route(endpoint)).or_default();
        let host = scrub(&host_of(endpoint));
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    for way in ways.keys() {
        if let Route::Through { proxy, var } = way
            && let Err((why, next)) = reach(proxy, var).await
        {
            return Finding::failed(why, next);
        }
    }
    let mut lines: Vec<String> = ways
        .iter()
        .map(|(way, hosts)| format!("{} {}", hosts.join(", "), in_words(way)))
        .collect();
    let metadata = host_of(ADDRESS);
    lines.push(format!(
        "this machine and its metadata service ({metadata}) directly, always"
    ));
    Finding::passed(lines.join("\n"))
}

fn in_words(way: &Route) -> String {
    match way {
        Route::Through { proxy, var } => format!("through {proxy} ({var})"),
        Route::Excepted(var) => format!("directly ({var})"),
        Route::Near => "directly: it is this machine".to_owned(),
        Route::Direct => "directly".to_owned(),
    }
}

/// Whether somebody listens where the proxy should be.
async fn reach(proxy: &str, var: &str) -> Result<(), (String, String)> {
    let correct = format!("export {var}=http://HOST:PORT\nor, if none is needed: unset {var}");
    let uri: http::Uri = proxy.parse().unwrap_or_default();
    let default = match uri.scheme_str() {
        Some("http") => 80,
        Some("https") => 443,
        _ => {
            return Err((
                format!("{proxy} ({var}) is no HTTP proxy, and no other kind is spoken here"),
                correct,
            ));
        }
    };
    let place = (host_of(proxy), uri.port_u16().unwrap_or(default));
    let why = match tokio::time::timeout(PATIENCE, tokio::net::TcpStream::connect(place)).await {
        Ok(Ok(_)) => return Ok(()),
        Ok(Err(why)) => why.to_string(),
        Err(_) => format!("no answer in {} s", PATIENCE.as_secs()),
    };
    Err((
        format!("the proxy {proxy} ({var}) is not reached: {why}"),
        correct,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::status::Status;

    const STS: &str = "https://sts.us-west-2.amazonaws.com";

    #[tokio::test]
    async fn what_names_no_proxy_and_what_is_not_there_fails() {
        for (value, word) in [
            ("ftp://me:s3cr3t@p:21", "names no proxy"),
            ("::s3cr3t::", "names no proxy"),
            ("socks5://me:s3cr3t@127.0.0.1:1080", "no HTTP proxy"),
            ("http://me:s3cr3t@127.0.0.1:1", "is not reached"),
        ] {
            let env = Env::from_slice(&[("HTTPS_PROXY", value)]);
            let found = check(&env, &[STS.to_owned()]).await;
            assert_eq!(found.status, Status::Failed, "{found:?}");
            assert!(found.answer.contains(word), "{found:?}");
            assert!(!format!("{found:?}").contains("s3cr3t"), "{found:?}");
        }
    }

    #[tokio::test]
    async fn a_proxy_that_is_there_is_said_for_each_host() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = format!("http://{}", listener.local_addr().unwrap());
        let env = Env::from_slice(&[
            ("HTTPS_PROXY", &proxy),
            ("NO_PROXY", "glue.us-west-2.amazonaws.com"),
        ]);
        let endpoints = [
            STS,
            "https://glue.us-west-2.amazonaws.com",
            "http://127.0.0.1:4566",
        ];
        let found = check(&env, &endpoints.map(str::to_owned)).await;
        assert_eq!(found.status, Status::Passed);
        let lines: Vec<&str> = found.answer.lines().collect();
        assert_eq!(
            lines,
            [
                format!("sts.us-west-2.amazonaws.com through {proxy} (HTTPS_PROXY)").as_str(),
                "glue.us-west-2.amazonaws.com directly (NO_PROXY)",
                "127.0.0.1 directly: it is this machine",
                "this machine and its metadata service (169.254.169.254) directly, always",
            ]
        );
    }
}
