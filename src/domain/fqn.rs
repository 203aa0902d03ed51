//! Fully qualified names: `catalog.database.table`, with backticks around a part that needs them.

use std::{fmt, str::FromStr};

use super::{invalid::Invalid, names::CatalogName, word::serde_as_text};

const PART: &str = "name";
const EXPECTED: &str =
    "CATALOG, CATALOG.DATABASE or CATALOG.DATABASE.TABLE, with `backticks` around a part that holds a dot";

/// A catalog, a database in it, or a table in that. Database and table names are kept exactly as given: Glue folds
/// their case itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fqn {
    /// The catalog, by glueup's name for it.
    pub catalog: CatalogName,
    /// The Glue database, if one is named.
    pub database: Option<String>,
    /// The Glue table, if one is named; never without a database.
    pub table: Option<String>,
}

impl Fqn {
    /// The name of a table.
    pub fn table(catalog: CatalogName, database: impl Into<String>, table: impl Into<String>) -> Self {
        Self {
            catalog,
            database: Some(database.into()),
            table: Some(table.into()),
        }
    }

    /// The shortest text that reads back as this name.
    pub fn display(&self) -> String {
        let parts = [
            Some(self.catalog.as_str()),
            self.database.as_deref(),
            self.table.as_deref(),
        ];
        parts
            .into_iter()
            .flatten()
            .map(part)
            .collect::<Vec<_>>()
            .join(".")
    }
}

fn part(text: &str) -> String {
    let bare = !text.is_empty() && !text.contains(['.', '`']) && text.trim() == text;
    if bare {
        text.to_owned()
    } else {
        format!("`{}`", text.replace('`', "``"))
    }
}

serde_as_text!(Fqn);

impl fmt::Display for Fqn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.display())
    }
}

impl FromStr for Fqn {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let text = given.trim();
        if text.is_empty() {
            return Err(Invalid::empty(PART, EXPECTED));
        }
        let wrong = |why: String| Invalid::new(PART, given, why, EXPECTED);
        let parts = split(text, &['`']).map_err(wrong)?;
        let count = parts.len();
        let mut parts = parts.into_iter();
        let (Some(catalog), database, table, None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong(format!("has {count} parts")));
        };
        for (name, what) in [(&database, "database"), (&table, "table")] {
            let odd = name
                .as_ref()
                .and_then(|name| name.chars().find(|c| *c < ' ' && *c != '\t'));
            if let Some(odd) = odd {
                return Err(wrong(format!(
                    "has {odd:?} in its {what}, which no name in Glue holds"
                )));
            }
            if name.as_ref().is_some_and(|name| name.chars().count() > 255) {
                return Err(wrong(format!("has a {what} of more than 255 characters")));
            }
        }
        Ok(Self {
            catalog: catalog.parse()?,
            database,
            table,
        })
    }
}

/// The parts of a name as people paste it out of anybody's SQL: quoted with backticks, or with double quotes.
///
/// # Errors
/// Where a quote is not closed, or a part is empty.
pub fn parts(text: &str) -> Result<Vec<String>, Invalid> {
    let expected = "names with dots between, a part that holds a dot in `backticks` or \"quotes\"";
    split(text.trim(), &['`', '"']).map_err(|why| Invalid::new(PART, text, why, expected))
}

/// The parts, where these marks quote one.
fn split(text: &str, marks: &[char]) -> Result<Vec<String>, String> {
    let mut parts = Vec::new();
    let mut rest = Some(text);
    while let Some(now) = rest {
        let (part, after) = next(now, marks)?;
        if part.is_empty() {
            return Err(format!("has nothing as part {}", parts.len() + 1));
        }
        parts.push(part);
        rest = after;
    }
    Ok(parts)
}

