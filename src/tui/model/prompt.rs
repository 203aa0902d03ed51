//! A single text that the Deploy step asks for where somebody wants to give it.

use crate::domain::arn::{PolicyArn, RoleArn};
use crate::domain::invalid::Invalid;
use crate::tui::field::Field;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptFor {
    /// The role that CloudFormation works with.
    ServiceRole,
    /// The permissions boundary of the connection's role.
    Boundary,
}

/// A text that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// What.
    pub of: PromptFor,
    /// What was typed.
    pub field: Field,
}

impl Prompt {
    /// Why what was typed is none, where it is to be shown now; to give none is right too.
    pub fn error(&self) -> Option<Invalid> {
        if self.field.text().trim().is_empty() {
            return None;
        }
        match self.of {
            PromptFor::ServiceRole => self.field.error::<RoleArn>(),
            PromptFor::Boundary => self.field.error::<PolicyArn>(),
        }
    }
}
