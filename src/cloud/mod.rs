//! Talking to AWS.
