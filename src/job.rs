//! The one door to everything that takes time.
