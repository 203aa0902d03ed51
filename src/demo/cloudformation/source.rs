//! Where a template comes from: the request, or S3.

use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::s3;
use crate::demo::world::World;
use crate::stack::cfn::{MAX_BODY_BYTES, MAX_URL_BYTES, TemplateError, is_s3_url};

/// The template of a request: `TemplateBody`, or what stands at `TemplateURL`, read with the caller's rights.
pub fn read(world: &World, caller: &Caller, params: &Params) -> Result<Option<String>, AwsError> {
    match (params.get("TemplateBody"), params.get("TemplateURL")) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(AwsError::validation(
            "Either Template URL or Template Body must be specified, not both.",
        )),
        (Some(body), None) if body.len() > MAX_BODY_BYTES => Err(AwsError::validation(format!(
            "1 validation error detected: Value '…' at 'templateBody' failed to satisfy constraint: Member must have \
             length less than or equal to {MAX_BODY_BYTES}"
        ))),
        (Some(body), None) => Ok(Some(body.to_owned())),
        (None, Some(url)) => from_url(world, caller, url).map(Some),
    }
}

fn from_url(world: &World, caller: &Caller, url: &str) -> Result<String, AwsError> {
    let unsupported = || AwsError::validation("TemplateURL must be a supported URL.");
    let (bucket, key) = bucket_and_key(url, world.endpoint()).ok_or_else(unsupported)?;
    let unreadable =
        || AwsError::validation("TemplateURL must reference a valid S3 object to which you have access.");
    let bytes = s3::read_for(world, caller, &bucket, &key, MAX_URL_BYTES).ok_or_else(unreadable)?;
    let text = String::from_utf8(bytes.to_vec())
        .map_err(|_| TemplateError::unsound("the template is not UTF-8 text."))?;
    Ok(text)
}

/// Bucket and key of a URL of this server (path style), or of S3 itself (either style): a template that was published
/// for AWS is looked up here under the same name.
fn bucket_and_key(url: &str, endpoint: &str) -> Option<(String, String)> {
    let address = url.split(['?', '#']).next()?;
    let path = if let Some(path) = address
        .strip_prefix(endpoint)
        .and_then(|path| path.strip_prefix('/'))
    {
        path.to_owned()
    } else if is_s3_url(url) {
        let (host, path) = address.strip_prefix("https://")?.split_once('/')?;
        match host.rfind(".s3.").or_else(|| host.rfind(".s3-")) {
            Some(end) => format!("{}/{path}", host.get(..end)?),
            None => path.to_owned(),
        }
    } else {
        return None;
    };
    let (bucket, key) = path.split_once('/')?;
    let decode = |text: &str| {
        percent_encoding::percent_decode_str(text)
            .decode_utf8()
            .ok()
            .map(|text| text.into_owned())
    };
    Some((decode(bucket)?, decode(key)?)).filter(|(bucket, key)| !bucket.is_empty() && !key.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_at_an_s3_url_or_at_our_own_address() {
        let endpoint = "http://127.0.0.1:9000";
        for (url, expected) in [
            ("http://127.0.0.1:9000/b/a/t%20x.yaml", Some(("b", "a/t x.yaml"))),
            ("http://127.0.0.1:9000/b/k?X-Amz-Signature=1", Some(("b", "k"))),
            ("https://b.s3.us-west-2.amazonaws.com/a/k", Some(("b", "a/k"))),
            ("https://a.b.s3.amazonaws.com/k?versionId=1", Some(("a.b", "k"))),
            ("https://s3.us-west-2.amazonaws.com/b/k", Some(("b", "k"))),
            ("http://127.0.0.1:9001/b/k", None),
            ("http://127.0.0.1:90001/b/k", None),
            ("https://raw.githubusercontent.com/a/b", None),
            ("s3://b/k", None),
            ("http://127.0.0.1:9000/b", None),
        ] {
            let found = bucket_and_key(url, endpoint);
            assert_eq!(
                found,
                expected.map(|(b, k)| (b.to_owned(), k.to_owned())),
                "{url}"
            );
        }
    }
}
