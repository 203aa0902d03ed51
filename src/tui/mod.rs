//! The terminal front.
//!
//! `update(&mut Model, Now, Msg) -> Vec<Effect>` decides, [`view`] draws, and [`runtime`] is the only place that waits,
//! talks to the terminal, or starts a job. The first two have no I/O, no clock and no environment.

pub mod clipboard;
pub mod effect;
pub mod field;
pub mod keymap;
pub mod model;
pub mod msg;
mod opener;
pub mod runtime;
mod signals;
pub mod terminal;
pub mod theme;
pub mod update;
pub mod view;
