//! Records on disk.
