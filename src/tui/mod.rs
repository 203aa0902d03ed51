//! The terminal front.
//!
//! `update(&mut Model, Now, Msg) -> Vec<Effect>` decides, [`view`] draws, and [`runtime`] is the only place that waits,
//! talks to the terminal, or starts a job. The first two have no I/O, no clock and no environment.

mod asking;
pub mod clipboard;
pub mod effect;
mod events;
pub mod field;
mod frames;
mod journal;
pub mod keymap;
mod login;
pub mod model;
pub mod msg;
mod opener;
pub mod runtime;
mod signals;
pub mod terminal;
pub mod theme;
mod time;
pub mod update;
pub mod view;
