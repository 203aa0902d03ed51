//! Moments in time, in UTC, and how they are said. Nothing here reads a clock: the present is always given.

use std::{fmt, str::FromStr};

use time::{OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339};

use super::{invalid::Invalid, word::serde_as_text};

/// A moment to the millisecond; written as RFC 3339 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(OffsetDateTime);

impl Moment {
    /// The start of 1970.
    pub const EPOCH: Self = Self(OffsetDateTime::UNIX_EPOCH);

    /// From milliseconds since 1970; `None` outside the years that can be written.
    pub fn from_unix_millis(millis: i64) -> Option<Self> {
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).ok()?;
        (0..=9999).contains(&at.year()).then_some(Self(at))
    }

    /// From seconds since 1970, as AWS's JSON gives them.
    pub fn from_unix_seconds(seconds: f64) -> Option<Self> {
        let millis = (seconds * 1000.0).round();
        if !millis.is_finite() || millis.abs() > 1e15 {
            return None;
        }
        // Within ±1e15 the conversion is exact.
        Self::from_unix_millis(millis as i64)
    }

    /// Milliseconds since 1970.
    pub fn unix_millis(self) -> i64 {
        i64::try_from(self.0.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
    }

    /// Whole seconds from `earlier` to this moment; negative if it is later.
    pub fn seconds_since(self, earlier: Self) -> i64 {
        (self.unix_millis() - earlier.unix_millis()).div_euclid(1000)
    }

    /// How a moment is said while it is fresh, seen from `now`: `just now`, `12 s ago`, `2 min ago`, `3 h ago`,
    /// `5 days ago`, and from 30 days on its date. A moment ahead (another machine's clock) is said as it is.
    pub fn relative(self, now: Self) -> String {
        let seconds = now.seconds_since(self);
        match seconds {
            ..-2 => format!("at {}", self.date_and_clock()),
            -2..=4 => "just now".to_owned(),
            5..=59 => format!("{seconds} s ago"),
            60..=3_599 => format!("{} min ago", seconds / 60),
            3_600..=86_399 => format!("{} h ago", seconds / 3_600),
            86_400..=172_799 => "1 day ago".to_owned(),
            172_800..=2_591_999 => format!("{} days ago", seconds / 86_400),
            _ => format!("on {}", self.date()),
        }
    }

    /// `14:02:11` (UTC).
    pub fn clock(self) -> String {
        let (hour, minute, second) = self.0.to_hms();
        format!("{hour:02}:{minute:02}:{second:02}")
    }

    /// `2026-11-30` (UTC).
    pub fn date(self) -> String {
        let (year, month, day) = self.0.to_calendar_date();
        format!("{year:04}-{:02}-{day:02}", u8::from(month))
    }

    /// `2026-11-30 14:02` (UTC).
    pub fn date_and_clock(self) -> String {
        let (hour, minute, _) = self.0.to_hms();
        format!("{} {hour:02}:{minute:02}", self.date())
    }
}

impl From<OffsetDateTime> for Moment {
    fn from(at: OffsetDateTime) -> Self {
        let at = at.to_offset(UtcOffset::UTC);
        let millis = i64::try_from(at.unix_timestamp_nanos().div_euclid(1_000_000)).unwrap_or(0);
        Self::from_unix_millis(millis).unwrap_or(Self(OffsetDateTime::UNIX_EPOCH))
    }
}

serde_as_text!(Moment);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.millisecond();
        if millis == 0 {
            f.pad(&format!("{}T{}Z", self.date(), self.clock()))
        } else {
            f.pad(&format!("{}T{}.{millis:03}Z", self.date(), self.clock()))
        }
    }
}

impl FromStr for Moment {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        OffsetDateTime::parse(given.trim(), &Rfc3339)
            .map(Self::from)
            .map_err(|_| Invalid::new("time", given, "is not RFC 3339", "such as 2026-11-30T14:02:11Z"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        text.parse().unwrap()
    }

    #[test]
    fn moments_are_utc_and_round_trip() {
        assert_eq!(at("2026-11-30T14:02:11Z").to_string(), "2026-11-30T14:02:11Z");
        assert_eq!(
            at("2026-11-30T14:02:11.5+02:00").to_string(),
            "2026-11-30T12:02:11.500Z"
        );
        assert_eq!(
            Moment::from_unix_seconds(0.25).unwrap().to_string(),
            "1970-01-01T00:00:00.250Z"
        );
        assert_eq!(Moment::from_unix_millis(-1).unwrap().unix_millis(), -1);
        assert!(Moment::from_unix_millis(i64::MAX).is_none());
        assert!(Moment::from_unix_seconds(f64::NAN).is_none());
        assert!("yesterday".parse::<Moment>().is_err());
    }

    #[test]
    fn the_past_is_said_in_the_unit_that_fits() {
        let now = at("2026-11-30T14:00:00Z");
        for (then, said) in [
            ("2026-11-30T14:00:00Z", "just now"),
            ("2026-11-30T14:00:01Z", "just now"),
            ("2026-11-30T13:59:48Z", "12 s ago"),
            ("2026-11-30T13:58:00Z", "2 min ago"),
            ("2026-11-30T11:00:00Z", "3 h ago"),
            ("2026-11-29T13:00:00Z", "1 day ago"),
            ("2026-11-25T13:00:00Z", "5 days ago"),
            ("2026-10-01T13:00:00Z", "on 2026-10-01"),
            ("2026-11-30T15:00:00Z", "at 2026-11-30 15:00"),
        ] {
            assert_eq!(at(then).relative(now), said);
        }
    }
}
