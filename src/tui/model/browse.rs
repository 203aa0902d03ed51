//! The browser: databases, tables, and the schema of the table under the pointer.

use crate::browse::{DatabaseRow, TableRow};
use crate::domain::names::CatalogName;
use crate::domain::problem::Problem;
use crate::domain::schema::Schema;
use crate::tui::field::Field;
use crate::tui::model::Remote;
use std::time::Duration;

/// The pane that has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named like the panes")]
pub enum Pane {
    Databases,
    Tables,
    Schema,
}

/// A list that streams in. The selection follows the name, not the index; rows keep their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<T> {
    /// The rows so far, in AWS's order.
    pub rows: Vec<T>,
    /// The selected row's name.
    pub selected: Option<String>,
    /// Still coming in.
    pub complete: bool,
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            selected: None,
            complete: false,
        }
    }
}

/// A schema to be fetched when the pointer has rested long enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSchema {
    /// The table.
    pub table: String,
    /// When, from the program's start.
    pub due: Duration,
}

/// What the schema pane shows.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaView {
    /// The table it belongs to.
    pub table: String,
    /// The schema: Glue's first, then the Iceberg one.
    pub schema: Box<Schema>,
    /// Why it is only Glue's.
    pub metadata_problem: Option<Box<Problem>>,
    /// Lines scrolled.
    pub scroll: usize,
}

/// The browser's whole state.
#[derive(Debug, Clone, PartialEq)]
pub struct Browse {
    /// The catalog.
    pub catalog: CatalogName,
    /// The pane that has the keys.
    pub pane: Pane,
    /// The databases.
    pub databases: Remote<Listing<DatabaseRow>>,
    /// The tables of `open_database`.
    pub tables: Remote<Listing<TableRow>>,
    /// Whose tables are listed.
    pub open_database: Option<String>,
    /// The schema.
    pub schema: Remote<SchemaView>,
    /// The table whose schema was asked for last.
    pub schema_of: Option<String>,
    /// The schema to be fetched next.
    pub pending: Option<PendingSchema>,
    /// The filter of the pane that it was opened in.
    pub filter: Option<(Pane, Field)>,
    /// The filter has the keys.
    pub filtering: bool,
}

impl Browse {
    /// An empty browser of a catalog.
    pub fn new(catalog: CatalogName) -> Self {
        Self {
            catalog,
            pane: Pane::Databases,
            databases: Remote::Idle,
            tables: Remote::Idle,
            open_database: None,
            schema: Remote::Idle,
            schema_of: None,
            pending: None,
            filter: None,
            filtering: false,
        }
    }

    /// The filter's text for a pane.
    pub fn filter_of(&self, pane: Pane) -> Option<&str> {
        match &self.filter {
            Some((p, field)) if *p == pane && !field.text().is_empty() => Some(field.text()),
            _ => None,
        }
    }
}

impl<T: Named> Listing<T> {
    /// The places of the rows that pass the filter, in order.
    pub fn visible(&self, filter: Option<&str>) -> Vec<usize> {
        match filter {
            None => (0..self.rows.len()).collect(),
            Some(filter) => {
                let mut matcher = nucleo_matcher::Matcher::new(nucleo_matcher::Config::DEFAULT);
                let pattern = nucleo_matcher::pattern::Pattern::parse(
                    filter,
                    nucleo_matcher::pattern::CaseMatching::Ignore,
                    nucleo_matcher::pattern::Normalization::Smart,
                );
                let mut buffer = Vec::new();
                self.rows
                    .iter()
                    .enumerate()
                    .filter(|(_, row)| {
                        let name = nucleo_matcher::Utf32Str::new(row.name(), &mut buffer);
                        pattern.score(name, &mut matcher).is_some()
                    })
                    .map(|(index, _)| index)
                    .collect()
            }
        }
    }

    /// The selected row, or the first visible one.
    pub fn selected_row(&self, filter: Option<&str>) -> Option<&T> {
        let visible = self.visible(filter);
        let chosen = visible.iter().find(|i| {
            self.rows
                .get(**i)
                .is_some_and(|r| Some(r.name()) == self.selected.as_deref())
        });
        chosen.or(visible.first()).and_then(|i| self.rows.get(*i))
    }

    /// Moves the selection by `by` visible rows; stays at the ends.
    pub fn move_by(&mut self, by: isize, filter: Option<&str>) {
        let visible = self.visible(filter);
        let at = visible
            .iter()
            .position(|i| {
                self.rows
                    .get(*i)
                    .is_some_and(|r| Some(r.name()) == self.selected.as_deref())
            })
            .unwrap_or_default();
        let to = at.saturating_add_signed(by).min(visible.len().saturating_sub(1));
        self.selected = visible
            .get(to)
            .and_then(|i| self.rows.get(*i))
            .map(|r| r.name().to_owned());
    }
}

/// A row with a name.
pub trait Named {
    /// The raw name: what the selection follows and AWS is asked for.
    fn name(&self) -> &str;
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(names: &[&str]) -> Listing<DatabaseRow> {
        let rows = names
            .iter()
            .map(|n| DatabaseRow {
                name: (*n).to_owned(),
                description: None,
                link: None,
            })
            .collect();
        Listing {
            rows,
            selected: None,
            complete: true,
        }
    }

    #[test]
    fn the_selection_follows_the_name_when_rows_come_before_it() {
        let mut list = listing(&["b", "c"]);
        list.move_by(1, None);
        assert_eq!(list.selected_row(None).unwrap().name, "c");
        list.rows.insert(
            0,
            DatabaseRow {
                name: "a".into(),
                description: None,
                link: None,
            },
        );
        assert_eq!(list.selected_row(None).unwrap().name, "c");
    }

    #[test]
    fn moving_stays_within_what_the_filter_shows() {
        let mut list = listing(&["orders", "customers", "order_lines", "weather"]);
        assert_eq!(list.visible(Some("ord")), vec![0, 2]);
        list.move_by(5, Some("ord"));
        assert_eq!(list.selected_row(Some("ord")).unwrap().name, "order_lines");
        list.move_by(-9, Some("ord"));
        assert_eq!(list.selected_row(Some("ord")).unwrap().name, "orders");
    }
}
