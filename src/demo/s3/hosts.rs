//! Bucket names in the host: `acme-lake.localhost`, `acme-lake.s3.us-west-2.localhost`. Every name below `localhost`
//! is this machine, so clients that insist on virtual-hosted style can be served too. So are those that a proxy leads
//! here, and that believe to ask AWS: `acme-lake.s3.us-west-2.amazonaws.com`.

use s3s::S3Result;
use s3s::host::{S3Host, VirtualHost};

/// Reads the bucket from the host, where it names one.
#[derive(Debug)]
pub struct Hosts;

impl S3Host for Hosts {
    fn parse_host_header<'a>(&'a self, host: &'a str) -> S3Result<VirtualHost<'a>> {
        Ok(match bucket(host) {
            Some(bucket) => VirtualHost::new(host).with_bucket(bucket),
            None => VirtualHost::new(host),
        })
    }
}

fn bucket(host: &str) -> Option<&str> {
    let name = host.split_once(':').map_or(host, |(name, _)| name);
    let Some(head) = name.strip_suffix(".localhost") else {
        let aws = name.strip_suffix(".cn").unwrap_or(name);
        let head = aws.strip_suffix(".amazonaws.com")?;
        return head.rsplit_once(".s3.").map(|(bucket, _region)| bucket);
    };
    if head == "s3" || head.starts_with("s3.") {
        return None;
    }
    // A bucket's name may itself hold dots: the service's label is the last one that says `s3`.
    Some(head.rsplit_once(".s3.").map_or(head, |(bucket, _region)| bucket))
        .map(|bucket| bucket.strip_suffix(".s3").unwrap_or(bucket))
}

#[cfg(test)]
mod tests {
    use super::bucket;

    #[test]
    fn buckets_are_read_from_hosts_below_localhost_and_from_those_of_aws() {
        assert_eq!(bucket("127.0.0.1:9000"), None);
        assert_eq!(bucket("localhost:9000"), None);
        assert_eq!(bucket("s3.us-west-2.localhost:9000"), None);
        assert_eq!(bucket("acme-lake.localhost:9000"), Some("acme-lake"));
        assert_eq!(bucket("acme.lake.s3.us-west-2.localhost"), Some("acme.lake"));
        assert_eq!(bucket("acme-lake.s3.localhost"), Some("acme-lake"));
        assert_eq!(bucket("acme-lake.example.com"), None);
        assert_eq!(bucket("a.s3.b.s3.us-west-2.amazonaws.com:443"), Some("a.s3.b"));
        assert_eq!(
            bucket("acme-lake.s3.cn-north-1.amazonaws.com.cn"),
            Some("acme-lake")
        );
        assert_eq!(bucket("s3.us-west-2.amazonaws.com"), None);
    }
}
