//! IAM documents: built, printed, evaluated.
