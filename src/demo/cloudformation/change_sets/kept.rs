//! Change sets as they are kept.

use super::super::model::{Recipe, Stack};
use serde::{Deserialize, Serialize};

/// One change set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChangeSet {
    /// Its ARN.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What its maker says about it.
    pub description: Option<String>,
    /// The `ClientToken` of its making.
    pub token: Option<String>,
    /// Whether it creates its stack, rather than updating it.
    pub creates: bool,
    /// What the stack will be made from.
    pub recipe: Recipe,
    /// The service role that it will be done with.
    #[serde(default)]
    pub role: Option<String>,
    /// The resources that will be there, each after what it needs.
    pub order: Vec<String>,
    /// What it will do.
    pub changes: Vec<Change>,
    /// Why there is nothing to execute.
    pub failed: Option<String>,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// When it is worked out, by the machine's clock.
    pub ready: i64,
    /// Whether it was executed.
    pub executed: bool,
}

/// What happens to one resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// `Add`, `Modify` or `Remove`.
    pub action: Action,
    /// Logical id.
    pub logical: String,
    /// Physical id, where it exists.
    pub physical: Option<String>,
    /// Type.
    pub kind: String,
    /// For a change: whether another resource takes its place.
    pub replacement: Option<Replacement>,
    /// For a change: the properties that differ, each with whether that alone makes another resource.
    pub properties: Vec<(String, Replacement)>,
}

/// What is done with a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// It is made.
    Add,
    /// It is changed, or replaced.
    Modify,
    /// It goes.
    Remove,
}

/// Whether a change makes another resource in the place of the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Replacement {
    /// It does.
    True,
    /// It does not.
    False,
    /// That depends on what another change yields.
    Conditional,
}

/// How far a change set is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It is being worked out.
    Pending,
    /// It can be executed.
    Complete,
    /// There is nothing in it to execute.
    Failed,
}

impl Status {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "CREATE_PENDING",
            Self::Complete => "CREATE_COMPLETE",
            Self::Failed => "FAILED",
        }
    }
}

impl Action {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Add => "Add",
            Self::Modify => "Modify",
            Self::Remove => "Remove",
        }
    }
}

impl Replacement {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Conditional => "Conditional",
        }
    }

    /// The same in the words of a property.
    pub(super) fn recreation(self) -> &'static str {
        match self {
            Self::True => "Always",
            Self::False => "Never",
            Self::Conditional => "Conditionally",
        }
    }
}

impl ChangeSet {
    /// How far it is at a time of the machine's clock. Nothing has to go on for it: a killed server loses nothing.
    pub(super) fn status(&self, real: i64) -> Status {
        match &self.failed {
            _ if real < self.ready => Status::Pending,
            Some(_) => Status::Failed,
            None => Status::Complete,
        }
    }

    /// Its `ExecutionStatus`.
    pub(super) fn execution(&self, stack: &Stack, real: i64) -> &'static str {
        match self.status(real) {
            _ if self.executed => super::course_of(stack),
            Status::Complete => "AVAILABLE",
            Status::Pending | Status::Failed => "UNAVAILABLE",
        }
    }
}