/// The first part, and what follows its dot.
fn next<'a>(text: &'a str, marks: &[char]) -> Result<(String, Option<&'a str>), String> {
    let mark = text.chars().next().filter(|first| marks.contains(first));
    let Some((mark, mut rest)) = mark.and_then(|mark| Some((mark, text.strip_prefix(mark)?))) else {
        return Ok(match text.split_once('.') {
            Some((part, after)) => (part.to_owned(), Some(after)),
            None => (text.to_owned(), None),
        });
    };
    let mut part = String::new();
    loop {
        let Some((before, after)) = rest.split_once(mark) else {
            return Err(format!("opens a {} that is not closed", called(mark)));
        };
        part.push_str(before);
        if let Some(doubled) = after.strip_prefix(mark) {
            part.push(mark);
            rest = doubled;
        } else if after.is_empty() {
            return Ok((part, None));
        } else if let Some(after) = after.strip_prefix('.') {
            return Ok((part, Some(after)));
        } else {
            return Err(format!(
                "has text after a closing {} that is not a dot",
                called(mark)
            ));
        }
    }
}

fn called(mark: char) -> &'static str {
    match mark {
        '`' => "backtick",
        _ => "quote",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(given: &str) -> (String, Option<String>, Option<String>) {
        let fqn: Fqn = given.parse().unwrap();
        (fqn.catalog.to_string(), fqn.database, fqn.table)
    }

    #[test]
    fn parts_are_taken_as_they_are_up_to_the_next_dot() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("lake"), ("lake".into(), None, None));
        assert_eq!(
            parts("Lake House.sales.orders"),
            ("Lake House".into(), some("sales"), some("orders"))
        );
        assert_eq!(
            parts("`Lake House`.sales.orders"),
            ("Lake House".into(), some("sales"), some("orders"))
        );
        assert_eq!(parts("`raw.v2`.`a``b`"), ("raw.v2".into(), some("a`b"), None));
        assert_eq!(parts("a.b`c.d"), ("a".into(), some("b`c"), some("d")));
        assert_eq!(
            parts("c.tempdb-test$21.`asdj.123||#^@#^$@$$!@#@!#`").2,
            some("asdj.123||#^@#^$@$$!@#@!#")
        );
    }

    #[test]
    fn what_is_no_name_says_why() {
        for (given, word) in [
            ("", "is empty"),
            ("a.b.c.d", "4 parts"),
            ("a..c", "nothing as part 2"),
            (".b", "nothing as part 1"),
            ("a.", "nothing as part 2"),
            ("`a.b", "not closed"),
            ("`a`b.c", "after a closing backtick"),
            ("``.b", "nothing as part 1"),
            ("a.b\nc", "'\\n'"),
        ] {
            let error = given.parse::<Fqn>().unwrap_err();
            assert!(error.to_string().contains(word), "{given}: {error}");
        }
    }

    #[test]
    fn a_pasted_name_has_quotes_of_either_kind() {
        for (given, want) in [
            ("\"my db\".\"t.1\"", vec!["my db", "t.1"]),
            ("`my db`.`t.1`", vec!["my db", "t.1"]),
            (" \"my db\".`t``1` ", vec!["my db", "t`1"]),
            ("\"a\"\"b\".c", vec!["a\"b", "c"]),
            ("sales.orders", vec!["sales", "orders"]),
            ("it\"s.x", vec!["it\"s", "x"]),
        ] {
            assert_eq!(super::parts(given).unwrap(), want, "{given}");
        }
        assert!(super::parts("\"a.b").unwrap_err().to_string().contains("quote"));
        // Elsewhere a double quote is a letter of the name.
        assert_eq!(parts("\"a.b\"").1, Some("b\"".to_owned()));
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(
            catalog in "[ -~é日]{1,20}", database in "[ -~é日\t]{1,20}", table in proptest::option::of("[ -~é日]{1,20}"),
        ) {
            prop_assume!(!catalog.trim().is_empty());
            let fqn = Fqn { catalog: catalog.parse().unwrap(), database: Some(database), table };
            prop_assert_eq!(fqn.display().parse::<Fqn>().unwrap(), fqn);
        }
    }
}
