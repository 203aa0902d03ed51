//! The browser: databases, tables, and the schema of the table under the pointer.

use crate::browse::{Census, DatabaseRow, TableRow};
use crate::domain::names::CatalogName;
use crate::domain::problem::Problem;
use crate::domain::schema::Schema;
use crate::tui::field::Field;
use crate::tui::model::{Kept, Listing, Menu, Only, Place, Remote, Trail};
use std::time::Duration;

/// The pane that has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named like the panes")]
pub enum Pane {
    Databases,
    Tables,
    Schema,
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
    /// Why there is no data file beside it, where one was asked for.
    pub file_problem: Option<Box<Problem>>,
    /// Lines scrolled.
    pub scroll: usize,
    /// The dotted path of the column that was looked for last.
    pub found: Option<String>,
    /// The paths of all columns that fitted what was typed then, in the order of the schema.
    pub hits: Vec<String>,
}

/// The browser's whole state.
#[derive(Debug, Clone, PartialEq)]
pub struct Browse {
    /// The catalog.
    pub catalog: CatalogName,
    /// It is read with the caller's own rights, not with the connection's role.
    pub as_caller: bool,
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
    pub schema_asked: Option<String>,
    /// What has been seen and need not be asked for again.
    pub kept: Kept,
    /// The whole catalog, counted.
    pub census: Remote<Census>,
    /// The schema to be fetched next.
    pub pending: Option<PendingSchema>,
    /// The filter of the pane that it was opened in.
    pub filter: Option<(Pane, Field)>,
    /// Which tables alone are shown, whatever they are called.
    pub only: Option<Only>,
    /// The filter has the keys.
    pub filtering: bool,
    /// A list to choose from lies over the panes.
    pub menu: Option<Box<Menu>>,
    /// A place to be gone to as soon as the databases are listed.
    pub bound_for: Option<Place>,
    /// A table to be selected as soon as it is listed.
    pub wanted: Option<String>,
    /// The tables that were looked at.
    pub trail: Trail,
}

impl Browse {
    /// An empty browser of a catalog.
    pub fn new(catalog: CatalogName) -> Self {
        Self {
            catalog,
            as_caller: false,
            pane: Pane::Databases,
            databases: Remote::Idle,
            tables: Remote::Idle,
            open_database: None,
            schema: Remote::Idle,
            schema_asked: None,
            kept: Kept::default(),
            census: Remote::Idle,
            pending: None,
            filter: None,
            only: None,
            filtering: false,
            menu: None,
            bound_for: None,
            wanted: None,
            trail: Trail::default(),
        }
    }

    /// The same, read with the caller's own rights.
    pub fn with_own_rights(catalog: CatalogName) -> Self {
        Self {
            as_caller: true,
            ..Self::new(catalog)
        }
    }

    /// Puts the list of the open database away, if it is whole, so that coming back to it asks nothing.
    pub fn put_list_away(&mut self) {
        let at = match &self.tables {
            Remote::Ready { at, .. } => *at,
            _ => return,
        };
        if let (Some(database), Some(list)) = (self.open_database.clone(), self.tables.take()) {
            self.kept.put_list(database, list, at);
        }
    }

    /// Makes it fit to be come back to: what was still under way will be asked for again.
    pub fn put_down(&mut self) {
        self.pending = None;
        self.filtering = false;
        self.menu = None;
        self.bound_for = None;
        self.wanted = None;
        if self.tables.loading_since().is_some() {
            self.tables = Remote::Idle;
            self.open_database = None;
        }
        if self.schema.loading_since().is_some() {
            self.schema = Remote::Idle;
        }
        if self.census.loading_since().is_some() {
            self.census = Remote::Idle;
        }
    }

    /// The schema of a table, as far as it is there: never another one's.
    pub fn schema_of(&self, table: &str) -> Option<&SchemaView> {
        self.schema.value().filter(|view| view.table == table)
    }

    /// Why a table's schema could not be had, if that is so.
    pub fn schema_problem(&self, table: &str) -> Option<&Problem> {
        self.schema
            .problem()
            .filter(|_| self.schema_asked.as_deref() == Some(table))
    }

    /// Lets the filter look at some more rows of a long list; false when there are none left.
    pub fn sift(&mut self) -> bool {
        let more = self.is_sifting();
        if let Some(list) = self.databases.value_mut() {
            list.sift();
        }
        if let Some(list) = self.tables.value_mut() {
            list.sift();
        }
        if let Some(menu) = &mut self.menu {
            menu.list.sift();
        }
        more
    }

    /// True while a filter has not yet looked at all rows.
    pub fn is_sifting(&self) -> bool {
        self.databases.value().is_some_and(|list| !list.is_sifted())
            || self.tables.value().is_some_and(|list| !list.is_sifted())
            || self.menu.as_ref().is_some_and(|menu| !menu.list.is_sifted())
    }

    /// Lets the lists show what their filter says.
    pub fn apply_filter(&mut self) {
        let of = |pane: Pane| match &self.filter {
            Some((p, field)) if *p == pane => Some(field.text().to_owned()),
            _ => None,
        };
        let (databases, tables) = (of(Pane::Databases), of(Pane::Tables));
        if let Some(list) = self.databases.value_mut() {
            list.filter(databases.as_deref());
        }
        if let Some(list) = self.tables.value_mut() {
            list.narrow(tables.as_deref(), self.only);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::model::{Choice, Entry, MenuOf};

    #[test]
    fn the_filter_of_a_long_menu_comes_to_its_last_entry() {
        let mut list = Listing::default();
        let entry = |n: usize| Entry {
            label: format!("sales.t_{n:06}"),
            detail: String::new(),
            choice: Choice::Copy(String::new()),
        };
        list.page((0..50_000).map(entry).collect());
        list.finish();
        list.filter(Some("t_049999"));
        let mut browse = Browse::new("lake".parse().unwrap());
        browse.menu = Some(Box::new(Menu {
            of: MenuOf::Places,
            list,
            field: Field::default(),
            named: None,
            at_named: false,
        }));
        assert!(browse.is_sifting());
        while browse.sift() {}
        assert_eq!(browse.menu.unwrap().list.shown(), 1);
    }
}
