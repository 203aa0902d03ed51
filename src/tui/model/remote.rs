//! A value that comes from elsewhere, in each of the states that has a screen.

use crate::domain::problem::Problem;
use std::time::Duration;

/// A remote value. A refresh and a failure keep the previous one: old data with its age beats a blank pane.
#[derive(Debug, Clone, PartialEq)]
pub enum Remote<T> {
    /// Not asked for.
    Idle,
    /// Asked for.
    Loading {
        /// Since when, from the program's start.
        since: Duration,
        /// What was there before.
        previous: Option<T>,
        /// When that came.
        as_of: Option<Duration>,
    },
    /// There.
    Ready {
        /// The value.
        value: T,
        /// When it came, from the program's start.
        at: Duration,
    },
    /// Could not be had.
    Failed {
        /// Why, and what next.
        problem: Problem,
        /// What was there before.
        previous: Option<T>,
        /// When that came.
        as_of: Option<Duration>,
    },
}

impl<T> Remote<T> {
    /// The newest value there is, be it old.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Idle => None,
            Self::Ready { value, .. } => Some(value),
            Self::Loading { previous, .. } | Self::Failed { previous, .. } => previous.as_ref(),
        }
    }

    /// The newest value there is, to be changed in place while it streams in.
    pub fn value_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Idle => None,
            Self::Ready { value, .. } => Some(value),
            Self::Loading { previous, .. } | Self::Failed { previous, .. } => previous.as_mut(),
        }
    }

    /// Asked for (again): the previous value stays.
    pub fn load(&mut self, since: Duration) {
        let as_of = self.as_of();
        let previous = self.take();
        *self = Self::Loading {
            since,
            previous,
            as_of,
        };
    }

    /// A part of it came: it is still loading, since when it was, with what there is now.
    pub fn part(&mut self, value: T, now: Duration) {
        let (as_of, since) = (self.as_of(), self.loading_since().unwrap_or(now));
        *self = Self::Loading {
            since,
            previous: Some(value),
            as_of,
        };
    }

    /// It came.
    pub fn ready(&mut self, value: T, at: Duration) {
        *self = Self::Ready { value, at };
    }

    /// It did not come: the previous value stays.
    pub fn fail(&mut self, problem: Problem) {
        let as_of = self.as_of();
        let previous = self.take();
        *self = Self::Failed {
            problem,
            previous,
            as_of,
        };
    }

    /// When the newest whole value came, from the program's start.
    pub fn as_of(&self) -> Option<Duration> {
        match self {
            Self::Idle => None,
            Self::Ready { at, .. } => Some(*at),
            Self::Loading { as_of, .. } | Self::Failed { as_of, .. } => *as_of,
        }
    }

    /// The value there is, is old: a refresh failed.
    pub fn is_stale(&self) -> bool {
        matches!(
            self,
            Self::Failed {
                previous: Some(_),
                ..
            }
        )
    }

    /// Takes the value out and leaves nothing.
    pub fn take(&mut self) -> Option<T> {
        match std::mem::replace(self, Self::Idle) {
            Self::Idle => None,
            Self::Ready { value, .. } => Some(value),
            Self::Loading { previous, .. } | Self::Failed { previous, .. } => previous,
        }
    }

    /// The problem, if it failed.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Failed { problem, .. } => Some(problem),
            _ => None,
        }
    }

    /// Since when it has been loading, if it is.
    pub fn loading_since(&self) -> Option<Duration> {
        match self {
            Self::Loading { since, .. } => Some(*since),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::problem::{Kind, Problem};

    #[test]
    fn a_failed_refresh_keeps_the_old_value() {
        let mut remote = Remote::Ready {
            value: 7,
            at: Duration::from_millis(20),
        };
        assert!(!remote.is_stale());
        remote.load(Duration::from_secs(1));
        assert_eq!(remote.value(), Some(&7));
        remote.fail(Problem::new(Kind::Denied, "denied", "because", "do this"));
        assert_eq!(remote.value(), Some(&7));
        assert!(remote.problem().is_some());
        assert!(remote.is_stale());
        assert_eq!(remote.as_of(), Some(Duration::from_millis(20)));
    }
}
