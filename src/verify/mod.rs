//! The ladder of checks.
