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

/// Rows that a filter looks at in one go, some milliseconds' worth: a key that comes meanwhile does not wait for all.
const SLICE: usize = 20_000;

/// A list in AWS's order. The selection follows the name when the list is read again.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<T> {
    rows: Rows<T>,
    /// The selected row's place in `rows`.
    at: usize,
    filter: Option<Filtered>,
    /// The pages of a refresh, until it is complete: what is shown stays.
    incoming: Option<Rows<T>>,
    complete: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Rows<T> {
    all: Vec<T>,
    /// How many of each kind, in the order of first appearance.
    kinds: Vec<(TableKind, u64)>,
}

#[derive(Debug, Clone, PartialEq)]
struct Filtered {
    text: String,
    /// Places in `rows`, ascending.
    hits: Vec<usize>,
    /// So many rows have been looked at.
    seen: usize,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            kinds: Vec::new(),
        }
    }
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self {
            rows: Rows::default(),
            at: 0,
            filter: None,
            incoming: None,
            complete: false,
        }
    }
}

impl<T: Named> Rows<T> {
    fn take_in(&mut self, page: Vec<T>) {
        for row in &page {
            let Some(kind) = row.kind() else { continue };
            match self.kinds.iter_mut().find(|(k, _)| *k == kind) {
                Some((_, n)) => *n += 1,
                None => self.kinds.push((kind, 1)),
            }
        }
        self.all.extend(page);
    }
}

impl<T: Named> Listing<T> {
    /// A page has come.
    pub fn page(&mut self, page: Vec<T>) {
        if self.complete {
            self.incoming.get_or_insert_default().take_in(page);
            return;
        }
        let whole = self.is_sifted();
        self.rows.take_in(page);
        if whole {
            self.sift();
        }
    }

    /// There are no more pages.
    pub fn finish(&mut self) {
        if self.complete {
            let selected = self.selected().map(|row| row.name().to_owned());
            let filter = self.filter.take().map(|f| f.text);
            self.rows = self.incoming.take().unwrap_or_default();
            self.at = selected.and_then(|name| self.find(&name)).unwrap_or(0);
            self.filter(filter.as_deref());
        }
        self.complete = true;
    }

    /// The place of a name, which is most often where it was before.
    fn find(&self, name: &str) -> Option<usize> {
        let is_it = |row: &T| row.name() == name;
        match self.rows.all.get(self.at) {
            Some(row) if is_it(row) => Some(self.at),
            _ => self.rows.all.iter().position(is_it),
        }
    }

    /// Shows only the rows that match, or all again. A long list is not looked through at once: see [`Listing::sift`].
    pub fn filter(&mut self, text: Option<&str>) {
        let text = text.filter(|text| !text.is_empty());
        if self.filtered_by() == text {
            return;
        }
        self.filter = text.map(|text| Filtered {
            text: text.to_owned(),
            hits: Vec::new(),
            seen: 0,
        });
        self.sift();
    }

    /// Looks at some more rows for the filter; to be called until [`Listing::is_sifted`].
    pub fn sift(&mut self) {
        let Some(filter) = &mut self.filter else { return };
        let rows = self.rows.all.iter().enumerate().skip(filter.seen).take(SLICE);
        filter.hits.extend(hits(&filter.text, rows));
        filter.seen = filter.seen.saturating_add(SLICE).min(self.rows.all.len());
    }

    /// True when the filter has looked at all rows there are.
    pub fn is_sifted(&self) -> bool {
        self.filter.as_ref().is_none_or(|f| f.seen == self.rows.all.len())
    }

    /// The filter's text.
    pub fn filtered_by(&self) -> Option<&str> {
        self.filter.as_ref().map(|f| f.text.as_str())
    }

    /// All rows there are.
    pub fn len(&self) -> usize {
        self.rows.all.len()
    }

    /// True when there is not one row (yet).
    pub fn is_empty(&self) -> bool {
        self.rows.all.is_empty()
    }

    /// True when no more pages come.
    pub fn is_complete(&self) -> bool {
        self.complete && self.incoming.is_none()
    }

    /// How many of each kind, in the order of first appearance.
    pub fn kinds(&self) -> &[(TableKind, u64)] {
        &self.rows.kinds
    }

    /// Rows that pass the filter.
    pub fn shown(&self) -> usize {
        self.filter.as_ref().map_or(self.rows.all.len(), |f| f.hits.len())
    }

    /// A row by its place among those that pass the filter.
    pub fn row(&self, place: usize) -> Option<&T> {
        match &self.filter {
            None => self.rows.all.get(place),
            Some(filter) => filter.hits.get(place).and_then(|at| self.rows.all.get(*at)),
        }
    }

    /// The selection's place among the rows that pass the filter; the first where it does not pass.
    pub fn place(&self) -> usize {
        match &self.filter {
            None => self.at.min(self.rows.all.len().saturating_sub(1)),
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
    fn a_long_list_is_filtered_piece_by_piece() {
        let names: Vec<String> = (0..SLICE * 2 + 5).map(|n| format!("t_{n:06}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut list = listing(&names);
        list.filter(Some("00000"));
        assert!(!list.is_sifted());
        let first = list.shown();
        list.page(rows(&["old rows stay while these come"]));
        list.filter(Some("00000"));
        assert_eq!(list.shown(), first, "the same filter does not begin anew");
        list.sift();
        list.sift();
        assert!(list.is_sifted());
        let holds = |name: &&&str| name.chars().filter(|c| *c == '0').count() >= 5;
        assert_eq!(list.shown(), names.iter().filter(holds).count());
        list.filter(None);
        assert!(list.is_sifted());
        assert_eq!(list.shown(), names.len());
    }

    #[test]
    fn pages_that_come_before_the_filter_is_through_wait_for_their_turn() {
        let names: Vec<String> = (0..SLICE + 1).map(|n| format!("a{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut list: Listing<DatabaseRow> = Listing::default();
        list.page(rows(&names));
        list.filter(Some("z"));
        list.page(rows(&["z"]));
        assert_eq!(list.shown(), 0);
        list.sift();
        assert!(list.is_sifted());
        assert_eq!(list.selected().unwrap().name, "z");
    }

    #[test]
    fn the_matched_letters_are_known() {
        assert_eq!(matched("ols", "order_lines"), vec![0, 6, 10]);
    }
}
