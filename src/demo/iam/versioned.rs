//! Changes that are seen late.

use crate::demo::world::Moment;
use serde::{Deserialize, Serialize};

/// How long earlier versions are kept, in milliseconds: longer than any delay that is worth waiting for.
const KEPT_MS: i64 = 60 * 60 * 1000;
/// How many versions are kept at most.
const MOST: usize = 32;

/// A thing with its earlier versions, so that a change, a making or a removal can be seen later than it was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Versioned<T>(Vec<(i64, Option<T>)>);

impl<T> Default for Versioned<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Versioned<T> {
    /// The thing as it was last made; `None` where it was removed.
    pub(super) fn latest(&self) -> Option<&T> {
        self.0.last().and_then(|(_, thing)| thing.as_ref())
    }

    /// The thing as it is seen; `None` where it is not seen yet, or no more.
    pub(super) fn seen(&self, moment: Moment) -> Option<&T> {
        self.0
            .iter()
            .rev()
            .find(|(made, _)| *made <= moment.seen)
            .and_then(|(_, thing)| thing.as_ref())
    }

    /// Makes, changes or removes it.
    pub(super) fn set(&mut self, moment: Moment, thing: Option<T>) {
        self.0.push((moment.real, thing));
        let old = moment.real.saturating_sub(KEPT_MS);
        while self.0.len() > MOST || self.0.get(1).is_some_and(|(made, _)| *made < old) {
            self.0.remove(0);
        }
        // What came before the first that is kept is forgotten: it counts as having always been so.
        if self.0.len() == MOST
            && let Some((made, _)) = self.0.first_mut()
        {
            *made = i64::MIN;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(real: i64, delay: i64) -> Moment {
        Moment {
            shown: real,
            real,
            seen: real - delay,
        }
    }

    #[test]
    fn making_changing_and_removing_are_seen_late() {
        let mut role = Versioned::default();
        role.set(at(100, 0), Some("wide"));
        assert_eq!(role.latest(), Some(&"wide"));
        assert_eq!(role.seen(at(105, 10)), None);
        assert_eq!(role.seen(at(110, 10)), Some(&"wide"));
        role.set(at(120, 0), Some("narrow"));
        assert_eq!(role.seen(at(125, 10)), Some(&"wide"));
        assert_eq!(role.seen(at(130, 10)), Some(&"narrow"));
        role.set(at(140, 0), None);
        assert_eq!(role.latest(), None);
        assert_eq!(role.seen(at(145, 10)), Some(&"narrow"));
        assert_eq!(role.seen(at(150, 10)), None);
    }

    #[test]
    fn a_thing_changed_often_does_not_grow_and_stays_seen() {
        let mut role = Versioned::default();
        for n in 0..1000 {
            role.set(at(n, 0), Some(n));
        }
        assert!(role.0.len() <= MOST);
        assert!(role.seen(at(1000, 900)).is_some());
    }
}
