//! Whether a name may stand without quotes, per dialect.

use super::{Dialect, reserved};

/// The answer and its reason.
pub(super) struct Verdict {
    pub bare: bool,
    pub why: String,
}

fn quotes(why: impl Into<String>) -> Verdict {
    Verdict {
        bare: false,
        why: why.into(),
    }
}

fn plain(why: impl Into<String>) -> Verdict {
    Verdict {
        bare: true,
        why: why.into(),
    }
}

/// Whether a name may stand bare where a table or database is named.
pub(super) fn verdict(name: &str, dialect: Dialect) -> Verdict {
    if dialect == Dialect::Spark {
        return spark(name);
    }
    let label = dialect.label();
    if let Err(why) = letters(name, dialect) {
        return quotes(with_case(why, name, dialect));
    }
    if reserved::is(name, dialect) {
        return quotes(format!("{} is a reserved word of {label}", name.to_uppercase()));
    }
    if dialect == Dialect::ClickHouse {
        return plain(
            "letters, digits and underscores; a table of a Glue catalog is one name, `database.table`",
        );
    }
    plain(with_case(
        format!("{label} takes this name as it is"),
        name,
        dialect,
    ))
}

fn with_case(why: String, name: &str, dialect: Dialect) -> String {
    let upper = name.chars().any(char::is_uppercase);
    let folds = matches!(
        dialect,
        Dialect::Trino | Dialect::Athena | Dialect::AthenaDdl | Dialect::Hive
    );
    if upper && folds {
        format!("{why}; {} lower-cases names, quoted or not", dialect.label())
    } else {
        why
    }
}

/// Whether `parse` may read a bare part: its characters decide, keywords are left to the engine.
pub(super) fn readable(part: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Spark => spark_words(part) && spark_number(part).is_none(),
        // Unquoted text is folded, whatever its case.
        Dialect::Snowflake => letters(&part.to_ascii_uppercase(), dialect).is_ok(),
        _ => letters(part, dialect).is_ok(),
    }
}

/// The characters of a bare name; on refusal what is wrong.
fn letters(name: &str, dialect: Dialect) -> Result<(), String> {
    let unicode = dialect == Dialect::DuckDb;
    let dollar = matches!(dialect, Dialect::DuckDb | Dialect::Snowflake);
    let underscore_first = !matches!(dialect, Dialect::AthenaDdl | Dialect::Hive);
    let label = dialect.label();
    let Some(first) = name.chars().next() else {
        return Err("it is empty".to_owned());
    };
    if first.is_ascii_digit() {
        return Err(format!("{label} takes no digit at the start of a bare name"));
    }
    if first == '_' && !underscore_first {
        return Err(format!("{label} takes no underscore at the start of a bare name"));
    }
    let letter = |c: char| c.is_ascii_alphabetic() || (unicode && c.is_alphabetic());
    if !(letter(first) || first == '_') {
        return Err(format!("{label} takes no {first:?} at the start of a bare name"));
    }
    let inner = |c: char| letter(c) || c.is_ascii_digit() || c == '_' || (dollar && c == '$');
    if let Some(odd) = name.chars().find(|c| !inner(*c)) {
        return Err(format!("{label} takes no {odd:?} in a bare name"));
    }
    if dialect == Dialect::Snowflake && name.chars().any(|c| c.is_ascii_lowercase()) {
        return Err("Snowflake folds a bare name to upper case".to_owned());
    }
    Ok(())
}

/// Spark's rule, checked against its parser, beside the rule of the Wherobots documentation ("anything other than
/// letters, numbers, or underscores" needs backticks), which calls `123` and `é` bare.
fn spark(name: &str) -> Verdict {
    if spark_words(name) {
        return match spark_number(name) {
            None => plain("letters, digits and underscores only"),
            Some(number) => quotes(format!(
                "Spark reads {name} as {number}, not as a name; by the Wherobots rule (letters, numbers, \
                 underscores) it would need no backticks, and fail"
            )),
        };
    }
    let odd = name.chars().find(|c| !(c.is_ascii_alphanumeric() || *c == '_'));
    let what = match odd {
        Some(' ') => "the blank".to_owned(),
        Some('.') => "the dot".to_owned(),
        Some('-') => "the dash".to_owned(),
        Some(c) => format!("{c:?}"),
        None => "an empty name".to_owned(),
    };
    if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return quotes(format!(
            "{what} is not an ASCII letter, and Spark takes no other; by the Wherobots rule (letters, numbers, \
             underscores) it would need no backticks, and fail"
        ));
    }
    quotes(format!("{what} needs backticks"))
}

fn spark_words(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// What Spark's lexer makes of a name that starts with digits: whole number, exponent, or a number with a suffix
/// (`L S Y` for integers, `D F BD` also after an exponent).
fn spark_number(name: &str) -> Option<&'static str> {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == name.len() {
        return None;
    }
    let suffix = rest.to_ascii_uppercase();
    match suffix.as_str() {
        "" => return Some("a number"),
        "L" | "S" | "Y" | "D" | "F" | "BD" => return Some("a number with a type suffix"),
        _ => {}
    }
    let exponent = suffix.strip_prefix('E')?;
    let after = exponent.trim_start_matches(|c: char| c.is_ascii_digit());
    (after.len() < exponent.len() && matches!(after, "" | "D" | "F" | "BD"))
        .then_some("a number with an exponent")
}
