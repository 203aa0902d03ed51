//! Where CloudFormation takes a template from.

/// Whether CloudFormation takes `url` as a template's: https, a host of S3, and no S3 website.
pub fn is_s3_url(url: &str) -> bool {
    let Some(host) = host_of(url, "https://") else {
        return false;
    };
    let domain = [".amazonaws.com", ".amazonaws.com.cn", ".amazonaws.eu"]
        .iter()
        .find_map(|suffix| host.strip_suffix(suffix));
    // `s3`, `s3.REGION`, `s3-REGION`, `s3.dualstack.REGION`, each also with `BUCKET.` in front. A bucket's name may
    // hold dots, so the service's own part is looked for from the left and from the right.
    domain.is_some_and(|domain| {
        domain
            .split('.')
            .any(|part| part == "s3" || (part.starts_with("s3-") && !part.starts_with("s3-website")))
            && !domain.split('.').any(|part| part.starts_with("s3-website"))
    })
}

/// The region that the host of an S3 URL names: `us-east-1` where it names none. `None` for another host.
pub fn s3_region(url: &str) -> Option<&str> {
    let host = host_of(url, "https://").filter(|_| is_s3_url(url))?;
    // From the right: a bucket's name may hold such a word too.
    let mut parts = host.rsplit('.').skip_while(|part| *part != "amazonaws");
    match parts.nth(1)? {
        "s3" => Some("us-east-1"),
        part => part.strip_prefix("s3-").or(Some(part)),
    }
}

/// The host of a URL of that scheme, which ends in `://`.
pub fn host_of<'u>(url: &'u str, scheme: &str) -> Option<&'u str> {
    let rest = url.strip_prefix(scheme)?;
    let authority = rest.split(['/', '?', '#']).next()?;
    // A user part before the host is for phishing only.
    if authority.contains('@') {
        return None;
    }
    match authority.strip_prefix('[') {
        Some(six) => six
            .find(']')
            .and_then(|end| authority.get(..end.saturating_add(2))),
        None => authority.split(':').next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_tells_the_region_of_its_bucket() {
        for (url, region) in [
            ("https://b.s3.us-west-2.amazonaws.com/k", Some("us-west-2")),
            ("https://s3.eu-west-1.amazonaws.com/b/k", Some("eu-west-1")),
            ("https://s3-eu-west-1.amazonaws.com/b/k", Some("eu-west-1")),
            (
                "https://b.s3.dualstack.eu-west-1.amazonaws.com/k",
                Some("eu-west-1"),
            ),
            (
                "https://a.s3.b.s3.cn-north-1.amazonaws.com.cn/k",
                Some("cn-north-1"),
            ),
            ("https://b.s3.amazonaws.com/k", Some("us-east-1")),
            ("https://s3.amazonaws.com/b/k", Some("us-east-1")),
            ("https://example.com/k", None),
            ("http://127.0.0.1:9/b/k", None),
        ] {
            assert_eq!(s3_region(url), region, "{url}");
        }
    }
}
