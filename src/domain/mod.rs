//! The words, as parsed types: no I/O, no async, no terminal.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
