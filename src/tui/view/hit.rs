//! What stands in a cell of the browser, for who clicks there.

use crate::tui::model::{Browse, Listing, Named, Pane, Remote};
use crate::tui::view::browse::panes;
use crate::tui::view::paint::window;
use ratatui::layout::{Position, Rect};

/// What can be clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// A pane, and in it the row of this place among those that are shown.
    Pane(Pane, Option<usize>),
    /// The entry of this place in the list that lies over the browser.
    Entry(usize),
}

/// What stands there.
pub fn at(browse: &Browse, body: Rect, cell: Position) -> Option<Hit> {
    if let Some(menu) = &browse.menu {
        let above = 1 + u16::from(menu.named.is_some());
        return row(&menu.list, above, body, cell).map(Hit::Entry);
    }
    let panes = panes(browse, body).into_iter();
    let (pane, area, _) = panes.into_iter().find(|(_, area, _)| area.contains(cell))?;
    let filter = u16::from(browse.filter.as_ref().is_some_and(|(of, _)| *of == pane));
    let place = match pane {
        Pane::Databases => listed(&browse.databases, 1 + filter, area, cell),
        // Beneath the head stands what the tables are.
        Pane::Tables => listed(&browse.tables, 2 + filter, area, cell),
        Pane::Schema => None,
    };
    Some(Hit::Pane(pane, place))
}

fn listed<T: Named>(remote: &Remote<Listing<T>>, above: u16, area: Rect, cell: Position) -> Option<usize> {
    // Over the rows of a list that could not be read again stands why, in as many lines as it takes.
    let list = remote.value().filter(|_| remote.problem().is_none())?;
    row(list, above, area, cell)
}

/// The row of a list that is drawn in an area, with so many lines above its rows.
fn row<T: Named>(list: &Listing<T>, above: u16, area: Rect, cell: Position) -> Option<usize> {
    if !area.contains(cell) {
        return None;
    }
    let down = cell.y.checked_sub(area.y)?.checked_sub(above)?;
    let rows = area.height.saturating_sub(above);
    let place = window(list.place(), list.shown(), rows.into()) + usize::from(down);
    (place < list.shown()).then_some(place)
}
