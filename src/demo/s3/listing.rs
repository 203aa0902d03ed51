//! ListObjects and ListObjectsV2 over an ordered map: a page costs what it shows, not what the bucket holds.

use super::clock_time;
use super::conditions::strong;
use super::errors;
use super::store::{Bucket, Object as Stored};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use s3s::S3Result;
use s3s::dto::{
    CommonPrefix, ListObjectsInput, ListObjectsOutput, ListObjectsV2Input, ListObjectsV2Output, Object,
    ObjectStorageClass,
};
use std::ops::Bound;

/// What S3 leaves as it is with `encoding-type=url`; a blank it makes a plus.
const URL: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'/')
    .remove(b'*');
/// S3's largest page.
const MAX_KEYS: i32 = 1000;

/// One page of keys and common prefixes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Keys, in order.
    pub keys: Vec<String>,
    /// Common prefixes, in order.
    pub prefixes: Vec<String>,
    /// The last key or prefix shown, where more follow.
    pub next: Option<String>,
}

/// The page of at most `max` entries that come after `after`.
pub fn page(bucket: &Bucket, prefix: &str, delimiter: Option<&str>, after: Option<&str>, max: usize) -> Page {
    let mut page = Page::default();
    let mut from = match after {
        Some(after) if after >= prefix => Bound::Excluded(after.to_owned()),
        _ => Bound::Included(prefix.to_owned()),
    };
    let mut last = None;
    loop {
        let range = (from.as_ref().map(String::as_str), Bound::Unbounded);
        let Some((key, _)) = bucket.objects.range::<str, _>(range).next() else {
            break;
        };
        let Some(rest) = key.strip_prefix(prefix) else {
            break;
        };
        let common = delimiter.and_then(|delimiter| {
            let (head, _) = rest.split_once(delimiter)?;
            Some(format!("{prefix}{head}{delimiter}"))
        });
        let shown = match &common {
            // The page before ended with this prefix, or the listing starts inside it.
            Some(common) if after.is_some_and(|after| after.starts_with(common.as_str())) => false,
            _ if page.keys.len() + page.prefixes.len() >= max => {
                page.next = last.filter(|_| max > 0);
                break;
            }
            _ => true,
        };
        match common {
            Some(common) => {
                let Some(beyond) = beyond(&common) else { break };
                if shown {
                    page.prefixes.push(common.clone());
                    last = Some(common);
                }
                from = Bound::Included(beyond);
            }
            None => {
                page.keys.push(key.clone());
                last = Some(key.clone());
                from = Bound::Excluded(key.clone());
            }
        }
    }
    page
}

/// The smallest string after every string that starts with `prefix`.
fn beyond(prefix: &str) -> Option<String> {
    let mut head = prefix.to_owned();
    while let Some(last) = head.pop() {
        let next = match last {
            '\u{D7FF}' => Some('\u{E000}'),
            other => char::from_u32(u32::from(other) + 1),
        };
        if let Some(next) = next {
            head.push(next);
            return Some(head);
        }
    }
    None
}

/// Answers ListObjectsV2.
pub fn list_v2(bucket: &Bucket, input: ListObjectsV2Input) -> S3Result<ListObjectsV2Output> {
    let prefix = input.prefix.clone().unwrap_or_default();
    let delimiter = input.delimiter.clone().filter(|delimiter| !delimiter.is_empty());
    let max = max_keys(input.max_keys)?;
    let after = match &input.continuation_token {
        Some(token) => Some(read_token(token)?),
        None => input.start_after.clone(),
    };
    let page = page(
        bucket,
        &prefix,
        delimiter.as_deref(),
        after.as_deref(),
        max.try_into().unwrap_or_default(),
    );
    let url = input
        .encoding_type
        .as_ref()
        .is_some_and(|encoding| encoding.as_str() == "url");
    let encode = |text: &str| if url { encoded(text) } else { text.to_owned() };
    let count = page.keys.len() + page.prefixes.len();
    let keys = page
        .keys
        .iter()
        .filter_map(|key| Some((key, bucket.objects.get(key)?)));
    let contents: Vec<Object> = keys.map(|(key, object)| row(encode(key), object)).collect();
    let prefixes = page.prefixes.iter().map(|prefix| CommonPrefix {
        prefix: Some(encode(prefix)),
    });
    Ok(ListObjectsV2Output {
        contents: Some(contents).filter(|contents| !contents.is_empty()),
        common_prefixes: Some(prefixes.collect::<Vec<_>>()).filter(|prefixes| !prefixes.is_empty()),
        key_count: i32::try_from(count).ok(),
        max_keys: Some(max),
        is_truncated: Some(page.next.is_some()),
        next_continuation_token: page.next.map(hex::encode),
        continuation_token: input.continuation_token,
        delimiter: delimiter.as_deref().map(encode),
        encoding_type: input.encoding_type,
        name: Some(input.bucket),
        prefix: Some(encode(&prefix)),
        start_after: input.start_after.as_deref().map(encode),
        ..ListObjectsV2Output::default()
    })
}

