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
