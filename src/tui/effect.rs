//! What [`crate::tui::update`] wants done: plain data that the runtime carries out.

use crate::domain::mfa_code::MfaCode;
use crate::job::Job;
use crate::report::Answer;
use std::collections::HashMap;

/// A place for one piece of work. Starting a reading job in a slot cancels its predecessor there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// Who we are.
    Identity,
    /// The records.
    Overview,
    /// Home: the stacks of all records.
    Stacks,
    /// Details: what the caller's own rights show.
    Advice,
    /// Deploy: the quick-create link.
    Link,
    /// Deploy: the template's text.
    Template,
    /// Deploy: whether the caller can deploy here.
    Preflight,
    /// Deploy: waiting for a stack.
    Watch,
    /// Verify.
    Verify,
    /// Browse: the databases.
    Databases,
    /// Browse: the tables of the selected database.
    Tables,
    /// Browse: the schema of the selected table.
    Schema,
    /// Browse: the catalog, counted.
    Census,
    /// The checks of this machine.
    Doctor,
    /// The half-filled wizard, kept on disk.
    Draft,
    /// The bookmarks, kept on disk.
    Bookmarks,
    /// Everything else that writes. One at a time; never cancelled by a successor.
    Write,
}

/// One run in a slot. A reply whose generation is not the slot's current one is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// The slot.
    pub slot: Slot,
    /// Counts the runs of that slot.
    pub generation: u64,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Run a job.
    Run(Ticket, Box<Job>),
    /// Stop the slot's job, if it only reads.
    Cancel(Slot),
    /// The slot's job is not to wait any more for what may change by itself.
    Hurry(Slot),
    /// Answer the open question of the slot's job.
    Answer(Slot, Answer),
    /// Answer the question for a code of this number; `None` is a no.
    Code(u64, Option<MfaCode>),
    /// Leave the screen to `aws sso login` of a profile, and come back.
    Login(String),
    /// Ask the system to open a link.
    OpenBrowser(String),
    /// Put a text on the clipboard.
    Copy(String),
    /// Put the first on the clipboard; the second says why it is that and not what was asked for.
    CopyInstead(String, String),
    /// Stop like any other program (Ctrl-Z).
    Suspend,
    /// Have the terminal report the mouse, or keep it for itself.
    Mouse(bool),
    /// Draw every cell anew.
    Redraw,
    /// End the program.
    Quit,
}

/// The current generation of each slot, and which of them have work under way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slots {
    generations: HashMap<Slot, u64>,
    running: Vec<Slot>,
}

impl Slots {
    /// Starts a job: a new generation, and the slot is busy.
    pub fn run(&mut self, slot: Slot, job: Job) -> Effect {
        let generation = self.generations.entry(slot).or_default();
        *generation += 1;
        let ticket = Ticket {
            slot,
            generation: *generation,
        };
        if !self.running.contains(&slot) {
            self.running.push(slot);
        }
        Effect::Run(ticket, Box::new(job))
    }

    /// Gives a slot up: what its job still says is dropped.
    pub fn cancel(&mut self, slot: Slot) -> Effect {
        *self.generations.entry(slot).or_default() += 1;
        self.running.retain(|s| *s != slot);
        Effect::Cancel(slot)
    }

    /// True when a reply with this ticket is still wanted.
    pub fn is_current(&self, ticket: Ticket) -> bool {
        self.generations.get(&ticket.slot) == Some(&ticket.generation)
    }

    /// Marks the slot's job as ended.
    pub fn ended(&mut self, slot: Slot) {
        self.running.retain(|s| *s != slot);
    }

    /// True while the slot has work under way.
    pub fn is_running(&self, slot: Slot) -> bool {
        self.running.contains(&slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_of_an_old_generation_is_not_current() {
        let mut slots = Slots::default();
        let Effect::Run(first, _) = slots.run(Slot::Identity, Job::Identity) else {
            panic!()
        };
        let Effect::Run(second, _) = slots.run(Slot::Identity, Job::Identity) else {
            panic!()
        };
        assert!(!slots.is_current(first));
        assert!(slots.is_current(second));
        assert!(slots.is_running(Slot::Identity));
        slots.cancel(Slot::Identity);
        assert!(!slots.is_current(second));
        assert!(!slots.is_running(Slot::Identity));
    }
}
