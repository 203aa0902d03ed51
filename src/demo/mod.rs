//! The embedded AWS.
