//! Stacks as they are kept.

use super::change_sets::ChangeSet;
use crate::demo::caller::Caller;
use crate::demo::clock;
use crate::demo::ids;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};

/// The stacks of all accounts and regions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Store {
    stacks: BTreeMap<String, Stack>,
}

impl Store {
    /// By id in any state, by name while it is not deleted.
    pub(in crate::demo) fn find(&self, account: &str, region: &str, name_or_id: &str) -> Option<&Stack> {
        match self.stacks.get(name_or_id) {
            Some(stack) => (stack.account == account && stack.region == region).then_some(stack),
            None => self
                .of(account, region)
                .find(|stack| stack.name == name_or_id && stack.is_there()),
        }
    }

    /// All stacks of an account in a region, the newest first.
    pub(in crate::demo) fn of(&self, account: &str, region: &str) -> impl Iterator<Item = &Stack> {
        let mut found: Vec<&Stack> = self
            .stacks
            .values()
            .filter(|stack| stack.account == account && stack.region == region)
            .collect();
        found.sort_by_key(|stack| std::cmp::Reverse((stack.created, &stack.id)));
        found.into_iter()
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Stack> {
        self.stacks.get_mut(id)
    }

    pub(super) fn insert(&mut self, stack: Stack) {
        self.stacks.insert(stack.id.clone(), stack);
    }

    /// The ids of the stacks that something is to be done for.
    pub(super) fn working(&self) -> Vec<String> {
        self.stacks
            .values()
            .filter(|stack| stack.work.is_some())
            .map(|stack| stack.id.clone())
            .collect()
    }
}

/// What a stack is made from; an update replaces all of it, a rolled back update restores it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Recipe {
    /// The template's text.
    pub template: String,
    /// Parameters as they were given.
    pub parameters: BTreeMap<String, String>,
    /// Tags of the stack.
    pub tags: Vec<(String, String)>,
    /// What was acknowledged.
    pub capabilities: Vec<String>,
}

/// Key, value and description of each output.
pub type Outputs = Vec<(String, String, Option<String>)>;

/// A stack as it was before an update.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Before {
    /// What it was made from.
    pub recipe: Recipe,
    /// Its resources.
    pub items: Vec<Item>,
    /// Its outputs.
    pub outputs: Outputs,
}

/// One stack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stack {
    /// Its ARN.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The account that it is in.
    pub account: String,
    /// The region that it is in.
    pub region: String,
    /// What it is made from.
    pub recipe: Recipe,
    /// The service role that is worked with; a stack keeps the last one.
    #[serde(default)]
    pub role: Option<String>,
    /// What happens when its creation fails.
    pub on_failure: OnFailure,
    /// The `ClientRequestToken` of its creation.
    pub token: Option<String>,
    /// Status, as AWS spells it.
    pub status: String,
    /// Why it has that status.
    pub reason: Option<String>,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
    /// When it was last updated.
    pub updated: Option<i64>,
    /// When it was deleted.
    pub deleted: Option<i64>,
    /// The resources, in the order in which they were made.
    pub items: Vec<Item>,
    /// The outputs.
    pub outputs: Outputs,
    /// What happened, the oldest first.
    pub events: Vec<Event>,
    /// What is still to be done.
    pub work: Option<Work>,
    /// What it could become, and how it became what it is.
    #[serde(default)]
    pub change_sets: Vec<ChangeSet>,
    /// What an update made, replaced or dropped, while it is neither finished nor taken back.
    #[serde(default)]
    pub not_undone: Vec<Item>,
    /// The stack before an update that has failed and was to be kept as it is then.
    #[serde(default)]
    pub halted: Option<Box<Before>>,
}

/// What happens when the creation of a stack fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnFailure {
    /// What was made is removed; the stack stays as `ROLLBACK_COMPLETE`.
    Rollback,
    /// What was made stays; the stack stays as `CREATE_FAILED`.
    Nothing,
    /// What was made is removed, and the stack too.
    Delete,
}

/// One resource of a stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Logical id.
    pub logical: String,
    /// Type.
    pub kind: String,
    /// Physical id, once it exists.
    pub physical: Option<String>,
    /// What `Fn::GetAtt` yields.
    pub attributes: BTreeMap<String, String>,
    /// The properties that it was made from.
    pub properties: Value,
    /// Whether it stays when the stack goes.
    pub retained: bool,
    /// Whether a change of it failed half way, so that `properties` may not be what is there.
    pub unsure: bool,
    /// Status, as AWS spells it.
    pub status: String,
    /// Why it has that status.
    pub reason: Option<String>,
    /// When it got that status.
    pub at: i64,
}

/// One event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    /// Its id.
    pub id: String,
    /// Milliseconds since 1970.
    pub at: i64,
    /// Logical id; the stack's name for the stack itself.
    pub logical: String,
    /// Physical id; the stack's id for the stack itself.
    pub physical: String,
    /// Type.
    pub kind: String,
    /// Status.
    pub status: String,
    /// Why.
    pub reason: Option<String>,
    /// The properties, for a resource.
    pub properties: Option<String>,
}

