//! A list that streams in. Its cost a key press does not grow with its length: what a frame needs is kept, not counted anew.

use crate::browse::{DatabaseRow, TableRow};
use crate::domain::kind::TableKind;

mod needle;
mod only;

use needle::Hit;
pub use needle::Needle;
pub use only::Only;

/// A row with a name.
pub trait Named {
    /// The raw name: what the selection follows and AWS is asked for.
    fn name(&self) -> &str;

    /// What it is, for rows that are counted by kind.
    fn kind(&self) -> Option<TableKind> {
        None
    }

    /// Whether there is something odd about it.
    fn is_odd(&self) -> bool {
        false
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

    fn is_odd(&self) -> bool {
        !self.notes.is_empty()
    }
}

/// Rows that a filter looks at in one go, a millisecond's worth: a key that comes meanwhile does not wait for all, and its own
/// frame waits for one more. Of names that cost more to look at it is fewer.
const SLICE: usize = 8_000;

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
    /// What fits best to a filter is selected, until another row is.
    leads: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Rows<T> {
    all: Vec<T>,
    /// How many of each kind, in the order of first appearance.
    kinds: Vec<(TableKind, u64)>,
    /// How many with something odd about them.
    odd: u64,
}

#[derive(Debug, Clone, PartialEq)]
struct Filtered {
    /// What the name must hold; nothing where any will do.
    text: String,
    only: Option<Only>,
    hits: Hits,
    /// So many rows have been looked at.
    seen: usize,
    /// The selection was moved since the text was typed.
    moved: bool,
}

/// The places in `rows` that pass a filter, the best first: rows of the very name, rows whose name begins with the text,
/// the others. Each part is in the list's order, so ascending.
#[derive(Debug, Clone, PartialEq, Default)]
struct Hits([Vec<u32>; 3]);

impl Hits {
    fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The row at this place, beyond all that are there already, passes.
    fn add(&mut self, hit: Hit, at: usize) {
        // A list of more rows than that has no end.
        let Ok(at) = u32::try_from(at) else { return };
        let [exact, prefix, letters] = &mut self.0;
        match hit {
            Hit::Exact => exact,
            Hit::Prefix => prefix,
            Hit::Letters => letters,
        }
        .push(at);
    }

    /// The place in `rows` of the hit that stands at `place`.
    fn at(&self, mut place: usize) -> Option<usize> {
        for part in &self.0 {
            match part.get(place) {
                Some(at) => return usize::try_from(*at).ok(),
                None => place -= part.len(),
            }
        }
        None
    }

    /// Where the row at a place in `rows` stands, if it passes.
    fn place_of(&self, at: usize) -> Option<usize> {
        let at = u32::try_from(at).ok()?;
        let mut before = 0;
        for part in &self.0 {
            match part.binary_search(&at) {
                Ok(place) => return Some(before + place),
                Err(_) => before += part.len(),
            }
        }
        None
    }

    /// A row has the very name that was typed.
    fn is_exact(&self) -> bool {
        self.0.first().is_some_and(|exact| !exact.is_empty())
    }
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            kinds: Vec::new(),
            odd: 0,
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
            leads: false,
        }
    }
}

