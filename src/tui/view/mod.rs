//! Draws the model. Pure: the same model, theme and area give the same cells.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod browse;
mod code;
mod columns;
mod connection;
mod deploy;
mod details;
mod dialog;
pub mod engines;
mod events;
mod foot;
mod frame;
mod hit;
mod home;
mod joined;
mod menu;
mod overlay;
mod paint;
mod problem;
mod prompt;
mod rows;
mod schema;
pub mod sides;
mod standing;
mod start;
mod verify;
pub mod whole;
pub mod words;

pub use hit::Hit;

use crate::tui::model::{Model, Screen, Step};
use crate::tui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The smallest window with a layout: columns, rows.
pub const SMALLEST: (u16, u16) = (40, 12);
/// Below this width every column counts: short words, no meter.
pub const NARROW: u16 = 60;
/// From this width on a list and its detail stand side by side.
pub const TWO_PANES: u16 = 80;
/// From this width on the browser shows three panes.
pub const THREE_PANES: u16 = 100;
/// Text columns are not wider than this.
pub const TEXT_WIDTH: u16 = 100;

/// What stands in a cell of the window, as far as it can be clicked.
pub fn under(model: &Model, column: u16, row: u16) -> Option<Hit> {
    match &model.screen {
        Screen::Browse(state) => {
            let body = frame::body(model, window(model));
            hit::at(state, body, Position { x: column, y: row })
        }
        _ => None,
    }
}

/// How far the text over the screen can be scrolled.
pub fn overlay_end(model: &Model) -> usize {
    let area = frame::body(model, window(model));
    model.overlay.as_ref().map_or(0, |text| overlay::end(text, area))
}

/// How far the browser's schema can be scrolled.
pub fn schema_end(model: &Model) -> usize {
    match &model.screen {
        Screen::Browse(state) => browse::schema_end(model, state, frame::body(model, window(model))),
        _ => 0,
    }
}

/// How far the browser's schema is to be scrolled so that the column is seen that was looked for.
pub fn schema_place(model: &Model) -> Option<usize> {
    match &model.screen {
        Screen::Browse(state) => browse::schema_place(model, state, frame::body(model, window(model))),
        _ => None,
    }
}

/// How far the question over the screen can be scrolled.
pub fn dialog_end(model: &Model) -> usize {
    let place = dialog_place(model, window(model));
    model
        .dialog
        .as_ref()
        .map_or(0, |dialog| dialog::end(dialog, place))
}

fn window(model: &Model) -> Rect {
    let (columns, rows) = model.size;
    Rect::new(0, 0, columns, rows)
}

/// Where a dialog lies. The foot stays: it says which keys answer.
fn dialog_place(model: &Model, area: Rect) -> Rect {
    let body = frame::body(model, area);
    if body.height >= 14 && body.width >= NARROW {
        return body;
    }
    Rect {
        height: area.height.saturating_sub(1),
        ..area
    }
}

/// Draws everything; returns where the cursor stands, if a text field has the keys.
pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        frame::too_small(theme, area, buf);
        return;
    }
    let body = frame::draw(model, theme, area, buf);
    if let Some(text) = &model.overlay {
        overlay::text(text, theme, body, buf);
    } else {
        match &model.screen {
            Screen::Home => home::draw(model, theme, body, buf),
            Screen::Wizard(wizard) => match wizard.step {
                Step::Details => details::draw(model, wizard, theme, body, buf),
                Step::Connection => connection::draw(model, wizard, theme, body, buf),
                Step::Deploy => deploy::draw(model, wizard, theme, body, buf),
                Step::Verify => verify::draw(model, wizard, theme, body, buf),
            },
            Screen::Browse(state) => browse::draw(model, state, theme, body, buf),
        }
    }
    if let Some(dialog) = &model.dialog {
        dialog::draw(dialog, theme, dialog_place(model, area), buf);
    }
    if let Some(form) = model.question() {
        code::draw(form, theme, dialog_place(model, area), buf);
    }
    if theme.glyphs.ascii {
        frame::ascii(area, buf);
    }
    joined::first_only(buf);
}
