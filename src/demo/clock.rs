//! Times as the protocols write them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};
use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

const ISO: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z");
const ISO_MILLIS: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
const BASIC: &[BorrowedFormatItem<'_>] = format_description!("[year][month][day]T[hour][minute][second]Z");
const HTTP: &[BorrowedFormatItem<'_>] =
    format_description!("[weekday repr:short], [day] [month repr:short] [year] [hour]:[minute]:[second] GMT");

/// Milliseconds since 1970, negative before.
pub fn millis(at: SystemTime) -> i64 {
    match at.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |millis| -millis),
    }
}

/// The time of so many milliseconds since 1970.
pub fn from_millis(millis: i64) -> SystemTime {
    let span = Duration::from_millis(millis.unsigned_abs());
    let moved = if millis < 0 {
        UNIX_EPOCH.checked_sub(span)
    } else {
        UNIX_EPOCH.checked_add(span)
    };
    moved.unwrap_or(UNIX_EPOCH)
}

/// `2026-11-30T08:15:00Z`.
pub fn iso(millis: i64) -> String {
    format(millis, ISO)
}

/// `2026-11-30T08:15:00.123Z`.
pub fn iso_millis(millis: i64) -> String {
    format(millis, ISO_MILLIS)
}

/// `20261130T081500Z`, as SigV4 writes it.
pub fn basic(millis: i64) -> String {
    format(millis, BASIC)
}

/// `Mon, 30 Nov 2026 08:15:00 GMT`, as HTTP writes it.
pub fn http_date(millis: i64) -> String {
    format(millis, HTTP)
}

fn format(millis: i64, items: &[BorrowedFormatItem<'_>]) -> String {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000)
        .ok()
        .and_then(|at| at.format(items).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protocol_has_its_spelling() {
        let at = 1_796_026_500_123;
        assert_eq!(iso(at), "2026-11-30T08:15:00Z");
        assert_eq!(iso_millis(at), "2026-11-30T08:15:00.123Z");
        assert_eq!(basic(at), "20261130T081500Z");
        assert_eq!(http_date(at), "Mon, 30 Nov 2026 08:15:00 GMT");
        assert_eq!(millis(from_millis(at)), at);
        assert_eq!(millis(from_millis(-5)), -5);
    }
}
