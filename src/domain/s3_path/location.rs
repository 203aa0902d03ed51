//! A location as it stands in Glue: whatever somebody once wrote there.

use std::{convert::Infallible, fmt, str::FromStr};

use super::point::AccessPointArn;
use crate::domain::word::serde_as_text;

/// Where a table or database says its files are. Any text is one; equality ignores the spelling of S3's scheme and
/// a slash at the end.
#[derive(Clone, Debug)]
pub struct S3Location {
    raw: String,
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Place {
    S3 { bucket: String, key: String },
    NotS3 { scheme: String },
}

impl S3Location {
    /// Reads any text.
    pub fn new(raw: &str) -> Self {
        let text = raw.trim();
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (scheme, rest),
            None => (text.split_once(':').map_or("", |(scheme, _)| scheme), ""),
        };
        let scheme = scheme.to_ascii_lowercase();
        let place = match scheme.as_str() {
            "s3" | "s3a" | "s3n" if !rest.is_empty() => {
                // The ARN of an access point holds a slash of its own.
                let point = AccessPointArn::begins(rest).then(|| AccessPointArn::split(rest).ok());
                let (bucket, key) = match point.flatten() {
                    Some((point, key)) => (point.to_string(), key),
                    None => {
                        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
                        (bucket.to_owned(), key)
                    }
                };
                Place::S3 {
                    bucket,
                    key: key.to_owned(),
                }
            }
            _ => Place::NotS3 { scheme },
        };
        Self {
            raw: raw.to_owned(),
            place,
        }
    }

    /// The text as stored; scrub it before it is drawn.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The bucket, if it is on S3.
    pub fn bucket(&self) -> Option<&str> {
        match &self.place {
            Place::S3 { bucket, .. } => Some(bucket),
            Place::NotS3 { .. } => None,
        }
    }

    /// The key or key prefix, as stored; empty if it is not on S3.
    pub fn key(&self) -> &str {
        match &self.place {
            Place::S3 { key, .. } => key,
            Place::NotS3 { .. } => "",
        }
    }

    /// Whether it is on S3.
    pub fn is_s3(&self) -> bool {
        self.bucket().is_some()
    }

    /// The scheme of a location that is not on S3: `hdfs`, `file`; empty if it has none.
    pub fn foreign_scheme(&self) -> Option<&str> {
        match &self.place {
            Place::S3 { .. } => None,
            Place::NotS3 { scheme } => Some(scheme),
        }
    }

    /// What makes two locations the same.
    fn identity(&self) -> (&Place, &str) {
        match &self.place {
            Place::S3 { .. } => (&self.place, ""),
            Place::NotS3 { .. } => (&self.place, self.raw.trim().trim_end_matches('/')),
        }
    }

    fn bucket_and_key(&self) -> Option<(&str, &str)> {
        match &self.place {
            Place::S3 { bucket, key } => Some((bucket, key.strip_suffix('/').unwrap_or(key))),
            Place::NotS3 { .. } => None,
        }
    }
}

serde_as_text!(S3Location);

impl PartialEq for S3Location {
    fn eq(&self, other: &Self) -> bool {
        match (self.bucket_and_key(), other.bucket_and_key()) {
            (Some(mine), Some(theirs)) => mine == theirs,
            (None, None) => self.identity() == other.identity(),
            _ => false,
        }
    }
}

impl Eq for S3Location {}

impl std::hash::Hash for S3Location {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self.bucket_and_key() {
            Some(place) => place.hash(state),
            None => self.identity().hash(state),
        }
    }
}

impl fmt::Display for S3Location {
    /// As stored.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.raw)
    }
}

impl FromStr for S3Location {
    type Err = Infallible;

    fn from_str(raw: &str) -> Result<Self, Infallible> {
        Ok(Self::new(raw))
    }
}
