//! S3 paths: the bucket and prefix that a grant covers, and the locations found in Glue.

mod bucket;
mod cover;
mod location;
mod other;
mod point;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use super::{invalid::Invalid, region::Partition, word::serde_as_text};
pub use cover::{Cover, Covered};
pub use location::S3Location;
use other::Other;
pub use point::{AccessPoint, AccessPointAlias, AccessPointArn, BucketName, resource};

const PART: &str = "S3 path";
const EXPECTED: &str = "s3://BUCKET or s3://BUCKET/PREFIX";

/// A bucket, or everything below a prefix in it; the bucket by its name, or by an access point of it. Two spellings
/// (`s3a://b/x/`, `s3://b/x`) are equal.
#[derive(Clone, Debug)]
pub struct S3Path {
    given: String,
    /// What it stands on: a bucket's name, an alias, or the ARN of an access point.
    stand: String,
    /// Empty, or ends in a slash.
    prefix: String,
    /// The access point that it stands on, where its ARN is known. Few do: the others are not to be larger for it.
    point: Option<Box<AccessPoint>>,
}

impl S3Path {
    /// What requests give as the bucket: its name; of an access point the alias, or the ARN where no alias is known.
    pub fn bucket(&self) -> &str {
        let alias = self.point.as_ref().and_then(|point| point.alias.as_ref());
        alias.map_or(&self.stand, |alias| alias.as_str())
    }

    /// The bucket's own name, also where requests go through an access point; `None` where it is not known.
    pub fn own_bucket(&self) -> Option<&str> {
        match &self.point {
            Some(point) => point.bucket.as_ref().map(|bucket| bucket.as_str()),
            None => (!self.is_alias()).then_some(&self.stand),
        }
    }

    /// The bucket, as one asks for its own policy: by its name where that is known, else through the access point.
    pub fn policy_bucket(&self) -> &str {
        self.own_bucket().unwrap_or(self.bucket())
    }

    /// The access point that it stands on, where its ARN is known.
    pub fn point(&self) -> Option<&AccessPoint> {
        self.point.as_deref()
    }

    /// Whether it is written with the alias of an access point. That tells requests where to go, and a policy nothing.
    pub fn is_alias(&self) -> bool {
        AccessPointAlias::is(&self.stand)
    }

    /// The same path, with what is known of its access point. What is known of another one is not taken.
    pub fn through(mut self, known: Option<&AccessPoint>) -> Self {
        let fits = |known: &&AccessPoint| match &self.point {
            Some(own) => own.arn == known.arn,
            None => {
                self.is_alias()
                    && known
                        .alias
                        .as_ref()
                        .is_none_or(|alias| alias.as_str() == self.stand)
            }
        };
        if let Some(known) = known.filter(fits) {
            let mut known = known.clone();
            if self.is_alias() {
                known.alias = self.stand.parse().ok();
            }
            self.point = Some(Box::new(known));
        }
        self
    }

    /// What it stands on, in words: `the bucket lake`, `the access point finance`.
    pub fn stands_on(&self) -> String {
        match &self.point {
            Some(point) => format!("the access point {}", point.arn.name()),
            None if self.is_alias() => format!("the access point {}", self.stand),
            None => format!("the bucket {}", self.stand),
        }
    }

    /// How a policy names what is listed.
    pub fn list_arn(&self, partition: Partition) -> String {
        self.object_arn(partition, "")
    }

