//! Which proxy leads to which host, by the same rules as the client's own.

use super::http::{host_of, is_near};
use crate::domain::text::scrub;
use aws_types::os_shim_internal::Env;
use hyper_util::client::proxy::matcher::Matcher;

/// The way to a host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Route {
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
pub(super) struct Proxies {
    /// Variables that hold something which names no proxy.
    pub(super) broken: Vec<&'static str>,
    /// The variable that names the one for HTTPS.
    pub(super) https: Option<&'static str>,
    /// The same for plain HTTP.
    pub(super) http: Option<&'static str>,
    no: Option<&'static str>,
    matcher: Matcher,
    without_exceptions: Matcher,
}

impl Proxies {
    /// Those of this environment.
    pub(super) fn of(env: &Env) -> Self {
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

    /// The way to an endpoint.
    pub(super) fn route(&self, endpoint: &str) -> Route {
        if is_near(&host_of(endpoint)) {
            return Route::Near;
        }
        let Ok(uri) = endpoint.parse::<http::Uri>() else {
            return Route::Direct;
        };
        let var = if uri.scheme_str() == Some("http") {
            self.http
        } else {
            self.https
        };
        match (self.matcher.intercept(&uri), var) {
            (Some(proxy), Some(var)) => Route::Through {
                proxy: scrub(proxy.uri().to_string().trim_end_matches('/')),
                var,
            },
            _ => match (self.without_exceptions.intercept(&uri), self.no) {
                (Some(_), Some(var)) => Route::Excepted(var),
                _ => Route::Direct,
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

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "http://169.254.169.254";
    const STS: &str = "https://sts.us-west-2.amazonaws.com";

    fn route(vars: &[(&str, &str)], endpoint: &str) -> Route {
        Proxies::of(&Env::from_slice(vars)).route(endpoint)
    }

    fn through(proxy: &str, var: &'static str) -> Route {
        Route::Through {
            proxy: proxy.to_owned(),
            var,
        }
    }

    #[test]
    fn each_host_has_its_way() {
        let p = "http://p:3128";
        assert_eq!(route(&[], STS), Route::Direct);
        assert_eq!(route(&[("HTTPS_PROXY", p)], STS), through(p, "HTTPS_PROXY"));
        assert_eq!(route(&[("https_proxy", p)], STS), through(p, "https_proxy"));
        assert_eq!(
            route(&[("HTTPS_PROXY", ""), ("https_proxy", p)], STS),
            Route::Direct
        );
        assert_eq!(route(&[("HTTP_PROXY", p)], STS), Route::Direct);
        assert_eq!(route(&[("ALL_PROXY", p)], STS), through(p, "ALL_PROXY"));
        assert_eq!(
            route(&[("ALL_PROXY", p)], "http://moto.corp:5000"),
            through(p, "ALL_PROXY")
        );
        let both = [
            ("HTTPS_PROXY", p),
            ("NO_PROXY", "169.254.169.254, .amazonaws.com"),
        ];
        assert_eq!(route(&both, STS), Route::Excepted("NO_PROXY"));
        assert_eq!(
            route(&both, "https://sts.cn-north-1.amazonaws.com.cn"),
            through(p, "HTTPS_PROXY")
        );
        for near in ["http://127.0.0.1:4566", "http://localhost:1", ADDRESS] {
            assert_eq!(route(&[("ALL_PROXY", p)], near), Route::Near, "{near}");
        }
    }

    #[test]
    fn what_a_proxy_wants_to_be_told_is_not_shown() {
        let shown = route(&[("HTTPS_PROXY", "http://me:s3cr3t@p:3128/x")], STS);
        assert_eq!(shown, through("http://p:3128", "HTTPS_PROXY"));
    }
}
