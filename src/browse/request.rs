//! What can be asked of a catalog's contents, and what it answers.

use super::census::{Census, Which};
use crate::domain::fqn::Fqn;
use crate::domain::glue::ResourceLink;
use crate::domain::kind::{Format, Note, TableKind};
use crate::domain::lens::Facts;
use crate::domain::names::CatalogName;
use crate::domain::problem::Problem;
use crate::domain::schema::Schema;

/// A piece of browsing. The connection's role is used, never the caller's own rights, unless `as_caller`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// All databases of a catalog.
    Databases {
        /// The catalog.
        catalog: CatalogName,
        /// Use the caller's own rights.
        as_caller: bool,
    },
    /// All tables of a database.
    Tables {
        /// The catalog.
        catalog: CatalogName,
        /// The database, by its stored name.
        database: String,
        /// Use the caller's own rights.
        as_caller: bool,
    },
    /// All tables of all databases, in the order of the databases.
    AllTables {
        /// The catalog.
        catalog: CatalogName,
        /// Their names and nothing else, in the cheapest way.
        only_names: bool,
        /// Use the caller's own rights.
        as_caller: bool,
    },
    /// The names of all databases of a catalog and nothing else, in the cheapest way.
    DatabaseNames {
        /// The catalog.
        catalog: CatalogName,
        /// Use the caller's own rights.
        as_caller: bool,
    },
    /// The names of all tables of a database and nothing else, in the cheapest way.
    TableNames {
        /// The catalog.
        catalog: CatalogName,
        /// The database, by its stored name.
        database: String,
        /// Use the caller's own rights.
        as_caller: bool,
    },
    /// All tables of a catalog, counted.
    Census {
        /// The catalog.
        catalog: CatalogName,
        /// Which tables count.
        which: Which,
        /// Tell the tables too, not only the counts.
        rows: bool,
        /// Use the caller's own rights.
        as_caller: bool,
    },
    /// One table's schema: Glue's columns at once, the Iceberg schema when it has come.
    Schema {
        /// Catalog, database and table; all three must be there.
        fqn: Fqn,
        /// Read the footer of a data file, too.
        file: bool,
        /// Use the caller's own rights.
        as_caller: bool,
    },
}

/// A database as a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseRow {
    /// Its stored name, raw: it is sent back to AWS. Scrub it to draw it.
    pub name: String,
    /// Its description, in clean text.
    pub description: Option<String>,
    /// Where it points, if it is a resource link.
    pub link: Option<Box<ResourceLink>>,
    /// What is odd about it.
    pub notes: Vec<Note>,
}

/// A table as a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// Its stored name, raw: it is sent back to AWS. Scrub it to draw it.
    pub name: String,
    /// Its description, in clean text.
    pub description: Option<String>,
    /// What it is.
    pub kind: TableKind,
    /// The file format, for a kind that has files.
    pub format: Option<Format>,
    /// What is odd about it.
    pub notes: Vec<Note>,
    /// Where it points, if it is a resource link.
    pub link: Option<Box<ResourceLink>>,
    /// Its location as stored, in clean text.
    pub location: Option<String>,
}

impl TableRow {
    /// What a row tells about its table: neither its version nor its columns.
    pub fn facts<'a>(&'a self, database: &'a str) -> Facts<'a> {
        Facts {
            kind: self.kind,
            format: self.format,
            notes: &self.notes,
            database,
            table: &self.name,
            format_version: None,
            columns: &[],
        }
    }
}

/// Told while a listing or a schema comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// A page of databases, in order.
    Databases(Vec<DatabaseRow>),
    /// A page of tables, in order.
    Tables(Vec<TableRow>),
    /// Some tables of one of several databases, in order.
    TablesOf {
        /// The database.
        database: String,
        /// Its tables.
        rows: Vec<TableRow>,
    },
    /// A page of names of one of several databases, in order.
    NamesOf {
        /// The database.
        database: String,
        /// Stored names, raw. Scrub them to draw them.
        names: Vec<String>,
    },
    /// A page of names, in order: stored ones, raw. Scrub them to draw them.
    Names(Vec<String>),
    /// A database that the record names and that may not be read; the others are told all the same.
    Unreadable {
        /// Its name in the record.
        database: String,
        /// Why.
        problem: Box<Problem>,
    },
    /// Tables of a census, of one database.
    Counted {
        /// The database.
        database: String,
        /// Its tables, in order.
        rows: Vec<TableRow>,
    },
    /// How far a census is.
    Counting(Box<Census>),
    /// What Glue says, before the metadata file has been read.
    GlueSchema(Box<Schema>),
}

impl Update {
    /// How many databases or tables a page has; 0 of anything else.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Databases(rows) => rows.len(),
            Self::Tables(rows) | Self::TablesOf { rows, .. } => rows.len(),
            Self::Names(names) | Self::NamesOf { names, .. } => names.len(),
            _ => 0,
        }
    }
}

/// The answer to a [`Request`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The listing is complete, but for what was told to be unreadable.
    Databases {
        /// How many there are.
        total: usize,
    },
    /// The listing is complete.
    Tables {
        /// How many there are.
        total: usize,
    },
    /// The census; what could not be read is named in it.
    Census(Box<Census>),
    /// The schema, with the problem that kept us from the metadata file if there was one.
    Schema {
        /// The best schema there is.
        schema: Box<Schema>,
        /// Why it is only Glue's, when the table has metadata that could not be read.
        metadata_problem: Option<Box<Problem>>,
        /// Why there is no data file beside it, where one was asked for.
        file_problem: Option<Box<Problem>>,
    },
}
