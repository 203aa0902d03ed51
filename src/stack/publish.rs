//! Putting a template once into a bucket of the admin's, so that the console can read it from there.

use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::s3_path::resource;
use crate::registry::PublishedTemplate;
use crate::report::{Answer, Reporter};
use crate::session::Session;
use crate::setup::rules;
use crate::stack::desk::Desk;
use crate::stack::follow::now;
use crate::stack::{Outcome, Target, Update, ask};

/// Writes the template below a key that holds its hash, after a yes, and notes the URL for the links to come.
///
/// The object stays as private as the bucket makes it: the console reads it with the rights of the person who opens it.
///
/// # Errors
/// `NotFound` for a bucket that is not there, `Denied` when it cannot be written, `Interrupted` after a no.
pub async fn run(
    session: &Session,
    target: &Target,
    bucket: &str,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    rules::may_create(session).await?;
    let desk = Desk::open(session, target, reporter).await?;
    let site = &desk.site;
    let s3 = desk.aws.s3(&desk.region);
    // Where S3 does not tell the region, it answered in the one that it was asked in.
    let region = s3
        .bucket_region(bucket)
        .await?
        .unwrap_or_else(|| desk.region.clone());
    rules::same_partition("the bucket", region.partition(), &desk.region)?;
    let key = site.kind.object_key();
    let url = url(desk.aws.endpoint("S3").as_deref(), bucket, &region, &key);
    let s3 = desk.aws.s3(&region);
    // The key holds the hash of the text: what lies there is the same text. Who may write but not look just writes.
    let there = match s3.exists(bucket, &key).await {
        Ok(there) => there,
        Err(problem) if problem.kind == Kind::Denied => false,
        Err(problem) => return Err(problem),
    };
    if !there {
        if reporter.ask(ask::publish(bucket, &key, &desk.caller)).await == Answer::No {
            return Err(Problem::new(
                Kind::Interrupted,
                "not published",
                "the question was not answered with yes; nothing has been written",
                "publish it again when it is right, or save the template and upload it in the console",
            ));
        }
        let resource = resource(region.partition(), bucket, &key);
        let body = site.kind.text().as_bytes().to_vec();
        desk.ledgered(session, "s3:PutObject", &resource, s3.put(bucket, &key, body))
            .await?;
    }
    let template = PublishedTemplate {
        url: url.clone(),
        bucket: bucket.to_owned(),
        key,
        sha256: site.kind.sha256(),
        at: now(),
    };
    session.home.note_published(site.kind.file_name(), template)?;
    Ok(Outcome::Published(url))
}

/// The https URL of an object; path style where a dot in the bucket's name would break the certificate.
fn url(endpoint: Option<&str>, bucket: &str, region: &Region, key: &str) -> String {
    if let Some(endpoint) = endpoint {
        return format!("{}/{bucket}/{key}", endpoint.trim_end_matches('/'));
    }
    let host = region.partition().service_host("s3", region);
    if bucket.contains('.') {
        format!("https://{host}/{bucket}/{key}")
    } else {
        format!("https://{bucket}.{host}/{key}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_follow_the_partition_and_the_bucket() {
        let region: Region = "cn-north-1".parse().unwrap();
        assert_eq!(
            url(None, "acme", &region, "k"),
            "https://acme.s3.cn-north-1.amazonaws.com.cn/k"
        );
        assert_eq!(
            url(None, "a.b", &region, "k"),
            "https://s3.cn-north-1.amazonaws.com.cn/a.b/k"
        );
        assert_eq!(
            url(Some("http://127.0.0.1:9/"), "a", &region, "k"),
            "http://127.0.0.1:9/a/k"
        );
    }
}