    /// How a policy names a key of it.
    pub fn object_arn(&self, partition: Partition, key: &str) -> String {
        match &self.point {
            Some(point) => resource(partition, &point.arn.to_string(), key),
            None => resource(partition, &self.stand, key),
        }
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
            let of = match self.point.is_some() || self.is_alias() {
                true => self.stands_on(),
                false => self.stand.clone(),
            };
            format!("whole bucket: the policy will cover every object of {of}")
        })
    }

    /// What to say of a blank in the prefix. S3 takes it for a letter like any other; mostly nobody meant it.
    pub fn blank(&self) -> Option<String> {
        let odd = self.prefix.chars().find(|c| c.is_whitespace())?;
        let without: String = self.prefix.chars().filter(|c| !c.is_whitespace()).collect();
        Some(format!(
            "the prefix holds {}: only keys with it are covered; without it, it is s3://{}/{}",
            blank_named(odd),
            self.stand,
            without.trim_matches('/')
        ))
    }

    /// What was typed, for engines that want its scheme.
    pub fn as_given(&self) -> &str {
        &self.given
    }

    /// Whether a location lies at or below this path, by whichever name of its bucket. Keys are compared as S3 does: byte by
    /// byte, `//` and `..` are names like any other.
    pub fn contains(&self, location: &S3Location) -> bool {
        let named = location.bucket();
        self.covers(location)
            || (named.is_some() && named == self.own_bucket() && self.covers_key(location.key()))
    }

    /// The same of what is asked for by a name that the policy of this path speaks of: past its access point, the bucket itself
    /// is another place.
    pub fn covers(&self, location: &S3Location) -> bool {
        location.bucket().is_some_and(|name| self.goes_by(name)) && self.covers_key(location.key())
    }

    /// Whether a request that names its bucket so is judged by what a policy says of this path.
    pub fn goes_by(&self, name: &str) -> bool {
        self.stand == name
            || self.bucket() == name
            || self
                .point
                .as_ref()
                .is_some_and(|point| point.arn.to_string() == name)
    }

    fn covers_key(&self, key: &str) -> bool {
        self.whole_bucket() || key.starts_with(&self.prefix) || self.prefix.strip_suffix('/') == Some(key)
    }

    /// What makes two paths the same: an access point is one, by its alias or by its ARN.
    fn identity(&self) -> (Option<&AccessPointArn>, &str, &str) {
        match &self.point {
            Some(point) => (Some(&point.arn), "", &self.prefix),
            None => (None, &self.stand, &self.prefix),
        }
    }
}

serde_as_text!(S3Path);

impl PartialEq for S3Path {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for S3Path {}

impl std::hash::Hash for S3Path {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl PartialOrd for S3Path {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for S3Path {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl fmt::Display for S3Path {
    /// `s3://bucket/prefix`, without the slash at the end (a prefix that ends in `//` or in a blank keeps it:
    /// without it another path would be read back).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.prefix.is_empty() {
            return f.pad(&format!("s3://{}", self.stand));
        }
        let shown = match self.prefix.strip_suffix('/') {
            Some(short) if !short.ends_with(|c: char| c == '/' || c.is_whitespace()) => short,
            _ => &self.prefix,
        };
        f.pad(&format!("s3://{}/{shown}", self.stand))
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
            return of_point(given, text, false);
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
            return of_point(given, rest, true);
        }
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if AccessPointAlias::is(bucket) {
            bucket.parse::<AccessPointAlias>()?;
        } else {
            bucket::check(bucket)?;
        }
        below(given, bucket, key, None)
    }
}

/// A path on the ARN of an access point, with `s3://` before it or not; other ARNs are refused.
fn of_point(given: &str, text: &str, is_path: bool) -> Result<S3Path, Invalid> {
    if !AccessPointArn::begins(text) {
        return Err(arn(given, text));
    }
    let (point, key) = AccessPointArn::split(text)?;
    // Policies name objects so; as a path it would be a folder of that name.
    if let Some(key) = key.strip_prefix("object/").filter(|_| !is_path) {
        let key = key.trim_end_matches('*');
        let why = "is the ARN of objects of an access point, as a policy names them";
        return Err(Invalid::new(
            PART,
            given,
            why,
            format!("it as a path: s3://{point}/{key}"),
        ));
    }
    below(
        given,
        &point.to_string(),
        key,
        Some(AccessPoint::of(point.clone())),
    )
}

/// What lies below a key of what the path stands on.
fn below(given: &str, stand: &str, key: &str, point: Option<AccessPoint>) -> Result<S3Path, Invalid> {
    let wrong = |why: &str, expected: String| Err(Invalid::new(PART, given, why, expected));
    if key.starts_with('/') {
        let mended = format!("s3://{stand}/{}", key.trim_start_matches('/'));
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
    Ok(S3Path {
        given: given.trim().to_owned(),
        stand: stand.to_owned(),
        prefix,
        point: point.map(Box::new),
    })
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
