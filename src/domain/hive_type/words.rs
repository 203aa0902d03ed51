//! The words of types without parts, as Hive's TypeInfoUtils has them, and others for the same that occur in tables made
//! by hand.

use super::HiveType;

/// The most digits of a decimal.
const DECIMAL: u32 = 38;
/// The longest char and varchar.
const CHAR: u32 = 255;
const VARCHAR: u32 = 65_535;

/// Hive's own words.
const HIVE: [&str; 18] = [
    "tinyint",
    "smallint",
    "int",
    "bigint",
    "boolean",
    "float",
    "double",
    "string",
    "binary",
    "date",
    "timestamp",
    "decimal",
    "timestamp with local time zone",
    "interval_year_month",
    "interval_day_time",
    "void",
    "unknown",
    "variant",
];

/// Other words for the same, and Hive's.
const OTHER: [(&str, &str); 10] = [
    ("byte", "tinyint"),
    ("short", "smallint"),
    ("integer", "int"),
    ("long", "bigint"),
    ("real", "float"),
    ("double precision", "double"),
    ("numeric", "decimal"),
    ("dec", "decimal"),
    ("bool", "boolean"),
    ("timestamp_ltz", "timestamp with local time zone"),
];

/// Whether a text is, letter by letter, a word of Hive's: what most columns have, told without reading on.
pub(super) fn is_hive(text: &str) -> bool {
    HIVE.contains(&text)
}

/// A type without brackets.
pub(super) fn leaf(text: &str) -> HiveType {
    let (word, numbers) = match text.split_once('(') {
        Some((word, rest)) => (word, rest.strip_suffix(')').map(numbers)),
        None => (text, Some(Vec::new())),
    };
    let lower = word
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    let other = OTHER
        .iter()
        .find(|(other, _)| *other == lower)
        .map(|(_, hive)| *hive);
    let hive = HIVE.iter().copied().find(|hive| *hive == lower).or(other);
    let known = match (hive.unwrap_or(&lower), numbers.as_deref()) {
        ("decimal", Some([])) => true,
        ("decimal", Some([digits])) => (1..=DECIMAL).contains(digits),
        ("decimal", Some([digits, scale])) => (1..=DECIMAL).contains(digits) && scale <= digits,
        ("char", Some([length])) => (1..=CHAR).contains(length),
        ("varchar", Some([length])) => (1..=VARCHAR).contains(length),
        (_, Some([])) => hive.is_some(),
        _ => false,
    };
    if !known {
        return HiveType::Unknown(text.to_owned());
    }
    let lengths = numbers.filter(|numbers| !numbers.is_empty()).map(|numbers| {
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        format!("({})", numbers.join(","))
    });
    HiveType::Primitive {
        text: lower + &lengths.unwrap_or_default(),
        hive: other,
    }
}

/// The numbers in parentheses; one that is none, or too large to be meant, makes the list too long to be known.
fn numbers(text: &str) -> Vec<u32> {
    let read: Result<Vec<u32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    read.unwrap_or_else(|_| vec![0; 3])
}
