//! A list to choose from, over the browser; letters narrow it.

use crate::tui::field::Field;
use crate::tui::model::{Listing, Named};

/// What becomes of the chosen entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// It is put on the clipboard.
    Copy(String),
    /// The schema is scrolled to the column of this dotted path.
    Column(String),
    /// The browser goes there.
    Go(Place),
    /// A catalog is connected whose files lie there.
    Connect(String),
}

/// A place in a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The database.
    pub database: String,
    /// The table in it.
    pub table: Option<String>,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What is typed for.
    pub label: String,
    /// What stands beside it.
    pub detail: String,
    /// What becomes of it.
    pub choice: Choice,
}

impl Named for Entry {
    fn name(&self) -> &str {
        &self.label
    }
}

/// What a menu is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuOf {
    /// The forms in which what is selected can be copied.
    Copies,
    /// The columns of a table.
    Columns,
    /// The places to go to.
    Places,
    /// The prefixes that would cover the tables.
    Prefixes,
}

impl MenuOf {
    /// What it is called over the list.
    pub fn title(self) -> &'static str {
        match self {
            Self::Copies => "copy as",
            Self::Columns => "columns",
            Self::Places => "go to",
            Self::Prefixes => "connect",
        }
    }
}

/// The list, and what was typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Menu {
    /// What it is for.
    pub of: MenuOf,
    /// The entries.
    pub list: Listing<Entry>,
    /// What narrows it.
    pub field: Field,
    /// The table that was named in whole, where no entry is called so: it stands above them.
    pub named: Option<Place>,
    /// That one is marked, and no entry.
    pub at_named: bool,
}

impl Menu {
    /// A menu of entries.
    pub fn new(of: MenuOf, entries: Vec<Entry>) -> Self {
        let mut list = Listing::default();
        list.page(entries);
        list.finish();
        list.lead();
        Self {
            of,
            list,
            field: Field::default(),
            named: None,
            at_named: false,
        }
    }

    /// The table that was named in whole, if it is what is marked: where nothing else fits it is.
    pub fn marked_name(&self) -> Option<&Place> {
        self.named
            .as_ref()
            .filter(|_| self.at_named || self.list.shown() == 0)
    }

    /// Moves the mark: above the first entry stands what was named in whole.
    pub fn move_by(&mut self, by: isize) {
        if self.named.is_some() && by < 0 && self.list.place() == 0 {
            self.at_named = true;
        } else if self.at_named && by > 0 {
            self.at_named = false;
            self.list.move_by(by - 1);
        } else if !self.at_named {
            self.list.move_by(by);
        }
    }

    /// Shows what fits to what was typed.
    pub fn narrow(&mut self) {
        self.list.filter(Some(self.field.text()));
    }

    /// Looks at what is left of a long list: what is chosen is chosen among all, however soon after the last letter.
    pub fn settle(&mut self) {
        while !self.list.is_sifted() {
            self.list.sift();
        }
    }
}
