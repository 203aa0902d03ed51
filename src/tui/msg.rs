//! What reaches [`crate::tui::update`]: keys, pastes, sizes, time, and what jobs answer.

use crate::cloud::Reading;
use crate::job;
use crate::tui::effect::Ticket;
use crossterm::event::KeyEvent;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// The program has started: load what the first screen needs.
    Started,
    /// A key went down (or repeats). Releases never get here.
    Key(KeyEvent),
    /// A bracketed paste, as one edit.
    Paste(String),
    /// The window has this size, in cells: columns, rows.
    Resize(u16, u16),
    /// Time has passed, and the model had asked to be told.
    Tick,
    /// A job spoke.
    Job(Ticket, job::Event),
    /// What has been sent and received so far.
    Meter(Reading),
    /// The opener was asked to open a link: its name, or why it could not be asked.
    BrowserAsked(Result<String, String>),
    /// The runtime has something to say: that a text was sent to the clipboard, or why something was not done.
    Said(String),
    /// The program was asked from outside to end (SIGTERM, SIGHUP).
    Terminate,
}
