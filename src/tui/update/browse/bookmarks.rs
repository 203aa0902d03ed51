//! Bookmarks on tables and databases.

use crate::domain::problem::Problem;
use crate::domain::text::scrub;
use crate::job::{Job, Outcome};
use crate::registry::Bookmark;
use crate::setup;
use crate::tui::effect::{Effect, Slot};
use crate::tui::model::{Model, Place};
use crate::tui::update::browse::{copies, state};

/// Sets a bookmark on what is selected, or takes it away.
pub(super) fn turn(model: &mut Model) -> Vec<Effect> {
    let Some(browse) = state(model) else {
        return Vec::new();
    };
    let Some(place) = copies::selected(browse) else {
        model.say("Nothing is selected that could have a bookmark.");
        return Vec::new();
    };
    let bookmark = Bookmark {
        catalog: browse.catalog.clone(),
        database: place.database,
        table: place.table,
    };
    let request = setup::Request::TurnBookmark(bookmark);
    // Two at a time would each write what the other does not know.
    if model.slots.is_running(Slot::Bookmarks) {
        model.say("The bookmark before is still being written.");
        return Vec::new();
    }
    vec![model.slots.run(Slot::Bookmarks, Job::Setup(request))]
}

/// It is on disk, or not.
pub fn marked(model: &mut Model, result: Result<Outcome, Problem>) -> Vec<Effect> {
    match result {
        Ok(Outcome::Setup(setup::Outcome::Bookmarks(now))) => {
            let Some(records) = model.overview.value_mut() else {
                return Vec::new();
            };
            let before = std::mem::replace(&mut records.bookmarks, now);
            let after = &records.bookmarks;
            let set = after.iter().find(|mark| !before.contains(mark));
            let gone = before.iter().find(|mark| !after.contains(mark));
            let line = match (set, gone) {
                (Some(mark), _) => format!("Bookmark set on {}.", named(mark)),
                (None, Some(mark)) => format!("No bookmark on {} any more.", named(mark)),
                (None, None) => return Vec::new(),
            };
            model.say(line);
        }
        Ok(_) => {}
        Err(problem) => model.say(format!("No bookmark was set: {}.", problem.what)),
    }
    Vec::new()
}

fn named(mark: &Bookmark) -> String {
    match &mark.table {
        Some(table) => scrub(&format!("{}.{table}", mark.database)),
        None => scrub(&mark.database),
    }
}

/// The places of a catalog that have a bookmark, the newest first.
pub(super) fn places(model: &Model, catalog: &str) -> Vec<Place> {
    let all = model.records().map(|records| records.bookmarks.as_slice());
    let of = all
        .unwrap_or_default()
        .iter()
        .filter(|mark| mark.catalog.as_str() == catalog);
    of.map(|mark| Place {
        database: mark.database.clone(),
        table: mark.table.clone(),
    })
    .collect()
}
