//! S3 paths: the bucket and prefix that a grant covers, and the locations found in Glue.

mod bucket;
mod cover;
mod location;
mod other;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use super::{invalid::Invalid, word::serde_as_text};
pub use cover::{Cover, Covered};
pub use location::S3Location;
use other::Other;

const PART: &str = "S3 path";
const EXPECTED: &str = "s3://BUCKET or s3://BUCKET/PREFIX";

/// A bucket, or everything below a prefix in it. Two spellings (`s3a://b/x/`, `s3://b/x`) are equal.
#[derive(Clone, Debug)]
pub struct S3Path {
    given: String,
    bucket: String,
    /// Empty, or ends in a slash.
    prefix: String,
}

impl S3Path {
    /// The bucket's name.
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// The prefix of every key below the path: empty, or ending in `/`.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether the path covers every object of the bucket.
    pub fn whole_bucket(&self) -> bool {
        self.prefix.is_empty()
    }

    /// What to say before a whole bucket is granted.
    pub fn warning(&self) -> Option<String> {
        self.whole_bucket().then(|| {
            format!(
                "whole bucket: the policy will cover every object of {}",
                self.bucket
            )
        })
    }

    /// What to say of a blank in the prefix. S3 takes it for a letter like any other; mostly nobody meant it.
    pub fn blank(&self) -> Option<String> {
        let odd = self.prefix.chars().find(|c| c.is_whitespace())?;
        let without: String = self.prefix.chars().filter(|c| !c.is_whitespace()).collect();
        Some(format!(
            "the prefix holds {}: only keys with it are covered; without it, it is s3://{}/{}",
            blank_named(odd),
            self.bucket,
            without.trim_matches('/')
        ))
    }

    /// What was typed, for engines that want its scheme.
    pub fn as_given(&self) -> &str {
        &self.given
    }

    /// Whether a location lies at or below this path. Keys are compared as S3 does: byte by byte, `//` and `..` are
    /// names like any other.
    pub fn contains(&self, location: &S3Location) -> bool {
        location.bucket() == Some(self.bucket())
            && (self.whole_bucket()
                || location.key().starts_with(&self.prefix)
                || self.prefix.strip_suffix('/') == Some(location.key()))
    }
}

serde_as_text!(S3Path);

impl PartialEq for S3Path {
    fn eq(&self, other: &Self) -> bool {
        (&self.bucket, &self.prefix) == (&other.bucket, &other.prefix)
    }
}

impl Eq for S3Path {}

impl std::hash::Hash for S3Path {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (&self.bucket, &self.prefix).hash(state);
    }
}

impl PartialOrd for S3Path {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for S3Path {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (&self.bucket, &self.prefix).cmp(&(&other.bucket, &other.prefix))
    }
}

impl fmt::Display for S3Path {
    /// `s3://bucket/prefix`, without the slash at the end (a prefix that ends in `//` or in a blank keeps it:
    /// without it another path would be read back).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.prefix.is_empty() {
            return f.pad(&format!("s3://{}", self.bucket));
        }
        let shown = match self.prefix.strip_suffix('/') {
            Some(short) if !short.ends_with(|c: char| c == '/' || c.is_whitespace()) => short,
            _ => &self.prefix,
        };
        f.pad(&format!("s3://{}/{shown}", self.bucket))
    }
}

impl FromStr for S3Path {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let text = given.trim();
        if text.is_empty() {
            return Err(Invalid::empty(PART, EXPECTED));
        }
        let wrong = |why: &str, expected: String| Err(Invalid::new(PART, given, why, expected));
        if let Some(odd) = text.chars().find(|c| c.is_control()) {
            return wrong(
                &format!("holds the control character U+{:04X}", u32::from(odd)),
                EXPECTED.into(),
            );
        }
        if text.starts_with("arn:") {
            return Err(arn(given, text));
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return match text.split_once(':') {
                Some((scheme, _)) => wrong(
                    &format!("is not S3: it has the scheme {scheme}:"),
                    EXPECTED.into(),
                ),
                None => wrong(
                    "has no scheme",
                    format!("s3:// in front: s3://{}", text.trim_start_matches('/')),
                ),
            };
        };
        match scheme.to_ascii_lowercase().as_str() {
            "s3" | "s3a" | "s3n" => {}
            "http" | "https" => return Err(web(given, rest)),
            _ => {
                return wrong(
                    &format!("is not S3: it has the scheme {scheme}://"),
                    EXPECTED.into(),
                );
            }
        }
        if rest.starts_with("arn:") {
            return Err(arn(given, rest));
        }
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        bucket::check(bucket)?;
        if key.starts_with('/') {
            let mended = format!("s3://{bucket}/{}", key.trim_start_matches('/'));
            return wrong(
                "has a prefix that starts with a slash",
                format!("one slash after the bucket: {mended}"),
            );
        }
        if let Some(odd) = key
            .chars()
            .find(|c| matches!(c, '*' | '?'))
            .map(String::from)
            .or_else(|| key.contains("${").then(|| "${".to_owned()))
        {
            let why = format!("holds {odd}, which an IAM policy reads as a pattern: it would grant more");
            return wrong(
                &why,
                "a prefix as it is, without patterns; everything below it is covered".into(),
            );
        }
        let mut prefix = key.to_owned();
        if !prefix.is_empty() && !prefix.ends_with('/') {
            prefix.push('/');
        }
        if prefix.len() > 1024 {
            return wrong(
                &format!("has a prefix of {} bytes", prefix.len()),
                "at most 1024 bytes, the longest key".into(),
            );
        }
        Ok(Self {
            given: text.to_owned(),
            bucket: bucket.to_owned(),
            prefix,
        })
    }
}

/// Which blank: some look like nothing at all.
fn blank_named(odd: char) -> String {
    match odd {
        ' ' => "a blank".to_owned(),
        odd => format!("the blank U+{:04X}", u32::from(odd)),
    }
}

/// An ARN in the place of a path, with `s3://` before it or not.
fn arn(given: &str, text: &str) -> Invalid {
    if let Some(kind) = Other::of_arn(text) {
        return Invalid::new(PART, given, format!("is {}", kind.what()), kind.instead());
    }
    let resource = text.splitn(6, ':').nth(5).unwrap_or("");
    let resource = resource.trim_end_matches('*');
    let expected = if text.contains(":s3:::") && !resource.is_empty() {
        format!("it as a path: s3://{resource}")
    } else {
        EXPECTED.to_owned()
    };
    Invalid::new(PART, given, "is an ARN", expected)
}

fn web(given: &str, rest: &str) -> Invalid {
    let (host, key) = rest.split_once('/').unwrap_or((rest, ""));
    let expected = match host.split_once(".s3.").or_else(|| host.split_once(".s3-")) {
        Some((bucket, _)) => format!("it as a path: s3://{bucket}/{key}"),
        None if host.starts_with("s3.") || host.starts_with("s3-") => format!("it as a path: s3://{key}"),
        None => EXPECTED.to_owned(),
    };
    Invalid::new(PART, given, "is a web address", expected)
}