/// Where the work on a stack leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// The stack is made.
    Create,
    /// What a failed creation made is removed.
    UndoCreate,
    /// As before, and the stack goes too.
    UndoCreateWhole,
    /// The stack is updated.
    Update,
    /// What an update left over is removed.
    Clean,
    /// A failed update is taken back.
    UndoUpdate,
    /// What a taken back update left over is removed.
    CleanUndone,
    /// The stack is deleted.
    Delete,
}

/// One thing to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// What.
    pub what: What,
    /// How far it is.
    pub phase: Phase,
}

/// What a task does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum What {
    /// Makes a resource, or changes it to what the template says.
    Put(String),
    /// Removes a resource.
    Remove(String),
    /// Removes what an update replaced; it is no resource of the stack any more.
    Clear(Box<Item>),
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Nothing was done.
    Waiting,
    /// It was announced.
    Announced,
    /// The call went out. Seen again after a restart: it may have been carried out.
    Called,
    /// It is done, and this is still to be told.
    Done,
}

/// What is still to be done for a stack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Work {
    /// With whose rights.
    pub caller: Caller,
    /// Where it leads.
    pub goal: Goal,
    /// The tasks, in order.
    pub tasks: VecDeque<Task>,
    /// Not before this, in milliseconds since 1970 by the machine's clock.
    pub due: i64,
    /// What the first task is about to put, decided when it was announced.
    pub next: Option<Item>,
    /// The stack before the update.
    pub before: Option<Box<Before>>,
    /// Whether an update that fails is kept as it is then, and not taken back.
    #[serde(default)]
    pub keeps: bool,
    /// What an update replaced or dropped.
    pub leftovers: Vec<Item>,
    /// Logical ids of what failed.
    pub failed: Vec<String>,
    /// Who asked for the stack to be deleted meanwhile.
    pub delete: Option<Caller>,
    /// Whether a call is out just now. Not kept: after a restart none is.
    #[serde(skip)]
    pub busy: bool,
}

impl Work {
    pub(super) fn new(caller: Caller, goal: Goal, due: i64) -> Self {
        Self {
            caller,
            goal,
            tasks: VecDeque::new(),
            due,
            next: None,
            before: None,
            keeps: false,
            leftovers: Vec::new(),
            failed: Vec::new(),
            delete: None,
            busy: false,
        }
    }

    pub(super) fn push(&mut self, what: What) {
        self.tasks.push_back(Task {
            what,
            phase: Phase::Waiting,
        });
    }
}

impl Stack {
    /// A stack in which nothing is yet.
    pub(super) fn new(caller: &Caller, region: &str, name: &str, now: i64) -> Self {
        Self {
            id: format!(
                "arn:aws:cloudformation:{region}:{}:stack/{name}/{}",
                caller.account,
                ids::uuid()
            ),
            name: name.to_owned(),
            account: caller.account.clone(),
            region: region.to_owned(),
            recipe: Recipe::default(),
            role: None,
            on_failure: OnFailure::Rollback,
            token: None,
            status: String::new(),
            reason: None,
            created: now,
            updated: None,
            deleted: None,
            items: Vec::new(),
            outputs: Vec::new(),
            events: Vec::new(),
            work: None,
            change_sets: Vec::new(),
            not_undone: Vec::new(),
            halted: None,
        }
    }

    /// Whether its name is taken.
    pub fn is_there(&self) -> bool {
        self.deleted.is_none()
    }

    /// The resource of that logical id.
    pub fn item(&self, logical: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.logical == logical)
    }

    pub(super) fn item_mut(&mut self, logical: &str) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.logical == logical)
    }

    /// Gives the stack a status, with its event.
    pub(super) fn turn(&mut self, now: i64, status: &str, reason: Option<String>) {
        status.clone_into(&mut self.status);
        self.reason.clone_from(&reason);
        self.events.push(Event {
            id: ids::uuid(),
            at: now,
            logical: self.name.clone(),
            physical: self.id.clone(),
            kind: "AWS::CloudFormation::Stack".to_owned(),
            status: status.to_owned(),
            reason,
            properties: None,
        });
    }

    /// Writes the event of a resource, and its status.
    pub(super) fn tell(&mut self, now: i64, item: &Item, status: &str, reason: Option<String>) {
        self.tell_only(now, item, status, reason.clone());
        if let Some(own) = self.item_mut(&item.logical) {
            status.clone_into(&mut own.status);
            own.reason = reason;
            own.at = now;
        }
    }

    /// Writes the event of a resource that is not, or no longer, one of the stack's.
    pub(super) fn tell_only(&mut self, now: i64, item: &Item, status: &str, reason: Option<String>) {
        self.events.push(Event {
            id: format!("{}-{status}-{}", item.logical, clock::iso_millis(now)),
            at: now,
            logical: item.logical.clone(),
            physical: item.physical.clone().unwrap_or_default(),
            kind: item.kind.clone(),
            status: status.to_owned(),
            reason,
            properties: Some(item.properties.to_string()),
        });
    }
}
