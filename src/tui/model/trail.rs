//! The tables that were looked at, in the order of the way: there is a back and a forward, as in a web browser.

use crate::tui::model::Place;

/// Places that are remembered.
const LONGEST: usize = 200;

/// The way through a catalog.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trail {
    places: Vec<Place>,
    /// The place in `places` at which the way is.
    at: usize,
}

impl Trail {
    /// A table is looked at. What lay ahead is forgotten, unless it is the place where the way is.
    pub fn come(&mut self, place: Place) {
        if self.places.get(self.at) == Some(&place) {
            return;
        }
        self.places.truncate(self.at + 1);
        self.places.push(place);
        let more = self.places.len().saturating_sub(LONGEST);
        self.places.drain(..more);
        self.at = self.places.len() - 1;
    }

    /// One step back (−1) or forward (1); `None` at the ends.
    pub fn step(&mut self, by: isize) -> Option<Place> {
        let to = self.at.checked_add_signed(by)?;
        let place = self.places.get(to)?.clone();
        self.at = to;
        Some(place)
    }

    /// All places, each once, the one that was come to last first.
    pub fn recent(&self) -> Vec<&Place> {
        let mut recent: Vec<&Place> = Vec::new();
        for place in self.places.iter().rev() {
            if !recent.contains(&place) {
                recent.push(place);
            }
        }
        recent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(table: &str) -> Place {
        Place {
            database: "sales".into(),
            table: Some(table.into()),
        }
    }

    #[test]
    fn the_way_back_is_the_way_forward_until_another_way_is_taken() {
        let mut trail = Trail::default();
        assert_eq!(trail.step(-1), None);
        for table in ["a", "b", "b", "c"] {
            trail.come(place(table));
        }
        assert_eq!(trail.step(1), None);
        assert_eq!(trail.step(-1), Some(place("b")));
        // Coming to where the way is forgets nothing.
        trail.come(place("b"));
        assert_eq!(trail.step(1), Some(place("c")));
        trail.step(-1);
        trail.come(place("d"));
        assert_eq!(trail.step(1), None);
        let recent: Vec<_> = trail
            .recent()
            .into_iter()
            .map(|p| p.table.clone().unwrap())
            .collect();
        assert_eq!(recent, ["d", "b", "a"]);
    }

    #[test]
    fn the_oldest_places_are_forgotten() {
        let mut trail = Trail::default();
        for n in 0..300 {
            trail.come(place(&n.to_string()));
        }
        let mut steps = 0;
        while trail.step(-1).is_some() {
            steps += 1;
        }
        assert_eq!(steps, LONGEST - 1);
    }
}