impl<T: Named> Rows<T> {
    fn take_in(&mut self, page: Vec<T>) {
        for row in &page {
            self.odd += u64::from(row.is_odd());
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

    /// From now on what fits best to a filter is selected, and not the row that was before.
    pub fn lead(&mut self) {
        self.leads = true;
    }

    /// There are no more pages.
    pub fn finish(&mut self) {
        if self.complete {
            let selected = self.selected().map(|row| row.name().to_owned());
            let filter = self.filter.take().map(|f| (f.text, f.only, f.moved));
            self.rows = self.incoming.take().unwrap_or_default();
            self.at = selected.and_then(|name| self.find(&name)).unwrap_or(0);
            if let Some((text, only, moved)) = filter {
                self.narrow(Some(&text), only);
                self.filter.iter_mut().for_each(|f| f.moved = moved);
            }
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

    /// Shows only the rows whose names match, or all again. A long list is not looked through at once: see [`Listing::sift`].
    pub fn filter(&mut self, text: Option<&str>) {
        self.narrow(text, None);
    }

    /// The same, and of those only these.
    pub fn narrow(&mut self, text: Option<&str>, only: Option<Only>) {
        let text = text.filter(|text| !text.is_empty());
        if self.filtered_by() == text && self.only() == only {
            return;
        }
        self.filter = (text.is_some() || only.is_some()).then(|| Filtered {
            text: text.unwrap_or_default().to_owned(),
            only,
            hits: Hits::default(),
            seen: 0,
            moved: false,
        });
        self.sift();
    }

    /// Looks at some more rows for the filter; to be called until [`Listing::is_sifted`].
    pub fn sift(&mut self) {
        let Some(filter) = &mut self.filter else { return };
        let mut needle = Needle::new(&filter.text);
        let mut spent = 0;
        for row in self.rows.all.iter().skip(filter.seen) {
            if spent >= SLICE {
                break;
            }
            let (hit, cost) = match filter.text.as_str() {
                "" => (Some(Hit::Letters), 1),
                _ => needle.look(row.name()),
            };
            let is_shown = filter.only.is_none_or(|only| only.holds(row));
            if let Some(hit) = hit.filter(|_| is_shown) {
                filter.hits.add(hit, filter.seen);
            }
            filter.seen += 1;
            spent += cost;
        }
    }

    /// True when the filter has looked at all rows there are.
    pub fn is_sifted(&self) -> bool {
        self.filter.as_ref().is_none_or(|f| f.seen == self.rows.all.len())
    }

    /// The filter's text.
    pub fn filtered_by(&self) -> Option<&str> {
        let text = self.filter.as_ref().map(|f| f.text.as_str());
        text.filter(|text| !text.is_empty())
    }

    /// True when a row has the very name that was typed, as far as the rows have been looked at.
    pub fn has_typed(&self) -> bool {
        self.filter.as_ref().is_some_and(|f| f.hits.is_exact())
    }

    /// Which rows alone are shown, whatever they are called.
    pub fn only(&self) -> Option<Only> {
        self.filter.as_ref().and_then(|f| f.only)
    }

    /// Moves the selection to the row of a name, if it is there and no filter hides it. Glue folds names to lower case: where
    /// there is none of the very name, that of another case is meant.
    pub fn select(&mut self, name: &str) -> bool {
        let Some(at) = self.find(name).or_else(|| self.find(&name.to_lowercase())) else {
            return false;
        };
        if let Some(filter) = &mut self.filter {
            if filter.hits.place_of(at).is_none() {
                return false;
            }
            filter.moved = true;
        }
        self.at = at;
        true
    }

    /// A row by its place among all, whether it passes the filter or not.
    pub fn any_row(&self, place: usize) -> Option<&T> {
        self.rows.all.get(place)
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

    /// How many of each kind, by their words, the most first. What nobody can tell stands last, however much of it there is.
    pub fn kinds(&self) -> Vec<(&'static str, u64)> {
        // Several kinds have the same word: to the eye they are one.
        let mut counts: Vec<(&'static str, u64)> = Vec::new();
        for (kind, n) in &self.rows.kinds {
            match counts.iter_mut().find(|(label, _)| *label == kind.label()) {
                Some((_, sum)) => *sum += n,
                None => counts.push((kind.label(), *n)),
            }
        }
        let unknown = TableKind::Unknown.label();
        counts.sort_by_key(|(label, n)| (*label == unknown, std::cmp::Reverse(*n)));
        counts
    }

    /// What there is to show alone: each kind, and what is odd.
    pub fn parts(&self) -> Vec<Only> {
        let kinds = self.kinds().into_iter().map(|(label, _)| Only::Kind(label));
        kinds.chain((self.rows.odd > 0).then_some(Only::Odd)).collect()
    }

    /// Rows that pass the filter.
    pub fn shown(&self) -> usize {
        self.filter.as_ref().map_or(self.rows.all.len(), |f| f.hits.len())
    }

    /// A row by its place among those that pass the filter.
    pub fn row(&self, place: usize) -> Option<&T> {
        match &self.filter {
            None => self.rows.all.get(place),
            Some(filter) => filter.hits.at(place).and_then(|at| self.rows.all.get(at)),
        }
    }

    /// The selection's place among the rows that pass the filter: that of the row it was on, wherever the filter puts it.
    /// The first where that one does not pass, or where another has the very name that was typed.
    pub fn place(&self) -> usize {
        match &self.filter {
            None => self.at.min(self.rows.all.len().saturating_sub(1)),
            Some(filter) if (self.leads || filter.hits.is_exact()) && !filter.moved => 0,
            Some(filter) => filter.hits.place_of(self.at).unwrap_or(0),
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
        self.at = match &mut self.filter {
            None => to,
            Some(filter) => {
                filter.moved = true;
                filter.hits.at(to).unwrap_or(self.at)
            }
        };
    }
}

#[cfg(test)]
mod tests;
