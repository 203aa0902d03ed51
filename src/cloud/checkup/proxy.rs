//! Which proxy leads to which host, by the same rules as the client's own.

use super::super::http::{host_of, is_near};
use super::metadata::ADDRESS;
use crate::domain::finding::Finding;
use crate::domain::text::scrub;
use aws_types::os_shim_internal::Env;
use hyper_util::client::proxy::matcher::Matcher;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a proxy may take to be reached.
const PATIENCE: Duration = Duration::from_secs(2);

/// The way to a host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// Through a proxy: its address, without what it wants to be told, and the variable that names it.
    Through { proxy: String, var: &'static str },
    /// Directly, since this variable excepts the host.
    Excepted(&'static str),
    /// Directly, since no proxy could lead there.
    Near,
    /// Directly.
    Direct,
}

/// The proxies that the environment names. A value may hold a password, and is shown nowhere.
struct Proxies {
    /// Variables that hold something which names no proxy.
    broken: Vec<&'static str>,
    https: Option<&'static str>,
    http: Option<&'static str>,
    no: Option<&'static str>,
    matcher: Matcher,
    without_exceptions: Matcher,
}

impl Proxies {
    fn of(env: &Env) -> Self {
        let mut broken = Vec::new();
        // The first that is set counts, also if it is empty, which means none.
        let mut read = |names: [&'static str; 2]| {
            let (name, value) = names
                .into_iter()
                .find_map(|name| Some((name, env.get(name).ok()?)))?;
            if value.trim().is_empty() {
                return None;
            }
            if !names_a_proxy(&value) {
                broken.push(name);
                return None;
            }
            Some((name, value))
        };
        // For a CGI script HTTP_PROXY is what a stranger has sent as a header.
        let cgi = env.get("REQUEST_METHOD").is_ok();
        let all = read(["ALL_PROXY", "all_proxy"]).filter(|_| !cgi);
        let https = read(["HTTPS_PROXY", "https_proxy"])
            .filter(|_| !cgi)
            .or(all.clone());
        let http = read(["HTTP_PROXY", "http_proxy"]).filter(|_| !cgi).or(all);
        let no = ["NO_PROXY", "no_proxy"]
            .into_iter()
            .find_map(|name| Some((name, env.get(name).ok()?)));
        let build = |no: &str| {
            let value =
                |set: &Option<(&str, String)>| set.as_ref().map(|(_, v)| v.clone()).unwrap_or_default();
            Matcher::builder()
                .https(value(&https))
                .http(value(&http))
                .no(no.to_owned())
                .build()
        };
        Self {
            matcher: build(no.as_ref().map_or("", |(_, value)| value)),
            without_exceptions: build(""),
            broken,
            https: https.map(|(name, _)| name),
            http: http.map(|(name, _)| name),
            no: no.map(|(name, _)| name),
        }
    }

    fn way(&self, endpoint: &str) -> Way {
        if is_near(&host_of(endpoint)) {
            return Way::Near;
        }
        let Ok(uri) = endpoint.parse::<http::Uri>() else {
            return Way::Direct;
        };
        let var = if uri.scheme_str() == Some("http") {
            self.http
        } else {
            self.https
        };
        match (self.matcher.intercept(&uri), var) {
            (Some(proxy), Some(var)) => Way::Through {
                proxy: scrub(proxy.uri().to_string().trim_end_matches('/')),
                var,
            },
            _ => match (self.without_exceptions.intercept(&uri), self.no) {
                (Some(_), Some(var)) => Way::Excepted(var),
                _ => Way::Direct,
            },
        }
    }
}

fn names_a_proxy(value: &str) -> bool {
    let any = http::Uri::from_static("https://aws.amazon.com/");
    Matcher::builder()
        .all(value.to_owned())
        .build()
        .intercept(&any)
        .is_some()
}

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
    let mut ways: BTreeMap<Way, Vec<String>> = BTreeMap::new();
    for endpoint in endpoints {
        let hosts = ways.entry(proxies.way(endpoint)).or_default();
        let host = scrub(&host_of(endpoint));
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    for way in ways.keys() {
        if let Way::Through { proxy, var } = way
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

fn in_words(way: &Way) -> String {
    match way {
        Way::Through { proxy, var } => format!("through {proxy} ({var})"),
        Way::Excepted(var) => format!("directly ({var})"),
        Way::Near => "directly: it is this machine".to_owned(),
        Way::Direct => "directly".to_owned(),
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

    fn way(vars: &[(&str, &str)], endpoint: &str) -> Way {
        Proxies::of(&Env::from_slice(vars)).way(endpoint)
    }

    fn through(proxy: &str, var: &'static str) -> Way {
        Way::Through {
            proxy: proxy.to_owned(),
            var,
        }
    }

    #[test]
    fn each_host_has_its_way() {
        let p = "http://p:3128";
        assert_eq!(way(&[], STS), Way::Direct);
        assert_eq!(way(&[("HTTPS_PROXY", p)], STS), through(p, "HTTPS_PROXY"));
        assert_eq!(way(&[("https_proxy", p)], STS), through(p, "https_proxy"));
        assert_eq!(way(&[("HTTPS_PROXY", ""), ("https_proxy", p)], STS), Way::Direct);
        assert_eq!(way(&[("HTTP_PROXY", p)], STS), Way::Direct);
        assert_eq!(way(&[("ALL_PROXY", p)], STS), through(p, "ALL_PROXY"));
        assert_eq!(
            way(&[("ALL_PROXY", p)], "http://moto.corp:5000"),
            through(p, "ALL_PROXY")
        );
        let both = [
            ("HTTPS_PROXY", p),
            ("NO_PROXY", "169.254.169.254, .amazonaws.com"),
        ];
        assert_eq!(way(&both, STS), Way::Excepted("NO_PROXY"));
        assert_eq!(
            way(&both, "https://sts.cn-north-1.amazonaws.com.cn"),
            through(p, "HTTPS_PROXY")
        );
        for near in ["http://127.0.0.1:4566", "http://localhost:1", ADDRESS] {
            assert_eq!(way(&[("ALL_PROXY", p)], near), Way::Near, "{near}");
        }
    }

    #[test]
    fn what_a_proxy_wants_to_be_told_is_not_shown() {
        let shown = way(&[("HTTPS_PROXY", "http://me:s3cr3t@p:3128/x")], STS);
        assert_eq!(shown, through("http://p:3128", "HTTPS_PROXY"));
    }

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
