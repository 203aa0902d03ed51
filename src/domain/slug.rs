//! Slugs: the lower-case letters, digits and dashes that survive in stack names, tags and file names.

use sha2::{Digest as _, Sha256};

use super::{invalid::Invalid, word::text_word};

/// The longest readable part of a slug; a longer name loses its end, and so gets a hash.
const READABLE: usize = 64;
/// Names that Windows keeps for devices, whatever their extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A name as `[a-z0-9-]`: the name itself when nothing was lost, else what is left of it and 8 hex of a hash of the
/// whole name, so that two names that slug alike stay apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slug(String);

text_word!(Slug);

impl Slug {
    /// Makes the slug of any text.
    pub fn of(name: &str) -> Self {
        Self::fitting(name, READABLE + 9)
    }

    /// Makes a slug of at most `most` characters (at least the 8 of the hash are needed).
    pub fn fitting(name: &str, most: usize) -> Self {
        let readable = readable(name);
        if !readable.is_empty()
            && readable == name
            && readable.len() <= most.min(READABLE)
            && !reserved(&readable)
        {
            return Self(readable);
        }
        let hash = hash8(name);
        let room = most.saturating_sub(hash.len() + 1).min(READABLE);
        let kept: String = readable.chars().take(room).collect();
        let kept = kept.trim_end_matches('-');
        Self(if kept.is_empty() {
            hash
        } else {
            format!("{kept}-{hash}")
        })
    }
}

impl std::str::FromStr for Slug {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        if !given.is_empty() && readable(given) == given {
            return Ok(Self(given.to_owned()));
        }
        Err(Invalid::new(
            "slug",
            given,
            "is not one",
            "lower-case letters, digits and single dashes",
        ))
    }
}

/// The stem of the record file of a name: its slug. The true name stands inside the file.
pub fn file_slug(name: &str) -> String {
    Slug::of(name).0
}

/// The first 8 hex digits of the SHA-256 of a text.
pub fn hash8(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
        .chars()
        .take(8)
        .collect()
}

/// What is left of a name as `[a-z0-9-]`: its words, joined by single dashes. Empty where nothing is left.
pub fn readable(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    while out.ends_with('-') {
        out.pop();
    }
    out
}

fn reserved(slug: &str) -> bool {
    let port = |prefix| slug.strip_prefix(prefix).is_some_and(|n: &str| n.len() == 1);
    DEVICES.contains(&slug) || port("com") || port("lpt")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_that_survives_is_its_own_slug() {
        for name in ["weather", "sales-prod", "raw2", "no", "1e3"] {
            assert_eq!(Slug::of(name).as_str(), name);
        }
    }

    #[test]
    fn a_name_that_loses_something_gets_a_hash() {
        let slug = Slug::of("My Catalog.v2 日本");
        assert_eq!(
            slug.as_str(),
            format!("my-catalog-v2-{}", hash8("My Catalog.v2 日本"))
        );
        assert_eq!(Slug::of("日本").as_str(), hash8("日本"));
        for name in [
            "Weather",
            "a--b",
            "a_b",
            "-a",
            "a-",
            "con",
            "com1",
            &"a".repeat(65),
        ] {
            assert!(Slug::of(name).as_str().ends_with(&hash8(name)), "{name}");
        }
    }

    #[test]
    fn names_that_slug_alike_stay_apart() {
        let names = [
            "lake house",
            "lake_house",
            "Lake House",
            "lake-house",
            "lake.house",
            "lake house ",
        ];
        let slugs: std::collections::BTreeSet<_> = names.iter().map(|n| Slug::of(n)).collect();
        assert_eq!(slugs.len(), names.len());
        // The same letters, composed and decomposed.
        assert_ne!(Slug::of("caf\u{e9}"), Slug::of("cafe\u{301}"));
    }

    proptest! {
        #[test]
        fn slugs_are_plain_and_short(name in any::<String>()) {
            let slug = Slug::of(&name);
            prop_assert!(!slug.as_str().is_empty() && slug.as_str().len() <= READABLE + 9);
            prop_assert_eq!(readable(slug.as_str()), slug.as_str());
        }
    }
}
