//! What reaches [`crate::tui::update`]: keys, pastes, sizes, time, and what jobs answer.

use crate::cloud::{CodeWanted, Reading};
use crate::job;
use crate::tui::effect::Ticket;
use crossterm::event::KeyEvent;

/// How `aws sso login` ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoggedIn {
    /// It has signed in.
    Yes,
    /// It has not: why.
    No(String),
    /// The AWS CLI is not on the search path.
    NoProgram,
}

/// What was done with the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    /// The left button went down.
    Click,
    /// The wheel was turned by so many notches: down where it is more than zero.
    Wheel(isize),
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// The program has started: load what the first screen needs.
    Started,
    /// A key went down (or repeats). Releases never get here.
    Key(KeyEvent),
    /// A bracketed paste, as one edit.
    Paste(String),
    /// The mouse, over the cell of this column and row; only after [`crate::tui::effect::Effect::Mouse`] has asked for it.
    Mouse(Mouse, u16, u16),
    /// The window has this size, in cells: columns, rows.
    Resize(u16, u16),
    /// Time has passed, and the model had asked to be told.
    Tick,
    /// A job spoke.
    Job(Ticket, job::Event),
    /// What has been sent and received so far.
    Meter(Reading),
    /// A code of an MFA device is needed: the question's number, and what is asked.
    CodeWanted(u64, CodeWanted),
    /// The profile whose sign-in through AWS SSO has run out, if one has.
    LoginWanted(Option<String>),
    /// `aws sso login` of a profile has ended, or could not begin.
    LoggedIn(String, LoggedIn),
    /// The opener was asked to open a link: its name, or why it could not be asked.
    BrowserAsked(Result<String, String>),
    /// The runtime has something to say: that a text was sent to the clipboard, or why something was not done.
    Said(String),
    /// The log file cannot be written: why.
    NoLog(String),
    /// The program was asked from outside to end (SIGTERM, SIGHUP).
    Terminate,
}
