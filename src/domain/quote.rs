//! Quoting: how a name is written in an engine's SQL, and how such text is read back.
//!
//! For every dialect `parse(quote(name)) == [name]` holds. A name that may stand bare is left bare; `why` says what
//! decided it.

mod bare;
mod reserved;
#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use serde::Serialize;

use super::{invalid::Invalid, word::serde_as_text};

/// An engine's way of writing names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// Spark SQL, and so Wherobots.
    Spark,
    /// Trino.
    Trino,
    /// Athena's queries (SELECT, CTAS, views).
    Athena,
    /// Athena's data definition (Hive grammar).
    AthenaDdl,
    /// Hive.
    Hive,
    /// DuckDB.
    DuckDb,
    /// Snowflake.
    Snowflake,
    /// ClickHouse.
    ClickHouse,
    /// Apache Pinot.
    Pinot,
}

/// A name as a dialect writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Quoted {
    /// The text to put into a query.
    pub quoted: String,
    /// Whether quotes were needed.
    pub needed: bool,
    /// What decided it, in one or two sentences.
    pub why: String,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 9] = [
        Self::Spark,
        Self::Trino,
        Self::Athena,
        Self::AthenaDdl,
        Self::Hive,
        Self::DuckDb,
        Self::Snowflake,
        Self::ClickHouse,
        Self::Pinot,
    ];

    /// The word of the command line: `athena-ddl`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Spark => "spark",
            Self::Trino => "trino",
            Self::Athena => "athena",
            Self::AthenaDdl => "athena-ddl",
            Self::Hive => "hive",
            Self::DuckDb => "duckdb",
            Self::Snowflake => "snowflake",
            Self::ClickHouse => "clickhouse",
            Self::Pinot => "pinot",
        }
    }

    /// The name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Spark => "Spark",
            Self::Trino => "Trino",
            Self::Athena => "Athena",
            Self::AthenaDdl => "Athena DDL",
            Self::Hive => "Hive",
            Self::DuckDb => "DuckDB",
            Self::Snowflake => "Snowflake",
            Self::ClickHouse => "ClickHouse",
            Self::Pinot => "Pinot",
        }
    }

    /// The character around a quoted name.
    fn mark(self) -> char {
        match self {
            Self::Spark | Self::AthenaDdl | Self::Hive | Self::ClickHouse => '`',
            _ => '"',
        }
    }

    /// ClickHouse reads backslashes inside quotes; everybody else doubles the mark.
    fn escapes_with_backslash(self) -> bool {
        self == Self::ClickHouse
    }

    fn wrap(self, name: &str) -> String {
        let mark = self.mark();
        let mut out = String::with_capacity(name.len() + 2);
        out.push(mark);
        for c in name.chars() {
            if self.escapes_with_backslash() && (c == mark || c == '\\') {
                out.push('\\');
            } else if c == mark {
                out.push(mark);
            }
            out.push(c);
        }
        out.push(mark);
        out
    }
}

serde_as_text!(Dialect);

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        let word = given.trim().to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.as_str() == word)
            .ok_or_else(|| {
                let all: Vec<_> = Self::ALL.iter().map(|dialect| dialect.as_str()).collect();
                Invalid::new("dialect", given, "is not one that glueup knows", all.join(", "))
            })
    }
}

/// Writes one name (not a path of names) for a dialect.
///
/// # Errors
/// For an empty name, a control character that no name in Glue can hold, and a name that Pinot cannot have.
pub fn quote(name: &str, dialect: Dialect) -> Result<Quoted, Invalid> {
    if name.is_empty() {
        return Err(Invalid::empty("name", "a name of at least one character"));
    }
    if let Some(odd) = name.chars().find(|c| *c < ' ' && *c != '\t') {
        return Err(Invalid::new(
            "name",
            name,
            format!("holds {odd:?}"),
            "a name on one line",
        ));
    }
    if dialect == Dialect::Pinot {
        pinot_can_name(name)?;
    }
    let verdict = bare::verdict(name, dialect);
    let quoted = if verdict.bare {
        name.to_owned()
    } else {
        dialect.wrap(name)
    };
    Ok(Quoted {
        quoted,
        needed: !verdict.bare,
        why: verdict.why,
    })
}

/// Pinot's own rule for table names.
fn pinot_can_name(name: &str) -> Result<(), Invalid> {
    let expected = "letters, digits, - and single _ (rename it on the way into Pinot)";
    if let Some(odd) = name
        .chars()
        .find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
    {
        return Err(Invalid::new(
            "Pinot table name",
            name,
            format!("holds {odd:?}"),
            expected,
        ));
    }
    if name.contains("__") {
        return Err(Invalid::new(
            "Pinot table name",
            name,
            "holds two underscores in a row",
            expected,
        ));
    }
    Ok(())
}

/// Reads a name, or a path of names with dots between, as the dialect does.
///
/// # Errors
/// Where a quote is not closed, a part is empty, or a bare part is none in that dialect.
pub fn parse(text: &str, dialect: Dialect) -> Result<Vec<String>, Invalid> {
    let wrong = |why: String| {
        Invalid::new(
            "name",
            text,
            why,
            format!("names as {} writes them", dialect.label()),
        )
    };
    let mark = dialect.mark();
    let mut parts = Vec::new();
    let mut chars = text.chars().peekable();
    loop {
        let mut part = String::new();
        if chars.next_if_eq(&mark).is_some() {
            loop {
                match chars.next() {
                    None => return Err(wrong(format!("opens {mark} and does not close it"))),
                    Some('\\') if dialect.escapes_with_backslash() => part.extend(chars.next()),
                    Some(c) if c == mark => {
                        if chars.next_if_eq(&mark).is_none() {
                            break;
                        }
                        part.push(mark);
                    }
                    Some(c) => part.push(c),
                }
            }
        } else {
            while let Some(c) = chars.next_if(|c| *c != '.') {
                part.push(c);
            }
            if !bare::readable(&part, dialect) {
                return Err(wrong(format!("has the part \"{part}\", which needs quotes")));
            }
            if dialect == Dialect::Snowflake {
                part = part.to_uppercase();
            }
        }
        if part.is_empty() {
            return Err(wrong("has an empty part".to_owned()));
        }
        parts.push(part);
        match chars.next() {
            None => return Ok(parts),
            Some('.') => {}
            Some(c) => return Err(wrong(format!("has {c:?} after a closing {mark}"))),
        }
    }
}

/// A record's name and the flags that go with it, as the end of a command line of ours, ready to copy. A name that begins with
/// a hyphen stands last, behind `--`: else it would be taken for a flag.
pub fn operand(name: &str, flags: &str) -> String {
    let word = shell(name);
    let all = if name.starts_with('-') {
        [flags, "--", &word]
    } else {
        [word.as_str(), flags, ""]
    };
    all.join(" ").trim().to_owned()
}

/// A flag and its value, ready to copy: in one word where the value begins with a hyphen, which is no flag.
pub fn option(flag: &str, value: &str) -> String {
    let sign = if value.starts_with('-') { '=' } else { ' ' };
    format!("{flag}{sign}{}", shell(value))
}

/// Whether a character steers or is not seen, and so is lost between a screen and what is pasted: control characters, marks of
/// direction, blanks without width. What joins the signs of a picture stays.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'
                ..='\u{202e}' | '\u{feff}'
        )
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A word for a POSIX shell, ready to copy: bare when nothing in it is special, else in single quotes; with what is not seen
/// in `$'…'`, so that what is pasted holds none of it.
pub fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,=".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('=') {
        return word.to_owned();
    }
    if !word.chars().any(is_unseen) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut out = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            c if is_unseen(c) => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}
