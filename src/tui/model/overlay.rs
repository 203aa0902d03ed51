//! What lies over the screen: a question, a text, a line.

use crate::domain::names::ConnectionName;
use crate::registry::Holder;
use crate::report::Ask;
use crate::tui::effect::Slot;
use crate::tui::field::Field;
use std::time::Duration;

/// A question with two buttons; the safe answer is marked at first.
#[derive(Debug, Clone, PartialEq)]
pub struct Dialog {
    /// The question and what hangs on it.
    pub ask: Ask,
    /// The box is ticked (counts only if the question has one).
    pub ticked: bool,
    /// What was typed (counts only if the question wants a text).
    pub typed: Field,
    /// The yes button is marked.
    pub yes_marked: bool,
    /// Who gets the answer.
    pub answers: DialogFor,
    /// Rows scrolled, where what it will do is longer than the window.
    pub scroll: usize,
}

/// Who gets a dialog's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialogFor {
    /// The job in this slot has asked.
    Job(Slot),
    /// Leave, although something is still being written.
    Quit,
    /// Delete the record of a catalog or a storage integration.
    Delete(Holder),
    /// Delete a connection's record.
    DeleteConnection(ConnectionName),
    /// Grant read-write on a whole bucket, in Details.
    WholeBucket,
    /// Nothing to decide: it only says something (such as what a connection is bound to).
    Acknowledge,
}

impl Dialog {
    /// A dialog for a question.
    pub fn new(ask: Ask, answers: DialogFor) -> Self {
        Self {
            ask,
            ticked: false,
            typed: Field::default(),
            yes_marked: false,
            answers,
            scroll: 0,
        }
    }

    /// True when a text is being typed that a yes needs, and something is still missing.
    pub fn is_begun(&self) -> bool {
        self.ask.type_to_confirm.is_some() && !self.typed.text().trim().is_empty() && !self.may_say_yes()
    }

    /// True when a yes would count.
    pub fn may_say_yes(&self) -> bool {
        let ticked = self.ask.acknowledge.is_none() || self.ticked;
        let typed = self
            .ask
            .type_to_confirm
            .as_ref()
            .is_none_or(|want| self.typed.text().trim() == want);
        ticked && typed
    }
}

/// What a text over the screen is about. It is made anew when more of that has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Of {
    /// Nothing that changes.
    #[default]
    Nothing,
    /// The table under the pointer.
    Table,
    /// Which engines read the table under the pointer.
    Lens,
    /// The sides of the table under the pointer.
    Sides,
    /// The catalog, counted.
    Census,
}

/// A text over the whole screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    /// Its heading.
    pub title: String,
    /// Its text, a paragraph a line; wrapped when drawn, with nothing beside it.
    pub body: String,
    /// The lines of it that are headings.
    pub headings: Vec<String>,
    /// What it is about, where more may still come.
    pub of: Of,
    /// What is copied, if it is not the body.
    pub copy: Option<String>,
    /// Lines scrolled.
    pub scroll: usize,
}

/// A line over the foot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// The line.
    pub line: String,
    /// Until when, from the program's start.
    pub until: Duration,
}
