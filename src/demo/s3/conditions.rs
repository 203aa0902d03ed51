//! `If-Match`, `If-None-Match` and ranges.

use super::errors;
use s3s::dto::{ETag, ETagCondition, Range};
use s3s::{S3Error, S3Result, s3_error};

/// The conditions of a request on the object's ETag.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// Go on only if the object has this ETag (`*`: exists).
    pub if_match: Option<ETagCondition>,
    /// Go on only if the object has not this ETag (`*`: does not exist).
    pub if_none_match: Option<ETagCondition>,
}

impl Conditions {
    /// Whether a write may go on over what is there. Must be asked under the lock that guards the insertion, so that
    /// of two writers with `If-None-Match: *` exactly one wins.
    pub fn allow_write(&self, current: Option<&str>) -> S3Result<()> {
        let current = current.map(strong);
        if let (Some(condition), Some(current)) = (&self.if_none_match, &current)
            && (condition.is_any() || condition.as_etag().is_some_and(|etag| etag.weak_cmp(current)))
        {
            return Err(errors::precondition());
        }
        if let Some(condition) = &self.if_match {
            let Some(current) = &current else {
                return Err(errors::no_key());
            };
            if !condition.is_any() && !condition.as_etag().is_some_and(|etag| etag.strong_cmp(current)) {
                return Err(errors::precondition());
            }
        }
        Ok(())
    }

    /// Whether a read may go on.
    pub fn allow_read(&self, current: &str) -> S3Result<()> {
        let current = strong(current);
        if let Some(condition) = &self.if_match
            && !condition.is_any()
            && !condition.as_etag().is_some_and(|etag| etag.strong_cmp(&current))
        {
            return Err(errors::precondition());
        }
        if let Some(condition) = &self.if_none_match
            && (condition.is_any() || condition.as_etag().is_some_and(|etag| etag.weak_cmp(&current)))
        {
            return Err(errors::not_modified());
        }
        Ok(())
    }
}

/// The ETag as it travels.
pub fn strong(etag: &str) -> ETag {
    ETag::Strong(etag.to_owned())
}

/// The bytes asked for and the `Content-Range` to answer, for an object of `len` bytes.
pub fn range(asked: Option<Range>, len: u64) -> S3Result<(std::ops::Range<u64>, Option<String>)> {
    let bytes = match asked {
        None => return Ok((0..len, None)),
        // No part of nothing can be given.
        Some(_) if len == 0 => return Err(unsatisfiable()),
        // A suffix longer than the object is the whole object.
        Some(Range::Suffix { length }) if length > len => 0..len,
        Some(asked) => asked.check(len).map_err(|_| unsatisfiable())?,
    };
    let header = format!("bytes {}-{}/{len}", bytes.start, bytes.end.saturating_sub(1));
    Ok((bytes, Some(header)))
}

fn unsatisfiable() -> S3Error {
    s3_error!(InvalidRange, "The requested range is not satisfiable")
}

#[cfg(test)]
mod tests {
    use super::*;
    use s3s::S3ErrorCode;

    #[test]
    fn ranges_are_cut_to_the_object() {
        let suffix = |length| Some(Range::Suffix { length });
        let from = |first, last| Some(Range::Int { first, last });
        assert_eq!(range(None, 11).unwrap(), (0..11, None));
        assert_eq!(
            range(suffix(500), 11).unwrap(),
            (0..11, Some("bytes 0-10/11".to_owned()))
        );
        assert_eq!(range(suffix(5), 11).unwrap().0, 6..11);
        assert_eq!(range(from(5, Some(5000)), 11).unwrap().0, 5..11);
        assert!(range(from(500, None), 11).is_err());
        assert!(range(suffix(5), 0).is_err());
    }

    #[test]
    fn a_write_over_nothing_needs_no_match() {
        let exists = Conditions {
            if_match: None,
            if_none_match: Some(ETagCondition::Any),
        };
        assert!(exists.allow_write(None).is_ok());
        assert!(exists.allow_write(Some("abc")).is_err());
        let same = Conditions {
            if_match: Some(ETagCondition::ETag(strong("abc"))),
            if_none_match: None,
        };
        assert!(same.allow_write(Some("abc")).is_ok());
        assert_eq!(
            *same.allow_write(Some("abd")).unwrap_err().code(),
            S3ErrorCode::PreconditionFailed
        );
        assert_eq!(
            *same.allow_write(None).unwrap_err().code(),
            S3ErrorCode::NoSuchKey
        );
    }
}
