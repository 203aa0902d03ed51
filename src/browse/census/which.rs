//! Which tables of a catalog count.

use crate::browse::TableRow;
use crate::domain::invalid::Invalid;
use crate::domain::kind::{CODES, TableKind};
use crate::domain::lens::{self, Engine, Verdict};

/// A choice of tables; what is empty lets all through, and of several conditions all must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Which {
    /// Of one of these kinds.
    pub kinds: Vec<TableKind>,
    /// With one of these notes.
    pub notes: Vec<String>,
    /// What these engines make of it.
    pub engines: Vec<(String, Option<Verdict>)>,
}

impl Which {
    /// Reads a kind.
    ///
    /// # Errors
    /// A word that is no kind; the message lists them.
    pub fn kind(word: &str) -> Result<TableKind, Invalid> {
        TableKind::named(word.trim()).ok_or_else(|| {
            let all: Vec<&str> = TableKind::ALL.iter().map(|kind| kind.as_str()).collect();
            Invalid::new("kind", word, "is no kind of table", all.join(", "))
        })
    }

    /// Reads the code of a note.
    ///
    /// # Errors
    /// A word that no row of a listing has as a note; the message lists those.
    pub fn note(word: &str) -> Result<String, Invalid> {
        let word = word.trim();
        match CODES.contains(&word) {
            true => Ok(word.to_owned()),
            false => Err(Invalid::new(
                "note",
                word,
                "is no note on a table",
                CODES.join(", "),
            )),
        }
    }

    /// Reads an engine, or an engine and a verdict: `trino`, `trino=no`. Without a verdict what the engine does not read
    /// as it is.
    ///
    /// # Errors
    /// An engine or a verdict that is none.
    pub fn engine(word: &str) -> Result<(String, Option<Verdict>), Invalid> {
        let (id, verdict) = match word.trim().split_once('=') {
            Some((id, verdict)) => (id.trim(), Some(verdict.trim())),
            None => (word.trim(), None),
        };
        if !Engine::all().iter().any(|engine| engine.id == id) {
            let all: Vec<&str> = Engine::all().iter().map(|engine| engine.id.as_str()).collect();
            return Err(Invalid::new(
                "engine",
                word,
                "is no engine that glueup knows",
                all.join(", "),
            ));
        }
        let verdict = verdict.map(|word| {
            let found = Verdict::ALL.into_iter().find(|verdict| verdict.as_str() == word);
            found.ok_or_else(|| Invalid::new("verdict", word, "is no verdict", "yes, with-setting or no"))
        });
        Ok((id.to_owned(), verdict.transpose()?))
    }

    pub(super) fn takes(&self, database: &str, row: &TableRow) -> bool {
        let of_kind = self.kinds.is_empty() || self.kinds.contains(&row.kind);
        let noted = self.notes.is_empty()
            || row
                .notes
                .iter()
                .any(|note| self.notes.iter().any(|n| n == note.code));
        if !of_kind || !noted || self.engines.is_empty() {
            return of_kind && noted;
        }
        let judged = lens::judge(&row.facts(database));
        self.engines.iter().all(|(id, wanted)| {
            let one = judged.iter().find(|judgement| judgement.engine == id);
            one.is_some_and(|one| wanted.map_or(one.verdict != Verdict::Yes, |wanted| wanted == one.verdict))
        })
    }
}
