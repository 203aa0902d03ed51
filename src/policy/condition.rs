//! Condition operators.

use super::context::Context;
use super::pattern::{arn_matches, literal, matches, pattern};
use std::net::IpAddr;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime, PrimitiveDateTime};

/// One line of a condition block: operator, key, and the values of which one must hold.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) operator: String,
    parsed: Option<Operator>,
    key: String,
    values: Vec<String>,
}

/// What a condition says about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Yes,
    No,
    /// The operator is not known.
    Unknown,
}

#[derive(Clone, Copy, Debug)]
struct Operator {
    set: Set,
    test: Test,
    negated: bool,
    if_exists: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Single,
    Any,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Equals,
    EqualsIgnoreCase,
    Like,
    Arn,
    Number(Order),
    Date(Order),
    Ip,
    Null,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Condition {
    pub(super) fn new(operator: &str, key: &str, values: Vec<String>) -> Self {
        Self {
            operator: operator.to_owned(),
            parsed: parse(operator),
            key: key.to_owned(),
            values,
        }
    }

    /// Its values, where it is on this key and wants them to be met.
    pub(super) fn wanted(&self, key: &str) -> &[String] {
        match self.parsed {
            Some(operator) if !operator.negated && self.key.eq_ignore_ascii_case(key) => &self.values,
            _ => &[],
        }
    }

    /// The same, where the values are patterns.
    pub(super) fn patterns(&self, key: &str) -> &[String] {
        match self.parsed {
            Some(operator) if matches!(operator.test, Test::Like | Test::Arn) => self.wanted(key),
            _ => &[],
        }
    }

    pub(super) fn is_known(&self) -> bool {
        self.parsed.is_some()
    }

    /// Its key, where the context has none of that name and the operator asks for one.
    pub(super) fn lacks(&self, context: &Context) -> Option<&str> {
        let asks = self
            .parsed
            .is_none_or(|operator| operator.test != Test::Null && !operator.if_exists);
        (asks && context.get(&self.key).is_none()).then_some(self.key.as_str())
    }

    pub(super) fn held(&self, variables: bool, context: &Context) -> Held {
        match self.parsed {
            None => Held::Unknown,
            Some(operator) if self.holds(operator, variables, context) => Held::Yes,
            Some(_) => Held::No,
        }
    }

    fn holds(&self, operator: Operator, variables: bool, context: &Context) -> bool {
        let given = context.get(&self.key);
        if operator.test == Test::Null {
            return self
                .values
                .iter()
                .any(|value| value.eq_ignore_ascii_case("true") == given.is_none());
        }
        let Some(given) = given else {
            return operator.if_exists
                || operator.set == Set::All
                || (operator.set == Set::Single && operator.negated);
        };
        let one = |given: &String| {
            let hit = self
                .values
                .iter()
                .any(|wanted| test(operator.test, wanted, given, variables, context));
            hit != operator.negated
        };
        match operator.set {
            Set::Any => given.iter().any(one),
            Set::Single | Set::All => given.iter().all(one),
        }
    }
}

/// Reads `ForAnyValue:StringNotLikeIfExists` and its like. Operators are spelled exactly.
fn parse(text: &str) -> Option<Operator> {
    let (set, rest) = match text.split_once(':') {
        None => (Set::Single, text),
        Some(("ForAnyValue", rest)) => (Set::Any, rest),
        Some(("ForAllValues", rest)) => (Set::All, rest),
        Some(_) => return None,
    };
    let (name, if_exists) = rest
        .strip_suffix("IfExists")
        .map_or((rest, false), |name| (name, true));
    let (test, negated) = match name {
        "StringEquals" | "BinaryEquals" => (Test::Equals, false),
        "StringNotEquals" => (Test::Equals, true),
        "StringEqualsIgnoreCase" | "Bool" => (Test::EqualsIgnoreCase, false),
        "StringNotEqualsIgnoreCase" => (Test::EqualsIgnoreCase, true),
        "StringLike" => (Test::Like, false),
        "StringNotLike" => (Test::Like, true),
        "ArnEquals" | "ArnLike" => (Test::Arn, false),
        "ArnNotEquals" | "ArnNotLike" => (Test::Arn, true),
        "NumericEquals" => (Test::Number(Order::Equal), false),
        "NumericNotEquals" => (Test::Number(Order::Equal), true),
        "NumericLessThan" => (Test::Number(Order::Less), false),
        "NumericLessThanEquals" => (Test::Number(Order::LessOrEqual), false),
        "NumericGreaterThan" => (Test::Number(Order::Greater), false),
        "NumericGreaterThanEquals" => (Test::Number(Order::GreaterOrEqual), false),
        "DateEquals" => (Test::Date(Order::Equal), false),
        "DateNotEquals" => (Test::Date(Order::Equal), true),
        "DateLessThan" => (Test::Date(Order::Less), false),
        "DateLessThanEquals" => (Test::Date(Order::LessOrEqual), false),
        "DateGreaterThan" => (Test::Date(Order::Greater), false),
        "DateGreaterThanEquals" => (Test::Date(Order::GreaterOrEqual), false),
        "IpAddress" => (Test::Ip, false),
        "NotIpAddress" => (Test::Ip, true),
        "Null" if !if_exists && set == Set::Single => (Test::Null, false),
        _ => return None,
    };
    Some(Operator {
        set,
        test,
        negated,
        if_exists,
    })
}

fn test(test: Test, wanted: &str, given: &str, variables: bool, context: &Context) -> bool {
    if matches!(test, Test::Like | Test::Arn) {
        let Some(wanted) = pattern(wanted, variables, context) else {
            return false;
        };
        return if test == Test::Like {
            matches(&wanted, given)
        } else {
            arn_matches(&wanted, given)
        };
    }
    let Some(wanted) = literal(wanted, variables, context) else {
        return false;
    };
    match test {
        Test::Equals => wanted == given,
        Test::EqualsIgnoreCase => wanted.to_lowercase() == given.to_lowercase(),
        Test::Number(order) => match (given.parse::<f64>(), wanted.parse::<f64>()) {
            (Ok(given), Ok(wanted)) => ordered(order, &given, &wanted),
            _ => false,
        },
        Test::Date(order) => match (date(given), date(&wanted)) {
            (Some(given), Some(wanted)) => ordered(order, &given, &wanted),
            _ => false,
        },
        Test::Ip => in_range(given, &wanted),
        Test::Like | Test::Arn | Test::Null => false,
    }
}

fn ordered<T: PartialOrd>(order: Order, given: &T, wanted: &T) -> bool {
    match order {
        Order::Equal => given == wanted,
        Order::Less => given < wanted,
        Order::LessOrEqual => given <= wanted,
        Order::Greater => given > wanted,
        Order::GreaterOrEqual => given >= wanted,
    }
}

/// ISO 8601 to the day, the minute or finer, or seconds since 1970.
fn date(text: &str) -> Option<OffsetDateTime> {
    let minutes = format_description!("[year]-[month]-[day]T[hour]:[minute]Z");
    let days = format_description!("[year]-[month]-[day]");
    OffsetDateTime::parse(text, &Rfc3339)
        .ok()
        .or_else(|| {
            PrimitiveDateTime::parse(text, minutes)
                .ok()
                .map(PrimitiveDateTime::assume_utc)
        })
        .or_else(|| {
            Date::parse(text, days)
                .ok()
                .map(|date| date.midnight().assume_utc())
        })
        .or_else(|| OffsetDateTime::from_unix_timestamp(text.parse().ok()?).ok())
}

/// Whether an address lies in `203.0.113.0/24`, or is the address.
fn in_range(given: &str, range: &str) -> bool {
    let (network, bits) = match range.split_once('/') {
        Some((network, bits)) => match bits.parse::<u32>() {
            Ok(bits) => (network, Some(bits)),
            Err(_) => return false,
        },
        None => (range, None),
    };
    match (given.parse::<IpAddr>(), network.parse::<IpAddr>()) {
        (Ok(IpAddr::V4(given)), Ok(IpAddr::V4(network))) => same_front(
            u128::from(given.to_bits()),
            u128::from(network.to_bits()),
            32,
            bits.unwrap_or(32),
        ),
        (Ok(IpAddr::V6(given)), Ok(IpAddr::V6(network))) => {
            same_front(given.to_bits(), network.to_bits(), 128, bits.unwrap_or(128))
        }
        _ => false,
    }
}

fn same_front(a: u128, b: u128, width: u32, bits: u32) -> bool {
    if bits > width {
        return false;
    }
    // A shift by the whole width is no shift: /0 is everything.
    (a ^ b).checked_shr(width - bits).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(operator: &str, wanted: &str, given: Option<&str>) -> bool {
        let context = Context::new().maybe("k", given);
        Condition::new(operator, "k", vec![wanted.to_owned()]).held(true, &context) == Held::Yes
    }

    #[test]
    fn addresses_lie_in_ranges() {
        assert!(holds("IpAddress", "203.0.113.0/24", Some("203.0.113.77")));
        assert!(!holds("IpAddress", "203.0.113.0/24", Some("203.0.114.1")));
        assert!(holds("IpAddress", "0.0.0.0/0", Some("8.8.8.8")));
        assert!(holds("IpAddress", "::/0", Some("fe80::1")));
        assert!(holds("NotIpAddress", "203.0.113.0/24", Some("fe80::1")));
        assert!(!holds("IpAddress", "203.0.113.0/99", Some("203.0.113.1")));
        assert!(holds("IpAddress", "127.0.0.1", Some("127.0.0.1")));
    }

    #[test]
    fn dates_are_compared_as_times() {
        assert!(holds(
            "DateGreaterThan",
            "2026-11-30",
            Some("2026-11-30T00:00:01Z")
        ));
        assert!(holds(
            "DateLessThan",
            "2026-11-30T09:00:00+02:00",
            Some("2026-11-30T06:59Z")
        ));
        assert!(holds("DateEquals", "1796026500", Some("2026-11-30T08:15:00Z")));
        assert!(!holds("DateLessThan", "yesterday", Some("2026-11-30T06:59Z")));
    }

    #[test]
    fn an_absent_key_satisfies_only_negations_and_if_exists() {
        for (operator, held) in [
            ("StringEquals", false),
            ("StringNotEquals", true),
            ("StringNotLike", true),
            ("StringEqualsIfExists", true),
            ("NumericLessThan", false),
            ("ForAllValues:StringEquals", true),
            ("ForAnyValue:StringEquals", false),
            ("ForAnyValue:StringNotEquals", false),
        ] {
            assert_eq!(holds(operator, "1", None), held, "{operator}");
        }
    }

    #[test]
    fn operators_are_spelled_exactly() {
        for wrong in [
            "stringequals",
            "StringEqual",
            "ForSomeValues:StringEquals",
            "NullIfExists",
            "",
            ":",
            "IfExists",
        ] {
            assert!(!Condition::new(wrong, "k", Vec::new()).is_known(), "{wrong}");
        }
    }
}
