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
        let previous = self.take();
        *self = Self::Loading { since, previous };
    }

    /// It came.
    pub fn ready(&mut self, value: T, at: Duration) {
        *self = Self::Ready { value, at };
    }

    /// It did not come: the previous value stays.
    pub fn fail(&mut self, problem: Problem) {
        let previous = self.take();
        *self = Self::Failed { problem, previous };
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
            at: Duration::ZERO,
        };
        remote.load(Duration::from_secs(1));
        assert_eq!(remote.value(), Some(&7));
        remote.fail(Problem::new(Kind::Denied, "denied", "because", "do this"));
        assert_eq!(remote.value(), Some(&7));
        assert!(remote.problem().is_some());
    }
}
