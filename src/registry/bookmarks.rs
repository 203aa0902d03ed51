//! Tables and databases that somebody wants to find again. A note of glueup's own: one that cannot be read is as good as none.

use super::home::Home;
use super::state::{note, to_json};
use super::write;
use crate::domain::names::CatalogName;
use crate::domain::problem::Problem;
use serde::{Deserialize, Serialize};

const FILE: &str = "state/bookmarks.json";
/// As many as are kept; the oldest go.
const MOST: usize = 500;

/// A place in a catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// The catalog, by glueup's name for it.
    pub catalog: CatalogName,
    /// The database.
    pub database: String,
    /// The table in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

impl Home {
    /// All bookmarks, the newest first.
    pub fn bookmarks(&self) -> Vec<Bookmark> {
        note(&self.path(FILE)).unwrap_or_default()
    }

    /// Sets a bookmark, or takes it away where it is set; answers all of them as they are then.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn turn_bookmark(&self, bookmark: Bookmark) -> Result<Vec<Bookmark>, Problem> {
        let lock = write::lock(self)?;
        let mut all = self.bookmarks();
        let before = all.len();
        all.retain(|held| *held != bookmark);
        if all.len() == before {
            all.insert(0, bookmark);
            all.truncate(MOST);
        }
        lock.replace(&self.path(FILE), &to_json(&all)?)?;
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bookmark_is_set_and_taken_away_and_a_broken_file_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let mark = |table: &str| Bookmark {
            catalog: "Lake House".parse().unwrap(),
            database: "sales".into(),
            table: Some(table.into()),
        };
        assert_eq!(home.turn_bookmark(mark("a")).unwrap(), [mark("a")]);
        assert_eq!(home.turn_bookmark(mark("b")).unwrap(), [mark("b"), mark("a")]);
        assert_eq!(home.turn_bookmark(mark("a")).unwrap(), [mark("b")]);
        assert_eq!(home.bookmarks(), [mark("b")]);
        std::fs::write(home.path(FILE), "[{").unwrap();
        assert_eq!(home.bookmarks(), []);
        assert_eq!(home.turn_bookmark(mark("a")).unwrap(), [mark("a")]);
    }
}
