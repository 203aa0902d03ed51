//! IAM documents: built, printed, evaluated.

mod context;

pub use context::Context;
