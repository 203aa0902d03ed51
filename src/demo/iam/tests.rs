//! IAM as a whole.
