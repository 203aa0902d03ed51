//! The headless front: a file a verb.
