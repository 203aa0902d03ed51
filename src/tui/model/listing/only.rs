//! Rows that are shown alone, whatever they are called.

use super::Named;

/// Which rows are shown, whatever they are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Only {
    /// Those of the kinds that have this word ([`label`](crate::domain::kind::TableKind::label)).
    Kind(&'static str),
    /// Those with something odd about them.
    Odd,
}

impl Only {
    pub(super) fn holds<T: Named>(self, row: &T) -> bool {
        match self {
            Self::Kind(label) => row.kind().is_some_and(|kind| kind.label() == label),
            Self::Odd => row.is_odd(),
        }
    }

    /// In a word or two, that go on after "only".
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Kind(label) => label,
            Self::Odd => "what is odd",
        }
    }
}
