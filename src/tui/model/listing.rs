//! A list that streams in. Its cost a key press does not grow with its length: what a frame needs is kept, not counted anew.

use crate::browse::{DatabaseRow, TableRow};
use crate::domain::kind::TableKind;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// A row with a name.
pub trait Named {
    /// The raw name: what the selection follows and AWS is asked for.
    fn name(&self) -> &str;

    /// What it is, for rows that are counted by kind.
    fn kind(&self) -> Option<TableKind> {
        None
    }
}

impl Named for DatabaseRow {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for TableRow {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Option<TableKind> {
        Some(self.kind)
    }
}

/// A list in AWS's order. The selection follows the name when the list is read again.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<T> {
    rows: Vec<T>,
    /// How many of each kind, in the order of first appearance.
    kinds: Vec<(TableKind, u64)>,
    /// The selected row's place in `rows`.
    at: usize,
    filter: Option<Filtered>,
    /// The pages of a refresh, until it is complete: what is shown stays.
    incoming: Option<Vec<T>>,
    complete: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Filtered {
    text: String,
    /// Places in `rows`, ascending.
    hits: Vec<usize>,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            kinds: Vec::new(),
            at: 0,
            filter: None,
            incoming: None,
            complete: false,
        }
    }
}

impl<T: Named> Listing<T> {
    /// A page has come.
    pub fn page(&mut self, page: Vec<T>) {
        if self.complete {
            self.incoming.get_or_insert_default().extend(page);
        } else {
            self.take_in(page);
        }
    }

    /// There are no more pages.
    pub fn finish(&mut self) {
        if self.complete {
            let selected = self.selected().map(|row| row.name().to_owned());
            let filter = self.filter.take().map(|f| f.text);
            let rows = self.incoming.take().unwrap_or_default();
            (self.rows, self.kinds, self.at) = (Vec::new(), Vec::new(), 0);
            self.take_in(rows);
            self.at = selected
                .and_then(|name| self.rows.iter().position(|r| r.name() == name))
                .unwrap_or(0);
            self.filter(filter.as_deref());
        }
        self.complete = true;
    }

    fn take_in(&mut self, page: Vec<T>) {
        let from = self.rows.len();
        for row in &page {
            let Some(kind) = row.kind() else { continue };
            match self.kinds.iter_mut().find(|(k, _)| *k == kind) {
                Some((_, n)) => *n += 1,
                None => self.kinds.push((kind, 1)),
            }
        }
        self.rows.extend(page);
        if let Some(filter) = &mut self.filter {
            let new = hits(&filter.text, self.rows.iter().enumerate().skip(from));
            filter.hits.extend(new);
        }
    }

    /// Shows only the rows that match, or all again.
    pub fn filter(&mut self, text: Option<&str>) {
        self.filter = text.filter(|text| !text.is_empty()).map(|text| Filtered {
            text: text.to_owned(),
            hits: hits(text, self.rows.iter().enumerate()),
        });
    }

    /// The filter's text.
    pub fn filtered_by(&self) -> Option<&str> {
        self.filter.as_ref().map(|f| f.text.as_str())
    }

    /// All rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True when there is not one row (yet).
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// True when no more pages come.
    pub fn is_complete(&self) -> bool {
        self.complete && self.incoming.is_none()
    }

    /// How many of each kind, in the order of first appearance.
    pub fn kinds(&self) -> &[(TableKind, u64)] {
        &self.kinds
    }

    /// Rows that pass the filter.
    pub fn shown(&self) -> usize {
        self.filter.as_ref().map_or(self.rows.len(), |f| f.hits.len())
    }

    /// A row by its place among those that pass the filter.
    pub fn row(&self, place: usize) -> Option<&T> {
        match &self.filter {
            None => self.rows.get(place),
            Some(filter) => filter.hits.get(place).and_then(|at| self.rows.get(*at)),
        }
    }

    /// The selection's place among the rows that pass the filter; the first where it does not pass.
    pub fn place(&self) -> usize {
        match &self.filter {
            None => self.at.min(self.rows.len().saturating_sub(1)),
            Some(filter) => filter.hits.binary_search(&self.at).unwrap_or(0),
        }
    }

    /// The selected row.
    pub fn selected(&self) -> Option<&T> {
        self.row(self.place())
    }

    /// Moves the selection by `by` rows; stays at the ends.
    pub fn move_by(&mut self, by: isize) {
        let to = self
            .place()
            .saturating_add_signed(by)
            .min(self.shown().saturating_sub(1));
        self.at = match &self.filter {
            None => to,
            Some(filter) => filter.hits.get(to).copied().unwrap_or(self.at),
        };
    }
}

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text, CaseMatching::Ignore, Normalization::Smart)
}

fn hits<'r, T: Named + 'r>(text: &str, rows: impl Iterator<Item = (usize, &'r T)>) -> Vec<usize> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = pattern(text);
    let mut buffer = Vec::new();
    rows.filter(|(_, row)| {
        pattern
            .score(Utf32Str::new(row.name(), &mut buffer), &mut matcher)
            .is_some()
    })
    .map(|(at, _)| at)
    .collect()
}

/// The letters of a name that a filter matched, by their place in the name, ascending.
pub fn matched(text: &str, name: &str) -> Vec<u32> {
    let mut buffer = Vec::new();
    let mut places = Vec::new();
    let name = Utf32Str::new(name, &mut buffer);
    pattern(text).indices(name, &mut Matcher::new(Config::DEFAULT), &mut places);
    places.sort_unstable();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(names: &[&str]) -> Vec<DatabaseRow> {
        names
            .iter()
            .map(|name| DatabaseRow {
                name: (*name).to_owned(),
                description: None,
                link: None,
            })
            .collect()
    }

    fn listing(names: &[&str]) -> Listing<DatabaseRow> {
        let mut list = Listing::default();
        list.page(rows(names));
        list.finish();
        list
    }

    #[test]
    fn a_refresh_keeps_what_is_there_and_the_selection_follows_the_name() {
        let mut list = listing(&["b", "c"]);
        list.move_by(1);
        list.page(rows(&["a"]));
        assert_eq!(list.len(), 2, "the old rows stay while the new ones come");
        assert!(!list.is_complete());
        list.page(rows(&["b", "c"]));
        list.finish();
        assert_eq!(list.len(), 3);
        assert_eq!(list.selected().unwrap().name, "c");
    }

    #[test]
    fn moving_stays_within_what_the_filter_shows() {
        let mut list = listing(&["orders", "customers", "order_lines", "weather"]);
        list.filter(Some("ord"));
        assert_eq!(list.shown(), 2);
        list.move_by(5);
        assert_eq!(list.selected().unwrap().name, "order_lines");
        list.move_by(-9);
        assert_eq!(list.selected().unwrap().name, "orders");
        list.filter(None);
        assert_eq!(list.selected().unwrap().name, "orders");
    }

    #[test]
    fn a_page_that_comes_while_filtering_is_filtered_too() {
        let mut list: Listing<DatabaseRow> = Listing::default();
        list.page(rows(&["orders"]));
        list.filter(Some("ord"));
        list.page(rows(&["weather", "orders_raw"]));
        assert_eq!(list.shown(), 2);
    }

    #[test]
    fn the_matched_letters_are_known() {
        assert_eq!(matched("ols", "order_lines"), vec![0, 6, 10]);
    }
}
