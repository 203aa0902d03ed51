//! The rules of bucket names (AWS, "General purpose bucket naming rules").

use super::other::Other;
use crate::domain::invalid::Invalid;

const PART: &str = "S3 bucket";
const EXPECTED: &str = "3 to 63 lower-case letters, digits, dots and dashes, such as acme-lake";

/// Checks a bucket's name.
pub(super) fn check(name: &str) -> Result<(), Invalid> {
    let wrong = |why: String, expected: &str| Err(Invalid::new(PART, name, why, expected));
    if name.is_empty() {
        return Err(Invalid::empty(PART, EXPECTED));
    }
    if let Some(kind) = Other::of_name(name) {
        return wrong(format!("is {}", kind.named()), kind.instead());
    }
    if let Some(odd) = name
        .chars()
        .find(|c| !(c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(*c)))
    {
        let why = if odd.is_whitespace() {
            let without: String = name.chars().filter(|c| !c.is_whitespace()).collect();
            return wrong(
                format!("holds {}", super::blank_named(odd)),
                &format!("a name without one, such as {without}: {EXPECTED}"),
            );
        } else if odd.is_ascii_uppercase() {
            format!("holds the capital {odd:?}")
        } else {
            format!("holds {odd:?}")
        };
        return wrong(why, EXPECTED);
    }
    if !(3..=63).contains(&name.len()) {
        return wrong(format!("has {} characters", name.len()), EXPECTED);
    }
    if name.starts_with(['.', '-']) || name.ends_with(['.', '-']) {
        return wrong("starts or ends with a dot or dash".to_owned(), EXPECTED);
    }
    if name.contains("..") {
        return wrong("has two dots in a row".to_owned(), EXPECTED);
    }
    if name.split('.').count() == 4 && name.split('.').all(|n| n.parse::<u8>().is_ok()) {
        return wrong("looks like an IP address".to_owned(), EXPECTED);
    }
    for start in ["xn--", "sthree-", "amzn-s3-demo-"] {
        if name.starts_with(start) {
            return wrong(
                format!("starts with {start}, which AWS keeps for itself"),
                EXPECTED,
            );
        }
    }
    Ok(())
}
