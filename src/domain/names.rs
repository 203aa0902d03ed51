//! The names that people give: connections, catalogs, organizations. Any single line of text is one.

use std::str::FromStr;

use super::{invalid::Invalid, slug::Slug, text, word::text_word};

/// The longest name, in characters.
const MOST: usize = 64;

fn parse(part: &'static str, example: &str, given: &str) -> Result<String, Invalid> {
    let expected = &format!("one line of 1 to 64 characters, such as {example}");
    let name = given.trim();
    if name.is_empty() {
        return Err(Invalid::empty(part, expected));
    }
    if let Some(odd) = name.chars().find(|c| text::unfit_for_a_name(*c)) {
        let why = match odd {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => "has more than one line".to_owned(),
            odd => format!("holds the invisible character U+{:04X}", u32::from(odd)),
        };
        return Err(Invalid::new(part, given, why, expected));
    }
    match name.chars().count() {
        n if n > MOST => Err(Invalid::new(part, given, format!("has {n} characters"), expected)),
        _ => Ok(name.to_owned()),
    }
}

macro_rules! name {
    ($name:ident, $part:literal, $example:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        text_word!($name);

        impl $name {
            /// The name as stack names, tags and file names can hold it.
            pub fn slug(&self) -> Slug {
                Slug::of(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = Invalid;

            fn from_str(given: &str) -> Result<Self, Invalid> {
                Ok(Self(parse($part, $example, given)?))
            }
        }
    };
}

name!(
    ConnectionName,
    "connection name",
    "prod-account",
    "The name of a Cloud Connection: 1 to 64 characters on one line."
);
name!(
    CatalogName,
    "catalog name",
    "Lake House",
    "The name of a catalog: 1 to 64 characters on one line; the first part of an FQN."
);
name!(
    StorageName,
    "storage integration name",
    "raw files",
    "The name of a storage integration: 1 to 64 characters on one line."
);
name!(
    OrganizationId,
    "organization ID",
    "acme",
    "The id of an organization: 1 to 64 characters on one line."
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_single_line_is_a_name() {
        for given in [
            "a",
            "Lake House",
            "My-Catalog",
            "raw.v2 日本",
            "no",
            "1e3",
            "`",
            "👩\u{200d}🔬",
            "a/b\\c",
        ] {
            assert_eq!(given.parse::<CatalogName>().unwrap().as_str(), given);
        }
        assert_eq!("  x\n".parse::<CatalogName>().unwrap().as_str(), "x");
        assert!("日".repeat(64).parse::<CatalogName>().is_ok());
    }

    #[test]
    fn what_is_no_single_line_is_refused() {
        for (given, why) in [
            ("", "is empty"),
            ("  ", "is empty"),
            ("a\nb", "more than one line"),
            ("a\u{1b}b", "U+001B"),
            ("a\u{202e}b", "U+202E"),
            (&"a".repeat(65), "65 characters"),
        ] {
            let error = given.parse::<ConnectionName>().unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
            assert!(error.to_string().starts_with("connection name"));
            // An example that is no catalog's: the two are easily taken for each other.
            assert!(error.to_string().ends_with("such as prod-account"), "{error}");
        }
    }

    #[test]
    fn composed_and_decomposed_names_are_two_names() {
        let (a, b): (CatalogName, CatalogName) =
            ("caf\u{e9}".parse().unwrap(), "cafe\u{301}".parse().unwrap());
        assert_ne!(a, b);
        assert_ne!(a.slug(), b.slug());
    }
}