/// Answers ListObjects, the first version: the same page, with markers that are keys.
pub fn list_v1(bucket: &Bucket, input: ListObjectsInput) -> S3Result<ListObjectsOutput> {
    let marker = input.marker.clone();
    let mut second = ListObjectsV2Input::from(input);
    second.start_after.clone_from(&marker);
    second.continuation_token = None;
    let url = second
        .encoding_type
        .as_ref()
        .is_some_and(|encoding| encoding.as_str() == "url");
    let page = list_v2(bucket, second)?;
    let next = page
        .next_continuation_token
        .as_deref()
        .map(read_token)
        .transpose()?;
    let next = next.map(|key| if url { encoded(&key) } else { key });
    Ok(ListObjectsOutput {
        contents: page.contents,
        common_prefixes: page.common_prefixes,
        delimiter: page.delimiter,
        encoding_type: page.encoding_type,
        is_truncated: page.is_truncated,
        marker,
        max_keys: page.max_keys,
        name: page.name,
        next_marker: next,
        prefix: page.prefix,
        ..ListObjectsOutput::default()
    })
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, URL).to_string().replace("%20", "+")
}

fn max_keys(asked: Option<i32>) -> S3Result<i32> {
    match asked.unwrap_or(MAX_KEYS) {
        negative if negative < 0 => Err(errors::invalid("maxKeys must not be negative")),
        asked => Ok(asked.min(MAX_KEYS)),
    }
}

fn read_token(token: &str) -> S3Result<String> {
    let bytes = hex::decode(token)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    bytes.ok_or_else(|| errors::invalid("The continuation token provided is incorrect"))
}

fn row(key: String, object: &Stored) -> Object {
    Object {
        key: Some(key),
        size: i64::try_from(object.body.len()).ok(),
        e_tag: Some(strong(&object.facts.etag)),
        last_modified: Some(clock_time(object.facts.modified)),
        storage_class: Some(ObjectStorageClass::from_static(ObjectStorageClass::STANDARD)),
        ..Object::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::Body;
    use super::super::store::Facts;
    use super::*;

    fn bucket(keys: &[&str]) -> Bucket {
        let object = Stored {
            body: Body::Memory(bytes::Bytes::new()),
            facts: Facts::default(),
        };
        let objects = keys
            .iter()
            .map(|key| ((*key).to_owned(), object.clone()))
            .collect();
        Bucket {
            objects,
            ..Bucket::default()
        }
    }

    #[test]
    fn pages_join_to_the_whole_listing() {
        let bucket = bucket(&["a", "a/1", "a/2", "a\u{10FFFF}", "b", "c/1", "c/2", "d"]);
        for delimiter in [None, Some("/")] {
            let whole = page(&bucket, "", delimiter, None, 1000);
            assert_eq!(whole.next, None);
            for max in 1..9 {
                let (mut keys, mut prefixes, mut after) = (vec![], vec![], None);
                loop {
                    let part = page(&bucket, "", delimiter, after.as_deref(), max);
                    assert!(part.keys.len() + part.prefixes.len() <= max);
                    keys.extend(part.keys);
                    prefixes.extend(part.prefixes);
                    after = part.next;
                    if after.is_none() {
                        break;
                    }
                }
                assert_eq!(
                    (&keys, &prefixes),
                    (&whole.keys, &whole.prefixes),
                    "{delimiter:?} by {max}"
                );
            }
        }
    }

    #[test]
    fn a_prefix_is_shown_once_even_with_the_last_code_point_below_it() {
        let bucket = bucket(&["x/\u{10FFFF}", "x/\u{10FFFF}/y", "y"]);
        let page = page(&bucket, "", Some("/"), None, 10);
        assert_eq!(
            (page.keys, page.prefixes),
            (vec!["y".to_owned()], vec!["x/".to_owned()])
        );
    }

    #[test]
    fn no_keys_asked_no_keys_given() {
        assert_eq!(page(&bucket(&["a", "b"]), "", None, None, 0), Page::default());
    }
}
