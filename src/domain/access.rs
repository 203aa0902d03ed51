//! The access level that a catalog asks for.

use std::{fmt, str::FromStr};

use super::{invalid::Invalid, word::serde_as_text};

/// What a grant lets its holder do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Read tables and their files; create and change nothing.
    #[default]
    ReadOnly,
    /// Read, create and modify tables, and write their files.
    ReadWrite,
}

impl Access {
    /// Both levels, the narrower first.
    pub const ALL: [Self; 2] = [Self::ReadOnly, Self::ReadWrite];

    /// `read-only` or `read-write`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::ReadWrite => "read-write",
        }
    }
}

serde_as_text!(Access);

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Access {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        match given.trim().to_ascii_lowercase().as_str() {
            "read-only" | "readonly" => Ok(Self::ReadOnly),
            "read-write" | "readwrite" => Ok(Self::ReadWrite),
            "" => Err(Invalid::empty("access level", "read-only or read-write")),
            _ => Err(Invalid::new(
                "access level",
                given,
                "is not one",
                "read-only or read-write",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_levels_round_trip_and_others_are_refused() {
        for level in Access::ALL {
            assert_eq!(level.to_string().parse::<Access>().unwrap(), level);
        }
        assert_eq!("Read-Only".parse::<Access>().unwrap(), Access::ReadOnly);
        for given in ["", "rw", "write", "read only please"] {
            assert!(
                given
                    .parse::<Access>()
                    .unwrap_err()
                    .expected
                    .contains("read-only or read-write")
            );
        }
    }
}
