//! What glueup noted: verdicts, half-filled wizards, published templates. A note that cannot be read is as good as
//! none, so a broken one is never an error.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{GrantKind, Holder, Stage, home::Home, write};
use crate::domain::{
    amount,
    moment::Moment,
    names::{CatalogName, ConnectionName, StorageName},
    problem::{Kind, Problem},
    slug::file_slug,
    status::Status,
};

/// What a verdict is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// A connection's ladder.
    Connection(ConnectionName),
    /// A catalog's ladder.
    Catalog(CatalogName),
    /// A storage integration's ladder.
    Storage(StorageName),
}

/// How the last verification ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Passed, warning or failed.
    pub verdict: Status,
    /// When.
    pub at: Moment,
    /// The verdict in one sentence.
    pub sentence: String,
    /// Each rung's id and how it ended.
    pub rungs: Vec<(String, Status)>,
    /// How many tables were counted, if any were.
    #[serde(default)]
    pub tables: Option<u64>,
    /// True when there are more than were counted: Verify asks no more than it needs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more_tables: bool,
}

impl Verdict {
    /// How many tables there were, for people: `1,204`, and `800+` where there are more than were counted.
    pub fn tables_text(&self) -> Option<String> {
        let more = if self.more_tables { "+" } else { "" };
        self.tables.map(|n| format!("{}{more}", amount::count(n)))
    }
}

/// What a half-filled wizard is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DraftOf {
    /// Something that has no record yet.
    New(GrantKind),
    /// What is on record.
    Recorded(Holder),
}

/// A half-filled wizard: what was typed, word for word, right or wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// What it is about.
    pub of: DraftOf,
    /// The step that it was at.
    pub step: Stage,
    /// The fields by name. No field of the wizard holds a secret.
    pub fields: BTreeMap<String, String>,
    /// When it was noted.
    pub at: Moment,
}

/// A template that lies at an S3 address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedTemplate {
    /// Its https address.
    pub url: String,
    /// The bucket.
    pub bucket: String,
    /// The key.
    pub key: String,
    /// The SHA-256 of its text in hex: another text must be published again.
    pub sha256: String,
    /// When it was put there.
    pub at: Moment,
}

const PUBLISHED: &str = "state/templates.json";

impl Home {
    /// The last verdict on a subject.
    pub fn verdict(&self, subject: &Subject) -> Option<Verdict> {
        note(&self.verdict_file(subject))
    }

    /// Notes a verdict.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn note_verdict(&self, subject: &Subject, verdict: &Verdict) -> Result<(), Problem> {
        self.write_note(&self.verdict_file(subject), verdict)
    }

    pub(super) fn verdict_file(&self, subject: &Subject) -> PathBuf {
        let (kind, name) = match subject {
            Subject::Connection(name) => ("connection", name.as_str()),
            Subject::Catalog(name) => ("catalog", name.as_str()),
            Subject::Storage(name) => ("storage", name.as_str()),
        };
        self.path(format!("state/verdicts/{kind}-{}.json", file_slug(name)))
    }

    /// The half-filled wizard for a catalog, or for a new one.
    pub fn draft(&self, of: &DraftOf) -> Option<Draft> {
        note(&self.draft_file(of))
    }

    /// All half-filled wizards, the latest first.
    pub fn drafts(&self) -> Vec<Draft> {
        let files = write::files_in(&self.path("state/drafts"), "json").unwrap_or_default();
        let mut drafts: Vec<Draft> = files.iter().filter_map(|file| note(file)).collect();
        drafts.sort_by_key(|draft| std::cmp::Reverse(draft.at));
        drafts
    }

    /// Notes a half-filled wizard.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn note_draft(&self, draft: &Draft) -> Result<(), Problem> {
        self.write_note(&self.draft_file(&draft.of), draft)
    }

    /// Forgets a half-filled wizard: it was finished or given up.
    ///
    /// # Errors
    /// When the file cannot be deleted.
    pub fn forget_draft(&self, of: &DraftOf) -> Result<(), Problem> {
        let file = self.draft_file(of);
        if file.exists() {
            write::lock(self)?.remove(&file)
        } else {
            Ok(())
        }
    }

    fn draft_file(&self, of: &DraftOf) -> PathBuf {
        let name = match of {
            DraftOf::New(kind) => format!("new-{}", kind.verb()),
            DraftOf::Recorded(holder) => format!("{}-{}", holder.verb(), file_slug(holder.name())),
        };
        self.path(format!("state/drafts/{name}.json"))
    }

    /// The templates that were published, by the name that the publisher gave them.
    pub fn published(&self) -> BTreeMap<String, PublishedTemplate> {
        note(&self.path(PUBLISHED)).unwrap_or_default()
    }

    /// Notes a published template.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn note_published(&self, name: &str, template: PublishedTemplate) -> Result<(), Problem> {
        let lock = write::lock(self)?;
        let mut all = self.published();
        all.insert(name.to_owned(), template);
        lock.replace(&self.path(PUBLISHED), &to_json(&all)?)
    }

    fn write_note<T: Serialize>(&self, file: &Path, value: &T) -> Result<(), Problem> {
        write::lock(self)?.replace(file, &to_json(value)?)
    }
}

pub(super) fn note<T: DeserializeOwned>(file: &Path) -> Option<T> {
    let text = write::read_if_there(file).ok()??;
    serde_json::from_str(&text).ok()
}

pub(super) fn to_json<T: Serialize>(value: &T) -> Result<String, Problem> {
    let text = serde_json::to_string_pretty(value).map_err(|error| {
        Problem::new(
            Kind::Internal,
            "A note cannot be written",
            error.to_string(),
            "Report this: it should not happen",
        )
    })?;
    Ok(text + "\n")
}
