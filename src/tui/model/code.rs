//! The question for a code of an MFA device.

use crate::cloud::CodeWanted;
use crate::tui::field::Field;
use crate::tui::model::{DialogFor, Model};
use std::fmt;

/// A code that is asked for; the question lies over everything else.
#[derive(Clone, PartialEq)]
pub struct CodeForm {
    /// The question's number: the answer goes by it.
    pub number: u64,
    /// What is asked, and why.
    pub wanted: CodeWanted,
    /// What was typed. It is drawn as stars, and forgotten with the answer.
    pub typed: Field,
    /// Why that is no code, once it was given as one.
    pub said: Option<String>,
}

impl CodeForm {
    /// A question that nothing has been typed for.
    pub fn new(number: u64, wanted: CodeWanted) -> Self {
        Self {
            number,
            wanted,
            typed: Field::default(),
            said: None,
        }
    }
}

impl Model {
    /// The question for a code that lies over everything else, except for the one whether to leave.
    pub fn question(&self) -> Option<&CodeForm> {
        let leaving = matches!(&self.dialog, Some(dialog) if dialog.answers == DialogFor::Quit);
        self.codes.front().filter(|_| !leaving)
    }
}

impl fmt::Debug for CodeForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeForm")
            .field("wanted", &self.wanted)
            .finish_non_exhaustive()
    }
}
