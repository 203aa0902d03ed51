//! The ledger: every call that changes something in AWS, first intended, then how it ended.
//!
//! One JSON object a line, appended in one write that reaches the disk. An intent without an outcome says that
//! glueup ended before the answer came: the change may or may not have been made.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};

use serde::{Deserialize, Serialize};

use super::{home::Home, jsonl, write};
use crate::domain::{moment::Moment, problem::Problem, text};

/// A call about to be made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Intent {
    /// `cloudformation`.
    pub service: String,
    /// `CreateStack`.
    pub action: String,
    /// The ARN or name of what changes.
    pub resource: String,
}

impl Intent {
    pub(super) fn clean(&self) -> Self {
        Self {
            service: text::scrub(&self.service),
            action: text::scrub(&self.action),
            resource: text::scrub(&self.resource),
        }
    }
}

/// One line for people and for JSON: the intent with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was intended.
    pub at: Moment,
    /// What was intended.
    pub intent: Intent,
    /// How it ended: `done` or what AWS said; `None`: not known.
    pub outcome: Option<String>,
    /// AWS's request id.
    pub request_id: Option<String>,
}

impl Entry {
    /// The same with nothing in it that could steer a terminal.
    pub(super) fn clean(self) -> Self {
        Self {
            at: self.at,
            intent: self.intent.clean(),
            outcome: self.outcome.map(|outcome| text::scrub(&outcome)),
            request_id: self.request_id.map(|id| text::scrub(&id)),
        }
    }
}

/// What a file of entries holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted {
    /// The entries, oldest first.
    pub entries: Vec<Entry>,
    /// The lines, counted from 1, that could not be read: a killed process left them half-written, or an editor did.
    pub broken: Vec<u64>,
}

/// An intent's name in the ledger, for its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntryId(String);

/// What the file holds.
#[derive(Serialize, Deserialize)]
struct Line {
    id: String,
    at: Moment,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intent: Option<Intent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
}

/// The ledger of a home.
#[derive(Clone, Debug)]
pub struct Ledger {
    path: PathBuf,
}

static COUNT: AtomicU32 = AtomicU32::new(0);

impl Home {
    /// The ledger.
    pub fn ledger(&self) -> Ledger {
        Ledger {
            path: self.path("ledger.jsonl"),
        }
    }
}

impl Ledger {
    /// Writes down what is about to be done. The call may be made once this has returned.
    ///
    /// # Errors
    /// When the line did not reach the disk: then the call must not be made.
    pub fn intend(&self, at: Moment, intent: &Intent) -> Result<EntryId, Problem> {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let id = format!("{:x}-{:x}-{count:x}", at.unix_millis(), std::process::id());
        self.append(&Line {
            id: id.clone(),
            at,
            intent: Some(intent.clean()),
            outcome: None,
            request_id: None,
        })?;
        Ok(EntryId(id))
    }

    /// Writes down how it ended: `done`, or AWS's code and message.
    ///
    /// # Errors
    /// When the line did not reach the disk.
    pub fn settle(
        &self,
        at: Moment,
        id: &EntryId,
        outcome: &str,
        request_id: Option<&str>,
    ) -> Result<(), Problem> {
        self.append(&Line {
            id: id.0.clone(),
            at,
            intent: None,
            outcome: Some(text::scrub(outcome)),
            request_id: request_id.map(text::scrub),
        })
    }

    /// All entries in the order of their intents. A line that a killed process left half-written is passed over.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn entries(&self) -> Result<Vec<Entry>, Problem> {
        self.read().map(|noted| noted.entries)
    }

    /// The same, with the lines that were passed over.
    ///
    /// # Errors
    /// As [`Ledger::entries`].
    pub fn read(&self) -> Result<Noted, Problem> {
        let mut noted = Noted::default();
        let mut by_id: HashMap<String, usize> = HashMap::new();
        for (number, line) in jsonl::lines::<Line>(&jsonl::bytes(&self.path)?) {
            let Some(line) = line else {
                noted.broken.push(number);
                continue;
            };
            if let Some(intent) = line.intent {
                by_id.insert(line.id, noted.entries.len());
                let entry = Entry {
                    at: line.at,
                    intent,
                    outcome: line.outcome,
                    request_id: line.request_id,
                };
                noted.entries.push(entry.clean());
            } else if let Some(entry) = by_id.get(&line.id).and_then(|at| noted.entries.get_mut(*at)) {
                entry.outcome = line.outcome.map(|outcome| text::scrub(&outcome));
                entry.request_id = line.request_id.map(|id| text::scrub(&id));
            }
        }
        Ok(noted)
    }

    fn append(&self, line: &Line) -> Result<(), Problem> {
        serde_json::to_string(line)
            .map_err(std::io::Error::from)
            .and_then(|line| jsonl::append(&self.path, &(line + "\n")))
            .map_err(|error| write::failed("write", &self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intent(action: &str) -> Intent {
        Intent {
            service: "cloudformation".into(),
            action: action.into(),
            resource: "stack/x".into(),
        }
    }

    #[test]
    fn intents_get_their_outcomes_and_a_torn_line_harms_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = Home::at(dir.path().join("home")).ledger();
        let at: Moment = "2026-11-30T14:00:00Z".parse().unwrap();
        assert!(ledger.entries().unwrap().is_empty());
        let first = ledger.intend(at, &intent("CreateStack")).unwrap();
        let second = ledger.intend(at, &intent("DeleteStack")).unwrap();
        ledger.settle(at, &second, "done", Some("r-2")).unwrap();
        std::fs::OpenOptions::new()
            .append(true)
            .open(&ledger.path)
            .and_then(|mut file| std::io::Write::write_all(&mut file, b"{\"id\":\"x\",\"at\""))
            .unwrap();
        ledger
            .settle(at, &first, "AccessDenied: \u{1b}[2J", None)
            .unwrap();
        ledger.intend(at, &intent("UpdateStack")).unwrap();
        let Noted { entries, broken } = ledger.read().unwrap();
        assert_eq!(broken, [4]);
        let seen: Vec<_> = entries
            .iter()
            .map(|e| (e.intent.action.as_str(), e.outcome.as_deref()))
            .collect();
        assert_eq!(
            seen,
            [
                ("CreateStack", Some("AccessDenied: ␛[2J")),
                ("DeleteStack", Some("done")),
                ("UpdateStack", None)
            ]
        );
        assert_eq!(entries[1].request_id.as_deref(), Some("r-2"));
    }
}
