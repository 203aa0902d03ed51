//! What the browser has seen and may show again without asking AWS: lists of tables, and schemas.

use crate::browse::TableRow;
use crate::tui::model::{Listing, SchemaView};
use std::collections::VecDeque;
use std::time::Duration;

/// Rows of lists that are kept beside the one on the screen.
const ROWS: usize = 300_000;
/// Schemas that are kept.
const SCHEMAS: usize = 100;

/// The newest first; the oldest go when there is no room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Kept {
    lists: VecDeque<(String, Listing<TableRow>, Duration)>,
    schemas: VecDeque<(String, SchemaView, Duration)>,
}

impl Kept {
    /// Keeps the whole list of a database's tables, and when it came.
    pub fn put_list(&mut self, database: String, list: Listing<TableRow>, at: Duration) {
        self.lists.retain(|(name, _, _)| *name != database);
        self.lists.push_front((database, list, at));
        let rows = |lists: &VecDeque<(String, Listing<TableRow>, Duration)>| {
            lists.iter().map(|(_, list, _)| list.len()).sum::<usize>()
        };
        while rows(&self.lists) > ROWS {
            self.lists.pop_back();
        }
    }

    /// Takes a database's list out.
    pub fn take_list(&mut self, database: &str) -> Option<(Listing<TableRow>, Duration)> {
        let place = self.lists.iter().position(|(name, _, _)| name == database)?;
        self.lists.remove(place).map(|(_, list, at)| (list, at))
    }

    /// The lists that are kept, each with its database.
    pub fn lists(&self) -> impl Iterator<Item = (&String, &Listing<TableRow>)> {
        self.lists.iter().map(|(database, list, _)| (database, list))
    }

    /// Keeps a table's schema, and when it came. One that could not be read whole is not kept: it is asked for again.
    pub fn put_schema(&mut self, database: &str, view: &SchemaView, at: Duration) {
        self.schemas
            .retain(|(name, kept, _)| name != database || kept.table != view.table);
        if view.metadata_problem.is_some() {
            return;
        }
        let view = SchemaView {
            scroll: 0,
            found: None,
            hits: Vec::new(),
            ..view.clone()
        };
        self.schemas.push_front((database.to_owned(), view, at));
        self.schemas.truncate(SCHEMAS);
    }

    /// A table's schema.
    pub fn schema(&self, database: &str, table: &str) -> Option<(SchemaView, Duration)> {
        let found = self
            .schemas
            .iter()
            .find(|(name, view, _)| name == database && view.table == table);
        found.map(|(_, view, at)| (view.clone(), *at))
    }

    /// Forgets the schemas of a database: it is listed again.
    pub fn forget(&mut self, database: &str) {
        self.schemas.retain(|(name, _, _)| name != database);
    }
}
