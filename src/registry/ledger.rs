//! The ledger: every call that changes something in AWS, first intended, then how it ended.
//!
//! One JSON object a line, appended in one write that reaches the disk. An intent without an outcome says that
//! glueup ended before the answer came: the change may or may not have been made.

use std::{
    collections::HashMap,
    fs::{File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use serde::{Deserialize, Serialize};

use super::{home::Home, write};
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
    /// Whether it is a probe of the ladder, made so that it cannot change anything.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub probe: bool,
}

/// One line for people and for JSON: the intent with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
        let clean = Intent {
            service: text::scrub(&intent.service),
            action: text::scrub(&intent.action),
            resource: text::scrub(&intent.resource),
            probe: intent.probe,
        };
        self.append(&Line {
            id: id.clone(),
            at,
            intent: Some(clean),
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
        let bytes = match std::fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(write::failed("read", &self.path, &error)),
        };
        let mut entries: Vec<Entry> = Vec::new();
        let mut by_id: HashMap<String, usize> = HashMap::new();
        for line in bytes
            .split(|b| *b == b'\n')
            .filter_map(|line| serde_json::from_slice::<Line>(line).ok())
        {
            if let Some(intent) = line.intent {
                by_id.insert(line.id, entries.len());
                entries.push(Entry {
                    at: line.at,
                    intent,
                    outcome: line.outcome,
                    request_id: line.request_id,
                });
            } else if let Some(entry) = by_id.get(&line.id).and_then(|at| entries.get_mut(*at)) {
                entry.outcome = line.outcome;
                entry.request_id = line.request_id;
            }
        }
        Ok(entries)
    }

    fn append(&self, line: &Line) -> Result<(), Problem> {
        append(&self.path, line).map_err(|error| write::failed("write", &self.path, &error))
    }
}

fn append(path: &Path, line: &Line) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        write::create_dirs(dir)?;
    }
    let mut file = write::private(OpenOptions::new().create(true).read(true).append(true)).open(path)?;
    let mut text = String::new();
    if torn(&mut file)? {
        text.push('\n');
    }
    text.push_str(&serde_json::to_string(line)?);
    text.push('\n');
    // One write of an appending file: lines of two processes do not mix.
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// Whether the last line has no end, so that another would be glued to it.
fn torn(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intent(action: &str) -> Intent {
        Intent {
            service: "cloudformation".into(),
            action: action.into(),
            resource: "stack/x".into(),
            probe: false,
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
        OpenOptions::new()
            .append(true)
            .open(&ledger.path)
            .unwrap()
            .write_all(b"{\"id\":\"x\",\"at\"")
            .unwrap();
        ledger
            .settle(at, &first, "AccessDenied: \u{1b}[2J", None)
            .unwrap();
        ledger.intend(at, &intent("UpdateStack")).unwrap();
        let entries = ledger.entries().unwrap();
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
