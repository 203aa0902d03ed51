//! The terminal front.
