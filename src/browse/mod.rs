//! The databases, tables and schemas of a catalog.
