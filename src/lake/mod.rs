//! Iceberg metadata.
